/** How much a service allows, as a person has set it: the file does not know it. */

/** Milliseconds that each is counted over. */
export const RATE_WINDOWS = {
  per_second: 1_000,
  per_minute: 60_000,
  per_hour: 3_600_000,
  per_day: 86_400_000,
} as const;
type RateWindow = keyof typeof RATE_WINDOWS;
export const RATE_NAMES = ['per_second', 'per_minute', 'per_hour', 'per_day', 'in_flight'] as const;
export type RateName = (typeof RATE_NAMES)[number];

/** Requests sent within any such time, and requests under way at once. */
export type Rates = { readonly [rate in RateName]?: number };

export interface ServiceRates extends Rates {
  /** The same of one model alone, by the label that films use. */
  readonly models?: { readonly [model: string]: Rates };
}

/** The rate that holds something back. */
export interface RateReached {
  readonly rate: RateName;
  readonly limit: number;
  /** Where the rate is of one model alone. */
  readonly model?: string;
  /** Who has set it, where that is not the service's own setting: a team, for all of its workers together. */
  readonly by?: 'team';
}

/** Each number that bounds a request to this model. */
export function ratesOf(model: string, rates: ServiceRates): readonly RateReached[] {
  const { models = {} } = rates;
  const own = Object.hasOwn(models, model) ? models[model] : undefined;
  return [...listed(rates), ...(own ? listed(own, model) : [])];
}

/** Each number that there is, the service's own first. */
export const statedRates = (rates: ServiceRates): readonly RateReached[] => [
  ...listed(rates),
  ...Object.entries(rates.models ?? {}).flatMap(([model, own]) => listed(own, model)),
];

const listed = (from: Rates, model?: string): readonly RateReached[] =>
  RATE_NAMES.flatMap((rate): readonly RateReached[] => {
    const limit = from[rate];
    return limit === undefined ? [] : [{ rate, limit, ...(model !== undefined && { model }) }];
  });

const WORDS: { readonly [rate in RateName]: string } = {
  per_second: 'a second',
  per_minute: 'a minute',
  per_hour: 'an hour',
  per_day: 'a day',
  in_flight: 'at once',
};

/** `2 a minute`, `1 of V-UP at once`. */
export const rateText = ({ rate, limit, model }: RateReached): string =>
  `${limit}${model === undefined ? '' : ` of ${model}`} ${WORDS[rate]}`;

/** A rate, and what counts towards it already. */
export interface RateInUse extends RateReached {
  /** Milliseconds ago, oldest first, of what was sent within its time, as many as it allows at most. Empty for `in_flight`. */
  readonly sentAgo: readonly number[];
}

/** Milliseconds until the last of so many requests can be sent, where each goes as soon as the rate lets it. */
export function sendingTime(
  requests: number,
  rate: RateWindow,
  { limit, sentAgo }: Pick<RateInUse, 'limit' | 'sentAgo'>,
): number {
  const place = sentAgo.length + requests - 1;
  // Each waits for the one that is as many places before it as the rate allows; so does that one, and the first of them was sent already or goes at once.
  const waits = Math.floor(place / limit);
  return requests === 0 || waits === 0 ? 0 : waits * RATE_WINDOWS[rate] - (sentAgo[place % limit] ?? 0);
}
