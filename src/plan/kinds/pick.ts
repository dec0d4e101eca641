/**
 * `pick`: some of several results go on. A choice that is known needs what it chose and nothing else; until then all candidates are
 * waited for, and the rule, the judge or a person decides.
 */
import { type Asking, type Choice, deciderName, type Score } from '../../domain/choice.ts';
import type { InstanceKey } from '../../domain/key.ts';
import type { PickStep } from '../../domain/pipeline.ts';
import { NOT_MADE } from '../../domain/promotion.ts';
import type { PickedResult, Result } from '../../domain/result.ts';
import { type Candidate, candidatesOf } from '../candidates.ts';
import { askedDigest, optionOf } from '../choice-asked.ts';
import { judgeKey, scoresIn } from '../judge-scores.ts';
import type { ChosenByName, ResolveContext } from '../plan-context.ts';
import { messages } from '../plan-messages.ts';
import { FREE } from '../request-price.ts';
import {
  type Forgoes,
  type Pending,
  pendingOn,
  type ResolvedDecision,
  type Skipped,
  stoppedBy,
  type Unready,
  type Waiting,
} from '../resolved.ts';
import { ruleScores, waitingForRule } from '../rule-scores.ts';
import type { KindOfStep, Unresolved } from './kind.ts';

export const pick: KindOfStep<'pick'> = {
  isPaid: false,
  isKeptByService: false,
  staysHere: false,
  choosesReads: () => true,
  isDecided: true,
  isGathered: true,
  actsOutside: () => false,
  decides: 'pick',
  label: () => 'pick',
  calledInText: ({ count }) => (count === 1 ? 'pick' : `pick ${count}`),
  model: () => undefined,
  json: ({ count, rule, judge }) => ({
    pick: { count, by: rule ? 'rule' : judge === undefined ? 'person' : 'judge', ...(rule && { rule: rule.code }) },
  }),
  values: ({ from, rule }) => [...(from ? [from] : []), ...(rule ? [rule] : [])],
  fields: () => [],
  sent: () => undefined,
  resolve: resolvePick,
  expectedFacts: () => undefined,
  problemsExpected: () => [],
  price: () => FREE,
  usualSeconds: () => 0,
  changedSince: () => messages.byPersonLater(),
};

function resolvePick(unresolved: Unresolved<'pick'>, context: ResolveContext): Unready | ResolvedDecision {
  const { slot, step, inputs, values } = unresolved;
  const found = candidatesOf(step.from, unresolved);
  if (found.is === 'wrong')
    return { is: 'invalid', failure: { code: 'expression_failed', message: found.message }, problems: [] };
  const asks = { fields: {}, known: inputs.known };
  const pendingFor = (
    others: readonly Waiting[],
    gives: readonly InstanceKey[],
    why: string,
    { forgoes, decided }: Pick<Pending, 'forgoes' | 'decided'> = {},
  ) => {
    const waits = pendingOn(inputs, values, others);
    if (!waits) throw new Error(`${slot.key} waits for nothing`);
    const told = { request: shownOf(gives), shown: shownOf(gives), asks, media: [] };
    return {
      ...waits,
      why,
      ...told,
      ...(gives.length > 0 && { gives }),
      ...(forgoes && { forgoes }),
      ...(decided && { decided }),
    };
  };
  if (found.is === 'waiting') {
    for (const name of found.steps) values.used.addStep(name);
    return pendingFor(found.steps.map(wholeOf), [], messages.byPersonLater());
  }
  const live = found.all.filter(({ result }) => result !== 'skipped');
  const [skipped] = found.all;
  if (live.length === 0)
    return { is: 'skip', why: messages.allCandidatesSkipped(), ...(skipped && { by: skipped.key }) };
  const keys = live.map(({ key }) => key);
  const asking = askingOf(unresolved, live, context);
  const choice = asking && context.choices?.find(asking);
  if (asking && choice) {
    const chosen = choice.chosen.flatMap(one => live[asking.from.indexOf(one)] ?? []);
    for (const { key } of chosen) values.used.addInstance(key);
    const lost = keys.filter(key => !chosen.some(one => one.key === key));
    const forgoes = lost.length > 0 ? { instances: lost, why: messages.lostPick(slot.key) } : undefined;
    const why = messages.chosenBy(choice.by, deciderName(choice), chosen.map(({ key }) => key).join(', '));
    const missing = chosen.filter(({ result }) => result === undefined);
    if (missing.length > 0)
      return pendingFor(missing.map(waitingFor), keysOf(chosen), why, { ...(forgoes && { forgoes }), decided: choice });
    const result = pickedOf(step, choice, chosen);
    const shown = shownOf(keysOf(chosen));
    return decision(unresolved, { asking, live, shown, decider: why, state: { is: 'known', choice, result }, forgoes });
  }
  const named = namedAmong(unresolved, live, context);
  if (named) {
    const chosen = named.chosen.flatMap(key => live.find(one => one.key === key) ?? []);
    for (const { key } of chosen) values.used.addInstance(key);
    const lost = keys.filter(key => !named.chosen.includes(key));
    const forgoes = lost.length > 0 ? { instances: lost, why: messages.lostPick(slot.key) } : undefined;
    const why = whyNamed(named);
    const missing = chosen.filter(({ result }) => result === undefined);
    if (missing.length > 0) return pendingFor(missing.map(waitingFor), named.chosen, why, forgoes ? { forgoes } : {});
    const full = asking ?? withUnmade(unresolved, live);
    const choice = choiceByName(full, named);
    const kept = context.choices?.find(full);
    const state: ResolvedDecision['state'] =
      kept?.chosen.join() === choice.chosen.join()
        ? { is: 'known', choice: kept, result: pickedOf(step, kept, chosen) }
        : { is: 'decided', choice };
    return decision(unresolved, { asking: full, live, shown: shownOf(named.chosen), decider: why, state, forgoes });
  }
  for (const key of keys) values.used.addInstance(key);
  const missing = live.filter(({ result }) => result === undefined);
  const who = deciderOf(step, live.length);
  if (missing.length > 0) {
    const isAsked = asking?.by === 'person' && live.length > step.count;
    const question = isAsked && { question: { asking, ...questionOf(slot.key, step, asking, live) } };
    return { ...pendingFor(missing.map(waitingFor), keys, who), ...question };
  }
  // Whatever is there is known.
  if (!asking) throw new Error(`${slot.key} has a candidate that nothing is known of`);
  const shown = shownOf(keys);
  const draft = (scores: readonly Score[] | undefined, by: Choice['by'], named: string, note?: string) =>
    decision(unresolved, {
      ...{ asking, live, shown },
      decider: by === 'only' ? messages.onlyOne(keys.join(', ')) : who,
      state: { is: 'decided', choice: chosenBy(asking, step.count, scores, by, named, note) },
    });
  if (live.length <= step.count) return draft(undefined, 'only', 'only');
  if (step.rule) {
    const waiting = waitingForRule(step.rule, inputs);
    if (waiting.length > 0) return pendingFor(waiting, keys, who);
    const scores = ruleScores(step.rule, live, values.scope);
    if ('problem' in scores) return invalidRule(scores.problem, step);
    return draft(scores.scores, 'rule', step.rule.code);
  }
  if (step.judge !== undefined) {
    const judge = judgeKey(slot.key);
    values.used.addInstance(judge);
    const said = unresolved.lookup(judge);
    if (said === undefined) return pendingFor([{ is: 'waiting', on: judge, name: judge }], keys, who);
    const scores = scoresIn(said, keys);
    if ('message' in scores)
      return { is: 'invalid', failure: { code: 'answer_invalid', message: scores.message }, problems: [] };
    return draft(scores.scores, 'judge', modelOfJudge(unresolved));
  }
  const stopped = stoppedBy(values);
  if (stopped) return stopped;
  return decision(unresolved, { asking, live, shown, decider: who, state: { is: 'open' } });
}

/** Why its judge is asked nothing: there is nothing to choose, or it is chosen. */
export function needlessToJudge(unresolved: Unresolved<'pick'>, context: ResolveContext): Skipped | undefined {
  const { slot, step } = unresolved;
  const found = candidatesOf(step.from, unresolved);
  if (found.is !== 'known') return undefined;
  const live = found.all.filter(({ result }) => result !== 'skipped');
  const [skipped] = found.all;
  if (live.length === 0)
    return { is: 'skip', why: messages.allCandidatesSkipped(), ...(skipped && { by: skipped.key }) };
  const asking = askingOf(unresolved, live, context);
  if ((asking && context.choices?.find(asking)) || namedAmong(unresolved, live, context))
    return { is: 'skip', why: messages.alreadyChosen(slot.key) };
  return live.length <= step.count ? { is: 'skip', why: messages.nothingToJudge(slot.key) } : undefined;
}

const invalidRule = (problem: { readonly message: string }, step: PickStep): Unready => ({
  is: 'invalid',
  failure: { code: 'expression_failed', message: problem.message },
  problems: [{ message: problem.message, at: step.rule?.at ?? step.at }],
});

const keysOf = (candidates: readonly Candidate[]): readonly InstanceKey[] => candidates.map(({ key }) => key);
const shownOf = (keys: readonly InstanceKey[]) => ({ from: [...keys] });
const wholeOf = (name: Extract<Waiting['whole'], string>): Waiting => ({ is: 'waiting', on: name, name, whole: name });
const waitingFor = ({ key }: Candidate): Waiting => ({ is: 'waiting', on: key, name: key });

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

/** What lost is not made here, so nobody may ever know what it would have asked for. */
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

function modelOfJudge({ graph, step }: Unresolved<'pick'>): string {
  const judge = graph.pipeline.steps.find(({ name }) => name === step.judge);
  return judge && 'pick' in judge ? judge.model : '';
}

/** The highest first; of equals the one that comes first. */
function chosenBy(
  asking: Asking,
  count: number,
  scores: readonly Score[] | undefined,
  by: Choice['by'],
  who: string,
  note: string | undefined,
): Omit<Choice, 'at'> {
  const places = asking.from.map((_, at) => at);
  if (scores) places.sort((a, b) => (scores[b]?.score ?? 0) - (scores[a]?.score ?? 0) || a - b);
  return {
    ...{ key: asking.key, from: asking.from, called: asking.called },
    chosen: places.slice(0, count).flatMap(at => asking.from[at] ?? []),
    ...{ by, who },
    ...(note !== undefined && { note }),
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

interface Deciding {
  readonly asking: Asking;
  readonly live: readonly Candidate[];
  readonly shown: ReturnType<typeof shownOf>;
  readonly decider: string;
  readonly state: ResolvedDecision['state'];
  readonly forgoes?: Forgoes | undefined;
}

function decision(
  { slot, step, inputs }: Unresolved<'pick'>,
  { asking, live, shown, decider, state, forgoes }: Deciding,
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
    ...(forgoes && { forgoes }),
    asks: { fields: {}, known: inputs.known },
    fingerprint: '',
    authorFiles: [],
  };
}
