import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readAudio } from '../../../src/media/decode/decode.ts';
import { readPackets } from '../../../src/media/decode/packets.ts';
import { encode } from '../../../src/media/encode/encoder.ts';
import { h264, rateOf } from '../../../src/media/encode/encoder-settings.ts';
import { escapePath } from '../../../src/media/filtergraph.ts';
import { film, psnr } from '../../media/footage.ts';
import { folder, given, loudest, mp4, pictures, render } from './rig.ts';

const FPS = 12;
const FRAMES = 48;
/** 270 lines are what 1080p is in a draft: the size of the output. */
let atSize: string;
let small: string;
let foreign: string;
beforeAll(async () => {
  const place = await folder();
  atSize = await film(join(place, 'at-size.mp4'), { width: 270, height: 270, fps: FPS, frames: FRAMES });
  small = await film(join(place, 'small.mp4'), { width: 136, height: 136, fps: FPS, frames: FRAMES });
  // Another house's H.264: other settings, groups of 10 pictures.
  foreign = join(place, 'foreign.mp4');
  const video = {
    ...h264(rateOf(FPS)),
    options: { preset: 'medium', crf: 20, g: 10, 'x264-params': 'open-gop=0:ref=5:scenecut=0:mbtree=0' },
  };
  await encode({ graph: `movie=${escapePath(atSize)}[v]`, video, copyAudio: atSize, out: foreign });
});

const SECTION = { prompt: 'a red fox in the snow, night', retake_start_time: 1.25, retake_duration: 1.25 };
/** Pictures 15 to 30. */
const inside = (i: number) => i >= 15 && i < 30;
const retake = async (path: string, request: Record<string, number | string>) =>
  await render('V-RT', request, { input_video: [await given(path)] });

/** The retakes that several tests look at. */
let made: ReturnType<typeof retake> | undefined;
const usual = () => {
  made ??= retake(atSize, SECTION);
  return made;
};

let ofForeign: ReturnType<typeof retake> | undefined;
const foreignTaken = () => {
  ofForeign ??= retake(foreign, SECTION);
  return ofForeign;
};

/** For each picture: `=` the same to the bit, or how alike in dB. */
async function compared(before: string, after: string, through?: string): Promise<('=' | number)[]> {
  const [old, fresh] = [await pictures(before, through), await pictures(after)];
  expect(fresh.length).toBe(old.length);
  return old.map(({ pixels }, i) => {
    const alike = psnr(pixels, fresh[i]!.pixels);
    return alike === 99 ? '=' : alike;
  });
}

describe('V-RT', () => {
  test('only the section changes: untouched groups are the same to the bit, the rest of touched ones nearly so', async () => {
    const taken = await usual();
    expect(taken.facts).toEqual(mp4(270, 270, 4, { fps: FPS }));
    for (const [i, alike] of (await compared(atSize, taken.path)).entries()) {
      if (i < 12 || i >= 36) expect(alike).toBe('=');
      else if (inside(i)) expect(alike).toBeLessThan(25);
      else expect(alike).toBeGreaterThan(42);
    }
    const packets = async (path: string) =>
      (await readPackets(path, 'video'))!.packets.map(packet => packet.data.toString('base64'));
    const [before, after] = [await packets(atSize), await packets(taken.path)];
    expect(after.slice(0, 12)).toEqual(before.slice(0, 12));
    expect(after.slice(36)).toEqual(before.slice(36));
    expect(taken.progress.at(-1)).toBe(1);
    expect(taken.left).toEqual(['first-frame.jpg', 'result.mp4']);
  });

  test('its sound changes in the section only, without a click, and packet for packet stays outside', async () => {
    const taken = await usual();
    const [before, after] = [await readAudio(atSize), await readAudio(taken.path)];
    expect(after.left.length).toBe(before.left.length);
    const same = (from: number, to: number) =>
      loudest(before.left.subarray(from, to).map((sample, i) => sample - after.left[from + i]!));
    expect(same(0, 1.2 * 48_000)).toBe(0);
    expect(same(2.6 * 48_000, 4 * 48_000)).toBe(0);
    expect(same(1.5 * 48_000, 2.2 * 48_000)).toBeGreaterThan(0.05);
    const step = loudest(after.left.map((sample, i) => sample - (after.left[i - 1] ?? sample)));
    expect(step).toBeLessThan(0.2);
  });

  test('another house’s H.264 is spliced at its own groups', async () => {
    const taken = await foreignTaken();
    for (const [i, alike] of (await compared(foreign, taken.path)).entries()) {
      if (i < 10 || i >= 30) expect(alike).toBe('=');
      else if (inside(i)) expect(alike).toBeLessThan(25);
      else expect(alike).toBeGreaterThan(42);
    }
  });

  test('a retake of a retake splices again', async () => {
    const first = await foreignTaken();
    const second = await retake(first.path, { prompt: 'a ship', retake_start_time: 3, retake_duration: 0.5 });
    const alike = await compared(first.path, second.path);
    expect(alike.slice(0, 30)).toEqual(alike.slice(0, 30).map(() => '='));
    expect(alike[38]).toBeLessThan(25);
  });

  test('a film of another size comes out at 1080 lines and as good as the source outside the section', async () => {
    const taken = await retake(small, SECTION);
    expect(taken.facts).toMatchObject({ width: 270, height: 270, duration: 4, fps: FPS });
    const alike = await compared(small, taken.path, 'scale=270:270:flags=lanczos+accurate_rnd');
    for (const [i, value] of alike.entries()) {
      if (inside(i)) expect(value).toBeLessThan(25);
      else expect(value).toBeGreaterThan(42);
    }
  });

  test('replace_audio leaves every picture, replace_video every packet of sound', async () => {
    const data = async (path: string, kind: 'video' | 'audio') =>
      (await readPackets(path, kind))!.packets.map(packet => packet.data);
    const heard = await retake(atSize, { ...SECTION, retake_mode: 'replace_audio' });
    expect(await data(heard.path, 'video')).toEqual(await data(atSize, 'video'));
    expect(await data(heard.path, 'audio')).not.toEqual(await data(atSize, 'audio'));
    const seen = await retake(atSize, { ...SECTION, retake_mode: 'replace_video' });
    expect(await data(seen.path, 'audio')).toEqual(await data(atSize, 'audio'));
    expect((await compared(atSize, seen.path))[22]).toBeLessThan(25);
  });

  test('a silent film gets sound in the section and silence around it', async () => {
    const silent = await film(join(await folder(), 'silent.mp4'), {
      width: 270,
      height: 270,
      fps: FPS,
      frames: FRAMES,
      sound: false,
    });
    const { left } = await readAudio((await retake(silent, SECTION)).path);
    const heard = (from: number, to: number) => loudest(left.subarray(from * 48_000, to * 48_000));
    expect(heard(0, 1.2)).toBeLessThan(0.001);
    expect(heard(1.4, 2.3)).toBeGreaterThan(0.02);
    expect(heard(2.6, 4)).toBeLessThan(0.001);
  });

  test('without times it is the middle third, without a prompt another take of the same', async () => {
    const taken = await retake(atSize, {});
    const changed = (await compared(atSize, taken.path)).flatMap((alike, i) =>
      alike !== '=' && alike < 30 ? [i] : [],
    );
    expect([changed[0], changed.at(-1), changed.length]).toEqual([16, 31, 16]);
  });

  test('the clean plate has the new pictures without the slate, and is what the next retake draws from', async () => {
    const taken = await usual();
    const [result, plate] = [await pictures(taken.path), await pictures(taken.plate)];
    expect(psnr(result[22]!.pixels, plate[22]!.pixels)).toBeLessThan(32);
    expect(psnr(result[5]!.pixels, plate[5]!.pixels)).toBe(99);
  });

  test.each([
    [
      { retake_start_time: 4, retake_duration: 1 },
      'retake_start_time 4 s is outside the source: the source ends at 4 s; start the section before that',
    ],
    [
      { retake_start_time: 3, retake_duration: 2 },
      'the section from 3 to 5 s reaches past the source: the source ends at 4 s; shorten retake_duration',
    ],
    [
      { retake_start_time: 1, retake_duration: 0.01 },
      'the section from 1 to 1.01 s is shorter than one picture: lengthen retake_duration',
    ],
    [
      { retake_mode: 'replace_everything' },
      'retake_mode "replace_everything" is not known: write replace_audio_and_video, replace_video, replace_audio',
    ],
  ])('%j is refused', async (request, message) => {
    await expect(retake(atSize, request)).rejects.toThrow(message);
  });
});
