import { describe, expect, test } from 'vitest';
import { loudnessOf } from '../../../src/media/cut/sound/film-sound.ts';
import { sampleQueue } from '../../../src/media/cut/sound/sample-stream.ts';
import { libav } from '../../../src/media/libav.ts';
import { workFolder } from '../../support/temp.ts';
import { rendered } from '../cuts.ts';
import {
  amplitudeOf,
  between,
  decibels,
  heard,
  heardCut,
  joined,
  measured,
  noise,
  peakOf,
  RATE,
  rms,
  silence,
  softNoise,
  soundOf,
  tone,
  wav,
} from './sounds.ts';

const folder = await workFolder();

const both = (samples: Float32Array): Float32Array =>
  Float32Array.from({ length: samples.length * 2 }, (_, i) => samples[i >> 1]!);

describe('the meter', () => {
  test.each([
    // EBU Tech 3341, cases 1 and 2, and the recommendation's own example of one channel.
    ['a tone of −23 dBFS on both sides', both(tone(5, 1000, 10 ** (-23 / 20))), -23],
    ['a tone of −33 dBFS on both sides', both(tone(5, 1000, 10 ** (-33 / 20))), -33],
    ['a tone of 0 dBFS on one side', both(tone(5, 997, 1)).map((it, i) => (i % 2 ? 0 : it)), -3.01],
    // Case 3: quiet parts do not count.
    [
      'quiet, loud, quiet',
      both(
        joined(tone(10, 1000, 10 ** (-36 / 20)), tone(20, 1000, 10 ** (-23 / 20)), tone(10, 1000, 10 ** (-36 / 20))),
      ),
      -23,
    ],
    ['silence', new Float32Array(2 * RATE), -70],
    ['a fifth of a second', both(tone(0.2, 1000, 0.1)), -20],
  ])('%s', async (_, samples, wanted) => {
    const queue = sampleQueue();
    queue.push(samples);
    const sound = { read: async (count: number) => queue.take(count), [Symbol.asyncDispose]: async () => {} };
    const { integrated, peak } = await loudnessOf(await libav(), sound);
    expect(Math.abs(integrated - wanted)).toBeLessThan(0.1);
    expect(Math.abs(peak - peakOf(samples))).toBeLessThan(0.001);
  });
});

describe('the loudness of a film', () => {
  test('a tone of 1 kHz at −16 LUFS is a tone of −16 dBFS', async () => {
    const path = await wav(folder, 'tone', [tone(4, 1000, 0.03)]);
    const cut = heardCut(96, [await soundOf(path, { frames: 96 })], { loudness: -16 });
    const { left } = await heard(cut);
    expect(decibels(amplitudeOf(between(left, 1, 3), 1000))).toBeCloseTo(-16, 1);
    expect((await measured(await rendered(cut, folder))).loudness).toBeCloseTo(-16, 1);
  });

  test.each([-23, -14])('words over music, brought to %d LUFS, in AAC', async loudness => {
    const music = await wav(folder, 'music', [softNoise(8, 0.1, 7)]);
    const words = joined(...Array.from({ length: 12 }, (_, i) => joined(softNoise(0.3, 0.5, i), silence(0.15))));
    const voice = await wav(folder, 'words', [words]);
    const sounds = [
      await soundOf(music, { frames: 192, duck: true, level: -6 }),
      await soundOf(voice, { role: 'voice', at: 24, frames: 120 }),
    ];
    const film = await rendered(heardCut(192, sounds, { loudness, codec: 'h264' }), folder);
    const { loudness: found, truePeak } = await measured(film);
    expect(Math.abs(found - loudness)).toBeLessThan(0.5);
    expect(truePeak).toBeLessThanOrEqual(-1);
  });

  test('peaks that would not fit are held down, and the loudness is still there', async () => {
    const beats = joined(
      ...Array.from({ length: 16 }, (_, i) => joined(softNoise(0.03, 0.9, i), softNoise(0.47, 0.05, i))),
    );
    const path = await wav(folder, 'beats', [beats]);
    const film = await rendered(
      heardCut(192, [await soundOf(path, { frames: 192 })], { loudness: -16, codec: 'h264' }),
      folder,
    );
    const { loudness, truePeak } = await measured(film);
    expect(Math.abs(loudness + 16)).toBeLessThan(0.5);
    expect(truePeak).toBeLessThanOrEqual(-1);
  });

  test('silence stays silence, and what is hardly there is raised by 20 dB and no more', async () => {
    const none = await wav(folder, 'none', [silence(2)]);
    const { left } = await heard(heardCut(48, [await soundOf(none, { frames: 48 })], { loudness: -16 }));
    expect(peakOf(left)).toBe(0);
    const hiss = await wav(folder, 'hiss', [noise(2, 0.001)]);
    const raised = await heard(heardCut(48, [await soundOf(hiss, { frames: 48 })], { loudness: -16 }));
    expect(decibels(rms(between(raised.left, 0.5, 1.5)) / rms(noise(1, 0.001)))).toBeCloseTo(20, 0);
  });

  test('a film of a tenth of a second has its loudness, too', async () => {
    const path = await wav(folder, 'tiny', [tone(0.5, 1000, 0.03)]);
    const { left } = await heard(heardCut(3, [await soundOf(path, { frames: 3 })], { loudness: -16 }));
    expect(decibels(amplitudeOf(between(left, 0.02, 0.1), 1000))).toBeCloseTo(-16, 0);
  });
});

describe('a film that is left as it was mixed', () => {
  test('is the mix, bit for bit, where nothing is too loud', async () => {
    const samples = tone(1, 700, 0.8);
    const path = await wav(folder, 'as it is', [samples, samples.map(it => -it / 3)]);
    const { left, right } = await heard(heardCut(24, [await soundOf(path)]));
    expect(left.subarray(0, -300)).toEqual(samples.subarray(0, -300));
    expect(right.subarray(0, -300)).toEqual(samples.subarray(0, -300).map(it => 0 - it / 3));
  });

  test('is not clipped, and what is not too loud in it stays as loud', async () => {
    const path = await wav(folder, 'loud', [joined(tone(1, 300, 0.4), tone(1, 300, 0.9), tone(2, 300, 0.4))]);
    const twice = await soundOf(path, { frames: 96 });
    const film = await rendered(heardCut(96, [twice, { ...twice, role: 'voice' }]), folder);
    const { left } = await heard(heardCut(96, [twice, { ...twice, role: 'voice' }]));
    expect((await measured(film)).truePeak).toBeLessThanOrEqual(-1);
    expect(amplitudeOf(between(left, 0.2, 0.9), 300)).toBeCloseTo(0.8, 2);
    expect(amplitudeOf(between(left, 2.8, 3.8), 300)).toBeCloseTo(0.8, 2);
    // Held down without being bent: what is there beside the tone is far below it.
    const held = between(left, 1.2, 1.8);
    const amplitude = amplitudeOf(held, 300);
    expect(decibels(amplitude)).toBeCloseTo(-1.45, 1);
    expect(decibels(amplitudeOf(held, 900) / amplitude)).toBeLessThan(-60);
  });
});

describe('peaks that are held down', () => {
  /** A quarter of the sampling rate, an eighth of a turn late: its samples are 3 dB lower than it is. */
  const hidden = Float32Array.from(
    { length: RATE },
    (_, i) => Math.min(1, i / 480, (RATE - i) / 480) * 1.2 * Math.sin((Math.PI / 2) * i + Math.PI / 4),
  );

  test('are also those between the samples', async () => {
    expect(decibels(peakOf(hidden))).toBeLessThan(-1.05);
    const path = await wav(folder, 'hidden', [hidden]);
    const { truePeak } = await measured(await rendered(heardCut(24, [await soundOf(path)]), folder));
    expect(truePeak).toBeLessThanOrEqual(-1);
    expect(truePeak).toBeGreaterThan(-1.6);
  });

  test.each([1, 2, 7, 61])('a film of %d frames is as long as before', async frames => {
    const path = await wav(folder, `loud ${frames}`, [noise(3, 1.5, 3)]);
    const { left } = await heard(heardCut(frames, [await soundOf(path, { frames })]));
    expect(left.length).toBe(frames * 2000);
    expect(peakOf(left)).toBeLessThanOrEqual(10 ** (-1 / 20));
  });
});
