/**
 * A worker of a team: it takes turns at runs until it is stopped, and people see it as long as it lives. No decision depends on what it reports of
 * itself: the team's tables hold the lead of a film, and another worker resumes what this one leaves.
 */

import { backoff } from '../../machine/time/backoff.ts';
import type { Clock } from '../../machine/time/clock.ts';
import type { TeamNews } from '../client/team-news.ts';
import { takeUpLeftOver } from '../client/team-project.ts';
import type { TeamDatabase } from '../database/team-database.ts';
import type { TeamQueue } from '../queue/team-queue.ts';
import { leaveLine } from '../runs/lead-rows.ts';
import { type RunRow, requeueOrphanedRuns } from '../runs/run-rows.ts';
import {
  announceLead,
  forgetWorker,
  isNewLead,
  sendHeartbeat,
  slotsOfOthers,
  type WorkerRow,
} from '../runs/worker-rows.ts';
import { TeamExecutor } from '../tasks/team-executor.ts';
import { Troubles } from '../tasks/troubles.ts';
import { type Leading, type Led, leadRun } from './lead-run.ts';
import { type EndedDeployment, endOrphanedDeployments } from './orphaned-deployments.ts';
import type { TaskWorker } from './task-worker.ts';
import type { TeamClock } from './team-clock.ts';
import { dutiesIn, type WorkerDuties } from './worker-duties.ts';

interface WorkerOptions {
  readonly team: TeamDatabase;
  readonly queue: TeamQueue;
  readonly news: TeamNews;
  readonly clock: TeamClock;
  readonly duties: WorkerDuties;
  /** Shown to people, unique in a team. */
  readonly name: string;
  readonly shotlist: string;
  readonly leading: Omit<
    Leading,
    'team' | 'queue' | 'worker' | 'clock' | 'changed' | 'onBroadcast' | 'trouble' | 'began' | 'executorFor'
  >;
  /** Commands and cuts; absent: this worker does none. */
  readonly tasks?: TaskWorker | undefined;
  /** Called as a turn, or heavy work, begins; what it gives is disposed of at its end. */
  readonly atWork?: () => Disposable;
  readonly onNews: (event: WorkerNews) => void;
}

export type WorkerNews =
  | { readonly is: 'ready'; readonly leads: number; readonly hands: number }
  | { readonly is: 'began'; readonly run: string }
  | { readonly is: 'led'; readonly run: string; readonly led: Led }
  | { readonly is: 'took_up'; readonly runs: readonly string[] }
  /** It ended a deployment of a film without a lead, or could not. */
  | ({ readonly is: 'ended_deployment' } & EndedDeployment)
  | { readonly is: 'trouble'; readonly message: string }
  | { readonly is: 'well_again' }
  | { readonly is: 'leaving'; readonly leads: number }
  | { readonly is: 'gone' };

/** Milliseconds between two looks at jobs of dead workers, at missed notifications, two heartbeats, and two looks for runs without a lead. */
const CHORES = 2_000;
const LOOK = 5_000;
const SIGN = 10_000;
const STRAYS = 60_000;
/** Milliseconds between two looks for deployments of films without a lead. */
const ORPHANS = 60_000;
/** Milliseconds that turns get to let go of their runs. */
const LETTING_GO = 15_000;
/** Milliseconds until a run without a lead is offered again. */
const LONGEST_OFFER = 15_000;
/** Milliseconds between two tries of a database that is away, and between two lines about it. */
const LONGEST_AWAY = 5_000;
const MINUTE = 60_000;

/**
 * Repeats `attempt` while `isAway` holds of its error, and returns its value: a machine may start before its database, or before its upgrade.
 * Reports the reason at once, and then once a minute. Undefined: `signal` aborted first. @throws any other error of `attempt`
 */
export async function whenReachable<T>(
  attempt: () => Promise<T>,
  {
    isAway,
    onTrouble,
    clock,
    signal,
  }: {
    readonly isAway: (error: unknown) => boolean;
    readonly onTrouble: (message: string) => void;
    readonly clock: Clock;
    readonly signal: AbortSignal;
  },
): Promise<T | undefined> {
  const isDue = every(clock);
  for (let tries = 0; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isAway(error)) throw error;
      if (!signal.aborted && isDue('away', MINUTE)) onTrouble(error instanceof Error ? error.message : String(error));
      await clock.sleep(backoff(tries, { longest: LONGEST_AWAY }), signal);
      if (signal.aborted) return undefined;
    }
  }
}

/** Until `signal` aborts. Then it takes no more, and its runs go on at others. @throws the database's error before it has begun. */
export async function work(options: WorkerOptions, signal: AbortSignal): Promise<void> {
  const { team, queue, clock, duties, onNews, tasks } = options;
  const turns = new Turns(options, signal);
  await clock.set(team);
  await sendHeartbeat(team, rowOf(options, 0));
  await queue.start();
  const over = new AbortController();
  const stopHearing = options.news.on(isNewLead, () => turns.offerSoon());
  const chores = keepUp(options, turns, over.signal);
  try {
    if (duties.leads > 0) await queue.workLeads(duties.leads, ({ run }, lost, job) => turns.lead(run, job, lost));
    if (duties.hands > 0 && tasks)
      await queue.workTasks(duties.hands, async job => {
        using _ = options.atWork?.();
        await tasks.do(job);
      });
    if (duties.leads > 0) await announceLead(team, options.name);
    onNews({ is: 'ready', leads: duties.leads, hands: duties.hands });
    await new Promise<void>(resolve => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    onNews({ is: 'leaving', leads: turns.count });
    await queue.takeNoMore();
    const letGo = Promise.all([turns.ended(), tasks?.leave()]);
    await Promise.race([letGo, clock.sleep(LETTING_GO, over.signal)]);
    await queue.stop(LETTING_GO);
  } finally {
    stopHearing();
    over.abort();
    await chores;
    await forgetWorker(team, options.name).catch(() => {});
    onNews({ is: 'gone' });
  }
}

/** The runs that are led here at the moment. */
class Turns {
  readonly #options: WorkerOptions;
  readonly #stopped: AbortSignal;
  readonly #turns = new Set<Promise<unknown>>();
  readonly #looking = new Set<() => void>();
  /** What could not be led here, and how often. */
  readonly #refused = new Map<string, number>();
  /** A run with results that no store takes has its own trouble, also while the database is down. */
  readonly #troubles: Troubles;
  #others = { hands: 0, workers: 0 };

  constructor(options: WorkerOptions, stopped: AbortSignal) {
    this.#options = options;
    this.#troubles = new Troubles(message =>
      options.onNews(message === undefined ? { is: 'well_again' } : { is: 'trouble', message }),
    );
    this.#stopped = stopped;
  }

  get count(): number {
    return this.#turns.size;
  }

  /** Looks how many slots the other workers have for commands and cuts. */
  async countOthers(): Promise<void> {
    this.#others = await slotsOfOthers(this.#options.team, this.#options.name);
  }

  async ended(): Promise<void> {
    await Promise.allSettled(this.#turns);
  }

  async lead(run: string, job: string, lost: AbortSignal): Promise<void> {
    const { onNews, atWork } = this.#options;
    using _ = atWork?.();
    await this.countOthers();
    const began = () => onNews({ is: 'began', run });
    const turn = leadRun(run, job, AbortSignal.any([lost, this.#stopped]), { ...this.#leading(run), began });
    this.#turns.add(turn);
    try {
      const led = await turn;
      const isKnown = led.is === 'left to others' && this.#refused.has(run);
      if (!isKnown) onNews({ is: 'led', run, led });
      if (led.is === 'left to others') await this.#offer(led.run);
      else this.#refused.delete(run);
    } catch (error) {
      this.database(error instanceof Error ? error.message : String(error));
      throw error;
    } finally {
      for (const waited of ['journal', 'tasks'] as const) this.#troubleOf(run, waited)(undefined);
      this.#turns.delete(turn);
    }
  }

  /**
   * Puts a run that cannot be led here into the queue again, for another worker. All free workers are notified, and the first to ask has it, which
   * may be this one again: less and less often, until another worker begins to lead runs.
   */
  async #offer({ id, priority }: RunRow): Promise<void> {
    const { queue, news } = this.#options;
    const times = this.#refused.get(id) ?? 0;
    this.#refused.set(id, times + 1);
    // Two that cannot lead it do not take turns at it in step.
    await news.next(isNewLead, backoff(times, { longest: LONGEST_OFFER }) * (0.5 + Math.random()), this.#stopped);
    await queue.lead(id, { priority });
  }

  /** Another worker leads runs from now on: what cannot be led here is offered as often as at first. */
  offerSoon(): void {
    for (const run of this.#refused.keys()) this.#refused.set(run, 0);
  }

  /** Leads look for notifications they may have missed. */
  look(): void {
    for (const one of this.#looking) one();
  }

  async endOrphanedDeployments(signal: AbortSignal): Promise<void> {
    const { team, queue, news, clock, leading, onNews } = this.#options;
    const changed: Leading['changed'] = (ms, until, places) => news.placesLeft(places, ms, until);
    try {
      const ended = await endOrphanedDeployments({ ...leading, team, queue, clock, changed }, signal);
      for (const one of ended) onNews({ is: 'ended_deployment', ...one });
    } catch (error) {
      this.database(error instanceof Error ? error.message : String(error));
    }
  }

  database(message: string | undefined): void {
    this.#troubles.report('database', message);
  }

  #troubleOf(run: string, waited: 'journal' | 'tasks'): (message: string | undefined) => void {
    return message => this.#troubles.report(`${waited} of ${run}`, message);
  }

  #leading(id: string): Leading {
    const { team, queue, news, clock, name, leading } = this.#options;
    return {
      ...leading,
      ...{ team, queue, clock, worker: name },
      changed: (ms, signal, places) => news.placesLeft(places, ms, signal),
      onBroadcast: ({ run, film }, onNews) => {
        const off = news.on(topic => topic === `run:${run}` || topic === `choice:${film}`, onNews);
        this.#looking.add(onNews);
        return () => {
          off();
          this.#looking.delete(onNews);
        };
      },
      trouble: this.#troubleOf(id, 'journal'),
      executorFor: lead =>
        new TeamExecutor({
          ...{ ...lead, team, queue, clock, own: this.#options.tasks },
          others: () => this.#others,
          listen: (wanted, listener) => news.on(topic => topic === wanted, listener),
          trouble: this.#troubleOf(id, 'tasks'),
        }),
    };
  }
}

/** Heartbeats, the clock, and runs without a lead. An unreachable database is tried again. */
async function keepUp(options: WorkerOptions, turns: Turns, signal: AbortSignal): Promise<void> {
  const { team, queue, clock, duties, onNews, leading } = options;
  const isDue = every(clock);
  // Not at the start: a worker first leads the runs that were handed over to it.
  isDue('orphans', ORPHANS);
  let ending: Promise<void> | undefined;
  while (!signal.aborted) {
    await clock.sleep(CHORES, signal);
    if (signal.aborted) break;
    try {
      const gone = await queue.requeueLost();
      if (gone.length > 0) await leaveLine(team, gone);
      if (isDue('sign', SIGN)) {
        await sendHeartbeat(team, rowOf(options, turns.count));
        await turns.countOthers();
      }
      if (isDue('strays', STRAYS)) {
        await clock.set(team);
        const runs = duties.leads > 0 ? await requeueOrphanedRuns(team, queue) : [];
        if (runs.length > 0) onNews({ is: 'took_up', runs });
        await takeUpLeftOver(leading.folders, team);
      }
      // A service may take long to answer, and nothing here waits for it.
      if (duties.leads > 0 && !ending && isDue('orphans', ORPHANS))
        ending = turns.endOrphanedDeployments(signal).finally(() => {
          ending = undefined;
        });
      if (isDue('look', LOOK)) turns.look();
      turns.database(undefined);
    } catch (error) {
      turns.database(error instanceof Error ? error.message : String(error));
    }
  }
  await ending;
}

/** Whether so many milliseconds have passed since it last was due; at first it is. */
function every(clock: Clock): (what: string, ms: number) => boolean {
  const last = new Map<string, number>();
  return (what, ms) => {
    const now = clock.now();
    const before = last.get(what);
    if (before !== undefined && now >= before && now - before < ms) return false;
    last.set(what, now);
    return true;
  };
}

const rowOf = ({ name, shotlist, duties }: WorkerOptions, leads: number): WorkerRow => ({
  ...{ name, shotlist, does: dutiesIn(duties), hands: duties.hands, leads },
});
