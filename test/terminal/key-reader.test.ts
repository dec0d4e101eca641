/** Keys and answers of a terminal, however its line cuts them up. */
import { expect, test } from 'vitest';
import { KeyReader } from '../../src/cli/terminal/keyboard.ts';
import { FakeClock } from '../support/fake-clock.ts';

function reading() {
  const clock = new FakeClock();
  const keys: string[] = [];
  const answers: string[] = [];
  const reader = new KeyReader({
    clock,
    keys: all => keys.push(...all),
    answer: answer => answers.push(answer),
  });
  return { clock, keys, answers, reader };
}

const SIZE = '\x1b[6;20;10t';
const ATTRIBUTES = '\x1b[?62;4;22c';

test('wherever an answer is cut in two, it is an answer and no key', async () => {
  const answer = SIZE + ATTRIBUTES;
  for (let at = 1; at < answer.length; at += 1) {
    const { clock, keys, answers, reader } = reading();
    reader.read(answer.slice(0, at));
    await clock.advance(30);
    reader.read(answer.slice(at));
    await clock.advance(1_000);
    expect([keys, answers], `cut at ${at}`).toEqual([[], [SIZE, ATTRIBUTES]]);
  }
});

test('what is typed around an answer is keys', () => {
  const { keys, answers, reader } = reading();
  reader.read(`s${ATTRIBUTES}\x1b[A?`);
  expect([keys, answers]).toEqual([['s', '\x1b[A', '?'], [ATTRIBUTES]]);
});

test('an answer that comes a minute late is no key either', async () => {
  const { clock, keys, reader } = reading();
  await clock.advance(60_000);
  reader.read(ATTRIBUTES);
  expect(keys).toEqual([]);
});

test('a lone escape is a key, a moment later; an arrow in two parts is one arrow', async () => {
  const { clock, keys, reader } = reading();
  reader.read('\x1b');
  expect(keys).toEqual([]);
  await clock.advance(50);
  expect(keys).toEqual(['\x1b']);
  reader.read('\x1b[');
  reader.read('B');
  reader.read('\x1bO');
  reader.read('A');
  await clock.advance(50);
  expect(keys).toEqual(['\x1b', '\x1b[B', '\x1bOA']);
});

test('Ctrl-C behind an escape is Ctrl-C', () => {
  const { keys, reader } = reading();
  reader.read('\x1b');
  reader.read('\x03');
  expect(keys).toEqual(['\x1b', '\x03']);
});
