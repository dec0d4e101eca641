import { expect, test } from 'vitest';
import { OutputLines } from '../../src/machine/process/output-lines.ts';
import { OutputDelimiter } from '../../src/machine/process/shell.ts';
import { type NamedSecret, Redactor } from '../../src/machine/redactor.ts';

/** What is told of these pieces, one after the other. */
function told(pieces: readonly (string | Buffer)[], secrets: readonly NamedSecret[] = []): readonly string[] {
  const lines: string[] = [];
  const stream = new OutputLines(new Redactor(secrets), line => lines.push(line));
  for (const piece of pieces) stream.push(Buffer.from(piece));
  stream.end();
  return lines;
}

test('a line is told when it ends, however it came, and what has no end at the end', () => {
  const lines: string[] = [];
  const stream = new OutputLines(new Redactor([]), line => lines.push(line));
  stream.push(Buffer.from('fra'));
  expect(lines).toEqual([]);
  stream.push(Buffer.from('me 1\n\nframe 2\nfra'));
  expect(lines).toEqual(['frame 1', '', 'frame 2']);
  stream.end();
  expect(lines).toEqual(['frame 1', '', 'frame 2', 'fra']);
});

test('letters that come in two pieces are whole, and bytes that are none are told as such', () => {
  const fox = Buffer.from('狐\n');
  expect(told([fox.subarray(0, 2), fox.subarray(2)])).toEqual(['狐']);
  expect(told([Buffer.from([0xff, 0x0a])])).toEqual(['\ufffd']);
});

test('lines are as a terminal would have left them: no escape sequence, and nothing that was written over', () => {
  expect(told(['\x1b[31mred\x1b[0m\x1b]52;c;aGk=\x07 \tnext\r\n', 'a\x00b\u202e\n'])).toEqual(['red \tnext', 'ab']);
  expect(told(['frame 1\rframe 2\r', 'frame 3\r', 'done\n'])).toEqual(['done']);
  expect(told(['frame 1\rframe 2\r'])).toEqual(['frame 2']);
});

test('a progress bar that never ends its line fills no memory, and a line without end is told in pieces', () => {
  const bar = Array.from({ length: 10_000 }, (_, n) => `frame ${n} ${'='.repeat(60)}\r`);
  expect(told([...bar, 'done\n'])).toEqual(['done']);
  const lines = told(Array.from({ length: 300 }, () => 'a'.repeat(1_000)));
  expect(lines.length).toBeGreaterThan(3);
  expect(lines.join('')).toBe('a'.repeat(300_000));
});

test('a secret is hidden wherever the pieces cut it, and also where colours stand within it', () => {
  const secrets = [['(TOKEN)', 'sesame-1234']] as const;
  expect(told(['open ses', 'ame-12', '34 now\n'], secrets)).toEqual(['open (TOKEN) now']);
  expect(told(['open ses\x1b[1mame-1234\n'], secrets)).toEqual(['open (TOKEN)']);
  expect(told([`${'a'.repeat(65_535)}ses`, 'ame-1234'], secrets).join('')).toBe(`${'a'.repeat(65_535)}(TOKEN)`);
});

test('a secret of several lines is hidden when it comes line by line', () => {
  const key = '-----BEGIN KEY-----\nab\ncd=\n-----END KEY-----';
  expect(
    told(
      ['the key:\n', '-----BEGIN KEY-----\n', 'ab\n', 'cd=\n', '-----END KEY-----\n', 'and more\n'],
      [['(KEY)', key]],
    ),
  ).toEqual(['the key:', '(KEY)', 'and more']);
  // What only begins like it is told in the end.
  expect(told(['-----BEGIN KEY-----\n', 'ab\n', 'other\n'], [['(KEY)', key]])).toEqual(['(KEY)', 'ab', 'other']);
});

test('of a stream without end its beginning and its end are told, in whole lines, and how much is left out', () => {
  const lines: string[] = [];
  const secrets = new Redactor([['(TOKEN)', 'sesame-1234']]);
  const stream = new OutputLines(secrets, line => lines.push(line), { first: 100, last: 60 });
  for (let n = 1; n <= 1000; n++) stream.push(Buffer.from(`frame ${n} sesame-1234\n`));
  stream.end();
  expect(lines).toEqual([
    ...[1, 2, 3, 4, 5].map(n => `frame ${n} (TOKEN)`),
    '… 22 kB are left out here …',
    'frame 999 (TOKEN)',
    'frame 1000 (TOKEN)',
  ]);
});

test('a gigabyte costs little more than reading it', () => {
  const chunk = Buffer.from('frame 12\n'.repeat(7_000));
  let told = 0;
  const stream = new OutputLines(new Redactor([]), () => {
    told += 1;
  });
  for (let n = 0; n < 17_000; n++) stream.push(chunk);
  stream.end();
  expect(told).toBeLessThan(2_200_000);
});

test('the output before a mark is told at once: only what may be its beginning is held back', () => {
  const delimiter = new OutputDelimiter('shotlist:1:');
  const outputs = ['frame 1\n', 'a shot', 'list:', 'x shotlist:1', ':0 0\n'].map(piece => {
    const { output, end } = delimiter.push(Buffer.from(piece));
    return [output.toString(), end];
  });
  expect(outputs).toEqual([
    ['frame 1\n', undefined],
    ['a ', undefined],
    ['', undefined],
    ['shotlist:x ', undefined],
    ['', '0 0'],
  ]);
});
