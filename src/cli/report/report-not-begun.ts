/** Gives the reporters of `--report` the reason why a run stopped before it began. */

import type { Environment } from '../../app/reports/github-job.ts';
import type { ReportTarget } from '../../app/reports/report-targets.ts';
import type { Reporter } from '../../model/run/event.ts';
import { bugReport } from '../errors/bug-report.ts';
import { type Ending, endingOf } from '../errors/command-error.ts';
import { EXIT_CODES, OUTCOME_OF_EXIT } from '../errors/exit-codes.ts';
import { say, withoutSecrets } from '../outlets.ts';

interface Wanted {
  readonly targets: readonly ReportTarget[];
  /** The film's file as a person typed it. */
  readonly file: string;
  readonly environment: Environment;
}

/** @param run is handed what notices that a run has begun. */
export async function reportedIfNotBegun<T>(wanted: Wanted, run: (beginning: Reporter) => Promise<T>): Promise<T> {
  let hasBegun = false;
  const report = () => {
    hasBegun = true;
  };
  try {
    return await run({ report, close: async () => {} });
  } catch (error) {
    if (!hasBegun && wanted.targets.length > 0) {
      const { exit, message, diagnostics } = endingOf(error) ?? endingOfBug(error, wanted);
      const stopped = { exit, message, diagnostics, type: OUTCOME_OF_EXIT[exit], brief: EXIT_CODES[exit].brief };
      const { reportNotBegun } = await import('../../app/reports/extra-reporters.ts');
      await reportNotBegun({ ...wanted, say, redact: withoutSecrets }, stopped);
    }
    throw error;
  }
}

function endingOfBug(error: unknown, { environment }: Wanted): Ending {
  const lines = bugReport(error, 'run', environment);
  return { exit: 1, message: lines.join('\n'), lines, diagnostics: [] };
}
