/** Texts of budgets: how much is used, what is not sent and why, and which line to change. */
import type { BudgetOf, BudgetStatus, BudgetStop, Measure } from '../../model/budget.ts';
import { addUsd } from '../../model/money.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import { cleanText } from '../../model/text/clean.ts';
import { formatUsd, number } from '../../model/text/format.ts';

export const UNITS: { readonly [measure in Measure]: readonly [one: string, many: string] } = {
  usd: ['', ''],
  video_seconds: ['second of video', 'seconds of video'],
  images: ['image', 'images'],
  generations: ['generation', 'generations'],
  tokens: ['token', 'tokens'],
};

/** `$2.00`, `4 images`. */
export function amountText(measure: Measure, amount: number): string {
  const [one, many] = UNITS[measure];
  return measure === 'usd' ? formatUsd(amount) : `${number(amount)} ${amount === 1 ? one : many}`;
}

/** `$14.20 of $25.00`, `4 of 40 images`. */
export function ofLimitText({ measure, limit }: Pick<BudgetStatus, 'measure' | 'limit'>, amount: number): string {
  const shown = measure === 'usd' ? formatUsd(amount) : number(amount);
  return `${shown} of ${amountText(measure, limit)}`;
}

/** Money is spent; anything else is used, whether or not it is paid for. */
const usedWord = (measure: Measure): string => (measure === 'usd' ? 'spent' : 'used');

/** What is left of it: never less than nothing. */
const leftOf = ({ limit, spent, in_flight }: BudgetStatus): number =>
  Math.max(0, addUsd(limit, -addUsd(spent, in_flight)));

/** `$14.20 of $25.00 spent, $3.00 reserved; 4 of 40 images`: all the numbers of a budget. */
export function budgetStatusText(statuses: readonly BudgetStatus[]): string {
  return [...Map.groupBy(statuses, ({ of }) => of)]
    .map(([of, all]) => `${WHOSE_SHORT[of]}${all.map(statusText).join('; ')}`)
    .join('; ');
}

function statusText(status: BudgetStatus): string {
  const { measure, spent, in_flight, unknown = 0 } = status;
  const reserved = in_flight > 0 ? `, ${amountText(measure, in_flight)} reserved` : '';
  return `${ofLimitText(status, spent)} ${usedWord(measure)}${reserved}${unknown > 0 ? `, of ${number(unknown)} not known` : ''}`;
}

/** Why it is not sent, what is left, and which line to change. */
export function budgetStopText(key: InstanceKey, stop: BudgetStop): string {
  return `${cleanText(key)} is not sent: ${whyText(stop)}; ${remedyText(stop)}`;
}

export function whyText(stop: BudgetStop): string {
  const { why, measure, next, unknown = 0, of } = stop;
  const bounded = `${WHOSE[of]} ${measure === 'usd' ? 'dollars' : UNITS[measure][1]}`;
  switch (why) {
    case 'unpriced':
      return `its cost is unknown, and a budget bounds ${bounded}`;
    case 'unpriced_before':
      return `what ${unknown === 1 ? 'an earlier request' : `${number(unknown)} earlier requests`} came to is not known, and a budget bounds ${bounded}`;
    case 'exceeds': {
      const comes = next === null ? 'its cost is unknown' : `it comes to ${amountText(measure, next)}`;
      return `${comes}, and ${leavesText(stop)}`;
    }
  }
}

/** `the film's budget of $25.00 leaves $1.20 ($20.00 spent, $3.80 reserved)` */
export function leavesText(status: BudgetStatus): string {
  const { of, measure, limit, spent, in_flight } = status;
  const left = leftOf(status);
  const before = [
    ...(spent > 0 ? [`${amountText(measure, spent)} ${usedWord(measure)}`] : []),
    ...(in_flight > 0 ? [`${amountText(measure, in_flight)} reserved`] : []),
  ];
  const why = before.length === 0 ? '' : ` (${before.join(', ')})`;
  return `${WHOSE[of]} budget of ${amountText(measure, limit)} leaves ${left === 0 ? 'nothing' : amountText(measure, left)}${why}`;
}

/** The line to change. */
export function remedyText({ why, measure, of }: Pick<BudgetStop, 'why' | 'measure' | 'of'>): string {
  if (of === 'team_day')
    return why === 'exceeds'
      ? `it is sent as hours go by, or raise ${LINE[of](measure)}`
      : `take ${LINE[of](measure)} out to send it all the same`;
  if (why === 'exceeds') return `raise ${LINE[of](measure)}`;
  return of === 'run'
    ? 'take `--max-usd` out, or put `unpriced: allow` under `budget`'
    : `put \`unpriced: allow\` under \`budget\`${IN[of]} to send it all the same`;
}

export const WHOSE: { readonly [of in BudgetOf]: string } = {
  film: "the film's",
  profile: "the profile's",
  project: "the project's",
  run: "this run's",
  team_day: "the team's daily",
};
export const WHOSE_SHORT: { readonly [of in BudgetOf]: string } = {
  film: '',
  profile: 'of the profile ',
  project: 'of the project ',
  run: 'of this run ',
  team_day: 'of the team in a day ',
};

const IN: { readonly [of in BudgetOf]: string } = {
  film: '',
  profile: ' of the profile',
  project: ' in `shotlist.config.yaml`',
  run: '',
  team_day: '',
};

const LINE: { readonly [of in BudgetOf]: (measure: Measure) => string } = {
  film: measure => `\`${measure}\` under \`budget\``,
  profile: measure => `\`${measure}\` under \`budget\` of the profile`,
  project: measure => `\`${measure}\` under \`budget\` in \`shotlist.config.yaml\``,
  run: () => '`--max-usd`',
  team_day: () => '`usd_per_day` of `shotlist team limit`',
};
