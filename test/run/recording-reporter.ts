import { expect } from 'vitest';
import type { Instance, Plan } from '../../src/model/plan.ts';
import { Instances } from '../../src/model/plan.ts';
import type { RecordedEvent } from '../../src/model/run/event.ts';
import type { InstanceKey, StepName } from '../../src/model/run/key.ts';
import { isJournalled } from '../../src/records/journal/journal.ts';
import { isOfInstance, isOver } from '../../src/records/views/instance-state.ts';
import { InstanceStory } from '../../src/records/views/instance-story.ts';
import { applyProgress, type Progress } from '../../src/records/views/progress.ts';
import { reduce } from '../../src/records/views/reduce.ts';
import { emptyRunView, type RunView, spentIn } from '../../src/records/views/run-view.ts';
import { AllTurns } from '../../src/records/views/turn-states.ts';
import { RunState } from '../../src/run/engine/state.ts';
import { shown } from '../../src/show/text/report/reported-states.ts';
import { type RunTally, runTally } from '../../src/show/text/status/run-tally.ts';

/**
 * Records the events of a run, and rebuilds its state and its instances' stories from what a journal would hold after every event: over the
 * plan as it began, which grows by each `expanded`, and over the plan as it has grown so far. At the end of a run, what a screen and a progress
 * file hold is rebuilt from all that was shown.
 */
export class RecordingReporter {
  readonly events: RecordedEvent[] = [];
  readonly #plan: Plan;
  /** The instances before anything was expanded. */
  readonly #began: readonly (readonly [StepName, readonly Instance[] | null])[];
  /** The plan as far as the reported events tell of it: the run is ahead of them. */
  readonly #shown: Plan;
  readonly #live: RunState;
  readonly #stories: Stories = new Map();
  readonly #view = emptyRunView();
  readonly #turns = new AllTurns();
  readonly #progress = new Map<InstanceKey, Progress>();
  readonly #waiting: {
    readonly type: string;
    readonly key: string | undefined;
    readonly tell: (event: RecordedEvent) => void;
  }[] = [];

  constructor(plan: Plan) {
    const { instances } = plan;
    this.#plan = plan;
    this.#began = [...instances.steps].map(step => [step, instances.isOpen(step) ? null : instances.of(step)]);
    this.#shown = this.#asItBegan();
    this.#live = new RunState(this.#shown);
  }

  report(event: RecordedEvent): void {
    this.events.push(event);
    this.#growBy(event, this.#shown);
    this.#live.apply(event);
    tell(this.#stories, event);
    reduce(this.#view, event);
    applyProgress(this.#progress, event);
    this.#turns.apply(event);
    expectTallyOf(this.#view, runTally(this.#turns));
    const stories: Stories = new Map();
    this.#rebuild(new RunState(this.#shown), past => tell(stories, past));
    expect(survives(stories)).toEqual(survives(this.#stories));
    expect(paidFor(this.#stories, this.#plan)).toBeCloseTo(this.#live.usd, 9);
    const plan = this.#asItBegan();
    this.#rebuild(new RunState(plan), past => this.#growBy(past, plan));
    if (event.type === 'run_finished') this.#rebuildShown();
    for (const { type, key, tell } of this.#waiting) if (matches(event, type, key)) tell(event);
  }

  wait(type: string, key: string | undefined): Promise<RecordedEvent> {
    return new Promise(resolve => {
      const past = this.events.find(event => matches(event, type, key));
      if (past) resolve(past);
      else this.#waiting.push({ type, key, tell: resolve });
    });
  }

  async close(): Promise<void> {}

  #asItBegan(): Plan {
    return { ...this.#plan, instances: new Instances(this.#began) };
  }

  #growBy(event: RecordedEvent, { instances }: Plan): void {
    if (event.type === 'expanded') instances.add(event.step, this.#plan.instances.of(event.step));
  }

  #rebuildShown(): void {
    const [view, progress] = [emptyRunView(), new Map<InstanceKey, Progress>()];
    for (const event of JSON.parse(JSON.stringify(this.events)) as readonly RecordedEvent[]) {
      reduce(view, event);
      applyProgress(progress, event);
    }
    expect(view).toEqual(this.#view);
    expect(progress).toEqual(this.#progress);
  }

  #rebuild(rebuilt: RunState, before: (event: RecordedEvent) => void): void {
    for (const event of this.events) {
      const known = 'key' in event && isKnown(event, this.#plan);
      if (!known && !isJournalled(event)) continue;
      before(event);
      rebuilt.apply(JSON.parse(JSON.stringify(event)));
    }
    expect(rebuilt.snapshot()).toEqual(this.#live.snapshot());
    expect(rebuilt.counts()).toEqual(this.#live.counts());
  }
}

/** What `status` of a team's run reads is what the screen of that run shows. */
function expectTallyOf(view: RunView, { counts, failed, questions, spent, outcome }: RunTally): void {
  const all = [...view.instances.values()];
  const states = all.map(({ state, choice }) => (choice && !isOver(state) ? 'made' : shown(state, true)));
  expect(counts).toEqual(
    Object.fromEntries([...Map.groupBy(states, state => state)].map(([is, some]) => [is, some.length])),
  );
  const keysOf = (is: string) => all.filter(({ state }) => state.is === is).map(({ key }) => key);
  expect(failed.map(({ key }) => key).sort()).toEqual(keysOf('failed').sort());
  expect(questions.map(({ key }) => key).sort()).toEqual(keysOf('asking').sort());
  expect(spent).toBeCloseTo(spentIn(view).usd, 9);
  if (view.finished) expect(outcome).toBe(view.finished.outcome);
}

type Stories = Map<InstanceKey, InstanceStory>;

function tell(stories: Stories, event: RecordedEvent): void {
  if (!isOfInstance(event)) return;
  const story = stories.get(event.key) ?? new InstanceStory(null);
  stories.set(event.key, story);
  story.apply(event);
}

/** What a report made from the journal says, and so what a screen has to say as well. */
const survives = (stories: Stories) =>
  Object.fromEntries(
    [...stories].flatMap(([key, story]) => {
      const { state, paidUsd, isUnpriced, result, choice, failure, fingerprint, sentTo, attempts } = story;
      const tries = attempts.map(({ queued, ended, is, cost, generation }) => [queued, ended, is, cost, generation]);
      const told = { stage: state.stage, paidUsd, isUnpriced, result, choice, failure, fingerprint, sentTo, tries };
      return state.stage === 'waiting' && attempts.length === 0 ? [] : [[key, told]];
    }),
  );

const paidFor = (stories: Stories, { instances }: Plan): number =>
  [...stories].reduce((sum, [key, { paidUsd }]) => (instances.has(key) ? sum + paidUsd : sum), 0);

/** Planning again finds it again. */
function isKnown({ type, key }: RecordedEvent & { readonly key: InstanceKey }, { instances, open }: Plan): boolean {
  const is = instances.get(key)?.decision.is;
  if (type === 'left_out')
    return is === 'left_out' || open.some(one => one.step === (key as string) && one.leftOut !== undefined);
  return type === 'reused' && is === 'hit';
}

const matches = (event: RecordedEvent, type: string, key: string | undefined): boolean =>
  event.type === type && (key === undefined || ('key' in event && event.key === (key as InstanceKey)));
