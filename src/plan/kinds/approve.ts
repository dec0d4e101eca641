/** `approve`: a person says yes or no to content that is there. Other content is a new question. */
import { type Asking, type Choice, deciderName } from '../../domain/choice.ts';
import type { ApprovedResult } from '../../domain/result.ts';
import { allSkipped, candidatesOf, digestOfWords, liveIn, missingIn, noteRead, optionOf } from '../candidates.ts';
import { contentDigest } from '../instance-fingerprint.ts';
import type { ResolveContext } from '../plan-context.ts';
import { messages } from '../plan-messages.ts';
import { failed, pendingOn, type ResolvedDecision, stoppedBy, type Unready } from '../resolved.ts';
import { FREE_WORK, type KindOfStep, type Unresolved } from './kind.ts';

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
  const shown = { from: called, ...(step.ask && { ask: values.redact(step.ask) }) };
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
