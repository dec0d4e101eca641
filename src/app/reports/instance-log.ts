/** The whole log of an instance: a command's own log, a chat's text, the service's status of a generation. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../machine/error-code.ts';
import type { Project } from '../../machine/files/project.ts';
import type { RecordedEvent } from '../../model/run/event.ts';
import { type InstanceKey, stepOf } from '../../model/run/key.ts';
import { parseSelector, selects } from '../../model/selector.ts';
import type { LocalJournal } from '../../records/journal/local-journal.ts';
import { isOver } from '../../records/views/instance-state.ts';
import { isWorkedOn, storyOf } from '../../records/views/instance-story.ts';
import type { PastRun } from '../../records/views/journal-views.ts';
import { keptLogs } from '../../run/local/command-logs.ts';
import { filmOf } from '../state-folders.ts';
import { isGoingOn } from './make-run-report.ts';

export interface InstanceLog {
  readonly key: InstanceKey;
  readonly run: PastRun;
  /** Of this instance in that run, in order. */
  readonly events: readonly RecordedEvent[];
  /** Absolute paths of what its command wrote, one for each attempt. */
  readonly files: readonly string[];
  /** Its run goes on, and may have more to say of it. */
  readonly isOpen: boolean;
}

type FoundLog = { readonly is: 'found'; readonly log: InstanceLog } | NoLog;

export type NoLog =
  /** `known`: what instances are called that the newest run, or the run that was named, knows. */
  | { readonly is: 'unknown'; readonly known: readonly InstanceKey[] }
  | { readonly is: 'several'; readonly keys: readonly InstanceKey[] }
  /** It is there, and no run has begun it. */
  | { readonly is: 'not_begun'; readonly key: InstanceKey };

/** @param text a key, or a selector of one instance. */
export function findLog(
  journal: LocalJournal,
  {
    project,
    profile,
    text,
  }: { readonly project: Project; readonly profile: string | undefined; readonly text: string },
): FoundLog {
  const runs = journal.views.runs.of(filmOf(project, profile), profile === undefined ? 'all' : 'this');
  const known = new Set<InstanceKey>();
  for (const run of runs) {
    const keys = keysIn(journal, run);
    for (const key of keys) known.add(key);
    const meant = meantBy(text, keys);
    if (meant.length > 1) return { is: 'several', keys: meant };
    const [key] = meant;
    const events = key === undefined ? [] : journal.read(run.run, key).events;
    if (key !== undefined && isWorkedOn(storyOf(events))) return { is: 'found', log: logOf(key, run, events, project) };
  }
  const planned = [...known].find(key => key === text);
  return planned === undefined ? { is: 'unknown', known: [...known] } : { is: 'not_begun', key: planned };
}

/** The instance of that name, or those that a selector matches. */
export function meantBy(text: string, keys: readonly InstanceKey[]): readonly InstanceKey[] {
  const exact = keys.filter(key => key === text);
  const selector = parseSelector(text);
  return exact.length > 0
    ? exact
    : keys.filter(key => selector && stepOf(key) === selector.step && selects(selector, key));
}

/** The same a moment later. */
export const readAgain = (journal: LocalJournal, { key, run }: InstanceLog, project: Project): InstanceLog => {
  const now = journal.views.runs.of(run.film, 'this').find(one => one.run === run.run) ?? run;
  return logOf(key, now, journal.read(run.run, key).events, project);
};

/** Bytes of a log that are read at once. */
const PIECE = 1024 ** 2;

/** The file's text from there on, at most a piece of it; empty where it is gone. */
export function readFrom(path: string, offset: number): Buffer {
  try {
    const size = statSync(path).size;
    const piece = Buffer.alloc(Math.max(0, Math.min(PIECE, size - offset)));
    const file = openSync(path, 'r');
    try {
      return piece.subarray(0, readSync(file, piece, 0, piece.length, offset));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

export function keysIn(
  journal: { readonly views: Pick<LocalJournal['views'], 'runs'> },
  { run }: Pick<PastRun, 'run'>,
): readonly InstanceKey[] {
  const planned = journal.views.runs.planOf(run)?.instances.map(({ key }) => key) ?? [];
  return planned.length > 0 ? planned : journal.views.runs.keysOf(run);
}

function logOf(key: InstanceKey, run: PastRun, events: readonly RecordedEvent[], project: Project): InstanceLog {
  const goesOn = isGoingOn(run, project);
  const folder = join(project.stateFolder, 'runs', run.film, 'logs');
  const files = keptLogs(folder, { from: run.started.at, until: goesOn ? null : run.last })(key);
  return { key, run, events, files, isOpen: goesOn && !isOver(storyOf(events).state) };
}
