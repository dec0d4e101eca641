/** The picture beside an instance: drawn behind the person's back, laid over the lines, taken away again. */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { cellWidth } from '../../src/model/text/cells.ts';
import type { Pictures, SmallPicture } from '../../src/show/terminal/pictures/pictures.ts';
import { SidePicture } from '../../src/show/terminal/pictures/side-picture.ts';
import { startScreen } from '../../src/show/terminal/screen.tsx';
import { TerminalStream } from '../../src/show/terminal/terminal-stream.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { finished, key, media, planned, START, stamped, started, succeeded } from '../text/recordings.ts';
import { buffer, keyboardOf, openTerminal, terminalOf, write } from './terminal.ts';

const small: SmallPicture = { width: 320, height: 180, rgba: new Uint8Array(320 * 180 * 4), png: Uint8Array.of(7) };
const cell = { width: 10, height: 20 };
const room = { columns: 32, rows: 12 };
const content = (sha256: string) => ({ sha256, kind: 'image', seconds: 0 }) as const;

/** Pictures that are drawn when the test says so. */
function drawnLater(protocol: 'kitty' | 'sixel' | undefined) {
  const asked: string[] = [];
  const ready: ((picture: SmallPicture | undefined) => void)[] = [];
  const pictures: Pictures = {
    terminal: async () => protocol && { protocol, cell },
    of: ({ sha256 }, _, signal) =>
      new Promise(resolve => {
        asked.push(sha256);
        ready.push(resolve);
        signal.addEventListener('abort', () => resolve(undefined));
      }),
  };
  const drawn = async (picture?: SmallPicture) => {
    ready.shift()?.(picture);
    await settle();
  };
  return { pictures, asked, drawn };
}
const settle = () => new Promise(setImmediate);

test('whoever goes through many waits for the last alone, and one that was drawn is there at once', async () => {
  const { pictures, asked, drawn } = drawnLater('kitty');
  const seen: string[] = [];
  const beside = new SidePicture({
    ...{ pictures, changed: () => seen.push('changed') },
    signal: new AbortController().signal,
  });
  for (const name of ['a', 'b', 'c', 'd']) {
    expect(beside.of(content(name), room)).toBe(undefined);
    await settle();
  }
  await drawn(small);
  await drawn(small);
  expect([asked, seen]).toEqual([
    ['a', 'd'],
    ['changed', 'changed'],
  ]);
  const shown = beside.of(content('a'), room);
  expect(shown).toMatchObject({ columns: 32, rows: 9 });
  expect(beside.of(content('a'), room)).toBe(shown);
});

test('what cannot be drawn is not tried again; a terminal that shows none is asked for none', async () => {
  const signal = new AbortController().signal;
  const broken = drawnLater('sixel');
  const beside = new SidePicture({ pictures: broken.pictures, changed: () => {}, signal });
  beside.of(content('a'), room);
  await settle();
  await broken.drawn(undefined);
  expect(beside.of(content('a'), room)).toBe(undefined);
  expect(broken.asked).toEqual(['a']);
  const none = drawnLater(undefined);
  const without = new SidePicture({ pictures: none.pictures, changed: () => {}, signal });
  for (const name of ['a', 'b']) without.of(content(name), room);
  await without.settled();
  expect(none.asked).toEqual([]);
});

test('one that throws is none, and the run goes on', async () => {
  const pictures: Pictures = {
    terminal: async () => ({ protocol: 'sixel', cell }),
    of: async () => {
      throw new Error('a belief broke');
    },
  };
  const beside = new SidePicture({ pictures, changed: () => {}, signal: new AbortController().signal });
  beside.of(content('a'), room);
  await beside.settled();
  const { screen, clock, bytes } = sitting(pictures);
  for (const event of ENDED) screen.report(event);
  await clock.advance(1_000);
  await screen.close();
  expect(bytes()).toContain('film is finished');
});

test('what is drawn ends when nobody looks any more', async () => {
  const { pictures } = drawnLater('kitty');
  const over = new AbortController();
  const beside = new SidePicture({ pictures, changed: () => {}, signal: over.signal });
  beside.of(content('a'), room);
  await settle();
  over.abort();
  await beside.settled();
});

test.each([
  ['that is hidden by a command is drawn once', '\x1b_Ghide\x1b\\', 1],
  ['that a frame erases is drawn again after each', '', 2],
])('lines change beside a picture, and one %s; it goes with the view', async (_, hide, times) => {
  let bytes = '';
  const stream = Object.assign(new PassThrough(), { columns: 40, rows: 12 });
  stream.on('data', data => {
    bytes += data;
  });
  const output = new TerminalStream(terminalOf(stream));
  output.place({ up: 3, column: 20, picture: { columns: 10, rows: 2, show: '\x1b_Gshow\x1b\\', hide } });
  await settle();
  expect(bytes).toContain('\x1b7\x1b[3A\x1b[21G\x1b_Gshow\x1b\\\x1b8');
  for (const piece of ['\x1b[?2026h', 'one more', '\x1b[?2026l']) output.write(piece);
  await settle();
  expect(bytes.match(/show/g)).toHaveLength(times);
  output.takeAway();
  bytes = '';
  for (const piece of ['\x1b[?2026h', 'other', '\x1b[?2026l', '\x1b[?2026h', ' view', '\x1b[?2026l'])
    output.write(piece);
  await settle();
  // Two frames of one turn are one update.
  expect(bytes).toBe('\x1b[?2026hother view\x1b[?2026l');
  output.close();
});

/** A run of one shot that is made and one under way, on 100 columns; a key, and what is on the screen then. */
function sitting(pictures: Pictures | undefined, columns = 100, rows = 30) {
  const clock = new FakeClock(START);
  const terminal = openTerminal(columns, rows);
  const stdout = Object.assign(new PassThrough(), { columns, rows, isTTY: true });
  let bytes = '';
  stdout.on('data', data => {
    bytes += data;
    terminal.write(String(data).replaceAll('\n', '\r\n'));
  });
  const { keyboard, press } = keyboardOf();
  const person = { keyboard, who: async () => 'Ada', fileOf: () => 'out/fox.webp', open: async () => undefined };
  const screen = startScreen({
    ...{ terminal: terminalOf(stdout), clock, color: false, person },
    planned: () => ({ why: 'never run', request: { prompt: 'a red fox on the snow '.repeat(12) }, priceBasis: '' }),
    ...(pictures && { pictures }),
  });
  const run = started('film', [planned('still', 'I-GEN-A', [], 0), planned('film', 'V-T2V-A', ['still'], 0)]);
  for (const event of stamped([
    [0, run],
    [1, succeeded('still', media('still', 0, { kind: 'image', width: 1280, height: 720 }, 900_000))],
  ]))
    screen.report(event);
  return {
    ...{ clock, screen },
    bytes: () => bytes,
    press: async (...keys: readonly string[]) => {
      for (const key of keys) press([key]);
      await settle();
      await clock.advance(300);
    },
    seen: async () => {
      await write(terminal, '');
      return buffer(terminal);
    },
  };
}
const ENDED = stamped([
  [2, succeeded('film', media('film', 0, { width: 1280, height: 720, duration: 5 }, 900_000))],
  [2, { type: 'output_written', output: 'film', key: key('film'), path: 'out/film.mp4' }],
  [3, finished('done', { succeeded: 2 }, 0)],
]);
const UP = '\x1b[A';

test('one in full has its picture at the right, its words beside it, and is without it again behind Esc', async () => {
  const { pictures, drawn } = drawnLater('kitty');
  const { press, bytes, seen, clock, screen } = sitting(pictures);
  await clock.advance(2_000);
  await press(UP, UP, '\r');
  expect(await seen()).toMatch(/still {2}I-GEN-A/);
  expect(bytes()).not.toContain('\x1b_G');
  await drawn(small);
  await clock.advance(300);
  const shown = bytes().match(/\x1b\[(\d+)G\x1b_Ga=T,f=100,i=7463,p=1,C=1,c=32,r=9/);
  expect(shown?.[1]).toBe('68');
  const beside = (await seen()).split('\n').filter(line => /prompt|red fox/.test(line));
  expect(beside.length).toBeGreaterThan(3);
  for (const line of beside) expect(cellWidth(line.trimEnd())).toBeLessThanOrEqual(66);
  const before = bytes().length;
  await press('\x1b');
  expect(bytes().slice(before)).toContain('\x1b_Ga=d,d=I,i=7463');
  await press('\r');
  expect(bytes().match(/\x1b_Ga=T/g)).toHaveLength(2);
  await screen.close();
  expect(bytes().lastIndexOf('\x1b_Ga=d')).toBeGreaterThan(bytes().lastIndexOf('\x1b_Ga=T'));
});

test.each([
  ['pictures are off', undefined, 100, 30],
  ['the terminal shows none', drawnLater(undefined).pictures, 100, 30],
  ['there is no room beside the words', drawnLater('kitty').pictures, 60, 30],
  ['there is no room below', drawnLater('kitty').pictures, 100, 14],
])('none where %s', async (_, pictures, columns, rows) => {
  const { press, bytes, seen, clock, screen } = sitting(pictures, columns, rows);
  await clock.advance(2_000);
  await press(UP, UP, '\r');
  expect(await seen()).toMatch(/still {2}I-GEN-A/);
  expect(bytes()).not.toMatch(/\x1b_G|\x1bP|\x1b\]1337/);
  await screen.close();
});
