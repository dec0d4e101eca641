import { describe, expect, test } from 'vitest';
import { workFolder } from '../support/temp.ts';
import { cutOf, numbered, numbersIn, rendered, video } from './cuts.ts';

const folder = await workFolder();

const range = (from: number, length: number, step = 1) => Array.from({ length }, (_, i) => from + Math.floor(i * step));

describe('hard cuts', () => {
  test('every frame of the film is the frame of its source that is shown at that time', async () => {
    const one = await numbered(folder, 'one', { frames: 48 });
    const two = await numbered(folder, 'two', { frames: 30, from: 100 });
    const cut = cutOf([
      { frames: 10, picture: await video(one, { in: 1 }) },
      { frames: 7, picture: await video(two) },
      { frames: 5, picture: await video(one, { in: 5 / 24 }) },
    ]);
    expect(await numbersIn(await rendered(cut, folder))).toEqual([...range(24, 10), ...range(100, 7), ...range(5, 5)]);
  });

  test('a clip runs faster and slower', async () => {
    const source = await numbered(folder, 'speeds', { frames: 48 });
    const cut = cutOf([
      { frames: 10, picture: await video(source, { speed: 2 }) },
      { frames: 10, picture: await video(source, { in: 0.5, speed: 0.5 }) },
    ]);
    expect(await numbersIn(await rendered(cut, folder))).toEqual([...range(0, 10, 2), ...range(12, 10, 0.5)]);
  });

  test('sources of other rates show what is on the screen at that time', async () => {
    const fast = await numbered(folder, 'sixty', { frames: 60, fps: 60 });
    const ntsc = await numbered(folder, 'ntsc', { frames: 30, fps: 29.97 });
    const cut = cutOf([
      { frames: 12, picture: await video(fast) },
      { frames: 12, picture: await video(ntsc) },
    ]);
    expect(await numbersIn(await rendered(cut, folder))).toEqual([
      ...range(0, 12, 2.5),
      ...range(0, 12, 30000 / 1001 / 24),
    ]);
  });
});
