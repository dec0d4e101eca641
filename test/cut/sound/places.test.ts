import { describe, expect, test } from 'vitest';
import { workFolder } from '../../support/temp.ts';
import {
  amplitudeOf,
  between,
  coded,
  decibels,
  heard,
  heardCut,
  joined,
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

/** Where frame n begins, in samples. */
const begins = (frame: number, rate = { frames: 24, seconds: 1 }) =>
  Math.round((frame * RATE * rate.seconds) / rate.frames);

describe('where a sound lies', () => {
  test('it begins and ends on the sample its frames say', async () => {
    const path = await wav(folder, 'tone', [tone(4, 1000, 0.5).map(Math.abs), tone(4, 1000, 0.5)]);
    const rate = { frames: 30_000, seconds: 1001 };
    const sound = await soundOf(path, { at: 7, frames: 31, in: 0.5, role: 'clip' });
    const { left } = await heard(heardCut(60, [sound], { rate }));
    expect(left.length).toBe(begins(60, rate));
    // A tone is silent where it crosses zero, and its ramp begins there.
    expect(Math.abs(onset(left, 1e-7) - begins(7, rate))).toBeLessThanOrEqual(1);
    expect(Math.abs(lastHeard(left, 1e-7) + 1 - begins(38, rate))).toBeLessThanOrEqual(1);
  });

  test('one plays from its place in the source, to the sample', async () => {
    const clicks = silence(6);
    for (const second of [1, 2.5, 4.75]) clicks[second * RATE] = 0.8;
    const path = await wav(folder, 'clicks', [clicks]);
    const sounds = [
      await soundOf(path, { at: 0, frames: 24, in: 0.5 }),
      await soundOf(path, { at: 24, frames: 24, in: 2.25 }),
      await soundOf(path, { at: 48, frames: 24, in: 4.5 }),
    ];
    const { left, right } = await heard(heardCut(72, sounds));
    const found = [...left.entries()].filter(([, it]) => Math.abs(it) > 0.5).map(([i]) => i / RATE);
    expect(found).toEqual([0.5, 1.25, 2.25]);
    expect(left).toEqual(right);
  });

  test.each([
    ['44.1 kHz', { codec: 'pcm_s16le', format: 's16', rate: 44_100 }, 'wav', 0.0001],
    ['8 kHz of one channel', { codec: 'pcm_s16le', format: 's16', rate: 8000, layout: 'mono' }, 'wav', 0.0002],
    ['AAC in MP4', { codec: 'aac', format: 'fltp' }, 'm4a', 0.0005],
    ['AAC at 44.1 kHz in MP4', { codec: 'aac', format: 'fltp', rate: 44_100 }, 'm4a', 0.0005],
    ['44.1 kHz of one channel', { codec: 'pcm_s16le', format: 's16', rate: 44_100, layout: 'mono' }, 'wav', 0.0002],
    [
      'AAC at 44.1 kHz of one channel in MP4',
      { codec: 'aac', format: 'fltp', rate: 44_100, layout: 'mono' },
      'm4a',
      0.0005,
    ],
    ['MP3', { codec: 'libmp3lame', format: 'fltp' }, 'mp3', 0.0005],
    [
      'MP3 at 44.1 kHz of one channel',
      { codec: 'libmp3lame', format: 'fltp', rate: 44_100, layout: 'mono' },
      'mp3',
      0.0005,
    ],
    ['FLAC', { codec: 'flac', format: 's16' }, 'flac', 0.0001],
    ['Opus in Matroska, whose clock counts milliseconds', { codec: 'libopus', format: 'flt' }, 'mkv', 0.001],
    ['AAC in an MPEG transport stream', { codec: 'aac', format: 'fltp' }, 'ts', 0.022],
  ])('a source of %s', async (name, coding, ending, tolerance) => {
    const burst = joined(silence(3), tone(0.5, 440, 0.5), silence(0.5), tone(1, 440, 0.5));
    const path = await wav(folder, `burst ${name.length}`, 'layout' in coding ? [burst] : [burst, burst]);
    const file = await coded(path, `${folder}/burst-${name.length}.${ending}`, coding);
    const { left } = await heard(heardCut(48, [await soundOf(file, { at: 6, frames: 42, in: 2.75 })]));
    const beginning = onset(left, 0.12) / RATE;
    expect(Math.abs(beginning - 0.5 - onset(tone(1, 440, 0.5), 0.12) / RATE)).toBeLessThan(tolerance);
    expect(rms(between(left, 1.05, 1.45))).toBeLessThan(0.002);
    expect(Math.abs(decibels(amplitudeOf(between(left, 1.6, 1.9), 440) / 0.5))).toBeLessThan(
      coding.codec === 'libmp3lame' ? 0.4 : 0.1,
    );
  });

  test.each([
    ['AAC in MP4', 'm4a', { codec: 'aac', format: 'fltp' }, 0.0001],
    ['MP3', 'mp3', { codec: 'libmp3lame', format: 'fltp' }, 0.0001],
    ['Opus in Matroska', 'mkv', { codec: 'libopus', format: 'flt' }, 0.0001],
    // Half a sample, which is what lies between two rates.
    ['FLAC at 44.1 kHz', 'flac', { codec: 'flac', format: 's16', rate: 44_100 }, 0.03],
  ])('what is heard from within %s is what is heard from its beginning', async (name, ending, coding, tolerance) => {
    const chord = tone(6, 311, 0.2).map((it, i) => it + 0.2 * Math.sin((2 * Math.PI * 1733 * i) / RATE));
    const path = await wav(folder, `chord ${ending}`, [chord, chord]);
    const file = await coded(path, `${folder}/chord-${ending}.${ending}`, coding);
    const whole = await heard(heardCut(144, [await soundOf(file, { frames: 144 })]));
    const within = await heard(heardCut(24, [await soundOf(file, { frames: 24, in: 4 })]));
    const compared = within.left.subarray(240, -300);
    const worst = peakOf(compared.map((it, i) => it - whole.left[4 * RATE + 240 + i]!));
    expect(worst, name).toBeLessThan(tolerance);
  });

  test('thirty shots of one file, far into it, are each at their place', async () => {
    const clicks = silence(40);
    for (let n = 0; n < 40; n++) clicks[n * RATE + 24_000] = 0.8;
    const path = await wav(folder, 'far', [clicks]);
    const file = await coded(path, `${folder}/far.m4a`, { codec: 'aac', format: 'fltp' });
    const sounds = await Promise.all(
      Array.from({ length: 30 }, (_, n) => soundOf(file, { role: 'clip', at: n * 6, frames: 6, in: 39.4 - n })),
    );
    const { left } = await heard(heardCut(180, sounds));
    for (let n = 0; n < 30; n++) {
      const shot = between(left, n * 0.25, n * 0.25 + 0.25);
      const peak = peakOf(shot);
      const loudest = shot.findIndex(it => Math.abs(it) === peak);
      expect(Math.abs(loudest - 0.1 * RATE)).toBeLessThanOrEqual(1);
    }
  });

  test('where a source is over, it is silent, and does not click', async () => {
    const path = await wav(folder, 'short', [tone(0.51, 100, 0.5).map(it => 0.5 + it * 0.1)]);
    const { left } = await heard(heardCut(24, [await soundOf(path)]));
    const last = Math.round(0.51 * RATE);
    expect(peakOf(left.subarray(last))).toBe(0);
    expect(Math.abs(left[last - 1]!)).toBeLessThan(0.01);
    expect(Math.abs(left[last - 300]!)).toBeGreaterThan(0.4);
  });
});

describe('channels', () => {
  const levelOf = async (name: string, channels: readonly Float32Array[]) => {
    const path = await wav(folder, name, channels);
    const { left, right } = await heard(heardCut(12, [await soundOf(path, { frames: 12 })]));
    const level = (side: Float32Array) => decibels(amplitudeOf(between(side, 0.1, 0.4), 1000) / 0.25 + 1e-9);
    return [level(left), level(right)] as const;
  };
  const on = (channel: number, of: number) =>
    Array.from({ length: of }, (_, i) => (i === channel ? tone(0.5) : silence(0.5)));

  test('one channel is as loud on both sides', async () => {
    const [left, right] = await levelOf('mono', [tone(0.5)]);
    expect(left).toBeCloseTo(0, 1);
    expect(right).toBeCloseTo(0, 1);
  });

  test.each([
    ['front left', 0, 0, -180],
    ['front right', 1, -180, 0],
    ['middle', 2, -3.01, -3.01],
    ['low effects', 3, -180, -180],
    ['surround left', 4, -3.01, -180],
    ['surround right', 5, -180, -3.01],
  ])('5.1: %s', async (name, channel, left, right) => {
    const [l, r] = await levelOf(name, on(channel, 6));
    if (left > -100) expect(l).toBeCloseTo(left, 1);
    else expect(l).toBeLessThan(-60);
    if (right > -100) expect(r).toBeCloseTo(right, 1);
    else expect(r).toBeLessThan(-60);
  });
});
