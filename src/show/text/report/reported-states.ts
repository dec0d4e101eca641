/** What became of each instance, in the words of a report. */
import type { KeptInstance } from '../../../model/run/kept-plan.ts';
import type { InstanceKey, StepName } from '../../../model/run/key.ts';
import type { ReportedState } from '../../../model/run/run-report.ts';
import { type InstanceState, isOver } from '../../../records/views/instance-state.ts';
import type { InstanceStory, RunStory } from '../../../records/views/run-story.ts';

/** Instances of each step that is waited for as a whole, which a report names. */
const NAMED = 100;

export class States {
  readonly #story: RunStory;
  readonly #byGroup = new Map<string, InstanceKey[]>();
  readonly #known = new Map<InstanceKey, ReportedState>();
  /** What an instance that was begun needs: it was there. */
  readonly #used = new Set<InstanceKey>();
  /** Steps and groups that are waited for as a whole: asked once for each, however many wait for it. */
  readonly #wholes = new Map<string, readonly ReportedState[]>();

  constructor(story: RunStory) {
    this.#story = story;
    for (const { planned } of story.instances.values()) {
      for (const group of groupsOf(planned)) {
        const others = this.#byGroup.get(group);
        if (others) others.push(planned.key);
        else this.#byGroup.set(group, [planned.key]);
      }
    }
    for (const { planned, story: one } of story.instances.values())
      if (one.attempts.length > 0 || one.state.is === 'succeeded' || one.state.is === 'reused')
        for (const key of this.needs(planned)) this.#used.add(key);
    // The plan is in topological order: what an instance needs is known before it.
    for (const [key, recorded] of story.instances) this.#known.set(key, this.#stateOf(recorded));
  }

  of(key: InstanceKey): ReportedState {
    return this.#known.get(key) ?? 'not_run';
  }

  /** What it needs by name, and of what it waits for as a whole the first ones. */
  needs({ needs = [], needsAll = [] }: KeptInstance): readonly InstanceKey[] {
    const whole = needsAll.flatMap(name => (this.#byGroup.get(name) ?? []).slice(0, NAMED));
    return whole.length === 0 ? needs : [...new Set([...needs, ...whole])];
  }

  /** All of a step, or of a group of its instances. */
  all(name: StepName): readonly InstanceKey[] {
    return this.#byGroup.get(name) ?? [];
  }

  #stateOf(recorded: InstanceStory): ReportedState {
    const { planned, step, story } = recorded;
    if (story.choice) return 'made';
    if (story.state.is !== 'waiting') return shown(story.state, this.#story.isRunning);
    switch (planned.decision) {
      case 'hit':
        return 'reused';
      case 'skip':
        return planned.isNeedless ? 'left_out' : 'skipped';
      case 'left_out':
        return 'left_out';
    }
    const ahead = this.#story.isRunning ? 'waiting' : 'not_run';
    if (!step?.isGathered) return ahead;
    return step.decides ? this.#undecided(recorded) : this.#gathered(planned);
  }

  /** Made of what others made: no event shows more than that they are over. */
  #gathered(planned: KeptInstance): ReportedState {
    const needed = this.#neededStates(planned).filter(state => state !== 'skipped' && state !== 'left_out');
    const [first] = needed;
    if (first === undefined || !needed.every(state => state === 'made' || state === 'reused'))
      return this.#story.isRunning ? 'waiting' : 'not_run';
    return needed.includes('made') ? 'made' : 'reused';
  }

  /** A choice made before the run (`--pick`) has no event: its state follows from what reads it. */
  #undecided({ planned, step }: InstanceStory): ReportedState {
    const isThere = this.#neededStates(planned).some(state => state === 'made' || state === 'reused');
    const isDecided = this.#story.run.finished?.outcome === 'done' || this.#used.has(planned.key);
    if (isThere && isDecided) return 'made';
    return isThere && step?.decides?.by === 'person' ? 'asks' : this.#story.isRunning ? 'waiting' : 'not_run';
  }

  #neededStates({ needs = [], needsAll = [] }: KeptInstance): readonly ReportedState[] {
    const wholes = needsAll.flatMap(name => {
      const known = this.#wholes.get(name) ?? [...new Set(this.all(name).map(key => this.of(key)))];
      this.#wholes.set(name, known);
      return known;
    });
    return [...needs.map(key => this.of(key)), ...wholes];
  }
}

/** Its step, and the group within one instance of the step that uses its file. */
function groupsOf({ key, step }: KeptInstance): readonly string[] {
  const group = key.endsWith(']') ? key.slice(0, key.lastIndexOf('[')) : key;
  return group === step ? [step] : [step, group];
}

/** A run that is over leaves nothing under way here: what goes on at the service was not brought to an end by it. */
export function shown(state: InstanceState, isRunning: boolean): ReportedState {
  if (state.is === 'skipped' && state.needless) return 'left_out';
  return isRunning || state.is === 'asking' || isOver(state) ? SHOWN[state.is] : 'not_run';
}

const SHOWN: { readonly [is in InstanceState['is']]: ReportedState } = {
  ...{ waiting: 'waiting', refused: 'waiting', absent: 'waiting', held_back: 'waiting', retrying: 'waiting' },
  ...{ over_budget: 'waiting', asking: 'asks', sending: 'queued', unknown: 'queued', queued: 'queued' },
  ...{ working: 'running', generated: 'running', running: 'running', writing: 'running', unfit: 'running' },
  ...{ cancelling: 'running', downloading: 'fetching', succeeded: 'made', skipped: 'skipped' },
  ...{ reused: 'reused', left_out: 'left_out', blocked: 'blocked', failed: 'failed' },
};
