/**
 * Numbers, against what the specification says (langdef.md, "Numeric Values", "Equality", "Ordering", "Type Conversions" and the list of
 * standard definitions), in cases of our own. `steps.c.json.…` is of no known type, as what stands in `dyn(…)` there.
 *
 * Where this language goes its own way:
 * - A whole number and one with fractions may be mixed in `+ - * /`, and meet in a list or a condition: authors write `duration / 2`.
 * - `round`, `math.ceil` and `math.floor` give whole numbers: fields take those.
 * - What is declared with fractions is divided with fractions, though JSON writes 5.0 as 5.
 */
import { describe, it } from 'vitest';
import { gives, refuses } from './ask.ts';

const INT = 'a whole number';
const DOUBLE = 'a number';
const BOOL = 'true or false';
const TEXT = 'a text';
const TOO_BIG =
  'a whole number, run: ‹all› the whole number does not fit in 64 bits; use a number with fractions, like `2.0`';

describe('literals', () => {
  it('of whole numbers, hexadecimal ones, and the ends of 64 bits', () => {
    gives([
      ['0', INT, 0],
      ['42', INT, 42],
      ['0x55555555', INT, 1431655765],
      ['-0xFf', INT, -255],
      ['string(9223372036854775807)', TEXT, '9223372036854775807'],
      ['string(-9223372036854775808)', TEXT, '-9223372036854775808'],
      ['--------19', INT, 19],
      ['---19', INT, -19],
    ]);
    refuses([
      ['9223372036854775808', 'check: ‹all› `9223372036854775808` is no number of 64 bits; check it'],
      ['12abc', 'check: ‹all› `12abc` is no number of 64 bits; check it'],
    ]);
  });

  it('of numbers with fractions and exponents', () => {
    gives([
      ['0.0', DOUBLE, 0],
      ['-2.3e+1', DOUBLE, -23],
      ['6e-1', DOUBLE, 0.6],
      ['.5', DOUBLE, 0.5],
      ['1e3', DOUBLE, 1000],
    ]);
    refuses([['1e999', 'check: ‹all› `1e999` is no number of 64 bits; check it']]);
  });
});

describe('arithmetic', () => {
  it('of whole numbers: division cuts towards zero, a remainder has the sign of what is divided', () => {
    gives([
      ['40 + 2', INT, 42],
      ['42 - -7', INT, 49],
      ['-7 * 6', INT, -42],
      ['7 / 2', INT, 3],
      ['-7 / 2', INT, -3],
      ['7 % 3', INT, 1],
      ['-7 % 3', INT, -1],
      ['7 % -3', INT, 1],
      ['2 + 3 * 4', INT, 14],
      ['(2 + 3) * 4', INT, 20],
      ['10 - 3 - 2', INT, 5],
      ['100 / 10 / 5', INT, 2],
      ['-params.count', INT, -3],
    ]);
  });

  it('that goes beyond 64 bits, or divides by zero', () => {
    refuses([
      ['9223372036854775807 + 1', TOO_BIG],
      ['-9223372036854775808 - 1', TOO_BIG],
      ['5000000000 * 5000000000', TOO_BIG],
      ['-9223372036854775808 / -1', TOO_BIG],
      ['-(-9223372036854775808)', TOO_BIG],
      ['1 + 1 / 0', 'a whole number, run: ‹1 / 0› `1 / 0`: division by zero'],
      ['1 + 57 % 0', 'a whole number, run: ‹57 % 0› `57 % 0`: division by zero'],
    ]);
  });

  it('of numbers with fractions, and of the two mixed', () => {
    gives([
      ['4.25 + 15.25', DOUBLE, 19.5],
      ['40.75 * -2.25', DOUBLE, -91.6875],
      ['-8.875 / -0.0625', DOUBLE, 142],
      ['1 + 0.5', DOUBLE, 1.5],
      ['0.5 + 1', DOUBLE, 1.5],
      ['5 / 2.0', DOUBLE, 2.5],
      ['2 * 1.5 - 1', DOUBLE, 2],
      ['steps.shot.media.duration / 2', DOUBLE, 2.5],
      ['params.speed / 2', DOUBLE, 2.5],
      ['params.count / 2', INT, 1],
      ['15.75 / 0.0 > 1.0', BOOL, true],
    ]);
    refuses([
      [
        '47.5 % 5.5',
        'check: ‹all› `%` does not work between a number and a number; give it two whole numbers, with `int(…)` around what is none',
      ],
      [
        'steps.c.json.half % 2',
        'a whole number, run: ‹all› `%` does not work between a number and a whole number; convert one of them',
      ],
      [
        '1.0 / 0.0',
        'a number, run: ‹all› `1.0 / 0.0` gave a number without end, or none at all (a division by zero?); check what it reads',
      ],
    ]);
  });

  it('a column with fractions is halved as such, also where a row of it is whole', () => {
    gives([
      ['data.scenes.map(s, s.seconds / 2)', 'a list of numbers', [1.5, 1.25]],
      ['data.scenes.map(s, (s.seconds + 1) / 2)', 'a list of numbers', [2, 1.75]],
      ['params.speeds.map(s, s / 2)', 'a list of numbers', [0.5, 1.25]],
      ['steps.many.map(s, s.media.duration / 3)', 'a list of numbers', [4 / 3, 8 / 3]],
      // Of no known type: as it looks.
      ['steps.c.json.beats.map(b, b.seconds / 2)', 'a list of anything', [2, 1.25]],
    ]);
  });

  it('of what has no known type', () => {
    gives([
      ['steps.c.json.one + 1', 'anything', 2],
      ['steps.c.json.one + 1.5', DOUBLE, 2.5],
      ['steps.c.json.half * 2', 'anything', 1],
      ['-steps.c.json.one', 'anything', -1],
      ['steps.c.json.big / 2.0', DOUBLE, 2 ** 59],
    ]);
    refuses([
      [
        'steps.c.json.text - 1',
        'anything, run: ‹all› `-` does not work between a text and a whole number; convert one of them',
      ],
      ['-steps.c.json.text', 'anything, run: ‹all› `-` does not work on a text; change it'],
      [
        '1 + steps.c.json.nothing',
        'anything, run: ‹all› `+` does not work between a whole number and nothing; convert one of them',
      ],
    ]);
  });

  it('on what is no number is found by the check', () => {
    refuses([
      ['params.idea - 1', 'check: ‹all› `-` does not work between a text and a whole number; convert one of them'],
      ['true * 2', 'check: ‹all› `*` does not work between true or false and a whole number; convert one of them'],
      [
        'params.count + params.idea',
        'check: ‹all› `+` does not work between a whole number and a text; write `string(params.count)`',
      ],
      ['-params.idea', 'check: ‹all› `-` does not work on a text; change it'],
      [
        '[1] + 1',
        'check: ‹all› `+` does not work between a list of whole numbers and a whole number; convert one of them',
      ],
      // Both mistakes at once.
      [
        '(params.idea - 1) + (true * 2)',
        'check: ‹(params.idea - 1)› `-` does not work between a text and a whole number; convert one of them\n‹(true * 2)› `*` does not work between true or false and a whole number; convert one of them',
      ],
    ]);
  });
});

describe('comparisons', () => {
  it('of numbers by what they are worth, whatever their type', () => {
    gives([
      ['1 == 1.0', BOOL, true],
      ['steps.c.json.one == 1.0', BOOL, true],
      ['2 < 2.5', BOOL, true],
      ['2.5 <= 2', BOOL, false],
      ['9007199254740993 == 9007199254740992.0', BOOL, false],
      ['9007199254740993 > 9007199254740992.0', BOOL, true],
      ['9223372036854775807 < 9223372036854775808.0', BOOL, true],
      ['-0.0 == 0.0', BOOL, true],
      ['1 != 2', BOOL, true],
    ]);
  });

  it('what is no number is neither equal to anything nor before it', () => {
    gives(
      ['==', '<', '<=', '>', '>='].flatMap(operator => [
        [`0.0 / 0.0 ${operator} 0.0 / 0.0`, BOOL, false],
        [`1 ${operator} 0.0 / 0.0`, BOOL, false],
        [`0.0 / 0.0 ${operator} 1`, BOOL, false],
      ]),
    );
    gives([['0.0 / 0.0 != 0.0 / 0.0', BOOL, true]]);
  });

  it('of different types: equal to none of them, and without an order', () => {
    gives([
      ["steps.c.json.one == 'a'", BOOL, false],
      ['steps.c.json.one != true', BOOL, true],
      ['steps.c.json.nothing == null', BOOL, true],
      ['steps.c.json.zero == null', BOOL, false],
      ['params.idea == null', BOOL, false],
      ['steps.c.json.list == [1, 2.0, 3]', BOOL, true],
      ['false < true', BOOL, true],
    ]);
    refuses([
      ["1 == 'a'", 'check: ‹all› `==` does not work between a whole number and a text; convert one of them'],
      ['params.idea < 1', 'check: ‹all› `<` does not work between a text and a whole number; convert one of them'],
      [
        '[1] < [2]',
        'check: ‹all› `<` does not work between a list of whole numbers and a list of whole numbers; convert one of them',
      ],
      ['null < 1', 'check: ‹all› `<` does not work between nothing and a whole number; convert one of them'],
      [
        "steps.c.json.one < 'a'",
        'true or false, run: ‹all› `<` does not work between a whole number and a text; convert one of them',
      ],
      [
        'steps.c.json.nothing < 1',
        'true or false, run: ‹all› `<` does not work between nothing and a whole number; convert one of them',
      ],
    ]);
  });
});

describe('functions of numbers', () => {
  it('that round', () => {
    gives([
      ['round(2.5)', INT, 3],
      ['round(-2.5)', INT, -3],
      ['round(0.49999999999999994)', INT, 0],
      ['round(7)', INT, 7],
      ['round(1.005, 2)', DOUBLE, 1.01],
      ['round(-1.25, 1)', DOUBLE, -1.3],
      ['round(12, 2)', DOUBLE, 12],
      ['math.ceil(4.2)', INT, 5],
      ['math.ceil(-4.2)', INT, -4],
      ['math.floor(-4.2)', INT, -5],
      ['math.ceil(steps.shot.media.duration / 2)', INT, 3],
    ]);
    refuses([
      ['round(1e30)', TOO_BIG],
      ['round(0.0 / 0.0)', TOO_BIG],
      ['round(1.5, 99)', 'a number, run: ‹all› a number is rounded to 0 to 15 digits, not 99; change it'],
      [
        "round('2')",
        'check: ‹all› `round` does not take a text; it is written `round(number)` or `round(number, digits)`',
      ],
    ]);
  });

  it('that choose, and the one without a sign', () => {
    gives([
      ['math.greatest(1, 5, 3)', INT, 5],
      ['math.greatest(1, 5.5)', DOUBLE, 5.5],
      ['math.least([3, 1, 2])', INT, 1],
      ['math.least(steps.c.json.list)', 'anything', 1],
      ['math.greatest(2)', INT, 2],
      ['math.abs(-3)', INT, 3],
      ['math.abs(-3.5)', DOUBLE, 3.5],
      ['[1, 2, 3].sum()', INT, 6],
      ['[1, 2.5].sum()', DOUBLE, 3.5],
      ['steps.many.map(s, s.media.duration).sum()', DOUBLE, 12],
      ['[].sum()', 'anything', 0],
    ]);
    refuses([
      [
        'math.greatest([])',
        'anything, run: ‹all› `math.greatest` of an empty list has no value; ask `size(list) > 0` first',
      ],
      [
        'math.least(steps.c.json.mixed)',
        'anything, run: ‹all› `math.least` takes numbers; give it some with `.map(x, …)`',
      ],
      ['math.abs(-9223372036854775808)', TOO_BIG],
      [
        "math.greatest(1, 'a')",
        'check: ‹all› `math.greatest` does not take a whole number and a text; it is written `math.greatest(number, …)` or `math.greatest(list)`',
      ],
      ['params.words.sum()', 'check: ‹all› `sum` does not take a list of texts; it is written `list.sum()`'],
    ]);
  });
});

describe('conversions', () => {
  it('to whole numbers', () => {
    gives([
      ['int(1.9)', INT, 1],
      ['int(-7.9)', INT, -7],
      ["int('987')", INT, 987],
      ["int('-0042')", INT, -42],
      ['int(double(36028797018963969)) == 36028797018963968', BOOL, true],
      ['int(params.count)', INT, 3],
    ]);
    refuses([
      ['int(9223372036854775807.0)', TOO_BIG],
      ['int(-9223372036854775808.0)', TOO_BIG],
      ["int('9223372036854775808')", TOO_BIG],
      ["int('4.5')", 'a whole number, run: ‹all› `4.5` is no whole number; write digits alone'],
      ["int('')", 'a whole number, run: ‹all› an empty text is no whole number; write digits alone'],
      ['int(true)', 'check: ‹all› `int` does not take true or false; it is written `int(number)` or `int(text)`'],
      [
        'int(steps.c.json.list)',
        'a whole number, run: ‹all› `int` does not take a list; it is written `int(number)` or `int(text)`',
      ],
    ]);
  });

  it('to numbers with fractions', () => {
    gives([
      ['double(3)', DOUBLE, 3],
      ['double(params.count) / 2', DOUBLE, 1.5],
      ["double('-84.32e7')", DOUBLE, -8.432e8],
      ["double('.5')", DOUBLE, 0.5],
    ]);
    refuses([
      ["double('4,5')", 'a number, run: ‹all› `4,5` is no number; write digits, with a point before the fraction'],
      ["double('1e999')", 'a number, run: ‹all› `1e999` is no number; write digits, with a point before the fraction'],
      ["double('NaN')", 'a number, run: ‹all› `NaN` is no number; write digits, with a point before the fraction'],
    ]);
  });

  it('to texts, to true or false, and to JSON', () => {
    gives([
      ['string(-456)', TEXT, '-456'],
      ['string(-4.5e-3)', TEXT, '-0.0045'],
      ['string(true)', TEXT, 'true'],
      ['string(params.idea)', TEXT, 'a fox'],
      ["bool('true') && bool('1') && bool('T' + 'rue')", BOOL, true],
      ["bool('f')", BOOL, false],
      ['bool(true)', BOOL, true],
      ['json(steps.c.json.map)', TEXT, '{"a":1,"b":{"c":null}}'],
      ['json(\'a "b"\')', TEXT, '"a \\"b\\""'],
      ['json([1, 2.5, true, null])', TEXT, '[1,2.5,true,null]'],
    ]);
    refuses([
      ["bool('tRuE')", 'true or false, run: ‹all› `tRuE` is neither `true` nor `false`; compare it with something'],
      [
        'string(params.words)',
        'check: ‹all› `string` does not take a list of texts; a list or a mapping becomes a text with `json(value)`',
      ],
      [
        'string(null)',
        'check: ‹all› `string` does not take nothing; it is written `string(text)`, `string(number)` or `string(bool)`',
      ],
      [
        'json(0.0 / 0.0)',
        'a text, run: ‹all› it holds a number that JSON cannot hold exactly; convert it with `string(…)`',
      ],
    ]);
  });
});
