/**
 * Custom models that something would be made on, and that are not activated: the service would refuse each request to them. What the
 * service does not tell is no mistake.
 */
import type { DeploymentStatus } from '../api/catalog.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { GenerateStep, Step } from '../model/pipeline.ts';
import { type Decision, isPart, isToBeMade, type Plan } from '../model/plan.ts';
import { sourceOf, stepsByModel } from './graph/plan-graph.ts';
import { modelOf } from './kinds/index.ts';
import { PlanDiagnostics } from './obstacles.ts';
import { messages } from './plan-messages.ts';

/** Models that something will be sent to and that the file does not say `activate: true` of, each once. */
export const modelsToBeUp = (plan: Plan): readonly string[] => [
  ...new Set(stepsToSend(plan).map(step => modelOf(step) ?? '')),
];

/** @param statusOf the service's status of a model's deployment now; undefined: it has none, or the service does not report it. */
export function inactiveModels(
  plan: Plan,
  statusOf: (model: string) => DeploymentStatus | undefined,
): readonly Diagnostic[] {
  const diagnostics = new PlanDiagnostics(plan.pipeline.source);
  for (const step of stepsToSend(plan)) {
    const status = statusOf(step.model);
    if (status === undefined || !CANNOT_BE_USED.has(status)) continue;
    const source = sourceOf(plan.pipeline, step);
    const { text } = source;
    const written = text.slice(step.modelAt.start, step.modelAt.end).replace(/^(["'])(.*)\1$/, '$2');
    const message = messages.notActive(step.model, status, written === step.model ? undefined : written);
    diagnostics.in(source).error('model-not-active', message, step.modelAt);
  }
  return diagnostics.all;
}

/** `unknown` is not among them; one that is on its way up will be there by itself. */
const CANNOT_BE_USED: ReadonlySet<DeploymentStatus> = new Set(['inactive', 'deactivating', 'error']);

function stepsToSend(plan: Plan): readonly GenerateStep[] {
  const activated = new Set(plan.pipeline.deployments);
  return [...stepsSending(plan)].filter((step): step is GenerateStep => 'model' in step && !activated.has(step.model));
}

/** Steps of which an instance is sent, or may be. Where the model is an axis, one for each model. */
export function stepsSending({
  pipeline,
  instances,
  open,
}: Pick<Plan, 'pipeline' | 'instances' | 'open'>): ReadonlySet<Step> {
  const sending = new Set<Step>();
  for (const { step, decision } of instances) if (isSent(decision)) sending.add(step);
  const names = new Set(open.filter(isPart).map(({ step }) => step));
  for (const step of pipeline.steps)
    if (names.has(step.name)) for (const one of [step, ...stepsByModel(step).values()]) sending.add(one);
  return sending;
}

/** Something is or may be sent for it. */
const isSent = (decision: Decision): boolean =>
  isToBeMade(decision) || (decision.is === 'sent' && decision.sent.is === 'lost');
