/** What a generation costs: exact decimals, because history adds them up and a client compares them. */
import { imageRate, lineOf, tableIn } from '../api/rates.ts';
import type { JsonObject } from '../domain/json.ts';
import type { MediaFacts } from '../domain/media.ts';
import type { Model } from '../domain/model.ts';

/**
 * US dollars as a decimal (`0.5`), or null where the catalog has no price that applies.
 * @param processing seconds the render took, for models billed by time.
 */
export function costOf(model: Model, request: JsonObject, facts: MediaFacts, processing: number): string | null {
  const { pricing } = model;
  switch (pricing.method) {
    case 'per_image':
      return times(imageRate(pricing, request), 1);
    case 'per_video_output_second':
      return facts.duration === undefined ? null : times(secondPrice(pricing, request, facts), facts.duration);
    case 'time':
      return times(pricing.cost_per_second, processing);
    default:
      return null;
  }
}

/** Adds decimals; null when there is nothing to add. */
export function total(costs: readonly string[]): string | null {
  if (costs.length === 0) return null;
  return text(costs.reduce((sum, cost) => sum + units(cost), 0n));
}

/** The most specific price that applies wins (observed for the table by resolution; assumed for the rest). */
function secondPrice(pricing: JsonObject, request: JsonObject, facts: MediaFacts) {
  const exact = lineOf(tableIn(pricing.cost_per_second_by_resolution), request.resolution);
  if (exact !== undefined) return exact;
  if (typeof pricing.cost_per_second_high_res === 'number' && shortSide(facts) >= HIGH_RES) {
    return pricing.cost_per_second_high_res;
  }
  if (typeof pricing.cost_per_second_with_audio === 'number' && typeof facts.audio_codec === 'string') {
    return pricing.cost_per_second_with_audio;
  }
  return pricing.cost_per_second;
}

/** Pixels. */
const HIGH_RES = 1080;
const shortSide = ({ width = 0, height = 0 }: MediaFacts): number => Math.min(width, height);

/** Amounts are counted in units of 10⁻¹² dollars. */
const DIGITS = 12;

/** Quantities count to the millisecond. */
function times(price: unknown, quantity: number): string | null {
  if (typeof price !== 'number') return null;
  return text((units(price.toFixed(DIGITS)) * BigInt(Math.round(quantity * 1000))) / 1000n);
}

function units(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(DIGITS, '0').slice(0, DIGITS));
}

function text(amount: bigint): string {
  const digits = amount.toString().padStart(DIGITS + 1, '0');
  const fraction = digits.slice(-DIGITS).replace(/0+$/, '');
  const whole = digits.slice(0, -DIGITS);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
