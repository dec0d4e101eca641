import type { Reporter } from '../../model/run/event.ts';

/** A reporter that skips a run without events: another report shows why it did not begin. */
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
