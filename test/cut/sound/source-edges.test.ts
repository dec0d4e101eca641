/** Sounds that lie at the edge of what there is, as they are heard in the film. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readAudio } from '../../../src/media/decode/decode.ts';
import { film as withTone } from '../../media/footage.ts';
import { workFolder } from '../../support/temp.ts';
import { cutOf, numbered, rendered, video } from '../cuts.ts';
import {
  amplitudeOf,
  between,
  coded,
  decibels,
  heard,
  heardCut,
  lastHeard,
  onset,
  peakOf,
  RATE,
  rms,
  silence,
  soundOf,
  tone,
  wav,
} from './sounds.ts';

const folder = await workFolder();

test('a clip without sound between two that have some: it alone is silent, to the sample', async () => {
  const loud = await withTone(join(folder, 'loud.mp4'), { width: 160, height: 90, frames: 48 });
  const mute = await numbered(folder, 'mute', { frames: 48 });
  const picture = await video(loud);
  const cut = cutOf(
    [
      { frames: 24, picture },
      { frames: 24, picture: await video(mute) },
      { frames: 24, picture },
    ],
    {
      codec: 'prores',
      sounds: [
        await soundOf(loud, { role: 'clip', frames: 24 }),
        await soundOf(mute, { role: 'clip', at: 24, frames: 24 }),
        await soundOf(loud, { role: 'clip', at: 48, frames: 24 }),
      ],
    },
  );
  const { left } = await readAudio(await rendered(cut, folder, 'mute-between'));
  expect(left.length).toBe(3 * RATE);
  expect(peakOf(between(left, 1.001, 1.999))).toBe(0);
  for (const from of [0.1, 2.1]) expect(rms(between(left, from, from + 0.8))).toBeCloseTo(0.3 / Math.SQRT2, 2);
});

test('5.1 as AAC: the middle is heard on both sides, and what is behind stays beside', async () => {
  const channels = [0, 0, 440, 0, 1000, 0].map(hertz => (hertz === 0 ? silence(1) : tone(1, hertz)));
  const source = await coded(await wav(folder, 'room', channels), join(folder, 'room.m4a'), {
    ...{ codec: 'aac', format: 'fltp', layout: '5.1', bitRate: 384_000 },
  });
  const { left, right } = await heard(heardCut(24, [await soundOf(source)]));
  const [l, r] = [between(left, 0.2, 0.8), between(right, 0.2, 0.8)];
  expect(decibels(amplitudeOf(l, 440) / amplitudeOf(r, 440))).toBeCloseTo(0, 0);
  expect(decibels(amplitudeOf(l, 440) / 0.25)).toBeCloseTo(-3, 0);
  expect(decibels(amplitudeOf(l, 1000) / amplitudeOf(r, 1000))).toBeGreaterThan(25);
});

describe('speeds at the ends', () => {
  test('slow: twice as long, at its pitch, and silent when the source is over', async () => {
    const source = await wav(folder, 'slow', [tone(1)]);
    const { left } = await heard(heardCut(48, [await soundOf(source, { in: 0.5, speed: 0.5, frames: 48 })]));
    expect(amplitudeOf(between(left, 0.2, 0.8), 1000)).toBeCloseTo(0.25, 1);
    expect(Math.abs(lastHeard(left, 0.01) / RATE - 1)).toBeLessThan(0.03);
    expect(peakOf(between(left, 1.05, 2))).toBeLessThan(1e-3);
  });

  test('fast, up to the last sample', async () => {
    const source = await wav(folder, 'fast', [tone(2)]);
    const { left } = await heard(heardCut(24, [await soundOf(source, { speed: 4, frames: 24 })]));
    expect(amplitudeOf(between(left, 0.1, 0.4), 1000)).toBeCloseTo(0.25, 1);
    expect(Math.abs(lastHeard(left, 0.01) / RATE - 0.5)).toBeLessThan(0.03);
  });

  test('of one frame: it is heard in that frame alone', async () => {
    const source = await wav(folder, 'frame', [tone(1)]);
    const { left } = await heard(heardCut(3, [await soundOf(source, { at: 1, frames: 1 })]));
    expect([onset(left), lastHeard(left)].map(at => Math.floor(at / (RATE / 24)))).toEqual([1, 1]);
    expect(rms(between(left, 1.2 / 24, 1.8 / 24))).toBeGreaterThan(0.1);
  });
});
