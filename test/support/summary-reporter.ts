/**
 * The last lines of a run: how many tests passed, failed and were skipped, and what would run those that were skipped. With
 * `WRITE_DURATIONS=1` it also writes how long each file took (`longest-first.ts` reads it).
 */
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { skippedLine } from './needs.ts';

/** Seconds. The order of quicker files makes no difference. */
const MIN_DURATION = 1;

export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap(({ children }) => [...children.allTests()]);
    const count = (state: 'passed' | 'failed' | 'skipped') =>
      tests.filter(test => test.result().state === state).length;
    // A file that cannot be read has no tests, and an error that no test caught fails the run as well.
    const broken = modules.filter(module => module.errors().length > 0).length + unhandledErrors.length;
    const skipped = count('skipped');
    const line = skippedLine(skipped);
    if (line !== undefined) console.log(`\n${line}`);
    console.log(`\n${count('passed')} passed, ${count('failed') + broken} failed, ${skipped} skipped`);
    if (process.env.WRITE_DURATIONS) writeDurations(modules);
  }
}

function writeDurations(modules: readonly TestModule[]): void {
  const seconds = modules
    .map(module => [relative(process.cwd(), module.moduleId), Math.round(module.diagnostic().duration / 1000)] as const)
    .filter(([, duration]) => duration >= MIN_DURATION)
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  writeFileSync(
    join(import.meta.dirname, 'durations.json'),
    `${JSON.stringify(Object.fromEntries(seconds), null, 2)}\n`,
  );
}
