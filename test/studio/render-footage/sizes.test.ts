/** Every kind in its real size, two pictures long: what a player finds in the file, to the pixel and to the picture. */
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readPackets } from '../../../src/media/decode/packets.ts';
import { probe } from '../../../src/media/probe.ts';
import type { JsonObject } from '../../../src/model/text/json.ts';
import { frameSize } from '../../../src/studio/animatic/request/frame-size.ts';
import { film } from '../../media/footage.ts';
import { folder, given, render, still } from './rig.ts';

type Inputs = Parameters<typeof render>[2];
let picture: Inputs;
let clip: Inputs;
beforeAll(async () => {
  const place = await folder();
  picture = { input_image: [await given(await still(join(place, 'still.png'), 400, 300))] };
  clip = { input_video: [await given(await film(join(place, 'clip.mp4'), { width: 160, height: 90, frames: 2 }))] };
});

describe('in full', () => {
  const short = { prompt: 'a fox', duration: 2 / 24 };
  test.each<[label: string, request: JsonObject, inputs: () => Inputs, is: string]>([
    ['V-T2V-A', { ...short, aspect_ratio: '4:3', resolution: '720P' }, () => ({}), '960×720 h264 aac, 2 at 24'],
    ['V-T2V-B', { ...short, aspect_ratio: '9:16', resolution: '768P' }, () => ({}), '768×1366 h264 aac, 2 at 24'],
    [
      'V-T2V-C',
      { ...short, aspect_ratio: '21:9', resolution: '480p', generate_audio: true },
      () => ({}),
      '1120×480 h264 aac, 2 at 24',
    ],
    ['V-I2V-A', { ...short, aspect_ratio: '3:1' }, () => picture, '1620×540 h264 aac, 2 at 24'],
    ['V-I2V-A', { ...short, aspect_ratio: '1:3', resolution: '720p' }, () => picture, '720×2160 h264 aac, 2 at 24'],
    ['V-I2V-B', { ...short, resolution: '480p', generate_audio: false }, () => picture, '640×480 h264 silent, 2 at 24'],
    ['V-I2V-C', { ...short, resolution: '1080p' }, () => picture, '1440×1080 hevc aac, 2 at 24'],
    ['V-I2V-D', short, () => picture, '960×720 h264 aac, 2 at 24'],
    ['V-I2V-E', { ...short, aspect_ratio: '16:9', resolution: '720p' }, () => picture, '1280×720 h264 aac, 2 at 24'],
    ['V-V2V', { prompt: 'comic', resolution: '720p' }, () => clip, '1280×720 h264 aac, 2 at 24'],
    ['V-RF', { prompt: 'snow', aspect_ratio: '9:16', resolution: '720p' }, () => clip, '720×1280 h264 aac, 2 at 24'],
    ['V-RT', { retake_start_time: 0, retake_duration: 0.05 }, () => clip, '1920×1080 h264 aac, 2 at 24'],
    ['V-UP', { resolution: '4K' }, () => clip, '3840×2160 h264 aac, 2 at 24'],
    ['V-REF', { ...short, resolution: '720p' }, () => ({}), '1280×720 h264 aac, 2 at 24'],
  ])('%s %j', async (label, request, inputs, is) => {
    const { path, facts } = await render(label, request, inputs(), 'full');
    const found = await probe(path);
    expect(facts).toMatchObject({ width: found.width, height: found.height, video_codec: found.video_codec });
    const { width, height, video_codec, audio_codec, fps } = found;
    const count = (await readPackets(path, 'video'))?.packets.length;
    expect(`${width}×${height} ${video_codec} ${audio_codec ?? 'silent'}, ${count} at ${fps}`).toBe(is);
  });

  test.each<[label: string, request: JsonObject, is: string]>([
    ['I-GEN-A', {}, '1024×1024 webp'],
    ['I-EDIT-A', { resolution: '4 MP', aspect_ratio: '16:9', output_format: 'jpg' }, '2656×1494 jpg'],
    ['I-EDIT-B', { resolution: '2K', aspect_ratio: '16:9' }, '2048×1152 webp'],
    ['I-EDIT-B', { resolution: '4K', aspect_ratio: '16:9', output_format: 'jpg' }, '3840×2160 jpg'],
    ['I-EDIT-C', { resolution: '2560x1440', output_format: 'jpg' }, '2560×1440 jpg'],
  ])('%s %j', async (label, request, is) => {
    const inputs = label === 'I-GEN-A' ? {} : picture;
    const made = await render(label, { prompt: 'a fox at dawn', ...request }, inputs, 'full');
    const { width, height, format } = await probe(made.path);
    expect(`${width}×${height} ${format}`).toBe(is);
  });
});

test('the twelve ratios of V-I2V-A and V-RF at each of their labels', () => {
  const sizes = (label: string) =>
    ['3:1', '2:1', '21:9', '16:9', '4:3', '3:2', '1:1', '3:4', '2:3', '9:16', '1:2', '1:3']
      .map(ratio => frameSize(ratio, label, 'full'))
      .map(({ width, height }) => `${width}×${height}`)
      .join(' ');
  expect(['540p', '720p', '1080p'].map(sizes)).toEqual([
    '1620×540 1080×540 1260×540 960×540 720×540 810×540 540×540 540×720 540×810 540×960 540×1080 540×1620',
    '2160×720 1440×720 1680×720 1280×720 960×720 1080×720 720×720 720×960 720×1080 720×1280 720×1440 720×2160',
    '3240×1080 2160×1080 2520×1080 1920×1080 1440×1080 1620×1080 1080×1080 1080×1440 1080×1620 1080×1920 1080×2160 1080×3240',
  ]);
});

test.each<[label: string, request: JsonObject, sentence: string]>([
  ['V-UP', { resolution: '8K' }, 'resolution "8K" is more than the studio draws of this shape: ask for less'],
  ['V-UP', { resolution: '99999p' }, 'resolution "99999p" is more than the studio draws of this shape: ask for less'],
  ['V-UP', { resolution: 'high' }, 'resolution "high" is no number of lines: write 540p, 720p or 1080p'],
  ['V-UP', { target_fps: 1e9 }, 'target_fps 1000000000 is no rate that is drawn: ask for 1 to 120'],
  ['V-UP', { target_fps: 0 }, 'target_fps 0 is no rate that is drawn: ask for 1 to 120'],
  [
    'V-RF',
    { prompt: 'snow', aspect_ratio: '100:1' },
    'a picture more than 10 times as long as its other side is not drawn: choose a shape between 10:1 and 1:10',
  ],
  [
    'V-RF',
    { prompt: 'snow', aspect_ratio: '8:1', resolution: '2160p' },
    'resolution "2160p" is more than the studio draws of this shape: ask for less',
  ],
  ['V-RF', { prompt: 'snow', aspect_ratio: 'wide' }, 'aspect_ratio "wide" is no ratio of two numbers: write 16:9'],
])('%s %j is refused with a sentence', async (label, request, sentence) => {
  await expect(render(label, request, clip)).rejects.toThrow(sentence);
});
