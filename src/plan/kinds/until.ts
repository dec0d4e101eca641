/**
 * What a step with `until` is to all others: the first of its rounds that passes. The rounds are steps of their own, and are paid for and kept as
 * themselves; this decides which is taken, and fails where none passes and its author has no `otherwise`.
 */

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
  waitingFor,
} from '../values/resolved.ts';
import { FREE_WORK, type KindOfStep, type Unresolved } from './kind.ts';

export const until: KindOfStep<'until'> = {
  ...FREE_WORK,
  isGathered: true,
  choosesReads: () => true,
  label: () => 'until',
  calledInText: ({ holds }) => `until ${holds.code.trim()}`,
  isAllInText: true,
  json: ({ holds }) => ({ until: { holds: holds.code.trim() } }),
  // Of `this` and what is beside it: asked of each round.
  values: () => [],
  resolve: resolveUntil,
  changedSince: () => messages.gathered(),
};

interface MadeRound {
  readonly key: InstanceKey;
  readonly result: RoundResult['result'];
}

function resolveUntil(unresolved: Unresolved<'until'>, context: ResolveContext): Unready | ResolvedRound {
  const { graph, slot, step, lookup, values, inputsAt } = unresolved;
  const rounds = roundsOfSlot(graph, slot);
  const keys = rounds.map(({ key }) => key);
  const asking = { graph, slot, inputsAt, world: context };
  const wait = (on: readonly Waiting[], gives: readonly InstanceKey[]) =>
    waitingFor(unresolved, on, { rounds: [...gives] }, { why: messages.firstThatHolds(keys.length), gives });
  // Its rounds are not known yet: this is a sample.
  if (rounds.length === 0) {
    const name = step.rounds;
    values.used.addStep(name);
    return wait([{ is: 'waiting', on: name, name, whole: name }], [`${name} ×?` as InstanceKey]);
  }
  for (const key of keys) values.used.addInstance(key);
  const made: MadeRound[] = [];
  for (const key of keys) {
    const result = lookup(key);
    if (result === undefined) return wait([{ is: 'waiting', on: key, name: key }], keys.slice(made.length));
    if (result === 'skipped') break;
    if (result.is === 'picked' || result.is === 'approved' || result.is === 'round')
      throw new Error(`${key} cannot be made in rounds`);
    made.push({ key, result });
    const holds = askOfRound(step.holds, key, asking);
    if (holds.is === 'waiting') return wait(holds.on, [key]);
    if (holds.is === 'wrong') return fails('expression_failed', holds.message);
    if (typeof holds.value !== 'boolean') return fails('expression_failed', messages.holdsNotBoolean(key, holds.value));
    if (holds.value) return taken(unresolved, made, made.length);
  }
  const [first] = keys;
  if (made.length === 0 && first !== undefined) return { is: 'skip', why: messages.upstreamSkipped(first), by: first };
  if (step.otherwise === 'last') return taken(unresolved, made, made.length, 'otherwise');
  if (step.otherwise === undefined) {
    const usd = spentOnRounds(graph, rounds, lookup);
    const last = made.at(-1);
    const condition = last ? conditionText(step.holds, last.key, asking) : '';
    const cost = usd === 0 ? undefined : formatUsd(usd);
    return fails('until_not_held', messages.noRoundHolds(made.length, condition, cost));
  }
  const scores: number[] = [];
  for (const { key } of made) {
    const score = askOfRound(step.otherwise, key, asking);
    if (score.is === 'waiting') return wait(score.on, keys.slice(0, made.length));
    if (score.is === 'wrong') return fails('expression_failed', score.message);
    if (typeof score.value !== 'number')
      return fails('expression_failed', messages.otherwiseNotANumber(key, score.value));
    scores.push(score.value);
  }
  // Of equals the later one: it has heard more.
  return taken(unresolved, made, scores.lastIndexOf(Math.max(...scores)) + 1, 'otherwise');
}

function taken(
  { slot, inputs }: Unresolved<'until'>,
  made: readonly MadeRound[],
  round: number,
  how?: 'otherwise',
): ResolvedRound {
  const one = made[round - 1];
  if (!one) throw new Error(`${slot.key} has no round to take`);
  const why = how ? messages.takenOtherwise(round) : messages.roundHolds(round);
  const result: RoundResult = { is: 'round', key: one.key, round, ...(how && { otherwise: true }), result: one.result };
  const asks = { fields: {}, known: inputs.known };
  return { is: 'round', result, why, shown: { from: [one.key] }, asks, fingerprint: '', authorFiles: [] };
}

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
