import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { PATIENCE, POLL_PATIENCE } from './test/support/patience.ts';

const common = {
  testTimeout: PATIENCE,
  hookTimeout: PATIENCE,
  expect: { poll: { timeout: POLL_PATIENCE } },
  // One more than there are processors, as whole processes often wait. The same number for all projects makes one queue of them: while a whole process of one waits, files of the others run.
  maxWorkers: availableParallelism() + 1,
} as const;

/** Whole processes, which run the bundle. */
const PROCESSES = ['test/e2e/**/*.test.ts'];

/** Files that need a process of their own: they measure it, end it, or change what all files of a process share. */
const ISOLATED = [
  'test/{artifacts,chaos,cluster,contract,cutting,gallery,host,media,pages,properties,simulate,studio,vices}/**/*.test.{ts,tsx}',
  'test/run/command-logs.test.ts',
];

/** Cases at a service that one names, which bills them. */
const ON_DEMAND = process.env.CONTRACT_URL ? [] : ['test/contract/anywhere.test.ts'];

export default defineConfig({
  test: {
    reporters: ['default', './test/support/summary-reporter.ts'],
    sequence: { sequencer: LongestFirst },
    // Each starts its program when the first file asks for it.
    globalSetup: ['memory-folder', 'postgres-of-run', 'shared-browser'].map(name => `test/support/${name}.ts`),
    projects: [
      { test: { ...common, name: 'processes', include: PROCESSES, globalSetup: ['test/support/build.ts'] } },
      { test: { ...common, name: 'isolated', include: ISOLATED, exclude: ON_DEMAND } },
      // One thread tests many files, and each module is loaded once.
      {
        test: {
          ...common,
          name: 'shared',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...PROCESSES, ...ISOLATED],
          pool: 'threads',
          isolate: false,
          setupFiles: ['test/support/leaves-nothing.ts'],
        },
      },
    ],
  },
});
