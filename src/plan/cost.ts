/** What a request costs, from the catalog's Pricing object; the most specific price that applies wins (interface document, "Pricing object"). */
import type { Pricing } from '../api/catalog.ts';
import { imageRate, lineOf } from '../api/rates.ts';
import { formatUsd } from '../domain/format.ts';
import type { JsonObject } from '../domain/json.ts';
import type { MediaFacts } from '../domain/media.ts';
import type { Model } from '../domain/model.ts';
import { isPending } from '../domain/plan.ts';
import { shortSideOf } from './facts.ts';
import { costOfTokens, promptTokens } from './tokens.ts';

export interface Price {
  /** US dollars; null when it cannot be known before. */
  readonly usd: number | null;
  /** `6 s × $0.10`, or why there is none. */
  readonly basis: string;
}

export const FREE: Price = { usd: 0, basis: '' };

export function priceOf(
  pricing: Pricing | undefined,
  model: Model | undefined,
  request: JsonObject,
  facts: MediaFacts | undefined,
): Price {
  if (!pricing) return unknown('no price in the catalog');
  switch (pricing.method) {
    case 'per_image': {
      const rate = imageRate(pricing as unknown as JsonObject, request);
      return rate === undefined
        ? unknown('no price in the catalog')
        : { usd: rate, basis: `1 image × ${dollars(rate)}` };
    }
    case 'per_video_output_second': {
      const rate = rateOf(pricing, model, request, facts);
      if (rate === undefined) return unknown('its resolution is not known yet');
      if (rate === null) return unknown('no price in the catalog');
      if (facts?.duration === undefined) return unknown(`${dollars(rate)} a second, length not known`);
      const seconds = Math.round(facts.duration * 100) / 100;
      return { usd: rounded(seconds * rate), basis: `${seconds} s × ${dollars(rate)}` };
    }
    case 'time':
      return unknown('billed by processing time');
    case 'token':
      return model?.produces === 'text' ? priceOfChat(pricing, model, request) : unknown('billed by token');
    default:
      // The catalog is a remote text: a method of tomorrow is no reason to stop.
      return unknown('no price in the catalog');
  }
}

/** At most: what is asked, and as long an answer as is allowed. Without an upper limit of the author's nobody can say. */
function priceOfChat(pricing: Pricing, model: Model | undefined, request: JsonObject): Price {
  const prompt = promptTokens(request);
  const { max_tokens: most } = request;
  if (prompt === undefined) return unknown('its words are not known yet');
  if (typeof most !== 'number') return unknown('by token; set max_tokens to know');
  const usd = costOfTokens(pricing, model?.chat, { prompt_tokens: prompt, completion_tokens: most });
  if (usd === null) return unknown('no price in the catalog');
  return { usd, basis: `at most ${prompt} + ${most} tokens` };
}

/** A film has ten thousand instances and three rates; writing a number in a locale's way takes 20 µs. */
function dollars(rate: number): string {
  let text = written.get(rate);
  if (text === undefined) {
    if (written.size >= 1_000) written.clear();
    text = formatUsd(rate);
    written.set(rate, text);
  }
  return text;
}
const written = new Map<number, string>();

/** Sums of dollars without the tail of binary fractions. */
export const rounded = (usd: number): number => Math.round(usd * 1e6) / 1e6;

const unknown = (basis: string): Price => ({ usd: null, basis });

/** US dollars for one second of output; undefined when the resolution must be known first, null without any price. */
function rateOf(
  pricing: Pricing,
  model: Model | undefined,
  request: JsonObject,
  facts: MediaFacts | undefined,
): number | null | undefined {
  const table = pricing.cost_per_second_by_resolution;
  const label = resolutionOf(model, request, facts);
  const exact = lineOf(table, label);
  if (exact !== undefined) return exact;
  const side = label === undefined ? undefined : shortSideOf(label);
  // The document leaves open where "high resolution" starts: 1080p is the highest that all video models name.
  if (side !== undefined && side >= 1080 && pricing.cost_per_second_high_res != null)
    return pricing.cost_per_second_high_res;
  const withSound =
    facts?.audio_codec !== null && (request.generate_audio === true || typeof facts?.audio_codec === 'string');
  if (withSound && pricing.cost_per_second_with_audio != null) return pricing.cost_per_second_with_audio;
  if (pricing.cost_per_second != null) return pricing.cost_per_second;
  return table && label === undefined ? undefined : null;
}

/** In small letters: the document writes `720P` for one model and `720p` for the next. */
function resolutionOf(
  model: Model | undefined,
  request: JsonObject,
  facts: MediaFacts | undefined,
): string | undefined {
  const { from = 'resolution', default: fallback } = model?.returns.resolution ?? {};
  const said = request[from];
  if (isPending(said)) return undefined;
  if (typeof said === 'string') return said.toLowerCase();
  if (fallback !== undefined) return fallback.toLowerCase();
  return facts?.width && facts.height ? `${Math.min(facts.width, facts.height)}p` : undefined;
}
