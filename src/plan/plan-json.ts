/** The documented shape of `--json`. */
import type { JsonObject } from '../domain/json.ts';
import type { Instance, Plan } from '../domain/plan.ts';

/** Version 1: fields are added, never renamed. */
export function planJson(plan: Plan): JsonObject {
  const { pipeline, params, service, instances, outputs, totals, criticalPath } = plan;
  return {
    version: 1,
    pipeline: pipeline.source.path,
    name: pipeline.name,
    service,
    params,
    instances: [...instances].map(instanceJson),
    outputs: outputs.map(output => ({ ...output })),
    deployments: plan.deployments.map(({ model, usdPerSecond }) => ({ model, usd_per_second: usdPerSecond })),
    totals: { ...totals },
    critical_path: { keys: criticalPath.keys, seconds: criticalPath.seconds },
  };
}

function instanceJson(instance: Instance): JsonObject {
  const { key, step, coordinates, needs, needsAll, decision, request: asked, fingerprint, facts } = instance;
  return {
    key,
    step: step.name,
    kind: step.kind,
    ...(step.kind === 'generate' && { model: step.model }),
    coordinates,
    decision: decision.is,
    why: decision.why,
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
