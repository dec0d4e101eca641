/** A service's own words, a page of them: told once where it happened, in a line at the end, and whole to a program. */
import { expect, test } from 'vitest';
import type { GenerationId } from '../../src/model/run/key.ts';
import { jsonLine } from '../../src/show/reporters/json-lines.ts';
import { plainReporter } from '../../src/show/reporters/plain.ts';
import { quietReporter } from '../../src/show/reporters/quiet.ts';
import { seen } from '../terminal/seen.ts';
import { finished, intended, key, planned, stamped, started } from '../text/recordings.ts';

const page = `prompt is unsafe: ${'very '.repeat(20_000)}unsafe, says the reviewer`;
const failing = (message: string) =>
  stamped([
    [0, started('fox', [planned('shot', 'V-UP', [], 0.5)], { service: 'hub' })],
    [0, intended('shot', 'V-UP', 0.5)],
    [0.5, { type: 'service_changed', reachable: false, reason: message }],
    [
      1,
      {
        ...{ type: 'failed', key: key('shot') },
        failure: { code: 'generation_failed', generation_id: 'gen_1' as GenerationId, message },
      },
    ],
    [2, finished('failed', { failed: 1 }, 0)],
  ]);

function told(reporter: typeof plainReporter, message: string): readonly string[] {
  const lines: string[] = [];
  const one = reporter(line => lines.push(line));
  for (const event of failing(message)) one.report(event);
  return lines;
}

test('plain: its beginning and its end where it failed, a line of it in the summary', () => {
  const lines = told(plainReporter, page);
  const row = lines.find(line => line.includes('failed: ')) ?? '';
  expect(row).toMatch(
    /failed: prompt is unsafe: very .* … \(98,\d{3} characters more in the journal\) … .*very unsafe, says the reviewer$/,
  );
  expect(row.length).toBeLessThan(2100);
  const summary = lines.slice(lines.indexOf(''));
  expect(summary.join('\n')).toMatch(
    /hub could not make it: prompt is unsafe: very .*… \(generation gen_1\); it may have cost \$0\.50/,
  );
  expect(summary.join('\n').length).toBeLessThan(700);
  for (const line of lines) expect(line.length).toBeLessThan(2100);
});

test('what is short is told as it is, in both places', () => {
  const lines = told(plainReporter, 'prompt is unsafe');
  expect(lines).toContain('   +1.0s  shot  failed: prompt is unsafe');
  expect(lines).toContain('  hub could not make it: prompt is unsafe (generation gen_1); it may have cost $0.50');
});

test('quiet: once', () => {
  const lines = told(quietReporter, page);
  expect(lines.length).toBe(2);
  expect(lines[0]?.length).toBeLessThan(2100);
});

test('the screen has room for a row of it, and tells it at the end', () => {
  const text = seen(failing(page), 3, 100).replaceAll(/\n */g, ' ');
  expect(text.length).toBeLessThan(3500);
  expect(text.split('says the reviewer').length).toBe(2);
});

test('JSON: all of it, for a program', () => {
  expect(JSON.parse(jsonLine(failing(page)[3]!, () => undefined)).failure.message).toBe(page);
});

test('a log keeps its end, where the reason stands', () => {
  const log = `the command ended with exit code 1:\n${'frame 1 of 9000\n'.repeat(1000)}error: no such filter: 'snow'`;
  expect(told(plainReporter, log).find(line => line.includes('failed: '))).toMatch(/no such filter: 'snow'$/);
});
