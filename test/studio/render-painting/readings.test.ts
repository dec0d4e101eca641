/**
 * What is read from prompts as people write them, English and Chinese. Read the lines of `readings.txt` as a director would: that is the test.
 * A block is the film's length, its prompt, and a line for each shot as `readAloud` writes it.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readAloud } from './read-aloud.ts';

const blocks = readFileSync(new URL('./readings.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n\n');
const readings = blocks.map(block => {
  const [head = '', ...shots] = block.split('\n');
  const [, seconds = '', prompt = ''] = /^(\d+)s: ?(.*)$/.exec(head) ?? [];
  return { prompt, seconds: Number(seconds), shots: shots.map(shot => shot.trim()) };
});

test.each(readings)('$prompt', ({ prompt, seconds, shots }) => {
  expect(readAloud(prompt, seconds)).toEqual(shots);
});

test('the list is as long as it should be, in both languages', () => {
  const chinese = readings.filter(({ prompt }) => /[\u4e00-\u9fff]/.test(prompt));
  expect([readings.length >= 60, chinese.length >= 15]).toEqual([true, true]);
});
