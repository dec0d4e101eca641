/** The documented shape of `--json`. */
import type { BudgetStatus } from '../../model/budget.ts';
import type { Pipeline } from '../../model/pipeline.ts';
import { type Instance, isPart, isToBeMade, type OpenStep, type Plan, shownAs } from '../../model/plan.ts';
import { FINAL } from '../../model/profile.ts';
import type { RateInUse } from '../../model/request-rates.ts';
import { calledAs, type InstanceKey } from '../../model/run/key.ts';
import { isFree } from '../../model/run/run-money.ts';
import type { Json, JsonObject } from '../../model/text/json.ts';
import { heldAgainst, heldByDay, rateBounds, retryCost } from '../../plan/cost/budget-plan.ts';
import { actsOutside, kindOf } from '../../plan/kinds/index.ts';
import type { PublishedFiles } from '../../plan/media/local-file-check.ts';
import { onePlaceEach } from '../../plan/planned-outputs.ts';
import { shownParams } from '../../plan/values/redaction.ts';

/** What a plan in a profile is held against: the real film, or why that cannot be planned. */
export type FinalPlan = Pick<Plan, 'totals' | 'demand' | 'service'> | { readonly mistakes: string };

/** What a plan is shown with, beside itself. */
interface PlanAdditions {
  readonly budget?: readonly BudgetStatus[];
  readonly final?: FinalPlan | undefined;
  readonly published?: PublishedFiles | undefined;
  readonly rates?: readonly RateInUse[] | undefined;
  readonly team?: TeamPlanFacts | undefined;
}

/** Of a plan for a team. */
export interface TeamPlanFacts {
  readonly name: string;
  /** Dollars that its key may cost in a day; absent: unlimited. */
  readonly day?: BudgetStatus;
  /** `built_in`: the service was not asked, for its key is on workers only. */
  readonly models: 'service' | 'built_in';
}

/** Version 1: fields are added, never renamed. */
export function planJson(
  plan: Plan,
  { budget = [], final, published, rates = [], team }: PlanAdditions = {},
): JsonObject {
  const { pipeline, params, service, instances, open, outputs, totals, criticalPath } = plan;
  const retries = retryCost(plan);
  const bounds = rateBounds(plan, rates);
  const day = heldByDay(plan, team?.day);
  return {
    version: 1,
    pipeline: pipeline.source.path,
    name: pipeline.name,
    service,
    ...(isFree(plan) && { free: true }),
    ...(pipeline.profiles.length > 0 && { profile: pipeline.profile ?? FINAL }),
    params: shownParams(pipeline, params),
    instances: [...instances].map(instanceJson),
    open: open.map(one => openJson(one, pipeline)),
    outputs: onePlaceEach(outputs).map(output => ({
      ...output,
      ...(instances.get(output.instance)?.decision.is === 'left_out' && { left_out: true }),
    })),
    deployments: plan.deployments.map(({ model, usdPerSecond }) => ({ model, usd_per_second: usdPerSecond })),
    effects: actsOf(plan).map(({ key, run }) => ({ key, run })),
    totals: totalsJson(totals),
    ...(final && { final: 'mistakes' in final ? { mistakes: final.mistakes } : { totals: totalsJson(final.totals) } }),
    ...(budget.length > 0 && { budget: heldAgainst(plan, budget).map(one => ({ ...one })) }),
    ...(retries && { retries: { ...retries } }),
    ...(bounds.length > 0 && { rates: bounds.map(one => ({ ...one })) }),
    ...(published && { published: { ...published } }),
    ...(team && { team: { name: team.name, models: team.models, ...(day && { day: { ...day } }) } }),
    critical_path: { keys: criticalPath.keys, seconds: criticalPath.seconds },
  };
}

const totalsJson = ({ openUsd, openUnpriced, ...totals }: Plan['totals']): JsonObject => ({
  ...totals,
  open_usd: openUsd,
  open_unpriced: openUnpriced,
});

/** A step with unknown instances. */
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
  const {
    key,
    step,
    coordinates,
    round,
    outer,
    needs,
    needsAll,
    decision,
    request: asked,
    fingerprint,
    facts,
  } = instance;
  return {
    key,
    step: calledAs(step.name),
    kind: step.kind,
    ...kindOf(step).json(step),
    coordinates,
    ...(round !== undefined && { round }),
    ...(outer && { inside: outer.key }),
    decision: shownAs(decision),
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

interface Act {
  /** Or the name of a step with unknown instances. */
  readonly key: InstanceKey | string;
  readonly isOpen: boolean;
  /** The command as far as it is known: its arguments, or its script. */
  readonly run: Json;
}

/** Only what is still to be done. */
export function actsOf({ instances, open, pipeline }: Plan): readonly Act[] {
  const acts: Act[] = [];
  for (const { key, step, decision, request } of instances)
    if (actsOutside(step) && isToBeMade(decision)) acts.push({ key, isOpen: false, run: request?.run ?? null });
  for (const { step: name } of open.filter(isPart)) {
    const step = pipeline.steps.find(one => one.name === name);
    if (step && actsOutside(step)) acts.push({ key: name, isOpen: true, run: null });
  }
  return acts;
}
