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
    .map(([of, all]) => `${BUDGETS[of].short}${all.map(statusText).join('; ')}`)
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
  const bounded = `${BUDGETS[of].whose} ${measure === 'usd' ? 'dollars' : UNITS[measure][1]}`;
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
  return `${BUDGETS[of].whose} budget of ${amountText(measure, limit)} leaves ${left === 0 ? 'nothing' : amountText(measure, left)}${why}`;
}

type RemediedStop = Pick<BudgetStop, 'why' | 'measure' | 'of'> & Partial<Pick<BudgetStop, 'limit' | 'next'>>;

/** The line to change. A team's day has room again as hours go by, unless the request alone comes to more. */
export function remedyText({ why, measure, of, limit = 0, next = null }: RemediedStop): string {
  if (of === 'team_day' && why === 'exceeds' && next !== null && next > limit)
    return `raise ${BUDGETS[of].line(measure)}`;
  if (of === 'team_day')
    return why === 'exceeds'
      ? `resume the run as hours go by, or raise ${BUDGETS[of].line(measure)}`
      : `take ${BUDGETS[of].line(measure)} out to send it all the same`;
  if (why === 'exceeds') return `raise ${BUDGETS[of].line(measure)}`;
  return of === 'run'
    ? 'take `--max-usd` out, or put `unpriced: allow` under `budget`'
    : `put \`unpriced: allow\` under \`budget\`${BUDGETS[of].where} to send it all the same`;
}

interface OfBudget {
  readonly whose: string;
  readonly short: string;
  /** Behind the name of the section that bounds it. */
  readonly where: string;
  readonly line: (measure: Measure) => string;
}

const inSection = (whose: string, short: string, where: string): OfBudget => ({
  ...{ whose, short, where },
  line: measure => `\`${measure}\` under \`budget\`${where}`,
});

/** How the budget of each place is called, and which line of it is to be changed. */
export const BUDGETS: { readonly [of in BudgetOf]: OfBudget } = {
  film: inSection("the film's", '', ''),
  profile: inSection("the profile's", 'of the profile ', ' of the profile'),
  project: inSection("the project's", 'of the project ', ' in `shotlist.config.yaml`'),
  run: { whose: "this run's", short: 'of this run ', where: '', line: () => '`--max-usd`' },
  team_day: {
    ...{ whose: "the team's daily", short: 'of the team in a day ', where: '' },
    line: () => '`usd_per_day` of `shotlist team limit`',
  },
};
