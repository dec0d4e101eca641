/**
 * The price of a request, from the catalog's Pricing object, and what else a budget counts of it. The most specific price that applies
 * wins (interface document, "Pricing object"). Never too low: what the request leaves open is taken at the dearest and the longest, and
 * an unknown price is null.
 */
import type { Pricing } from '../../api/catalog.ts';
import { imageRate, secondRate } from '../../api/rates.ts';
import { type Budget, type Demand, type Measure, NO_DEMAND } from '../../model/budget.ts';
import { imagesIn } from '../../model/media/chat-images.ts';
import { isMeasured, type MediaFacts } from '../../model/media/media.ts';
import type { FieldSchema, Model } from '../../model/model.ts';
import { milliseconds, usdFor } from '../../model/money.ts';
import { formatUsd } from '../../model/text/format.ts';
import type { JsonObject } from '../../model/text/json.ts';
import { secondsOf } from '../media/media-fields.ts';
import { costOfTokens, type MostTokens, mostTokens, promptTokens } from './chat-tokens.ts';

export interface Price {
  /** US dollars; null when it cannot be known before. */
  readonly usd: number | null;
  /** `6 s × $0.10`, or why there is none. */
  readonly basis: string;
  /** What a budget counts of it, `usd` among that. */
  readonly demand: Demand;
}

export const FREE: Price = { usd: 0, basis: '', demand: NO_DEMAND };

interface Priced {
  readonly pricing: Pricing | undefined;
  readonly model: Model | undefined;
  readonly request: JsonObject;
  readonly facts?: MediaFacts | undefined;
  /** As `unpriced` of a budget: what only a chat model's own limits bound has no price then. */
  readonly unpriced?: Budget['unpriced'];
}

export function priceOf(priced: Priced): Price {
  const dollars = dollarsOf(priced);
  return { usd: dollars.usd, basis: dollars.basis, demand: demandOf(dollars, priced) };
}

interface Dollars {
  readonly usd: number | null;
  readonly basis: string;
  /** The request leaves something open that decides about the price: it may turn out cheaper. */
  readonly isAtMost?: true;
}

const unknown = (basis: string): Dollars => ({ usd: null, basis });
const NO_PRICE = unknown('no price in the catalog');

function dollarsOf(priced: Priced): Dollars {
  const { pricing, model, request, facts } = priced;
  const n = timesOf(request);
  switch (pricing?.method) {
    case 'per_image': {
      const rate = imageRate(pricing, request);
      if (rate === undefined) return NO_PRICE;
      return { usd: usdFor(rate, n), basis: `${n === 1 ? '1 image' : `${n} images`} × ${dollars(rate)}` };
    }
    case 'per_video_output_second': {
      const rate = secondRate(pricing, model, request, facts);
      if (rate === undefined) return NO_PRICE;
      const { seconds, isAtMost } = lengthOf(priced);
      if (seconds === undefined) return unknown(`${dollars(rate)} a second, length not known`);
      const basis = `${n === 1 ? '' : `${n} × `}${milliseconds(seconds)} s × ${dollars(rate)}`;
      const usd = usdFor(rate, seconds * n);
      return isAtMost ? { usd, basis: `at most ${basis}`, isAtMost } : { usd, basis };
    }
    case 'time':
      return unknown('billed by processing time');
    case 'token':
      return model?.produces === 'text' ? priceOfChat(priced, pricing) : unknown('billed by token');
    default:
      // The catalog is a remote text: a method of tomorrow is no reason to stop.
      return NO_PRICE;
  }
}

function demandOf({ usd, isAtMost }: Dollars, priced: Priced): Demand {
  const counted = { ...NO_DEMAND, usd, generations: 1 };
  const atMost: readonly Measure[] = isAtMost ? ['usd'] : [];
  const n = timesOf(priced.request);
  switch (priced.model?.produces) {
    case 'image':
      return { ...counted, images: n, ...(atMost.length > 0 && { atMost }) };
    case 'text': {
      const tokens = countedTokens(priced);
      return { ...counted, tokens: tokens ? tokens.prompt + tokens.completion : null, atMost: [...atMost, 'tokens'] };
    }
    case 'video': {
      const { seconds, isAtMost: isLongest } = lengthOf(priced);
      const open: readonly Measure[] = isLongest ? [...atMost, 'video_seconds'] : atMost;
      const video_seconds = seconds === undefined ? null : milliseconds(seconds * n);
      return { ...counted, video_seconds, ...(open.length > 0 && { atMost: open }) };
    }
    case undefined:
      return { ...counted, video_seconds: null, images: null, tokens: null };
  }
}

/** Observed: `num_generations`, from 1 to 12; each is billed. */
function timesOf({ num_generations: n }: JsonObject): number {
  return typeof n === 'number' && Number.isInteger(n) && n > 1 ? n : 1;
}

function lengthOf({ model, request, facts }: Priced): {
  readonly seconds: number | undefined;
  readonly isAtMost?: true;
} {
  const known = facts?.duration;
  return isMeasured(known) ? { seconds: known } : { seconds: longestSeconds(model, request), isAtMost: true };
}

/**
 * Seconds that a result may last at most, where its length is not known before; undefined where the document has no bound. A request may
 * leave its length out, or to the model (`-1`, `auto`), or to a video that is not there yet.
 */
function longestSeconds(model: Model | undefined, request: JsonObject): number | undefined {
  const { from, keep } = model?.returns.duration ?? {};
  const fields = model?.request.properties ?? {};
  const lengths = [
    ...(from === undefined ? [] : [longestOf(fields[from])]),
    // Without a length, it is that of the source.
    ...(keep === undefined || (from !== undefined && request[from] !== undefined)
      ? []
      : [fields[keep]?.media?.maxSeconds]),
  ];
  const known = lengths.filter(length => length !== undefined);
  return known.length === lengths.length && known.length > 0 ? Math.max(...known) : undefined;
}

function longestOf(field: FieldSchema | undefined): number | undefined {
  if (!field) return undefined;
  const { enum: values, maximum, atMost } = field;
  const bounds = [...(values ?? []), maximum, ...(atMost ?? [])].map(bound =>
    bound === undefined ? undefined : secondsOf(bound),
  );
  const known = bounds.filter(bound => bound !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

/** At most: what is asked, and as long an answer as is allowed; what is not known of either is as much as the model takes. */
function priceOfChat(priced: Priced, pricing: Pricing): Dollars {
  const { model, request } = priced;
  const most = countedTokens(priced);
  if (most === undefined) return unknown(whyUncounted(request));
  const { prompt, completion } = most;
  const usd = costOfTokens(pricing, model?.chat, { prompt_tokens: prompt, completion_tokens: completion });
  if (usd === null) return NO_PRICE;
  const basis =
    request.max_tokens === undefined ? 'at most, without max_tokens' : `at most ${prompt} + ${completion} tokens`;
  return { usd, basis, isAtMost: true };
}

/** Undefined where unknown. A budget that allows such requests is not held back by a bound that means next to nothing. */
function countedTokens({ model, request, unpriced }: Priced): MostTokens | undefined {
  const most = mostTokens(model, request);
  return unpriced === 'allow' && most?.byModel ? undefined : most;
}

function whyUncounted(request: JsonObject): string {
  if (promptTokens(request) === undefined) return 'its words are not known yet';
  return imagesIn(request) > 0 ? 'by token; what images count is not known' : 'by token; set max_tokens to know';
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
