/** A plan grows while it is carried out: steps with lists from other steps get their instances as soon as those lists are there. */

import { position } from '../../language/yaml/excerpt.ts';
import type { Decision, Instance, Plan } from '../../model/plan.ts';
import { isDrawnAgain, isPart } from '../../model/plan.ts';
import type { PlannedInstance, SumOfRequests } from '../../model/run/event.ts';
import type { Failure } from '../../model/run/failure.ts';
import type { InstanceKey, StepName } from '../../model/run/key.ts';
import { isStored } from '../../model/run/result.ts';
import { withRequest } from '../../model/run/run-money.ts';
import { expand, type FailedExpansion, grow } from '../../plan/graph/expand.ts';
import type { Slot } from '../../plan/graph/plan-graph.ts';
import { askOfRound, conditionText } from '../../plan/graph/round-answers.ts';
import { otherRounds, roundsAround } from '../../plan/graph/round-order.ts';
import { actsOutside, labelOf } from '../../plan/kinds/index.ts';
import { keptGrowth } from '../../plan/owned/keep-plan.ts';
import { adoptedMissing, adoptionOf } from '../../plan/owned/owned-result.ts';
import { inputsOf } from '../../plan/values/read-inputs.ts';
import type { Reads } from '../../plan/values/value-reads.ts';
import type { OutputPlacing } from '../outputs/place-outputs.ts';
import type { RunCore } from './run-core.ts';
import type { RunServices } from './run-services.ts';

/** What is owned among the new instances is known at once; it may be what the next open step waits for. */
export function expandOpenSteps(services: RunServices, placing: OutputPlacing): void {
  const { run, deployments, questions } = services;
  for (let steps = run.state.takeExpandable(); steps.length > 0; steps = run.state.takeExpandable()) {
    for (const step of steps) {
      if (!run.state.instances.isOpen(step)) continue;
      const { expansions, failures } = expand(run.plan, step, run.state.lookup, run.planContext);
      for (const expansion of expansions) {
        grow(run.plan, expansion);
        placing.add(expansion.outputs);
        deployments.add(expansion.instances);
        for (const instance of expansion.instances) questions.add(instance);
        const instances = expansion.instances.map(instance => plannedInstance(instance, run.plan));
        const grown = { [Symbol.iterator]: () => keptGrowth(expansion, run.planContext)[Symbol.iterator]() };
        run.recorder.record({ type: 'expanded', step: expansion.step, instances }, grown);
        for (const instance of expansion.instances) settleIfKnown(instance, services);
      }
      for (const failed of failures) run.recorder.fail(failed.step as string as InstanceKey, failureOf(failed));
    }
  }
}

/** With the places in the file: it may be one of many lists that is wrong. */
function failureOf({ diagnostics }: FailedExpansion): Failure {
  const words = diagnostics.map(({ message, source, span }) => {
    const { line, column } = position(source, span.start);
    return `${message} (${source.path}:${line}:${column})`;
  });
  return { code: 'expression_failed', message: words.join('; ') };
}

/** An instance that the plan found to be owned, or to be no part of the run: it settles without ever starting. */
export function settleIfKnown({ key, decision, fingerprint = '' }: Instance, { run, addresses }: RunServices): void {
  if (decision.is === 'left_out' && run.state.isWaiting(key))
    run.recorder.emit({ type: 'left_out', key, why: decision.why });
  if (decision.is !== 'hit') return;
  const adoption = adoptionOf(key, run.planContext);
  if (adoption && !adoption.isHere) {
    run.recorder.fail(key, { code: 'input_changed', message: adoptedMissing(key, adoption) });
    return;
  }
  addresses.remember(decision.result);
  const reused = { type: 'reused', key, fingerprint, result: decision.result } as const;
  // What only a lock file knew is known to every film of the project from now on.
  if (!isStored(decision.result) || run.journal.views.owned.has(fingerprint)) run.recorder.emit(reused);
  else run.recorder.record(reused);
}

/** Steps with instances that stay unknown, because they are no part of the run. */
export function leaveOutOpenSteps({ run }: Pick<RunServices, 'run'>): void {
  for (const { step, leftOut } of run.plan.open) {
    const key = step as string as InstanceKey;
    if (leftOut !== undefined && run.state.isWaiting(key)) run.recorder.emit({ type: 'left_out', key, why: leftOut });
  }
}

/** Keys that stand for a whole step in the list of what an instance waits for. */
const SHOWN_OF_STEP = 20;

/** What a screen needs to draw an instance as waiting. */
export function plannedInstance(
  { key, step, needs, needsAll, price, decision }: Instance,
  { instances }: Plan,
): PlannedInstance {
  const whole = needsAll.flatMap(name =>
    instances
      .of(name)
      .slice(0, SHOWN_OF_STEP)
      .map(instance => instance.key),
  );
  const atService = atServiceBy(decision);
  return {
    ...{ key, model: labelOf(step), needs: whole.length ? [...needs, ...whole] : needs, price },
    ...(actsOutside(step) && { effect: true }),
    ...(atService && { at_service: atService }),
    ...(decision.is === 'sent' && { sent_usd: decision.sent.usd }),
  };
}

function atServiceBy(decision: Decision): PlannedInstance['at_service'] {
  if (decision.is === 'fetch') return decision.store === undefined ? 'made' : undefined;
  if (isDrawnAgain(decision)) return 'drawn_again';
  return decision.is === 'sent' ? decision.sent.is : undefined;
}

/** The most that each step with unknown instances can cost; see `run_started`. */
export function openPrices({ open }: Plan): {
  readonly open?: readonly { readonly step: StepName; readonly usd: number }[];
} {
  const priced = open.flatMap(one => (isPart(one) && one.usd ? [{ step: one.step, usd: one.usd }] : []));
  return priced.length > 0 ? { open: priced } : {};
}

/** What earlier runs sent, each request once: two instances may ask for the same. */
export function sentBefore({ instances }: Plan): {
  readonly paid?: SumOfRequests;
  readonly perhaps?: SumOfRequests;
} {
  const sums: { paid?: SumOfRequests; perhaps?: SumOfRequests } = {};
  const seen = new Set<string>();
  for (const { decision, fingerprint = '' } of instances) {
    if (decision.is !== 'sent' || seen.has(fingerprint)) continue;
    seen.add(fingerprint);
    const which = decision.sent.is === 'lost' ? 'perhaps' : 'paid';
    sums[which] = withRequest(sums[which], decision.sent.usd);
  }
  return sums;
}

/** Emits an event for each finished round of a step with `until`: whether it passes, its answer, and whether another follows. */
export function emitRoundEvents({ recorder, plan, state, planContext }: RunCore): void {
  recorder.onResult((instance, _, isNew) => {
    const { key, round, step } = instance;
    if (!isNew || round === undefined || !step.until) return;
    const taker = roundsAround(instance).at(-1)?.taken;
    const slot = taker === undefined ? undefined : plan.instances.get(taker);
    if (!slot) return;
    const inputsAt = (place: Slot, reads: Reads) => inputsOf(plan, place, reads, state.lookup);
    const asking = { graph: plan, slot, world: planContext, inputsAt };
    const answer = askOfRound(step.until.holds, key, asking);
    // A round without an answer is reported by the step that takes one of the rounds.
    if (answer.is !== 'known' || typeof answer.value !== 'boolean') return;
    const reason = conditionText(step.until.holds, key, asking);
    const of = otherRounds(plan, instance).length;
    recorder.emit({ type: 'round_over', key, round, of, holds: answer.value, said: reason });
  });
}
