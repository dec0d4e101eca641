/** One byte range of a file (RFC 9110, section 14). Several at once are answered with the whole file, as it allows. */
import type { IncomingMessage } from 'node:http';

/** Both ends included. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** Undefined: the whole file. */
export function rangeOf(
  { method, headers }: IncomingMessage,
  size: number,
  etag: string,
): Range | 'unsatisfiable' | undefined {
  const { range, 'if-range': validator } = headers;
  // Range is defined for GET only, and a resumed download must not be glued to another file's beginning.
  if (method !== 'GET' || range === undefined || (validator !== undefined && validator !== etag)) return undefined;
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range.trim()) ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '')
    return Number(last) === 0 ? 'unsatisfiable' : { start: Math.max(0, size - Number(last)), end: size - 1 };
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end };
}
