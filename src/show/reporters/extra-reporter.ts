/**
 * A reporter beside the screen: its output can be made again from the journal, and the run cannot. So whatever it throws ends it alone, and is
 * shown when the run is over.
 */
import type { RecordedEvent, Reporter } from '../../model/run/event.ts';

export interface ExtraReporter extends Reporter {
  /** Why it came to nothing, in words; absent: it did not, or is not closed yet. */
  problem(): string | undefined;
}

/** Closes them, then reports what they could not do. */
export async function closeReporters(
  reporters: readonly ExtraReporter[],
  say: (problem: string) => void,
): Promise<void> {
  for (const reporter of reporters) await reporter.close();
  for (const reporter of reporters) {
    const problem = reporter.problem();
    if (problem !== undefined) say(problem);
  }
}

/** @param describe the message where it fails: `the JUnit file build/film.xml is not written: no space left`. */
export function isolated(reporter: Reporter, describe: (why: string) => string): ExtraReporter {
  let why: string | undefined;
  const failed = (error: unknown) => {
    why ??= error instanceof Error ? error.message : String(error);
  };
  return {
    report(event: RecordedEvent): void {
      if (why !== undefined) return;
      try {
        reporter.report(event);
      } catch (error) {
        failed(error);
      }
    },
    async close(): Promise<void> {
      // It may hold something, also where it has failed.
      try {
        await reporter.close();
      } catch (error) {
        failed(error);
      }
    },
    problem: () => (why === undefined ? undefined : describe(why)),
  };
}
