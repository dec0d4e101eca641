/** A run that stops before it begins: whoever was to be told of it by `--report` is told that, and why. */
import { isError } from '../../domain/diagnostic.ts';
import type { Reporter } from '../../domain/event.ts';
import { systemClock } from '../../host/clock.ts';
import { writeAtomically } from '../../host/files.ts';
import type { NotBegun } from '../../reporters/not-begun.ts';
import { count } from '../../telling/count.ts';
import { bugReport } from '../errors/bug-report.ts';
import { type Ending, endingOf } from '../errors/exit-code.ts';
import { EXIT_CODES, type ExitCode } from '../errors/exit-codes.ts';
import { say, withoutSecrets } from '../outlets.ts';
import { messages } from './beside-messages.ts';
import { addToSummary, type Environment, placeIn } from './github-job.ts';
import { inWords } from './in-words.ts';
import type { ReportTarget } from './report-targets.ts';

export interface Wanted {
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
    if (!hasBegun && wanted.targets.length > 0)
      await tellNotBegun(wanted, endingOf(error) ?? endingOfBug(error, wanted));
    throw error;
  }
}

function endingOfBug(error: unknown, { environment }: Wanted): Ending {
  const said = bugReport(error, 'run', environment);
  return { exit: 1, message: said.join('\n'), said, diagnostics: [] };
}

/** The word for programs, the same as a run that has begun ends with. */
const TYPES = {
  ...{ 0: 'done', 1: 'failed', 2: 'mistake', 3: 'frozen', 4: 'budget', 5: 'waiting', 6: 'unreachable' },
  130: 'interrupted',
} as const satisfies Record<ExitCode, string>;

async function tellNotBegun(wanted: Wanted, { exit, message, diagnostics }: Ending): Promise<void> {
  const mistakes = diagnostics.filter(isError);
  const brief = mistakes.length > 0 ? `it has ${count(mistakes.length, 'mistake')}` : EXIT_CODES[exit].brief;
  const stopped: NotBegun = {
    ...{ file: wanted.file, at: systemClock.now(), exit, brief, type: TYPES[exit], mistakes },
    message: withoutSecrets(message),
  };
  for (const target of wanted.targets) {
    try {
      await tell(target, stopped, wanted);
    } catch (error) {
      say(notTold(target, error instanceof Error ? error.message : String(error)));
    }
  }
}

const notTold = (target: ReportTarget, why: string): string => {
  switch (target.is) {
    case 'junit':
      return messages.junit(target.path, why);
    case 'html':
      return messages.notBegun(target.folder, why);
    case 'github':
      return messages.github(why);
  }
};

async function tell(target: ReportTarget, stopped: NotBegun, { file, environment }: Wanted): Promise<void> {
  const { notBegunJunit, notBegunMarkdown, notBegunTitle } = await import('../../reporters/not-begun.ts');
  switch (target.is) {
    case 'junit':
      return inWords(() => writeAtomically(target.path, withoutSecrets(notBegunJunit(stopped))));
    case 'html': {
      const { writeNotBegun } = await import('../../pages/report/not-begun-page.ts');
      return writeNotBegun(target.folder, { ...stopped, said: await saidIn(stopped) }, systemClock);
    }
    case 'github': {
      // Mistakes stand on their lines already.
      if (stopped.message !== '') {
        const { annotation } = await import('../../reporters/github-commands.ts');
        const place = placeIn({ path: file, text: '' }, { start: 0, end: 0 }, environment);
        say(annotation({ kind: 'error', title: notBegunTitle(stopped), message: stopped.message, place }));
      }
      return addToSummary(withoutSecrets(notBegunMarkdown(stopped)), environment);
    }
  }
}

async function saidIn({ mistakes, message }: NotBegun): Promise<readonly string[]> {
  const { formatDiagnostics } = await import('../../language/excerpt.ts');
  const said = [...(mistakes.length > 0 ? [formatDiagnostics(mistakes)] : []), ...(message === '' ? [] : [message])];
  return said.map(text => withoutSecrets(text));
}
