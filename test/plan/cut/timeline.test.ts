import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FrameRate } from '../../../src/model/media/cut.ts';
import { fractionOf, frameRate, perSecond, rateText } from '../../../src/model/media/cut.ts';
import { endOf, exactSeconds, framesOf, placeClips, secondsOf } from '../../../src/plan/cut/lay-out.ts';

const FILM: FrameRate = { frames: 24, seconds: 1 };
const RATES: readonly FrameRate[] = [
  FILM,
  { frames: 24_000, seconds: 1001 },
  { frames: 25, seconds: 1 },
  { frames: 30_000, seconds: 1001 },
  { frames: 60_000, seconds: 1001 },
  { frames: 15, seconds: 2 },
];

const cuts = (seconds: readonly number[], rate = FILM, dissolve = 0) =>
  placeClips(
    seconds.map((one, index) => ({ seconds: one, dissolve: index === 0 ? 0 : dissolve })),
    rate,
  );

describe('clips on a timeline', () => {
  test('follow each other without a gap', () => {
    expect(cuts([2, 4, 1.5])).toEqual([
      { at: 0, frames: 48, dissolve: 0 },
      { at: 48, frames: 96, dissolve: 0 },
      { at: 144, frames: 36, dissolve: 0 },
    ]);
  });

  test('overlap for as long as they dissolve, and the film is shorter by that', () => {
    const placed = cuts([2, 2, 2], FILM, 12);
    expect(placed).toEqual([
      { at: 0, frames: 48, dissolve: 0 },
      { at: 36, frames: 48, dissolve: 12 },
      { at: 72, frames: 48, dissolve: 12 },
    ]);
    expect(endOf(placed)).toBe(120);
  });

  test('a thousand of a third of a second end where their sum does: ends are rounded, not lengths', () => {
    const placed = cuts(Array.from({ length: 1_000 }, () => 1.34));
    expect(endOf(placed)).toBe(Math.round(1_340 * 24));
    expect(new Set(placed.map(({ frames }) => frames))).toEqual(new Set([32, 33]));
  });

  test('five seconds of 23.976 frames are 120 frames, five of 24 are 120, and an hour of each is not', () => {
    const slow: FrameRate = { frames: 24_000, seconds: 1001 };
    expect(framesOf(5, slow)).toBe(120);
    expect(framesOf(3_600, slow)).toBe(86_314);
    expect(framesOf(3_600, FILM)).toBe(86_400);
  });

  test('half a frame is a frame, whatever binary dust is on it', () => {
    expect(framesOf(0.1 + 0.2 - 0.05, { frames: 10, seconds: 1 })).toBe(3);
    expect(framesOf(2.5 / 24, FILM)).toBe(3);
  });

  test('a length told in milliseconds is the whole number of frames that it means', () => {
    expect(exactSeconds(5.042, FILM)).toBe(121 / 24);
    expect(exactSeconds(5.005, { frames: 24_000, seconds: 1001 })).toBe(5.005);
    expect(exactSeconds(5.02, FILM)).toBe(5.02);
    expect(exactSeconds(5.02, undefined)).toBe(5.02);
  });

  const length = fc.double({ min: 0.5, max: 20, noNaN: true });
  const clip = fc.record({ seconds: length, dissolve: fc.integer({ min: 0, max: 5 }) });
  const film = fc.record({
    clips: fc.array(clip, { minLength: 1, maxLength: 300 }),
    rate: fc.constantFrom(...RATES),
  });

  test('whatever is cut: no gap, dissolves as long as they were asked for, and the sum of all lengths to half a frame', () => {
    fc.assert(
      fc.property(film, ({ clips: drawn, rate }) => {
        const clips = drawn.map((one, index) => ({ ...one, dissolve: index === 0 ? 0 : Math.min(1, one.dissolve) }));
        const placed = placeClips(clips, rate);
        expect(placed[0]?.at).toBe(0);
        for (const [index, { at, dissolve }] of placed.entries()) {
          expect(dissolve).toBe(clips[index]!.dissolve);
          const before = placed[index - 1];
          if (before) expect(at).toBe(before.at + before.frames - dissolve);
        }
        const asked = clips.reduce((sum, { seconds }) => sum + seconds * perSecond(rate), 0);
        const shared = clips.reduce((sum, { dissolve }) => sum + dissolve, 0);
        expect(Math.abs(endOf(placed) - (asked - shared))).toBeLessThanOrEqual(0.5 + 1e-4);
        // Each clip is its own length, but for the rounding of its two ends.
        for (const [index, { frames }] of placed.entries())
          expect(Math.abs(frames - clips[index]!.seconds * perSecond(rate))).toBeLessThanOrEqual(1 + 1e-4);
      }),
      { numRuns: 200 },
    );
  });

  test('what is cut off at any place is as if it had been cut there', () => {
    fc.assert(
      fc.property(film, fc.nat(), ({ clips, rate }, place) => {
        const some = clips.slice(0, 1 + (place % clips.length)).map(({ seconds }) => ({ seconds, dissolve: 0 }));
        const all = clips.map(({ seconds }) => ({ seconds, dissolve: 0 }));
        expect(placeClips(all, rate).slice(0, some.length)).toEqual(placeClips(some, rate));
      }),
      { numRuns: 100 },
    );
  });
});

describe('frames a second', () => {
  test.each([
    [24, '24/1', '24'],
    [23.976, '24000/1001', '23.976'],
    [23.98, '24000/1001', '23.976'],
    [29.97, '30000/1001', '29.97'],
    [59.94, '60000/1001', '59.94'],
    [119.88, '120000/1001', '119.88'],
    [25, '25/1', '25'],
    [12.5, '25/2', '12.5'],
    [30.0001, '30/1', '30'],
  ])('%s are %s', (fps, fraction, text) => {
    const rate = frameRate(fps)!;
    expect(`${rate.frames}/${rate.seconds}`).toBe(fraction);
    expect(rateText(rate)).toBe(text);
  });

  test('of none there is no fraction', () => {
    expect([0, -1, Number.NaN, Number.POSITIVE_INFINITY].map(frameRate)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(fractionOf('30000/1001')).toEqual({ frames: 30_000, seconds: 1001 });
    expect(fractionOf('48/2')).toEqual({ frames: 24, seconds: 1 });
    expect(fractionOf('24/0')).toBeUndefined();
    expect(secondsOf(30_000, { frames: 30_000, seconds: 1001 })).toBe(1001);
  });
});
