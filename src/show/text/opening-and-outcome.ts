/** The lines that a run opens and ends with, and what it has spent. */

import { addUsd } from '../../model/money.ts';
import { isCancelled, mayBeBilled, unreachable } from '../../model/run/failure.ts';
import { atListPrice, freeText, isFree, spentText, unsettledText } from '../../model/run/run-money.ts';
import { counted, formatSeconds, formatUsd } from '../../model/text/format.ts';
import { estimateText } from '../../plan/cost/budget-plan.ts';
import { budgetStatusText } from '../../plan/cost/budget-text.ts';
import { phase } from '../../records/views/instance-state.ts';
import { endsIt } from '../../records/views/ledger.ts';
import { type Finished, type InstanceView, type Outcome, type RunView, spentIn } from '../../records/views/run-view.ts';

/** `teaser: 4 instances on studio, profile draft, about $2.40` */
export function openingLine(run: RunView): string {
  return [`${run.name}: ${expectedText(run)}`, ...atServiceTexts(run), ...budgetTexts(run)].join('; ');
}

function expectedText(run: RunView): string {
  const what = `${run.resumed ? 'resumed, ' : ''}${counted(run.plannedInstances, 'instance')} on ${run.service}${run.profile === null ? '' : `, profile ${run.profile}`}`;
  return `${what}, ${estimateText(run.estimate, run)}`;
}

/** `1 fetched again`, `2 under way, already paid ($1.20)`: only what there is any of. */
function atServiceTexts(run: RunView): readonly string[] {
  const { made, under_way, lost, drawn_again: drawn } = run.atService;
  const { usd, perhaps } = run.paidBefore;
  const paid = isFree(run) ? '' : `, already paid${inBrackets(usd)}`;
  const unsure = isFree(run) ? '' : `, perhaps paid${inBrackets(perhaps)}`;
  return [
    ...(made > 0 ? [`${made} made before and to be fetched`] : []),
    ...(drawn > 0 ? [`${drawn} drawn again, free`] : []),
    ...(under_way > 0 ? [`${under_way} under way${paid}`] : []),
    ...(lost > 0 ? [`${counted(lost, 'answer')} lost${unsure}`] : []),
  ];
}

/** `budget $2.00 of $25.00 spent; 4 of 40 images`: only where there is one. */
const budgetTexts = ({ budget }: RunView): readonly string[] =>
  budget.length === 0 ? [] : [`budget ${budgetStatusText(budget)}`];

const inBrackets = (usd: number | null): string => (usd === null || usd === 0 ? '' : ` (${formatUsd(usd)})`);

/** How the run ended, and what it cost: `teaser is finished in 23.8s: 4 made, $2.40 spent`. Also the last line of a quiet run. */
export function outcomeLine(run: RunView): string {
  const { finished } = run;
  if (finished === null) return `${run.name} is still going on`;
  const time = formatSeconds((run.lastEventAt - run.startedAt) / 1000);
  return `${run.name} ${outcomeText(finished.outcome)} ${time}: ${[...countTexts(run, finished), costText(run, finished)].join(', ')}`;
}

function outcomeText(outcome: Outcome): string {
  switch (outcome) {
    case 'done':
      return 'is finished in';
    case 'failed':
      return 'is not finished after';
    case 'interrupted':
      return 'was interrupted after';
    case 'unreachable':
      return 'stopped, the service cannot be used, after';
    case 'unwritable':
      return 'stopped, the journal cannot be written, after';
    case 'frozen':
      return 'stopped, frozen, after';
    case 'waiting':
      return 'waits for a person after';
    case 'budget':
      return 'stopped at its budget after';
    default:
      return unreachable(outcome);
  }
}

/** `1 failed`, `4 made`, …: only what there is any of. */
function countTexts(run: RunView, { outcome, counts }: Finished): readonly string[] {
  const fetched = countIn(run, ({ state }) => state.is === 'reused' && state.fetched === true);
  const drawn = countIn(run, ({ isDrawnAgain }) => isDrawnAgain);
  const cancelled = outcome === 'interrupted' ? cancelledIn(run) : 0;
  const all: readonly (readonly [number, string])[] = [
    [counts.failed - cancelled, 'failed'],
    [cancelled, 'cancelled'],
    [counts.blocked, 'blocked'],
    [counts.unfinished, 'not finished'],
    [counts.succeeded - drawn, 'made'],
    [drawn, 'drawn again'],
    [counts.reused - fetched, 'already here'],
    [fetched, 'fetched again'],
    [counts.skipped, 'skipped'],
    [counts.left_out ?? 0, 'left out'],
  ];
  return all.filter(([n]) => n > 0).map(([n, word]) => `${n} ${word}`);
}

/** It was sent, and a service that gave no result for it may bill it. */
function mayHaveCost(one: InstanceView): boolean {
  const { state, request, requestUsd, paidUsd } = one;
  const wasSent = state.is === 'failed' && mayBeBilled(state.failure) && request !== null;
  return requestUsd !== 0 && paidUsd === 0 && (wasSent || attemptsWithoutResult(one).length > 0);
}

/** Attempts that the service accepted and ended without a result, and whose cost it has not reported. */
export function attemptsWithoutResult({ attempts, state }: InstanceView): InstanceView['attempts'] {
  const over = state.is === 'failed' && !endsIt(state.failure) ? attempts.slice(0, -1) : attempts;
  return over.filter(
    ({ is, generation, cost }) => (is === 'failed' || is === 'cancelled') && generation !== null && cost === null,
  );
}

const cancelledIn = (run: RunView): number =>
  countIn(run, ({ state }) => state.is === 'failed' && isCancelled(state.failure));

function countIn({ instances }: RunView, is: (instance: InstanceView) => boolean): number {
  let count = 0;
  for (const instance of instances.values()) if (is(instance)) count += 1;
  return count;
}

function costText(run: RunView, finished: Finished): string {
  const { usd, estimated, unpriced, in_flight: inFlight, perhaps } = finished;
  // What goes on at a service is paid for when it is made.
  const isOpen = !isFree(run) && !inFlight && (run.detached?.running.length ?? 0) > 0;
  const yet = isOpen ? ' so far' : '';
  const perhapsMore = isFree(run) ? '' : unsettledText(finished);
  if (usd === 0) {
    const isKnown = !perhaps && countIn(run, mayHaveCost) === 0;
    return `${unpriced > 0 ? 'cost unknown' : spentText(0, 0, run, isKnown)}${yet}${perhapsMore}`;
  }
  if (isFree(run)) return spentText(usd, estimated, run);
  const unknownCosts = unpriced > 0 ? `, the cost of ${unpriced} unknown` : '';
  return `${spentText(usd, estimated, run)}${yet}${byEarlierRuns(run, usd)}${unknownCosts}${perhapsMore}`;
}

/** What an earlier run sent is shown as spent where it is downloaded, with its run. */
function byEarlierRuns({ instances }: RunView, spent: number): string {
  let usd = 0;
  for (const { sentBefore, paidUsd } of instances.values()) if (sentBefore) usd = addUsd(usd, paidUsd);
  if (usd === 0) return '';
  return usd >= spent ? ', sent by an earlier run' : `, ${formatUsd(usd)} of it sent by an earlier run`;
}

/** What a run has come to and will come to, in US dollars; at list price where nothing is billed. */
interface MoneyFigures {
  readonly spent: number;
  /** Sent, and not made yet: what the service will bill. */
  readonly inFlight: number;
  /** Not sent yet; `isAtMost`: or less. */
  readonly toCome: number;
  readonly isAtMost: boolean;
  /** The lowest number of dollars that bounds the run. */
  readonly budget: number | null;
}

function moneyOf(run: RunView): MoneyFigures {
  let [inFlight, toCome] = [0, 0];
  for (const { state, price, requestUsd, paidUsd } of run.instances.values()) {
    const open = (usd: number | null) => Math.max(0, (usd ?? 0) - paidUsd);
    if (phase(state) === 'under-way' && state.is !== 'generated' && state.is !== 'downloading')
      inFlight = addUsd(inFlight, open(requestUsd));
    else if (phase(state) === 'ahead') toCome = addUsd(toCome, open(price));
  }
  for (const usd of run.openUsd.values()) toCome = addUsd(toCome, usd);
  const limits = run.budget.filter(({ measure }) => measure === 'usd').map(({ limit }) => limit);
  const isAtMost = run.estimate.at_most === true && inFlight + toCome > 0;
  const budget = limits.length === 0 ? null : Math.min(...limits);
  return { spent: spentIn(run).usd, inFlight, toCome, isAtMost, budget };
}

/** In ever fewer words, the longest first: `spent $12.52 · in flight $4.00 · to come ~$21.88 · budget $45.00`. */
export function moneyTexts(run: RunView): readonly string[] {
  const { spent, inFlight, toCome, isAtMost, budget } = moneyOf(run);
  const about = isAtMost ? 'up to ' : '~';
  const whole = addUsd(spent, addUsd(inFlight, toCome));
  if (isFree(run)) {
    if (whole === 0) return ['free'];
    const so = `${spent > 0 ? `${formatUsd(spent)} of ` : ''}${isAtMost ? about : ''}${atListPrice(whole)}`;
    return [`free (${so})`, freeText(whole, isAtMost ? about : ''), 'free'];
  }
  const parts = [
    `spent ${formatUsd(spent)}`,
    ...(inFlight > 0 ? [`in flight ${formatUsd(inFlight)}`] : []),
    ...(toCome > 0 ? [`to come ${about}${formatUsd(toCome)}`] : []),
  ];
  const short = whole === spent ? formatUsd(spent) : `${formatUsd(spent)} of ${about}${formatUsd(whole)}`;
  return [
    ...(budget === null ? [] : [[...parts, `budget ${formatUsd(budget)}`].join(' · ')]),
    parts.join(' · '),
    `spent ${short}`,
    short,
  ];
}
