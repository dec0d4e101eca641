/** Milliseconds. Nobody waits longer, and a timer would overflow. */
const MAX_DELAY = 24 * 3_600_000;

/** A `Retry-After` header in milliseconds from now: seconds or an HTTP date (RFC 9110, 10.2.3). Undefined when unreadable. */
export function retryAfter(header: string | string[] | undefined, now: number): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (text === undefined || text === '') return undefined;
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? undefined : Math.min(MAX_DELAY, Math.max(0, Math.round(ms)));
}
