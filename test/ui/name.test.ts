/** A name that does not fit keeps what tells it from the others. */
import { expect, test } from 'vitest';
import { nameWithin, partWithin } from '../../src/ui/name.ts';

test.each([
  ['shot[beat=3,take=1]', 20, 'shot[beat=3,take=1]'],
  ['shot[beat=3,take=1]', 18, 'shot[3,1]'],
  ['shot[beat=13,take=1]', 8, '…[13,1]'],
  ['shot[beat=13,take=1]', 6, '…13,1]'],
  ['script', 4, 'sc…t'],
  ['final[beat="two, or three",take=2]', 26, 'final["two, or three",2]'],
  ['cleaned[beat=3]/repair[ratio=9:16]', 24, 'cleaned[beat…epair[9:16]'],
  ['cleaned[beat=3]/repair[ratio=9:16]', 28, 'cleaned[beat=3]/repair[9:16]'],
  ['東京[季=冬]', 9, '東京[冬]'],
])('%s within %i cells is %s', (label, width, name) => {
  expect(nameWithin(label, width)).toBe(name);
});

test.each([
  ['shot[beat=3]', 14, '…[beat=3]'],
  ['shot[beat=14,take=2]', 14, '…[14,2]'],
])('under the row of its step %s within %i cells is %s', (label, width, name) => {
  expect(partWithin(label, width)).toBe(name);
});
