/** The body of an answer: read whole up to a limit, and the reason in it. Remote text must go through `Transport.clean` before it is shown. */
import type { Readable } from 'node:stream';
import { recordIn } from '../../model/text/json.ts';
import type { Transport } from '../transport.ts';
import { oneLine } from './json-fields.ts';

/** The reason that the service gave, with the status: `Model not found: x (404)`. */
export function refusalText(transport: Transport, status: number, body: string): string {
  const text = bodyErrorText(body);
  return transport.clean(
    text === undefined ? `${transport.base.host} answered ${status} without a reason` : `${text} (${status})`,
  );
}

/** The whole body as text; throws past the cap, so that no service can fill this machine. */
export async function readBody(body: Readable, cap: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > cap) throw new Error(`the answer is longer than ${cap / 1024 / 1024} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Milliseconds. No caller waits longer, and a timer would overflow. */
const MAX_DELAY = 24 * 3_600_000;

/** A `Retry-After` header in milliseconds from now: seconds or an HTTP date (RFC 9110, 10.2.3). Undefined when unreadable. */
export function retryAfter(header: string | string[] | undefined, now: number): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (text === undefined || text === '') return undefined;
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? undefined : Math.min(MAX_DELAY, Math.max(0, Math.round(ms)));
}

/**
 * The reason in an error's body, whatever its shape: `{error: {message}}`, `{error}`, `{message}`, `{detail}`, `{errors: []}`,
 * or plain text. A page of HTML is never passed on. Undefined when there is nothing to say.
 */
export function bodyErrorText(body: string): string | undefined {
  const parsed = recordIn(body);
  const found = parsed === undefined ? unlessMarkup(body) : reasonIn(parsed);
  return found === undefined || HTML_PAGE.test(found) || oneLine(found) === '' ? undefined : found;
}

const HTML_PAGE = /<\s*(!doctype|html|head|body|script|title|h1)\b/i;
const unlessMarkup = (body: string): string | undefined => (body.trimStart().startsWith('<') ? undefined : body);

/** Where a reason may stand in a JSON body, the most telling first. */
const REASON_FIELDS = [
  'error',
  'errors',
  'message',
  'detail',
  'error_message',
  'status_message',
  'title',
  'msg',
] as const;

function reasonIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || depth > 3) return undefined;
  if (Array.isArray(value)) {
    const reasons = value.slice(0, 20).map(item => reasonIn(item, depth + 1));
    return reasons.filter(reason => reason !== undefined).join('; ') || undefined;
  }
  for (const place of REASON_FIELDS) {
    const reason = Object.hasOwn(value, place)
      ? reasonIn((value as Record<string, unknown>)[place], depth + 1)
      : undefined;
    if (reason !== undefined && reason.trim() !== '') return reason;
  }
  return undefined;
}
