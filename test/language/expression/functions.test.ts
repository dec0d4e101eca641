import { describe, expect, it } from 'vitest';
import { foreignFunction } from '../../../src/language/expression/functions/foreign-functions.ts';
import { signatures } from '../../../src/language/expression/functions/function.ts';
import { FUNCTIONS } from '../../../src/language/expression/functions/functions.ts';
import { ask } from './ask.ts';

describe('the table of functions', () => {
  it.each(FUNCTIONS.map(row => [row.name, row] as const))('%s: its example gives its answer', (_, { example }) => {
    expect(ask(example.code)).toMatchObject({ value: example.answer, failure: undefined });
  });

  it('has each name once, and a sentence that ends', () => {
    const names = FUNCTIONS.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
    for (const { description: says } of FUNCTIONS) expect(says).toMatch(/^[A-Z].*\.$/);
  });

  it('names none of what is told to be written otherwise', () => {
    expect(FUNCTIONS.filter(({ name }) => foreignFunction(name)).map(({ name }) => name)).toEqual([]);
  });

  it('how each is written, and the type of what it gives', () => {
    expect(FUNCTIONS.flatMap(signatures).join('\n')).toMatchInlineSnapshot(`
      "has(value.field) → true or false
      list.map(item, expression) → a list
      list.map(item, condition, expression) → a list
      list.filter(item, condition) → a list
      list.all(item, condition) → true or false
      list.exists(item, condition) → true or false
      list.exists_one(item, condition) → true or false
      list.sortBy(item, key) → a list
      cel.bind(name, value, expression) → what the expression gives
      text.contains(part) → true or false
      text.startsWith(beginning) → true or false
      text.endsWith(end) → true or false
      text.indexOf(part) → a whole number
      text.lastIndexOf(part) → a whole number
      text.substring(from) → a text
      text.substring(from, to) → a text
      text.replace(part, with) → a text
      text.split(separator) → a list of texts
      list.join() → a text
      list.join(separator) → a text
      text.trim() → a text
      text.lower() → a text
      text.upper() → a text
      slug(text) → a text
      size(list) → a whole number
      size(map) → a whole number
      size(text) → a whole number
      range(count) → a list of whole numbers
      range(from, to) → a list of whole numbers
      list.sort() → a list of anything
      list.reverse() → a list of anything
      list.distinct() → a list of anything
      list.flatten() → a list of anything
      list.slice(from, to) → a list of anything
      list.last() → anything
      list.sum() → a number
      round(number) → a whole number
      round(number, digits) → a number
      math.ceil(number) → a whole number
      math.floor(number) → a whole number
      math.abs(number) → a number
      math.greatest(number, …) → a number
      math.greatest(list) → a number
      math.least(number, …) → a number
      math.least(list) → a number
      string(text) → a text
      string(number) → a text
      string(bool) → a text
      int(number) → a whole number
      int(text) → a whole number
      double(number) → a number
      double(text) → a number
      bool(bool) → true or false
      bool(text) → true or false
      json(value) → a text
      video.frame_at(time) → the address of an image
      video.frame_at(seconds) → the address of an image"
    `);
  });
});

/**
 * What CEL has and is not offered, by the sections of its specification and its extensions. Each is a message that says what to write,
 * or why there is nothing to write.
 *
 * - `matches`: regular expressions of JavaScript go back over a text for hours.
 * - `type`, `dyn`: types are known before the run, and no field of a request holds one.
 * - `bytes`, `uint`, `duration`, `timestamp` and what reads their parts: JSON holds none of them. Lengths are seconds here, and an
 *   expression has no clock: a plan must be the same tomorrow.
 * - optional values (`.?`, `orValue`): `has(x) ? x : y` says the same.
 * - `upperAscii`, `lowerAscii`: they leave `é` as it is; a title would be set as `éTé`. `upper` and `lower` change all letters.
 * - `format`, `charAt`, `quote`: text stands around expressions; `substring`; `json`.
 * - `lists.range`, `math.round`: `range` and `round`, one spelling for each.
 * - `first`: `list[0]`.
 * - comprehensions with two variables: `range(size(list)).map(i, … list[i] …)`.
 */
describe('what is not offered', () => {
  it.each([
    [
      "'abc'.matches('a+')",
      '‹matches› `matches` is not offered: a pattern can take hours; use `contains`, `startsWith`, `endsWith` or `in`',
    ],
    ['type(1)', '‹type› `type` is not offered: a check knows every type before the run; take it out'],
    [
      "duration('90s')",
      '‹duration› `duration` is not offered: no field holds one; lengths are numbers of seconds here, like `steps.shot.media.duration`',
    ],
    [
      "timestamp('2026-01-01T00:00:00Z')",
      '‹timestamp› `timestamp` is not offered: no field holds one, and an expression has no clock, so that a plan is the same tomorrow; give the time as a param',
    ],
    ["bytes('a')", '‹bytes› `bytes` is not offered: no field holds bytes; name the file instead'],
    ["b'a'", "‹b'a'› `b'a'` is bytes, which no field can hold; write it without `b`"],
    ['1u', '‹1u› `1u` is an unsigned number, and numbers have no such kind here; write it without `u`'],
    ['uint(1)', '‹uint› there is no function `uint`; write `int(x)`'],
    ["'a'.upperAscii()", '‹upperAscii› there is no function `upperAscii`; write `upper()`'],
    [
      "'%d'.format([1])",
      '‹format› `format` is not offered: text goes around expressions: `take ${{ n }} of ${{ total }}`',
    ],
    ['lists.range(3)', '‹lists.range› there is no function `lists.range`; write `range(from, to)`'],
    ['math.round(1.5)', '‹math.round› there is no function `math.round`; write `round(x)`'],
    ['[1].first()', '‹first› there is no function `first`; write `list[0]`'],
    ['params.?idea', '‹.?› `.?` is written `has(x.y) ? x.y : z` here; change it'],
  ])('%s', (code, said) => {
    expect(ask(code)).toMatchObject({ type: said, value: undefined });
  });
});

describe('a function that is not there', () => {
  it.each([
    ['sze(params.words)', '‹sze› there is no function `sze`; did you mean `size(list)`, `size(map)` or `size(text)`?'],
    [
      "params.idea.startswith('a')",
      '‹startswith› there is no function `startswith`; did you mean `text.startsWith(beginning)`?',
    ],
    ['math.cel(1.5)', '‹math.cel› there is no function `math.cel`; did you mean `math.ceil(number)`?'],
    ['max(1, 2)', '‹max› there is no function `max`; write `math.greatest(…)`'],
    ['len(params.words)', '‹len› there is no function `len`; write `size(x)`'],
    ['params.idea.toUpperCase()', '‹toUpperCase› there is no function `toUpperCase`; write `upper()`'],
    ['toJSON(steps.c.json)', '‹toJSON› there is no function `toJSON`; write `json(x)`'],
    [
      'fromJSON(params.idea)',
      '‹fromJSON› `fromJSON` is not offered: what comes as JSON is read already: `steps.NAME.json.field`',
    ],
    [
      'failure()',
      '‹failure› `failure` is not offered: what follows a failed step is not run, and nothing else is stopped; take the condition out, or compare a value',
    ],
    ['shout(params.idea)', '‹shout› there is no function `shout`; check the name'],
    [
      "params.words.contains('a')",
      "‹params.words.contains('a')› `contains` does not take a list of texts and a text; for lists there is `value in list`",
    ],
    ["'a'.slug()", "‹slug› `slug` is called as a function; write `slug('a')`"],
    ['[1].map(n)', '‹map› `map` is written `list.map(name, expression)`; the name is yours, and stands for each item'],
  ])('%s', (code, said) => {
    expect(ask(code).type).toBe(said);
  });
});
