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
  silence,
  soundOf,
  tone,
  wav,
} from './sounds.ts';

const folder = await workFolder();
const music = await wav(folder, 'music', [tone(10, 1000, 0.2)]);

/** A voice at 3000 Hz, so that both can be heard apart. */
const speech = (seconds: number) => tone(seconds, 3000, 0.2);

/** Decibels that the music is lowered by, in the 20 ms around a second. */
const lowered = (left: Float32Array, second: number): number =>
  decibels(amplitudeOf(between(left, second - 0.01, second + 0.01), 1000) / 0.2);

async function under(voice: Float32Array, { at = 48, duck = true, level = 0 } = {}) {
  const path = await wav(folder, 'voice', [voice]);
  const frames = Math.round((voice.length / 48_000) * 24);
  const { left } = await heard(
    heardCut(240, [
      await soundOf(music, { frames: 240, ...(duck && { duck: true as const }) }),
      await soundOf(path, { role: 'voice', at, frames, level }),
    ]),
  );
  return left;
}

describe('music under a voice', () => {
  test('is 12 dB lower from the first word to the last, down in 150 ms before and up in 600 ms after', async () => {
    const left = await under(speech(2));
    const table = [1, 1.84, 1.925, 2.01, 3, 3.98, 4.3, 4.62, 6].map(second => lowered(left, second));
    const wanted = [0, 0, -6, -12, -12, -12, -6, 0, 0];
    for (const [i, level] of table.entries()) expect(Math.abs(level - wanted[i]!)).toBeLessThan(0.3);
    // Without a corner that one would hear as a step.
    const steps = Array.from({ length: 100 }, (_, i) => lowered(left, 1.7 + i * 0.01));
    for (const [i, level] of steps.slice(1).entries()) expect(Math.abs(level - steps[i]!)).toBeLessThan(1.4);
  });

  test('follows when the voice speaks, not when its file begins', async () => {
    const left = await under(joined(silence(1), speech(1), silence(2)));
    expect(lowered(left, 2.5)).toBeCloseTo(0, 1);
    expect(lowered(left, 3.02)).toBeCloseTo(-12, 1);
    expect(lowered(left, 3.95)).toBeCloseTo(-12, 1);
    expect(lowered(left, 4.65)).toBeCloseTo(0, 1);
    expect(lowered(left, 5.5)).toBeCloseTo(0, 1);
  });

  test('stays down in a short pause, and comes back in a long one', async () => {
    const left = await under(joined(speech(1), silence(0.7), speech(1), silence(1.5), speech(0.5)));
    expect(lowered(left, 3.35)).toBeCloseTo(-12, 1);
    expect(lowered(left, 5.4)).toBeCloseTo(0, 1);
    expect(lowered(left, 6.3)).toBeCloseTo(-12, 1);
  });

  test('hears a quiet voice, and does not hear its room', async () => {
    const quiet = speech(1).map(it => it * 0.02);
    expect(lowered(await under(quiet), 2.5)).toBeCloseTo(-12, 1);
    const room = noise(4, 0.003);
    room.set(speech(1), 48_000);
    const left = await under(room);
    expect(lowered(left, 2.4)).toBeCloseTo(0, 0);
    expect(lowered(left, 3.5)).toBeCloseTo(-12, 0);
    expect(lowered(left, 5.5)).toBeCloseTo(0, 0);
  });

  test('stays as it is where it was not to give way', async () => {
    const left = await under(speech(2), { duck: false });
    expect(lowered(left, 3)).toBeCloseTo(0, 1);
  });

  test('two voices one after the other are one conversation', async () => {
    const path = await wav(folder, 'short voice', [speech(1)]);
    const { left } = await heard(
      heardCut(240, [
        await soundOf(music, { frames: 240, duck: true }),
        await soundOf(path, { role: 'voice', at: 48, frames: 24 }),
        await soundOf(path, { role: 'voice', at: 84, frames: 24 }),
        await soundOf(path, { role: 'voice', at: 90, frames: 24 }),
      ]),
    );
    for (const second of [2.5, 3.25, 3.6, 4.5]) expect(lowered(left, second)).toBeCloseTo(-12, 1);
    expect(lowered(left, 5.6)).toBeCloseTo(0, 1);
  });

  test('the sound of clips is not lowered', async () => {
    const path = await wav(folder, 'voice', [speech(2)]);
    const { left } = await heard(
      heardCut(240, [
        await soundOf(music, { role: 'clip', frames: 240 }),
        await soundOf(path, { role: 'voice', at: 48, frames: 48 }),
      ]),
    );
    expect(lowered(left, 3)).toBeCloseTo(0, 1);
  });
});
