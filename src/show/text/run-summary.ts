/** What a run leaves its author with: how it ended, the outputs, every failure, what goes on at the service, the next command. */

import { addUsd } from '../../model/money.ts';
import { type DecisionPage, moreAt, pageOfFailure } from '../../model/run/decision-page.ts';
import type { Failure } from '../../model/run/failure.ts';
import { stepOf } from '../../model/run/key.ts';
import { pieceOf } from '../../model/run/result.ts';
import { isFree } from '../../model/run/run-money.ts';
import { asTyped, cleanText, messageInALine } from '../../model/text/clean.ts';
import { formatUsd, listedFew } from '../../model/text/format.ts';
import { budgetStatusText, whyText } from '../../plan/cost/budget-text.ts';
import type { InstanceView, RunView } from '../../records/views/run-view.ts';
import { askAgainCommand, reviewCommand } from './choice-text.ts';
import { type FailureText, failureText, outputOf } from './failure-text.ts';
import { billsOnTexts, stillRunningText, uncancelledText } from './left-at-service-text.ts';
import { attemptsWithoutResult, outcomeLine } from './opening-and-outcome.ts';
import { approvedBy, mediaTexts, resultText } from './result-text.ts';
import { askText } from './state-text.ts';

/**
 * `command` runs this film again, as its author started it. `failures`: a page of text that was shown where it happened is shown again `in a line`;
 * a screen has shown no more than a row of it, and shows it here `at length`. `film`: options that say which film is meant. `review`: opens what waits for a person;
 * absent: `shotlist review` of the file.
 */
export function summaryLines(
  run: RunView,
  command: string = runCommand(run.pipeline),
  failures: 'at length' | 'in a line' = 'at length',
  film = '',
  review?: string,
): readonly SummaryLine[] {
  return [
    { role: 'outcome', text: outcomeLine(run) },
    ...outputLines(run),
    ...leftOutLines(run),
    ...refusedLines(run, film),
    ...keptLines(run),
    ...failureLines(run, command, failures),
    ...leftAtServiceLines(run),
    ...failedOutputLines(run),
    ...overBudgetLines(run),
    ...stopReasonLines(run),
    ...budgetLines(run),
    ...unjournaledLines(run),
    ...decidedLaterLines(run),
    ...waitingLines(run, film, review),
    ...pageLines(run),
    ...nextCommandLines(run, command),
  ];
}

/** `shotlist run 'my films/fox.yaml'` */
export const runCommand = (pipeline: string): string => `shotlist run ${asTyped(pipeline)}`;

const next = (text: string): SummaryLine => ({ role: 'next', text });

/** They were written as results came, and are listed in the order of the plan; of many, the first few of each step. */
function outputLines(run: RunView): readonly SummaryLine[] {
  const index = ({ key }: RunView['outputs'][number]) => run.instances.get(key)?.index ?? run.instances.size;
  const all = run.outputs.toSorted((a, b) => index(a) - index(b));
  const most = all.length > MANY_OUTPUTS ? FEW : all.length;
  return [...Map.groupBy(all, ({ key }) => stepOf(key))].flatMap(([step, outputs]) => [
    ...outputs.slice(0, most).map((output): SummaryLine => ({ role: 'output', text: outputText(run, output) })),
    ...(outputs.length > most
      ? [{ role: 'output', text: `…  and ${outputs.length - most} more of ${step}` } as const]
      : []),
  ]);
}

/** Outputs that fit on a screen below how a run ended. */
const MANY_OUTPUTS = 20;
const FEW = 5;

function outputText(run: RunView, { key, path, media }: RunView['outputs'][number]): string {
  if (media !== undefined) return [path, ...(media ? [mediaTexts(media).join(', ')] : [])].join('  ');
  let state = run.instances.get(key)?.state;
  while (state?.is === 'skipped' && state.standIn !== undefined) state = run.instances.get(state.standIn)?.state;
  const result = state?.is === 'succeeded' || state?.is === 'reused' ? state.result : null;
  const piece = result && pieceOf(result);
  return piece?.is === 'media' || piece?.is === 'text' ? `${path}  ${resultText(piece)}` : path;
}

function leftOutLines({ outputsLeftOut: paths }: RunView): readonly SummaryLine[] {
  if (paths.length === 0) return [];
  return [next(`no part of this run: ${listedFew(paths, FEW)}`)];
}

/** A person's no, for which steps were skipped, and how to be asked again. */
function refusedLines({ instances, finished, pipeline, profile }: RunView, film: string): readonly SummaryLine[] {
  if (finished === null || finished.counts.skipped === 0) return [];
  return [...instances.values()].flatMap(({ key, label, state }): readonly SummaryLine[] => {
    const result = state.is === 'succeeded' || state.is === 'reused' ? state.result : undefined;
    if (result?.is !== 'approved' || result.approved) return [];
    return [
      next(`${label} is ${approvedBy(false, result.choice)}; what waits for it is skipped; to be asked again:`),
      { role: 'command', text: askAgainCommand({ pipeline, profile }, key, film) },
    ];
  });
}

/** Of a film without outputs: its files have no names of their own, and an author looks for them. */
function keptLines({ keptIn, instances, finished }: RunView): readonly SummaryLine[] {
  if (keptIn === null || finished?.outcome !== 'done') return [];
  const last = [...instances.values()].findLast(({ state }) => hasFile(state));
  if (!last) return [];
  const step = stepOf(last.key);
  return [
    next(
      `no step is saved, so the results are in ${keptIn}, named by their content; write \`save: out/${step}\` on a step and run again to have it there (nothing is paid twice)`,
    ),
  ];
}

const hasFile = (state: InstanceView['state']): boolean =>
  (state.is === 'succeeded' || state.is === 'reused') && state.result.is === 'media';

function leftAtServiceLines(run: RunView): readonly SummaryLine[] {
  const { detached } = run;
  const uncancelled = [...run.uncancelled.values()].sort((a, b) => a.index - b.index);
  // A generation that could not be cancelled has a line of its own, with the reason.
  const labels = new Set(uncancelled.map(({ label }) => label));
  const others = (detached?.running ?? []).filter(key => !labels.has(cleanText(key)));
  const showsStillRunning = detached !== null && (others.length > 0 || labels.size === 0);
  return [
    ...(showsStillRunning ? [stillRunningText(run, others)] : []),
    ...uncancelled.map(one => uncancelledText(run, one)),
    ...billsOnTexts(run).map(({ text }) => text),
  ].map(next);
}

const failedOutputLines = ({ failedOutputs }: RunView): readonly SummaryLine[] =>
  failedOutputs.flatMap(({ path, reason }): readonly SummaryLine[] => [
    { role: 'failed', text: path },
    { role: 'detail', text: `could not be written: ${reason}` },
  ]);

function stopReasonLines({ finished, connection }: RunView): readonly SummaryLine[] {
  const reason = finished?.outcome === 'unreachable' ? finished.reason || connection.reason : finished?.reason;
  return reason ? [next(reason)] : [];
}

/** Those that were not sent, each with its reason, but for the first: that is shown as why the run stopped. */
function overBudgetLines({ instances, finished }: RunView): readonly SummaryLine[] {
  if (finished === null) return [];
  const held = [...instances.values()].flatMap(({ label, state }) =>
    state.is === 'over_budget' ? [`${label} is not sent: ${whyText(state.stop)}`] : [],
  );
  const others = held.filter(text => !finished.reason.startsWith(text));
  const more = others.length > FEW ? [`and ${others.length - FEW} more`] : [];
  return [...others.slice(0, FEW), ...more].map(next);
}

/** `budget: $20.00 of $25.00 spent, $3.80 reserved` */
function budgetLines(run: RunView): readonly SummaryLine[] {
  const { budget, finished } = run;
  if (finished === null || budget.length === 0) return [];
  return [next(`budget: ${budgetStatusText(budget)}`), ...withoutResultLines(run)];
}

/** A request that gave no result counts in a budget, and is no part of what the run has spent: the service may bill it. */
function withoutResultLines(run: RunView): readonly SummaryLine[] {
  if (isFree(run) || !run.budget.some(({ measure }) => measure === 'usd')) return [];
  const prices = [...run.instances.values()].flatMap(one =>
    attemptsWithoutResult(one).flatMap(() => (one.requestUsd ? [one.requestUsd] : [])),
  );
  if (prices.length === 0) return [];
  const usd = formatUsd(prices.reduce(addUsd, 0));
  const [which, them] = prices.length === 1 ? ['a request', 'it'] : [`${prices.length} requests`, 'them'];
  return [next(`${usd} of that is for ${which} without a result: the service may bill ${them}`)];
}

/** Ids that exist nowhere but on this screen. */
function unjournaledLines({ unjournaled }: RunView): readonly SummaryLine[] {
  if (unjournaled === null || unjournaled.ids.length === 0) return [];
  return ['paid for, and written down nowhere but here:', ...unjournaled.ids].map(next);
}

function decidedLaterLines({ decidedLater: labels }: RunView): readonly SummaryLine[] {
  if (labels.length === 0) return [];
  return [next(`decided anew after this run had acted on it: ${listedFew(labels, FEW)}; the next run follows`)];
}

/** What a person has to decide, and where. The first few questions by name, and no answer to any of them. */
export function waitingLines(
  { finished, instances, pipeline, profile }: RunView,
  film = '',
  review = reviewCommand({ pipeline, profile }, film),
): readonly SummaryLine[] {
  if (finished === null || finished.outcome === 'done') return [];
  const asking = [...instances.values()].flatMap(({ label, state }) =>
    state.is === 'asking' ? [`${label} ${askText(state)}`] : [],
  );
  if (asking.length === 0) return [];
  const more = asking.length - FEW;
  return [
    ...asking.slice(0, FEW).map(next),
    ...(more > 0 ? [next(`and ${more} more ${more === 1 ? 'waits' : 'wait'} for a person`)] : []),
    { role: 'command', text: review },
  ];
}

/** The page of the guide about an end that asks for a decision. */
function pageLines(run: RunView): readonly SummaryLine[] {
  const { finished, deployments } = run;
  const bills = !isFree(run) && finished !== null && [...deployments.values()].some(({ is }) => is === 'left');
  const pages: readonly (DecisionPage | false)[] = [
    finished?.outcome === 'waiting' && 'waiting-for-you',
    finished?.outcome === 'budget' && 'budget-reached',
    bills && 'still-billing',
  ];
  return pages.filter(page => page !== false).map(page => next(moreAt(page)));
}

function nextCommandLines({ finished, detached, decidedLater }: RunView, command: string): readonly SummaryLine[] {
  if (finished?.outcome === 'done' && decidedLater.length === 0) return [];
  return [
    next('to go on (what is done is kept, and not paid for again):'),
    { role: 'command', text: detached?.resume ?? command },
  ];
}

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

const failureLines = (run: RunView, command: string, failures: 'at length' | 'in a line'): readonly SummaryLine[] =>
  failureGroups(run, command, failures).flatMap(groupLines);

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

/** Equal for instances of one step that failed alike: the ids of their generations, and numbers in their messages, are their own. */
function likeness({ instance: { key }, failure, text: { what, cost, first } }: FailedInstance): string {
  const lines = outputOf(failure).lines.map(line => line.replaceAll(/[0-9a-f-]{8,}|\d+/gi, '#'));
  return JSON.stringify([stepOf(key), failure.code, withoutIds(what, failure), cost, first, lines]);
}

/** The lines of a group: its first line names it. */
export function groupLines(group: readonly FailedInstance[]): readonly SummaryLine[] {
  const [one] = group;
  if (!one) return [];
  const { instance, failure, text } = one;
  const { lines, log } = outputOf(failure);
  const page = pageOfFailure(failure.code);
  const isAlone = group.length === 1;
  const what = isAlone ? text.what : withoutIds(text.what, failure);
  return [
    { role: 'failed', text: isAlone ? instance.label : `${cleanText(stepOf(instance.key))} ×${group.length}` },
    ...(isAlone ? [] : [detail(namesOf(group))]),
    detail(`${what}; ${text.cost}${!isAlone && text.cost.includes('$') ? ' each' : ''}`),
    ...lines.map((line): SummaryLine => ({ role: 'log', text: line })),
    ...(log === undefined ? [] : [detail(isAlone ? `its output: ${log}` : `the output of ${instance.label}: ${log}`)]),
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

/** A group has as many generations as instances: each is shown beside its name. */
const withoutIds = (what: string, failure: Failure): string => what.replace(idOf(failure), '');

const idOf = (failure: Failure): string =>
  'generation_id' in failure && failure.generation_id !== null
    ? ` (generation ${cleanText(failure.generation_id)})`
    : '';

function costOf(
  run: RunView,
  { price, request, sentUsd, wholeUsd: paid }: InstanceView,
): { readonly price: number | null; readonly paid: number } {
  if (isFree(run)) return { price: 0, paid: 0 };
  if (sentUsd !== undefined) return { price: sentUsd, paid };
  // What asks for the same as another instance waits for that one's request.
  return { price: request === null ? 0 : price, paid };
}
