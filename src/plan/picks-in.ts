/** The picks of a plan as they stand: what was chosen, by its coordinates, and what is open. */
import type { Choice } from '../domain/choice.ts';
import { type InstanceKey, type StepName, stepOf } from '../domain/key.ts';
import type { Instance, Plan } from '../domain/plan.ts';
import { type PromotedPick, rowOf } from '../domain/promotion.ts';
import { isPick } from './kinds/index.ts';
import { resultsIn } from './owned-result.ts';
import type { PlanContext } from './plan-context.ts';
import { resolve } from './resolve.ts';
import type { ResultLookup } from './step-inputs.ts';

export interface PicksIn {
  readonly decided: readonly PromotedPick[];
  /** Nobody has chosen, or there was nothing to choose from yet. A step stands for instances that are not known. */
  readonly open: readonly (InstanceKey | StepName)[];
}

export function picksIn(plan: Plan, context: PlanContext): PicksIn {
  const lookup = resultsIn(plan);
  const decided: PromotedPick[] = [];
  const open: (InstanceKey | StepName)[] = plan.pipeline.steps.flatMap(step =>
    isPick(step) && plan.instances.isOpen(step.name) ? [step.name] : [],
  );
  for (const instance of plan.instances) {
    if (!isPick(instance.step)) continue;
    const pick = pickAt(instance, plan, context, lookup);
    if (pick === 'open') open.push(instance.key);
    else if (pick) decided.push(pick);
  }
  return { decided, open };
}

/** Undefined where there is nothing to choose: it is off, or has one candidate. */
function pickAt(
  instance: Instance,
  plan: Plan,
  context: PlanContext,
  lookup: ResultLookup,
): PromotedPick | 'open' | undefined {
  const resolved = resolve(plan, instance, lookup, context);
  const pick = (
    { by, who, login, note }: Pick<Choice, 'by' | 'who' | 'login' | 'note'>,
    chosen: readonly InstanceKey[],
    all: readonly InstanceKey[],
  ): PromotedPick => ({
    ...{ key: instance.key, chosen, who: by === 'rule' || by === 'judge' ? by : who },
    ...(login !== undefined && { login }),
    among: Object.fromEntries(all.map(key => [key, rowOf(plan.instances.get(key)?.matrix ?? {})])),
    ...(note !== undefined && { note }),
  });
  switch (resolved.is) {
    case 'skip':
      return undefined;
    case 'decision': {
      const { state, asking } = resolved;
      if (state.is === 'open') return 'open';
      const { choice } = state;
      if (choice.by === 'only') return undefined;
      return pick(
        choice,
        choice.chosen.flatMap(one => asking.called[asking.from.indexOf(one)] ?? []),
        asking.called,
      );
    }
    case 'pending': {
      const { decided, gives = [], forgoes } = resolved;
      return decided ? pick(decided, gives, [...gives, ...(forgoes?.instances ?? [])]) : 'open';
    }
    default:
      return 'open';
  }
}

/** What becomes of a promoted pick in the plan that it is promoted to. */
export type Carried =
  /** What was chosen there is made here, and nothing else of what it was chosen from. */
  | 'carried'
  /** It is chosen here already, and otherwise. */
  | 'kept'
  /** What it is chosen from is another. */
  | 'asked'
  /** It is told when the run gets there. */
  | 'later'
  | 'gone';

export function carriedIn(plan: Plan, context: PlanContext, { key, chosen }: PromotedPick): Carried {
  const instance = plan.instances.get(key);
  if (!instance) return plan.open.some(({ step }) => step === stepOf(key)) ? 'later' : 'gone';
  const resolved = resolve(plan, instance, resultsIn(plan), context);
  const isSame = (keys: readonly InstanceKey[]) => keys.join('\n') === chosen.join('\n');
  switch (resolved.is) {
    case 'skip':
      return 'gone';
    case 'pending':
      if (resolved.forgoes && resolved.gives && isSame(resolved.gives)) return 'carried';
      return resolved.decided ? 'kept' : 'asked';
    case 'decision': {
      const { state, asking } = resolved;
      if (state.is === 'open') return 'asked';
      const keys = state.choice.chosen.flatMap(one => asking.called[asking.from.indexOf(one)] ?? []);
      if (isSame(keys)) return 'carried';
      return state.is === 'known' ? 'kept' : 'asked';
    }
    default:
      return 'asked';
  }
}
