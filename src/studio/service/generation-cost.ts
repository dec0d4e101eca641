/** What a generation costs: decimals, because history adds them up and a client compares them. */
import type { Pricing } from '../../api/catalog.ts';
import { imageRate, secondRate } from '../../api/rates.ts';
import type { MediaFacts } from '../../model/media/media.ts';
import type { Model } from '../../model/model.ts';
import { addUsd, decimalOf, usdFor } from '../../model/money.ts';
import type { JsonObject } from '../../model/text/json.ts';

/**
 * US dollars as a decimal (`0.5`), or null where the catalog has no price that applies.
 * @param processing seconds the render took, for models billed by time.
 */
export function costOf(model: Model, request: JsonObject, facts: MediaFacts, processing: number): string | null {
  const pricing = model.pricing as unknown as Pricing;
  switch (pricing.method) {
    case 'per_image':
      return times(imageRate(pricing, request), 1);
    case 'per_video_output_second':
      return facts.duration === undefined ? null : times(secondRate(pricing, model, request, facts), facts.duration);
    case 'time':
      return times(pricing.cost_per_second, processing);
    default:
      return null;
  }
}

/** Adds decimals; null when there is nothing to add. */
export function totalCost(costs: readonly string[]): string | null {
  if (costs.length === 0) return null;
  return decimalOf(costs.reduce((sum, cost) => addUsd(sum, Number(cost)), 0));
}

const times = (rate: number | null | undefined, quantity: number): string | null =>
  rate == null ? null : decimalOf(usdFor(rate, quantity));
