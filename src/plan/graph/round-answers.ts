/** What `until` asks of a round that is made: whether it holds, how good it is; and what the round has come to. */

import { addUsd } from '../../model/money.ts';
import type { ExpressionValue } from '../../model/pipeline.ts';
import { groupInside, type InstanceKey, localName } from '../../model/run/key.ts';
import type { Json } from '../../model/text/json.ts';
import type { Inputs, ResultLookup } from '../obstacles.ts';
import type { PlanContext } from '../plan-context.ts';
import { messages } from '../plan-messages.ts';
import { PartialEvaluator } from '../values/partial-evaluation.ts';
import type { Waiting } from '../values/resolved.ts';
import { type Reads, readsOf } from '../values/value-reads.ts';
import { type PlanGraph, type Slot, stepsInside } from './plan-graph.ts';

type Answer =
  | { readonly is: 'known'; readonly value: Json }
  | { readonly is: 'waiting'; readonly on: readonly Waiting[] }
  | { readonly is: 'wrong'; readonly message: string };

interface Asking {
  readonly graph: PlanGraph;
  /** Of the step to which `until` belongs. */
  readonly slot: Slot;
  readonly inputsAt: (place: Slot, reads: Reads) => Inputs;
  readonly world: Pick<PlanContext, 'env' | 'run' | 'localMedia'>;
}

/** What an expression of `until` gives, where `this` is the result of that round. */
export function askOfRound(expression: ExpressionValue, round: InstanceKey, asking: Asking): Answer {
  const { graph, slot, inputsAt, world } = asking;
  const place = { ...slot, previous: round };
  const values = new PartialEvaluator(graph, place, inputsAt(place, readsOf(expression)), world);
  const value = values.evaluate(expression);
  const { waiting, skipped, incomplete } = values.obstacles;
  if (waiting.size > 0) return { is: 'waiting', on: [...waiting.values()] };
  const [problem] = [
    ...values.problems.map(({ message }) => message),
    ...[...skipped].map(messages.upstreamSkipped),
    ...incomplete,
  ];
  return problem === undefined ? { is: 'known', value } : { is: 'wrong', message: `${round}: ${problem}` };
}

/** What `until` asked about, with a round's answer: `this.json.score is 6`. */
export function conditionText(expression: ExpressionValue, round: InstanceKey, asking: Asking): string {
  const names = new Set(
    expression.reads.flatMap(({ root, path }) => (root === 'this' ? [['this', ...path].join('.')] : [])),
  );
  return [...names]
    .flatMap(code => {
      const answer = askOfRound({ ...expression, code, reads: readsNamed(expression, code) }, round, asking);
      return answer.is === 'known' && (typeof answer.value !== 'object' || answer.value === null)
        ? [messages.itIs(code, answer.value)]
        : [];
    })
    .join(', ');
}

const readsNamed = ({ reads }: ExpressionValue, code: string): ExpressionValue['reads'] =>
  reads.filter(({ root, path }) => [root, ...path].join('.') === code);

/**
 * US dollars of all that these rounds have made, as far as their costs are known. Rounds with the same request share one result, which was
 * paid for once.
 */
export function spentOnRounds(graph: PlanGraph, rounds: readonly Slot[], lookup: ResultLookup): number {
  const costs = new Map<string, number>();
  for (const { key, step } of rounds.flatMap(round => withAllInside(graph, round))) {
    const result = lookup(key);
    if (result === undefined || result === 'skipped' || !('cost' in result)) continue;
    // A result contains its request, or the id of its generation.
    costs.set(step.cache ? JSON.stringify(result) : key, result.cost ?? 0);
  }
  return [...costs.values()].reduce(addUsd, 0);
}

const withAllInside = (graph: PlanGraph, round: Slot): readonly Slot[] => [
  round,
  ...stepsInside(graph.pipeline, round.step.name)
    .flatMap(inner => graph.instances.of(groupInside(round.key, localName(inner.name))))
    .flatMap(inner => withAllInside(graph, inner)),
];
