/** Films of other houses beat otherwise: whatever is made of them has every picture, each at a moment of its own. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPackets } from '../../../src/media/decode/packets.ts';
import type { JsonObject } from '../../../src/model/text/json.ts';
import { film } from '../../media/footage.ts';
import { folder, given, render } from './rig.ts';

const MADE: readonly (readonly [label: string, request: JsonObject])[] = [
  ['V-RT', { prompt: 'a fox', retake_start_time: 0.2, retake_duration: 0.4 }],
  ['V-UP', { resolution: '540p' }],
  ['V-RF', { prompt: 'snow', aspect_ratio: '9:16', resolution: '540p' }],
  ['V-V2V', { prompt: 'comic' }],
];

test.each([23.976, 25, 29.97, 59.94])('%d pictures a second', async fps => {
  const path = await film(join(await folder(), 'film.mp4'), { width: 90, height: 90, fps, frames: 31 });
  const source = { input_video: [await given(path)] };
  for (const [label, request] of MADE) {
    const made = await render(label, request, source);
    const { packets = [] } = (await readPackets(made.path, 'video')) ?? {};
    expect([label, made.facts.fps, new Set(packets.map(({ pts }) => pts)).size]).toEqual([label, fps, 31]);
  }
});

test.each([
  [60, true, 60],
  [25, true, 25],
  [23.976, false, 24],
  [12.5, false, 13],
])('a second of 24 pictures at %d a second, interpolated: %s', async (target_fps, interpolate_frames, count) => {
  const path = await film(join(await folder(), 'film.mp4'), { width: 160, height: 90, frames: 24, sound: false });
  const request = { resolution: '540p', target_fps, interpolate_frames };
  const made = await render('V-UP', request, { input_video: [await given(path)] });
  expect([made.facts.fps, (await readPackets(made.path, 'video'))?.packets.length]).toEqual([target_fps, count]);
});
