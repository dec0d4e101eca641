/**
 * A run of a film as people see it: the report page, the review page, `status` and `report --json` are all made of this. It only looks:
 * the film's file is neither read for its steps nor planned, so it shows what was run, also where the file was edited since, has a
 * mistake now, or is gone. No lease is taken, and no service is asked.
 */
import { createHash } from 'node:crypto';
import { dirname, join, relative, sep } from 'node:path';
import { readOutsideText } from '../../machine/files/outside-file.ts';
import type { Project } from '../../machine/files/project.ts';
import { systemClock } from '../../machine/time/clock.ts';
import type { Choice, Rejections } from '../../model/run/choice.ts';
import { Refusal } from '../../model/run/decision-page.ts';
import type { RecordedEvent } from '../../model/run/event.ts';
import type { KeptPlan } from '../../model/run/kept-plan.ts';
import type { RunId } from '../../model/run/key.ts';
import type { Result } from '../../model/run/result.ts';
import { amountOf, billedBy, moneyOf, type RunMoney, type UnsettledMoney } from '../../model/run/run-money.ts';
import type { RunReport } from '../../model/run/run-report.ts';
import type { FilmJournal } from '../../records/journal/film-journal.ts';
import { isRunning } from '../../records/journal/film-lease.ts';
import { isThere, openJournal } from '../../records/journal/journal-file.ts';
import type { LocalJournal } from '../../records/journal/local-journal.ts';
import { LockFile, lockPath, lockSection, readLockText } from '../../records/lock/lock-file.ts';
import type { PastRun } from '../../records/views/journal-views.ts';
import { type RunStory, runStory } from '../../records/views/run-story.ts';
import { keptLogs } from '../../run/local/command-logs.ts';
import { rejections } from '../../run/rejections.ts';
import { reportedMoney, runReport } from '../../show/text/report/report.ts';
import { filmOf } from '../state-folders.ts';

interface RunsToLookAt {
  readonly project: Project;
  /** The film's file as a person typed it. */
  readonly file: string;
  /** Only runs in this profile; absent: in any. */
  readonly profile?: string | undefined;
}

/** Newest first. @throws Refusal where the journal cannot be read. */
export function runsOf(asked: RunsToLookAt): readonly RunInList[] {
  return withJournal(asked, journal => all(journal, asked).map(run => inList(run, journal, asked.project))) ?? [];
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
  /** US dollars spent: as recorded at its end; of one that goes on or was cut off, what its instances come to. */
  readonly usd: number;
  /** US dollars at list price of what the built-in studio drew, free; absent: the service bills. */
  readonly list_price_usd?: number;
}

type FoundReport =
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
  const { events, plan } = readRun(run, journal);
  const goesOn = isGoingOn(past, project);
  const folder = join(project.stateFolder, 'runs', film, 'logs');
  const locked = answersInLock(past, project);
  const logs = keptLogs(folder, { from: started.at, until: goesOn ? null : past.last });
  return runReport({
    run,
    file,
    events,
    plan,
    isRunning: goesOn,
    resultOf: resultIn(journal),
    askedBefore: journal.views.runs.askedBefore(run, film),
    choices: [...locked.choices, ...keptChoices(film, journal)],
    rejections: new Map([...locked.rejections, ...rejections(journal, film)]),
    isEdited: plan?.head !== undefined && isEdited(plan.head.files, project),
    logOf: key => logAt(logs(key).at(-1), project),
  });
}

/** The events of a run, and the plan that is kept of it; the plan is not whole where rows are damaged. */
export function readRun(
  run: RunId,
  journal: Pick<FilmJournal, 'read' | 'views'>,
): { readonly events: readonly RecordedEvent[]; readonly plan: KeptPlan | undefined } {
  const { events, damaged } = journal.read(run);
  const plan = journal.views.runs.planOf(run);
  return { events, plan: plan && damaged > 0 ? { ...plan, isWhole: false } : plan };
}

/** The newest result with a fingerprint; a row that is damaged counts as unknown. */
export const resultIn =
  ({ views }: Pick<FilmJournal, 'views'>) =>
  (fingerprint: string): Result | undefined => {
    try {
      return views.owned.find(fingerprint)?.result;
    } catch (error) {
      if (error instanceof Refusal) return undefined;
      throw error;
    }
  };

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

function inList(past: PastRun, journal: LocalJournal, project: Project): RunInList {
  const { run, started, finished, isDetached, last } = past;
  const goesOn = isGoingOn(past, project);
  return {
    ...{ run, service: started.service, profile: started.profile ?? null, began: started.at },
    ended: goesOn ? null : last,
    outcome: goesOn ? 'running' : (finished?.outcome ?? (isDetached ? 'interrupted' : 'cut_off')),
    ...(finished
      ? { ...moneyOf(finished), ...billedBy(started, amountOf(finished)) }
      : moneySoFar(runStory({ ...readRun(run, journal), isRunning: goesOn }))),
  };
}

function moneySoFar({ run }: RunStory): RunMoney {
  const { spent: usd, list_price: listed, ...unsettled } = reportedMoney(run);
  return moneyOf({ usd, ...unsettled, ...(listed !== undefined && { list_price_usd: listed }) });
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

/** What others have chosen and rejected is in the lock; an unreadable lock adds nothing here. */
export function answersInLock(
  { started }: Pick<PastRun, 'started'>,
  { pipelineFile }: Project,
): { readonly choices: readonly Choice[]; readonly rejections: Rejections } {
  const path = lockPath(pipelineFile);
  try {
    const section = lockSection(started.service, started.profile);
    const lock = LockFile.open(readLockText(path, path), section, path, false);
    return { choices: lock.choices(), rejections: lock.rejections() };
  } catch {
    return { choices: [], rejections: new Map() };
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
