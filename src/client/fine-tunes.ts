/** Fine-tunes: their tokenization is triggered, and how it goes is asked where a service answers that. */
import type { FineTune, FineTunePlace } from '../api/fine-tunes.ts';
import { routes } from '../api/routes.ts';
import type { Answer, Changed } from '../api/service.ts';
import { decodeFineTune } from './decode-generation.ts';
import { getJson } from './idempotent-requests.ts';
import { fields } from './json-fields.ts';
import { requestChange } from './request-change.ts';
import type { Transport } from './transport.ts';

const WHAT = 'a fine-tune';

export const tokenize = (transport: Transport, place: FineTunePlace, signal: AbortSignal): Promise<Changed<FineTune>> =>
  requestChange(
    transport,
    { path: routes.tokenize(place), what: WHAT, decode: json => decodeFineTune(json, place.id) },
    signal,
  );

/** The document does not offer this: a refusal of any kind, a page for people, or another record says that it is not offered here. */
export async function readFineTune(
  transport: Transport,
  place: FineTunePlace,
  signal: AbortSignal,
): Promise<Answer<FineTune>> {
  const decode = (json: unknown) => {
    const isOne = fields(json)?.fine_tune !== undefined || fields(json)?.id === place.id;
    const found = isOne ? decodeFineTune(json, place.id) : undefined;
    return { found: found?.id === place.id ? found : undefined };
  };
  const asked = { path: routes.fineTune(place), what: WHAT, decode, notOffered: NOT_OFFERED };
  const answer = await getJson(transport, asked, signal);
  if (answer.is !== 'ok') return answer;
  const { found } = answer.value;
  if (found !== undefined) return { is: 'ok', value: found };
  return { is: 'absent', message: `${transport.base.host} answered with something that is not ${WHAT}` };
}

/** Statuses of servers that do not know the question, or keep it from this key. */
const NOT_OFFERED: readonly number[] = [400, 403, 404, 405, 406, 410, 422, 501];
