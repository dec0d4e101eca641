import { describe, expect, test } from 'vitest';
import { loudness } from '../../../src/studio/render/loudness.ts';
import { bed, envelope, fitted, RATE, type SoundShot } from '../../../src/studio/render/sound.ts';

const SHOTS: readonly SoundShot[] = [
  { start: 0, end: 1.5, time: 'dawn', place: 'river', weather: ['snow'], mood: 'calm' },
  { start: 1.5, end: 3, time: 'dawn', place: 'coast', weather: ['rain'], mood: 'calm' },
];
const tone = (seconds: number, level: number) => {
  const channel = Float32Array.from(
    { length: seconds * RATE },
    (_, i) => level * Math.sin((2 * Math.PI * 997 * i) / RATE),
  );
  return { left: channel, right: channel };
};
const peak = (channel: Float32Array) => channel.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);

describe('loudness', () => {
  test('of a full-scale 997 Hz tone on both sides is 0 LUFS (−3.01 each, BS.1770)', () => {
    expect(loudness(tone(3, 1))).toBeCloseTo(0, 1);
    expect(loudness(tone(3, 0.1))).toBeCloseTo(-20, 1);
  });
});

describe('the bed', () => {
  const made = bed({ duration: 3, shots: SHOTS, seed: '11' });
  test('is as long as the film, to the sample', () =>
    expect([made.left.length, made.right.length]).toEqual([3 * RATE, 3 * RATE]));
  test('is about −16 LUFS and never clips', () => {
    expect(Math.abs(loudness(made) + 16)).toBeLessThan(1.5);
    expect(Math.max(peak(made.left), peak(made.right))).toBeLessThan(0.9);
  });
  test('begins and ends in silence and has no click between', () => {
    expect([made.left[0], made.right.at(-1)].map(sample => Math.abs(sample ?? 1) < 1e-3)).toEqual([true, true]);
    let jump = 0;
    for (let i = 1; i < made.left.length; i++)
      jump = Math.max(jump, Math.abs((made.left[i] ?? 0) - (made.left[i - 1] ?? 0)));
    expect(jump).toBeLessThan(0.2);
  });
  test('is the same for the same seed, another for another', () => {
    expect(bed({ duration: 3, shots: SHOTS, seed: '11' })).toEqual(made);
    expect(bed({ duration: 3, shots: SHOTS, seed: '12' }).left).not.toEqual(made.left);
  });
});

test('the envelope follows the sound: 0 to 1', () => {
  const quietThenLoud = fitted(
    {
      left: Float32Array.from([...new Float32Array(RATE), ...tone(1, 0.5).left]),
      right: Float32Array.from([...new Float32Array(RATE), ...tone(1, 0.5).right]),
    },
    2,
  );
  expect([...envelope(quietThenLoud, 4)].map(level => Math.round(level * 10) / 10)).toEqual([0, 0, 1, 1]);
});

test('driving audio is cut or filled to the film', () => {
  expect(fitted(tone(3, 0.5), 2).left.length).toBe(2 * RATE);
  const filled = fitted(tone(1, 0.5), 2);
  expect([filled.left.length, filled.left[RATE + 5]]).toEqual([2 * RATE, 0]);
});
