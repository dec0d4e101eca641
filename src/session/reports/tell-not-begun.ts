/** A run that stops before it begins: whoever was to be told of it is told that, and why. */
import { type Diagnostic, isError } from '../../domain/diagnostic.ts';
import { systemClock } from '../../host/clock.ts';
import { writeAtomically } from '../../host/files.ts';
import type { NotBegun } from '../../reporters/not-begun.ts';
import { count } from '../../telling/count.ts';
import { messages } from './beside-messages.ts';
import type { Beside } from './beside-reporters.ts';
import { addToSummary, placeIn } from './github-job.ts';
import { inWords } from './in-words.ts';
import type { ReportTarget } from './report-targets.ts';

export interface ToTell extends Pick<Beside, 'file' | 'environment' | 'say'> {
  readonly targets: readonly ReportTarget[];
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
}

export interface Stopped extends Pick<NotBegun, 'brief' | 'exit' | 'message' | 'type'> {
  readonly diagnostics: readonly Diagnostic[];
}

/** What cannot be written is said, and changes nothing. */
export async function tellNotBegun(toTell: ToTell, { diagnostics, ...stopped }: Stopped): Promise<void> {
  const mistakes = diagnostics.filter(isError);
  const brief = mistakes.length > 0 ? `it has ${count(mistakes.length, 'mistake')}` : stopped.brief;
  const message = toTell.redact(stopped.message);
  const told: NotBegun = { ...stopped, file: toTell.file, at: systemClock.now(), brief, message, mistakes };
  for (const target of toTell.targets) {
    try {
      await tell(target, told, toTell);
    } catch (error) {
      toTell.say(notTold(target, error instanceof Error ? error.message : String(error)));
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

async function tell(target: ReportTarget, told: NotBegun, toTell: ToTell): Promise<void> {
  const { file, environment, redact, say } = toTell;
  const { notBegunJunit, notBegunMarkdown, notBegunTitle } = await import('../../reporters/not-begun.ts');
  switch (target.is) {
    case 'junit':
      return inWords(() => writeAtomically(target.path, redact(notBegunJunit(told))));
    case 'html': {
      const { writeNotBegun } = await import('../../pages/report/not-begun-page.ts');
      return writeNotBegun(target.folder, { ...told, said: (await saidIn(told)).map(redact) }, systemClock);
    }
    case 'github': {
      // Mistakes stand on their lines already.
      if (told.message !== '') {
        const { annotation } = await import('../../reporters/github-commands.ts');
        const place = placeIn({ path: file, text: '' }, { start: 0, end: 0 }, environment);
        say(annotation({ kind: 'error', title: notBegunTitle(told), message: told.message, place }));
      }
      return addToSummary(redact(notBegunMarkdown(told)), environment);
    }
  }
}

async function saidIn({ mistakes, message }: NotBegun): Promise<readonly string[]> {
  const { formatDiagnostics } = await import('../../language/excerpt.ts');
  return [...(mistakes.length > 0 ? [formatDiagnostics(mistakes)] : []), ...(message === '' ? [] : [message])];
}
