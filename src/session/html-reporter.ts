/**
 * A reporter that leaves a report page behind: `run --report html=DIR`. It is drawn from the journal when the run has ended, like any later
 * one; whatever becomes of it, the run's own outcome stands.
 */
import type { Reporter } from '../domain/event.ts';
import { findReport, type RunsToLookAt } from './run-report.ts';
import { writeRunReport } from './write-run-report.ts';

export interface HtmlReport extends RunsToLookAt {
  /** A folder. */
  readonly to: string;
  /** Takes what is the matter, as a sentence. */
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

export function htmlReporter({ to, say, signal, ...asked }: HtmlReport): Reporter {
  let run: string | undefined;
  return {
    report: event => {
      if (event.type === 'run_started') run = event.run;
    },
    close: async () => {
      try {
        const found = findReport(asked, run);
        if (run === undefined || found.is !== 'found') return;
        await writeRunReport({ project: asked.project, report: found.report, as: 'folder', to, signal });
      } catch (error) {
        say(
          `the report could not be drawn: ${error instanceof Error ? error.message : String(error)}; shotlist report ${asked.file} draws it again`,
        );
      }
    },
  };
}
