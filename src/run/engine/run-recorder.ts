/**
 * Records everything that happens in a run: an event is applied to the state, journalled where replay needs it, and shown once it is
 * durable. The results of the run are what the events gave.
 */

import type { Redactor } from '../../machine/redactor.ts';
import type { Instance } from '../../model/plan.ts';
import type { Choice } from '../../model/run/choice.ts';
import type { Event, RecordedEvent, Reporter } from '../../model/run/event.ts';
import type { Failure } from '../../model/run/failure.ts';
import type { KeptPart } from '../../model/run/kept-plan.ts';
import type { GenerationId, InstanceKey, RunId } from '../../model/run/key.ts';
import { type Asked, isStored, type Result, type StoredResult } from '../../model/run/result.ts';
import { labelOf } from '../../plan/kinds/index.ts';
import { isJournalled, type Journal, JournalFailed, Superseded } from '../../records/journal/journal.ts';
import { endsIt } from '../../records/views/ledger.ts';
import { hideSecrets, withoutSecretRequest } from '../hide-secrets.ts';
import type { RequestOutcome } from '../ports/admission.ts';
import type { RunState } from './state.ts';
import type { StopSwitch } from './stop-switch.ts';

/**
 * Keeps the lock file up to date: `learn` takes results that this run made, `reuse` takes results that were owned before. `asked`: the request;
 * undefined where it is unknown.
 */
export interface ResultSink {
  /** What was decided in this run, and what was decided before it. */
  decided?(choice: Choice): void;
  replayed?(choice: Choice): void;
  /** The service no longer has this generation. */
  gone?(id: GenerationId): void;
  learn(key: InstanceKey, model: string, fingerprint: string, result: StoredResult, asked?: Asked): void;
  reuse(
    key: InstanceKey,
    model: string,
    fingerprint: string,
    result: StoredResult,
    asked?: (key: InstanceKey) => Asked | undefined,
  ): void;
}

interface RecorderOptions {
  readonly run: RunId;
  readonly state: RunState;
  readonly journal: Journal;
  readonly stopping: StopSwitch;
  readonly reporters: readonly Reporter[];
  readonly lock?: ResultSink | undefined;
  readonly secrets?: Redactor | undefined;
  readonly onFailure?: 'go_on' | 'hold' | undefined;
  /** What an instance asks for, once everything that it reads is there. */
  readonly askedBy: (instance: Instance) => Asked | undefined;
  /** The first event: shown at once, and journalled with the first thing that is, beside what was planned. */
  readonly opening: Event;
  readonly plan: Iterable<KeptPart>;
}

/** `isNew`: this run made it. */
type OnResult = (instance: Instance, result: Result, isNew: boolean) => void;

/** Milliseconds: SQLite waits as long for another process that holds the journal. */
const STALLED_AFTER = 5_000;
const REPORT_AGAIN_AFTER = 60_000;

export class RunRecorder {
  /** What each finished instance gave, and for which request. */
  readonly results = new Map<
    InstanceKey,
    { readonly fingerprint: string; readonly result: Result; readonly asked?: Asked }
  >();
  /** What did not fit into a budget, in the order it was asked for. */
  readonly overBudget = new Map<InstanceKey, RecordedEvent & { readonly type: 'over_budget' }>();
  /** Generations that failed and were asked for anew: each may be billed. */
  readonly retried = new Map<GenerationId, { readonly key: InstanceKey; readonly fingerprint: string }>();
  readonly #options: RecorderOptions;
  readonly #opening: RecordedEvent;
  readonly #listeners: OnResult[] = [];
  /** What the instances that are being carried out have asked for. */
  readonly #asked = new Map<InstanceKey, Asked>();
  /** The service's last status of each generation, since its last other event. */
  readonly #statuses = new Map<InstanceKey, string>();
  /** Events that are not shown yet, because an event is shown only when it is durable. */
  #unshown: RecordedEvent[] = [];
  /** Unix milliseconds of the last report that the run waits for the journal. */
  #reportedAt = Number.NEGATIVE_INFINITY;
  #wrote = false;
  #isDurable = true;
  #seq = 0;
  #detached: readonly InstanceKey[] | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#opening = this.#stamp(options.opening);
    options.journal.listen({
      durable: () => {
        this.#isDurable = true;
        this.showAll();
      },
      failed: failure => {
        const is = failure instanceof Superseded ? 'superseded' : 'unwritable';
        options.stopping.stop({ is, reason: failure.message });
        if (is === 'unwritable') this.#reportWaitForJournal(failure.message);
      },
    });
  }

  open(): void {
    this.#show(this.#opening);
  }

  /** Applies an event, journals it where replay needs it, and shows it as soon as it is durable. `beside`: what the plan has grown by. */
  record(event: Event, planParts?: Iterable<KeptPart>): void {
    this.#happens(event, recorded => {
      if (!isJournalled(event)) return;
      if ('key' in event) this.#statuses.delete(event.key);
      // A run that changes nothing leaves no trace.
      if (!this.#wrote) this.#append(this.#opening, this.#options.plan);
      this.#wrote = true;
      this.#append(recorded, planParts);
    });
  }

  /** Applies and shows an event without journalling it: the plan knew it already, or the next plan finds it again. */
  emit(event: Event): void {
    this.#happens(event, () => {});
  }

  /** Records what no replay needs, and a later reader of the run asks for. A run that changes nothing leaves no trace of it either. */
  note(event: Event): void {
    this.#happens(event, recorded => {
      if (this.#wrote && this.#isNews(event)) this.#append(recorded);
    });
  }

  #happens(event: Event, keep: (recorded: RecordedEvent) => void): void {
    const recorded = this.#numbered(event);
    // An event that does not fit the state throws before it is journalled.
    this.#apply(recorded);
    keep(recorded);
    this.#show(recorded);
    this.#notifyListeners(recorded);
  }

  /** Journals an event of a submission that belongs to an earlier version of the file: no instance of this plan changes. */
  append(event: Event): void {
    this.#append(this.#numbered(event));
  }

  /** Work on it begins: what it asks for is kept with what it gives. */
  begin(key: InstanceKey, asked: Asked): void {
    this.#asked.set(key, asked);
  }

  /** Records the outcome of an instance. A stopped instance gets no event: the next run starts or resumes it. */
  settle(key: InstanceKey, fingerprint: string, outcome: RequestOutcome, isDrawnAgain = false): void {
    if (outcome.is === 'stopped') return;
    const asked = this.#asked.get(key);
    this.#asked.delete(key);
    if (outcome.is === 'failed') this.fail(key, outcome.failure, asked);
    else {
      const again = isDrawnAgain && ({ drawn_again: true } as const);
      this.record({ type: 'succeeded', key, fingerprint, result: outcome.result, ...again, ...(asked && { asked }) });
    }
  }

  fail(key: InstanceKey, failure: Failure, asked?: Asked): void {
    this.record({ type: 'failed', key, failure, ...(asked && { asked }) });
    if (this.#options.onFailure === 'hold') this.#options.stopping.hold();
  }

  /** True when all that happened so far is on the disk; false when it cannot be, and the run has stopped. */
  async durable(): Promise<boolean> {
    try {
      await this.#options.journal.durable();
      return true;
    } catch (error) {
      if (error instanceof JournalFailed) return false;
      throw error;
    }
  }

  /** Whether this run wrote anything to the journal. */
  get wrote(): boolean {
    return this.#wrote;
  }

  /** Instances reported to go on at the service without this run; undefined until the run stops early. */
  get detached(): readonly InstanceKey[] | undefined {
    return this.#detached;
  }

  /** Adds a listener that is called with every result as soon as it exists. */
  onResult(listener: OnResult): void {
    this.#listeners.push(listener);
  }

  /** One function for all: ten thousand that are owned ask for nothing as a rule. */
  readonly #askedBy = (key: InstanceKey): Asked | undefined => {
    const instance = this.#options.state.instances.get(key);
    return instance && this.#options.askedBy(instance);
  };

  /** A service reports progress many times; only the beginning is kept, and steps back. */
  #isNews(event: Event): boolean {
    if (event.type !== 'progress') return true;
    const before = this.#statuses.get(event.key);
    this.#statuses.set(event.key, event.status);
    return before !== event.status;
  }

  #numbered(event: Event): RecordedEvent {
    const { secrets, state } = this.#options;
    if (secrets === undefined) return this.#stamp(event);
    const step = 'key' in event ? state.instances.get(event.key)?.step : undefined;
    return this.#stamp(hideSecrets(event, secrets, step));
  }

  /** Gives an event its number in this run and the time. */
  #stamp(event: Event): RecordedEvent {
    this.#seq += 1;
    return { ...event, seq: this.#seq, at: this.#options.journal.now() };
  }

  #append(event: RecordedEvent, plan?: Iterable<KeptPart>): void {
    this.#isDurable = false;
    this.#options.journal.append(this.#options.run, [event], plan);
  }

  #apply(event: RecordedEvent): void {
    this.#options.state.apply(event);
    if (event.type === 'reused' || event.type === 'succeeded') this.results.set(event.key, event);
    if (event.type === 'reused') this.#asked.delete(event.key);
    if (event.type === 'over_budget') this.overBudget.set(event.key, event);
    if (event.type === 'retrying' && endsIt(event.failure) && 'generation_id' in event.failure) {
      const { generation_id: id } = event.failure;
      if (id) this.retried.set(id, event);
    }
    if (event.type === 'run_detached') this.#detached = event.running;
    if (event.type === 'billed') this.#correctCost(event.generation_id, event.cost);
  }

  #notifyListeners(event: RecordedEvent): void {
    if (event.type === 'chosen') this.#options.lock?.decided?.(event.choice);
    if (event.type !== 'reused' && event.type !== 'succeeded') return;
    const { lock, state } = this.#options;
    const instance = state.instances.get(event.key);
    if (!instance) return;
    const label = labelOf(instance.step);
    const { key, fingerprint, result } = event;
    if (result.is === 'picked' || result.is === 'approved') lock?.replayed?.(result.choice);
    // What a `uses` step gives is kept by the instances inside.
    if (isStored(result)) {
      if (event.type === 'reused') lock?.reuse(key, label, fingerprint, result, this.#askedBy);
      else lock?.learn(key, label, fingerprint, result, event.asked ?? this.#options.askedBy(instance));
    }
    for (const listener of this.#listeners) listener(instance, event.result, event.type === 'succeeded');
  }

  /** Instances with the same request share a generation, so its real cost applies to each of them. */
  #correctCost(id: GenerationId, cost: number): void {
    const { lock, state } = this.#options;
    for (const [key, { fingerprint, result, asked }] of this.results) {
      if (result.is !== 'media' || result.generation_id !== id) continue;
      const corrected = { ...result, cost };
      this.results.set(key, { fingerprint, result: corrected, ...(asked && { asked }) });
      const instance = state.instances.get(key);
      if (!instance) continue;
      lock?.learn(key, labelOf(instance.step), fingerprint, corrected, asked ?? this.#options.askedBy(instance));
    }
  }

  /** Reports that an id of the service is still to be written, once a minute. */
  #reportWaitForJournal(reason: string): void {
    const waiting = this.#options.journal.pending.find(({ type }) => type === 'submit_accepted');
    if (waiting === undefined || !('key' in waiting) || !this.#options.state.instances.has(waiting.key)) return;
    const { key, at: since } = waiting;
    const report = this.#numbered({ type: 'still_waiting', key, what: 'journal', reason, since });
    if (report.at - since < STALLED_AFTER || report.at - this.#reportedAt < REPORT_AGAIN_AFTER) return;
    this.#reportedAt = report.at;
    this.#show(report);
  }

  /**
   * Shows events in the order in which they happened: an event that waits for the disk holds back all later ones. A report of a wait is shown
   * at once where the journal has been unwritable for some seconds.
   */
  #show(event: RecordedEvent): void {
    const [oldest] = this.#unshown;
    const isStalled = oldest !== undefined && event.at - oldest.at >= STALLED_AFTER;
    if (isStalled && event.type === 'still_waiting') this.#showEach([event]);
    else this.#unshown.push(event);
    if (this.#isDurable) this.showAll();
    this.#options.stopping.changed();
  }

  /** Shows all that is waiting to be shown: it is durable. */
  showAll(): void {
    this.#showEach(this.#unshown.splice(0));
  }

  /**
   * Ends the run for the reporters. Events that could not be made durable are not shown, nor is what builds on them, such as the progress of a
   * generation before its acceptance is written. How the run ends is shown in any case.
   */
  close(): void {
    const waiting = new Set(this.#options.journal.pending);
    const unwritten = new Set<InstanceKey>();
    const shown = this.#unshown.splice(0).filter(event => {
      if (event.type === 'run_detached' || event.type === 'run_finished') return true;
      if (!('key' in event)) return !waiting.has(event);
      if (waiting.has(event)) unwritten.add(event.key);
      return !unwritten.has(event.key);
    });
    this.#showEach(shown);
  }

  #showEach(events: readonly RecordedEvent[]): void {
    const { secrets, reporters } = this.#options;
    const shown = events.map(event => (secrets ? withoutSecretRequest(event, secrets) : event));
    for (const event of shown) for (const reporter of reporters) this.#report(event, reporter);
  }

  /** A reporter that throws takes no event from the other reporters, and stops no work that is under way. */
  #report(event: RecordedEvent, reporter: Reporter): void {
    try {
      reporter.report(event);
    } catch (bug) {
      this.#options.stopping.reportBug(bug);
    }
  }
}
