import { describe, expect, test } from 'vitest';
import { workFolder } from '../../support/temp.ts';
import {
  amplitudeOf,
  between,
  decibels,
  heard,
  heardCut,
  joined,
  noise,
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

describe('levels and fades', () => {
  test.each([0, -6, -18, -40, 6])('a sound %d dB louder', async level => {
    const path = await wav(folder, 'level', [tone(1)]);
    const { left } = await heard(heardCut(24, [await soundOf(path, { level })]));
    expect(decibels(amplitudeOf(between(left, 0.2, 0.8), 1000) / 0.25)).toBeCloseTo(level, 2);
  });

  test('sounds are added to one another', async () => {
    const one = await wav(folder, 'one', [tone(1, 1000, 0.2)]);
    const two = await wav(folder, 'two', [tone(1, 400, 0.1)]);
    const { left } = await heard(heardCut(24, [await soundOf(one), await soundOf(two, { role: 'voice' })]));
    expect(amplitudeOf(between(left, 0.2, 0.8), 1000)).toBeCloseTo(0.2, 4);
    expect(amplitudeOf(between(left, 0.2, 0.8), 400)).toBeCloseTo(0.1, 4);
  });

  test('a fade is a quarter of a sine, from its first frame to its last', async () => {
    const path = await wav(folder, 'fades', [silence(3).fill(0.5)]);
    const { left } = await heard(heardCut(72, [await soundOf(path, { frames: 72, fadeIn: 24, fadeOut: 12 })]));
    for (const share of [0.1, 0.25, 0.5, 0.75, 0.9]) {
      const wanted = 0.5 * Math.sin((share * Math.PI) / 2);
      expect(left[Math.round(share * RATE)]).toBeCloseTo(wanted, 3);
      expect(left[Math.round((3 - share / 2) * RATE)]).toBeCloseTo(wanted, 3);
    }
    expect(left[RATE + 10]).toBe(0.5);
    expect(left[2.5 * RATE - 10]).toBe(0.5);
  });

  test('a sound that is cut into rises within 5 ms, and any falls within 5 ms', async () => {
    const path = await wav(folder, 'steps', [silence(3).fill(0.5)]);
    const sounds = [
      await soundOf(path, { role: 'clip', at: 0, frames: 24 }),
      await soundOf(path, { role: 'music', at: 24, frames: 24 }),
    ];
    const { left } = await heard(heardCut(48, sounds));
    const steps = Array.from({ length: left.length - 1 }, (_, i) => Math.abs(left[i + 1]! - left[i]!));
    expect(left[240]).toBe(0.5);
    expect(left[239]).toBeLessThan(0.5);
    // The only step is the one that music begins with: it is as it was recorded.
    expect(steps.map((it, i) => ({ it, i })).filter(({ it }) => it > 0.01)).toMatchObject([{ i: RATE - 1 }]);
    expect(left[RATE - 240]).toBeLessThanOrEqual(0.5);
    expect(left[RATE - 1]).toBeLessThan(0.003);
  });

  test('a clip that goes on in the next shot is not touched where it was parted', async () => {
    const path = await wav(folder, 'parted', [silence(3).fill(0.5)]);
    const parts = [0, 24, 48].map(at => ({ role: 'clip', at, frames: 24, in: at / 24 }) as const);
    const sounds = await Promise.all(parts.map(part => soundOf(path, part)));
    const { left } = await heard(heardCut(72, sounds));
    const inside = left.subarray(300, left.length - 300);
    expect(inside.every(it => it === 0.5)).toBe(true);
    const other = await heard(heardCut(72, [sounds[0]!, { ...sounds[1]!, in: 1.5 }, sounds[2]!]));
    expect(Math.min(...other.left.subarray(RATE - 300, RATE + 300))).toBeLessThan(0.01);
  });
});

describe('a dissolve', () => {
  test('its two sounds have the same power together all along', async () => {
    const one = await wav(folder, 'noise one', [noise(3, 0.4, 1)]);
    const two = await wav(folder, 'noise two', [noise(3, 0.4, 99)]);
    const sounds = [
      await soundOf(one, { role: 'clip', at: 0, frames: 48, fadeOut: 24 }),
      await soundOf(two, { role: 'clip', at: 24, frames: 48, in: 0.5, fadeIn: 24 }),
    ];
    const { left } = await heard(heardCut(72, sounds));
    const alone = rms(between(left, 0.1, 0.9));
    for (let from = 1; from < 2; from += 0.1)
      expect(Math.abs(decibels(rms(between(left, from, from + 0.1)) / alone))).toBeLessThan(0.4);
    expect(Math.abs(decibels(rms(between(left, 1, 2)) / alone))).toBeLessThan(0.15);
  });

  test('each follows its own curve, on the same samples', async () => {
    const one = await wav(folder, 'tone one', [tone(3, 1000, 0.3)]);
    const two = await wav(folder, 'tone two', [tone(3, 400, 0.3)]);
    const sounds = [
      await soundOf(one, { role: 'clip', at: 0, frames: 48, fadeOut: 24 }),
      await soundOf(two, { role: 'clip', at: 24, frames: 48, fadeIn: 24 }),
    ];
    const { left } = await heard(heardCut(72, sounds));
    for (const share of [0.2, 0.5, 0.8]) {
      const there = between(left, 1 + share - 0.025, 1 + share + 0.025);
      expect(amplitudeOf(there, 1000)).toBeCloseTo(0.3 * Math.cos((share * Math.PI) / 2), 2);
      expect(amplitudeOf(there, 400)).toBeCloseTo(0.3 * Math.sin((share * Math.PI) / 2), 2);
    }
  });
});

describe('speed', () => {
  test.each([0.5, 2, 0.25, 3, 1.1])('at %d times its speed, pitch is kept', async speed => {
    const source = joined(tone(2, 440, 0.3), tone(4, 660, 0.3));
    const path = await wav(folder, 'speed', [source]);
    // The tone changes two seconds into the source.
    const at = Math.min(2 / speed, 3);
    const start = 2 - at * speed;
    const sound = await soundOf(path, { role: 'clip', frames: Math.floor(24 * at) + 18, in: start, speed });
    const { left } = await heard(heardCut(120, [sound]));
    const before = between(left, at - 0.35, at - 0.1);
    const after = between(left, at + 0.1, at + 0.35);
    expect(frequencyOf(before)).toBeCloseTo(440, -1);
    expect(frequencyOf(after)).toBeCloseTo(660, -1);
    expect(Math.abs(decibels(rms(before) / (0.3 * Math.SQRT1_2)))).toBeLessThan(0.6);
  });

  test('what happens in it happens within a frame of where the picture shows it', async () => {
    const clicks = tone(6, 200, 0.02);
    for (const second of [1, 2, 3, 4]) clicks.set(tone(0.004, 3000, 0.8), second * RATE);
    const path = await wav(folder, 'speed clicks', [clicks]);
    const { left } = await heard(heardCut(240, [await soundOf(path, { frames: 240, speed: 0.5, in: 0.5 })]));
    for (const second of [1, 2, 3, 4]) {
      const wanted = (second - 0.5) * 2;
      const found = wanted - 0.1 + onset(between(left, wanted - 0.1, wanted + 0.1), 0.2) / RATE;
      expect(Math.abs(found - wanted)).toBeLessThan(1 / 24);
    }
  });
});

describe('music that goes round', () => {
  test('begins again on the next sample, as often as it is needed', async () => {
    // Whole turns of a tone: what was made to go round.
    const path = await wav(folder, 'round', [tone(0.25, 400, 0.4)]);
    const { left } = await heard(heardCut(72, [await soundOf(path, { frames: 72, loop: true })]));
    const wanted = tone(3, 400, 0.4);
    const worst = peakOf(left.subarray(0, -300).map((it, i) => it - wanted[i]!));
    expect(worst).toBeLessThan(0.003);
  });

  test('comes round to the place it was begun at', async () => {
    const path = await wav(folder, 'from within', [joined(silence(1), silence(0.5).fill(0.4), silence(0.5).fill(0.2))]);
    const { left } = await heard(heardCut(48, [await soundOf(path, { frames: 48, in: 1, loop: true })]));
    for (const second of [0.25, 1.25]) expect(left[second * RATE]).toBeCloseTo(0.4, 5);
    for (const second of [0.75, 1.75]) expect(left[second * RATE]).toBeCloseTo(0.2, 5);
  });

  test('does not click where its ends do not meet', async () => {
    const path = await wav(folder, 'unmet', [
      Float32Array.from({ length: RATE / 2 }, (_, i) => (i / RATE) * 1.6 - 0.4),
    ]);
    const { left } = await heard(heardCut(48, [await soundOf(path, { frames: 48, loop: true })]));
    const inside = left.subarray(10, -300);
    const steps = Array.from({ length: inside.length - 1 }, (_, i) => Math.abs(inside[i + 1]! - inside[i]!));
    expect(Math.max(...steps)).toBeLessThan(0.01);
    expect(left[RATE / 2 + 300]).toBeCloseTo((300 / RATE) * 1.6 - 0.4, 4);
  });

  test('longer than is kept, it is decoded again', async () => {
    const path = await wav(folder, 'long', [joined(silence(10).fill(0.1), silence(2).fill(0.3))], RATE);
    const { left } = await heard(heardCut(24 * 25, [await soundOf(path, { frames: 24 * 25, loop: true })]));
    expect([5, 11, 17, 23, 24.5].map(second => Number(left[second * RATE]!.toFixed(3)))).toEqual([
      0.1, 0.3, 0.1, 0.3, 0.1,
    ]);
  });
});

function frequencyOf(samples: Float32Array): number {
  let best = 0;
  let most = 0;
  for (let hertz = 100; hertz <= 1500; hertz += 5) {
    const amplitude = amplitudeOf(samples, hertz);
    if (amplitude > most) [best, most] = [hertz, amplitude];
  }
  return best;
}
