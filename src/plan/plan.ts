/**
 * Makes a plan. In the order of the graph each instance is resolved with the results that are owned. An owned result is read by
 * the instances behind it; an instance that must be made leaves them pending, with expected facts in its place. A step whose
 * lists come from instances that must be made stays open, and `expand.ts` goes on with it.
 */

import { messages as languageMessages } from '../language/messages/index.ts';
import { INSTANCE_LIMITS } from '../language/steps/instance-counts.ts';
import { addDemand, certainOf, NO_AMOUNTS, UNKNOWN_DEMAND } from '../model/budget.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { MediaFacts } from '../model/media/media.ts';
import { addUsd } from '../model/money.ts';
import type { Pipeline, Step, UsedFile } from '../model/pipeline.ts';
import {
  type Instance,
  Instances,
  isPart,
  isToBeMade,
  type OpenStep,
  type Owned,
  type Plan,
  type PlannedOutput,
  shownAs,
} from '../model/plan.ts';
import type { InstanceKey, StepName } from '../model/run/key.ts';
import type { Json, JsonObject } from '../model/text/json.ts';
import { type OpenPlace, schedule, topologicalOrder } from './graph/need-graph.ts';
import { fanOutKnown, fanOutOpen, OpenSamples, openStep, placeOfOpen, startsOpen } from './graph/open-steps.ts';
import { type PlanGraph, type Slot, sourceOf, stepNamed } from './graph/plan-graph.ts';
import { inOrderOfRounds, madeTogether } from './graph/round-order.ts';
import { stepsSending } from './inactive-models.ts';
import { modelOf } from './kinds/index.ts';
import { isSameMistake, PlanDiagnostics } from './obstacles.ts';
import { leaveOut, leaveOutOpen, leavingOut } from './owned/left-out.ts';
import { mediaFrom, type PlanContext } from './plan-context.ts';
import { messages } from './plan-messages.ts';
import { checkEndings, inFileOrder, planOutputs, withFittingPaths } from './planned-outputs.ts';
import { type DraftInstance, Planner } from './planner.ts';
import { paramValues } from './values/param-values.ts';

export type { LocalMedia, PlanContext, UnusableFile } from './plan-context.ts';

export interface Planned {
  /** Absent when a diagnostic is an error. */
  readonly plan?: Plan;
  readonly diagnostics: readonly Diagnostic[];
  /** What is wrong with the selection: then there is no plan. */
  readonly unselectable?: readonly string[];
}

/**
 * Plans a pipeline. A problem that only results show is no mistake of the author's, such as a clip that came longer than its request: then the
 * instance that reads the result fails, and the rest is made. A mistake is what planning finds with nothing owned as well, so `check`,
 * `plan`, `run` and `doctor` find the same mistakes.
 */
export function plan(pipeline: Pipeline, context: PlanContext): Planned {
  const { found, toPlan } = attempt(pipeline, context);
  if (found.length === 0) return toPlan();
  const certain = attempt(pipeline, { ...context, owned: withoutResults(context.owned) }).found;
  const own = found.filter(one => certain.some(other => isSameMistake(one, other)));
  return own.length > 0 ? { diagnostics: own } : toPlan();
}

/** Adopted results stay: they are part of what the author wrote. */
const withoutResults = (owned: Owned): Owned => ({
  find: () => undefined,
  atService: () => undefined,
  last: () => undefined,
  adopted: key => owned.adopted?.(key),
});

interface Attempt {
  /** All that is wrong: mistakes of the author's, and what only results show. */
  readonly found: readonly Diagnostic[];
  /** The plan in which an instance with a mistake fails. It has diagnostics instead where more than an instance is wrong. */
  readonly toPlan: () => Planned;
}

function attempt(pipeline: Pipeline, context: PlanContext): Attempt {
  const diagnostics = new PlanDiagnostics(pipeline.source);
  const refused = (): Attempt => ({ found: diagnostics.all, toPlan: () => ({ diagnostics: diagnostics.all }) });
  const params = paramValues(pipeline, context.params, diagnostics);
  if (diagnostics.any) return refused();
  const steps = topologicalOrder(pipeline);
  const data = dataValues(pipeline, context, diagnostics);
  const usedData = dataOfUsedFiles(pipeline, context, diagnostics);
  const slots = new Instances<Slot>(steps.map(({ name }) => [name, null]));
  const graph = { pipeline, params, data, usedData, service: context.service, instances: slots };
  fanOutAll(steps, graph, context, diagnostics);
  if (diagnostics.any) return refused();

  const inInstances = new PlanDiagnostics(pipeline.source);
  const decided = decideAll(steps, graph, context, { diagnostics, inInstances });
  const endings = new PlanDiagnostics(pipeline.source);
  checkEndings(pipeline, decided.outputs, decided, endings);
  const refusing = [...diagnostics.all, ...endings.all];
  return {
    found: [...diagnostics.all, ...inInstances.all, ...endings.all],
    toPlan: () => (refusing.length > 0 ? { diagnostics: refusing } : planOf(decided, steps, graph, context)),
  };
}

function planOf(
  decided: Decided,
  steps: readonly Step[],
  graph: PlanGraph & { readonly instances: Instances<Slot> },
  context: PlanContext,
): Planned {
  const { pipeline, params, data, usedData, service } = graph;
  const { drafts, planner } = decided;
  const outputs = withFittingPaths(inFileOrder(decided.outputs, pipeline), planner.results);
  const timed = inOrderOfRounds<DraftInstance | OpenPlace>(pipeline, steps, step => {
    const known = drafts.get(step.name);
    return known ?? [placeOfOpen(step, graph, context)];
  });
  const { leftOut, mistakes } = leavingOut(timed, { outputs, pipeline }, context.selection);
  if (mistakes.length > 0) return { diagnostics: [], unselectable: mistakes };
  for (const one of timed) if (!('decision' in one) && leftOut.has(one.key)) Object.assign(one, { expected: 0 });
  leaveOut(
    timed.filter(one => 'decision' in one),
    leftOut,
  );
  const open = leaveOutOpen(decided.open, leftOut);
  const { remaining, criticalPath } = schedule(timed);
  // Ours alone until they are returned: copying 10,000 of them to add one number costs 10 MB.
  for (const [index, one] of timed.entries()) if ('remaining' in one) one.remaining = remaining[index] ?? 0;
  const instances = new Instances<Instance>(drafts);
  return {
    plan: {
      pipeline,
      params,
      data,
      usedData,
      service,
      instances,
      outputs,
      open,
      deployments: deploymentsOf({ pipeline, instances, open }, context.pricing),
      totals: totalsOf(instances, open),
      demand: demandOf(instances, open),
      criticalPath,
    },
    diagnostics: [],
  };
}

/** Fans out every step that needs no result for it: its lists read none, and neither do those of the steps that it follows. */
function fanOutAll(
  steps: readonly Step[],
  graph: PlanGraph & { readonly instances: Instances<Slot> },
  context: PlanContext,
  diagnostics: PlanDiagnostics,
): void {
  const { pipeline, instances } = graph;
  const seen = new Set<StepName>();
  const open = new Set<StepName>();
  const fan = (step: Step): void => {
    if (seen.has(step.name) || instances.size > INSTANCE_LIMITS.film) return;
    seen.add(step.name);
    // The instances of a `uses` step are known before those inside, and decided after them.
    if (step.inside) fan(stepNamed(pipeline, step.inside.by));
    if (startsOpen(step, pipeline, name => open.has(name))) {
      open.add(step.name);
      return;
    }
    instances.add(step.name, fanOutKnown(step, graph, context, diagnostics));
    if (instances.size <= INSTANCE_LIMITS.film) return;
    const { code, message } = languageMessages.filmTooLarge(step.name, instances.size, INSTANCE_LIMITS.film);
    diagnostics.in(sourceOf(pipeline, step)).error(code, message, step.at);
  };
  for (const step of steps) fan(step);
}

interface Decided {
  /** In topological order; null while a step is open. */
  readonly drafts: ReadonlyMap<StepName, readonly DraftInstance[] | null>;
  readonly open: readonly OpenStep[];
  readonly outputs: PlannedOutput[];
  readonly planner: Pick<Planner, 'results'>;
  /** What the request of an instance asks for; what each instance of an open step will. */
  readonly asked: (key: InstanceKey) => MediaFacts | undefined;
  readonly askedOpen: (step: StepName) => MediaFacts | undefined;
}

/** Open steps with owned lists are fanned out on the way: planning again replays what happened. */
function decideAll(
  steps: readonly Step[],
  graph: PlanGraph & { readonly instances: Instances<Slot> },
  context: PlanContext,
  { diagnostics, inInstances }: { readonly [where in 'diagnostics' | 'inInstances']: PlanDiagnostics },
): Decided {
  const { pipeline, instances } = graph;
  const outputs = planOutputs(pipeline, name => instances.of(name), [], diagnostics);
  const planner = new Planner(graph, context, inInstances);
  const samples = new OpenSamples(graph, context, inInstances, planner);
  const drafts = new Map<StepName, readonly DraftInstance[] | null>();
  const open: OpenStep[] = [];
  const failing = new Map<StepName, string>();
  const openUp = (step: Step): void => {
    if (!instances.isOpen(step.name)) return;
    if (step.inside) openUp(stepNamed(pipeline, step.inside.by));
    const opened = fanOutOpen(step, graph, planner.results, context, instances.size);
    // The mistake is in a result. The run that made it has reported it, failed the step and gone on; so will this one.
    const failed = (found: readonly Diagnostic[]) =>
      failing.set(step.name, found.map(({ message }) => message).join('; '));
    if (opened.is === 'failed') failed(opened.diagnostics);
    if (opened.is !== 'known') return;
    const ofStep = (name: StepName) => (name === step.name ? opened.slots : []);
    const wrongPlaces = new PlanDiagnostics(pipeline.source);
    const places = planOutputs(pipeline, ofStep, outputs, wrongPlaces);
    if (wrongPlaces.any) return void failed(wrongPlaces.all);
    instances.add(step.name, opened.slots);
    outputs.push(...places);
  };
  const decide = (together: readonly Step[]): void => {
    const known = together.filter(step => !instances.isOpen(step.name));
    for (const [name, made] of planner.decideTogether(known, ({ name: one }) => instances.of(one)))
      drafts.set(name, made);
  };
  for (const first of steps) {
    if (drafts.has(first.name)) continue;
    const together = madeTogether(pipeline, steps, first);
    for (const step of together) {
      openUp(step);
      if (!instances.isOpen(step.name)) continue;

      const why = failing.get(step.name);
      const sample = samples.take(step);
      const failure = why === undefined ? {} : { why: messages.willFail(why), usd: 0 };
      open.push({ ...openStep(step, graph, planner.results), ...sample, ...failure });
      drafts.set(step.name, null);
    }
    decide(together);
  }
  const askedOpen = (name: StepName) => (instances.isOpen(name) ? samples.asked(stepNamed(pipeline, name)) : undefined);
  return { drafts, open, outputs, planner, asked: planner.asked, askedOpen };
}

/** Only models that something is made on, or may be: an instance that is owned already brings nothing up. */
function deploymentsOf(
  plan: Pick<Plan, 'pipeline' | 'instances' | 'open'>,
  pricing: PlanContext['pricing'],
): Plan['deployments'] {
  const needed = new Set([...stepsSending(plan)].map(modelOf));
  return plan.pipeline.deployments
    .filter(model => needed.has(model))
    .map(model => ({ model, usdPerSecond: pricing.get(model)?.cost_per_second ?? null }));
}

function totalsOf(instances: Iterable<Instance>, open: readonly OpenStep[]): Plan['totals'] {
  const counts = { hit: 0, fetch: 0, sent: 0, run: 0, maybe: 0, skip: 0, left_out: 0 };
  let all = 0;
  let usd = 0;
  let unpriced = 0;
  let paid = 0;
  let perhaps = 0;
  for (const { decision, price } of instances) {
    all += 1;
    counts[shownAs(decision)] += 1;
    if (decision.is === 'sent') {
      const before = decision.sent.usd ?? 0;
      if (decision.sent.is === 'lost') perhaps = addUsd(perhaps, before);
      else paid = addUsd(paid, before);
    }
    if (!isToBeMade(decision)) continue;
    if (price === null) unpriced += 1;
    else usd = addUsd(usd, price);
  }
  const part = open.filter(isPart);
  counts.left_out += open.length - part.length;
  const openUsd = part.reduce((sum, { usd: most }) => addUsd(sum, most ?? 0), 0);
  const openUnpriced = part.filter(({ usd: most }) => most === null).length;
  return { instances: all, ...counts, open: part.length, openUsd, openUnpriced, usd, unpriced, paid, perhaps };
}

function demandOf(instances: Iterable<Instance>, open: readonly OpenStep[]): Plan['demand'] {
  let [certain, most] = [NO_AMOUNTS, NO_AMOUNTS];
  for (const { decision, demand } of instances) {
    // Most instances of a large film are free, or owned.
    if (demand.generations === 0 || !isToBeMade(decision)) continue;
    most = addDemand(most, demand);
    if (decision.is === 'run') certain = addDemand(certain, certainOf(demand));
  }
  for (const { demand, most: times } of open) {
    if (demand.generations === 0) continue;
    // The cost of a step with an unknown number of instances is unknown.
    most = times === undefined ? addDemand(most, UNKNOWN_DEMAND) : addDemand(most, demand, times);
  }
  return { certain, most };
}

function dataValues(
  { data }: Pick<Pipeline, 'data'>,
  { localMedia }: Pick<PlanContext, 'localMedia'>,
  diagnostics: PlanDiagnostics,
): JsonObject {
  const values: Record<string, Json> = {};
  for (const one of data) {
    if (one.is === 'value') values[one.name] = one.value;
    else
      values[one.name] = one.paths.map(path => {
        const known = localMedia(path);
        if (known && 'unusable' in known)
          diagnostics.error('data-file', messages.unusableFile(`data.${one.name}`, path, known.unusable), one.at);
        const { sha256, bytes = 0, facts } = known && 'url' in known ? known : { sha256: '', facts: undefined };
        return { file: path, name: nameOf(path), sha256, bytes, media: { ...facts } };
      });
  }
  return values;
}

/** The same for each file that is used: paths are relative to its folder. */
function dataOfUsedFiles(
  { steps }: Pipeline,
  { localMedia }: Pick<PlanContext, 'localMedia'>,
  diagnostics: PlanDiagnostics,
): ReadonlyMap<UsedFile, JsonObject> {
  const files = new Set(steps.flatMap(({ inside }) => (inside ? [inside.file] : [])));
  return new Map(
    [...files].map(file => {
      const mediaWorld = { localMedia: mediaFrom(file.folder, localMedia) };
      return [file, dataValues(file, mediaWorld, diagnostics.in(file.source))];
    }),
  );
}

/** `in/fox 2.jpg` → `fox 2` */
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
