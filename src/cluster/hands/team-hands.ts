/**
 * The heavy work of a run, done by any worker of the team. What a command or a cut reads is in the team's store before its job is given
 * out; what it made is there before it is said to be done, and is brought to this machine, which leads the run.
 *
 *     inputs sent ──▶ begin, of what acts outside ──▶ row and job, in one transaction ──▶ done elsewhere ──▶ results brought here
 *
 * Being told wakes it, and asking is the truth. A lead that takes over takes up what an earlier one had given out. Small work stays
 * here, though not because it costs less: a frame of a clip takes a quarter of a second, and to bring a clip of 3 MB over a shared folder
 * a fraction of that. But the clip is here, the request that reads the frame is sent from here, and a lead takes more frames in a second
 * than a service makes clips. A download waits for the line, which another machine has no more of, and would go over it twice.
 */
import { createReadStream, existsSync } from 'node:fs';
import { extname } from 'node:path';
import type { SharedResults } from '../../artifacts/shared/shared-results.ts';
import type { Store } from '../../artifacts/store.ts';
import type { DerivedMedia } from '../../domain/derived-media.ts';
import type { Failure } from '../../domain/failure.ts';
import { contentsOf, type ResultContent } from '../../domain/result-contents.ts';
import { backoff } from '../../host/backoff.ts';
import type { Clock } from '../../host/clock.ts';
import type { Redactor } from '../../host/redactor.ts';
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
  Hands,
  Turn,
} from '../../run/ports/hands.ts';
import { isConnectionLost, type TeamDatabase } from '../database/team-database.ts';
import type { TeamQueue } from '../queue/team-queue.ts';
import { messages } from './hand-messages.ts';
import {
  giveOut,
  type HandLead,
  type HandResult,
  type HandRow,
  type HandToGive,
  handRows,
  handsTaken,
  leftByEarlierLeads,
  MOST_TURNS,
  silentHands,
  takeOverHand,
  unwanted,
} from './hand-rows.ts';
import { commandToSend, cutToSend, digestOfWork, type HandWork, inputsOf } from './hand-work.ts';
import { Troubles } from './troubles.ts';

export interface TeamHandsOptions extends HandLead {
  readonly team: TeamDatabase;
  readonly queue: TeamQueue;
  /** Of the project on this machine; absolute. */
  readonly root: string;
  readonly store: Store;
  readonly shared: SharedResults;
  /** Small work is done by these. */
  readonly here: Pick<Hands, 'download' | 'derive'>;
  readonly secrets: Redactor;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Calls back when this was told at the team's: `hands:<run>`. Returns how to stop that. */
  readonly hear: (topic: string, listener: () => void) => () => void;
  /** Aborts when this worker leaves: what is under way elsewhere goes on, for the next lead. */
  readonly leaving: AbortSignal;
  /** Resolves when all that was recorded so far is durable. */
  readonly durable: () => Promise<void>;
  /** Hears why work does not go on; undefined: it does. */
  readonly trouble: (message: string | undefined) => void;
  /** Milliseconds after which a job is missed that nobody is at; absent: a minute. */
  readonly patience?: number;
}

/** Milliseconds between two looks when nothing is told, and between two when much is. */
const POLL = 3_000;
const PAUSE = 10;
/** Milliseconds that a worker has to say that it stopped. */
const STOPPING = 8_000;
/** Milliseconds until what was taken up is said to be. */
const TAKEN_AFTER = 1_000;
/** Milliseconds after which a job is missed. */
const PATIENCE = 60_000;
/** Times that work is given out whose results were lost. */
const MOST_LOST = 3;

interface Waiting {
  readonly turn: Pick<CutTurn, 'started' | 'isWanted'> & Partial<Pick<CutTurn, 'progress'>>;
  readonly acts: boolean;
  readonly end: (ended: HandResult) => void;
  isStarted: boolean;
  progress: number;
}

export class TeamHands implements Hands {
  readonly most = { commands: 2_000, cuts: 200 };
  readonly #options: TeamHandsOptions;
  readonly #waiting = new Map<string, Waiting>();
  /** Ended, and not said to be taken up yet. */
  readonly #ended = new Set<string>();
  readonly #troubles: Troubles;
  readonly #deaf: () => void;
  #toGive: (HandToGive & { readonly given: (leads: boolean) => void; readonly failed: (error: unknown) => void })[] =
    [];
  #giving: Promise<void> | undefined;
  #looking: Promise<void> | undefined;
  #isTaking = false;
  #left: Promise<Map<string, string[]>> | undefined;
  #news = Promise.withResolvers<void>();
  #isTold = false;
  #isClosed = false;

  constructor(options: TeamHandsOptions) {
    this.#options = options;
    this.#troubles = new Troubles(options.trouble);
    this.#deaf = options.hear(`hands:${options.run}`, () => this.#told());
  }

  async runCommand(work: CommandWork, turn: Turn, signal: AbortSignal): Promise<CommandOutcome> {
    const { root, secrets } = this.#options;
    const toSend = commandToSend(work, root, texts => secrets.found(texts));
    const done = await this.#done(toSend, turn, signal);
    switch (done.is) {
      case 'lost':
        return { is: 'failed', failure: failureOf(messages.lostWorker()), mayHaveActed: true };
      case 'given up':
        return { is: 'failed', failure: failureOf(messages.givenUp(MOST_TURNS)) };
      case 'unsent':
        return { is: 'failed', failure: failureOf(messages.lostResult()), ...(work.effect && { mayHaveActed: true }) };
      default:
        return done as CommandOutcome;
    }
  }

  async makeCut(work: CutWork, turn: CutTurn, signal: AbortSignal): Promise<CutOutcome> {
    const { store } = this.#options;
    for (const [sha256, path] of work.authorPaths) if (!store.has(sha256)) await keepFile(store, path);
    const done = await this.#done(cutToSend(work), turn, signal);
    switch (done.is) {
      case 'lost':
      case 'given up':
        return { is: 'failed', failure: { code: 'cut_failed', message: messages.givenUp(MOST_TURNS) } };
      case 'unsent':
        return { is: 'failed', failure: { code: 'cut_failed', message: messages.lostResult() } };
      default:
        return done as CutOutcome;
    }
  }

  download(work: DownloadWork, turn: DownloadTurn, signal: AbortSignal): Promise<DownloadOutcome> {
    return this.#options.here.download(work, turn, signal);
  }

  derive(media: DerivedMedia, signal: AbortSignal): Promise<DeriveOutcome> {
    return this.#options.here.derive(media, signal);
  }

  /** The lead has ended. Unless it goes on elsewhere, nobody needs what is still under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#told();
    this.#deaf();
    const { team, leaving } = this.#options;
    await Promise.all([this.#giving, this.#looking]);
    try {
      await this.#takeUp();
      if (!leaving.aborted) await unwanted(team, this.#options);
    } catch (error) {
      // What is left is taken up, or left, by the next lead.
      if (!isConnectionLost(error)) throw error;
    }
  }

  async #done(
    work: HandWork,
    turn: Pick<Turn, 'priority' | 'started' | 'isWanted' | 'begin'> & Partial<Pick<CutTurn, 'progress'>>,
    signal: AbortSignal,
  ): Promise<HandResult | { readonly is: 'unsent' }> {
    if (!(await this.#sent(inputsOf(work), signal))) return STOPPED;
    const acts = work.is === 'command' && work.work.effect;
    for (let lost = 0; lost < MOST_LOST; lost++) {
      if (signal.aborted || turn.isWanted?.() === false) return STOPPED;
      const id = (await this.#leftBefore(work)) ?? (await this.#given(work, turn, signal));
      if (id === undefined) return STOPPED;
      const ended = await this.#end(id, { turn, acts }, signal);
      if (ended.is !== 'ok') return ended;
      const brought = await this.#brought(contentsOf(ended.result), signal);
      if (brought !== 'missing') return brought === 'ok' ? ended : STOPPED;
      if (acts) break;
    }
    return { is: 'unsent' };
  }

  /** What it reads is in the team's store. False: the signal aborted first. */
  async #sent(inputs: ReadonlySet<string>, signal: AbortSignal): Promise<boolean> {
    const { store, shared } = this.#options;
    const sent = [...inputs].map(async sha256 => {
      // What is not here either is in the team's store, or missed by whoever needs it.
      if (!store.has(sha256)) return true;
      const extension = extname(store.file(sha256) ?? '');
      return shared.sent({ sha256, extension }, signal, message => this.#troubles.tell(sha256, message));
    });
    return (await Promise.all(sent)).every(Boolean);
  }

  /** The same work of an earlier lead of this run, which nobody has taken up. */
  async #leftBefore(work: HandWork): Promise<string | undefined> {
    const { team } = this.#options;
    this.#left ??= this.#whileReachable(() => leftByEarlierLeads(team, this.#options));
    const left = await this.#left;
    if (left.size === 0) return undefined;
    const names = left.get(digestOfWork(work)) ?? [];
    for (let id = names.shift(); id !== undefined; id = names.shift()) {
      const mine = id;
      if (await this.#whileReachable(() => takeOverHand(team, this.#options, mine))) return mine;
    }
    return undefined;
  }

  /** Its name; undefined where it must not be done, or this lead leads no longer. */
  async #given(work: HandWork, { priority, begin }: Pick<Turn, 'priority' | 'begin'>, signal: AbortSignal) {
    // From here on it may be done, whatever becomes of this machine.
    if (begin && !(await begin())) return undefined;
    if (signal.aborted && !begin) return undefined;
    const id = this.#options.newId();
    const leads = await new Promise<boolean>((given, failed) => {
      this.#toGive.push({ id, work, priority, given, failed });
      this.#giving ??= this.#give();
    });
    return leads ? id : undefined;
  }

  /** All that waits to be given out, in one transaction. */
  async #give(): Promise<void> {
    // Whatever becomes ready in the same moment goes with it.
    await new Promise(setImmediate);
    while (this.#toGive.length > 0) {
      const batch = this.#toGive.splice(0, BATCH);
      try {
        const { team, queue } = this.#options;
        const leads = await this.#whileReachable(() => giveOut(team, queue, this.#options, batch));
        for (const one of batch) one.given(leads);
      } catch (error) {
        for (const one of batch) one.failed(error);
      }
    }
    this.#giving = undefined;
  }

  async #end(id: string, { turn, acts }: Pick<Waiting, 'turn' | 'acts'>, signal: AbortSignal): Promise<HandResult> {
    const { leaving, clock } = this.#options;
    const ended = Promise.withResolvers<HandResult>();
    this.#waiting.set(id, { turn, acts, end: ended.resolve, isStarted: false, progress: 0 });
    const over = new AbortController();
    const stop = () => {
      // The next lead takes it up where it is.
      if (leaving.aborted) return this.#leave(id, ended.resolve);
      // What acts outside is brought to its end.
      if (acts) return;
      void this.#unwanted([id]);
      void clock.sleep(STOPPING, over.signal).then(() => this.#leave(id, ended.resolve));
    };
    signal.addEventListener('abort', stop, { once: true });
    leaving.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    this.#looking ??= this.#look();
    this.#told();
    try {
      return await ended.promise;
    } finally {
      over.abort();
      signal.removeEventListener('abort', stop);
      leaving.removeEventListener('abort', stop);
    }
  }

  #leave(id: string, end: (ended: HandResult) => void): void {
    this.#waiting.delete(id);
    this.#told();
    end(STOPPED);
  }

  async #unwanted(ids: readonly string[]): Promise<void> {
    try {
      await unwanted(this.#options.team, this.#options, ids);
    } catch (error) {
      // Whoever is at it is told by nobody then; what it makes is made in vain.
      if (!isConnectionLost(error)) throw error;
    }
  }

  #told(): void {
    this.#isTold = true;
    this.#news.resolve();
  }

  /** For as long as anything is waited for. */
  async #look(): Promise<void> {
    const { clock, team, patience = PATIENCE } = this.#options;
    let looked = clock.now();
    while (this.#waiting.size > 0 && !this.#isClosed) {
      if (!this.#isTold) {
        const soon = new AbortController();
        await Promise.race([this.#news.promise, clock.sleep(POLL, soon.signal)]);
        soon.abort();
      }
      this.#isTold = false;
      this.#news = Promise.withResolvers<void>();
      this.#callOff();
      try {
        for (const row of await handRows(team, this.#options, [...this.#ended])) this.#see(row);
        this.#troubles.tell('database', undefined);
        if (Math.abs(clock.now() - looked) >= patience) {
          looked = clock.now();
          await this.#giveLostAgain(patience);
        }
      } catch (error) {
        if (!isConnectionLost(error)) throw error;
        this.#troubles.tell('database', (error as Error).message);
        await clock.sleep(POLL / 3);
      }
      // Much is told at once where much is done at once.
      if (this.#isTold) await clock.sleep(PAUSE);
    }
    this.#looking = this.#waiting.size > 0 && !this.#isClosed ? this.#look() : undefined;
  }

  /** A job may be gone from the queue, as after a restore: its work would wait for ever. */
  async #giveLostAgain(patience: number): Promise<void> {
    const { team, queue } = this.#options;
    const ids = [...this.#waiting.keys()];
    const live = await queue.live(ids);
    const lost = ids.filter(id => !live.has(id));
    if (lost.length === 0) return;
    const silent = await silentHands(team, lost, patience);
    await queue.hands(silent.map(id => ({ id, priority: 0, isAgain: true })));
  }

  /** What nobody has begun, and is not wanted any more. */
  #callOff(): void {
    const ids = [...this.#waiting]
      .filter(([, { turn, acts, isStarted }]) => !acts && !isStarted && turn.isWanted?.() === false)
      .map(([id]) => id);
    if (ids.length > 0) void this.#unwanted(ids);
  }

  #see({ id, state, progress, trouble, worker, result }: HandRow): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#troubles.tell(id, trouble === null ? undefined : messages.atWorker(worker ?? '', trouble));
    const isBegun = state === 'doing' || (result !== undefined && BEGUN.has(result.is));
    if (isBegun && !waiting.isStarted) {
      waiting.isStarted = true;
      waiting.turn.started();
    }
    if (progress !== null && progress > waiting.progress) {
      waiting.progress = progress;
      waiting.turn.progress?.(progress);
    }
    if (state !== 'done' || !result) return;
    this.#waiting.delete(id);
    this.#ended.add(id);
    if (result.is === 'ok' && waiting.progress < 1) waiting.turn.progress?.(1);
    waiting.end(result);
    if (!this.#isTaking) void this.#takeUpLater();
  }

  async #takeUpLater(): Promise<void> {
    this.#isTaking = true;
    while (this.#ended.size > 0 && !this.#isClosed) {
      await this.#options.clock.sleep(TAKEN_AFTER, undefined, 'in the background');
      // What is not said now is said with the next, or at the end.
      await this.#takeUp().catch(() => {});
    }
    this.#isTaking = false;
  }

  /** What has ended stands in the journal by now. */
  async #takeUp(): Promise<void> {
    const ids = [...this.#ended];
    if (ids.length === 0) return;
    await this.#options.durable();
    await handsTaken(this.#options.team, ids);
    for (const id of ids) this.#ended.delete(id);
  }

  async #brought(contents: readonly ResultContent[], signal: AbortSignal): Promise<'ok' | 'missing' | 'stopped'> {
    const { shared, clock } = this.#options;
    for (const { sha256 } of contents) {
      for (let attempt = 0; ; attempt++) {
        const brought = await shared.bring(sha256, signal);
        if (brought.is !== 'failed') this.#troubles.tell(sha256, undefined);
        if (brought.is === 'missing' || brought.is === 'stopped') return brought.is;
        if (brought.is === 'ok') break;
        this.#troubles.tell(sha256, brought.message);
        await clock.sleep(backoff(attempt), signal);
      }
      shared.isThere(sha256);
    }
    return 'ok';
  }

  /** Once more as soon as the database is there again. */
  async #whileReachable<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (!isConnectionLost(error) || this.#isClosed) throw error;
        await this.#options.clock.sleep(Math.min(1_000, backoff(attempt)));
      }
    }
  }
}

const STOPPED = { is: 'stopped' } as const;

const failureOf = (message: string): Failure => ({ code: 'command_failed', exit: null, message });

/** A file of the author's: workers have it from the team's store. One that is gone is missed by whoever needs it. */
async function keepFile(store: Pick<Store, 'put'>, path: string): Promise<void> {
  if (existsSync(path)) await store.put(createReadStream(path), extname(path));
}

/** Rows in one transaction. */
const BATCH = 250;
/** It was begun, or it would not have ended so. */
const BEGUN: ReadonlySet<HandResult['is']> = new Set(['ok', 'failed', 'lost']);
