import { join } from 'node:path';
import { expect, test } from 'vitest';
import { encode } from '../../../src/media/encode/encoder.ts';
import { h264, rateOf } from '../../../src/media/encode/encoder-settings.ts';
import { noteOf, retaken, shotsOf } from '../../../src/studio/animatic/slate/shot-notes.ts';
import type { SlateShot } from '../../../src/studio/animatic/slate/slate.ts';
import { film } from '../../media/footage.ts';
import { folder, given, render } from './rig.ts';

const FOX: SlateShot = { start: 0, end: 2, words: 'A red fox', size: 'wide', camera: 'tracking' };
const LOOK: SlateShot = { start: 2, end: 4, words: 'It looks back', size: 'close', camera: 'drift' };

async function noted(comment: string): Promise<string> {
  const out = join(await folder(), 'noted.mp4');
  await encode({ graph: 'color=size=96x54:rate=12,trim=end_frame=48[v]', video: h264(rateOf(12)), comment, out });
  return out;
}

test('a film’s shots are read from the film itself, through every step of a chain', async () => {
  const source = await noted(noteOf([FOX, LOOK]));
  const framed = await render(
    'V-RF',
    { prompt: 'more snow', aspect_ratio: '1:1', resolution: '540p' },
    { input_video: [await given(source)] },
  );
  const taken = await render(
    'V-RT',
    { prompt: 'Close-up: a wolf, locked', retake_start_time: 1, retake_duration: 1.5, retake_mode: 'replace_video' },
    { input_video: [await given(framed.path, framed.plate)] },
  );
  const larger = await render('V-UP', { resolution: '540p' }, { input_video: [await given(taken.path, taken.plate)] });
  expect(await shotsOf(larger.plate, 4, '')).toEqual([
    { ...FOX, end: 1 },
    { start: 1, end: 2.5, words: 'A wolf', size: 'close', camera: 'locked' },
    { ...LOOK, start: 2.5 },
  ]);
});

test('of anybody else’s film it is one shot', async () => {
  const bare = await film(join(await folder(), 'bare.mp4'), { width: 32, height: 32, frames: 24 });
  const one = [{ start: 0, end: 1, words: 'a film' }];
  expect(await shotsOf(bare, 1, 'a film')).toEqual(one);
  for (const comment of [
    'shot in Ouarzazate',
    '{"shotlist":1,"shots":[{"start":"now"}]}',
    '{"shotlist":1,"shots":[]}',
    '[1]',
  ]) {
    expect(await shotsOf(await noted(comment), 1, 'a film')).toEqual(one);
  }
});

test('what a retake covers gives way', () => {
  const fresh: SlateShot[] = [{ start: 0, end: 3, words: 'New' }];
  expect(retaken([FOX, LOOK], fresh)).toEqual([
    { start: 0, end: 3, words: 'New' },
    { ...LOOK, start: 3 },
  ]);
});
