/** US dollars. The plan, the run, the lock, the studio's bill and every screen round alike, so that they all give one number for a film. */

/** Rounded to a billionth of a dollar; below that a sum is noise: 0.1 + 0.2 is 0.3, whatever was added before. */
const PLACES = 9;

export const roundUsd = (usd: number): number => Math.round(usd * 10 ** PLACES) / 10 ** PLACES;

export const addUsd = (sum: number, more: number): number => roundUsd(sum + more);

/** The price of so many seconds (or pictures) at this rate. Seconds count to the millisecond. */
export const usdFor = (rate: number, quantity: number): number => roundUsd(rate * milliseconds(quantity));

/** Seconds as they are billed. */
export const milliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** `0.58`: as a service writes it. */
export const decimalOf = (usd: number): string => usd.toFixed(PLACES).replace(/\.?0+$/, '');

/** The largest price or cost that is believed. A service that names a larger one has made a mistake, and sums of such numbers overflow. */
export const MOST_USD = 1e9;

/** Whether the value can be a price or a cost: a number of US dollars from zero to `MOST_USD`. */
export const isUsd = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= MOST_USD;

/** A service's decimal, `0.58`; null where it is none, or absent. */
export function usdOf(decimal: string | null | undefined): number | null {
  if (decimal === null || decimal === undefined || decimal.trim() === '') return null;
  const usd = Number(decimal);
  return isUsd(usd) ? roundUsd(usd) : null;
}
