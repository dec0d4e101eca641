import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { PATIENCE, POLL_PATIENCE } from './test/support/patience.ts';

const common = {
  testTimeout: PATIENCE,
  hookTimeout: PATIENCE,
  expect: { poll: { timeout: POLL_PATIENCE } },
  // Two more than there are processors, as whole processes often wait: three kept two processors busy for 85 % of the time. The same number for all projects makes one queue of them: while a whole process of one waits, files of the others run.
  maxWorkers: availableParallelism() + 2,
} as const;

/** Whole processes, which run the bundle. */
const PROCESSES = ['test/e2e/**/*.test.ts'];

/** Files that need a process of their own: they measure it, end it, or change what all files of a process share. */
const ISOLATED = [
  'test/**/*-browser.test.ts',
  'test/properties/**/*.test.ts',
  'test/run/command-logs.test.ts',
  'test/simulate/**/*.test.ts',
  'test/studio/hostile.test.ts',
];

/** Files whose native libraries, child processes and disks do not belong into a thread. */
const NATIVE = ['test/{chaos,contract,cut,gallery,machine,media,pages,store,studio,team,vices}/**/*.test.{ts,tsx}'];

/** Cases at a service that one names, which bills them. */
const ON_DEMAND = process.env.CONTRACT_URL ? [] : ['test/contract/anywhere.test.ts'];

/** One process, or thread, tests many files, and each module is loaded once. */
const reused = { isolate: false, setupFiles: ['test/support/leaves-nothing.ts'] };

export default defineConfig({
  test: {
    reporters: ['default', './test/support/summary-reporter.ts'],
    sequence: { sequencer: LongestFirst },
    // Each starts its program when the first file asks for it.
    globalSetup: ['memory-folder', 'postgres-of-run', 'shared-browser'].map(name => `test/support/${name}.ts`),
    projects: [
      {
        test: { ...common, ...reused, name: 'processes', include: PROCESSES, globalSetup: ['test/support/build.ts'] },
      },
      { test: { ...common, name: 'isolated', include: ISOLATED } },
      { test: { ...common, ...reused, name: 'native', include: NATIVE, exclude: [...ISOLATED, ...ON_DEMAND] } },
      {
        test: {
          ...common,
          ...reused,
          name: 'shared',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...PROCESSES, ...ISOLATED, ...NATIVE],
          pool: 'threads',
        },
      },
    ],
  },
});
