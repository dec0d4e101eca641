/** What every part of a run is handed: the plan, what has happened, and the world it may touch. */
import type { Service } from '../api/service.ts';
import type { Store } from '../artifacts/store.ts';
import type { Event, Reporter, Stamped } from '../domain/event.ts';
import type { Failpoint } from '../domain/failpoint.ts';
import type { Failure } from '../domain/failure.ts';
import type { GenerationId, InstanceKey, RunId } from '../domain/key.ts';
import type { MediaFacts, MediaKind } from '../domain/media.ts';
import type { Instance, Plan } from '../domain/plan.ts';
import type { Result } from '../domain/result.ts';
import type { Clock } from '../host/clock.ts';
import type { CommandRunner } from '../host/command-runner.ts';
import type { PlanContext } from '../plan/plan.ts';
import type { Limits, Pools } from './pools.ts';
import type { Admission, RequestOutcome } from './ports/admission.ts';
import { isJournalled, type Journal, JournalFailed } from './ports/journal.ts';
import type { Ledger } from './requests/ledger.ts';
import type { Proof } from './requests/proof.ts';
import type { Pace } from './requests/watcher.ts';
import { RunState } from './state.ts';

/** The world, injected. */
export interface World {
  readonly service: Service;
  readonly journal: Journal;
  readonly admission: Admission;
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
  /** Is told of every result the run comes to own: it keeps the lock file up to date. */
  readonly lock?: LockSink;
  /** Takes out of the words of an event what is neither shown nor kept. */
  readonly hide?: (event: Event) => Event;
  /** Where tests end the process. */
  readonly failpoint?: (name: Failpoint) => void;
}

/** What keeps the lock file up to date: told of what is made, and of what was owned before. */
export interface LockSink {
  learn(key: InstanceKey, model: string, fingerprint: string, result: Result): void;
  reuse(key: InstanceKey, model: string, fingerprint: string, result: Result): void;
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
  /** What it takes before "not listed" is believed of a lost POST. */
  readonly proof: Proof;
  /** Milliseconds after which an activation that was never answered has arrived or never will. */
  readonly settleActivation: number;
  /** Absolute path of the project's root: outputs and commands live under it. */
  readonly root: string;
  /** Below the root, and never written by outputs: the pipeline, its lock, the settings. */
  readonly reserved?: readonly string[];
  /** Absolute path for what is private to this pipeline's runs: partial downloads, command folders. */
  readonly work: string;
  /** The command that goes on with this run, as a person would type it, and the one that ends what it left at the service. */
  readonly resume: string;
  readonly cancel?: string;
  /** The built-in studio reads results straight from the content store. */
  readonly localStudio: boolean;
  /** What an interrupt does to generations at the service: they go on, or are cancelled. */
  readonly onInterrupt?: 'detach' | 'cancel';
  /** The service is on another machine: files of this one are out of its reach. */
  readonly elsewhere?: boolean;
}

/** Why nothing new is started any more. */
export type Stop =
  | { readonly is: 'interrupted' }
  | { readonly is: 'unreachable'; readonly reason: string }
  /** The journal cannot be written: what was paid for could not be kept. */
  | { readonly is: 'unwritable'; readonly reason: string }
  | { readonly is: 'frozen'; readonly reason: string }
  /** A belief of ours broke. */
  | { readonly is: 'bug' };

/** `isNew`: this run made it. */
type OnResult = (instance: Instance, result: Result, isNew: boolean) => void;

/** What became of the work on an instance; `stopped`: it is begun again, or taken up, by the next run. */
export type Ended = RequestOutcome;

export class Context {
  readonly plan: Plan;
  readonly world: World;
  readonly run: RunId;
  readonly state: RunState;
  readonly ledger: Ledger;
  readonly pools: Pools;
  /** What each finished instance gave, and for which request. */
  readonly results = new Map<InstanceKey, { readonly fingerprint: string; readonly result: Result }>();
  readonly #stop = new AbortController();
  readonly #opening: Stamped;
  readonly #finished: OnResult[] = [];
  /** Beliefs of ours that broke in this run. */
  readonly #bugs: unknown[] = [];
  /** Happened, and not shown yet: what is shown is durable. */
  #untold: Stamped[] = [];
  #opened = false;
  #detached: readonly InstanceKey[] | undefined;
  #onChange: () => void = () => {};

  constructor(plan: Plan, world: World, run: RunId, pools: Pools, opening: Stamped) {
    this.plan = plan;
    this.world = world;
    this.run = run;
    this.state = new RunState(plan);
    this.ledger = world.journal.ledger;
    this.pools = pools;
    this.#opening = opening;
    world.journal.listen({
      durable: () => this.#tellAll(),
      failed: ({ message }) => this.stop({ is: 'unwritable', reason: message }),
    });
  }

  /** What an instance has given. One function for the whole run: planning keeps what it has read with it. */
  readonly lookup = (key: InstanceKey): Result | 'skipped' | undefined => this.state.result(key);

  /** Aborts when the run stops early: everything that waits lets go, and nothing new is started. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }
  get stopped(): Stop | undefined {
    return this.#stop.signal.aborted ? (this.#stop.signal.reason as Stop) : undefined;
  }
  /** A belief of ours broke: with money it is better to stop. It is thrown when what is on the wire has ended. */
  broke(bug: unknown): void {
    this.#bugs.push(bug);
    if (!this.stopped) this.stop({ is: 'bug' });
  }
  throwWhatBroke(): void {
    if (this.#bugs.length > 0) throw this.#bugs[0];
  }
  stop(why: Stop): void {
    if (!this.#stop.signal.aborted) this.#stop.abort(why);
    this.#onChange();
  }

  /** Tells that the run begins; journalled with the first thing that is. */
  open(): void {
    this.#tell(this.#opening);
  }

  /** Something happened: it is applied, journalled, and told as soon as it is durable. */
  emit(event: Event): void {
    const { journal } = this.world;
    const stamped = this.#stamp(event);
    // What does not fit the state throws before it is written down.
    this.#apply(stamped);
    if (isJournalled(event)) {
      // A run that changes nothing leaves no trace.
      if (!this.#opened) journal.keep(this.run, this.#opening);
      this.#opened = true;
      journal.keep(this.run, stamped);
    }
    this.#tell(stamped);
    this.#follow(stamped);
  }

  /** Something the plan already knew: applied and told, but the next plan will know it again. */
  tell(event: Event): void {
    const stamped = this.#stamp(event);
    this.#apply(stamped);
    this.#tell(stamped);
    this.#follow(stamped);
  }

  /** True when all that was said so far is on the disk; false when it cannot be, and the run has stopped. */
  async durable(): Promise<boolean> {
    try {
      await this.world.journal.commit();
      return true;
    } catch (error) {
      if (error instanceof JournalFailed) return false;
      throw error;
    }
  }

  /** Shows what could not be made durable as well: the last thing a run does that cannot write any more. */
  tellTheRest(): void {
    this.#tellAll();
  }

  /** Work on an instance has ended. */
  finish(key: InstanceKey, fingerprint: string, ended: Ended): void {
    if (ended.is === 'stopped') return;
    if (ended.is === 'failed') this.fail(key, ended.failure);
    else this.emit({ type: 'succeeded', key, fingerprint, result: ended.result });
  }

  fail(key: InstanceKey, failure: Failure): void {
    this.emit({ type: 'failed', key, failure });
  }

  /** Something about a submission of an earlier version of the file: journalled, but no instance of this plan changes. */
  note(event: Event): void {
    this.world.journal.keep(this.run, this.#stamp(event));
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

  /** Called with every result as soon as it is there. */
  onResult(listener: OnResult): void {
    this.#finished.push(listener);
  }

  #stamp(event: Event): Stamped {
    return this.world.journal.stamp(this.world.hide?.(event) ?? event);
  }

  #apply(event: Stamped): void {
    this.state.apply(event);
    if (event.type === 'reused' || event.type === 'succeeded') this.results.set(event.key, event);
    if (event.type === 'run_detached') this.#detached = event.running;
    if (event.type === 'billed') this.#correctCost(event.generation_id, event.cost);
  }

  #follow(event: Stamped): void {
    if (event.type === 'reused' || event.type === 'succeeded') {
      const instance = this.plan.instances.get(event.key);
      if (!instance) return;
      const model = modelOf(instance);
      if (event.type === 'reused') this.world.lock?.reuse(event.key, model, event.fingerprint, event.result);
      else this.world.lock?.learn(event.key, model, event.fingerprint, event.result);
      for (const listener of this.#finished) listener(instance, event.result, event.type === 'succeeded');
    }
  }

  /** Twins share a generation: what it cost is true of each. */
  #correctCost(id: GenerationId, cost: number): void {
    for (const [key, { fingerprint, result }] of this.results) {
      if (result.is !== 'media' || result.generation_id !== id) continue;
      const corrected = { ...result, cost };
      this.results.set(key, { fingerprint, result: corrected });
      const instance = this.plan.instances.get(key);
      if (instance) this.world.lock?.learn(key, modelOf(instance), fingerprint, corrected);
    }
  }

  /** In the order in which things happened: what waits for the disk holds back what came after it. */
  #tell(event: Stamped): void {
    this.#untold.push(event);
    if (this.world.journal.isSettled) this.#tellAll();
    this.#onChange();
  }

  #tellAll(): void {
    const told = this.#untold;
    this.#untold = [];
    for (const event of told) for (const reporter of this.world.reporters) this.#report(event, reporter);
  }

  /** One that breaks costs no other a word, and what is going on none of its work. */
  #report(event: Stamped, reporter: Reporter): void {
    try {
      reporter.report(event);
    } catch (bug) {
      this.broke(bug);
    }
  }
}

/** What the lock file calls the model of an instance: the kind of a step that has none. */
const modelOf = ({ step }: Instance): string => (step.kind === 'generate' ? step.model : step.kind);
