/** Results that cannot be fetched, or are something else when they come. */
import { readFile } from 'node:fs/promises';
import type { Json } from '../../../model/text/json.ts';
import { invalid } from '../../shared/http-refusal.ts';
import type { Reply } from '../http/call.ts';
import type { Services } from '../route.ts';
import { typeOf } from '../routes/results.ts';
import { LARGEST, type MakeVice, textReply, type ViceCall, type Vices } from './vice-hooks.ts';

const isResult = (text: string, { url }: Services): boolean => text.startsWith(`${url}/results/`) && URL.canParse(text);
const EXPIRED = '<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>';

/** Now and then, something else instead of a result that there is. */
const instead =
  (other: (asked: ViceCall) => Promise<Reply>): MakeVice =>
  ({ value, random }) => ({
    file: async (asked, honest) => {
      const reply = await honest();
      return asked.method === 'GET' && random() < value ? other(asked) : reply;
    },
  });

const LOGIN =
  '<!doctype html>\n<html><head><title>Sign in</title></head><body><form><input name="user"></form></body></html>\n';

/** Every text in it, however deep. */
function texts(json: Json, change: (text: string) => string): Json {
  if (typeof json === 'string') return change(json);
  if (Array.isArray(json)) return json.map(one => texts(one, change));
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([name, one]) => [name, texts(one, change)]));
}

export const RESULT_VICES = {
  'results-expire': ({ value, clock }) => {
    const isOver = (query: URLSearchParams) => clock.now() / 1000 >= Number(query.get('expires') ?? 0);
    return {
      body: (body, { studio }) => {
        const expires = Math.ceil(clock.now() / 1000 + value);
        return texts(body, text => (isResult(text, studio) ? `${text.split('?')[0]}?expires=${expires}` : text));
      },
      file: async ({ call }, honest) => (isOver(call.query) ? textReply(403, 'application/xml', EXPIRED) : honest()),
      /** An input is fetched like anything else, and by then must still be there. */
      making: async ({ call, studio }, honest) => {
        const body = await call.json(LARGEST);
        for (const [path, value] of Object.entries(body)) {
          texts(value, text => {
            if (!isResult(text, studio) || !isOver(new URL(text).searchParams)) return text;
            throw invalid([{ path, message: `${path}: ${studio.url} answered 403: the address has expired` }]);
          });
        }
        return honest();
      },
    };
  },
  'results-gone': ({ value, drawn }) => ({
    file: async ({ call }, honest) => {
      if (drawn(call.param('id')) >= value) return honest();
      return textReply(404, 'application/xml', '<Error><Code>NoSuchKey</Code></Error>');
    },
  }),
  'results-lie': instead(async () => textReply(200, 'text/html; charset=utf-8', LOGIN)),
  'results-short': instead(async ({ call, studio }) => {
    const name = call.param('name');
    const bytes = await readFile(studio.results.path(call.param('id'), name));
    return textReply(200, typeOf(name), bytes.subarray(0, Math.floor(bytes.length / 2)));
  }),
  'results-empty': instead(async ({ call }) => textReply(200, typeOf(call.param('name')), '')),
} satisfies Vices;
