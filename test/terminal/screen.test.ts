import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { RecordedEvent } from '../../src/model/run/event.ts';
import { startScreen } from '../../src/show/terminal/screen.tsx';
import type { Suspension } from '../../src/show/terminal/screen-options.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { crowd, progress, START, stamped, teaser } from '../text/recordings.ts';
import { buffer, openTerminal, terminalOf, write } from './terminal.ts';

test('a flood of news in one second is at most four frames', async () => {
  const { clock, screen, frames } = open();
  screen.report(teaser[0]!);
  screen.report(teaser[2]!);
  await clock.advance(300);
  const before = frames();
  const flood = stamped(
    [...Array(1000).keys()].map(n => [0.3 + n / 1000, progress('shot', 'processing', null, n / 1000)]),
  );
  for (const event of flood) {
    await clock.advance(1);
    screen.report(event);
  }
  expect(frames() - before).toBeGreaterThanOrEqual(2);
  expect(frames() - before).toBeLessThanOrEqual(5);
  await screen.close();
});

test('while only time passes there is one frame a second', async () => {
  const { clock, screen, frames } = open();
  for (const event of crowd) screen.report(at(event, START));
  await clock.advance(1100);
  const before = frames();
  await clock.advance(10_000);
  expect(frames() - before).toBeGreaterThanOrEqual(5);
  expect(frames() - before).toBeLessThanOrEqual(10);
  await screen.close();
});

test('when nothing changes nothing is written', async () => {
  const { clock, screen, written } = open();
  for (const event of teaser) screen.report(at(event, START));
  await clock.advance(2000);
  const before = written();
  await clock.advance(60_000);
  for (let n = 0; n < 20; n += 1) screen.report(teaser[1]!);
  await clock.advance(60_000);
  expect(written()).toBe(before);
  await screen.close();
});

test('a closed screen leaves nobody asleep', async () => {
  const { clock, screen } = open();
  screen.report(teaser[0]!);
  await clock.advance(700);
  await screen.close();
  expect(await clock.advance(5000)).toBe(undefined);
  expect(clock.sleeping).toEqual([]);
});

test.each([
  [120, 70],
  [80, 40],
  [200, 33],
])(
  'made narrower, from %i columns to %i, the terminal shows one live part, and no piece of the one before',
  async (from, to) => {
    const clock = new FakeClock(START);
    const terminal = openTerminal(from, 30);
    const stdout = Object.assign(new PassThrough(), { columns: from, rows: 30, isTTY: true });
    stdout.on('data', data => terminal.write(String(data).replaceAll('\n', '\r\n')));
    const screen = startScreen({ terminal: terminalOf(stdout), clock, color: false });
    for (const event of crowd) screen.report(at(event, START));
    await clock.advance(1_100);
    await write(terminal, '');
    expect(buffer(terminal).match(/── crowd/g)).toHaveLength(1);
    terminal.resize(to, 30);
    stdout.columns = to;
    stdout.emit('resize');
    await clock.advance(1_100);
    await write(terminal, '');
    const seen = buffer(terminal);
    expect(seen.match(/── crowd/g), seen).toHaveLength(1);
    expect(seen.match(/1\/120 |1 of 120 done/g), seen).toHaveLength(1);
    await screen.close();
  },
);

test('stopped unseen and continued three times in one breath, the terminal shows the live part again', async () => {
  const clock = new FakeClock(START);
  const seen = openTerminal(80, 30);
  const stdout = Object.assign(new PassThrough(), { columns: 80, rows: 30, isTTY: true });
  stdout.on('data', data => seen.write(String(data).replaceAll('\n', '\r\n')));
  let heard: Suspension | undefined;
  const onSuspend = (listener: Suspension) => {
    heard = listener;
    return () => {};
  };
  const terminal = { ...terminalOf(stdout), columns: 80, rows: 30, onSuspend };
  const screen = startScreen({ terminal, clock, color: false });
  for (const event of crowd) screen.report(at(event, START));
  await clock.advance(1_100);
  for (let n = 0; n < 3; n += 1) heard?.resumed();
  await clock.advance(1_100);
  heard?.suspending();
  heard?.resumed();
  await clock.advance(1_100);
  await write(seen, '');
  expect(buffer(seen).split('\n').slice(-30).join('\n')).toContain('── crowd');
  await screen.close();
});

const at = (event: RecordedEvent, when: number): RecordedEvent => ({ ...event, at: when });

/** A screen on a terminal of 80×24 that remembers what was written. A frame is what stands between the marks of a synchronised update. */
function open() {
  const clock = new FakeClock(START);
  const stdout = Object.assign(new PassThrough(), { columns: 80, rows: 24, isTTY: true });
  let bytes = '';
  stdout.on('data', data => {
    bytes += data;
  });
  const screen = startScreen({ terminal: terminalOf(stdout), clock, color: false });
  return { clock, screen, written: () => bytes.length, frames: () => bytes.split('\x1b[?2026h').length - 1 };
}
