import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import { readAudio, readFrames } from '../../../src/media/decode.ts';
import { aac, encode } from '../../../src/media/encoder.ts';
import { probe } from '../../../src/media/probe.ts';
import type { RenderJob } from '../../../src/studio/render/job.ts';
import { RATE } from '../../../src/studio/render/sound.ts';
import { paintFilm, planFilm, renderTextToVideo } from '../../../src/studio/render/text-to-video.ts';
import { difference, digest } from './painted.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'paint-'));
});
afterAll(() => rm(folder, { recursive: true }));

const THREE =
  '[0-1s] wide shot: a fox on a frozen river at dawn, snow. [1-1.5s] close-up: it looks back. [1.5-2s] wide shot: a neon city street at night';
const job = (request: JsonObject, inputs: RenderJob['inputs'] = {}): RenderJob => ({
  id: 'one',
  label: 'V-T2V-A',
  request: { resolution: '720P', duration: 2, seed: 11, ...request },
  inputs,
  folder,
  speed: 'draft',
});
const quiet = { progress() {} };

async function frames(file: string): Promise<Uint8Array[]> {
  const all: Uint8Array[] = [];
  for await (const frame of readFrames(file)) all.push(frame.pixels);
  return all;
}
/** The frames whose picture differs most from the one before, in order. */
const cuts = (all: readonly Uint8Array[], count: number) =>
  all
    .map((frame, i) => ({ i, jump: i === 0 ? 0 : difference(frame, all[i - 1] ?? frame) }))
    .sort((a, b) => b.jump - a.jump)
    .slice(0, count)
    .map(({ i }) => i)
    .sort((a, b) => a - b);

describe('text to video', () => {
  test('gives an H.264 film with sound, cut on the exact frames, and the same film without its slate', async () => {
    const told: number[] = [];
    const result = await renderTextToVideo(job({ prompt: THREE }), { progress: fraction => told.push(fraction) });
    const facts = {
      kind: 'video',
      format: 'mp4',
      width: 320,
      height: 180,
      duration: 2,
      fps: 24,
      video_codec: 'h264',
      audio_codec: 'aac',
    };
    expect(result).toMatchObject({ file: 'result.mp4', cleanPlate: 'plate.mp4' });
    expect(await probe(path.join(folder, result.file))).toMatchObject(result.facts);
    expect(result.facts).toEqual(facts);
    const film = await frames(path.join(folder, 'result.mp4'));
    const plate = await frames(path.join(folder, 'plate.mp4'));
    expect([film.length, plate.length]).toEqual([48, 48]);
    expect([cuts(film, 2), cuts(plate, 2)]).toEqual([
      [24, 36],
      [24, 36],
    ]);
    expect(difference(film[5] ?? new Uint8Array(), plate[5] ?? new Uint8Array())).toBeGreaterThan(2);
    expect(told.at(-1)).toBe(1);
    expect(told).toEqual([...told].sort((a, b) => a - b));
  });

  test('gives the same bytes for the same request', async () => {
    const bytes = async () => {
      await renderTextToVideo(job({ prompt: 'a whale under water', duration: 1 }), quiet);
      return digest(await readFile(path.join(folder, 'result.mp4')));
    };
    expect(await bytes()).toBe(await bytes());
  });

  test('lays driving audio under the film as it is, cut to its length', async () => {
    const song = {
      left: Float32Array.from({ length: 3 * RATE }, (_, i) => 0.4 * Math.sin((2 * Math.PI * 440 * i) / RATE)),
      right: new Float32Array(3 * RATE),
    };
    const file = path.join(folder, 'song.mp4');
    await encode({ sound: song, graph: '[pcm]anull[a]', audio: aac(), out: file });
    await renderTextToVideo(
      job({ prompt: 'abstract ribbons' }, { audio_url: [{ path: file, facts: { kind: 'audio' } }] }),
      quiet,
    );
    const heard = await readAudio(path.join(folder, 'result.mp4'));
    let crossings = 0;
    for (let i = RATE / 2; i < RATE * 1.5; i++)
      if ((heard.left[i - 1] ?? 0) < 0 && (heard.left[i] ?? 0) >= 0) crossings++;
    expect(Math.abs(crossings - 440)).toBeLessThan(4);
    expect(Math.abs(heard.left.length / RATE - 2)).toBeLessThan(0.05);
  });

  test('has no sound track where none is wanted', async () => {
    const result = await renderTextToVideo(job({ prompt: 'dunes', duration: 1, generate_audio: false }), quiet);
    expect((await probe(path.join(folder, result.file))).audio_codec).toBeNull();
  });
});

describe('what the fields decide', () => {
  const plan = (request: JsonObject, speed: RenderJob['speed'] = 'full') =>
    planFilm({ label: 'V-T2V-A', request: { prompt: 'a fox', ...request }, speed });
  test.each([
    ['16:9', '1080P', { width: 1920, height: 1080 }],
    ['9:16', '720P', { width: 720, height: 1280 }],
    ['1:1', '720P', { width: 720, height: 720 }],
    ['4:3', '1080P', { width: 1440, height: 1080 }],
    ['3:4', '720P', { width: 720, height: 960 }],
    ['16:9', '480p', { width: 854, height: 480 }],
  ])('%s at %s', (aspect_ratio, resolution, size) => expect(plan({ aspect_ratio, resolution }).size).toEqual(size));

  test('a draft is small and as long', () => {
    expect(plan({ duration: 3, resolution: '720P' }, 'draft')).toMatchObject({
      size: { width: 320, height: 180 },
      frames: 72,
    });
  });
  test('a duration of −1 is left to the studio', () => expect(plan({ duration: -1 }).frames).toBe(120));
  test('prompt_extend adds to what is painted and shows what it added', () => {
    expect(plan({ prompt: 'a fox', prompt_extend: true, seed: 1 }).shots[0]).toMatchObject({
      words: 'A fox',
      added: expect.stringContaining('slow push in'),
      camera: 'push-in',
    });
    expect(plan({ prompt: 'a fox', prompt_extend: false, seed: 1 }).shots[0]).not.toHaveProperty('added');
  });

  const slated = (request: JsonObject) => {
    const one = job({ prompt: 'static: dunes at noon', duration: 1, ...request });
    const [first] = paintFilm(one, { film: planFilm(one), sound: null }, quiet);
    return first ? { slated: Buffer.from(first.slated), clean: Buffer.from(first.clean) } : undefined;
  };
  test('negative_prompt and watermark are seen on the slate and change nothing else', () => {
    const plain = slated({});
    for (const request of [{ negative_prompt: 'blurry' }, { watermark: true }]) {
      const other = slated(request);
      expect(digest(other?.clean ?? Buffer.of())).toBe(digest(plain?.clean ?? Buffer.of()));
      expect(digest(other?.slated ?? Buffer.of())).not.toBe(digest(plain?.slated ?? Buffer.of()));
    }
  });
  test('another seed is another picture; no seed is the same picture each time', () => {
    const clean = (request: JsonObject) => digest(slated(request)?.clean ?? Buffer.of());
    expect(clean({ seed: 12 })).not.toBe(clean({ seed: 11 }));
    expect(clean({ seed: null })).toBe(clean({ seed: null }));
  });
});
