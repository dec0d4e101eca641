/** Every failure of a run, at its end; instances of one step that failed with the same words are told once. */
import { cleanText } from '../domain/clean.ts';
import { moreAt, pageOfFailure } from '../domain/decision-page.ts';
import type { Failure } from '../domain/failure.ts';
import { stepOf } from '../domain/key.ts';
import { listedFew } from '../domain/listed.ts';
import { messageInALine } from '../domain/message-text.ts';
import { type InstanceView, isFree, type RunView } from '../records/views/run-view.ts';
import { type FailureText, failureText, saidBy } from './failure-text.ts';

/** A paragraph of what a run leaves its author with. `role` lets a screen give it a tone and an indent; the words stay the same. */
export interface SummaryLine {
  /** `log`: one line of a command's output. */
  readonly role: 'outcome' | 'failed' | 'detail' | 'log' | 'next' | 'command' | 'output';
  readonly text: string;
}

export interface FailedInstance {
  readonly instance: InstanceView;
  readonly failure: Failure;
  readonly text: FailureText;
}

/** Instances of a group that are named. */
const NAMED = 5;

export const failureLines = (
  run: RunView,
  command: string,
  failures: 'at length' | 'in a line',
): readonly SummaryLine[] => failureGroups(run, command, failures).flatMap(groupLines);

/** Those that failed alike, together; each group has one or more. */
export const failureGroups = (
  run: RunView,
  command: string,
  failures: 'at length' | 'in a line',
): readonly (readonly FailedInstance[])[] => [
  ...Map.groupBy(failedInstances(run, command, failures), likeness).values(),
];

/** In the order of the plan. */
export function failedInstances(
  run: RunView,
  command: string,
  failures: 'at length' | 'in a line',
): readonly FailedInstance[] {
  return [...run.instances.values()].flatMap((instance): readonly FailedInstance[] => {
    const { state } = instance;
    if (state.is !== 'failed') return [];
    const { failure } = state;
    const shown = failures === 'in a line' ? { ...failure, message: messageInALine(failure.message) } : failure;
    const { pipeline, service } = run;
    const text = failureText(shown, instance.key, { pipeline, service, command, ...costOf(run, instance) });
    return [{ instance, failure, text }];
  });
}

/** Equal for instances of one step that failed alike: the ids of their generations, and numbers in what they said, are their own. */
function likeness({ instance: { key }, failure, text: { what, cost, first } }: FailedInstance): string {
  const lines = saidBy(failure).lines.map(line => line.replaceAll(/[0-9a-f-]{8,}|\d+/gi, '#'));
  return JSON.stringify([stepOf(key), failure.code, withoutIds(what, failure), cost, first, lines]);
}

/** What is told of a group: its first line names it. */
export function groupLines(group: readonly FailedInstance[]): readonly SummaryLine[] {
  const [one] = group;
  if (!one) return [];
  const { instance, failure, text } = one;
  const { lines, log } = saidBy(failure);
  const page = pageOfFailure(failure.code);
  const isAlone = group.length === 1;
  const what = isAlone ? text.what : withoutIds(text.what, failure);
  return [
    { role: 'failed', text: isAlone ? instance.label : `${cleanText(stepOf(instance.key))} ×${group.length}` },
    ...(isAlone ? [] : [detail(namesOf(group))]),
    detail(`${what}; ${text.cost}${!isAlone && text.cost.includes('$') ? ' each' : ''}`),
    ...lines.map((line): SummaryLine => ({ role: 'log', text: line })),
    ...(log === undefined ? [] : [detail(isAlone ? `all it said: ${log}` : `all that ${instance.label} said: ${log}`)]),
    ...(text.first === null ? [] : [detail(`first: ${text.first}`)]),
    ...(page === undefined ? [] : [detail(moreAt(page))]),
  ];
}

const detail = (text: string): SummaryLine => ({ role: 'detail', text });

/** `shot[n=1], shot[n=2] and 48 more` */
const namesOf = (group: readonly FailedInstance[]): string =>
  listedFew(
    group.map(({ instance, failure }) => instance.label + idOf(failure)),
    NAMED,
  );

/** A group has as many generations as instances: each is told beside its name. */
const withoutIds = (what: string, failure: Failure): string => what.replace(idOf(failure), '');

const idOf = (failure: Failure): string =>
  'generation_id' in failure && failure.generation_id !== null
    ? ` (generation ${cleanText(failure.generation_id)})`
    : '';

const costOf = (
  run: RunView,
  { price, paidUsd }: InstanceView,
): { readonly price: number | null; readonly paid: number } =>
  isFree(run) ? { price: 0, paid: 0 } : { price, paid: paidUsd };
