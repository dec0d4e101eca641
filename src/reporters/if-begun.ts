import type { Reporter } from '../domain/event.ts';

/** A reporter that is not asked to tell of a run of which nothing happened: why it did not begin is told elsewhere. */
export function ifBegun(reporter: Reporter): Reporter {
  let hasBegun = false;
  return {
    report(event) {
      hasBegun = true;
      reporter.report(event);
    },
    async close() {
      if (hasBegun) await reporter.close();
    },
  };
}
