/** What a run has come to and will come to, in US dollars: what is spent, and what it would cost elsewhere, are told apart. */
import { formatUsd } from '../domain/format.ts';
import { addUsd } from '../domain/money.ts';
import { phase } from '../records/views/instance-state.ts';
import { isFree, type RunView, spentIn } from '../records/views/run-view.ts';

export interface MoneyTold {
  readonly spent: number;
  /** Sent, and not made yet: what the service will bill. */
  readonly inFlight: number;
  /** Not sent yet. */
  readonly toCome: number;
  /** The lowest number of dollars that bounds the run. */
  readonly budget: number | null;
}

export function moneyOf(run: RunView): MoneyTold {
  let [inFlight, toCome] = [0, 0];
  for (const { state, price, paidUsd } of run.instances.values()) {
    const open = Math.max(0, (price ?? 0) - paidUsd);
    if (phase(state) === 'under-way' && state.is !== 'generated' && state.is !== 'downloading')
      inFlight = addUsd(inFlight, open);
    else if (phase(state) === 'ahead') toCome = addUsd(toCome, open);
  }
  const limits = run.budget.filter(({ measure }) => measure === 'usd').map(({ limit }) => limit);
  return { spent: spentIn(run).usd, inFlight, toCome, budget: limits.length === 0 ? null : Math.min(...limits) };
}

/** In ever fewer words, the longest first: `spent $12.52 · in flight $4.00 · to come ~$21.88 · budget $45.00`. */
export function moneyTexts(run: RunView): readonly string[] {
  const { spent, inFlight, toCome, budget } = moneyOf(run);
  // A film whose lists other steps write grows while it is made.
  const whole = Math.max(run.expectedUsd ?? 0, addUsd(spent, addUsd(inFlight, toCome)));
  if (isFree(run)) {
    if (whole === 0 && spent === 0) return ['nothing to pay', 'free'];
    const elsewhere = `${formatUsd(spent)} of ~${formatUsd(Math.max(whole, spent))}`;
    const all = `~${formatUsd(Math.max(whole, spent))}`;
    return [
      `nothing spent · ${elsewhere} at catalog prices`,
      `nothing spent (elsewhere ${all})`,
      'nothing spent',
      'free here',
    ];
  }
  const parts = [
    `spent ${formatUsd(spent)}`,
    ...(inFlight > 0 ? [`in flight ${formatUsd(inFlight)}`] : []),
    ...(toCome > 0 ? [`to come ~${formatUsd(toCome)}`] : []),
  ];
  const short = whole === 0 ? formatUsd(spent) : `${formatUsd(spent)} of ~${formatUsd(whole)}`;
  return [
    ...(budget === null ? [] : [[...parts, `budget ${formatUsd(budget)}`].join(' · ')]),
    parts.join(' · '),
    `spent ${short}`,
    short,
  ];
}
