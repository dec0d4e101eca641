/** The picture that a film shows before it is finished is the film's own: whatever drew it, slate and all. */
import { existsSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { modelLibrary } from '../../../src/api/model-library.ts';
import { readFrames } from '../../../src/media/decode/decode.ts';
import { encode } from '../../../src/media/encode/encoder.ts';
import { h264, hevcMain10, rateOf } from '../../../src/media/encode/encoder-settings.ts';
import type { JsonObject } from '../../../src/model/text/json.ts';
import type { LocalInput, RenderJob } from '../../../src/studio/animatic/job.ts';
import { FIRST_FRAME } from '../../../src/studio/animatic/picture/first-frame.ts';
import { rendererFor } from '../../../src/studio/animatic/renderer-for.ts';
import { film } from '../../media/footage.ts';
import { folder, given, render, SILENT, still } from './rig.ts';

const prompt = 'a red fox crossing a frozen river, dawn, wide shot, slow pan right';
const painted = { ...SILENT, prompt, duration: 1, seed: 3 };

let footage: LocalInput;
let photo: LocalInput;
let tail: LocalInput;
beforeAll(async () => {
  const place = await folder();
  footage = await given(await film(join(place, 'film.mp4'), { width: 320, height: 180, frames: 36 }));
  photo = await given(await still(join(place, 'photo.png'), 640, 360));
  tail = await given(await still(join(place, 'tail.png'), 360, 640));
});

type Kind = readonly [
  of: string,
  label: string,
  request: JsonObject,
  inputs: () => RenderJob['inputs'],
  shown?: number,
];
const clip = () => ({ input_video: [footage] });
const section = { retake_start_time: 0.75, retake_duration: 0.5 };
/** The last is the picture of the film that is shown early. */
const KINDS: readonly Kind[] = [
  ['words', 'V-T2V-A', { ...painted, resolution: '720P' }, () => ({})],
  ['a picture', 'V-I2V-A', painted, () => ({ input_image: [photo] })],
  ['a picture and its last', 'V-I2V-C', painted, () => ({ input_image: [photo], tail_image_url: [tail] })],
  ['references', 'V-REF', painted, () => ({ input_images: [photo], input_videos: [footage] })],
  ['a film by another hand', 'V-V2V', { prompt }, clip],
  ['a film in another frame', 'V-RF', { aspect_ratio: '9:16', resolution: '540p' }, clip],
  ['a film with more pixels', 'V-UP', { resolution: '720p' }, clip],
  ['a retake, which begins in the middle,', 'V-RT', { prompt: 'a storm at night', ...section }, clip, 18],
  ['another take of the same', 'V-RT', section, clip, 18],
];

for (const [of, label, request, inputs, picture = 0] of KINDS)
  test(`a film of ${of} shows a picture before it is there, and has that picture`, async () => {
    const { early, shown, path } = await watched(label, request, inputs());
    expect(early).toBe(true);
    const { width, height, pixels } = await rgba(shown);
    const frames = new Map<number, Uint8Array>();
    for await (const frame of readFrames(path)) {
      if (frame.index === picture) expect([frame.width, frame.height]).toEqual([width, height]);
      frames.set(frame.index, frame.pixels);
    }
    const apart = meanDifference(pixels, frames.get(picture));
    // Two codecs lie between them, and nothing else.
    expect(apart).toBeLessThan(4);
    for (const other of [picture - 12, picture + 12])
      if (frames.has(other)) expect(meanDifference(pixels, frames.get(other))).toBeGreaterThan(apart);
  });

test('a film in ten bits shows it in colours of a JPEG', async () => {
  const { out, shown } = { out: join(await folder(), 'ten.mp4'), shown: join(await folder(), FIRST_FRAME) };
  const graph = `color=c=0x00ff00:size=64x64:rate=24,format=gbrp,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p10le,trim=end_frame=2[v]`;
  const video = hevcMain10(rateOf(24));
  await encode({ graph, video, out, early: { picture: 1, out: shown } });
  const { pixels } = await rgba(shown);
  const [red = 0, green = 0, blue = 0] = pixels;
  expect([red < 8, green > 247, blue < 8]).toEqual([true, true, true]);
});

test('where the picture cannot be written, the film is', async () => {
  const blocked = join(await folder(), FIRST_FRAME);
  await mkdir(blocked);
  const out = join(await folder(), 'film.mp4');
  const graph = 'color=size=64x64:rate=24,trim=end_frame=3[v]';
  await encode({ graph, video: h264(rateOf(24)), out, early: { picture: 0, out: blocked } });
  expect((await stat(blocked)).isDirectory()).toBe(true);
  expect((await stat(out)).size).toBeGreaterThan(0);
});

test('what is tried, and is no film of the job, shows nothing', async () => {
  const { left } = await render(
    'V-RT',
    { retake_start_time: 0.5, retake_duration: 0.5, retake_mode: 'replace_audio' },
    { input_video: [footage] },
  );
  expect(left).not.toContain(FIRST_FRAME);
});

async function watched(label: string, request: JsonObject, inputs: RenderJob['inputs']) {
  const place = await folder();
  const { kind } = modelLibrary.get(label)!;
  const job = { id: 'first', label, kind, request, inputs, folder: place, speed: 'draft' } as const;
  const shown = join(place, FIRST_FRAME);
  /** Whether the picture was seen at a word of progress when the film was not. */
  let early = false;
  const { file } = await rendererFor(job)(job, {
    progress: () => {
      early ||= existsSync(shown) && !existsSync(join(place, 'result.mp4'));
    },
  });
  return { early, shown, path: join(place, file) };
}

async function rgba(path: string) {
  const { data, info } = await sharp(path).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { pixels: new Uint8Array(data), width: info.width, height: info.height };
}

function meanDifference(a: Uint8Array, b: Uint8Array | undefined): number {
  if (a.length !== b?.length) throw new Error('pictures of two sizes');
  let sum = 0;
  for (let at = 0; at < a.length; at += 4)
    for (let channel = 0; channel < 3; channel++) sum += Math.abs((a[at + channel] ?? 0) - (b[at + channel] ?? 0));
  return sum / ((a.length / 4) * 3);
}
