/** The price of a request, from the catalog's Pricing object; the most specific price that applies wins (interface document, "Pricing object"). */
import type { Pricing } from '../api/catalog.ts';
import { imageRate, secondRate } from '../api/rates.ts';
import { imagesIn } from '../domain/chat-images.ts';
import { formatUsd } from '../domain/format.ts';
import type { JsonObject } from '../domain/json.ts';
import { isMeasured, type MediaFacts } from '../domain/media.ts';
import type { Model } from '../domain/model.ts';
import { milliseconds, usdFor } from '../domain/money.ts';
import { costOfTokens, promptTokens } from './chat-tokens.ts';

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
      const rate = imageRate(pricing, request);
      return rate === undefined
        ? unknown('no price in the catalog')
        : { usd: usdFor(rate, 1), basis: `1 image × ${dollars(rate)}` };
    }
    case 'per_video_output_second': {
      const rate = secondRate(pricing, model, request, facts);
      if (rate === undefined) return unknown('no price in the catalog');
      const seconds = facts?.duration;
      if (!isMeasured(seconds)) return unknown(`${dollars(rate)} a second, length not known`);
      return { usd: usdFor(rate, seconds), basis: `${milliseconds(seconds)} s × ${dollars(rate)}` };
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
  if (imagesIn(request) > 0) return unknown('by token; what images count is not known');
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

const unknown = (basis: string): Price => ({ usd: null, basis });
