/**
 * The questions that a run has open: picks and approvals that a person decides. A question holds no slot, and may stay open for days.
 *
 *     a candidate is there ──▶ open ─┬─ answered here: a terminal, a flag, a page ─┬─▶ kept, shown, and the losers are left out
 *                                    └─ answered by another process ───────────────┘
 *
 * The first answer decides; the other is aborted by its signal. What another process has decided is read twice a second. Without a person,
 *  the rest of the film goes on, and the run ends with the question open: the next one asks again.
 */

import type { Instance } from '../../model/plan.ts';
import { type Choice, isSameChoice } from '../../model/run/choice.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import { NeedGraph } from '../../plan/graph/need-graph.ts';
import { isPaid } from '../../plan/kinds/index.ts';
import { resolve } from '../../plan/values/resolve.ts';
import type { Question } from '../../plan/values/resolved.ts';
import type { RunCore } from '../engine/run-core.ts';
import type { OpenQuestion, Verdict } from '../ports/decider.ts';

/** Milliseconds between two looks at what other processes have decided. */
const LOOK = 500;

export class Questions {
  readonly #run: RunCore;
  readonly #open = new Map<InstanceKey, Asked>();
  readonly #byCandidate = new Map<InstanceKey, Instance[]>();
  /** Those that were decided in this run: what each of them does without. */
  readonly #decided = new Map<InstanceKey, Choice>();
  readonly #end = new AbortController();
  #isWatching = false;
  #lookedTo = 0;

  constructor(run: RunCore) {
    this.#run = run;
    for (const instance of run.state.instances) this.add(instance);
    run.recorder.onResult(({ key }) => {
      for (const pick of this.#byCandidate.get(key) ?? []) this.#askEarly(pick);
    });
  }

  /** An instance of the plan, or one by which it has grown. */
  add(instance: Instance): void {
    if (!('count' in instance.step) || 'pick' in instance.step || instance.excludes) return;
    if (instance.decision.is === 'left_out') return;
    for (const need of instance.needs) {
      const others = this.#byCandidate.get(need);
      if (others) others.push(instance);
      else this.#byCandidate.set(need, [instance]);
    }
  }

  /** A person is present who may still answer. */
  get isAttended(): boolean {
    return [...this.#open.values()].some(({ isAttended }) => isAttended);
  }

  get open(): readonly InstanceKey[] {
    return [...this.#open.keys()];
  }

  /** Opens a question, or adds candidates to it. */
  ask({ key }: Pick<Instance, 'key'>, question: Question): void {
    const before = this.#open.get(key);
    if (before) before.update(question);
    const asked = before ?? new Asked(question);
    this.#open.set(key, asked);
    const { ask, count, options, awaited, is } = asked;
    this.#run.recorder.emit({ type: 'waiting_for', key, is, ask, count, options, awaited });
    if (before) return;
    const signal = AbortSignal.any([asked.signal, this.#end.signal, this.#run.stopping.signal]);
    void this.#put(key, asked, signal).catch(bug => this.#run.stopping.reportBug(bug));
    void this.#watch().catch(bug => this.#run.stopping.reportBug(bug));
  }

  /** Settles every open question that is decided by now. True: one was, so the run goes on. */
  look(): boolean {
    const { choices } = this.#run;
    choices.refresh();
    const before = this.#open.size;
    // All are looked at each time: an answer to one of them may have brought what was decided elsewhere about another.
    for (const [key, { asking }] of [...this.#open]) {
      const choice = choices.find(asking);
      if (choice) this.#settle(key, choice);
    }
    this.#lookedTo = choices.newest;
    return this.#open.size < before;
  }

  /**
   * Which choices the run has acted on. `to`: the place of the newest one, as the journal counts them. `later`: decisions that came after
   * the run had acted on others. Choices that are read after `close` are in neither.
   */
  get actedOn(): { readonly to: number; readonly later: readonly InstanceKey[] } {
    const { state, choices } = this.#run;
    const later = [...choices.sinceOpened].filter(([key, choice]) => {
      if (!state.instances.get(key)) return false;
      const now = state.get(key);
      const result = now.is === 'succeeded' || now.is === 'reused' ? now.result : undefined;
      if (result?.is !== 'picked' && result?.is !== 'approved') return choice !== undefined;
      return choice === undefined || !isSameChoice(result.choice, choice);
    });
    return { to: this.#lookedTo, later: later.map(([key]) => key) };
  }

  /** Ends all questions: later decisions do not change this run. */
  close(): void {
    this.#end.abort();
  }

  #askEarly(instance: Instance): void {
    const { plan, state, planContext } = this.#run;
    if (!state.isWaiting(instance.key) || this.#run.stopping.reason) return;
    const resolved = resolve(plan, instance, state.lookup, planContext);
    if (resolved.is === 'pending' && resolved.question && resolved.question.options.length > 0)
      this.ask(instance, resolved.question);
  }

  async #put(key: InstanceKey, asked: Asked, signal: AbortSignal): Promise<void> {
    const { decider, choices, clock, stopping } = this.#run;
    const verdict = await decider.decide?.(asked, signal);
    if (!verdict || signal.aborted || !this.#open.has(key)) {
      asked.isAttended = false;
      return stopping.changed();
    }
    const choice = asked.choiceOf(verdict, clock.now());
    if (!choice) throw new Error(`${key} was answered with what there is not: ${verdict.chosen.join(', ')}`);
    // The run does not end before the choice is recorded.
    const recorded = await choices.record(choice, asked.asking);
    asked.isAttended = false;
    if (recorded.is === 'unwritable') return stopping.changed();
    this.#settle(key, recorded.is === 'taken' ? recorded.choice : choice);
  }

  /** What another process decides moves this run as well. */
  async #watch(): Promise<void> {
    if (this.#isWatching) return;
    this.#isWatching = true;
    const { clock, stopping } = this.#run;
    const signal = AbortSignal.any([this.#end.signal, stopping.signal]);
    while (!signal.aborted && this.#open.size > 0) {
      // Without a person, only the rest of the film keeps the process alive.
      await (this.isAttended ? clock.sleep(LOOK, signal) : clock.sleep(LOOK, signal, 'in the background'));
      if (!signal.aborted) this.look();
    }
    this.#isWatching = false;
  }

  #settle(key: InstanceKey, choice: Choice): void {
    const { recorder, state } = this.#run;
    const asked = this.#open.get(key);
    if (!asked) return;
    this.#open.delete(key);
    asked.end();
    // A candidate may have failed meanwhile: the choice is kept, and taken by the next run.
    if (!state.isWaiting(key)) return;
    recorder.record({ type: 'chosen', key, choice });
    this.#decided.set(key, choice);
    state.reconsider(key);
    for (const { key: lost, why } of losersOf(this.#run, new Set(this.#decided.keys())))
      recorder.record({ type: 'left_out', key: lost, why });
  }
}

/** One question, as the person or rule that answers it sees it. */
class Asked implements OpenQuestion {
  isAttended = true;
  #question: Question;
  readonly #over = new AbortController();
  readonly #listeners = new Set<() => void>();

  constructor(question: Question) {
    this.#question = question;
  }

  get asking() {
    return this.#question.asking;
  }
  get key() {
    return this.asking.key;
  }
  get is() {
    return this.asking.is;
  }
  get ask() {
    return this.#question.ask;
  }
  get count() {
    return this.asking.count;
  }
  get options() {
    return this.#question.options;
  }
  get awaited() {
    const there = new Set(this.options.map(({ key }) => key));
    return this.asking.called.filter(key => !there.has(key));
  }
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  update(question: Question): void {
    this.#question = question;
    for (const listener of this.#listeners) listener();
  }

  end(): void {
    this.#over.abort();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Undefined for an answer that names what there is not, or too few, or too many. */
  choiceOf({ chosen, by, who, note }: Verdict, at: number): Choice | undefined {
    const { key, from, called, count, asked, is } = this.asking;
    const isWhole = is === 'approve' ? chosen.length === 0 || chosen.length === from.length : chosen.length === count;
    // Two that are the same to the letter have one id.
    const there = this.options.map(({ id }) => id);
    const isAmong = chosen.every(id => countOf(chosen, id) <= countOf(there, id));
    if (!isWhole || !isAmong) return undefined;
    return { key, from, called, chosen, by, who, at, ...(note && { note }), ...(asked !== undefined && { asked }) };
  }
}

const countOf = (all: readonly string[], id: string): number => all.filter(one => one === id).length;

interface Loser {
  readonly key: InstanceKey;
  readonly why: string;
}

/**
 * What is unneeded once a pick is decided: its other candidates, and what would be made for them alone, as far as it has not begun. What is sent is
 * paid for, and downloaded. @param decided picks that this run has decided.
 */
function losersOf(
  { plan, state, planContext }: Pick<RunCore, 'plan' | 'state' | 'planContext'>,
  decided: ReadonlySet<InstanceKey>,
): readonly Loser[] {
  const instances = [...plan.instances].map(instance => {
    if (!decided.has(instance.key)) return { ...instance, isOpen: false };
    const resolved = resolve(plan, instance, state.lookup, planContext);
    const excludes = 'excludes' in resolved ? resolved.excludes : undefined;
    const without = new Set(excludes?.instances);
    const needs = instance.needs.filter(key => !without.has(key));
    return { ...instance, isOpen: false, needs, needsAll: [], ...(excludes && { excludes }) };
  });
  const steps = new Map(plan.pipeline.steps.map(step => [step.name, step]));
  const open = plan.open.flatMap(({ step: name, lists, follows }) => {
    const step = steps.get(name);
    const key = name as string as InstanceKey;
    return step && plan.instances.isOpen(name)
      ? [{ key, step, needs: [], needsAll: [...lists, ...follows], isOpen: true }]
      : [];
  });
  const kept = new Set(plan.outputs.map(({ instance }) => instance));
  const unneeded = new NeedGraph([...instances, ...open]).unneeded(({ key }) => kept.has(key));
  return [...unneeded].flatMap(([key, why]) => {
    const instance = plan.instances.get(key);
    // What is not paid for, and has its turn already, is let end.
    const isTooLate =
      !state.isWaiting(key) || (state.isHandedOut(key) && instance !== undefined && !isPaid(instance.step));
    return isTooLate ? [] : [{ key, why }];
  });
}
