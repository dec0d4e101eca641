import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

const shared = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // A second, as it is without this, is not enough for a whole process beside another.
  expect: { poll: { timeout: 40_000 } },
  pool: 'forks',
  // The same number for both projects makes one queue of them: while a whole process of the one waits, files of the other run.
  maxWorkers: availableParallelism(),
} as const;

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...shared, name: 'rooms', include: ['test/**/*.test.{ts,tsx}'], exclude: ['test/e2e/**'] } },
      // Whole processes run the bundle, made afresh.
      {
        test: { ...shared, name: 'house', include: ['test/e2e/**/*.test.ts'], globalSetup: ['test/support/build.ts'] },
      },
    ],
  },
});
