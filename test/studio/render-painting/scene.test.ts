import { describe, expect, test } from 'vitest';
import { brightness, castAt, difference, digest, painted, variety } from './painted.ts';

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

  test.each(
    'river, mountains, forest, coast, ocean, city, desert, field, road, glacier, interior, space, underwater, abstract'.split(
      ', ',
    ),
  )('there is something to see in %s', place =>
    expect(variety(painted({ prompt: `wide shot, ${place} at dawn` }))).toBeGreaterThan(8),
  );

  test.each(
    'a fox, a wolf, a dog, a cat, a deer, a horse, a bear, a panda, a lion, a tiger, a leopard, a camel, an elephant, a rabbit, a cow, a dinosaur, a butterfly, a rose, a bicycle, a hot air balloon, an airplane, a rocket, a man in a coat, a couple, a crowd, a robot, birds, a whale, a red car, a train, a ship, a lighthouse, a house, a bottle'.split(
      ', ',
    ),
  )('%s can be seen, wide and close', subject => {
    const seen = (size: 'wide shot' | 'close-up') =>
      difference(painted({ prompt: `${size}, static: ${subject} in the fields at noon, sunny` }), EMPTY[size]);
    expect(seen('wide shot')).toBeGreaterThan(0.08);
    expect(seen('close-up')).toBeGreaterThan(2);
  });

  test.each([
    ['the northern lights', 'mountains at night'],
    ['fireworks', 'a city at night'],
    ['a rainbow', 'mountains at noon, sunny'],
    ['a waterfall', 'a forest at noon, sunny'],
    ['bamboo', 'a forest at noon, sunny'],
    ['a jungle', 'a forest at noon, sunny'],
    ['a beach', 'a coast at noon, sunny'],
    ['a city skyline', 'a coast at noon, sunny'],
    ['a savanna', 'fields at noon, sunny'],
    ['mars', 'a desert at noon, sunny'],
    ['flying a kite', 'a child in the fields, wide shot, at noon, sunny'],
    ['with an umbrella', 'a man in the fields, at noon, sunny'],
    ['with a cup of coffee', 'a man in a room, at noon, sunny'],
    ['a chef', 'a man in a room, at noon, sunny'],
    ['a castle', 'a house in the fields at noon, sunny'],
    ['asleep', 'a cat in a room, at noon, sunny'],
    ['a herd', 'a camel in the fields at noon, sunny'],
    ['a campfire', 'wide shot of a forest at night'],
    ['palm trees', 'a beach at noon, sunny'],
    ['a village', 'fields at noon, sunny'],
    ['a library', 'a room at noon, sunny'],
    ['a steam engine', 'a train in the fields at noon, sunny'],
    ['a dragon', 'birds in the fields at noon, sunny'],
    ['an eagle', 'birds in the fields at noon, sunny'],
    ['a perfume bottle', 'a bottle in a studio, at noon, sunny'],
    ['a clock', 'a bottle in a room, at noon, sunny'],
  ])('%s is seen', (extra, rest) => {
    const [plain, named] = [painted({ prompt: `static: ${rest}` }), painted({ prompt: `static: ${rest}, ${extra}` })];
    expect(difference(plain, named)).toBeGreaterThan(0.3);
  });

  test('two prompts that nothing is understood of are two pictures, and a colour they name is theirs', () => {
    const [one, other] = [painted({ prompt: 'abstract happiness' }), painted({ prompt: 'abstract xyzzy' })];
    expect(difference(one, other)).toBeGreaterThan(8);
    const tint = (colour: string) => {
      const pixels = painted({ prompt: `abstract shapes, ${colour}` });
      const mean = (channel: number) => pixels.reduce((sum, v, i) => (i % 4 === channel ? sum + v : sum), 0);
      return mean(0) / mean(2);
    };
    expect(tint('red')).toBeGreaterThan(tint('blue') * 1.3);
  });

  test.each([
    ['a fox', 96, 54],
    ['a fox', 72, 72],
    ['a fox', 54, 96],
    ['an elephant', 54, 96],
    ['a herd of cows', 96, 54],
    ['a herd of cows', 54, 96],
    ['a couple', 54, 96],
  ])('%s is whole in a frame of %i×%i from the first moment of a shot to its last', (who, width, height) => {
    for (const size of who === 'a couple' ? ['wide shot'] : ['wide shot', 'medium shot'])
      for (const camera of ['static', 'pan left', 'push in', 'tracking']) {
        const prompt = `${size}, ${camera}: ${who} in the fields at noon`;
        for (const { left, right } of castAt(prompt, { width, height }, [0, 1])) {
          expect(left, prompt).toBeGreaterThanOrEqual(-0.02);
          expect(right, prompt).toBeLessThanOrEqual(1.02);
        }
      }
  });

  test('a subject moves to the right with every seed', () => {
    for (const who of ['a fox', 'a man in a coat'])
      for (const seed of ['1', '2', '3', '4', '5', '6', '7', '8']) {
        const prompt = `wide shot, static: ${who} walks through the fields`;
        const [before, after] = castAt(prompt, { width: 96, height: 54 }, [0, 1], seed);
        expect(after?.left, `${who}, seed ${seed}`).toBeGreaterThan(before?.left ?? 1);
      }
  });

  test('nobody stands in the sea: who is at the coast has sand under the feet', () => {
    const under = (prompt: string) => {
      const pixels = painted({ prompt });
      const at = (98 * 192 + 20) * 4;
      return (pixels[at] ?? 0) - (pixels[at + 2] ?? 0);
    };
    expect(under('wide shot, static: a dog at the coast, noon, sunny')).toBeGreaterThan(
      under('wide shot, static: a ship at the coast, noon, sunny') + 12,
    );
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
