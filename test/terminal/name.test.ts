/** A name that does not fit keeps what tells it from the others. */
import { expect, test } from 'vitest';
import { reduce } from '../../src/records/views/reduce.ts';
import { emptyRunView } from '../../src/records/views/run-view.ts';
import { instanceList } from '../../src/show/terminal/instance-list.ts';
import { nameWithin, painted, partWithin } from '../../src/show/terminal/line.ts';
import { key, planned, START, started } from '../text/recordings.ts';

test.each([
  ['shot[beat=3,take=1]', 20, 'shot[beat=3,take=1]'],
  ['shot[beat=3,take=1]', 18, 'shot[3,1]'],
  ['shot[beat=13,take=1]', 8, 's…[13,1]'],
  ['shot[beat=13,take=1]', 7, '…[13,1]'],
  ['shot[place=lighthouse]', 15, 'sh…[lighthouse]'],
  ['still[place=lighthouse]', 15, 'st…[lighthouse]'],
  ['shot[beat=12,place=lighthouse]', 15, 'shot[12,light…]'],
  ['still[beat=12,place=lighthouse]', 15, 'sti…[12,light…]'],
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

test.each([
  [80, '  41 of 60 · ↑↓ Enter one in full · / filter · Esc back'],
  [40, '  41 of 60 · ↑↓ Enter · / · Esc back'],
  [24, '  41 of 60 · Esc back'],
])(
  'a list of sixty on %i columns tells the way out, and names without axes where they have no room',
  (columns, end) => {
    const run = emptyRunView();
    const keys = Array.from({ length: 60 }, (_, n) => `shot[beat=${Math.floor(n / 3) + 1},take=${(n % 3) + 1}]`);
    const plan = started(
      'spot',
      keys.map(name => planned(name, 'V-T2V-A', [], 0)),
    );
    reduce(run, { ...plan, seq: 0, at: START });
    const lines = instanceList(run, { at: key('shot[beat=14,take=2]') }, START, { columns, lines: 20 });
    const seen = lines.map(line => painted(line, false));
    expect(seen.at(-1)).toBe(end);
    expect(seen.find(line => line.includes('›'))).toContain(columns >= 80 ? 'shot[beat=14,take=2]' : '[14,2]');
  },
);
