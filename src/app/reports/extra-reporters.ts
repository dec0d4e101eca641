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
import { type ExtraReporter, isolated } from '../../show/reporters/extra-reporter.ts';
import { ifBegun } from '../../show/reporters/if-begun.ts';
import type { NotBegun } from '../../show/reporters/not-begun.ts';
import { addToSummary, type Job, placeIn, withReadableDiskError } from './github-job.ts';
import { messages, type ReportTarget } from './report-targets.ts';

/** What can be seen before anything is sent. @throws {Refusal} */
export async function stopUnlessReportable(targets: readonly ReportTarget[]): Promise<void> {
  for (const target of targets) {
    if (target.is !== 'junit') continue;
    const found = await stat(target.place).catch(() => undefined);
    if (found?.isDirectory()) throw new Refusal(messages.isFolder(target.place));
    if (found?.isFile() && found.size > 0 && !(await beginsAsXml(target.place)))
      throw new Refusal(messages.notXml(target.place));
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

interface ReporterContext extends Job {
  readonly project: Project;
  /** The film's file as a person typed it. */
  readonly file: string;
  readonly pipeline: Pipeline;
  /** What to type to go on. */
  readonly command: string;
}

export function extraReporters(
  targets: readonly ReportTarget[],
  film: ReporterContext,
): Promise<readonly ExtraReporter[]> {
  return Promise.all(targets.map(target => extraReporter(target, film)));
}

async function extraReporter(target: ReportTarget, film: ReporterContext): Promise<ExtraReporter> {
  const { environment, command, pipeline, file, say } = film;
  switch (target.is) {
    case 'junit': {
      const { junitReporter } = await import('../../show/reporters/junit.ts');
      const write = (document: string) => withReadableDiskError(() => writeAtomically(target.place, document));
      return isolated(ifBegun(junitReporter({ command, write })), why => messages.junit(target.place, why));
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
      return isolated(ifBegun(reporter), messages.github);
    }
    case 'html': {
      const again = ['shotlist', 'report', file].map(asTyped).join(' ');
      return isolated(pageReporter(target.place, film), why => messages.html(target.place, why, again));
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
  isolated(
    afterRun(film, async (report, project) => {
      const { writeSidecars } = await import('./write-crate.ts');
      await writeSidecars(report, project.root);
    }),
    messages.sidecars,
  );

type FilmOfRun = Pick<ReporterContext, 'project' | 'file' | 'pipeline'>;

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
      const { findReport } = await import('./make-run-report.ts');
      const asked = { project, file, profile: pipeline.profile };
      const own = findReport(asked, run);
      // A run that changed nothing is not kept: what it would tell is what the last one did.
      const found = own.is === 'found' ? own : findReport(asked);
      if (found.is !== 'found') throw new Error(messages.nothingKept());
      await make(found.report, asked.project);
    },
  });
}

interface NotBegunTerms extends Pick<ReporterContext, 'file' | 'environment' | 'say'> {
  readonly targets: readonly ReportTarget[];
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
}

export interface Stopped extends Pick<NotBegun, 'brief' | 'exit' | 'message' | 'type'> {
  readonly diagnostics: readonly Diagnostic[];
}

/** Reports a run that stops before it begins, and why. A failure to write is reported, and changes nothing. */
export async function reportNotBegun(terms: NotBegunTerms, { diagnostics, ...stopped }: Stopped): Promise<void> {
  const mistakes = diagnostics.filter(isError);
  const brief = mistakes.length > 0 ? `it has ${counted(mistakes.length, 'mistake')}` : stopped.brief;
  const message = terms.redact(stopped.message);
  const stop: NotBegun = { ...stopped, file: terms.file, at: systemClock.now(), brief, message, mistakes };
  for (const target of terms.targets) {
    try {
      await writeNotBegunTo(target, stop, terms);
    } catch (error) {
      terms.say(unwritten(target, error instanceof Error ? error.message : String(error)));
    }
  }
}

const unwritten = ({ is, place }: ReportTarget, why: string): string =>
  is === 'github' ? messages.github(why) : is === 'junit' ? messages.junit(place, why) : messages.notBegun(place, why);

async function writeNotBegunTo(target: ReportTarget, stop: NotBegun, terms: NotBegunTerms): Promise<void> {
  const { file, environment, redact, say } = terms;
  const { notBegunJunit, notBegunMarkdown, notBegunTitle } = await import('../../show/reporters/not-begun.ts');
  switch (target.is) {
    case 'junit':
      return withReadableDiskError(() => writeAtomically(target.place, redact(notBegunJunit(stop))));
    case 'html': {
      const { writeNotBegun } = await import('../../show/pages/report/not-begun-page.ts');
      return writeNotBegun(target.place, { ...stop, lines: (await whatStopped(stop)).map(redact) }, systemClock);
    }
    case 'github': {
      // Mistakes are annotated on their own lines.
      if (stop.message !== '') {
        const { annotation } = await import('../../show/reporters/github-commands.ts');
        const place = placeIn({ path: file, text: '' }, { start: 0, end: 0 }, environment);
        say(annotation({ kind: 'error', title: notBegunTitle(stop), message: stop.message, place }));
      }
      return addToSummary(redact(notBegunMarkdown(stop, notBegunTitle(stop))), environment);
    }
  }
}

async function whatStopped({ mistakes, message }: NotBegun): Promise<readonly string[]> {
  const { formatDiagnostics } = await import('../../language/yaml/excerpt.ts');
  return [...(mistakes.length > 0 ? [formatDiagnostics(mistakes)] : []), ...(message === '' ? [] : [message])];
}
