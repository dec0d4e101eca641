import { defineConfig } from 'vitest/config';

const patient = { testTimeout: 120_000, hookTimeout: 120_000, pool: 'forks' } as const;

export default defineConfig({
  test: {
    projects: [
      { test: { ...patient, name: 'rooms', include: ['test/**/*.test.{ts,tsx}'], exclude: ['test/e2e/**'] } },
      // Whole processes run the bundle, made afresh; they share two cores with renders, so one file at a time.
      {
        test: {
          ...patient,
          name: 'house',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/support/build.ts'],
          fileParallelism: false,
        },
      },
    ],
  },
});
