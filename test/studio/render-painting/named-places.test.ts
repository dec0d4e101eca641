/** "Above Earth", "over Manhattan", "in a club": where a prompt says it is, it is. */
import { describe, expect, test } from 'vitest';
import { difference, painted, variety } from './painted.ts';
import { readAloud } from './read-aloud.ts';

describe('what is read', () => {
  test.each([
    ['an astronaut floats above Earth', 'orbit'],
    ['a space station over Mars, wide shot', 'orbit'],
    ['in orbit around the Earth, night', 'orbit'],
    ['地球上空，清晨', 'orbit'],
    ['over Manhattan at night', 'city-above'],
    ['a helicopter over Tokyo at dusk', 'city-above'],
    ['an aerial view of Paris', 'city-above'],
    ['俯瞰上海，夜', 'city-above'],
    ['in a club', 'club'],
    ['a woman dances in a night club', 'club'],
    ['inside a crowded club, people dance', 'club'],
    ['夜店里，人群跳舞', 'club'],
    ['in Manhattan, noon', 'city'],
    ['over the Pacific at sunset', 'ocean'],
    ['flying over the Sahara at noon', 'desert'],
    ['over the Alps at dawn', 'mountain'],
    ['a boat on the Thames at dawn', 'river'],
    ['An astronaut walks on the moon, earth rising', 'space'],
    ['the camera orbits a red car on a road', 'road'],
  ])('%s: %s', (prompt, place) => expect(readAloud(prompt, 2)[0]).toMatch(new RegExp(`\\| ${place}[,\\s]`)));

  test('a golf club is none to dance in', () =>
    expect(readAloud('at a golf club, noon', 2)[0]).not.toContain('| club'));
  test('a club is lit in neon, and an orbit has no camera in it', () =>
    expect([...readAloud('in a club', 2), ...readAloud('in orbit around the Earth', 2)]).toEqual([
      '0–2 wide, drift | club, neon, calm | nobody',
      '0–2 wide, drift | orbit, dawn, calm | nobody',
    ]));
});

describe('what is seen', () => {
  const over = (prompt: string) => painted({ prompt: `wide shot, static: ${prompt}` });

  test.each(['above Earth', 'over Manhattan at noon', 'over Manhattan at night', 'in a club'])('%s', prompt =>
    expect(variety(over(prompt))).toBeGreaterThan(8),
  );

  test('Earth has blue seas and Mars has none', () => {
    const blue = (prompt: string) => {
      const pixels = over(prompt);
      let count = 0;
      for (let i = 0; i < pixels.length; i += 4) if ((pixels[i + 2] ?? 0) > (pixels[i] ?? 0) + 40) count++;
      return count;
    };
    expect(blue('above Earth')).toBeGreaterThan(400);
    expect(blue('above Mars')).toBeLessThan(40);
  });

  test('the lamps of a club sweep', () =>
    expect(
      difference(
        painted({ prompt: 'static: in a club', progress: 0.2 }),
        painted({ prompt: 'static: in a club', progress: 0.9 }),
      ),
    ).toBeGreaterThan(1));
});
