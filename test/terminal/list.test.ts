/** The list of instances at the keyboard: moved through, filtered, opened, closed. */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { startScreen } from '../../src/show/terminal/screen.tsx';
import { FakeClock } from '../support/fake-clock.ts';
import { planned, START, stamped, started } from '../text/recordings.ts';
import { buffer, keyboardOf, openTerminal, terminalOf, write } from './terminal.ts';

const [UP, DOWN, HOME, END, ESC, ENTER, BACKSPACE] = ['\x1b[A', '\x1b[B', '\x1b[H', '\x1b[F', '\x1b', '\r', '\x7f'];
const PLACES = ['harbour', 'lighthouse', 'street', 'Light room'];
const NAMES = PLACES.flatMap(place => [1, 2].map(take => `shot[place="${place}",take=${take}]`));

/** The rows of the list and its last line, after each key. */
async function pressing(...keys: readonly string[]): Promise<readonly string[]> {
  const clock = new FakeClock(START);
  const terminal = openTerminal(80, 24);
  const stdout = Object.assign(new PassThrough(), { columns: 80, rows: 24, isTTY: true });
  stdout.on('data', data => terminal.write(String(data).replaceAll('\n', '\r\n')));
  const { keyboard, press } = keyboardOf();
  const person = { keyboard, who: async () => 'Ada', fileOf: () => undefined, open: async () => undefined };
  const screen = startScreen({ terminal: terminalOf(stdout), clock, color: false, person });
  const run = started(
    'film',
    NAMES.map(name => planned(name, 'V-T2V-A', [], 0)),
  );
  for (const event of stamped([[0, run]])) screen.report(event);
  await clock.advance(1_000);
  for (const key of keys) press([key]);
  await clock.advance(300);
  await write(terminal, '');
  const rows = buffer(terminal).split('\n').slice(-13);
  await screen.close();
  return rows
    .filter(row => /shot\[place|of \d|matches/.test(row))
    .map(row => row.trim().replace(/^(.*\]) {2,}.*/, '$1'));
}

const all = (at: number) => NAMES.map((name, n) => (n === at ? `›· ${name}` : `· ${name}`));
const KEYS = '· ↑↓ Enter one in full · / filter · Esc back';

test.each<[string, readonly string[], readonly string[]]>([
  ['an arrow opens it', [DOWN], [...all(0), `1 of 8 ${KEYS}`]],
  ['End goes to the last one', [DOWN, END], [...all(7), `8 of 8 ${KEYS}`]],
  ['Home to the first', [DOWN, END, UP, HOME], [...all(0), `1 of 8 ${KEYS}`]],
  ['End as tmux sends it', [DOWN, '\x1b[4~'], [...all(7), `8 of 8 ${KEYS}`]],
  ['Home as rxvt does', [DOWN, END, '\x1b[7~'], [...all(0), `1 of 8 ${KEYS}`]],
  [
    'a filter leaves the names that contain it, upper or lower case',
    ['/', ...'light'],
    [`›· ${NAMES[2]}`, ...[3, 6, 7].map(n => `· ${NAMES[n]}`), '/light▏  1 of 4 · Esc all'],
  ],
  [
    'letters that are keys elsewhere are letters in a filter',
    ['/', 'r', 'o', 'o'],
    [`›· ${NAMES[6]}`, `· ${NAMES[7]}`, '/roo▏  1 of 2 · Esc all'],
  ],
  [
    'arrows move among them, while it is typed and afterwards',
    ['/', ...'light', DOWN, ENTER, DOWN],
    [`· ${NAMES[2]}`, `· ${NAMES[3]}`, `›· ${NAMES[6]}`, `· ${NAMES[7]}`, '/light  3 of 4 · Esc all'],
  ],
  [
    'a letter is taken back',
    ['/', ...'streetx', BACKSPACE],
    [`›· ${NAMES[4]}`, `· ${NAMES[5]}`, '/street▏  1 of 2 · Esc all'],
  ],
  ['nothing matches', ['/', ...'fox'], ['/fox▏  no name matches · Esc all']],
  ['Esc shows all again', ['/', ...'street', ENTER, ESC], [...all(4), `5 of 8 ${KEYS}`]],
  ['an empty filter is none', ['/', ENTER], [...all(0), `1 of 8 ${KEYS}`]],
])('%s', async (_, keys, rows) => {
  expect(await pressing(...keys)).toEqual(rows);
});

test('one in full goes back to the filtered list', async () => {
  const rows = ['/', ...'street', ENTER, DOWN, ENTER, ESC];
  expect(await pressing(...rows)).toEqual([`· ${NAMES[4]}`, `›· ${NAMES[5]}`, '/street  2 of 2 · Esc all']);
});
