/** How much a service allows, as a person has set it: the file does not know it. */

/** Milliseconds that each is counted over. */
export const RATE_WINDOWS = {
  per_second: 1_000,
  per_minute: 60_000,
  per_hour: 3_600_000,
  per_day: 86_400_000,
} as const;
export type RateWindow = keyof typeof RATE_WINDOWS;
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
}

/** Each number that bounds a request to this model. */
export function ratesOf(model: string, rates: ServiceRates): readonly RateReached[] {
  const { models = {} } = rates;
  const own = Object.hasOwn(models, model) ? models[model] : undefined;
  const listed = (from: Rates, of?: string) =>
    RATE_NAMES.flatMap((rate): RateReached[] => {
      const limit = from[rate];
      return limit === undefined ? [] : [{ rate, limit, ...(of !== undefined && { model: of }) }];
    });
  return [...listed(rates), ...(own ? listed(own, model) : [])];
}

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
