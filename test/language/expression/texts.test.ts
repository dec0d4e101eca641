/**
 * Texts, against what the specification says (langdef.md, "String and Bytes Values"; the extension for strings) in cases of our own:
 * what counts is code points, not the halves in which JavaScript keeps an emoji.
 *
 * Where this language goes its own way: what is beyond the end of a text is not there (`substring`), so that a prompt can be cut to a
 * length that it may not have. The extension says that this is an error.
 */
import { describe, expect, it } from 'vitest';
import { finderOf, lastIndexIn } from '../../../src/language/expression/functions/text-functions.ts';
import { gives, refuses } from './ask.ts';

const INT = 'a whole number';
const BOOL = 'true or false';
const TEXT = 'a text';
const TEXTS = 'a list of texts';

describe('how a text is written', () => {
  it('quotes, escapes and raw texts', () => {
    gives([
      [`"it's"`, TEXT, "it's"],
      [String.raw`'it\'s'`, TEXT, "it's"],
      [`"""a "b" c"""`, TEXT, 'a "b" c'],
      [`'''a 'b' c'''`, TEXT, "a 'b' c"],
      [`""`, TEXT, ''],
      [`""""""`, TEXT, ''],
      ["'''a\nb'''", TEXT, 'a\nb'],
      ["'\\a\\b\\f\\n\\r\\t\\v\\\\\\?\\\"\\'\\`'", TEXT, '\x07\b\f\n\r\t\v\\?"\'`'],
      [String.raw`'\x41\X42\103'`, TEXT, 'ABC'],
      [String.raw`'\u270c \U0001f431'`, TEXT, '✌ 🐱'],
      [String.raw`r'\n'`, TEXT, String.raw`\n`],
      [String.raw`R"a\"`, TEXT, 'a\\'],
      [String.raw`r'\' + 'x'`, TEXT, '\\x'],
      [`r"""a"b"""`, TEXT, 'a"b'],
      [`'}}'`, TEXT, '}}'],
    ]);
  });

  it('what is no text', () => {
    refuses([
      [
        String.raw`'a\q'`,
        "check: ‹\\q› `\\q` is no escape; write `\\\\` for a backslash, or `r'…'` for a text without escapes",
      ],
      [
        String.raw`'\u12'`,
        "check: ‹\\u› `\\u` is no escape; write `\\\\` for a backslash, or `r'…'` for a text without escapes",
      ],
      [
        String.raw`'\uD83D'`,
        "check: ‹\\uD83D› `\\uD83D` is no escape; write `\\\\` for a backslash, or `r'…'` for a text without escapes",
      ],
      [
        String.raw`'\U00110000'`,
        "check: ‹\\U00110000› `\\U00110000` is no escape; write `\\\\` for a backslash, or `r'…'` for a text without escapes",
      ],
    ]);
  });

  it('comments', () => {
    gives([["'a' // it's a \"comment\"\n + 'b'", TEXT, 'ab']]);
  });
});

describe('operators', () => {
  it('join and compare, by code points', () => {
    gives([
      ["'he' + 'llo'", TEXT, 'hello'],
      ["'a' + 'ÿ' + '🐱'", TEXT, 'aÿ🐱'],
      ["params.idea + '!' == 'a fox!'", BOOL, true],
      [String.raw`'Am\u00E9lie' == 'Ame\u0301lie'`, BOOL, false],
      ["'a' < 'b' && 'B' < 'a'", BOOL, true],
      ["'abc' < 'abcd'", BOOL, true],
      // U+FF5E comes before U+1F431, which JavaScript has the other way round.
      ["'～' < '🐱'", BOOL, true],
      ["'🐱' > '～'", BOOL, true],
      ["'🐱' < '😀'", BOOL, true],
      ["steps.c.json.text + '!'", TEXT, 'a fox!'],
    ]);
    refuses([
      [
        "'take ' + 3",
        'check: ‹all› `+` does not work between a text and a whole number; write `string(…)` around the number',
      ],
      [
        "'x' in 'xyz'",
        'check: ‹all› `in` does not work between a text and a text; for texts there is `text.contains(part)`',
      ],
      [
        "'x' in steps.c.json.text",
        'true or false, run: ‹all› `in` does not work between a text and a text; for texts there is `text.contains(part)`',
      ],
      ['params.idea[0]', 'check: ‹all› `params.idea` is a text and has no parts in `[…]`; write `params.idea` alone'],
    ]);
  });
});

describe('functions', () => {
  it('size', () => {
    gives([
      ["size('')", INT, 0],
      ["size('πέντε')", INT, 5],
      ["'🐱😀'.size()", INT, 2],
      [String.raw`size('e\u0301')`, INT, 2],
    ]);
  });

  it('startsWith, endsWith, contains', () => {
    gives([
      ["'foobar'.startsWith('foo')", BOOL, true],
      ["''.startsWith('foo')", BOOL, false],
      ["''.startsWith('')", BOOL, true],
      ["'🐱😀'.startsWith('🐱')", BOOL, true],
      ["'forté'.endsWith('té')", BOOL, true],
      ["'foobar'.endsWith('foo')", BOOL, false],
      ["'Straße'.contains('aß')", BOOL, true],
      ["'hello'.contains('')", BOOL, true],
      ["'hello'.contains('ol')", BOOL, false],
      ["steps.c.json.text.contains('fox')", BOOL, true],
    ]);
    refuses([
      [
        "params.count.startsWith('3')",
        'check: ‹all› `startsWith` does not take a whole number and a text; it is written `text.startsWith(beginning)`',
      ],
      [
        "steps.c.json.one.contains('1')",
        'true or false, run: ‹all› `contains` does not take a whole number and a text; it is written `text.contains(part)`',
      ],
    ]);
  });

  it('indexOf, lastIndexOf, substring: counted in code points', () => {
    gives([
      ["'tacocat'.indexOf('ac')", INT, 1],
      ["'tacocat'.indexOf('none')", INT, -1],
      ["'🐱a😀a'.indexOf('a')", INT, 1],
      ["'🐱a😀a'.lastIndexOf('a')", INT, 3],
      ["'a'.indexOf('')", INT, 0],
      ["'tacocat'.substring(4)", TEXT, 'cat'],
      ["'tacocat'.substring(0, 4)", TEXT, 'taco'],
      ["'🐱a😀b'.substring(2, 4)", TEXT, '😀b'],
      ["'fox'.substring(0, 500)", TEXT, 'fox'],
      ["'fox'.substring(9)", TEXT, ''],
      ["'fox'.substring(2, 1)", TEXT, ''],
    ]);
    refuses([
      [
        "'fox'.substring(-1)",
        'a text, run: ‹all› a position is counted from 0 and cannot be -1; count from the beginning',
      ],
    ]);
  });

  it('replace, split, join, trim', () => {
    gives([
      ["'hello hello'.replace('he', 'we')", TEXT, 'wello wello'],
      ["'aaa'.replace('aa', 'b')", TEXT, 'ba'],
      ["'a$b'.replace('$', '$&')", TEXT, 'a$&b'],
      ["'🐱b'.replace('', '-')", TEXT, '-🐱-b-'],
      ["'a'.replace('x', 'y')", TEXT, 'a'],
      ["'a,b,,c'.split(',')", TEXTS, ['a', 'b', '', 'c']],
      ["'🐱a'.split('')", TEXTS, ['🐱', 'a']],
      ["''.split(',')", TEXTS, ['']],
      ["['a', 'b'].join(', ')", TEXT, 'a, b'],
      ["['a', 'b'].join()", TEXT, 'ab'],
      ["[].join('-')", TEXT, ''],
      [String.raw`' \n\u00a0a b\t'.trim()`, TEXT, 'a b'],
    ]);
    refuses([
      [
        '[1, 2].join(",")',
        'check: ‹all› `join` does not take a list of whole numbers and a text; it is written `list.join()` or `list.join(separator)`',
      ],
      [
        'steps.c.json.list.join(",")',
        'a text, run: ‹all› `join` takes a list of texts; write `.map(x, string(x))` before it',
      ],
    ]);
  });

  it('lower, upper, slug', () => {
    gives([
      ["'ÉTÉ À Paris'.lower()", TEXT, 'été à paris'],
      ["'straße'.upper()", TEXT, 'STRASSE'],
      ["slug('  The Fox — Act II!  ')", TEXT, 'the-fox-act-ii'],
      ["slug('Ærø, Łódź & Straße')", TEXT, 'aero-lodz-strasse'],
      ['slug("the fox\'s den")', TEXT, 'the-foxs-den'],
      ["slug('Москва 2026')", TEXT, 'москва-2026'],
      ["slug('北京 の 狐')", TEXT, '北京-の-狐'],
      ["slug('../../etc/passwd')", TEXT, 'etc-passwd'],
    ]);
    refuses([
      ["slug('…')", 'a text, run: ‹all› `…` has no letter or digit that a slug could be made of; give it a word'],
      [
        "slug('')",
        'a text, run: ‹all› an empty text has no letter or digit that a slug could be made of; give it a word',
      ],
    ]);
  });
});

it('a search in long texts finds what a search in short ones does', () => {
  const text = `${'ab'.repeat(30_000)}abc${'ab'.repeat(30_000)}`;
  for (const part of [
    'ab',
    'abc',
    `${'ab'.repeat(200)}c`,
    `c${'ab'.repeat(200)}`,
    `${'ab'.repeat(40_000)}`,
    'x'.repeat(500),
  ]) {
    const find = finderOf(text, part);
    expect(find(0)).toBe(text.indexOf(part));
    expect(find(7)).toBe(text.indexOf(part, 7));
    expect(find(70_000)).toBe(text.indexOf(part, 70_000));
    expect(lastIndexIn(text, part)).toBe(text.lastIndexOf(part));
  }
});
