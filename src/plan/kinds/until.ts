/**
 * What a step with `until` is to all others: the first of its rounds that passes. The rounds are steps of their own, and are paid for and kept as
 * themselves; this decides which is taken, and fails where none passes and its author has no `otherwise`.
 */

import type { UntilStep } from '../../model/pipeline.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import type { RoundResult } from '../../model/run/result.ts';
import { formatUsd } from '../../model/text/format.ts';
import { askOfRound, conditionText, spentOnRounds } from '../graph/round-answers.ts';
import { roundsOfSlot } from '../graph/round-order.ts';
import type { ResolveContext } from '../plan-context.ts';
import { messages } from '../plan-messages.ts';
import {
  failed,
  type Invalid,
  pendingOn,
  type ResolvedOutputs,
  type ResolvedRound,
  type Unready,
  type Waiting,
} from '../values/resolved.ts';
import { FREE_WORK, type KindOfStep, type Unresolved } from './kind.ts';

export const until: KindOfStep<'until'> = {
  ...FREE_WORK,
  isGathered: true,
  choosesReads: () => true,
  label: () => 'until',
  calledInText: ({ holds }) => `until ${holds.code.trim()}`,
  tellsAllInText: true,
  json: ({ holds }) => ({ until: { holds: holds.code.trim() } }),
  // Of `this` and what is beside it: asked of each round.
  values: () => [],
  resolve: resolveUntil,
  changedSince: () => messages.gathered(),
};

function resolveUntil(unresolved: Unresolved<'until'>, context: ResolveContext): Unready | ResolvedRound {
  const { graph, slot, step, lookup, inputs, values, inputsAt } = unresolved;
  const rounds = roundsOfSlot(graph, slot);
  const keys = rounds.map(({ key }) => key);
  const asking = { graph, slot, inputsAt, world: context };
  const asks = { fields: {}, known: inputs.known };
  const pendingFor = (others: readonly Waiting[], gives: readonly InstanceKey[]) => {
    const waits = pendingOn(inputs, values, others);
    if (!waits) throw new Error(`${slot.key} waits for nothing`);
    const shown = { rounds: [...gives] };
    return { ...waits, why: messages.firstThatHolds(keys.length), request: shown, shown, asks, media: [], gives };
  };
  // Its rounds are not known yet: this is a sample.
  if (rounds.length === 0) {
    const name = step.rounds;
    values.used.addStep(name);
    return pendingFor([{ is: 'waiting', on: name, name, whole: name }], [`${name} ×?` as InstanceKey]);
  }
  for (const key of keys) values.used.addInstance(key);
  const made: { readonly key: InstanceKey; readonly result: RoundResult['result'] }[] = [];
  for (const key of keys) {
    const result = lookup(key);
    if (result === undefined) return pendingFor([{ is: 'waiting', on: key, name: key }], keys.slice(made.length));
    if (result === 'skipped') break;
    if (result.is === 'picked' || result.is === 'approved' || result.is === 'round')
      throw new Error(`${key} cannot be made in rounds`);
    made.push({ key, result });
    const holds = askOfRound(step.holds, key, asking);
    if (holds.is === 'waiting') return pendingFor(holds.on, [key]);
    if (holds.is === 'wrong') return fails('expression_failed', holds.message);
    if (typeof holds.value !== 'boolean') return fails('expression_failed', messages.holdsNotBoolean(key, holds.value));
    if (holds.value) return settled(made.length, { is: 'round', key, round: made.length, result });
  }
  const [first] = keys;
  if (made.length === 0 && first !== undefined) return { is: 'skip', why: messages.upstreamSkipped(first), by: first };
  if (step.otherwise !== undefined) return otherwise(made, step.otherwise);
  const usd = spentOnRounds(graph, rounds, lookup);
  const last = made.at(-1);
  const said = last ? conditionText(step.holds, last.key, asking) : '';
  return fails('until_not_held', messages.noRoundHolds(made.length, said, usd === 0 ? undefined : formatUsd(usd)));

  function settled(round: number, result: RoundResult): ResolvedRound {
    const why = result.otherwise ? messages.takenOtherwise(round) : messages.roundHolds(round);
    return { is: 'round', result, why, shown: { from: [result.key] }, asks, fingerprint: '', authorFiles: [] };
  }

  function otherwise(all: typeof made, taken: Exclude<UntilStep['otherwise'], undefined>): Unready | ResolvedRound {
    const scores: number[] = [];
    if (taken !== 'last')
      for (const { key } of all) {
        const score = askOfRound(taken, key, asking);
        if (score.is === 'waiting') return pendingFor(score.on, keysOf(all));
        if (score.is === 'wrong') return fails('expression_failed', score.message);
        if (typeof score.value !== 'number')
          return fails('expression_failed', messages.otherwiseNotANumber(key, score.value));
        scores.push(score.value);
      }
    // Of equals the later one: it has heard more.
    const at = taken === 'last' ? all.length - 1 : scores.lastIndexOf(Math.max(...scores));
    const one = all[at];
    if (!one) throw new Error(`${slot.key} has no round to take`);
    return settled(at + 1, { is: 'round', key: one.key, round: at + 1, otherwise: true, result: one.result });
  }
}

const keysOf = (made: readonly { readonly key: InstanceKey }[]): readonly InstanceKey[] => made.map(({ key }) => key);

/** A fault of a result is no mistake of the file: a plan goes on with all that does not need it. */
const fails = (...why: Parameters<typeof failed>): Invalid => ({ ...failed(...why), byResult: true });

// `uses`: another file. Its steps are planned like any other; this gathers what they give, and costs nothing.

export const uses: KindOfStep<'uses'> = {
  ...FREE_WORK,
  isGathered: true,
  label: () => 'uses',
  calledInText: ({ file }) => `uses ${file.source.path}`,
  json: ({ file }) => ({ uses: file.source.path }),
  // What it is given is read by the steps inside, and each waits for no more than it reads.
  values: () => [],
  resolve: resolveOutputs,
  changedSince: () => messages.gathered(),
};

function resolveOutputs({ slot, step, inputs, values }: Unresolved<'uses'>): Unready | ResolvedOutputs {
  const { outputs = {}, waiting = [], incomplete } = inputs.gathered ?? {};
  if (incomplete !== undefined) return failed('expression_failed', incomplete);
  const shown = values.evaluateMap(step.with, 'shown');
  const asks = { fields: shown, known: inputs.known };
  const waits = pendingOn(inputs, values, waiting);
  if (waits) return { ...waits, request: shown, shown, asks, media: [] };
  if (step.outputs.length > 0 && Object.keys(outputs).length === 0)
    return { is: 'skip', why: messages.allInsideSkipped(slot.key) };
  return { is: 'outputs', result: { is: 'outputs', outputs }, shown, asks, fingerprint: '', authorFiles: [] };
}
