/** The state of the instances of each step: many of them in one row. */
import { isDecision } from '../../model/run/result.ts';
import { phase, type Stage } from '../../records/views/instance-state.ts';
import { couldStart, type InstanceView, type RunView, unmetNeeds } from '../../records/views/run-view.ts';

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

/** One of the counts of a row; `alarm` is kept for what went wrong, `person` for what a person has to do. */
export interface Counted {
  readonly text: string;
  readonly is: 'plain' | 'quiet' | 'alarm' | 'person';
}

/** `25 done`, `8 at work`, `2 queued`, `1 failed`: only what there is any of. */
export function tallyTexts(tally: StepTally): readonly Counted[] {
  const counts: readonly (readonly [number, string, Counted['is']])[] = [
    [tally.done, tally.isDecided ? 'decided' : 'done', 'plain'],
    [tally.asking, tally.asking === 1 ? 'waits for you' : 'wait for you', 'person'],
    [tally.atWork, 'at work', 'plain'],
    [tally.queued, 'queued', 'plain'],
    [tally.retrying, 'tried again', 'plain'],
    [tally.overBudget, 'over budget', 'alarm'],
    [tally.failed, 'failed', 'alarm'],
    [tally.blocked, 'blocked', 'quiet'],
    [tally.next, 'next', 'quiet'],
    [tally.later, 'not yet', 'quiet'],
  ];
  return counts.filter(([n]) => n > 0).map(([n, word, is]) => ({ text: `${n} ${word}`, is }));
}

/** `waits for 12 of final and 1 of music`, for a step of which nothing has begun. */
export function waitsForText(run: RunView, tally: StepTally): string | null {
  if (tally.later !== tally.instances.length) return null;
  const missing = new Map<string, Set<string>>();
  for (const instance of tally.instances)
    for (const { key, step } of unmetNeeds(run, instance)) missing.set(step, (missing.get(step) ?? new Set()).add(key));
  const [first, second, ...others] = [...missing].map(([step, keys]) => `${keys.size} of ${step}`);
  if (first === undefined) return null;
  if (second === undefined) return `waits for ${first}`;
  return `waits for ${first} and ${others.length === 0 ? second : `${others.length + 1} more steps`}`;
}

/** Instances of a step that this run must have made before an estimate is shown. */
const ENOUGH = 3;
/** Milliseconds that work on it must have lasted. */
const LONG_ENOUGH = 2_000;

/** Milliseconds that the rest of a step takes at the pace of what is made; null while unknown. */
export function msLeft(tally: StepTally, now: number): number | null {
  const { made, fractions, since, instances, done, failed, blocked } = tally;
  if (!isOpen(tally)) return 0;
  if (since === null || made < ENOUGH || now - since < LONG_ENOUGH || tally.asking + tally.overBudget > 0) return null;
  const left = instances.length - done - failed - blocked - fractions;
  return (Math.max(0, left) * (now - since)) / (made + fractions);
}

/** Of the whole run; null while it is unknown for one of its steps. Steps of one chain that are at work together overlap. */
export function msLeftOfAll(tallies: readonly StepTally[], now: number): number | null {
  const each = tallies.map(tally => msLeft(tally, now));
  return each.includes(null) ? null : Math.max(0, ...(each as readonly number[]));
}

/** `about 20s left`, `about 4m left`, `about 2h 10m left`. */
export function timeLeftText(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 57.5) return `about ${Math.max(5, Math.round(seconds / 5) * 5)}s left`;
  const minutes = Math.max(1, Math.round(seconds / 60));
  if (minutes < 60) return `about ${minutes}m left`;
  return `about ${Math.floor(minutes / 60)}h ${String(Math.round((minutes % 60) / 10) * 10).padStart(2, '0')}m left`;
}

/** How much is done at once, as the settings have it. */
export interface LimitsShown {
  /** Requests at the service. */
  readonly in_flight: number;
  /** Of one model. */
  readonly per_model: number;
  /** Commands on this machine. */
  readonly commands: number;
}

/** What takes the places that the limits count. */
export interface Taken {
  readonly requests: number;
  readonly commands: number;
  readonly byModel: ReadonlyMap<string, number>;
}

const HOLDS_A_PLACE: ReadonlySet<Stage> = new Set(['intended', 'unknown', 'generating', 'unfit'] as const);

export function placesTaken(run: RunView): Taken {
  const taken = { requests: 0, commands: 0, byModel: new Map<string, number>() };
  for (const { state, model } of run.instances.values()) {
    if (state.stage === 'running') taken.commands += 1;
    if (!HOLDS_A_PLACE.has(state.stage)) continue;
    taken.requests += 1;
    taken.byModel.set(model, (taken.byModel.get(model) ?? 0) + 1);
  }
  return taken;
}

/** `8 at once for V-T2V-A is this service's limit`; null where no limit holds anything of this step back. */
export function limitText(
  { next, instances }: StepTally,
  taken: Taken,
  limits: LimitsShown | undefined,
): string | null {
  const waits = next === 0 ? undefined : instances.find(({ state }) => phase(state) === 'ahead');
  if (limits === undefined || waits === undefined) return null;
  const { model } = waits;
  const ofModel = taken.byModel.get(model) ?? 0;
  if (ofModel === 0 && taken.commands >= limits.commands && waits.price === 0)
    return `${limits.commands} commands at once is this machine's limit`;
  if (ofModel >= limits.per_model && limits.per_model <= limits.in_flight)
    return `${limits.per_model} at once for ${model} is this service's limit`;
  if (taken.requests >= limits.in_flight && waits.price !== 0)
    return `${limits.in_flight} requests at once is this service's limit`;
  return null;
}
