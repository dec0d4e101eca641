/** The reporters that `--report` and a program ask for, beside whatever shows the run: none of them can stop it, nor change how it ends. */

import { randomUUID } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { writeAtomically } from '../../machine/files/files.ts';
import type { Project } from '../../machine/files/project.ts';
import { systemClock } from '../../machine/time/clock.ts';
import { type Diagnostic, isError } from '../../model/diagnostic.ts';
import type { Pipeline } from '../../model/pipeline.ts';
import { Refusal } from '../../model/run/decision-page.ts';
import type { RecordedEvent, Reporter } from '../../model/run/event.ts';
import type { StepName } from '../../model/run/key.ts';
import type { RunReport } from '../../model/run/run-report.ts';
import { asTyped } from '../../model/text/clean.ts';
import { counted } from '../../model/text/format.ts';
import { beside, type ExtraReporter } from '../../show/reporters/beside.ts';
import { ifBegun } from '../../show/reporters/if-begun.ts';
import type { NotBegun } from '../../show/reporters/not-begun.ts';
import { addToSummary, type Job, placeIn, withReadableDiskError } from './github-job.ts';
import { messages, type ReportTarget } from './report-targets.ts';

/** What can be seen before anything is sent. @throws {Refusal} */
export async function stopUnlessReportable(targets: readonly ReportTarget[]): Promise<void> {
  for (const target of targets) {
    if (target.is !== 'junit') continue;
    const found = await stat(target.path).catch(() => undefined);
    if (found?.isDirectory()) throw new Refusal(messages.isFolder(target.path));
    if (found?.isFile() && found.size > 0 && !(await beginsAsXml(target.path)))
      throw new Refusal(messages.notXml(target.path));
  }
}

/** Any other file there is a person's work: a pipeline, a lock, a film. */
async function beginsAsXml(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  if (!file) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
    return /^\ufeff?\s*</.test(buffer.toString('utf8', 0, bytesRead));
  } finally {
    await file.close();
  }
}

interface Beside extends Job {
  readonly project: Project;
  /** The film's file as a person typed it. */
  readonly file: string;
  readonly pipeline: Pipeline;
  /** What to type to go on. */
  readonly command: string;
}

export function besideReporters(targets: readonly ReportTarget[], told: Beside): Promise<readonly ExtraReporter[]> {
  return Promise.all(targets.map(target => besideReporter(target, told)));
}

async function besideReporter(target: ReportTarget, told: Beside): Promise<ExtraReporter> {
  const { environment, command, pipeline, file, say } = told;
  switch (target.is) {
    case 'junit': {
      const { junitReporter } = await import('../../show/reporters/junit.ts');
      const write = (document: string) => withReadableDiskError(() => writeAtomically(target.path, document));
      return beside(ifBegun(junitReporter({ command, write })), why => messages.junit(target.path, why));
    }
    case 'github': {
      const { githubReporter } = await import('../../show/reporters/github.ts');
      const placeOf = (step: StepName) => {
        const found = pipeline.steps.find(({ name }) => name === step);
        return found && placeIn(found.inside?.file.source ?? pipeline.source, found.at, environment);
      };
      const summarise = (markdown: string) => addToSummary(markdown, environment);
      const newToken = () => `shotlist-${randomUUID()}`;
      const reporter = githubReporter({ write: say, summarise, placeOf, newToken, command });
      return beside(ifBegun(reporter), messages.github);
    }
    case 'html': {
      const again = ['shotlist', 'report', file].map(asTyped).join(' ');
      return beside(pageReporter(target.folder, told), why => messages.html(target.folder, why, again));
    }
  }
}

/** The page is made of what the journal keeps, when the run is over. */
const pageReporter = (folder: string, film: FilmOfRun): Reporter =>
  afterRun(film, async (report, project) => {
    const { writeRunReport } = await import('./write-run-report.ts');
    const { signal } = new AbortController();
    await writeRunReport({ project, report, as: 'folder', to: folder, signal });
  });

/** Sidecars, where the settings ask for them. */
export const sidecarReporter = (film: FilmOfRun): ExtraReporter =>
  beside(
    afterRun(film, async (report, project) => {
      const { writeSidecars } = await import('./write-crate.ts');
      await writeSidecars(report, project.root);
    }),
    messages.sidecars,
  );

type FilmOfRun = Pick<Beside, 'project' | 'file' | 'pipeline'>;

function afterRun(
  { project, file, pipeline }: FilmOfRun,
  make: (report: RunReport, project: Project) => Promise<void>,
): Reporter {
  let run: string | undefined;
  return ifBegun({
    report(event: RecordedEvent): void {
      if (event.type === 'run_started') run = event.run;
    },
    async close(): Promise<void> {
      const { findReport } = await import('./run-report.ts');
      const asked = { project, file, profile: pipeline.profile };
      const own = findReport(asked, run);
      // A run that changed nothing is not kept: what it would tell is what the last one did.
      const found = own.is === 'found' ? own : findReport(asked);
      if (found.is !== 'found') throw new Error(messages.nothingKept());
      await make(found.report, asked.project);
    },
  });
}

/** A run that stops before it begins: its reporters hear that, and why. */
interface ToTell extends Pick<Beside, 'file' | 'environment' | 'say'> {
  readonly targets: readonly ReportTarget[];
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
}

export interface Stopped extends Pick<NotBegun, 'brief' | 'exit' | 'message' | 'type'> {
  readonly diagnostics: readonly Diagnostic[];
}

/** A failure to write is reported, and changes nothing. */
export async function tellNotBegun(toTell: ToTell, { diagnostics, ...stopped }: Stopped): Promise<void> {
  const mistakes = diagnostics.filter(isError);
  const brief = mistakes.length > 0 ? `it has ${counted(mistakes.length, 'mistake')}` : stopped.brief;
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
  const { notBegunJunit, notBegunMarkdown, notBegunTitle } = await import('../../show/reporters/not-begun.ts');
  switch (target.is) {
    case 'junit':
      return withReadableDiskError(() => writeAtomically(target.path, redact(notBegunJunit(told))));
    case 'html': {
      const { writeNotBegun } = await import('../../show/pages/report/not-begun-page.ts');
      return writeNotBegun(target.folder, { ...told, said: (await saidIn(told)).map(redact) }, systemClock);
    }
    case 'github': {
      // Mistakes stand on their lines already.
      if (told.message !== '') {
        const { annotation } = await import('../../show/reporters/github-commands.ts');
        const place = placeIn({ path: file, text: '' }, { start: 0, end: 0 }, environment);
        say(annotation({ kind: 'error', title: notBegunTitle(told), message: told.message, place }));
      }
      return addToSummary(redact(notBegunMarkdown(told, notBegunTitle(told))), environment);
    }
  }
}

async function saidIn({ mistakes, message }: NotBegun): Promise<readonly string[]> {
  const { formatDiagnostics } = await import('../../language/yaml/excerpt.ts');
  return [...(mistakes.length > 0 ? [formatDiagnostics(mistakes)] : []), ...(message === '' ? [] : [message])];
}
