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

/** As `unpriced` of a budget: what only a chat model's own limits bound has no price then. */
type Unpriced = NonNullable<Budget['unpriced']>;

export function priceOf(
  pricing: Pricing | undefined,
  model: Model | undefined,
  request: JsonObject,
  facts: MediaFacts | undefined,
  unpriced?: Unpriced,
): Price {
  const { usd, basis, isAtMost } = dollarsOf(pricing, model, request, facts, unpriced);
  const tokens = model?.produces === 'text' ? countedTokens(model, request, unpriced) : undefined;
  return { usd, basis, demand: demandOf({ usd, isAtMost: isAtMost ?? false, tokens }, model, request, facts) };
}

interface Dollars {
  readonly usd: number | null;
  readonly basis: string;
  /** The request leaves something open that decides about the price: it may turn out cheaper. */
  readonly isAtMost?: true;
}

function dollarsOf(
  pricing: Pricing | undefined,
  model: Model | undefined,
  request: JsonObject,
  facts: MediaFacts | undefined,
  unpriced: Unpriced | undefined,
): Dollars {
  if (!pricing) return unknown('no price in the catalog');
  switch (pricing.method) {
    case 'per_image': {
      const rate = imageRate(pricing, request);
      if (rate === undefined) return unknown('no price in the catalog');
      const n = timesOf(request);
      return { usd: usdFor(rate, n), basis: `${n === 1 ? '1 image' : `${n} images`} × ${dollars(rate)}` };
    }
    case 'per_video_output_second': {
      const rate = secondRate(pricing, model, request, facts);
      if (rate === undefined) return unknown('no price in the catalog');
      const { seconds, isAtMost } = lengthOf(model, request, facts);
      if (seconds === undefined) return unknown(`${dollars(rate)} a second, length not known`);
      const n = timesOf(request);
      const basis = `${n === 1 ? '' : `${n} × `}${milliseconds(seconds)} s × ${dollars(rate)}`;
      const usd = usdFor(rate, seconds * n);
      return isAtMost ? { usd, basis: `at most ${basis}`, isAtMost } : { usd, basis };
    }
    case 'time':
      return unknown('billed by processing time');
    case 'token':
      return model?.produces === 'text' ? priceOfChat(pricing, model, request, unpriced) : unknown('billed by token');
    default:
      // The catalog is a remote text: a method of tomorrow is no reason to stop.
      return unknown('no price in the catalog');
  }
}

interface Counted {
  readonly usd: number | null;
  readonly isAtMost: boolean;
  readonly tokens: MostTokens | undefined;
}

function demandOf(
  { usd, isAtMost, tokens }: Counted,
  model: Model | undefined,
  request: JsonObject,
  facts: MediaFacts | undefined,
): Demand {
  const priced = { ...NO_DEMAND, usd, generations: 1 };
  const atMost: readonly Measure[] = isAtMost ? ['usd'] : [];
  const n = timesOf(request);
  switch (model?.produces) {
    case 'image':
      return { ...priced, images: n, ...(atMost.length > 0 && { atMost }) };
    case 'text':
      return { ...priced, tokens: tokens ? tokens.prompt + tokens.completion : null, atMost: [...atMost, 'tokens'] };
    case 'video': {
      const { seconds, isAtMost: isLongest } = lengthOf(model, request, facts);
      const open: readonly Measure[] = isLongest ? [...atMost, 'video_seconds'] : atMost;
      const video_seconds = seconds === undefined ? null : milliseconds(seconds * n);
      return { ...priced, video_seconds, ...(open.length > 0 && { atMost: open }) };
    }
    case undefined:
      return { ...priced, video_seconds: null, images: null, tokens: null };
  }
}

/** Observed: `num_generations`, from 1 to 12; each is billed. */
function timesOf({ num_generations: n }: JsonObject): number {
  return typeof n === 'number' && Number.isInteger(n) && n > 1 ? n : 1;
}

function lengthOf(
  model: Model | undefined,
  request: JsonObject,
  facts: MediaFacts | undefined,
): { readonly seconds: number | undefined; readonly isAtMost?: true } {
  const known = facts?.duration;
  if (isMeasured(known)) return { seconds: known };
  return { seconds: longestSeconds(model, request), isAtMost: true };
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
function priceOfChat(
  pricing: Pricing,
  model: Model | undefined,
  request: JsonObject,
  unpriced: Unpriced | undefined,
): Dollars {
  const most = countedTokens(model, request, unpriced);
  if (most === undefined) return unknown(whyUncounted(request));
  const { prompt, completion } = most;
  const usd = costOfTokens(pricing, model?.chat, { prompt_tokens: prompt, completion_tokens: completion });
  if (usd === null) return unknown('no price in the catalog');
  const basis =
    request.max_tokens === undefined ? 'at most, without max_tokens' : `at most ${prompt} + ${completion} tokens`;
  return { usd, basis, isAtMost: true };
}

/** Undefined where unknown. A budget that allows such requests is not held back by a bound that means next to nothing. */
function countedTokens(
  model: Model | undefined,
  request: JsonObject,
  unpriced: Unpriced | undefined,
): MostTokens | undefined {
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

const unknown = (basis: string): Dollars => ({ usd: null, basis });
