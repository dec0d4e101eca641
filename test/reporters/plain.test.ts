import { expect, test } from 'vitest';
import type { Reporter, Stamped } from '../../src/domain/event.ts';
import { plainReporter } from '../../src/reporters/plain.ts';
import { quietReporter } from '../../src/reporters/quiet.ts';
import { seen } from '../ui/frame.ts';
import { bulk, detached, failing, resumed, teaser, unchanged, unknown } from '../ui/recordings.ts';

test('plain: a film that is made', () => {
  expect(lines(plainReporter, teaser)).toMatchInlineSnapshot();
});

test('plain: a run that had nothing to do', () => {
  expect(lines(plainReporter, unchanged)).toMatchInlineSnapshot();
});

test('plain: a failure, what it blocks, and how to go on', () => {
  expect(lines(plainReporter, failing)).toMatchInlineSnapshot();
});

test('plain: a busy service, a request without an answer, a service that goes and comes back', () => {
  expect(lines(plainReporter, unknown)).toMatchInlineSnapshot();
});

test('plain: after Ctrl-C', () => {
  expect(lines(plainReporter, detached)).toMatchInlineSnapshot();
});

test('plain: taken up again', () => {
  expect(lines(plainReporter, resumed)).toMatchInlineSnapshot();
});

test('plain: many results that were already here are one line', () => {
  expect(lines(plainReporter, bulk)).toMatchInlineSnapshot();
});

test('plain text and the screen end in the same words', () => {
  for (const recording of [teaser, failing, detached, unchanged]) {
    const plain = words(lines(plainReporter, recording).split('\n\n')[1]!);
    const screen = words(seen(recording, 99, 200));
    expect(screen.endsWith(plain), `${screen}\n${plain}`).toBe(true);
  }
});

test('the command that was really given is the one to go on with', () => {
  const reporter = (write: (line: string) => void) =>
    plainReporter(write, { command: 'shotlist run fox.yaml --param seed=3' });
  expect(lines(reporter, failing).split('\n').at(-1)).toBe('  shotlist run fox.yaml --param seed=3');
});

test('quiet: only what failed, and the last line', () => {
  expect(lines(quietReporter, failing)).toBe(
    'framed failed: input video is 40.0 s long, at most 30 s are taken\n' +
      'teaser is not finished after 9.1s: 1 failed, 2 blocked, 1 made, $0.60 spent',
  );
  expect(lines(quietReporter, teaser)).toBe('teaser is finished in 23.8s: 4 made, $2.40 spent');
});

function lines(start: (write: (line: string) => void) => Reporter, recording: readonly Stamped[]): string {
  const written: string[] = [];
  const reporter = start(line => written.push(line));
  for (const event of recording) reporter.report(event);
  return written.join('\n');
}

/** Where lines break and how far they are indented is each one's own. */
const words = (text: string): string => text.replace(/\s+/g, ' ').trim();
