/** US dollars, added up without the drift of binary fractions: 0.1 + 0.2 is 0.3, whatever was added before. */

/** Costs are told to a billionth of a dollar; below that a sum is noise. */
const PLACES = 1e9;

export const addUsd = (sum: number, more: number): number => Math.round((sum + more) * PLACES) / PLACES;

/** A service's decimal, `0.58`; null where it is none, or not told. */
export function usdOf(decimal: string | null | undefined): number | null {
  if (decimal === null || decimal === undefined || decimal.trim() === '') return null;
  const usd = Number(decimal);
  return Number.isFinite(usd) && usd >= 0 ? addUsd(0, usd) : null;
}
