/** A run as people see it afterwards, and while it goes on: what the journal, what was planned and what was decided come to. */

import { addUsd } from '../../../model/money.ts';
import type { KeptStep } from '../../../model/run/kept-plan.ts';
import type { InstanceKey, StepName } from '../../../model/run/key.ts';
import {
  isFree,
  moneyOf,
  type OpenRequest,
  spentAt,
  type UnsettledMoney,
  unsettledMoney,
} from '../../../model/run/run-money.ts';
import type { ReportedInstance, ReportedRun, ReportedStep, RunReport } from '../../../model/run/run-report.ts';
import { cleanText, safeLines } from '../../../model/text/clean.ts';
import { phase } from '../../../records/views/instance-state.ts';
import { type InstanceStory, type RunStory, runStory } from '../../../records/views/run-story.ts';
import { type RunView, spentIn } from '../../../records/views/run-view.ts';
import { reportedInstances } from './instances.ts';
import { filmOf, outputsOf } from './reported-outputs.ts';
import { questionsOf } from './reported-questions.ts';
import { States } from './reported-states.ts';
import { Results, type RunRecord } from './stored-results.ts';

export function runReport(record: RunRecord): RunReport {
  const story = runStory(record);
  const states = new States(story);
  const results = new Results(record, story, states);
  const run = reportedRun(record, story, states, results);
  const questions = questionsOf(story, states, results);
  const instances = reportedInstances({ record, story, states, results, questions, command: run.command });
  const byKey = new Map(instances.map(one => [one.key, one]));
  const steps = reportedSteps(record.plan?.steps ?? [], instances);
  const outputs = outputsOf(record.plan?.outputs ?? [], byKey, story.run);
  const isWanted = (record.plan?.outputs ?? []).length > 0;
  return {
    version: 1,
    run,
    film: filmOf(outputs, byKey, steps, { isWanted, shots: record.plan?.shots ?? new Map() }),
    ...{ outputs, steps, edges: edgesOf(steps), instances },
    critical: criticalPath(story, states),
    questions,
  };
}

/** The steps of a run and what leads from one to the other. */
type Instance = Pick<ReportedInstance, 'step' | 'coordinates' | 'kind' | 'model' | 'state'>;

/** @param kept empty where no plan was kept: the instances tell then what they can. */
function reportedSteps(kept: Iterable<KeptStep>, instances: readonly Instance[]): readonly ReportedStep[] {
  const byStep = Map.groupBy(instances, ({ step }) => step);
  const steps = [...kept].map(step => reportedStep(step, byStep.get(step.name) ?? []));
  const known = new Set(steps.map(({ name }) => name));
  return [...steps, ...[...byStep].filter(([name]) => !known.has(name)).map(([name, all]) => unplanned(name, all))];
}

const edgesOf = (steps: readonly ReportedStep[]): readonly (readonly [StepName, StepName])[] =>
  steps.flatMap(({ name, needs }) => needs.map(need => [need, name] as const));

function reportedStep(
  { name, kind, model, needs, description, ...at }: KeptStep,
  all: readonly Instance[],
): ReportedStep {
  return {
    ...{ name, kind, model: model === undefined ? null : cleanText(model), by: fanOutOf(all), needs },
    description: description === undefined ? null : safeLines(description),
    place: { file: at.file === undefined ? null : cleanText(at.file), line: at.line, column: at.column },
  };
}

const unplanned = (name: StepName, all: readonly Instance[]): ReportedStep => ({
  ...{ name, kind: all[0]?.kind ?? 'step', model: all[0]?.model ?? null, by: fanOutOf(all), needs: [] },
  ...{ description: null, place: null },
});

/** `12 × 3` where every value meets every other; otherwise how many there are. */
function fanOutOf(all: readonly Instance[]): string | null {
  if (all.length === 0) return '×?';
  if (all.length === 1 && Object.keys(all[0]?.coordinates ?? {}).length === 0) return null;
  const axes = [...new Set(all.flatMap(({ coordinates }) => Object.keys(coordinates)))];
  const counts = axes
    .map(axis => new Set(all.map(({ coordinates }) => coordinates[axis])).size)
    .filter(count => count > 1);
  const product = counts.reduce((result, count) => result * count, 1);
  return product === all.length && counts.length > 0 ? counts.join(' × ') : String(all.length);
}

/**
 * What the run waited for, in real time: back from the instance that ended last, each time to the one of its needs that ended last. Only what was
 * worked on, or decided, in this run counts; what is gathered from others takes no time, and what it was gathered from takes its place. The order
 * of the events shows what came last, and no clock.
 */
function criticalPath(story: RunStory, states: States): readonly InstanceKey[] {
  const { instances } = story;
  const before = lastNeeds(story, states);
  const path: InstanceKey[] = [];
  const seen = new Set<InstanceStory>();
  for (let recorded = latest(instances.values()); recorded && !seen.has(recorded); recorded = before(recorded)) {
    seen.add(recorded);
    path.unshift(recorded.planned.key);
  }
  return path;
}

/** Of each instance, the one that it waited for longest; undefined where it waited for nothing of this run. */
function lastNeeds({ instances }: RunStory, states: States): (recorded: InstanceStory) => InstanceStory | undefined {
  const known = new Map<InstanceStory, InstanceStory | undefined>();
  // A step that is waited for as a whole is looked through once, however many wait for it.
  const wholes = new Map<string, InstanceStory | undefined>();
  const counted = (key: InstanceKey): InstanceStory | undefined => {
    const recorded = instances.get(key);
    return recorded?.step?.isGathered && !recorded.story.choice ? before(recorded) : recorded;
  };
  const lastOf = (keys: readonly InstanceKey[]) => latest(keys.flatMap(key => counted(key) ?? []));
  const lastOfWhole = (name: Parameters<States['all']>[0]) => {
    if (!wholes.has(name)) wholes.set(name, lastOf(states.all(name)));
    return wholes.get(name);
  };
  function before(recorded: InstanceStory): InstanceStory | undefined {
    if (known.has(recorded)) return known.get(recorded);
    const { needs = [], needsAll = [] } = recorded.planned;
    // A damaged plan may lead back to itself.
    known.set(recorded, undefined);
    const last = latest([lastOf(needs), ...needsAll.map(lastOfWhole)].flatMap(one => one ?? []));
    known.set(recorded, last);
    return last;
  }
  return before;
}

function latest(all: Iterable<InstanceStory>): InstanceStory | undefined {
  let last: InstanceStory | undefined;
  for (const recorded of all) if (endedAs(recorded) > (last ? endedAs(last) : 0)) last = recorded;
  return last;
}

/** Its place among the events of the run; 0 where nothing was done for it. */
const endedAs = ({ story }: InstanceStory): number => (story.attempts.length > 0 || story.choice ? story.endedAs : 0);

/** The run as a whole: when, how it ended, what it cost and what it saved. */
function reportedRun(record: RunRecord, story: RunStory, states: States, results: Results): ReportedRun {
  const { run } = story;
  const { head, isWhole = false } = record.plan ?? {};
  const outcome = outcomeOf(record, run);
  const command = head?.command ?? run.detached?.resume;
  return {
    ...{ id: record.run, name: run.name },
    description: head?.description === undefined ? null : safeLines(head.description),
    file: record.file === undefined ? run.pipeline : cleanText(record.file),
    ...{ service: run.service, isFree: isFree(run), profile: run.profile },
    began: story.began,
    ended: record.isRunning ? null : run.lastEventAt,
    outcome,
    reason: run.finished?.reason || null,
    // A command is typed as it is: two blanks in a value are two.
    command: outcome === 'done' || command === undefined ? null : safeLines(command).replace(/[\n\t]/g, ' '),
    options: safeLines(head?.options ?? (run.service === 'studio-draft' ? '--draft' : '')).replace(/[\n\t]/g, ' '),
    ...reportedMoney(run),
    saved: savedIn(story, states, results),
    budget: run.budgetAtStart.find(({ of, measure }) => of !== 'project' && measure === 'usd')?.limit ?? null,
    waitedForPeople: Math.round(run.waitedForPeople) / 1000,
    shotlist: head?.shotlist ?? '',
    ...{ isEdited: record.isEdited, isWhole: isWhole && run.startedAt > 0 },
  };
}

function outcomeOf({ isRunning }: RunRecord, { finished, detached }: RunView): string {
  if (isRunning) return 'running';
  return finished?.outcome ?? (detached ? 'interrupted' : 'cut_off');
}

/** What the run itself counted; while it goes on, and where it was cut off, what its instances come to. */
export function reportedMoney(
  run: RunView,
): Pick<ReportedRun, 'spent' | 'list_price' | 'in_flight' | 'perhaps' | 'estimated' | 'unpriced'> {
  const { usd, unpriced } = spentIn(run);
  const money = spentAt(run, usd);
  if (!run.finished) return { ...money, ...openIn(run), estimated: money.spent, unpriced };
  const { usd: _, ...unsettled } = moneyOf(run.finished);
  return { ...money, ...unsettled, estimated: isFree(run) ? 0 : run.finished.estimated, unpriced };
}

/** Requests that the run has at the service, or that died with it before their answer. */
function openIn({ instances }: RunView): UnsettledMoney {
  const open: OpenRequest[] = [];
  for (const { state, requestUsd: price } of instances.values()) {
    if (!state.sent || phase(state) !== 'under-way') continue;
    const is = state.stage === 'generated' ? 'made' : state.sent.id === null ? 'lost' : 'under_way';
    open.push({ is, price });
  }
  return unsettledMoney(open);
}

/** Each piece once, however many read it. */
function savedIn({ instances }: RunStory, states: States, results: Results): number {
  const seen = new Set<string>();
  let saved = 0;
  for (const recorded of instances.values()) {
    const fingerprint = recorded.story.fingerprint ?? recorded.planned.fingerprint;
    if (recorded.step?.isGathered || fingerprint === undefined || seen.has(fingerprint)) continue;
    if (states.of(recorded.planned.key) !== 'reused') continue;
    seen.add(fingerprint);
    const result = results.of(recorded);
    saved = addUsd(saved, result && 'cost' in result ? (result.cost ?? 0) : 0);
  }
  return saved;
}
