/**
 * Lists, mappings and loops, against what the specification says (langdef.md, "Aggregate Values", "Equality", "Field Selection",
 * "Macros") in cases of our own.
 *
 * Where this language goes its own way:
 * - `has(…)` is false where anything on the way is not there; the specification asks for the last name alone, and the rest is an error.
 *   An author who asks whether `json.title.de` is there means both.
 * - `slice` takes what there is, as `substring` does.
 */
import { describe, it } from 'vitest';
import { gives, refuses } from './ask.ts';

const INT = 'a whole number';
const DOUBLE = 'a number';
const BOOL = 'true or false';
const TEXT = 'a text';

describe('lists', () => {
  it('are joined, indexed and searched', () => {
    gives([
      ['[]', 'a list of anything', []],
      ['[1, 2] + [3]', 'a list of whole numbers', [1, 2, 3]],
      ['[1] + [2.5]', 'a list of numbers', [1, 2.5]],
      ["[1, 'a', null, [2]]", 'a list of anything', [1, 'a', null, [2]]],
      ['[1, 2,]', 'a list of whole numbers', [1, 2]],
      ['[7, 8, 9][0]', INT, 7],
      ["['a', 'b'][1]", TEXT, 'b'],
      ['[7, 8, 9][steps.c.json.zero]', INT, 7],
      ['steps.c.json.list[1]', 'anything', 2],
      ['[7, 8][steps.c.json.one * 1.0 == 1.0 ? 1 : 0]', INT, 8],
      ['3 in [5, 3]', BOOL, true],
      ['3.0 in [5, 3]', BOOL, true],
      ["'x' in []", BOOL, false],
      ['steps.c.json.text in params.words', BOOL, false],
      ['[1] in [[1.0], [2]]', BOOL, true],
      ['[1, 2] == [1.0, 2]', BOOL, true],
      ['[1, 2] == [2, 1]', BOOL, false],
      ['[[1], []] == [[1], []]', BOOL, true],
      ['steps.many[1].bytes', INT, 1000],
      ['steps.many[0].media.duration', DOUBLE, 4],
      ['steps.many[0].result_url', 'the address of a video', 'https://example.org/cd.mp4'],
    ]);
  });

  it('have no other items', () => {
    refuses([
      ['[1, 2, 3][3]', 'a whole number, run: ‹all› there is no item 3: the list has 3, from `[0]` to `[2]`'],
      [
        '[1][-1]',
        'a whole number, run: ‹all› there is no item -1: the list has 1, from `[0]` to `[0]`; write `.last()`',
      ],
      ['[][0]', 'anything, run: ‹all› there is no item 0: the list is empty'],
      [
        '[1][0.5]',
        'check: ‹0.5› the index of a list is a whole number, but this is a number; write `int(…)` around it',
      ],
      ["[1]['a']", "check: ‹'a'› the index of a list is a whole number, but this is a text; write `int(…)` around it"],
      [
        '[1][steps.c.json.half]',
        'a whole number, run: ‹steps.c.json.half› `steps.c.json.half`: the index of a list is a whole number, not a number; write `int(…)` around it',
      ],
      ['1 in 2', 'check: ‹all› `in` does not work between a whole number and a whole number; convert one of them'],
      ["1 in ['a']", 'check: ‹all› `in` does not work between a whole number and a list of texts; convert one of them'],
      [
        'steps.many[0].reslt_url',
        'check: ‹reslt_url› `steps.many[0]` (a video result) has no `reslt_url`; did you mean `result_url`?',
      ],
      ['steps.many.0', 'check: ‹.0› `.0` is written `[0]` here; change it'],
      ['steps.c.json.list.length', 'anything, run: ‹all› `steps.c.json.list.length` has no value'],
      [
        'params.count[0]',
        'check: ‹all› `params.count` is a whole number and has no parts in `[…]`; write `params.count` alone',
      ],
    ]);
  });

  it('functions', () => {
    gives([
      ['size([1, 2])', INT, 2],
      ['steps.many.size()', INT, 2],
      ['range(3)', 'a list of whole numbers', [0, 1, 2]],
      ['range(0) + range(-5) + range(3, 3)', 'a list of whole numbers', []],
      ['range(-1, 2)', 'a list of whole numbers', [-1, 0, 1]],
      ['[3, 1.5, 2].sort()', 'a list of numbers', [1.5, 2, 3]],
      ["['b', 'a'].sort()", 'a list of texts', ['a', 'b']],
      ["['～', '🐱'].sort()", 'a list of texts', ['～', '🐱']],
      ['[true, false].sort()', 'a list of true or false', [false, true]],
      ['[1, 2].reverse()', 'a list of whole numbers', [2, 1]],
      ['[1, 1.0, 2, 1].distinct()', 'a list of numbers', [1, 2]],
      ["[[1], [1], {'a': 1}, {'a': 1}].distinct()", 'a list of anything', [[1], { a: 1 }]],
      ['[[1], [2, 3]].flatten()', 'a list of whole numbers', [1, 2, 3]],
      ['[[1], [[2]]].flatten()', 'a list of anything', [1, [2]]],
      ['[1, 2, 3].slice(1, 99)', 'a list of whole numbers', [2, 3]],
      ['[1, 2, 3].slice(2, 1)', 'a list of whole numbers', []],
      ['params.words.last()', TEXT, 'b'],
      ['steps.many.last().sha256', TEXT, 'ef'],
      ['steps.c.json.beats.sortBy(b, b.seconds).map(b, b.look)', 'a list of anything', ['dusk', 'snow']],
      ["['bb', 'a', 'cc'].sortBy(w, size(w))", 'a list of texts', ['a', 'bb', 'cc']],
    ]);
    refuses([
      ['[].last()', 'anything, run: ‹all› an empty list has no last item; ask `size(list) > 0` first'],
      ['steps.many.sort()', 'check: ‹all› `sort` does not take a list of video results; it is written `list.sort()`'],
      [
        'steps.c.json.mixed.sort()',
        'anything, run: ‹all› a whole number and a text have no common order; sort texts or numbers',
      ],
      [
        'steps.c.json.beats.sort()',
        'anything, run: ‹all› a mapping has no order; sort by a part of it with `sortBy(x, x.part)`',
      ],
      [
        '[0.0 / 0.0, 1.0].sort()',
        'a list of numbers, run: ‹all› what is no number has no place in an order; take it out',
      ],
      ['range(1.5)', 'check: ‹all› `range` does not take a number; it is written `range(count)` or `range(from, to)`'],
      [
        'steps.many.sortBy(s, s.media)',
        'check: ‹s.media› `sortBy` needs a key that has an order, but this is media facts; give it a text or a number',
      ],
      [
        '[1].slice(-1, 1)',
        'a list of whole numbers, run: ‹all› a position is counted from 0 and cannot be -1; count from the beginning',
      ],
    ]);
  });
});

describe('mappings', () => {
  it('are read by key, with keys of texts, whole numbers, true and false', () => {
    gives([
      ['{}', 'a mapping', {}],
      ["{'a': 1}.a", INT, 1],
      ["{'a': 1}['a']", INT, 1],
      ["{'a b': 'c',}['a b']", TEXT, 'c'],
      ["{0: 'zero', 1: 'one'}[1]", TEXT, 'one'],
      ["{1: 'one'}[1.0]", TEXT, 'one'],
      ["{true: 'on', false: 'off'}[params.count > 2]", TEXT, 'on'],
      ["{'draft': '480P', 'final': '1080P'}[params.count > 2 ? 'final' : 'draft']", TEXT, '1080P'],
      ["'a' in {'a': 1}", BOOL, true],
      ["1 in {'a': 1}", BOOL, false],
      ["{'a': 1, 'b': 2.0} == {'b': 2, 'a': 1.0}", BOOL, true],
      ["{'a': 1} == {'a': 1, 'b': 2}", BOOL, false],
      ["{'a': null} == {'a': null}", BOOL, true],
      ["steps.c.json.map == {'a': 1, 'b': {'c': null}}", BOOL, true],
      ["size({'a': 1, 2: 3})", INT, 2],
      ['steps.c.json["map"]["b"]', 'anything', { c: null }],
      ["{2: 'b', 1: 'a'}", 'a mapping', { 1: 'a', 2: 'b' }],
    ]);
  });

  it('have no other keys', () => {
    refuses([
      ["{'a': 1}.b", "a whole number, run: ‹all› `{'a': 1}.b` has no value"],
      ["{'a': 1}['b'] + 1", "a whole number, run: ‹{'a': 1}['b']› `{'a': 1}['b']` has no value"],
      ["{1: 'a'}['1']", "a text, run: ‹all› `{1: 'a'}['1']` has no value"],
      ["{'a': 1, 'a': 2}", 'a mapping, run: ‹all› the key `a` is given twice; take one out'],
      ['{1.5: 1}', 'check: ‹1.5› a key is a text, but this is a number; change it'],
      [
        '{steps.c.json.half: 1}',
        'a mapping, run: ‹steps.c.json.half› `steps.c.json.half`: a key is a text, a whole number, or true or false, not a number; change it',
      ],
      ['steps.c.json.map.title', 'anything, run: ‹all› `steps.c.json.map.title` has no value'],
      ['steps.c.json.text.title', 'anything, run: ‹all› `steps.c.json.text.title` has no value'],
      ["steps.c.json.map['__proto__']", 'anything, run: ‹all› `steps.c.json.map.__proto__` has no value'],
      ["{'a': 1}.constructor", "a whole number, run: ‹all› `{'a': 1}.constructor` has no value"],
      ['steps.c.json.list[0].title', 'anything, run: ‹all› a whole number has no `title`'],
    ]);
  });

  it('has() asks whether a field is there, and all on the way to it', () => {
    gives([
      ['has(steps.c.json.map.a)', BOOL, true],
      ['has(steps.c.json.map.z)', BOOL, false],
      ['has(steps.c.json.map.b.c)', BOOL, true],
      ["{'a': null}.a == null && {'a': null}['a'] == null", BOOL, true],
      ['has(steps.c.json.map.z.c)', BOOL, false],
      ['has(steps.c.json.nothing.c)', BOOL, false],
      ['has(steps.c.json.list[9].c)', BOOL, false],
      ['has(steps.c.json["map"])', BOOL, true],
      ["has({'a': null}.a)", BOOL, true],
      ['steps.c.json.beats.filter(b, has(b.look)).size()', INT, 2],
      ["has(steps.c.json.map.z) ? steps.c.json.map.z : 'none'", 'anything', 'none'],
      ['has(steps.shot.media.fps)', BOOL, true],
    ]);
    refuses([
      ['has(params)', 'check: ‹all› `has` asks whether a field is there; write `has(steps.NAME.json.field)`'],
      ['has(1)', 'check: ‹all› `has` asks whether a field is there; write `has(steps.NAME.json.field)`'],
      [
        'has(steps.c.json.list[0])',
        'check: ‹all› `has` asks whether a field is there; write `has(steps.NAME.json.field)`',
      ],
      [
        'has(steps.c.json.beats[0].look.x)',
        'true or false, run: ‹steps.c.json.beats[0].look.x› `steps.c.json.beats[0].look.x`: a text has no `x`',
      ],
      ['has(steps.shot.mdia)', 'check: ‹mdia› `steps.shot` (a video result) has no `mdia`; did you mean `media`?'],
    ]);
  });
});

describe('loops', () => {
  it('all and exists: one item that decides is enough, whatever comes of the others', () => {
    gives([
      ['[1, 2, 3].all(e, e > 0)', BOOL, true],
      ['[].all(e, e > 0)', BOOL, true],
      ['[1, 2, 3].all(e, 6 / (2 - e) == 6)', BOOL, false],
      ['steps.c.json.mixed.all(e, e == 1)', BOOL, false],
      ['[1, 2, 3].exists(e, e == 2)', BOOL, true],
      ['[].exists(e, e == 2)', BOOL, false],
      ['steps.c.json.mixed.exists(e, e % 2 == 1)', BOOL, true],
      ['[0, 2].exists(e, 4 / e == 2)', BOOL, true],
      ["{'a': 1, 'b': 2}.exists(k, k == 'b')", BOOL, true],
      ["{'a': 1, 1: 42}.all(k, k != 2)", BOOL, true],
      ['steps.c.json.map.exists(k, k == "b")', BOOL, true],
    ]);
    refuses([
      ['[1, 2].exists(e, e / 0 == 17)', 'true or false, run: ‹e / 0› `e / 0`: division by zero'],
      ['[1, 2].all(e, e / 0 != 17)', 'true or false, run: ‹e / 0› `e / 0`: division by zero'],
      [
        'steps.c.json.mixed.all(e, e % 2 == 1)',
        'true or false, run: ‹e % 2› `e % 2`: `%` does not work between a text and a whole number; convert one of them',
      ],
      [
        '[1].all(e, e)',
        'check: ‹e› the condition of a loop is true or false, but this is a whole number; compare it with something',
      ],
      [
        'steps.c.json.list.all(e, e)',
        'true or false, run: ‹e› `e`: the condition of a loop is true or false, but this is a whole number; compare it with something',
      ],
    ]);
  });

  it('exists_one, map and filter: every item counts, and so does every error', () => {
    gives([
      ['[7].exists_one(a, a == 7)', BOOL, true],
      ['[7, 7].exists_one(a, a == 7)', BOOL, false],
      ['[].exists_one(a, a == 7)', BOOL, false],
      ['[2, 4].map(n, n / 2)', 'a list of whole numbers', [1, 2]],
      ['[1, 2, 3].map(n, n > 1, n * 10)', 'a list of whole numbers', [20, 30]],
      ["{'John': 'smart'}.map(key, key) == ['John']", BOOL, true],
      ['[1, 2, 3, 4].filter(x, x % 2 == 1)', 'a list of whole numbers', [1, 3]],
      ['steps.many.filter(s, s.media.duration > 5.0).map(s, s.sha256)', 'a list of texts', ['ef']],
      [
        'steps.many.map(s, s.result_url)',
        'a list of addresses',
        ['https://example.org/cd.mp4', 'https://example.org/ef.mp4'],
      ],
    ]);
    refuses([
      ['[3, 2, 1, 0].exists_one(n, 12 / n > 1)', 'true or false, run: ‹12 / n› `12 / n`: division by zero'],
      ['[2, 1, 0].map(n, 4 / n)', 'a list of whole numbers, run: ‹4 / n› `4 / n`: division by zero'],
      ['[3, 0].filter(n, 12 / n > 4)', 'a list of whole numbers, run: ‹12 / n› `12 / n`: division by zero'],
      [
        '[1].filter(n, n)',
        'check: ‹n› the condition of a loop is true or false, but this is a whole number; compare it with something',
      ],
      [
        '[1].map(n, n, n)',
        'check: ‹n› the condition of a loop is true or false, but this is a whole number; compare it with something',
      ],
      [
        'params.count.map(n, n)',
        'check: ‹params.count› `map` runs through a list or the keys of a mapping, but this is a whole number; give it a list',
      ],
      [
        'steps.c.json.text.map(n, n)',
        'a list of anything, run: ‹steps.c.json.text› `steps.c.json.text`: `map` runs through a list or the keys of a mapping, not a text; give it a list',
      ],
      [
        'steps.many.map(s, s.media.widht)',
        'check: ‹widht› `s.media` (media facts) has no `widht`; did you mean `width`?',
      ],
    ]);
  });

  it('inside loops, with names that hide others', () => {
    gives([
      [
        '[1, 2].map(a, [10, 20].map(b, a + b))',
        'a list of lists',
        [
          [11, 21],
          [12, 22],
        ],
      ],
      ['[1].map(a, [2].map(b, [3].map(c, a + b + c)))', 'a list of lists', [[[6]]]],
      ['[[1, 2], [3]].map(x, x.map(x, x * 2))', 'a list of lists', [[2, 4], [6]]],
      ["['a'].map(params, params + '!')", 'a list of texts', ['a!']],
      ["['a'].map(steps, steps + params.idea)", 'a list of texts', ['aa fox']],
      ['[1].map(size, size + [size].size())', 'a list of whole numbers', [2]],
      ['[1].map(params, .params.count)', 'a list of whole numbers', [3]],
      ['cel.bind(n, params.count, n * n)', INT, 9],
      ['cel.bind(n, 1, cel.bind(n, n + 1, n * 10))', INT, 20],
      ['cel.bind(unused, 1 / 0, 2)', INT, 2],
      ['[1, 2].map(_0, _0 + params.count)', 'a list of whole numbers', [4, 5]],
    ]);
    refuses([
      [
        '[1].map(e, e) + e',
        'check: ‹e› expressions do not know `e`; they can read `params`, `data`, `steps`, `matrix`, `each`, `take`, `previous`, `run` and `env`',
      ],
      ['cel.bind(n, 1 / 0, n)', 'a whole number, run: ‹1 / 0› `1 / 0`: division by zero'],
      ['[1].map(in, in)', 'check: ‹in› `in` is a word of the expression language; choose another name'],
      [
        '[1].map(1, 2)',
        'check: ‹map› `map` is written `list.map(name, expression)`; the name is yours, and stands for each item',
      ],
      [
        '[1].all(e, e > 0, e < 9)',
        'check: ‹all› `all` is written `list.all(name, condition)`; the name is yours, and stands for each item',
      ],
      [
        'cel.bind(1, 2, 3)',
        'check: ‹cel.bind› `cel.bind` is written `cel.bind(name, value, expression)`; the name is yours, and stands for each item',
      ],
    ]);
  });
});
