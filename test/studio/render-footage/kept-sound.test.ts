/** What a film that the studio made sounds like, after each step that keeps sound: its plate has none. */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { modelLibrary } from '../../../src/api/model-library.ts';
import { readPackets } from '../../../src/media/decode/packets.ts';
import { appendPlate } from '../../../src/media/encode/clean-plate.ts';
import type { JsonObject } from '../../../src/model/text/json.ts';
import { film } from '../../media/footage.ts';
import { folder, given, render } from './rig.ts';

const SHAPE = { width: 160, height: 90, fps: 25, frames: 30 };

let ours: string;
beforeAll(async () => {
  const place = await folder();
  ours = await film(join(place, 'ours.mp4'), SHAPE);
  await copyFile(ours, join(place, 'joined.mp4'));
  ours = join(place, 'joined.mp4');
  await appendPlate(ours, await film(join(place, 'plate.mp4'), { ...SHAPE, sound: false }));
});

const KEEP: Readonly<Record<string, JsonObject>> = {
  'V-RF': { prompt: 'a beach', aspect_ratio: '9:16', resolution: '540p' },
  'V-RT': { prompt: 'a beach', start_time: 0, duration: 1, retake_mode: 'replace_video' },
  'V-UP': { resolution: '1080p' },
  'V-V2V': { prompt: 'a beach in watercolour', resolution: '540p' },
};

test('these are all kinds whose models keep sound, and the two that keep it where it is not replaced', () => {
  const keeping = modelLibrary.labels.filter(label => modelLibrary.get(label)?.returns.audio?.keep !== undefined);
  expect(Object.keys(KEEP).sort()).toEqual([...keeping, 'V-RT', 'V-V2V'].sort());
});

describe('the sound of a film of ours', () => {
  test.each(Object.entries(KEEP))('%s keeps it, packet for packet', async (label, request) => {
    const made = await render(label, request, { input_video: [await given(ours)] });
    const [before, after] = [await readPackets(ours, 'audio'), await readPackets(made.path, 'audio')];
    expect(before?.packets.length).toBeGreaterThan(10);
    expect(after?.packets.map(({ data }) => data)).toEqual(before?.packets.map(({ data }) => data));
  });
});
