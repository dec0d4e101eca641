/** `approve`: a person says yes or no to content that is there. Other content is a new question. */
import { type Asking, type Choice, deciderName } from '../../domain/choice.ts';
import type { ApprovedResult } from '../../domain/result.ts';
import { candidatesOf } from '../candidates.ts';
import { digestOfWords, optionOf } from '../choice-asked.ts';
import { contentDigest } from '../instance-fingerprint.ts';
import type { ResolveContext } from '../plan-context.ts';
import { messages } from '../plan-messages.ts';
import { FREE } from '../request-price.ts';
import { pendingOn, type ResolvedDecision, stoppedBy, type Unready, type Waiting } from '../resolved.ts';
import type { KindOfStep, Unresolved } from './kind.ts';

export const approve: KindOfStep<'approve'> = {
  isPaid: false,
  isKeptByService: false,
  staysHere: false,
  choosesReads: () => true,
  isDecided: true,
  isGathered: true,
  mayRefuse: true,
  decides: 'approve',
  actsOutside: () => false,
  label: () => 'approve',
  calledInText: () => 'approve',
  model: () => undefined,
  json: () => ({}),
  values: ({ from, ask }) => [from, ...(ask ? [ask] : [])],
  fields: () => [],
  sent: () => undefined,
  resolve: resolveApproval,
  expectedFacts: () => undefined,
  problemsExpected: () => [],
  price: () => FREE,
  usualSeconds: () => 0,
  changedSince: () => messages.toApprove(),
};

function resolveApproval(unresolved: Unresolved<'approve'>, context: ResolveContext): Unready | ResolvedDecision {
  const { slot, step, inputs, values } = unresolved;
  const found = candidatesOf(step.from, unresolved);
  if (found.is === 'wrong')
    return { is: 'invalid', failure: { code: 'expression_failed', message: found.message }, problems: [] };
  const ask = step.ask ? values.evaluate(step.ask) : undefined;
  const stopped = stoppedBy(values);
  if (stopped) return stopped;
  const others: Waiting[] =
    found.is === 'waiting'
      ? found.steps.map(name => ({ is: 'waiting', on: name, name, whole: name }))
      : found.all.flatMap(({ key, result }) => (result === undefined ? [{ is: 'waiting', on: key, name: key }] : []));
  if (found.is === 'waiting') for (const name of found.steps) values.used.addStep(name);
  else for (const { key } of found.all) values.used.addInstance(key);
  const called = found.is === 'known' ? found.all.map(({ key }) => key) : [];
  const shown = { from: called, ...(step.ask && { ask: values.redact(step.ask) }) };
  const asks = { fields: {}, known: inputs.known };
  const waits = pendingOn(inputs, values, others);
  if (waits) return { ...waits, why: messages.toApprove(), request: shown, shown, asks, media: [] };
  const live = found.is === 'known' ? found.all.filter(({ result }) => result !== 'skipped') : [];
  const [skipped] = called;
  if (live.length === 0)
    return { is: 'skip', why: messages.allCandidatesSkipped(), ...(skipped !== undefined && { by: skipped }) };
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

export const approvedOf = (choice: Choice): ApprovedResult => ({
  is: 'approved',
  approved: choice.chosen.length > 0,
  choice,
});
