/**
 * `pick`: some of several results go on. A choice that is known needs what it chose and nothing else; until then all candidates are
 * waited for, and the rule, the judge or a person decides.
 */

import { evaluate } from '../../language/types/evaluate.ts';
import type { ExpressionValue, PickStep, Scope } from '../../model/pipeline.ts';
import { type Asking, type Choice, deciderName, type Score } from '../../model/run/choice.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import { NOT_MADE } from '../../model/run/promotion.ts';
import type { ApprovedResult, PickedResult, Result } from '../../model/run/result.ts';
import {
  allSkipped,
  askedDigest,
  type Candidate,
  candidatesOf,
  digestOfWords,
  judgeKey,
  liveIn,
  missingIn,
  noteRead,
  optionOf,
  scoresIn,
} from '../graph/gathered-candidates.ts';
import type { Inputs } from '../obstacles.ts';
import { contentDigest } from '../owned/instance-fingerprint.ts';
import type { ChosenByName, ResolveContext } from '../plan-context.ts';
import { messages } from '../plan-messages.ts';
import {
  failed,
  invalid,
  type Pending,
  pendingOn,
  type ResolvedDecision,
  type Skipped,
  stoppedBy,
  type Unready,
  type Waiting,
  waitingFor,
} from '../values/resolved.ts';
import { memberValue } from '../values/result-kinds.ts';
import { readsOf } from '../values/value-reads.ts';
import { FREE_WORK, type KindOfStep, type Unresolved } from './kind.ts';

export const pick: KindOfStep<'pick'> = {
  ...FREE_WORK,
  choosesReads: () => true,
  isDecided: true,
  isGathered: true,
  decides: 'pick',
  label: () => 'pick',
  calledInText: ({ count }) => (count === 1 ? 'pick' : `pick ${count}`),
  json: ({ count, rule, judge }) => ({
    pick: { count, by: rule ? 'rule' : judge === undefined ? 'person' : 'judge', ...(rule && { rule: rule.code }) },
  }),
  values: ({ from, rule }) => [...(from ? [from] : []), ...(rule ? [rule] : [])],
  resolve: resolvePick,
  changedSince: (_last, { decider }) => decider,
};

/** A pick of which the candidates are known, those that were skipped aside. */
interface Picking extends Unresolved<'pick'> {
  readonly live: readonly Candidate[];
  readonly keys: readonly InstanceKey[];
  /** Undefined while a candidate is not known well enough to be asked about. */
  readonly asking: Asking | undefined;
}

function resolvePick(unresolved: Unresolved<'pick'>, context: ResolveContext): Unready | ResolvedDecision {
  const { step, values } = unresolved;
  const found = candidatesOf(step.from, unresolved);
  if (found.is === 'wrong') return failed('expression_failed', found.message);
  if (found.is === 'waiting') {
    noteRead(found, values.used);
    return waitingFor(unresolved, missingIn(found), shownOf([]), { why: deciderLater(step) });
  }
  const live = liveIn(found.all);
  if (live.length === 0) return allSkipped(found.all);
  const picking = { ...unresolved, live, keys: keysOf(live), asking: askingOf(unresolved, live, context) };
  const chosen = chosenBefore(picking, context);
  if (chosen) return chosen;
  noteRead(found, values.used);
  return toBeChosen(picking, missingIn(found));
}

/** What was chosen before, or is chosen by name. */
function chosenBefore(picking: Picking, context: ResolveContext): Pending | ResolvedDecision | undefined {
  const { step, live, keys, asking } = picking;
  const known = (choice: Choice, chosen: readonly Candidate[]) =>
    ({ is: 'known', choice, result: pickedOf(step, choice, chosen) }) as const;
  const choice = asking && context.choices?.find(asking);
  if (asking && choice) {
    const gives = choice.chosen.flatMap(one => keys[asking.from.indexOf(one)] ?? []);
    const why = messages.chosenBy(choice.by, deciderName(choice), gives.join(', '));
    return settled(picking, gives, why, chosen => ({ asking, state: known(choice, chosen) }), choice);
  }
  const named = namedAmong(picking, live, context);
  if (!named) return undefined;
  return settled(picking, named.chosen, whyNamed(named), chosen => {
    const full = asking ?? withUnmade(picking, live);
    const wanted = choiceByName(full, named);
    const kept = context.choices?.find(full);
    const isKept = kept?.chosen.join() === wanted.chosen.join();
    return { asking: full, state: isKept ? known(kept, chosen) : { is: 'decided', choice: wanted } };
  });
}

/** It needs what was chosen, and does without the rest. */
function settled(
  picking: Picking,
  gives: readonly InstanceKey[],
  why: string,
  by: (chosen: readonly Candidate[]) => Pick<Deciding, 'asking' | 'state'>,
  decided?: Choice,
): Pending | ResolvedDecision {
  const { slot, values, live, keys } = picking;
  const chosen = gives.flatMap(key => live.find(one => one.key === key) ?? []);
  for (const { key } of chosen) values.used.addInstance(key);
  const lost = keys.filter(key => !gives.includes(key));
  const without = lost.length > 0 && { excludes: { instances: lost, why: messages.lostPick(slot.key) } };
  const missing = missingIn({ is: 'known', all: chosen });
  const shown = shownOf(gives);
  if (missing.length > 0)
    return waitingFor(picking, missing, shown, { why, gives, ...without, ...(decided && { decided }) });
  return decision(picking, { ...by(chosen), shown, decider: why, ...without });
}

/** @param missing candidates that are not there yet. */
function toBeChosen(picking: Picking, missing: readonly Waiting[]): Unready | ResolvedDecision {
  const { slot, step, inputs, values, live, keys, asking } = picking;
  const who = deciderOf(step, live.length);
  const shown = shownOf(keys);
  const wait = (on: readonly Waiting[], more: Pick<Pending, 'question'> = {}) =>
    waitingFor(picking, on, shown, { why: who, gives: keys, ...more });
  if (missing.length > 0) {
    const isAsked = asking?.by === 'person' && live.length > step.count;
    const question = isAsked && { question: { asking, ...questionOf(slot.key, step, asking, live) } };
    return wait(missing, { ...question });
  }
  // Whatever is there is known.
  if (!asking) throw new Error(`${slot.key} has a candidate that nothing is known of`);
  const decided = (by: Choice['by'], name: string, scores?: readonly Score[]) =>
    decision(picking, {
      ...{ asking, shown },
      decider: by === 'only' ? messages.onlyOne(keys.join(', ')) : who,
      state: { is: 'decided', choice: chosenBy(asking, step.count, by, name, scores) },
    });
  if (live.length <= step.count) return decided('only', 'only');
  if (step.rule) {
    const waiting = waitingForRule(step.rule, inputs);
    if (waiting.length > 0) return wait(waiting);
    const scores = ruleScores(step.rule, live, values.scope);
    return 'message' in scores
      ? invalid('expression_failed', [{ message: scores.message, at: step.rule.at }])
      : decided('rule', step.rule.code, scores.scores);
  }
  if (step.judge !== undefined) {
    const judge = judgeKey(slot.key);
    values.used.addInstance(judge);
    const answer = picking.lookup(judge);
    if (answer === undefined) return wait([{ is: 'waiting', on: judge, name: judge }]);
    const scores = scoresIn(answer, keys);
    return 'message' in scores
      ? failed('answer_invalid', scores.message)
      : decided('judge', modelOfJudge(picking), scores.scores);
  }
  return stoppedBy(values) ?? decision(picking, { asking, shown, decider: who, state: { is: 'open' } });
}

/** Why its judge is asked nothing: there is nothing to choose, or it is chosen. */
export function needlessToJudge(unresolved: Unresolved<'pick'>, context: ResolveContext): Skipped | undefined {
  const { slot, step } = unresolved;
  const found = candidatesOf(step.from, unresolved);
  if (found.is !== 'known') return undefined;
  const live = liveIn(found.all);
  if (live.length === 0) return allSkipped(found.all);
  const asking = askingOf(unresolved, live, context);
  if ((asking && context.choices?.find(asking)) || namedAmong(unresolved, live, context))
    return { is: 'skip', why: messages.alreadyChosen(slot.key) };
  return live.length <= step.count ? { is: 'skip', why: messages.nothingToJudge(slot.key) } : undefined;
}

const keysOf = (candidates: readonly Candidate[]): readonly InstanceKey[] => candidates.map(({ key }) => key);
const shownOf = (keys: readonly InstanceKey[]) => ({ from: [...keys] });

/** Undefined while a candidate is not known well enough to be asked about. */
function askingOf(
  unresolved: Unresolved<'pick'>,
  live: readonly Candidate[],
  context: ResolveContext,
): Asking | undefined {
  const { slot, step, graph, values, inputs, fingerprintOf } = unresolved;
  const from = live.map(({ key }) => fingerprintOf(key));
  if (from.some(one => one === undefined)) return undefined;
  const asked = askedDigest(step, { graph, values, inputs, localMedia: context.localMedia });
  return {
    is: 'pick',
    key: slot.key,
    from: from.filter(one => one !== undefined),
    called: keysOf(live),
    count: step.count,
    by: step.rule ? 'rule' : step.judge === undefined ? 'person' : 'judge',
    ...(asked !== undefined && { asked }),
  };
}

function namedAmong(
  { slot, step, fingerprintOf }: Unresolved<'pick'>,
  live: readonly Candidate[],
  { choices }: ResolveContext,
): ChosenByName | undefined {
  // One alone is taken without asking.
  if (!choices?.byName || live.length <= step.count) return undefined;
  const candidates = live.map(({ key, matrix }) => ({ key, matrix, fingerprint: fingerprintOf(key) }));
  return choices.byName(slot.key, candidates, step.count);
}

/** What lost is not made here, so what it would have asked for may never be known. */
function withUnmade({ slot, step, fingerprintOf }: Unresolved<'pick'>, live: readonly Candidate[]): Asking {
  const from = live.map(({ key }) => fingerprintOf(key) ?? NOT_MADE);
  return { is: 'pick', key: slot.key, from, called: keysOf(live), count: step.count, by: 'person' };
}

function whyNamed(named: ChosenByName): string {
  const { chosen, by, from } = named;
  const [keys, who] = [chosen.join(', '), deciderName(named)];
  return by === 'promoted' ? messages.promoted(keys, from, who) : messages.chosenBy(by, who, keys);
}

/** A rule and a judge have had their say where it was picked. */
const choiceByName = (
  { key, from, called }: Asking,
  { chosen, by, who, login, note }: ChosenByName,
): Omit<Choice, 'at'> => ({
  ...{ key, from, called, by, who, ...(login !== undefined && { login }) },
  chosen: chosen.flatMap(one => from[called.indexOf(one)] ?? []),
  ...(note !== undefined && { note }),
});

function deciderOf({ rule, judge }: PickStep, count: number): string {
  if (rule) return messages.byRule(count);
  return judge === undefined ? messages.byPerson(count) : messages.byJudge('its judge', count);
}

/** While the candidates are not known. */
const deciderLater = ({ rule, judge }: PickStep): string =>
  messages.byLater(rule ? 'its rule' : judge === undefined ? 'a person' : 'its judge');

function modelOfJudge({ graph, step }: Unresolved<'pick'>): string {
  const judge = graph.pipeline.steps.find(({ name }) => name === step.judge);
  return judge && 'pick' in judge ? judge.model : '';
}

/** The highest first; of equals the one that comes first. */
function chosenBy(
  asking: Asking,
  count: number,
  by: Choice['by'],
  who: string,
  scores: readonly Score[] | undefined,
): Omit<Choice, 'at'> {
  const places = asking.from.map((_, at) => at);
  if (scores) places.sort((a, b) => (scores[b]?.score ?? 0) - (scores[a]?.score ?? 0) || a - b);
  return {
    ...{ key: asking.key, from: asking.from, called: asking.called },
    chosen: places.slice(0, count).flatMap(at => asking.from[at] ?? []),
    ...{ by, who },
    ...(scores && { scores }),
    ...(asking.asked !== undefined && by !== 'only' && { asked: asking.asked }),
  };
}

function pickedOf({ isList }: PickStep, choice: Choice, chosen: readonly Candidate[]): PickedResult {
  const made = chosen.flatMap(({ key, result, matrix }) =>
    result === undefined || !isCandidate(result) ? [] : [{ key, result, matrix }],
  );
  return { is: 'picked', choice, chosen: made, isList };
}

const isCandidate = (result: Result | 'skipped'): result is PickedResult['chosen'][number]['result'] =>
  result !== 'skipped' && result.is !== 'approved';

const questionOf = (key: InstanceKey, { count }: PickStep, { from }: Asking, live: readonly Candidate[]) => ({
  ask: messages.whichOf(key, count),
  options: live.flatMap((one, at) => optionOf(one, from[at] ?? '')),
});

type Deciding = Pick<ResolvedDecision, 'asking' | 'shown' | 'decider' | 'state' | 'excludes'>;

function decision(
  { slot, step, inputs, live }: Picking,
  { asking, shown, decider, state, excludes }: Deciding,
): ResolvedDecision {
  return {
    is: 'decision',
    ...{ asking, decider, state, shown },
    ...questionOf(slot.key, step, asking, live),
    resultOf: choice =>
      pickedOf(
        step,
        choice,
        choice.chosen.flatMap(one => live[asking.from.indexOf(one)] ?? []),
      ),
    ...(excludes && { excludes }),
    asks: { fields: {}, known: inputs.known },
    fingerprint: '',
    authorFiles: [],
  };
}

/** Results beside the candidates that it reads, and that are not there. */
function waitingForRule(rule: ExpressionValue, { steps, each }: Inputs): readonly Waiting[] {
  const reads = readsOf(rule);
  const inputs = [...reads.steps].map(name => steps.get(name));
  if (reads.each) inputs.push(each);
  return inputs.flatMap(input => (input?.is === 'waiting' ? [input] : []));
}

/** In the order of the candidates, all of which are there. */
function ruleScores(
  rule: ExpressionValue,
  candidates: readonly Candidate[],
  scope: Scope,
): { readonly scores: readonly Score[] } | { readonly message: string } {
  const scores: Score[] = [];
  for (const { key, result, matrix } of candidates) {
    if (result === undefined || result === 'skipped') continue;
    const answer = evaluate(rule, { ...scope, candidate: memberValue(result, matrix) });
    if (answer.is === 'error') return { message: `${key}: ${answer.message}` };
    if (typeof answer.value !== 'number') return { message: messages.ruleNotANumber(key, answer.value) };
    scores.push({ score: answer.value });
  }
  return { scores };
}

// `approve`: a person accepts or rejects content that is there. Other content is a new question.

export const approve: KindOfStep<'approve'> = {
  ...FREE_WORK,
  choosesReads: () => true,
  isDecided: true,
  isGathered: true,
  mayRefuse: true,
  decides: 'approve',
  label: () => 'approve',
  calledInText: () => 'approve',
  values: ({ from, ask }) => [from, ...(ask ? [ask] : [])],
  resolve: resolveApproval,
  changedSince: () => messages.toApprove(),
};

function resolveApproval(unresolved: Unresolved<'approve'>, context: ResolveContext): Unready | ResolvedDecision {
  const { slot, step, inputs, values } = unresolved;
  const found = candidatesOf(step.from, unresolved);
  if (found.is === 'wrong') return failed('expression_failed', found.message);
  const ask = step.ask ? values.evaluate(step.ask) : undefined;
  const stopped = stoppedBy(values);
  if (stopped) return stopped;
  noteRead(found, values.used);
  const all = found.is === 'known' ? found.all : [];
  const called = all.map(({ key }) => key);
  const shown = { from: called, ...(step.ask && { ask: values.evaluate(step.ask, 'shown') }) };
  const asks = { fields: {}, known: inputs.known };
  const waits = pendingOn(inputs, values, missingIn(found));
  if (waits) return { ...waits, why: messages.toApprove(), request: shown, shown, asks, media: [] };
  const live = liveIn(all);
  if (live.length === 0) return allSkipped(all);
  const from = live.map(({ result }) => contentDigest(result as Exclude<typeof result, undefined | 'skipped'>));
  const words = typeof ask === 'string' ? ask : messages.approveWhat(live.map(({ key }) => key).join(', '));
  const asking: Asking = {
    ...{ is: 'approve', key: slot.key, from, called: live.map(({ key }) => key), count: from.length, by: 'person' },
    asked: digestOfWords(typeof ask === 'string' ? ask : ''),
  };
  const choice = context.choices?.find(asking);
  return {
    is: 'decision',
    asking,
    ask: words,
    decider: choice ? messages.approvedBy(choice.chosen.length > 0, deciderName(choice)) : messages.toApprove(),
    options: live.flatMap((one, at) => optionOf(one, from[at] ?? '')),
    state: choice ? { is: 'known', choice, result: approvedOf(choice) } : { is: 'open' },
    resultOf: approvedOf,
    ...{ shown, asks, fingerprint: '', authorFiles: [] },
  };
}

const approvedOf = (choice: Choice): ApprovedResult => ({
  is: 'approved',
  approved: choice.chosen.length > 0,
  choice,
});
