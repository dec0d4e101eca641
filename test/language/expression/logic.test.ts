/**
 * Conditions, and how an expression is read, against what the specification says (langdef.md, "Logical Operators", "Syntax", "Name
 * Resolution") in cases of our own.
 *
 * Where this language goes its own way: both sides of a condition may be numbers of different types; a type that is known to be wrong
 * is a mistake at the check, also where the value would not matter (`false && 32`).
 */
import { describe, it } from 'vitest';
import { gives, refuses } from './ask.ts';

const INT = 'a whole number';
const BOOL = 'true or false';
const TEXT = 'a text';

describe('and, or, not', () => {
  it('an error is taken in where the other side decides, whichever side that is', () => {
    gives([
      ['true && true', BOOL, true],
      ['true && false', BOOL, false],
      ['false || true', BOOL, true],
      ['false && 1 / 0 > 0', BOOL, false],
      ['1 / 0 > 0 && false', BOOL, false],
      ['true || 1 / 0 > 0', BOOL, true],
      ['1 / 0 > 0 || true', BOOL, true],
      ['steps.c.json.text || true', BOOL, true],
      ['false && steps.c.json.one', BOOL, false],
      ['steps.c.json.missing || true', BOOL, true],
      ['[1, 2, 3][3] == 1 || true', BOOL, true],
      ['!true || !false', BOOL, true],
      ['!!true', BOOL, true],
      ['!!!true', BOOL, false],
      ['false && false || true', BOOL, true],
      ['true || false && false', BOOL, true],
      ['steps.c.json.yes', 'anything', true],
    ]);
    refuses([
      ['true && 1 / 0 > 0', 'true or false, run: ‹1 / 0› `1 / 0`: division by zero'],
      ['1 / 0 > 0 && true', 'true or false, run: ‹1 / 0› `1 / 0`: division by zero'],
      ['1 / 0 > 0 || 2 % 0 > 0', 'true or false, run: ‹1 / 0› `1 / 0`: division by zero'],
      [
        'false || steps.c.json.one',
        'true or false, run: ‹steps.c.json.one› `steps.c.json.one`: `&&` and `||` join what is true or false, but this is a whole number; compare it with something',
      ],
      [
        "'horses' && false",
        'check: ‹all› `&&` and `||` join what is true or false, but one side is a text; compare it with something',
      ],
      [
        'false && 32',
        'check: ‹all› `&&` and `||` join what is true or false, but one side is a whole number; compare it with something',
      ],
      ['!0', 'check: ‹all› `!` does not work on a whole number; change it'],
      ['!!0', 'check: ‹all› `!` does not work on a whole number; change it'],
      ['!steps.c.json.text', 'true or false, run: ‹all› `!` does not work on a text; change it'],
    ]);
  });
});

describe('conditions', () => {
  it('look at the side they take and at no other', () => {
    gives([
      ['true ? 1 : 2', INT, 1],
      ["false ? 'foo' : 'bar'", TEXT, 'bar'],
      ['true ? 1 : 1 / 0', INT, 1],
      ['false ? 1 / 0 : 2', INT, 2],
      ['true ? 1 : 2.5', 'a number', 1],
      ['false ? 1 : false ? 2 : 3', INT, 3],
      ['(true ? false : true) ? 1 : 2', INT, 2],
      ['true || false ? 1 : 2', INT, 1],
      [
        'params.count > 2 ? steps.many[0].result_url : steps.shot.result_url',
        'the address of a video',
        'https://example.org/cd.mp4',
      ],
      ['true ? steps.c.json.text : 17', 'anything', 'a fox'],
      ['true ? [] : [1]', 'a list of anything', []],
    ]);
    refuses([
      ["2 / 0 > 4 ? 'baz' : 'quux'", 'a text, run: ‹2 / 0› `2 / 0`: division by zero'],
      [
        "'cows' ? false : true",
        "check: ‹'cows'› before `?` comes what is true or false, but this is a text; compare it with something",
      ],
      [
        'steps.c.json.nothing ? 1 : 2',
        'a whole number, run: ‹steps.c.json.nothing› `steps.c.json.nothing`: before `?` comes what is true or false, but this is nothing; compare it with something',
      ],
      [
        "true ? 'cows' : 17",
        'check: ‹all› both sides of `:` must give the same, but one is a text and one a whole number; convert one of them',
      ],
      [
        "true ? [1] : ['a']",
        'check: ‹all› both sides of `:` must give the same, but one is a list of whole numbers and one a list of texts; convert one of them',
      ],
    ]);
  });
});

describe('how an expression is read', () => {
  it('brackets, spaces and names with a dot before them', () => {
    gives([
      [`${'('.repeat(60)}7${')'.repeat(60)}`, INT, 7],
      ['  1\n\t+ 2 ', INT, 3],
      ['.params.count', INT, 3],
      ['params["count"] + params.count', INT, 6],
      ['[[[[[[0]]]]]][0][0][0][0][0][0]', INT, 0],
      [Array(100).fill('1').join(' + '), INT, 100],
      [`${'true ? true : '.repeat(24)}false`, BOOL, true],
      ['null', 'nothing', null],
      ['true', BOOL, true],
    ]);
  });

  it('what is no expression, and what other languages write', () => {
    refuses([
      ['1 +', 'check: ‹› it ends too early; finish it'],
      ['(1', 'check: ‹› it ends too early; add `)`'],
      ['[1, 2', 'check: ‹› it ends too early; add `]`'],
      ['1 2', 'check: ‹2› a number does not fit here; this is not a valid expression'],
      ['params..idea', 'check: ‹.› expected a name, but there is `.`; this is not a valid expression'],
      ['size(1,)', 'check: ‹)› `)` does not fit here; this is not a valid expression'],
      ['#', 'check: ‹all› `#` does not fit here; this is not a valid expression'],
      ['params.count = 3', 'check: ‹=› `=` is written `==` here; change it'],
      ['params.count === 3', 'check: ‹===› `===` is written `==` here; change it'],
      ['params.count <> 3', 'check: ‹<>› `<>` is written `!=` here; change it'],
      ['true and false', 'check: ‹and› `and` is written `&&` here; change it'],
      ['true or false', 'check: ‹or› `or` is written `||` here; change it'],
      ['true & false', 'check: ‹&› `&` is written `&&` here; change it'],
      ['not true', 'check: ‹not› `not` is written `!` here; change it'],
      ['params.idea ?? 1', 'check: ‹??› `??` is written `has(x) ? x : y` here; change it'],
      ['2 ** 3', 'check: ‹**› `**` is written `x * x` here; change it'],
      ['for + 1', 'check: ‹for› `for` is a word of the expression language; choose another name'],
      ["params['idea'", 'check: ‹› it ends too early; add `]`'],
      ['prams.idea', 'check: ‹prams› expressions do not know `prams`; did you mean `params`?'],
      ['idea + "!"', 'check: ‹idea› expressions do not know `idea`; write `params.idea`'],
      ['a.b{c: 1}', 'check: ‹{› `{` does not fit here; this is not a valid expression'],
    ]);
  });
});
