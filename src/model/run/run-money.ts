/**
 * What a run came to, in three numbers that are never added up: spent, in flight, and perhaps spent. The run reports them at its end
 * (`run_finished`); before that, and of a film, they are those of the ledger's open requests. All that shows money of a run takes them from here.
 */

import { addUsd, isUsd } from '../money.ts';
import { formatUsd } from '../text/format.ts';
import type { SumOfRequests } from './event.ts';

/**
 * The built-in studio renders on this machine and bills nothing. What a service would charge is its list price: it is shown as such, never as
 * spent, and no budget of dollars counts it.
 */
export const isFree = ({ service }: { readonly service: string }): boolean =>
  service === 'studio' || service === 'studio-draft';

/** The same of who pays, and where: the account of a built-in studio is named so, and its folder. */
export const isFreeAccount = (account: string): boolean => account.startsWith('studio ');

/** `$2.40 at list price`: what a service would charge for what is free here. */
export const atListPrice = (usd: number): string => `${formatUsd(usd)} at list price`;

/** `free ($2.40 at list price)`; `free` where nothing has a price. @param qualifier before the price: `up to ` */
export const freeText = (usd: number, qualifier = ''): string =>
  usd === 0 ? 'free' : `free (${qualifier}${atListPrice(usd)})`;

/**
 * What was spent: `about $2.40 spent` where no bill has confirmed all of it, `nothing spent`; of the built-in studio `free ($2.40 at list price)`.
 * @param estimated how much of `usd` no bill has confirmed
 * @param isKnown false where the service may bill more
 */
export function spentText(usd: number, estimated: number, from: { readonly service: string }, isKnown = true): string {
  if (usd === 0) return isKnown || isFree(from) ? 'nothing spent' : 'nothing known to be spent';
  return isFree(from) ? freeText(usd) : `${estimated > 0 ? 'about ' : ''}${formatUsd(usd)} spent`;
}

export interface RunMoney extends UnsettledMoney {
  /** US dollars spent. */
  readonly usd: number;
  /** US dollars that a service would charge for what the built-in studio drew, free. Absent: the service bills. */
  readonly list_price_usd?: number;
}

/** @param usd what it comes to; at list price where nothing is billed. */
export const billedBy = (from: { readonly service: string }, usd: number): Pick<RunMoney, 'usd' | 'list_price_usd'> =>
  isFree(from) ? { usd: 0, list_price_usd: usd } : { usd };

/** The same, as reports and `status` show it. */
export function spentAt(
  from: { readonly service: string },
  usd: number,
): { readonly spent: number; readonly list_price?: number } {
  const { usd: spent, list_price_usd: listed } = billedBy(from, usd);
  return { spent, ...(listed !== undefined && { list_price: listed }) };
}

/** US dollars that it comes to; at list price where nothing is billed. Older versions recorded a list price as `usd`. */
export const amountOf = ({ usd, list_price_usd: listed = 0 }: Pick<RunMoney, 'usd' | 'list_price_usd'>): number =>
  addUsd(isUsd(usd) ? usd : 0, isUsd(listed) ? listed : 0);

/** No part of what is spent. */
export interface UnsettledMoney {
  /** Requests that the service goes on with: they will be paid for. Absent: there are none. */
  readonly in_flight?: SumOfRequests;
  /** Requests with lost answers: they may have been taken and billed. Absent: there are none. */
  readonly perhaps?: SumOfRequests;
}

/** A request of the ledger that is not closed. `made`: it is spent already, though its result is not here. */
export interface OpenRequest {
  readonly is: 'under_way' | 'made' | 'lost';
  /** US dollars; null where it is unknown. */
  readonly price: number | null;
}

export function unsettledMoney(open: Iterable<OpenRequest>): UnsettledMoney {
  const sums: { in_flight?: SumOfRequests; perhaps?: SumOfRequests } = {};
  for (const { is, price } of open) {
    if (is === 'under_way') sums.in_flight = withRequest(sums.in_flight, price);
    if (is === 'lost') sums.perhaps = withRequest(sums.perhaps, price);
  }
  return sums;
}

/** The sum with one request more. `price`: US dollars; null where the request has no price. */
export function withRequest(
  { requests, usd }: SumOfRequests = { requests: 0, usd: 0 },
  price: number | null,
): SumOfRequests {
  return { requests: requests + 1, usd: usd === null || price === null ? null : addUsd(usd, price) };
}

/** These numbers of a record that has them among others. A number that is none counts as nothing: another process wrote the record. */
export const moneyOf = ({ usd, list_price_usd: listed, in_flight, perhaps }: RunMoney): RunMoney => ({
  usd: isUsd(usd) ? usd : 0,
  ...(isUsd(listed) && { list_price_usd: listed }),
  ...(isSum(in_flight) && { in_flight }),
  ...(isSum(perhaps) && { perhaps }),
});

const isSum = (sum: SumOfRequests | undefined): sum is SumOfRequests =>
  Number.isSafeInteger(sum?.requests) && (sum?.usd === null || isUsd(sum?.usd));

/** `, $0.50 in flight for 1 request, perhaps $0.50 more for a request whose answer was lost`; empty without either. */
export const unsettledText = ({ in_flight, perhaps }: UnsettledMoney): string =>
  (in_flight ? inFlightText(in_flight) : '') + (perhaps ? perhapsText(perhaps) : '');

function inFlightText({ requests, usd }: SumOfRequests): string {
  const which = requests === 1 ? '1 request' : `${requests} requests`;
  return usd === null ? `, ${which} in flight` : `, ${formatUsd(usd)} in flight for ${which}`;
}

function perhapsText({ requests, usd }: SumOfRequests): string {
  const which = requests === 1 ? 'a request whose answer was lost' : `${requests} requests whose answers were lost`;
  return usd === null ? `, perhaps more for ${which}` : `, perhaps ${formatUsd(usd)} more for ${which}`;
}
