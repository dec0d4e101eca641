/** How the instances of each step stand: what many of them are told as in one row. */
import { isDecision } from '../domain/result.ts';
import { phase } from '../records/views/instance-state.ts';
import { couldStart, type InstanceView, type RunView } from '../records/views/run-view.ts';

export interface StepTally {
  /** Safe to show. */
  readonly step: string;
  /** In the order of the plan. */
  readonly instances: readonly InstanceView[];
  /** Over, and neither failed nor blocked. */
  readonly done: number;
  /** Of `done`, what this run made, and how much of the rest is made already: each 1 at most. */
  readonly made: number;
  readonly fractions: number;
  /** Unix milliseconds: work on the first of them began; null: on none. */
  readonly since: number | null;
  readonly atWork: number;
  readonly queued: number;
  /** Wait for a person. */
  readonly asking: number;
  readonly retrying: number;
  readonly overBudget: number;
  readonly failed: number;
  readonly blocked: number;
  /** Their inputs are there, and they have not begun. */
  readonly next: number;
  /** What they wait for is not there yet. */
  readonly later: number;
  /** They are picks or approvals. */
  readonly isDecided: boolean;
}

/** Every step of the run that has instances, in the order of the plan. */
export function stepTallies(run: RunView): readonly StepTally[] {
  const tallies = new Map<string, Mutable>();
  for (const instance of run.instances.values()) {
    const tally = tallies.get(instance.step) ?? emptyTally(instance.step);
    tallies.set(instance.step, tally);
    add(tally, run, instance);
  }
  return [...tallies.values()];
}

/** Something of it is under way, or still to come. */
export const isOpen = ({ instances, done, failed, blocked }: StepTally): boolean =>
  done + failed + blocked < instances.length;

type Mutable = { -readonly [name in keyof StepTally]: StepTally[name] } & { instances: InstanceView[] };

const emptyTally = (step: string): Mutable => ({
  ...{ step, instances: [], done: 0, made: 0, fractions: 0, since: null, atWork: 0, queued: 0, asking: 0 },
  ...{ retrying: 0, overBudget: 0, failed: 0, blocked: 0, next: 0, later: 0, isDecided: false },
});

function add(tally: Mutable, run: RunView, instance: InstanceView): void {
  const { state, since } = instance;
  tally.instances.push(instance);
  if (since !== null && (tally.since === null || since < tally.since)) tally.since = since;
  switch (phase(state)) {
    case 'over':
      if (state.is === 'failed') tally.failed += 1;
      else if (state.is === 'blocked') tally.blocked += 1;
      else tally.done += 1;
      if (state.is === 'succeeded') {
        tally.made += 1;
        if (isDecision(state.result)) tally.isDecided = true;
      }
      if (state.is === 'reused' && isDecision(state.result)) tally.isDecided = true;
      return;
    case 'under-way':
      if (state.is === 'queued') tally.queued += 1;
      else tally.atWork += 1;
      if (state.is === 'working') tally.fractions += Math.min(1, Math.max(0, state.fraction ?? 0));
      return;
    case 'ahead':
      if (state.is === 'asking') {
        tally.asking += 1;
        tally.isDecided = true;
      } else if (state.is === 'retrying') tally.retrying += 1;
      else if (state.is === 'over_budget') tally.overBudget += 1;
      else if (couldStart(run, instance)) tally.next += 1;
      else tally.later += 1;
  }
}
