/** What a listener knows of a run so far: the terminal, plain text and the last block are all made of it. Made by `reduce.ts`. */
import type { BudgetStatus } from '../../model/budget.ts';
import type { MediaFacts } from '../../model/media/media.ts';
import { roundUsd } from '../../model/money.ts';
import type { Counts, InstanceEvent, PlannedInstance, RunEvent } from '../../model/run/event.ts';
import {
  type Axes,
  type InstanceKey,
  noteCoordinates,
  type RunId,
  type StepName,
  stepOf,
  withoutAxes,
} from '../../model/run/key.ts';
import type { RunMoney } from '../../model/run/run-money.ts';
import { cellWidth } from '../../model/text/cells.ts';
import { cleanText } from '../../model/text/clean.ts';
import type { Estimate } from '../../plan/cost/budget-plan.ts';
import { type EndState, isOver } from './instance-state.ts';
import { InstanceStory } from './instance-story.ts';

/** Every text in it is clean. */
interface WrittenOutput {
  readonly output: string;
  readonly key: InstanceKey;
  readonly path: string;
  /** What it is, where that is not what the result is; null: no media. */
  readonly media?: MediaFacts | null;
}

export class RunView {
  /** Empty before the run's first event. */
  id: RunId | '' = '';
  name = '';
  /** The file as the author named it. */
  pipeline = '';
  service = '';
  /** Null for a film that has none. */
  profile: string | null = null;
  resumed = false;
  /** Unix milliseconds of the run's first event, and of its last. */
  startedAt = 0;
  lastEventAt = 0;
  /** What the plan is to pay, as it was at the start. */
  estimate: Estimate = { usd: null };
  /** US dollars at most of each step with unknown instances. */
  readonly openUsd = new Map<StepName, number>();
  /**
   * US dollars, no part of what is expected: of what earlier runs sent and is not here yet, and of requests with lost answers; null where unknown.
   */
  paidBefore: { readonly usd: number | null; readonly perhaps: number | null } = { usd: null, perhaps: null };
  /** How things stand with each number of each budget that bounds the run: at its start, and at its end. */
  budget: readonly BudgetStatus[] = [];
  /** The same at its start: a team may bound a run by more once it goes on. */
  budgetAtStart: readonly BudgetStatus[] = [];
  /** How many instances the plan had at the start. */
  plannedInstances = 0;
  /** How many of them the service had something of. */
  atService: { readonly [is in NonNullable<PlannedInstance['at_service']>]: number } = {
    made: 0,
    under_way: 0,
    lost: 0,
    drawn_again: 0,
  };
  /** In the order of the plan. */
  readonly instances = new Map<InstanceKey, InstanceView>();
  /** What is over, in the order it happened; only ever grows. */
  readonly settled: Settled[] = [];
  stream: { readonly up: boolean; readonly reason: string } | null = null;
  connection: { readonly reachable: boolean; readonly reason: string } = { reachable: true, reason: '' };
  /** The service is asked more slowly; `until` (Unix milliseconds): nothing is sent before. Null: as fast as there is something to ask. */
  slowed: { readonly until: number; readonly reason: string } | null = null;
  /** Numbers of the settings' rates that were reached, by what they are called. */
  readonly ratesReached = new Map<string, RateHolding>();
  readonly outputs: WrittenOutput[] = [];
  /** Outputs that could not be put where the author asked for them. */
  readonly failedOutputs: { readonly output: string; readonly path: string; readonly reason: string }[] = [];
  /** Where results are kept, of a film that saves none of them under a name of its own. */
  keptIn: string | null = null;
  /** Paths of outputs that were no part of the run. */
  outputsLeftOut: readonly string[] = [];
  /** Labels of picks and approvals that were decided anew after the run had acted on them. */
  decidedLater: readonly string[] = [];
  /** Ids that the journal could not take, and why. */
  unjournaled: { readonly reason: string; readonly ids: readonly string[] } | null = null;
  detached: { readonly running: readonly InstanceKey[]; readonly resume: string } | null = null;
  /** What Ctrl-C does to generations at the service. */
  onInterrupt: 'detach' | 'cancel' = 'detach';
  /** Custom models that this run waits for or has brought up, by id. */
  readonly deployments = new Map<string, DeploymentView>();
  /** What could not be cancelled, by generation or instance. */
  readonly uncancelled = new Map<string, Uncancelled>();
  finished: Finished | null = null;
  /** Instances with an attempt that is not over; Unix milliseconds when there last were none. */
  atWork = 0;
  idleSince: number | null = null;
  /** Milliseconds in which no instance was at work, until a person decided. */
  waitedForPeople = 0;
  /** Kept by `measuresOf`. */
  measured: Measures & { instances: number } = {
    instances: 0,
    widest: { label: 0, short: 0, model: 0 },
    axes: new Map(),
  };
  /** The last settled instances that read the same but for their key; shown as one line when there are many. */
  alike: EndedInstance[] = [];
}

export const emptyRunView = (): RunView => new RunView();

interface Measures {
  /** Widest label, without its axes as well, and model, in cells: columns do not move while a run goes on. */
  readonly widest: { label: number; short: number; model: number };
  /** What each step is fanned out over, by its name. */
  readonly axes: Map<string, Axes>;
}

interface RateHolding {
  /** `2 a minute` */
  readonly rate: string;
  /** It counts what is under way, and not what was sent within a time. */
  readonly isAtOnce: boolean;
  /** Where it is of one model alone. */
  readonly model?: string;
  /** Unix milliseconds: the next one may be sent. */
  readonly until: number;
}

export class InstanceView extends InstanceStory {
  readonly key: InstanceKey;
  /** The key, its step's name and its model, safe to show. */
  readonly label: string;
  readonly step: string;
  readonly model: string;
  readonly needs: readonly InstanceKey[];
  /** Place in the plan, from 0. */
  readonly index: number;
  readonly actsOutside: boolean;
  /** US dollars that an earlier run sent it at; null where no price is known. Absent: it is not at the service from before. */
  readonly sentUsd: number | null | undefined;
  /** How it ended last: it stays where an event out of its usual order opens the instance again. */
  ended: EndState | null = null;

  constructor({ key, model, needs, price, effect, sent_usd: sentUsd }: PlannedInstance, index: number) {
    super(price);
    this.key = key;
    this.label = cleanText(key);
    this.step = cleanText(stepOf(key));
    this.model = cleanText(model);
    this.needs = needs;
    this.index = index;
    this.actsOutside = effect ?? false;
    this.sentUsd = sentUsd;
  }

  /** US dollars of its request at the service, sent by this run or before it; null where no price is known. */
  get requestUsd(): number | null {
    return this.sentUsd === undefined ? this.price : this.sentUsd;
  }
}

export type EndedInstance = InstanceView & { readonly ended: EndState };

/** A line of what is over: one instance, several of one step that ended alike, or the run's own first and last word. */
export type Settled =
  | { readonly is: 'started' }
  | { readonly is: 'instance'; readonly instance: EndedInstance }
  | { readonly is: 'group'; readonly instances: readonly EndedInstance[] }
  | { readonly is: 'finished' };

/** `usd`: at list price where nothing is billed. */
export interface Finished extends Omit<RunMoney, 'list_price_usd'> {
  readonly outcome: Outcome;
  readonly counts: Counts;
  /** How much of `usd` is an estimate. */
  readonly estimated: number;
  /** Generations of unknown cost. */
  readonly unpriced: number;
  readonly reason: string;
}

export type Outcome = Extract<RunEvent, { readonly type: 'run_finished' }>['outcome'];

export interface DeploymentView {
  /** Safe to show. */
  readonly model: string;
  /** The service's word. */
  readonly status: string;
  /** Its owner, and what bills when the run is over: `theirs`, which is left alone, and `left`, ours that could not be ended. */
  readonly is: 'coming' | 'ours' | 'theirs' | 'ended' | 'left';
  readonly reason: string;
}

export interface Uncancelled {
  /** Place in the plan; those of an earlier version of the film come last. */
  readonly index: number;
  readonly label: string;
  readonly id: string | null;
  readonly why: Extract<InstanceEvent, { readonly type: 'cancel_failed' }>['why'];
  readonly message: string;
}

export const couldStart = (run: RunView, { needs }: InstanceView): boolean =>
  needs.every(key => {
    const need = run.instances.get(key);
    return need === undefined || isOver(need.state);
  });

/** The instances that this one still waits for. */
export const unmetNeeds = (run: RunView, instance: InstanceView): readonly InstanceView[] =>
  instance.needs.flatMap(key => {
    const need = run.instances.get(key);
    return need === undefined || isOver(need.state) ? [] : [need];
  });

/** US dollars that this run has spent so far, as far as is known; `unpriced`: generations with a cost that is not known. */
export function spentIn({ finished, instances }: RunView): { readonly usd: number; readonly unpriced: number } {
  if (finished !== null) return finished;
  let [usd, unpriced] = [0, 0];
  for (const { paidUsd, isUnpriced } of instances.values()) {
    usd += paidUsd;
    if (isUnpriced) unpriced += 1;
  }
  return { usd: roundUsd(usd), unpriced };
}

/** Of all instances that there are so far; each is measured once. */
export function measuresOf({ measured, instances }: Pick<RunView, 'measured' | 'instances'>): Measures {
  if (measured.instances === instances.size) return measured;
  const { widest, axes } = measured;
  for (const { index, key, step, label, model } of instances.values()) {
    if (index < measured.instances) continue;
    const ofStep = axes.get(step) ?? new Map();
    axes.set(step, ofStep);
    noteCoordinates(ofStep, key);
    widest.label = Math.max(widest.label, cellWidth(label));
    widest.short = Math.max(widest.short, cellWidth(withoutAxes(label)));
    widest.model = Math.max(widest.model, cellWidth(model));
  }
  measured.instances = instances.size;
  return measured;
}
