/** What every part of a run is handed: the plan, what has happened, and the world it may touch. */
import type { Service } from '../api/service.ts';
import type { Store } from '../artifacts/store.ts';
import type { Event, Reporter, Stamped } from '../domain/event.ts';
import type { Failure } from '../domain/failure.ts';
import type { GenerationId, InstanceKey, RunId } from '../domain/key.ts';
import type { MediaFacts, MediaKind } from '../domain/media.ts';
import type { Plan } from '../domain/plan.ts';
import type { Result } from '../domain/result.ts';
import type { Clock } from '../host/clock.ts';
import type { CommandRunner } from '../host/processes.ts';
import type { PlanContext } from '../plan/plan.ts';
import { isJournalled, type Journal } from './journal.ts';
import type { Ledger, OpenSubmission } from './ledger.ts';
import type { Limits, Pools } from './pools.ts';
import { RunState } from './state.ts';
import type { Pace } from './watch.ts';

/** The world, injected. */
export interface World {
  readonly service: Service;
  readonly journal: Journal;
  readonly store: Store;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly commands: CommandRunner;
  readonly probe: (path: string) => Promise<MediaFacts | null>;
  /** Brings a result here; see artifacts/download.ts. */
  readonly fetchResult: FetchResult;
  readonly reporters: readonly Reporter[];
  readonly settings: RunSettings;
  readonly planContext: PlanContext;
}

/** `id` names the download; `kind` is what it must turn out to be, by content, before it gets a place in the store. */
export type FetchResult = (
  url: string,
  id: string,
  signal: AbortSignal,
  kind?: MediaKind,
) => Promise<
  | {
      readonly is: 'ok';
      readonly sha256: string;
      readonly bytes: number;
      readonly file: string;
      /** What looking for its kind found; absent where no kind was asked for. */
      readonly media?: MediaFacts | undefined;
    }
  /** What came is not what the model makes, and was thrown away: a fresh address may lead elsewhere. */
  | { readonly is: 'misfit'; readonly message: string }
  | { readonly is: 'gone'; readonly message: string }
  | { readonly is: 'failed'; readonly message: string }
>;

export interface RunSettings {
  readonly limits: Limits;
  /** What to do with a POST whose outcome nobody can tell. */
  readonly onUnknown: 'fail' | 'resubmit';
  readonly pace: Pace;
  /** Milliseconds without a word from the service before the run gives up (open generations stay open). */
  readonly patience: number;
  /** Milliseconds after a lost POST before "not listed" is believed. */
  readonly settleUnknown: number;
  /** Absolute path of the project's root: outputs and commands live under it. */
  readonly root: string;
  /** Absolute path for what is private to this pipeline's runs: partial downloads, command folders. */
  readonly work: string;
  /** The command that goes on with this run, as a person would type it. */
  readonly resume: string;
  /** The built-in studio reads results straight from the content store. */
  readonly localStudio: boolean;
  /** What an interrupt does to generations at the service: they go on, or are cancelled. */
  readonly onInterrupt?: 'detach' | 'cancel';
  /** The service is on another machine: files of this one are out of its reach. */
  readonly elsewhere?: boolean;
}

/** Why nothing new is started any more. */
export type Stop = { readonly is: 'interrupted' } | { readonly is: 'unreachable'; readonly reason: string };

/** What became of the work on an instance. */
export type Ended =
  | { readonly is: 'ok'; readonly result: Result }
  | { readonly is: 'failed'; readonly failure: Failure }
  /** The run stopped first: it is begun again, or taken up, by the next. */
  | { readonly is: 'stopped' };

export class Context {
  readonly plan: Plan;
  readonly world: World;
  readonly run: RunId;
  readonly state: RunState;
  readonly ledger: Ledger;
  readonly pools: Pools;
  /** Results this run has brought home or found, by fingerprint: the same request is never made twice. */
  readonly owned = new Map<string, Result>();
  /** What earlier runs submitted and did not bring home, waiting to be taken up. */
  readonly #leftOver: OpenSubmission[];
  /** What each finished instance gave, and for which request. */
  readonly results = new Map<InstanceKey, { readonly fingerprint: string; readonly result: Result }>();
  /** Requests that are being carried out, by fingerprint. */
  readonly twins = new Map<string, Promise<void>>();
  readonly #stop = new AbortController();
  readonly #opening: Stamped;
  #opened = false;
  #detached: readonly InstanceKey[] | undefined;
  #onChange: () => void = () => {};

  constructor(plan: Plan, world: World, run: RunId, ledger: Ledger, pools: Pools, opening: Stamped) {
    this.plan = plan;
    this.world = world;
    this.run = run;
    this.state = new RunState(plan);
    this.ledger = ledger;
    this.pools = pools;
    this.#leftOver = [...ledger.open];
    this.#opening = opening;
  }

  /** Aborts when the run stops early: everything that waits lets go, and nothing new is started. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }
  get stopped(): Stop | undefined {
    return this.#stop.signal.aborted ? (this.#stop.signal.reason as Stop) : undefined;
  }
  stop(why: Stop): void {
    if (!this.#stop.signal.aborted) this.#stop.abort(why);
    this.#onChange();
  }

  /** Tells that the run begins; journalled with the first thing that is. */
  open(): void {
    this.#report(this.#opening);
  }

  /** Something happened: it is journalled, applied, told. */
  emit(event: Event): void {
    const { journal } = this.world;
    const stamped = journal.stamp(event);
    // What does not fit the state throws before it is written down.
    this.#apply(stamped);
    if (isJournalled(event)) {
      // A run that changes nothing leaves no trace.
      if (!this.#opened) journal.keep(this.run, this.#opening);
      this.#opened = true;
      journal.keep(this.run, stamped);
    }
    this.#report(stamped);
  }

  /** Something the plan already knew: applied and told, but the next plan will know it again. */
  tell(event: Event): void {
    const stamped = this.world.journal.stamp(event);
    this.#apply(stamped);
    this.#report(stamped);
  }

  /** Work on an instance has ended. A result is ours from here on: those behind may start, and whoever asks for the same has it. */
  finish(key: InstanceKey, fingerprint: string, ended: Ended): void {
    if (ended.is === 'stopped') return;
    if (ended.is === 'failed') {
      this.fail(key, ended.failure);
      return;
    }
    this.owned.set(fingerprint, ended.result);
    this.emit({ type: 'succeeded', key, fingerprint, result: ended.result });
  }

  fail(key: InstanceKey, failure: Failure): void {
    this.emit({ type: 'failed', key, failure });
  }

  /** An earlier submission of this very request, handed out once. */
  takeLeftOver(fingerprint: string): OpenSubmission | undefined {
    const at = this.#leftOver.findIndex(open => open.fingerprint === fingerprint);
    return at < 0 ? undefined : this.#leftOver.splice(at, 1)[0];
  }
  /** Those nobody asked for: the file was edited since. */
  get leftOver(): readonly OpenSubmission[] {
    return this.#leftOver;
  }

  /** Something about a submission of an earlier version of the file: journalled, but no instance of this plan changes. */
  note(event: Event): void {
    const stamped = this.world.journal.stamp(event);
    this.ledger.apply(this.run, stamped);
    this.world.journal.keep(this.run, stamped);
  }

  /** Whether this run wrote anything to the journal. */
  get wrote(): boolean {
    return this.#opened;
  }

  /** What was said to go on without us; undefined until the run stops early. */
  get detached(): readonly InstanceKey[] | undefined {
    return this.#detached;
  }

  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  #apply(event: Stamped): void {
    this.state.apply(event);
    this.ledger.apply(this.run, event);
    if (event.type === 'reused' || event.type === 'succeeded') this.results.set(event.key, event);
    if (event.type === 'run_detached') this.#detached = event.running;
    if (event.type === 'billed') this.#correctCost(event.generation_id, event.cost);
  }

  /** Twins share a generation: what it cost is true of each. */
  #correctCost(id: GenerationId, cost: number): void {
    for (const [key, { fingerprint, result }] of this.results) {
      if (result.is !== 'media' || result.generation_id !== id) continue;
      this.results.set(key, { fingerprint, result: { ...result, cost } });
    }
  }

  #report(event: Stamped): void {
    for (const reporter of this.world.reporters) reporter.report(event);
    this.#onChange();
  }
}
