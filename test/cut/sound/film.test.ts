import { readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/machine/time/clock.ts';
import { renderCut } from '../../../src/media/cut/index.ts';
import { readAudio } from '../../../src/media/decode/decode.ts';
import { encode } from '../../../src/media/encode/encoder.ts';
import { aac, h264, rateOf } from '../../../src/media/encode/encoder-settings.ts';
import { DRAWN } from '../../../src/media/filtergraph.ts';
import { probe } from '../../../src/media/probe.ts';
import { workFolder } from '../../support/temp.ts';
import { cutOf, fileOf, lumaOf, mean, numbers, rendered, SIZE, tried, video } from '../cuts.ts';
import {
  amplitudeOf,
  between,
  coded,
  heard,
  heardCut,
  lastHeard,
  noise,
  onset,
  peakOf,
  RATE,
  silence,
  soundOf,
  tone,
  wav,
} from './sounds.ts';

const folder = await workFolder();

const FLASH = 30;

/** A film that is black but for one white frame, with a click when it is shown; its sound track may begin later than its picture. */
async function flash(name: string, { begins = 0, fps = 24 } = {}): Promise<string> {
  const out = join(folder, `${name}.mp4`);
  function* pixels() {
    for (let n = 0; n < 60; n++) {
      const picture = new Uint8Array(SIZE.width * SIZE.height * 4).fill(n === FLASH ? 255 : 0);
      for (let i = 3; i < picture.length; i += 4) picture[i] = 255;
      yield picture;
    }
  }
  const samples = silence(60 / fps - begins);
  samples.set(tone(0.01, 2000, 0.8), Math.round((FLASH / fps - begins) * RATE));
  await encode({
    frames: { ...SIZE, fps: rateOf(fps), pixels: pixels() },
    sound: { left: samples, right: samples },
    graph: `${DRAWN};[pcm]asetpts=PTS+${begins}/TB[a]`,
    video: h264(rateOf(fps), { crf: 10 }),
    audio: aac(),
    out,
  });
  return out;
}

const brightest = async (film: string): Promise<number> => {
  const light = (await lumaOf(film)).map(({ pixels }) => mean(pixels));
  return light.indexOf(Math.max(...light));
};

describe('picture and sound', () => {
  test.each([
    ['together', {}],
    ['where the sound begins a third of a second late', { begins: 1 / 3 }],
  ])('a flash and its click stay together, %s', async (name, options) => {
    const path = await flash(name, options);
    const picture = await video(path, { in: 0.5 });
    const later = await video(path, { in: 1 });
    const cut = cutOf(
      [
        { frames: 31, picture },
        { frames: 20, picture: later },
      ],
      {
        sounds: [
          await soundOf(path, { role: 'clip', frames: 31, in: 0.5 }),
          await soundOf(path, { role: 'clip', at: 31, frames: 20, in: 1 }),
        ],
      },
    );
    const film = await rendered(cut, folder, `film ${name}`);
    const { left } = await readAudio(film);
    expect(await brightest(film)).toBe(FLASH - 12);
    expect(Math.abs(onset(left, 0.2) / RATE - (FLASH - 12) / 24)).toBeLessThan(0.002);
    const second = between(left, 31 / 24, 51 / 24);
    expect(Math.abs(onset(second, 0.2) / RATE - (FLASH - 24) / 24)).toBeLessThan(0.002);
    expect(Math.abs(left.length - (51 / 24) * RATE)).toBeLessThanOrEqual(1024);
  });

  test('a recording whose clock leaves out half a second is silent there, and together after it', async () => {
    const path = await wav(folder, 'whole', [tone(3, 440, 0.4), tone(3, 440, 0.4)]);
    const gap = await coded(path, `${folder}/gap.mkv`, {
      codec: 'flac',
      format: 's16',
      through: "asetnsamples=n=4800:p=0,asetpts='PTS+if(gte(PTS\\,96000)\\,24000\\,0)'",
    });
    const { left } = await heard(heardCut(84, [await soundOf(gap, { frames: 84 })]));
    const level = (from: number) => amplitudeOf(between(left, from, from + 0.1), 440);
    expect([level(0.5), level(1.85), level(2.25), level(2.7), level(3.2)].map(it => Number(it.toFixed(1)))).toEqual([
      0.4, 0.4, 0, 0.4, 0.4,
    ]);
  });
});

describe('the track', () => {
  test('a film without sounds has a silent one', async () => {
    const film = await rendered(heardCut(24, [], { codec: 'h264' }), folder, 'silent');
    expect(await probe(film)).toMatchObject({ audio_codec: 'aac' });
    const { left } = await readAudio(film);
    expect(peakOf(left)).toBe(0);
    expect((await stat(film)).size).toBeLessThan(20_000);
  });

  test('a clip that has no sound is silent', async () => {
    const path = join(folder, 'mute.mp4');
    const pixels = numbers({ ...SIZE, frames: 24 });
    await encode({ frames: { ...SIZE, fps: rateOf(24), pixels }, graph: DRAWN, video: h264(rateOf(24)), out: path });
    const { left } = await heard(heardCut(24, [await soundOf(path, { role: 'clip' })]));
    expect(peakOf(left)).toBe(0);
    expect(await tried(heardCut(24, [await soundOf(path)]), join(folder, 'none.mov'))).toEqual({
      is: 'failed',
      message: 'the music: there is no sound in it; make it again, or leave it out of the cut',
    });
  });

  test('in ProRes it is what was mixed, to 24 bits', async () => {
    const samples = noise(2, 0.5);
    const path = await wav(folder, 'exact', [samples, samples.map(it => it / 2)]);
    const cut = heardCut(48, [await soundOf(path, { frames: 48 })]);
    const film = await rendered(cut, folder, 'exact');
    expect(await probe(film)).toMatchObject({ video_codec: 'prores', audio_codec: 'pcm-s24' });
    const { left, right } = await readAudio(film);
    const wanted = await heard(cut);
    expect(left.length).toBe(wanted.left.length);
    expect(peakOf(left.map((it, i) => it - wanted.left[i]!))).toBeLessThan(2 ** -22);
    expect(peakOf(right.map((it, i) => it - wanted.right[i]!))).toBeLessThan(2 ** -22);
  });

  test('listening first counts as progress', async () => {
    const music = await wav(folder, 'minute', [noise(60, 0.05)]);
    const cut = heardCut(1440, [await soundOf(music, { frames: 1440 })], { loudness: -16, isDraft: true });
    const told: number[] = [];
    const stop = new AbortController();
    const order = { cut, fileOf, clock: systemClock, signal: stop.signal, to: join(folder, 'progress.mov') };
    const onProgress = (frames: number) => {
      told.push(frames);
      if (frames > 100) stop.abort(new Error('enough'));
    };
    await expect(renderCut({ ...order, onProgress })).rejects.toThrow('enough');
    expect(told[0]).toBeLessThan(20);
    expect(told.filter(it => it < 58).length).toBeGreaterThan(1);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
  });
});

describe('sounds that are broken', () => {
  test('a voice that breaks off before it is over is told by its place', async () => {
    const path = join(folder, 'broken.mp4');
    const left = noise(6, 0.3);
    await encode({ sound: { left, right: left }, graph: '[pcm]anull[a]', audio: aac(), out: path });
    const sound = await soundOf(path, { role: 'voice', at: 24, frames: 144 });
    await truncate(path, Math.round((await stat(path)).size / 2));
    expect(await tried(heardCut(168, [sound]), join(folder, 'broken.mov'))).toEqual({
      is: 'failed',
      message: expect.stringMatching(
        /^the voice at 0:01: its sound cannot be decoded after [23]\.\d+ s; make it again, or leave it out of the cut$/,
      ),
    });
    // As much of it as is there can be used.
    const used = await heard(heardCut(168, [{ ...sound, frames: 40 }]));
    expect(Math.abs(lastHeard(used.left, 0.001) - Math.round((64 * RATE) / 24))).toBeLessThan(10);
  });

  test('packets that cannot be decoded are silent, and what follows is where it was', async () => {
    const file = join(folder, 'packets.mp4');
    const sound = tone(4, 440, 0.4);
    await encode({ sound: { left: sound, right: sound }, graph: '[pcm]anull[a]', audio: aac(), out: file });
    const bytes = await readFile(file);
    const middle = Math.floor(bytes.length / 2);
    bytes.fill(0xff, middle, middle + 3000);
    await writeFile(file, bytes);
    const { left } = await heard(heardCut(96, [await soundOf(file, { frames: 96 })]));
    expect(amplitudeOf(between(left, 1, 1.3), 440)).toBeGreaterThan(0.35);
    expect(amplitudeOf(between(left, 3.2, 3.6), 440)).toBeGreaterThan(0.35);
  });

  test('samples that are no numbers are silent, and nothing else is', async () => {
    const samples = tone(2, 440, 0.2);
    samples.fill(Number.NaN, 20_000, 20_010).fill(Number.POSITIVE_INFINITY, 30_000, 30_010);
    const path = await wav(folder, 'nan', [samples]);
    const { left } = await heard(heardCut(48, [await soundOf(path, { frames: 48 })], { loudness: -16 }));
    expect(left.every(Number.isFinite)).toBe(true);
    expect(amplitudeOf(between(left, 1, 1.9), 440)).toBeGreaterThan(0.1);
  });

  test('a place behind the end of a source is silent, also where it goes round', async () => {
    const path = await wav(folder, 'brief', [tone(0.3, 440, 0.2)]);
    for (const loop of [undefined, true] as const) {
      const { left } = await heard(heardCut(24, [await soundOf(path, { in: 5, ...(loop && { loop }) })]));
      expect(peakOf(left)).toBe(0);
    }
  });

  test('a sound that nobody here can decode is told', async () => {
    const path = await wav(folder, 'for a stranger', [tone(1), tone(1)]);
    const file = await coded(path, `${folder}/stranger.mkv`, { codec: 'flac', format: 's16' });
    const sound = await soundOf(file, { role: 'clip' });
    const bytes = await readFile(file);
    bytes.write('A_FLAX', bytes.indexOf('A_FLAC'), 'latin1');
    await writeFile(file, bytes);
    expect(await tried(heardCut(24, [sound]), join(folder, 'stranger.mov'))).toEqual({
      is: 'failed',
      message: 'shot: its sound cannot be decoded here; make it again, or leave it out of the cut',
    });
  });

  test('a file that is no sound at all', async () => {
    const path = await wav(folder, 'fine', [tone(1)]);
    const sound = await soundOf(path);
    await truncate(path, 20);
    expect(await tried(heardCut(24, [sound]), join(folder, 'text.mov'))).toEqual({
      is: 'failed',
      message: 'the music: it cannot be opened as sound; make it again, or leave it out of the cut',
    });
  });
});
