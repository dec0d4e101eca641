/**
 * A run of a film as people see it: the report page, the review page, `status` and `report --json` are all told from here. It only looks:
 * the film's file is neither read for its steps nor planned, so what is told is what was run, also where the file was edited since, has a
 * mistake now, or is gone. No lease is taken, and no service is asked.
 */
import { createHash } from 'node:crypto';
import { dirname, join, relative, sep } from 'node:path';
import type { Choice } from '../domain/choice.ts';
import type { KeptPlan } from '../domain/kept-plan.ts';
import { Refusal } from '../domain/refusal.ts';
import { moneyOf, type UnsettledMoney } from '../domain/run-money.ts';
import type { RunReport } from '../domain/run-report.ts';
import { systemClock } from '../host/clock.ts';
import { readOutsideText } from '../host/outside-file.ts';
import type { Project } from '../host/project.ts';
import type { PastRun } from '../records/views/past-runs.ts';
import { keptLogs } from '../run/local/command-logs.ts';
import { isRunning } from '../run/local/film-lease.ts';
import { isThere, openJournal } from '../run/local/journal-file.ts';
import type { LocalJournal } from '../run/local/local-journal.ts';
import { LockFile, lockPath, readLockText } from '../run/lock/lock-file.ts';
import { lockSection } from '../run/lock/lock-sections.ts';
import { runReport } from '../telling/report/report.ts';
import { filmOf } from './state-folders.ts';

export interface RunsToLookAt {
  readonly project: Project;
  /** The film's file as a person typed it. */
  readonly file: string;
  /** Only runs in this profile; absent: in any. */
  readonly profile?: string | undefined;
}

/** Newest first. @throws Refusal where the journal cannot be read. */
export function runsOf(asked: RunsToLookAt): readonly RunInList[] {
  return withJournal(asked, journal => all(journal, asked).map(run => inList(run, asked.project))) ?? [];
}

/** A run in a list of runs. Times are Unix milliseconds, money US dollars. */
export interface RunInList extends UnsettledMoney {
  readonly run: string;
  readonly service: string;
  readonly profile: string | null;
  readonly began: number;
  /** Null while it goes on. */
  readonly ended: number | null;
  /** As in `RunReport`. */
  readonly outcome: string;
  /** US dollars spent, as recorded at its end; null: it was cut off before, or goes on. */
  readonly usd: number | null;
}

export type FoundReport =
  | {
      readonly is: 'found';
      readonly report: RunReport;
      /** How the journal calls the film, its profile included. */
      readonly film: string;
    }
  /** Nothing of this film was ever run. */
  | { readonly is: 'none' }
  /** No run is called that. */
  | { readonly is: 'unknown'; readonly runs: readonly string[] }
  /** Several begin like that. */
  | { readonly is: 'several'; readonly runs: readonly string[] };

/**
 * @param run its id or its beginning; absent: the newest.
 * @throws Refusal where the journal cannot be read.
 */
export function findReport(asked: RunsToLookAt, run?: string): FoundReport {
  const found = withJournal(asked, (journal): FoundReport => {
    const runs = all(journal, asked);
    const [newest] = runs;
    if (!newest) return { is: 'none' };
    const chosen = run === undefined ? [newest] : runs.filter(one => one.run.startsWith(run));
    const exact = chosen.find(one => one.run === run) ?? chosen[0];
    if (!exact) return { is: 'unknown', runs: runs.map(one => one.run) };
    if (chosen.length > 1 && exact.run !== run) return { is: 'several', runs: chosen.map(one => one.run) };
    return { is: 'found', report: reportOf(exact, journal, asked), film: exact.film };
  });
  return found ?? { is: 'none' };
}

/** The report of one of the runs that the journal knows. */
export function reportOf(past: PastRun, journal: LocalJournal, { project, file }: RunsToLookAt): RunReport {
  const { run, film, started } = past;
  const { events, damaged } = journal.read(run);
  const kept = journal.views.runs.planOf(run);
  const goesOn = isGoingOn(past, project);
  const folder = join(project.stateFolder, 'runs', film, 'logs');
  const logs = keptLogs(folder, { from: started.at, until: goesOn ? null : past.last });
  return runReport({
    run,
    file,
    events,
    plan: kept && damaged > 0 ? { ...kept, isWhole: false } : kept,
    isRunning: goesOn,
    resultOf: fingerprint => {
      try {
        return journal.views.owned.find(fingerprint)?.result;
      } catch (error) {
        // A row that is damaged is told as one that is not known.
        if (error instanceof Refusal) return undefined;
        throw error;
      }
    },
    askedBefore: journal.views.runs.askedBefore(run, film),
    choices: [...lockedChoices(past, project), ...keptChoices(film, journal)],
    isEdited: kept?.head !== undefined && isEdited(kept.head.files, project),
    logOf: key => logAt(logs(key).at(-1), project),
  });
}

/** Whether a process is at work on it at this moment. */
export const isGoingOn = (
  { finished, isNewest, isSuperseded, film }: PastRun,
  { stateFolder }: Pick<Project, 'stateFolder'>,
): boolean => finished === undefined && isNewest && !isSuperseded && isRunning(stateFolder, film);

/** Undefined where nothing was ever run in this project. */
export function withJournal<T>(
  { project, profile }: Pick<RunsToLookAt, 'project' | 'profile'>,
  look: (journal: LocalJournal) => T,
): T | undefined {
  const journal = lookAt(project, profile);
  if (!journal) return undefined;
  try {
    return look(journal);
  } finally {
    void journal.close();
  }
}

/** The project's journal, to be read and closed again; undefined where nothing was ever run. */
export function lookAt(project: Project, profile: string | undefined): LocalJournal | undefined {
  const film = filmOf(project, profile);
  const folder = project.stateFolder;
  return isThere(folder, film) ? openJournal({ folder, film, clock: systemClock, to: 'look' }) : undefined;
}

const all = (journal: LocalJournal, { project, profile }: RunsToLookAt): readonly PastRun[] =>
  journal.views.runs.of(filmOf(project, profile), profile === undefined ? 'all' : 'this');

function inList(past: PastRun, project: Project): RunInList {
  const { run, started, finished, isDetached, last } = past;
  const goesOn = isGoingOn(past, project);
  return {
    ...{ run, service: started.service, profile: started.profile ?? null, began: started.at },
    ended: goesOn ? null : last,
    outcome: goesOn ? 'running' : (finished?.outcome ?? (isDetached ? 'interrupted' : 'cut_off')),
    ...(finished ? moneyOf(finished) : { usd: null }),
  };
}

/** Without those that were withdrawn. */
export function keptChoices(film: string, journal: Pick<LocalJournal, 'choices'>): readonly Choice[] {
  let known: Choice[] = [];
  for (const row of journal.choices.of(film)) {
    if ('withdrawn' in row) known = known.filter(({ key }) => key !== row.withdrawn);
    else known.push(row.choice);
  }
  return known;
}

/** What others have decided stands in the lock; one that cannot be read says nothing here. */
export function lockedChoices({ started }: Pick<PastRun, 'started'>, { pipelineFile }: Project): readonly Choice[] {
  const path = lockPath(pipelineFile);
  try {
    const section = lockSection(started.service, started.profile);
    return LockFile.open(readLockText(path, path), section, path, false).choices();
  } catch {
    return [];
  }
}

export function isEdited(files: NonNullable<KeptPlan['head']>['files'], { pipelineFile }: Project): boolean {
  return files.some(({ path, sha256 }, at) => {
    try {
      const text = readOutsideText(at === 0 ? pipelineFile : join(dirname(pipelineFile), path));
      return createHash('sha256').update(text).digest('hex') !== sha256;
    } catch {
      return true;
    }
  });
}

const logAt = (path: string | undefined, { root }: Project) =>
  path === undefined ? undefined : { log: relative(root, path).split(sep).join('/') };
