import { expect, test } from 'vitest';
import { BoundedOutput } from '../../src/machine/process/output-lines.ts';
import { isVariableName, OutputDelimiter, quoted } from '../../src/machine/process/shell.ts';

test('the end of a command is found however the pipe cuts the stream', () => {
  const stream = Buffer.from('frames\n<<enx<<end>>0 1\n');
  for (let first = 0; first <= stream.length; first++) {
    for (let second = first; second <= stream.length; second++) {
      const mark = new OutputDelimiter('<<end>>');
      const told = [stream.subarray(0, first), stream.subarray(first, second), stream.subarray(second)].map(part =>
        mark.push(part),
      );
      const output = Buffer.concat(told.map(({ output }) => output)).toString();
      const ends = told.flatMap(({ end }) => (end === undefined ? [] : [end]));
      expect({ output, ends, first, second }).toEqual({ output: 'frames\n<<enx', ends: ['0 1'], first, second });
    }
  }
});

test.each([
  ['first', 'abcde'],
  ['last', 'fghij'],
] as const)('of what is too long the %s part is kept, however it came in pieces', (keep, kept) => {
  for (const pieces of [['abcdefghij'], ['abc', 'defg', '', 'hij'], [...'abcdefghij']]) {
    const capture = new BoundedOutput(5, keep);
    for (const piece of pieces) capture.push(Buffer.from(piece));
    expect([capture.text(), capture.truncated]).toEqual([kept, true]);
  }
  const short = new BoundedOutput(5, keep);
  short.push(Buffer.from('abcde'));
  expect([short.text(), short.truncated]).toEqual(['abcde', false]);
});

test('quoted text means itself', () => {
  expect(['', "it's", '$x `y` "z"\n'].map(quoted)).toEqual(["''", "'it'\\''s'", '\'$x `y` "z"\n\'']);
});

test('names a shell cannot hold, or reads itself, are told apart', () => {
  expect(['clip', '_x', 'PATH', 'a1'].filter(isVariableName)).toEqual(['clip', '_x', 'PATH', 'a1']);
  expect(['', '1a', 'a-b', 'a b', 'IFS', 'BASH_ENV', 'PS4', 'UID'].filter(isVariableName)).toEqual([]);
});
