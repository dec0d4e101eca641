/** The body of an answer: read whole up to a limit, and what it gives as a reason. */
import type { Readable } from 'node:stream';
import { bodyErrorText } from './error-text.ts';
import type { Transport } from './transport.ts';

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

/** Milliseconds. Nobody waits longer, and a timer would overflow. */
const MAX_DELAY = 24 * 3_600_000;

/** A `Retry-After` header in milliseconds from now: seconds or an HTTP date (RFC 9110, 10.2.3). Undefined when unreadable. */
export function retryAfter(header: string | string[] | undefined, now: number): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (text === undefined || text === '') return undefined;
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? undefined : Math.min(MAX_DELAY, Math.max(0, Math.round(ms)));
}
