/** What a simulated service saw at its own door, for the checker: it knows no journal, no film and no intent. */
import type { AppliedBudget } from '../../src/model/budget.ts';
import type { ServiceRates } from '../../src/model/request-rates.ts';
import { check, type DoorRow, type Fault, type Rules } from '../checker/check.ts';
import { USD } from './films.ts';
import type { Provider } from './provider.ts';

/** @param until nothing later is shown. */
/** Milliseconds for which one may be up and make nothing: a run that was killed is run again within a day. */
const DAY = 86_400_000;

/** What was up for nobody: looked at when all is over. */
export const deploymentFaults = (provider: Provider): readonly Fault[] =>
  check(
    [...provider.deployments.door, ...doorRows(provider, Number.POSITIVE_INFINITY)].sort((a, b) => a.at - b.at),
    {
      deployments: { idle: DAY },
    },
  ).filter(({ is }) => is === 'deployment');

export const doorRows = (provider: Provider, until: number): readonly DoorRow[] =>
  [
    ...provider.asked.map(({ at, label: model }): DoorRow => ({ is: 'asked', at, model })),
    ...provider.generations.flatMap((made): readonly DoorRow[] => {
      const { id, at, content, via, request, ends, cancelled = ends, label: model } = made;
      const usd = USD[model];
      const isLost = provider.hasLost(id);
      // A text may be asked for again to be mended, and steps with `cache: off` want an answer each.
      const isOwn = via === 'chat' || String(request.prompt).startsWith('sparks over a forge');
      return [
        {
          ...{ is: 'taken', at, id, from: 'us', model, content: isOwn ? id : content },
          ...(usd !== undefined && { usd }),
        },
        {
          ...{ is: 'ended', id, gave: isLost || provider.gaveNothing(made) ? 'nothing' : 'a result' },
          // What it forgets for good is gone at once: nobody could find it there.
          at: isLost ? at : cancelled,
        },
      ];
    }),
  ]
    .filter(({ at }) => at <= until)
    .sort((a, b) => a.at - b.at);

/** Milliseconds by which a request may leave after it was counted. */
const MOMENT = 100;
const WINDOWS = { per_second: 1_000, per_minute: 60_000, per_hour: 3_600_000 } as const;

/** @param films how many there are: the budget of each is that of all where there is one. */
export function doorRules(rates: ServiceRates | undefined, budgets: readonly AppliedBudget[], films: number): Rules {
  const limits = [
    [undefined, rates] as const,
    ...Object.entries(rates?.models ?? {}).map(([model, own]) => [model, own] as const),
  ];
  return {
    rates: limits.flatMap(([model, own]) =>
      Object.entries(WINDOWS).flatMap(([name, within]) => {
        const most = own?.[name as keyof typeof WINDOWS];
        return most === undefined ? [] : [{ within: within - MOMENT, most, ...(model !== undefined && { model }) }];
      }),
    ),
    budgets: budgets
      .filter(({ of }) => of === 'project' || films === 1)
      .map(({ budget: { usd, generations } }) => ({
        ...(usd !== undefined && { usd }),
        ...(generations !== undefined && { generations }),
      })),
  };
}
