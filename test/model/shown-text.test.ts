/** How durations, sums and sizes read, what of a stranger's text is shown, and how it is fitted into cells. */
import { expect, test } from 'vitest';
import { cellWidth, clipEnd, clipMiddle, wrapWords } from '../../src/model/text/cells.ts';
import { cleanText } from '../../src/model/text/clean.ts';
import { formatBytes, formatSeconds, formatTicking, formatUsd } from '../../src/model/text/format.ts';

test('durations', () => {
  expect([0, 0.42, 59.94, 59.96, 65, 3599.7, 7620].map(formatSeconds)).toEqual([
    '0.0s',
    '0.4s',
    '59.9s',
    '1m 00s',
    '1m 05s',
    '1h 00m',
    '2h 07m',
  ]);
  expect([0, 0.99, 59.96, 65.9, 7620].map(formatTicking)).toEqual(['0s', '0s', '59s', '1m 05s', '2h 07m']);
});

test('money', () => {
  expect([0, 0.6, 0.0035, 0.054, 0.1, 0.996, 12, 1234.5, -0.5].map(formatUsd)).toEqual([
    ...['$0.00', '$0.60', '$0.0035', '$0.054', '$0.10', '$1.00', '$12.00', '$1,234.50', '-$0.50'],
  ]);
  expect([1e308, Number.POSITIVE_INFINITY, -1e300, Number.NaN].map(formatUsd)).toEqual([
    ...['more than $1,000,000,000,000.00', 'more than $1,000,000,000,000.00'],
    ...['less than -$1,000,000,000,000.00', 'an unknown sum'],
  ]);
});

test('sizes', () => {
  expect([0, 999, 12_345, 999_600, 4_100_000, 123_456_789, 1.2e9].map(formatBytes)).toEqual([
    ...['0 B', '999 B', '12 kB', '1.0 MB', '4.1 MB', '123 MB', '1.2 GB'],
  ]);
});

test.each([
  ['a clipboard write', 'a\x1b]52;c;aGk=\x07b', 'ab'],
  ['a title, ended by ST', '\x1b]0;owned\x1b\\b', 'b'],
  ['an escape that never ends keeps its words', '\x1b]0;open', ']0;open'],
  ['clear screen and colour', '\x1b[2Jx\x1b[1;31mred\x1b[0m', 'xred'],
  ['C1 forms of both', '\x9b2Jy\x9d0;t\x9cz', 'yz'],
  ['a reset and a character set', '\x1bc\x1b(Bz', 'z'],
  ['an escape hidden in an escape', '\x1b\x1b[31m[31mq', '[31mq'],
  ['a sequence cut by a sequence', '\x1b[3\x1b[0m1m', '[31m'],
  ['bidi overrides and isolates', 'a\u202egpj.exe\u2066b\u200f', 'agpj.exeb'],
  ['line breaks and tabs become one blank', 'a\r\n\tb\u2028c\u0085d', 'a b c d'],
  ['backspaces and bells', 'ok\b\bno\x07', 'okno'],
  ['half a surrogate, a byte order mark, tags', '\ud800a\ufeffb\u{e0041}', 'ab'],
  ['other scripts and families stay', 'é 東京 👨‍👩‍👧', 'é 東京 👨‍👩‍👧'],
])('cleaned: %s', (_what, dirty, clean) => {
  expect(cleanText(dirty)).toBe(clean);
  expect(cleanText(clean)).toBe(clean);
});

test('text is measured and cut in cells', () => {
  expect(['abc', '東京', 'e\u0301', '👨‍👩‍👧', '✓ ━─ ⠋ …'].map(cellWidth)).toEqual([3, 4, 1, 2, 8]);
  expect([clipEnd('東京タワー', 6), clipEnd('abc', 3), clipEnd('abcd', 0)]).toEqual(['東京…', 'abc', '']);
  expect(clipMiddle('framed[beat=2,seed=22,ratio=9:16]', 20)).toBe('framed[bea…tio=9:16]');
  expect(clipMiddle('東京[季=冬,比=9:16]', 11)).toBe('東京[…9:16]');
});

test('a paragraph is broken at blanks, and a long word where the line ends', () => {
  expect(wrapWords('see https://service.example/a/long/address now', 20)).toEqual([
    'see',
    'https://service.exam',
    'ple/a/long/address',
    'now',
  ]);
});
