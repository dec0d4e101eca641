import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readAudio, readFrames } from '../../../src/media/decode/decode.ts';
import { encode } from '../../../src/media/encode/encoder.ts';
import { aac, type StereoSound } from '../../../src/media/encode/encoder-settings.ts';
import { probe } from '../../../src/media/probe.ts';
import type { JsonObject } from '../../../src/model/text/json.ts';
import type { RenderJob } from '../../../src/studio/animatic/job.ts';
import { paintFilm, planFilm } from '../../../src/studio/animatic/kinds/text-to-video.ts';
import { loudness } from '../../../src/studio/animatic/sound/loudness.ts';
import { RATE } from '../../../src/studio/animatic/sound/sound-bed.ts';
import { tone } from '../../media/footage.ts';
import { folder, mp4, render } from '../render-footage/rig.ts';
import { difference, digest } from './painted.ts';

const THREE =
  '[0-1s] wide shot: a fox on a frozen river at dawn, snow. [1-1.5s] close-up: it looks back. [1.5-2s] wide shot: a neon city street at night';
const REQUEST = { resolution: '720P', duration: 2, seed: 11 };
const made = (request: JsonObject, inputs: RenderJob['inputs'] = {}) =>
  render('V-T2V-A', { ...REQUEST, ...request }, inputs);

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
    const { path, plate: clean, facts, progress } = await made({ prompt: THREE });
    expect(facts).toEqual(mp4(320, 180, 2));
    expect(await probe(path)).toMatchObject(facts);
    const [film, plate] = [await frames(path), await frames(clean)];
    expect([film.length, plate.length]).toEqual([48, 48]);
    expect([cuts(film, 2), cuts(plate, 2)]).toEqual([
      [24, 36],
      [24, 36],
    ]);
    expect(difference(film[5] ?? new Uint8Array(), plate[5] ?? new Uint8Array())).toBeGreaterThan(2);
    // What the encoder made of it is as loud as it was mixed.
    expect(Math.abs(loudness(await readAudio(path)) + 16)).toBeLessThan(1);
    expect(progress.at(-1)).toBe(1);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
  });

  test('lays driving audio under the film as it is, cut to its length', async () => {
    const file = path.join(await folder(), 'song.mp4');
    await encode({ sound: tone(3), graph: '[pcm]anull[a]', audio: aac(), out: file });
    const song = { path: file, facts: { kind: 'audio' } } as const;
    const film = await made({ prompt: 'abstract ribbons' }, { audio_url: [song] });
    const heard = await readAudio(film.path);
    let crossings = 0;
    for (let i = RATE / 2; i < RATE * 1.5; i++)
      if ((heard.left[i - 1] ?? 0) < 0 && (heard.left[i] ?? 0) >= 0) crossings++;
    expect(Math.abs(crossings - 440)).toBeLessThan(4);
    expect(Math.abs(heard.left.length / RATE - 2)).toBeLessThan(0.05);
  });

  test('has no sound track where none is wanted', async () => {
    const film = await made({ prompt: 'dunes', duration: 1, generate_audio: false });
    expect((await probe(film.path)).audio_codec).toBeNull();
  });
});

describe('what the fields decide', () => {
  const plan = (request: JsonObject, speed: RenderJob['speed'] = 'full') =>
    planFilm({ label: 'V-T2V-A', request: { prompt: 'a fox', ...request }, speed });
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

  const job = (request: JsonObject, isDriven = false) =>
    ({
      ...{ id: 'one', label: 'V-T2V-A', kind: 'text_to_video', folder: '', speed: 'draft' },
      request: { ...REQUEST, prompt: 'static: dunes at noon', ...request },
      inputs: isDriven ? { audio_url: [{ path: 'song.wav', facts: { kind: 'audio' } }] } : {},
    }) satisfies RenderJob as RenderJob;
  const quiet = { progress() {} };
  /** The picture at a moment, with and without its slate; `sound` as the film would have it. */
  const slated = (request: JsonObject, { frame = 0, sound = null as StereoSound | null } = {}) => {
    const one = job({ duration: 1, ...request }, sound !== null);
    let at = 0;
    for (const { slated, clean } of paintFilm(one, { film: planFilm(one), sound }, quiet))
      if (at++ === frame) return { slated: digest(slated), clean: digest(clean) };
    throw new Error(`the film has no frame ${frame}`);
  };
  test('negative_prompt, watermark and a chosen length are seen on the slate and change nothing else', () => {
    const plain = slated({ duration: 5 });
    for (const request of [{ negative_prompt: 'blurry' }, { watermark: true }, { duration: -1 }]) {
      const other = slated({ duration: 5, ...request });
      expect(other.clean).toBe(plain.clean);
      expect(other.slated).not.toBe(plain.slated);
    }
  });
  test('the watermark stands at the bottom right, and nowhere else', () => {
    const film = (watermark: boolean) => {
      const one = job({ duration: 1, watermark });
      const [first] = paintFilm(one, { film: planFilm(one), sound: null }, quiet);
      return Buffer.from(first?.slated ?? []);
    };
    const [plain, marked] = [film(false), film(true)];
    const { width, height } = planFilm(job({})).size;
    const changed = Array.from({ length: width * height }, (_, i) => i).filter(i =>
      [0, 1, 2].some(channel => Math.abs(plain[i * 4 + channel]! - marked[i * 4 + channel]!) > 8),
    );
    expect(changed.length).toBeGreaterThan(40);
    expect(Math.min(...changed.map(i => i % width)) / width).toBeGreaterThan(0.6);
    expect(Math.min(...changed.map(i => Math.floor(i / width))) / height).toBeGreaterThan(0.6);
  });
  test('what negative_prompt names is not in the picture', () => {
    const clean = (prompt: string, negative_prompt?: string) =>
      slated({ prompt, ...(negative_prompt ? { negative_prompt } : {}) }).clean;
    const stormy = 'static: a fox on the coast at noon, heavy rain';
    expect(clean(stormy, 'rain')).toBe(clean('static: a fox on the coast at noon'));
    expect(clean(stormy, 'bad anatomy, no rain, the fox')).toBe(clean('static: the coast at noon'));
    expect(clean('固定镜头：海边，正午，一只狐狸，下雨', '雨，狐狸')).toBe(clean('固定镜头：海边，正午'));
    expect(clean(stormy, 'deformed rain drops, faces')).toBe(clean(stormy));
  });
  test('what negative_prompt names is not chosen either', () => {
    const shotOf = (request: JsonObject) => plan({ prompt: 'a quiet morning', seed: 3, ...request }).shots[0]!;
    const chosen = shotOf({});
    const other = shotOf({ negative_prompt: `${chosen.place}; morning` });
    expect(other.place).not.toBe(chosen.place);
    expect([chosen.time, other.time]).toEqual(['dawn', 'golden']);
    expect(plan({ prompt: 'a couple and a dog', negative_prompt: 'people' }).shots[0]!.subject).toBeNull();
  });
  test('driving audio moves the picture: where it is loud, and only there', () => {
    const song = (loudFrom: number): StereoSound => {
      const left = Float32Array.from({ length: RATE }, (_, i) => (i < loudFrom * RATE ? 0 : 0.5 * Math.sin(i / 20)));
      return { left, right: left };
    };
    for (const [frame, moves] of [
      [6, false],
      [18, true],
    ] as const) {
      const [still, driven] = [song(1), song(0.5)].map(sound => slated({}, { frame, sound }).clean);
      expect(driven !== still).toBe(moves);
    }
  });
  test('another seed is another picture; no seed is the same picture each time', () => {
    const clean = (request: JsonObject) => slated(request).clean;
    expect(clean({ seed: 12 })).not.toBe(clean({ seed: 11 }));
    expect(clean({ seed: null })).toBe(clean({ seed: null }));
    expect(clean({ seed: null, prompt: 'static: dunes at dusk' })).not.toBe(clean({ seed: null }));
  });
  test('an extended prompt is seen in the picture', () => {
    const [plain, extended] = [{}, { prompt_extend: true }].map(more => slated({ prompt: 'a fox', ...more }));
    expect(extended?.clean).not.toBe(plain?.clean);
  });
});
