/**
 * What a run is at this moment: a plan, and the events that have happened since. It answers "what may start now?" and is
 * told "this happened"; it knows no clock, no file, no network.
 */

import { addUsd } from '../../model/money.ts';
import type { Instance, OpenStep, Plan } from '../../model/plan.ts';
import type { Counts, Event, InstanceEvent } from '../../model/run/event.ts';
import { groupWithin, type InstanceKey, type StepName, stepOf } from '../../model/run/key.ts';
import type { Result } from '../../model/run/result.ts';
import { waitsOfUsed } from '../../plan/graph/need-graph.ts';
import { UsedReads } from '../../plan/obstacles.ts';
import { choosesReads } from '../../plan/values/step-reads.ts';
import { assertMayHappen } from '../../records/views/instance-lifecycle.ts';
import { type InstanceState, isOfInstance, isOver, nextState, WAITING } from '../../records/views/instance-state.ts';
import { mayCost, Paid } from '../../records/views/paid.ts';

/** What waits for a place or a time is none: it may wait for the place of what is looked for. */
const AT_WORK: ReadonlySet<InstanceState['stage']> = new Set([
  'running',
  'intended',
  'generating',
  'generated',
] as const);

export class RunState {
  readonly #plan: Plan;
  readonly #states = new Map<InstanceKey, InstanceState>();
  /** What each instance waits for at this moment; nothing once it was handed out. */
  readonly #waits = new Map<InstanceKey, Wait>();
  /** Instances of a step that are not settled yet; one more while the step is open. */
  readonly #unsettledOf = new Map<StepName, number>();
  /** Of each step, the first of its instances that makes all that needs the whole step blocked, or left out. */
  readonly #obstacles = { blocked: new Map<StepName, InstanceKey>(), left_out: new Map<StepName, InstanceKey>() };
  /** Open steps that were not handed out yet. */
  readonly #open = new Map<StepName, Pick<OpenStep, 'lists' | 'follows'>>();
  /** Open steps that can never be expanded, or are no part of the run. */
  readonly #endedSteps = new Map<StepName, InstanceState>();
  readonly #dependents = new Map<InstanceKey, Wait[]>();
  readonly #dependentsOfStep = new Map<StepName, Wait[]>();
  #ready: Instance[] = [];
  /** Instances, and open steps under their names, that can never start and were not handed out yet. */
  #stuck: Stuck[] = [];
  /** Everything that was ever among the blocked or the left out: it must not start, though its event is still to come. */
  readonly #neverStarts = new Set<InstanceKey>();
  #usd = 0;
  /** What has cost something. Only the service's report of it counts here. */
  readonly #paid = new Map<InstanceKey, Paid>();

  constructor(plan: Plan) {
    this.#plan = plan;
    const { instances } = plan;
    for (const step of instances.steps) this.#countUnsettled(step);
    for (const open of plan.open) if (instances.isOpen(open.step)) this.#open.set(open.step, open);
    for (const instance of instances) this.#await(instance);
  }

  /** Whether something is being made: what is only looked for is not. */
  get isAtWork(): boolean {
    return [...this.#states.values()].some(({ stage }) => AT_WORK.has(stage));
  }

  /** Every instance there is at this moment: the one view that everybody reads. */
  get instances(): Plan['instances'] {
    return this.#plan.instances;
  }

  /** The plan has grown: the instances of an open step are known. Those of a state that was made afterwards are in it already. */
  add(step: StepName): void {
    const instances = this.#plan.instances.of(step);
    if (instances.some(({ key }) => this.#states.has(key))) return;
    this.#open.delete(step);
    this.#countUnsettled(step);
    for (const instance of instances) this.#await(instance);
    if (instances.length === 0) this.#releaseAllOf(step);
    else for (const wait of [...(this.#dependentsOfStep.get(step) ?? [])]) this.#askAgain(wait);
    // Groups that were waited for while the step was open, and have no instance.
    for (const group of [...this.#dependentsOfStep.keys()])
      if (group !== step && stepOf(group) === step && !this.#unsettledOf.has(group)) this.#releaseAllOf(group);
  }

  /** Of a step of a used file also those that belong to one instance of the step that uses it: others wait for them alone. */
  #countUnsettled(step: StepName): void {
    const { instances } = this.#plan;
    this.#unsettledOf.set(step, instances.isOpen(step) ? 1 : instances.of(step).length);
    for (const { key, outer } of instances.of(step)) {
      const group = outer ? groupWithin(step, key) : step;
      if (group !== step) this.#unsettledOf.set(group, (this.#unsettledOf.get(group) ?? 0) + 1);
    }
  }

  /**
   * Open steps that can be fanned out now: everything that writes their lists has settled, and the instances that they follow are
   * known, made or not. Each is handed out once.
   */
  takeExpandable(): readonly StepName[] {
    const ready: StepName[] = [];
    for (const [step, { lists, follows }] of this.#open) {
      if (lists.some(name => (this.#unsettledOf.get(name) ?? 0) > 0)) continue;
      if (lists.some(name => OBSTACLES.some(is => this.#obstacles[is].has(name)))) continue;
      if (follows.some(name => this.#plan.instances.isOpen(name))) continue;
      this.#open.delete(step);
      ready.push(step);
    }
    return ready;
  }

  get(key: InstanceKey): InstanceState {
    const state = this.#states.get(key);
    if (!state) throw new Error(`no instance ${key} in this plan`);
    return state;
  }

  /** The result an expression may read; undefined while there is none. One function for the whole run: planning keeps what it has read with it. */
  readonly lookup = (key: InstanceKey): Result | 'skipped' | undefined => {
    const state = this.get(key);
    if (state.is === 'skipped') return state.standIn === undefined ? 'skipped' : this.lookup(state.standIn);
    return state.is === 'reused' || state.is === 'succeeded' ? state.result : undefined;
  };

  #instance(key: InstanceKey): Instance {
    const instance = this.#plan.instances.get(key);
    if (!instance) throw new Error(`no instance ${key} in this plan`);
    return instance;
  }

  /** Instances that may start now and were not handed out before, longest remaining path first. */
  takeReady(): readonly Instance[] {
    // Owned ones settle without ever starting.
    const ready = this.#ready.filter(({ key }) => this.get(key).stage === 'waiting' && !this.#neverStarts.has(key));
    this.#ready = [];
    return ready.sort((a, b) => b.remaining - a.remaining);
  }

  /** It was handed out, and is found to need more: a condition that is known now has chosen. It is handed out again when that is there. */
  waitOn(
    key: InstanceKey,
    { instances, steps }: { readonly instances: readonly InstanceKey[]; readonly steps: readonly StepName[] },
  ): void {
    const instance = this.#instance(key);
    const names = [...instances, ...steps];
    const isThere =
      instances.every(need => isOver(this.get(need))) && steps.every(step => (this.#unsettledOf.get(step) ?? 0) === 0);
    const absent = names.find(name => this.#meets('left_out', name));
    if (isThere && !absent && !names.some(name => this.#meets('blocked', name)))
      throw new Error(`${key} waits for ${names.join(', ')}, which is there`);
    // It was to do without that, and cannot: handed out again it would ask for it again, for ever.
    if (absent !== undefined) this.#stick({ key }, { is: 'left_out', by: absent as InstanceKey });
    this.#awaitThese(instance, instances, steps);
  }

  /** It waits for nothing any more: its executor has it. */
  isHandedOut(key: InstanceKey): boolean {
    return !this.#waits.has(key) && !this.#ready.some(instance => instance.key === key);
  }

  /** Something was decided about it: it is handed out again, whatever it waits for. */
  reconsider(key: InstanceKey): void {
    const instance = this.#plan.instances.get(key);
    if (instance && !this.#neverStarts.has(key) && !this.#ready.includes(instance)) this.#handOut(instance);
  }

  /**
   * Instances, and open steps, that can never start, and because of which one: first those that need what is no part of the run, and once
   * there are no more of these, those that are blocked by a failure.
   */
  takeStuck(): readonly Stuck[] {
    const all = this.#stuck;
    const now = all.some(({ is }) => is === 'left_out') ? 'left_out' : 'blocked';
    this.#stuck = all.filter(({ is }) => is !== now);
    return all.filter(({ is }) => is === now);
  }

  apply(event: Event): void {
    if (event.type === 'expanded') this.add(event.step);
    if (!isOfInstance(event)) return;
    const before = this.#states.get(event.key);
    if (!before && (event.type === 'failed' || event.type === 'blocked' || event.type === 'left_out'))
      this.#endStep(event);
    // A generation of an edited file is still downloaded, though this plan has no instance of it any more.
    if (!before) return;
    assertMayHappen(event, before);
    const after = nextState(before, event);
    this.#states.set(event.key, after);
    if (mayCost(event)) {
      const paid = this.#paid.get(event.key) ?? new Paid();
      this.#paid.set(event.key, paid);
      this.#usd = addUsd(this.#usd, paid.count(event, after, null));
    }
    if (isOver(after) && !isOver(before)) this.#settle(event.key, after);
  }

  /** A step with instances that never became known counts as one. */
  counts(): Counts {
    const counts = { succeeded: 0, reused: 0, failed: 0, blocked: 0, skipped: 0, left_out: 0, unfinished: 0 };
    for (const state of [...this.#states.values(), ...this.#endedSteps.values()]) {
      if (state.is === 'skipped' && state.needless) counts.left_out += 1;
      else if (state.is in counts) counts[state.is as keyof typeof counts] += 1;
      else counts.unfinished += 1;
    }
    const { instances } = this.#plan;
    for (const step of instances.steps)
      if (instances.isOpen(step) && !this.#endedSteps.has(step)) counts.unfinished += 1;
    const { left_out, ...rest } = counts;
    return left_out > 0 ? counts : rest;
  }

  /** What it has made was counted by an earlier run. */
  wasCounted(key: InstanceKey): boolean {
    return (this.#paid.get(key)?.earlierUsd ?? 0) > 0;
  }

  /** US dollars this run has spent, as far as prices are known. */
  get usd(): number {
    return this.#usd;
  }

  /** Its instances are not known yet, and may still become known. */
  awaitsExpansion(step: StepName): boolean {
    return this.#open.has(step);
  }

  /** Its instances were never known, because it is no part of the run. */
  isLeftOut(step: StepName): boolean {
    return this.#endedSteps.get(step)?.is === 'left_out';
  }

  /** Something may start or is blocked that was not handed out yet. */
  get hasNews(): boolean {
    return this.#ready.length + this.#stuck.length > 0;
  }

  /** Whether it may still be blocked: an instance that was not started, or an open step. */
  isWaiting(key: InstanceKey): boolean {
    return this.#states.has(key) ? this.get(key).stage === 'waiting' : this.#open.has(key as string as StepName);
  }

  /** Everything as plain data, for comparison with a state rebuilt from the journal. A failed open step is under its name. */
  snapshot(): Readonly<Record<string, object>> {
    const survives = (state: InstanceState) => (isOver(state) ? state : { stage: state.stage, sent: state.sent });
    return Object.fromEntries([...this.#states, ...this.#endedSteps].map(([name, state]) => [name, survives(state)]));
  }

  /** An open step has no instances: it ends as a whole, under its own name. */
  #endStep(event: InstanceEvent & { readonly type: 'failed' | 'blocked' | 'left_out' }): void {
    const step = event.key as string as StepName;
    if (!this.#plan.instances.isOpen(step) || this.#endedSteps.has(step)) return;
    const state = nextState(WAITING, event);
    const obstacle = obstacleIn(state, event.key);
    this.#open.delete(step);
    this.#endedSteps.set(step, state);
    if (!obstacle) return;
    this.#obstruct(step, obstacle);
    for (const [open, { follows }] of this.#open) if (follows.includes(step)) this.#addStuck(open, obstacle);
  }

  #await(instance: Instance): void {
    this.#states.set(instance.key, WAITING);
    this.#awaitThese(instance, instance.needs, instance.needsAll);
    if (instance.each?.some(key => isSkippedWhole(this.#states.get(key)))) this.#passOver(instance);
  }

  #awaitThese(instance: Instance, needs: readonly InstanceKey[], needsAll: readonly StepName[]): void {
    const { key } = instance;
    const wait: Wait = { instance, left: 0 };
    for (const need of needs) {
      const state = this.#states.get(need);
      if (state && isOver(state)) {
        const obstacle = obstacleIn(state, need);
        if (obstacle) this.#stick(instance, obstacle);
        continue;
      }
      wait.left += 1;
      push(this.#dependents, need, wait);
    }
    for (const step of needsAll) {
      for (const is of OBSTACLES) {
        const by = this.#obstacles[is].get(step);
        if (by !== undefined) this.#stick(instance, { is, by });
      }
      if (this.#unsettled(step) === 0) continue;
      wait.left += 1;
      push(this.#dependentsOfStep, step, wait);
    }
    if (wait.left > 0) this.#waits.set(key, wait);
    else this.#handOut(instance);
  }

  #handOut(instance: Instance): void {
    this.#waits.delete(instance.key);
    if (this.get(instance.key).stage === 'waiting') this.#ready.push(instance);
  }

  /**
   * What it picks of a step was unknown before the instances of that step were: it may need one of them alone. It is asked again as soon as
   * everything is there that it waits for in any case.
   */
  #askAgain(wait: Wait): void {
    const { instance } = wait;
    const { step, each = [], previous } = instance;
    if (!this.#isCurrent(wait) || !choosesReads(step)) return;
    const { needs, needsAll } = waitsOfUsed(this.#plan, instance, new UsedReads(), undefined);
    this.#awaitThese(instance, [...each, ...(previous === undefined ? [] : [previous]), ...needs], needsAll);
  }

  #settle(key: InstanceKey, state: InstanceState): void {
    const instance = this.#instance(key);
    const { name } = instance.step;
    const steps = new Set([name, instance.outer ? groupWithin(name, key) : name]);
    for (const step of steps) this.#unsettledOf.set(step, this.#unsettled(step) - 1);
    const dependents = this.#dependents.get(key) ?? [];
    const obstacle = obstacleIn(state, key);
    if (obstacle) {
      for (const dependent of dependents) this.#stickWaiting(dependent, obstacle);
      for (const step of steps) this.#obstruct(step, obstacle);
    }
    if (obstacle?.is !== 'blocked') for (const dependent of dependents) this.#release(dependent);
    if (isSkippedWhole(state))
      for (const { instance: made } of dependents) if (made.each?.includes(key)) this.#passOver(made);
    for (const step of steps) if (this.#unsettled(step) === 0) this.#releaseAllOf(step);
  }

  /** One more while the step is open, also of its groups. */
  #unsettled(step: StepName): number {
    return this.#unsettledOf.get(step) ?? (this.#plan.instances.isOpen(step) ? 1 : 0);
  }

  /** What it is made from was skipped: whatever else it waits for, it is skipped as well. */
  #passOver(instance: Instance): void {
    if (this.#waits.has(instance.key)) this.#handOut(instance);
  }

  /** One of its instances, or the step itself, cannot give a result, or is no part of the run: what needs all of them never starts. */
  #obstruct(step: StepName, obstacle: Obstacle): void {
    const first = this.#obstacles[obstacle.is];
    if (!first.has(step)) first.set(step, obstacle.by);
    for (const dependent of this.#dependentsOfStep.get(step) ?? []) this.#stickWaiting(dependent, obstacle);
    for (const [open, { lists }] of this.#open) if (lists.includes(step)) this.#addStuck(open, obstacle);
  }

  #addStuck(name: InstanceKey | StepName, obstacle: Obstacle): void {
    this.#stuck.push({ key: name as InstanceKey, ...obstacle });
  }

  #releaseAllOf(step: StepName): void {
    for (const dependent of this.#dependentsOfStep.get(step) ?? []) this.#release(dependent);
  }

  #release(wait: Wait): void {
    wait.left -= 1;
    if (wait.left === 0 && this.#isCurrent(wait)) this.#handOut(wait.instance);
  }

  /** It may have been handed out meanwhile, and wait for something else by now. */
  #isCurrent(wait: Wait): boolean {
    return this.#waits.get(wait.instance.key) === wait;
  }

  #stickWaiting(wait: Wait, obstacle: Obstacle): void {
    if (this.#isCurrent(wait)) this.#stick(wait.instance, obstacle);
  }

  #stick({ key, excludes }: Pick<Instance, 'key' | 'excludes'>, obstacle: Obstacle): void {
    const isExcluded = obstacle.is === 'left_out' && excludes?.instances.includes(obstacle.by);
    if (this.get(key).stage !== 'waiting' || isExcluded) return;
    this.#neverStarts.add(key);
    this.#addStuck(key, obstacle);
  }

  #meets(is: Obstacle['is'], name: InstanceKey | StepName): boolean {
    const state = this.#states.get(name as InstanceKey);
    return state ? obstacleIn(state, name as InstanceKey)?.is === is : this.#obstacles[is].has(name as StepName);
  }
}

/** What needs it never starts: it cannot give a result, or is no part of the run. */
interface Obstacle {
  readonly is: 'blocked' | 'left_out';
  readonly by: InstanceKey;
}

type Stuck = Obstacle & { readonly key: InstanceKey };

const OBSTACLES = ['blocked', 'left_out'] as const;

function obstacleIn(state: InstanceState, key: InstanceKey): Obstacle | undefined {
  if (state.is === 'failed') return { is: 'blocked', by: key };
  if (state.is === 'blocked') return { is: 'blocked', by: state.by };
  return state.is === 'left_out' ? { is: 'left_out', by: key } : undefined;
}

/** It has no result, and nothing replaces it. */
const isSkippedWhole = (state: InstanceState | undefined): boolean =>
  state?.is === 'skipped' && state.standIn === undefined;

/** One time of waiting. */
interface Wait {
  readonly instance: Instance;
  /** How many of the things it waits for are not settled yet. */
  left: number;
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key) ?? [];
  list.push(value);
  map.set(key, list);
}
