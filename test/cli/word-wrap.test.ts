import { expect, test } from 'vitest';
import { wordWrap } from '../../src/cli/commands/chat.ts';

const TEXT = '1. Wide shot: the keeper climbs the stairs of the lighthouse.\n2. Close-up: the lamp.\n\n   - indented\n';

const wrapped = (text: string, pieces: number, width = 24) => {
  const write = wordWrap(() => width);
  return (text.match(new RegExp(`[\\s\\S]{1,${pieces}}`, 'g')) ?? []).map(write).join('');
};

test.each([1, 2, 7, 1000])('lines break between words, in pieces of %d', size => {
  expect(wrapped(TEXT, size)).toBe(
    [
      '1. Wide shot: the keeper',
      'climbs the stairs of the',
      'lighthouse.',
      '2. Close-up: the lamp.',
      '',
      '   - indented',
      '',
    ].join('\n'),
  );
});

test('what is wider than the line goes on as the terminal likes, and Chinese breaks anywhere', () => {
  expect(wrapped('see https://a.example/a/very/long/address now\n', 3)).toBe(
    'see\nhttps://a.example/a/very/long/address\nnow\n',
  );
  expect(wrapped('狐狸在黎明时分走过结冰的河面，雪落下来\n', 2, 20)).toBe('狐狸在黎明时分走过结\n冰的河面，雪落下来\n');
});

test('nothing but line breaks is added, and only blanks at a break are lost', () => {
  expect(wrapped(TEXT, 5).replaceAll(/\s+/g, ' ')).toBe(TEXT.replaceAll(/\s+/g, ' '));
});
