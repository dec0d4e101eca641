/**
 * What will run, why, and what it costs. In the order of the graph each instance is resolved with what is owned; what is
 * owned already goes on to those behind it, what must be made leaves them pending with expected facts in its place.
 */
import type { Diagnostic } from '../domain/diagnostic.ts';
import { Instances } from '../domain/instances.ts';
import type { JsonObject } from '../domain/json.ts';
import type { StepName } from '../domain/key.ts';
import { addUsd } from '../domain/money.ts';
import type { Pipeline } from '../domain/pipeline.ts';
import type { Instance, Plan } from '../domain/plan.ts';
import { INSTANCE_LIMITS } from '../language/instance-counts.ts';
import { messages as languageMessages } from '../language/messages/index.ts';
import { paramValues } from './param-values.ts';
import type { PlanContext } from './plan-context.ts';
import { PlanDiagnostics } from './plan-diagnostics.ts';
import type { Slot } from './plan-graph.ts';
import { planOutputs } from './planned-outputs.ts';
import { Planner } from './planner.ts';
import { schedule, topologicalOrder } from './schedule.ts';
import { fanOut } from './slots.ts';

export type { LocalMedia, PlanContext, UnusableFile } from './plan-context.ts';

export interface Planned {
  /** Absent when a diagnostic is an error. */
  readonly plan?: Plan;
  readonly diagnostics: readonly Diagnostic[];
}

export function plan(pipeline: Pipeline, context: PlanContext): Planned {
  const diagnostics = new PlanDiagnostics(pipeline.source);
  const params = paramValues(pipeline, context.params, diagnostics);
  if (diagnostics.any) return { diagnostics: diagnostics.all };
  const byStep = fanOutAll(pipeline, params, context, diagnostics);
  if (diagnostics.any) return { diagnostics: diagnostics.all };
  const slots = new Instances(byStep);
  const outputs = planOutputs(pipeline, slots, diagnostics);
  const planner = new Planner({ pipeline, params, service: context.service, instances: slots }, context, diagnostics);
  const instances = [...byStep.values()].flatMap(slots => slots.map(slot => planner.decide(slot)));
  if (diagnostics.any) return { diagnostics: diagnostics.all };

  const { remaining, criticalPath } = schedule(instances);
  // Ours alone until they are returned: copying 10,000 of them to add one number costs 10 MB.
  for (const [index, instance] of instances.entries()) instance.remaining = remaining[index] ?? 0;
  return {
    plan: {
      pipeline,
      params,
      service: context.service,
      instances: new Instances(groupedByStep(byStep, instances)),
      outputs,
      open: [],
      deployments: deploymentsOf(pipeline, instances, context.pricing),
      totals: totalsOf(instances),
      criticalPath,
    },
    diagnostics: [],
  };
}

/** In topological order of the steps. */
function fanOutAll(
  pipeline: Pipeline,
  params: JsonObject,
  { run, env }: PlanContext,
  diagnostics: PlanDiagnostics,
): ReadonlyMap<StepName, readonly Slot[]> {
  const byStep = new Map<StepName, readonly Slot[]>();
  const scope = { params, run, env, steps: {}, matrix: {}, each: null };
  let sum = 0;
  for (const step of topologicalOrder(pipeline)) {
    const upstream = step.fanOut.each === undefined ? undefined : byStep.get(step.fanOut.each);
    const slots = fanOut(step, upstream, scope, diagnostics);
    byStep.set(step.name, slots);
    sum += slots.length;
    if (sum <= INSTANCE_LIMITS.film) continue;
    const { code, message } = languageMessages.filmTooLarge(step.name, sum, INSTANCE_LIMITS.film);
    diagnostics.error(code, message, step.at);
    break;
  }
  return byStep;
}

function groupedByStep(
  order: ReadonlyMap<StepName, readonly Slot[]>,
  instances: readonly Instance[],
): ReadonlyMap<StepName, readonly Instance[]> {
  const grouped = new Map<StepName, Instance[]>([...order.keys()].map(name => [name, []]));
  for (const instance of instances) grouped.get(instance.step.name)?.push(instance);
  return grouped;
}

/** Only those that something is made on: what is owned already brings nothing up. */
function deploymentsOf(
  { deployments }: Pipeline,
  instances: readonly Instance[],
  pricing: PlanContext['pricing'],
): Plan['deployments'] {
  const isNeeded = ({ step, decision }: Instance, model: string) =>
    step.kind === 'generate' && step.model === model && (decision.is === 'run' || decision.is === 'maybe');
  return deployments
    .filter(model => instances.some(instance => isNeeded(instance, model)))
    .map(model => ({ model, usdPerSecond: pricing.get(model)?.cost_per_second ?? null }));
}

function totalsOf(instances: readonly Instance[]): Plan['totals'] {
  const counts = { hit: 0, fetch: 0, run: 0, maybe: 0, skip: 0 };
  let usd = 0;
  let unpriced = 0;
  for (const { decision, price } of instances) {
    counts[decision.is] += 1;
    if (decision.is !== 'run' && decision.is !== 'maybe') continue;
    if (price === null) unpriced += 1;
    else usd = addUsd(usd, price);
  }
  return { instances: instances.length, ...counts, open: 0, usd, unpriced };
}
