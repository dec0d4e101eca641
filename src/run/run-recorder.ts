/**
 * The one way in which something happens in a run: the event is applied to the state, journalled where replay needs it, and shown once it
 * is durable. The results of the run are what the events gave.
 */
import type { Event, RecordedEvent, Reporter } from '../domain/event.ts';
import type { Failure } from '../domain/failure.ts';
import type { GenerationId, InstanceKey, RunId } from '../domain/key.ts';
import type { Instance } from '../domain/plan.ts';
import type { Result } from '../domain/result.ts';
import { labelOf } from '../plan/kinds/index.ts';
import type { RequestOutcome } from './ports/admission.ts';
import { isJournalled, type Journal, JournalFailed } from './ports/journal.ts';
import type { ResultSink } from './run-environment.ts';
import type { RunState } from './state.ts';
import type { StopSwitch } from './stop-switch.ts';

export interface RecorderOptions {
  readonly run: RunId;
  readonly state: RunState;
  readonly journal: Journal;
  readonly stopping: StopSwitch;
  readonly reporters: readonly Reporter[];
  readonly lock?: ResultSink | undefined;
  readonly hide?: ((event: Event) => Event) | undefined;
  /** The first event: shown at once, and journalled with the first thing that is. */
  readonly opening: RecordedEvent;
}

/** `isNew`: this run made it. */
type OnResult = (instance: Instance, result: Result, isNew: boolean) => void;

export class RunRecorder {
  /** What each finished instance gave, and for which request. */
  readonly results = new Map<InstanceKey, { readonly fingerprint: string; readonly result: Result }>();
  readonly #options: RecorderOptions;
  readonly #listeners: OnResult[] = [];
  /** Happened, and not shown yet: what is shown is durable. */
  #unshown: RecordedEvent[] = [];
  #wrote = false;
  #detached: readonly InstanceKey[] | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
    options.journal.listen({
      durable: () => this.#showAll(),
      failed: ({ message }) => options.stopping.stop({ is: 'unwritable', reason: message }),
    });
  }

  /** Shows that the run begins. */
  open(): void {
    this.#show(this.#options.opening);
  }

  /** Something happened: it is applied, journalled where replay needs it, and shown as soon as it is durable. */
  record(event: Event): void {
    const recorded = this.#numbered(event);
    // What does not fit the state throws before it is written down.
    this.#apply(recorded);
    if (isJournalled(event)) {
      const { journal, run, opening } = this.#options;
      // A run that changes nothing leaves no trace.
      if (!this.#wrote) journal.append(run, opening);
      this.#wrote = true;
      journal.append(run, recorded);
    }
    this.#show(recorded);
    this.#tellListeners(recorded);
  }

  /** Something the plan knew already, or the next one will know again: applied and shown, never journalled. */
  emit(event: Event): void {
    const recorded = this.#numbered(event);
    this.#apply(recorded);
    this.#show(recorded);
    this.#tellListeners(recorded);
  }

  /** Something about a submission of an earlier version of the file: journalled, but no instance of this plan changes. */
  append(event: Event): void {
    this.#options.journal.append(this.#options.run, this.#numbered(event));
  }

  /** Work on an instance has ended. What was stopped is begun again, or resumed, by the next run. */
  settle(key: InstanceKey, fingerprint: string, outcome: RequestOutcome): void {
    if (outcome.is === 'stopped') return;
    if (outcome.is === 'failed') this.fail(key, outcome.failure);
    else this.record({ type: 'succeeded', key, fingerprint, result: outcome.result });
  }

  fail(key: InstanceKey, failure: Failure): void {
    this.record({ type: 'failed', key, failure });
  }

  /** True when all that happened so far is on the disk; false when it cannot be, and the run has stopped. */
  async durable(): Promise<boolean> {
    try {
      await this.#options.journal.commit();
      return true;
    } catch (error) {
      if (error instanceof JournalFailed) return false;
      throw error;
    }
  }

  /** Shows what could not be made durable as well: the last thing a run does that cannot write any more. */
  showTheRest(): void {
    this.#showAll();
  }

  /** Whether this run wrote anything to the journal. */
  get wrote(): boolean {
    return this.#wrote;
  }

  /** What was said to go on without us; undefined until the run stops early. */
  get detached(): readonly InstanceKey[] | undefined {
    return this.#detached;
  }

  /** Called with every result as soon as it is there. */
  onResult(listener: OnResult): void {
    this.#listeners.push(listener);
  }

  #numbered(event: Event): RecordedEvent {
    return this.#options.journal.numbered(this.#options.hide?.(event) ?? event);
  }

  #apply(event: RecordedEvent): void {
    this.#options.state.apply(event);
    if (event.type === 'reused' || event.type === 'succeeded') this.results.set(event.key, event);
    if (event.type === 'run_detached') this.#detached = event.running;
    if (event.type === 'billed') this.#correctCost(event.generation_id, event.cost);
  }

  #tellListeners(event: RecordedEvent): void {
    if (event.type !== 'reused' && event.type !== 'succeeded') return;
    const { lock, state } = this.#options;
    const instance = state.instances.get(event.key);
    if (!instance) return;
    const label = labelOf(instance.step);
    if (event.type === 'reused') lock?.reuse(event.key, label, event.fingerprint, event.result);
    else lock?.learn(event.key, label, event.fingerprint, event.result);
    for (const listener of this.#listeners) listener(instance, event.result, event.type === 'succeeded');
  }

  /** Instances with one and the same request share a generation: what it cost is true of each. */
  #correctCost(id: GenerationId, cost: number): void {
    const { lock, state } = this.#options;
    for (const [key, { fingerprint, result }] of this.results) {
      if (result.is !== 'media' || result.generation_id !== id) continue;
      const corrected = { ...result, cost };
      this.results.set(key, { fingerprint, result: corrected });
      const instance = state.instances.get(key);
      if (instance) lock?.learn(key, labelOf(instance.step), fingerprint, corrected);
    }
  }

  /** In the order in which things happened: what waits for the disk holds back what came after it. */
  #show(event: RecordedEvent): void {
    this.#unshown.push(event);
    if (this.#options.journal.isSettled) this.#showAll();
    this.#options.stopping.changed();
  }

  #showAll(): void {
    const shown = this.#unshown;
    this.#unshown = [];
    for (const event of shown) for (const reporter of this.#options.reporters) this.#report(event, reporter);
  }

  /** One that breaks costs no other a word, and what is going on none of its work. */
  #report(event: RecordedEvent, reporter: Reporter): void {
    try {
      reporter.report(event);
    } catch (bug) {
      this.#options.stopping.reportBug(bug);
    }
  }
}
