/** The price of each step, and what it gave last: of the plan of the sound part of the film, and of the journal. */
import type { Pricing } from '../api/catalog.ts';
import { formatUsd } from '../domain/format.ts';
import type { ModelLibrary } from '../domain/model.ts';
import type { Plan } from '../domain/plan.ts';
import type { LastResult } from '../session/last-results.ts';

export interface StepFacts {
  /** `3 × about $0.30, $0.90`; of what costs nothing `free`. */
  readonly price?: string;
  /** `made 2026-11-22 14:03, $0.28` */
  readonly last?: string;
  readonly newest?: LastResult;
}

export const studioPrices = (library: ModelLibrary): ReadonlyMap<string, Pricing> =>
  new Map(library.labels.map(label => [label, library.get(label)?.pricing as unknown as Pricing]));

export function stepFacts(plan: Plan | undefined, results: readonly LastResult[]): ReadonlyMap<string, StepFacts> {
  const facts = new Map<string, StepFacts>();
  for (const [step, price] of prices(plan)) facts.set(step, { price });
  for (const [step, all] of Map.groupBy(results, ({ key }) => topStep(key))) {
    const newest = all.reduce((a, b) => (b.at > a.at ? b : a));
    facts.set(step, { ...facts.get(step), last: lastText(newest, all.length), newest });
  }
  return facts;
}

/** What is inside a `uses` step, a judge or a round counts for the step that brings it in. */
const topStep = (key: string): string => key.split(/[[/]/)[0]!;

interface Cost {
  instances: number;
  usd: number;
  unpriced: number;
}

function prices(plan: Plan | undefined): ReadonlyMap<string, string> {
  const costs = new Map<string, Cost>();
  const costOf = (step: string): Cost => {
    const cost = costs.get(step) ?? { instances: 0, usd: 0, unpriced: 0 };
    costs.set(step, cost);
    return cost;
  };
  if (!plan) return new Map();
  for (const { key, step, price, decision } of plan.instances) {
    const cost = costOf(topStep(key));
    if (decision.is === 'skip' || decision.is === 'left_out') continue;
    if (!step.name.includes('/')) cost.instances++;
    cost.usd += price ?? 0;
    if (price === null) cost.unpriced++;
  }
  const texts = new Map([...costs].map(([step, cost]) => [step, priceText(cost)]));
  for (const { step, usd, most } of plan.open)
    if (!step.includes('/'))
      texts.set(
        step,
        `${most === undefined ? '×?' : `at most ${most} ×`}, ${usd === null ? 'price not known' : `at most ${formatUsd(usd)}`}`,
      );
  return texts;
}

function priceText({ instances, usd, unpriced }: Cost): string {
  const times = instances > 1 ? `${instances} ×, ` : '';
  if (unpriced > 0) return `${times}${usd > 0 ? `${formatUsd(usd)} and more: ` : ''}price not known`;
  return usd === 0 ? `${times}free` : `${times}${formatUsd(usd)}`;
}

function lastText({ at, cost, key }: LastResult, count: number): string {
  const when = new Date(at).toISOString().replace('T', ' ').slice(0, 16);
  const paid = cost === null ? '' : cost === 0 ? ', free' : `, ${formatUsd(cost)}`;
  return `${count > 1 ? `${count} made, ${key} last on` : 'made on'} ${when} UTC${paid}`;
}
