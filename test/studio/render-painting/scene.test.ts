import { describe, expect, test } from 'vitest';
import { brightness, difference, digest, painted, variety } from './painted.ts';

const FOX = 'wide shot, slow pan: a red fox crosses a frozen river at dawn, snow falling';

/** The same place with nobody in it. */
const EMPTY = {
  'wide shot': painted({ prompt: 'wide shot, static: fields at noon, sunny' }),
  'close-up': painted({ prompt: 'close-up, static: fields at noon, sunny' }),
};

describe('a scene', () => {
  test('is the same picture each time it is painted, and another one with another seed', () => {
    const once = painted({ prompt: FOX });
    expect(digest(painted({ prompt: FOX }))).toBe(digest(once));
    expect(difference(painted({ prompt: FOX, seed: '12' }), once)).toBeGreaterThan(2);
  });

  test('moves: the camera pans and the fox walks', () => {
    expect(
      difference(painted({ prompt: FOX, progress: 0.1 }), painted({ prompt: FOX, progress: 0.9 })),
    ).toBeGreaterThan(2);
  });

  test('a locked camera moves less than a pan', () => {
    const moved = (camera: string) => {
      const prompt = `wide shot, ${camera}: mountains at noon, sunny`;
      return difference(painted({ prompt, progress: 0 }), painted({ prompt, progress: 1 }));
    };
    expect(moved('static')).toBeLessThan(moved('pan right') / 2);
  });

  test.each([
    'river',
    'mountains',
    'forest',
    'coast',
    'ocean',
    'city',
    'desert',
    'field',
    'road',
    'glacier',
    'interior',
    'space',
    'underwater',
    'abstract',
  ])('there is something to see in %s', place =>
    expect(variety(painted({ prompt: `wide shot, ${place} at dawn` }))).toBeGreaterThan(8),
  );

  test.each([
    'a fox',
    'a wolf',
    'a dog',
    'a cat',
    'a deer',
    'a horse',
    'a bear',
    'a man in a coat',
    'a couple',
    'a crowd',
    'a robot',
    'birds',
    'a whale',
    'a red car',
    'a train',
    'a ship',
    'a lighthouse',
    'a house',
    'a bottle',
  ])('%s can be seen, wide and close', subject => {
    const seen = (size: 'wide shot' | 'close-up') =>
      difference(painted({ prompt: `${size}, static: ${subject} in the fields at noon, sunny` }), EMPTY[size]);
    expect(seen('wide shot')).toBeGreaterThan(0.08);
    expect(seen('close-up')).toBeGreaterThan(2);
  });

  test('night is darker than day, and snow is in the air', () => {
    const at = (words: string) => painted({ prompt: `wide shot of mountains, ${words}` });
    expect(brightness(at('night'))).toBeLessThan(brightness(at('noon, sunny')) * 0.6);
    expect(difference(at('noon, sunny, falling petals'), at('noon, sunny'))).toBeGreaterThan(0.05);
  });

  test('a face at night is still readable', () => {
    const pixels = painted({ prompt: 'close-up of a man, static: at night in a field' });
    const { width, height } = { width: 192, height: 108 };
    let brightest = 0;
    for (let y = Math.round(height * 0.3); y < height * 0.7; y++)
      for (let x = Math.round(width * 0.25); x < width * 0.75; x++)
        brightest = Math.max(brightest, pixels[(y * width + x) * 4 + 1] ?? 0);
    expect(brightest).toBeGreaterThan(110);
  });
});
