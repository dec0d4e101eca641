/** Nouns that nobody draws by hand are shown as their glyph; what is drawn stays drawn, and what has no shape gets none. */
import { expect, test } from 'vitest';
import table from '../../../src/studio/animatic/prompt/data/glyphs.json' with { type: 'json' };
import { glyphIn } from '../../../src/studio/animatic/prompt/glyphs.ts';
import { difference, digest, painted } from './painted.ts';
import { readAloud } from './read-aloud.ts';

test.each([
  ['a kangaroo in the outback at noon', '0–2 wide, drift | field, day, calm | 🦘 kangaroo stands, brown'],
  ['penguins on the ice at dawn', '0–2 wide, drift | snowfield in winter, dawn, calm | 🐧 penguins stands, black'],
  ['a red trumpet at night', '0–2 medium, drift | interior, night, calm | 🎺 trumpet stands, red'],
  ['a helicopter over a city at dusk', '0–2 wide, drift | city, dusk, calm | 🚁 helicopter stands, gr[ea]y | skyline'],
  ['一只企鹅，清晨', '0–2 wide, drift | snowfield, dawn, calm | 🐧 penguin stands, black'],
  ['a sunflower at noon', '0–2 medium, drift | field, day, calm | flower stands'],
  [
    'a girl with a guitar on a beach at noon',
    '0–2 medium, drift | coast, day, calm | person stands, woman, child | beach',
  ],
])('%s', (prompt, heard) => expect(readAloud(prompt, 2)).toEqual([heard]));

test.each(['love', 'time passes', 'light as a feather', 'lemon yellow waves', 'from the roots to its crown'])(
  'no glyph stands for "%s"',
  words => expect(glyphIn(words)).toBeUndefined(),
);

test('every glyph of the table can be drawn: the font has it, and it is seen', () => {
  const seen = ['a kangaroo', 'a trumpet', 'an octopus', 'a helicopter', 'a canoe', 'a satellite', 'an umbrella'];
  const empty = painted({ prompt: 'wide shot, static: fields at noon, sunny' });
  for (const noun of seen) {
    const prompt = `wide shot, static: ${noun} in the fields at noon, sunny`;
    expect(difference(painted({ prompt }), empty), noun).toBeGreaterThan(0.2);
    expect(digest(painted({ prompt }))).toBe(digest(painted({ prompt })));
  }
});

test('no word stands in the table twice', () => {
  const words = Object.values(table).flatMap(group => Object.values(group).flatMap(row => row.split('|')));
  expect(words.filter((word, i) => words.indexOf(word) !== i)).toEqual([]);
});
