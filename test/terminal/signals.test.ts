/** What a run shows beside its screen: the window's title, the progress on its tab, the bell. */
import { expect, test } from 'vitest';
import { terminalSignals } from '../../src/cli/terminal/real-terminal.ts';
import type { RecordedEvent } from '../../src/model/run/event.ts';
import type { InstanceKey } from '../../src/model/run/key.ts';
import { startScreen } from '../../src/show/terminal/screen.tsx';
import { FakeClock } from '../support/fake-clock.ts';
import { failing, START, teaser, unchanged } from '../text/recordings.ts';
import { keyboardOf } from './terminal.ts';

/** What the window is told while a recording goes on. */
async function signalled(recording: readonly RecordedEvent[], ask = false): Promise<readonly string[]> {
  const told: string[] = [];
  const clock = new FakeClock(START);
  const signals = {
    title: (words: string) => told.push(words),
    progress: (state: string, share: number) => told.push(`${state} ${Math.round(share * 100)} %`),
    bell: () => told.push('bell'),
    reset: () => told.push('reset'),
  };
  const terminal = { columns: 80, rows: 24, reflows: true, write: () => {}, onResize: () => () => {}, signals };
  const { keyboard, press } = keyboardOf();
  const person = { keyboard, who: async () => 'Ada', fileOf: () => undefined };
  const screen = startScreen({
    ...{ terminal: { ...terminal, onSuspend: () => () => {} }, clock, color: false },
    ...(ask && { person: { ...person, open: async () => undefined } }),
  });
  for (const event of recording) {
    await clock.advance(event.at - clock.now());
    screen.report(event);
  }
  await clock.advance(2_000);
  if (ask) {
    const over = new AbortController();
    const question = {
      key: 'best' as InstanceKey,
      is: 'approve',
      ask: 'good?',
      count: 1,
      options: [],
      awaited: [],
    } as const;
    const answer = screen.decide?.({ ...question, onChange: () => () => {} }, over.signal);
    press(['a']);
    await clock.advance(2_000);
    over.abort();
    await answer;
    await clock.advance(2_000);
  }
  await screen.close();
  return told;
}

test('a run shows how far it is, and gives the title back; a long one rings at its end', async () => {
  const told = await signalled(teaser);
  expect(told.slice(0, 2)).toEqual(['teaser 0/4', 'running 0 %']);
  expect(told).toContain('teaser 2/4');
  expect(told).toContain('running 50 %');
  expect(told.slice(-2)).toEqual(['reset', 'bell']);
});

test('a failure is seen on the tab', async () => {
  const told = await signalled(failing.slice(0, -1));
  expect(told.filter(word => word.startsWith('failed')).length).toBeGreaterThan(0);
});

test('a run that is over at once neither rings nor leaves a title', async () => {
  const told = await signalled(unchanged);
  expect(told).not.toContain('bell');
  expect(told.filter(word => word !== 'reset').length === 0 || told.at(-1) === 'reset').toBe(true);
});

test('a question rings once, and says so in the title', async () => {
  expect(await signalled(teaser.slice(0, 1), true)).toEqual([
    ...['teaser 0/4', 'running 0 %', 'teaser: waits for you', 'waiting 0 %', 'bell'],
    ...['teaser 0/4', 'running 0 %', 'reset'],
  ]);
});

const XTERM = { TERM: 'xterm-256color' };
test.each([
  ['xterm', XTERM, '\x1b[22;2t\x1b]2;fox 1/2\x1b\\', '\x1b[23;2t'],
  ['Linux at its console', { TERM: 'linux' }, '', ''],
  ['tmux', { ...XTERM, TMUX: '/tmp/tmux' }, '', ''],
  [
    'Ghostty',
    { TERM: 'xterm-ghostty' },
    '\x1b[22;2t\x1b]2;fox 1/2\x1b\\\x1b]9;4;1;50\x1b\\',
    '\x1b[23;2t\x1b]9;4;0\x1b\\',
  ],
  [
    'iTerm2 3.6.6',
    { ...XTERM, TERM_PROGRAM: 'iTerm.app', TERM_PROGRAM_VERSION: '3.6.6' },
    '\x1b[22;2t\x1b]2;fox 1/2\x1b\\\x1b]9;4;1;50\x1b\\',
    '\x1b[23;2t\x1b]9;4;0\x1b\\',
  ],
  [
    'iTerm2 3.5, which would show a notification',
    { ...XTERM, TERM_PROGRAM: 'iTerm.app', TERM_PROGRAM_VERSION: '3.5.14' },
    '\x1b[22;2t\x1b]2;fox 1/2\x1b\\',
    '\x1b[23;2t',
  ],
])('%s gets what it knows, and gets it back', (_, environment, shown, restored) => {
  let bytes = '';
  const signals = terminalSignals(environment, text => {
    bytes += text;
  });
  signals.title('fox 1/2');
  signals.progress('running', 0.5);
  expect(bytes).toBe(shown);
  expect(signals.restoring()).toBe(restored);
  bytes = '';
  signals.reset();
  signals.reset();
  expect(bytes).toBe(restored);
});
