/** The documented shape of `--json`. */
import type { BudgetStatus } from '../domain/budget.ts';
import type { JsonObject } from '../domain/json.ts';
import type { Pipeline } from '../domain/pipeline.ts';
import type { Instance, OpenStep, Plan } from '../domain/plan.ts';
import { actsOf } from './acts-outside.ts';
import { heldAgainst } from './budget-plan.ts';
import { kindOf } from './kinds/index.ts';
import type { PublishedFiles } from './published-files.ts';
import { shownParams } from './secrets.ts';

/** Version 1: fields are added, never renamed. */
export function planJson(plan: Plan, budget: readonly BudgetStatus[] = [], published?: PublishedFiles): JsonObject {
  const { pipeline, params, service, instances, open, outputs, totals, criticalPath } = plan;
  return {
    version: 1,
    pipeline: pipeline.source.path,
    name: pipeline.name,
    service,
    params: shownParams(pipeline, params),
    instances: [...instances].map(instanceJson),
    open: open.map(one => openJson(one, pipeline)),
    outputs: outputs.map(output => ({
      ...output,
      ...(instances.get(output.instance)?.decision.is === 'left_out' && { left_out: true }),
    })),
    deployments: plan.deployments.map(({ model, usdPerSecond }) => ({ model, usd_per_second: usdPerSecond })),
    effects: actsOf(plan).map(({ key, run }) => ({ key, run })),
    totals: totalsJson(totals),
    ...(budget.length > 0 && { budget: heldAgainst(plan, budget).map(one => ({ ...one })) }),
    ...(published && { published: { ...published } }),
    critical_path: { keys: criticalPath.keys, seconds: criticalPath.seconds },
  };
}

const totalsJson = ({ openUsd, openUnpriced, ...totals }: Plan['totals']): JsonObject => ({
  ...totals,
  open_usd: openUsd,
  open_unpriced: openUnpriced,
});

/** A step whose instances are not known yet. */
function openJson(open: OpenStep, { steps }: Pipeline): JsonObject {
  const { step: name, lists, follows, why, most, usd, priceBasis, request, leftOut } = open;
  const step = steps.find(one => one.name === name);
  return {
    step: name,
    ...(step && { kind: step.kind, ...kindOf(step).json(step) }),
    why: leftOut ?? why,
    ...(leftOut !== undefined && { left_out: true }),
    waits_for: [...new Set([...lists, ...follows])],
    most: most ?? null,
    usd_at_most: usd,
    price_basis: priceBasis,
    ...(request && { request }),
  };
}

function instanceJson(instance: Instance): JsonObject {
  const { key, step, coordinates, outer, needs, needsAll, decision, request: asked, fingerprint, facts } = instance;
  return {
    key,
    step: step.name,
    kind: step.kind,
    ...kindOf(step).json(step),
    coordinates,
    ...(outer && { inside: outer.key }),
    decision: decision.is,
    why: decision.why,
    ...(decision.is === 'sent' && { sent: { film: null, ...decision.sent } }),
    ...(asked && { request: asked }),
    ...(fingerprint !== undefined && { fingerprint }),
    price_usd: instance.price,
    price_basis: instance.priceBasis,
    needs,
    needs_all: needsAll,
    ...(facts && { media: { ...facts } }),
    expected_seconds: instance.expected,
    remaining_seconds: instance.remaining,
  };
}
