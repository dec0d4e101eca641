/** The log of an instance of a team's run: what its command wrote on whichever worker, from the team's store, and what its leads reported. */

import { type InstanceLog, keysIn, meantBy, type NoLog } from '../../app/reports/instance-log.ts';
import { systemClock } from '../../machine/time/clock.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import type { SharedResults } from '../../records/store/shared/shared-results.ts';
import type { Store } from '../../records/store/store.ts';
import { isOver } from '../../records/views/instance-state.ts';
import { isWorkedOn, storyOf } from '../../records/views/instance-story.ts';
import { TaskJobs } from '../queue/task-jobs.ts';
import { type TaskLog, taskLogs } from '../tasks/task-logs.ts';
import type { Team } from './open-team.ts';
import { isGoing, type RunInTeam } from './run-in-team.ts';

/** @param text a key, or a selector of one instance. */
export function findTeamLog(
  { journal, turns }: Pick<RunInTeam, 'journal' | 'turns'>,
  text: string,
): { readonly is: 'found'; readonly key: InstanceKey } | NoLog {
  const known = [...new Set(turns.flatMap(turn => keysIn(journal, turn)))];
  const [key, ...more] = meantBy(text, known);
  if (key === undefined) return { is: 'unknown', known };
  if (more.length > 0) return { is: 'several', keys: [key, ...more] };
  const isBegun = turns.some(({ run }) => isWorkedOn(storyOf(journal.read(run, key).events)));
  return { is: isBegun ? 'found' : 'not_begun', key };
}

export interface TeamLog {
  readonly log: InstanceLog;
  /** It is at work at this moment, on that worker: what it writes is had when it has ended. */
  readonly worker: string | undefined;
  readonly missing: readonly string[];
}

export interface LogPlace {
  readonly team: Team;
  readonly store: Store;
  readonly shared: SharedResults;
  readonly signal: AbortSignal;
}

/** As it is now; its files are brought to the store of this machine. */
export async function readTeamLog(
  { run, journal, turns }: RunInTeam,
  key: InstanceKey,
  { team, store, shared, signal }: LogPlace,
): Promise<TeamLog> {
  const newest = turns.at(-1);
  if (!newest) throw new Error('the log of a run that has left no trace');
  const events = turns.flatMap(turn => journal.read(turn.run, key).events);
  const kept = await taskLogs(team.database, run.id, key);
  const downloaded = await Promise.all(kept.map(one => downloadHere(one, { store, shared, signal })));
  // What failed in an earlier turn is tried again, and what is made stays made.
  const last = storyOf(journal.read(newest.run, key).events);
  const isEnded = isOver(last.state) || storyOf(events).result !== undefined;
  const jobs = new TaskJobs(team.database, team.queue, { clock: systemClock, signal, trouble: () => {} });
  const elsewhere = await jobs.workerAt(run.id, key);
  const worker = elsewhere ?? (last.state.is === 'running' ? (run.leader ?? undefined) : undefined);
  return {
    log: {
      ...{ key, events, isOpen: isGoing(run) && !isEnded },
      run: newest,
      files: downloaded.flatMap(one => ('path' in one ? [one.path] : [])),
    },
    worker,
    missing: downloaded.flatMap(one => ('why' in one ? [one.why] : [])),
  };
}

async function downloadHere(
  { sha256 }: TaskLog,
  { store, shared, signal }: Omit<LogPlace, 'team'>,
): Promise<{ readonly path: string } | { readonly why: string }> {
  const outcome = await shared.download(sha256, signal);
  switch (outcome.is) {
    case 'ok':
      return { path: await store.pathOf(sha256) };
    case 'missing':
      return { why: 'it is not there' };
    case 'failed':
      return { why: outcome.message };
    case 'stopped':
      return { why: 'it was not waited for' };
  }
}
