/**
 * Carries out the work of a lead: its own worker does as many commands and cuts as it has free slots, and other workers do the rest, as jobs of the queue.
 * What a job reads is in the team's store before the job is there, and what was made is in the team's store before an event names it.
 *
 *     an earlier lead's job of it ── followed
 *     a slot is free here ────────── done here
 *     none is ────────────────────── inputs sent ──▶ begin, of what acts outside ──▶ job ──▶ done elsewhere ──▶ results downloaded
 *
 * Downloads and frames of clips stay here: a download waits for the line, which another machine has no more of, and would go over it twice;
 * a frame takes less time than its clip takes to travel.
 */
import { createReadStream, existsSync } from 'node:fs';
import { extname } from 'node:path';
import type { Redactor } from '../../machine/redactor.ts';
import { backoff } from '../../machine/time/backoff.ts';
import type { Clock } from '../../machine/time/clock.ts';
import type { DerivedMedia } from '../../model/media/derived-media.ts';
import { Refusal } from '../../model/run/decision-page.ts';
import { contentsOf, type ResultContent } from '../../model/run/result.ts';
import type { SharedResults } from '../../records/store/shared/shared-results.ts';
import type { Store } from '../../records/store/store.ts';
import type {
  CommandOutcome,
  CommandWork,
  CutOutcome,
  CutTurn,
  CutWork,
  DeriveOutcome,
  DownloadOutcome,
  DownloadTurn,
  DownloadWork,
  Executor,
  Turn,
} from '../../run/ports/executor.ts';
import { isConnectionLost, type TeamDatabase } from '../database/team-database.ts';
import { type Reaching, whileReachable } from '../database/while-reachable.ts';
import { jobOf, TaskJobs, topicOf } from '../queue/task-jobs.ts';
import { MAX_ATTEMPTS, type TaskLead, type TeamQueue } from '../queue/team-queue.ts';
import { commandToSend, cutToSend, inputsOf, type RemoteTask, type TaskResult } from './remote-task.ts';
import { callOffOlder } from './task-logs.ts';
import { Troubles } from './troubles.ts';

export interface OwnTasks {
  readonly atOnce: number;
  /** Takes a free slot. Returns how to give it back; undefined: none is free. */
  occupy(what: RemoteTask['is']): (() => void) | undefined;
  /** What the work made is in the team's store by the end. */
  carryOut(
    lead: TaskLead,
    work: RemoteTask,
    turn: WorkTurn,
    trouble: OnTrouble,
    signal: AbortSignal,
  ): Promise<TaskResult>;
}

/** Of a command, or of a cut. */
export type WorkTurn = Turn & Partial<Pick<CutTurn, 'progress'>>;

/** @param message why work does not go on; undefined: it does. */
export type OnTrouble = (message: string | undefined) => void;

interface TeamExecutorOptions {
  readonly team: TeamDatabase;
  readonly queue: TeamQueue;
  readonly run: { readonly id: string; readonly filmId: string };
  readonly epoch: number;
  readonly film: {
    /** Of the project on this machine; absolute. */
    readonly root: string;
    readonly store: Store;
    readonly shared: SharedResults | undefined;
    readonly secrets: Redactor;
    readonly journal: { durable(): Promise<void> };
  };
  /** Downloads, and frames of clips. */
  readonly here: Pick<Executor, 'download' | 'derive'>;
  /** Absent: this worker does no commands and cuts. */
  readonly own?: OwnTasks | undefined;
  /** The slots of the other workers for commands and cuts, and how many workers have any. */
  readonly others: () => { readonly hands: number; readonly workers: number };
  readonly clock: Clock;
  /** Calls `listener` at each notification of this topic. Returns how to stop that. */
  readonly listen: (topic: string, listener: () => void) => () => void;
  /** Aborts when this worker leaves: jobs go on, for the next lead. */
  readonly leaving: AbortSignal;
  readonly trouble: OnTrouble;
}

/** Milliseconds between two looks at a job of which nothing is heard. */
const POLL = 3_000;
/** Milliseconds that a worker has to say that it stopped. */
const STOPPING = 8_000;
/** Milliseconds from the use of a result to the deletion of its job. */
const DROP_AFTER = 1_000;
/** Attempts at work after its results, or its job, were lost. */
const MOST_LOST = 3;

const STOPPED = { is: 'stopped' } as const;
const LOST_WORKER = 'the worker that began it was not heard of again';
const LOST_RESULT = "what it made was in the team's store and is not there any more; run again to have it made";
const GIVEN_UP = `${MAX_ATTEMPTS} workers began it one after the other, and none of them came to its end: it may take more memory than they have; see their logs`;

export class TeamExecutor implements Executor {
  readonly most: NonNullable<Executor['most']>;
  readonly #options: TeamExecutorOptions;
  readonly #lead: TaskLead;
  readonly #shared: SharedResults;
  readonly #jobs: TaskJobs;
  readonly #troubles: Troubles;
  readonly #over = new AbortController();
  /** Ids of jobs; this lead has used their results. */
  readonly #used: string[] = [];
  #dropping: Promise<void> | undefined;
  /** Jobs on their way into the queue. */
  readonly #giving = new Set<Promise<boolean>>();
  readonly #reaching: Reaching;

  /** @throws Refusal where the team has no store: its machines could not have each other's results. */
  constructor(options: TeamExecutorOptions) {
    const { team, queue, run, epoch, film, own, others, trouble, clock } = options;
    if (!film.shared)
      throw new Refusal('the team has no store for its results: name one under `teams` of the settings');
    this.#options = options;
    this.#lead = { run: run.id, film: run.filmId, epoch };
    this.#shared = film.shared;
    this.#troubles = new Troubles(trouble);
    this.#reaching = { clock, signal: this.#over.signal, trouble: this.#troubleOf('database') };
    this.#jobs = new TaskJobs(team, queue, this.#reaching);
    this.most = {
      get commands() {
        return Math.max(1, (own?.atOnce ?? 0) + others().hands);
      },
      get cuts() {
        return Math.max(1, (own ? 1 : 0) + others().workers);
      },
    };
  }

  async runCommand(work: CommandWork, turn: Turn, signal: AbortSignal): Promise<CommandOutcome> {
    const { root, secrets } = this.#options.film;
    const toSend = commandToSend(work, root, texts => secrets.found(texts));
    return (await this.#done(toSend, turn, signal)) as CommandOutcome;
  }

  async makeCut(work: CutWork, turn: CutTurn, signal: AbortSignal): Promise<CutOutcome> {
    const { store } = this.#options.film;
    // A file of the author's that is gone is missed by the worker that needs it.
    for (const [sha256, path] of work.authorPaths)
      if (!store.has(sha256) && existsSync(path)) await store.put(createReadStream(path), extname(path));
    return (await this.#done(cutToSend(work), turn, signal)) as CutOutcome;
  }

  async download(work: DownloadWork, turn: DownloadTurn, signal: AbortSignal): Promise<DownloadOutcome> {
    const fetched = await this.#options.here.download(work, turn, signal);
    if (fetched.is !== 'ok') return fetched;
    const { sha256, extension } = fetched;
    const isSent = await this.#shared.sent({ sha256, extension }, signal, this.#troubleOf(sha256));
    return isSent ? fetched : { is: 'failed', message: 'stopped' };
  }

  derive(media: DerivedMedia, signal: AbortSignal): Promise<DeriveOutcome> {
    return this.#options.here.derive(media, signal);
  }

  /** The lead has ended. Unless it goes on elsewhere, nothing of what is still under way is needed. */
  async close(): Promise<void> {
    this.#over.abort();
    await this.#dropping;
    await Promise.allSettled(this.#giving);
    // Where the database is away, the next lead uses what is left.
    if (!this.#options.leaving.aborted) await this.#jobs.drop(this.#lead).catch(unlessLost);
  }

  async #done(work: RemoteTask, turn: WorkTurn, signal: AbortSignal): Promise<TaskResult> {
    const { own, team } = this.#options;
    const acts = work.is === 'command' && work.work.effect;
    const id = jobOf(this.#lead, work);
    if (acts) await whileReachable(() => callOffOlder(team, this.#lead.run, work.work.key), this.#reaching);
    for (let lost = 0; lost < MOST_LOST; lost++) {
      // A job that is gone because this lead has closed is not given out again.
      if (this.#over.signal.aborted || signal.aborted || turn.isWanted?.() === false) return STOPPED;
      if (!(await this.#jobs.exists(id))) {
        const giveBack = own?.occupy(work.is);
        if (own && giveBack) {
          const trouble = this.#troubleOf(id);
          try {
            const made = await own.carryOut(this.#lead, work, turn, trouble, signal);
            if (made.is === 'ok') for (const { sha256 } of contentsOf(made.result)) this.#shared.isThere(sha256);
            return made;
          } finally {
            trouble(undefined);
            giveBack();
          }
        }
        if (!(await this.#given(work, turn, signal))) return STOPPED;
      }
      const ended = await this.#followed(id, work, turn, signal);
      if (ended === 'left') return STOPPED;
      if (ended === 'gone') {
        if (acts) return failed(work, LOST_WORKER, true);
        continue;
      }
      const downloaded = ended.is === 'ok' ? await this.#downloaded(contentsOf(ended.result), signal) : 'ok';
      if (downloaded === 'stopped') return STOPPED;
      if (ended.is === 'ok' && downloaded === 'ok') this.#dropLater(id);
      // The next attempt at the same work has the same id.
      else await this.#jobs.drop(this.#lead, [id]);
      if (downloaded === 'ok') return ended;
      if (acts) break;
    }
    return failed(work, LOST_RESULT, acts);
  }

  /** Gives out a job. False: the work must not be done, or this lead leads no longer. */
  async #given(work: RemoteTask, { priority, begin }: Turn, signal: AbortSignal): Promise<boolean> {
    const { store } = this.#options.film;
    const inputs = [...inputsOf(work)].map(async sha256 => {
      // What is not here either is in the team's store, or missed by the worker that needs it.
      const extension = extname(store.file(sha256) ?? '');
      return !store.has(sha256) || this.#shared.sent({ sha256, extension }, signal, this.#troubleOf(sha256));
    });
    if (!(await Promise.all(inputs)).every(Boolean) || signal.aborted) return false;
    // From here on it may be done, whatever becomes of this machine.
    if (this.#over.signal.aborted || (begin && !(await begin()))) return false;
    const giving = this.#jobs.give(this.#lead, work, priority);
    this.#giving.add(giving);
    return giving.finally(() => this.#giving.delete(giving));
  }

  /** Follows a job to its end. `left`: this worker leaves, or the job is called off; `gone`: there is no job any more, as after a restored backup. */
  async #followed(
    id: string,
    work: RemoteTask,
    turn: WorkTurn,
    signal: AbortSignal,
  ): Promise<TaskResult | 'left' | 'gone'> {
    const { leaving, clock, listen } = this.#options;
    const over = AbortSignal.any([leaving, this.#over.signal]);
    let isStarted = false;
    let done = 0;
    let calledOff: number | undefined;
    const isBegun = () => {
      if (!isStarted) turn.started();
      isStarted = true;
    };
    while (!over.aborted) {
      const woken = new AbortController();
      const stop = listen(topicOf(this.#lead.run, id), () => woken.abort());
      try {
        if (calledOff === undefined && (signal.aborted || (!isStarted && turn.isWanted?.() === false))) {
          calledOff = clock.now();
          await this.#jobs.cancel(this.#lead, id);
        }
        const state = await this.#jobs.look(id);
        if (!state) return 'gone';
        const { worker, begun, progress = 0, trouble } = state.is === 'open' ? state.news : {};
        this.#troubles.report(id, trouble ? `at ${worker}: ${trouble}` : undefined);
        if (begun || progress > 0 || (state.is === 'ended' && state.result.is !== 'stopped')) isBegun();
        if (progress > done) turn.progress?.(progress);
        done = Math.max(done, progress);
        if (state.is === 'ended') {
          if (state.result.is === 'ok' && done < 1) turn.progress?.(1);
          return state.result;
        }
        if (state.is === 'failed') return failed(work, state.acted ? LOST_WORKER : GIVEN_UP, state.acted);
        // What acts outside, and has begun, is brought to its end.
        const mayLeave = state.isCalledOff || !turn.begin;
        if (calledOff !== undefined && clock.now() - calledOff >= STOPPING && mayLeave) return 'left';
        await clock.sleep(POLL, AbortSignal.any([woken.signal, over, ...(calledOff === undefined ? [signal] : [])]));
      } finally {
        stop();
      }
    }
    return 'left';
  }

  /** Deletes a job when its result is in the journal in a moment, together with others. */
  #dropLater(id: string): void {
    this.#used.push(id);
    this.#dropping ??= this.#dropUsed().finally(() => {
      this.#dropping = undefined;
    });
  }

  async #dropUsed(): Promise<void> {
    while (this.#used.length > 0) {
      await this.#options.clock.sleep(DROP_AFTER, this.#over.signal, 'in the background');
      const ids = this.#used.splice(0);
      // Where that fails, the next lead uses the results, or the queue deletes the jobs in a week.
      const isDurable = await this.#options.film.journal.durable().then(
        () => true,
        () => false,
      );
      if (isDurable) await this.#jobs.drop(this.#lead, ids).catch(() => {});
    }
  }

  async #downloaded(contents: readonly ResultContent[], signal: AbortSignal): Promise<'ok' | 'missing' | 'stopped'> {
    for (const { sha256 } of contents) {
      const downloaded = await downloadHere(sha256, this.#shared, this.#options.clock, this.#troubleOf(sha256), signal);
      if (downloaded !== 'ok') return downloaded;
      this.#shared.isThere(sha256);
    }
    return 'ok';
  }

  #troubleOf(what: string): OnTrouble {
    return message => this.#troubles.report(what, message);
  }
}

/** Downloads content from the team's store, however long that takes. `missing`: it is not there. */
export async function downloadHere(
  sha256: string,
  shared: Pick<SharedResults, 'download'>,
  clock: Clock,
  trouble: OnTrouble,
  signal: AbortSignal,
): Promise<'ok' | 'missing' | 'stopped'> {
  for (let attempt = 0; ; attempt++) {
    const downloaded = await shared.download(sha256, signal);
    if (downloaded.is !== 'failed') {
      if (attempt > 0) trouble(undefined);
      return downloaded.is;
    }
    trouble(downloaded.message);
    await clock.sleep(backoff(attempt), signal);
  }
}

function failed({ is }: RemoteTask, message: string, mayHaveActed: boolean): TaskResult {
  if (is === 'cut') return { is: 'failed', failure: { code: 'cut_failed', message } };
  const failure = { code: 'command_failed', exit: null, message } as const;
  return { is: 'failed', failure, ...(mayHaveActed && { mayHaveActed }) };
}

/** @throws an error that is not about a database out of reach. */
export function unlessLost(error: unknown): void {
  if (!isConnectionLost(error)) throw error;
}
