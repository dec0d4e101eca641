/** The exchanges between a client and a service, case by case, without anything that differs from one day, key or machine to the next. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { canonical, type Json } from '../../src/model/text/json.ts';

export type Headers = Readonly<Record<string, string>>;
export interface Asked {
  readonly is: 'asked';
  readonly n: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}
export interface Answered {
  readonly is: 'answered';
  readonly n: number;
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}
export interface Told {
  readonly is: 'told';
  readonly n: number;
  readonly frame: string;
}
export interface Ended {
  readonly is: 'ended';
  readonly n: number;
}
export interface Cue {
  readonly is: 'cue';
  readonly text: string;
}
export type Line = Asked | Answered | Told | Ended | Cue;
/** By the name of the case. */
export type Transcript = ReadonlyMap<string, readonly Line[]>;

/** Two requests are the same when everything that is written of them is. */
export const sameness = ({ method, path, headers, body }: Omit<Asked, 'is' | 'n'>): string =>
  [method, path, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), body].join('\n');

/** Headers of a request that change its answer. A key is never written: only that it is missing, or another one. */
export function telling(headers: IncomingHttpHeaders, key: string): Headers {
  const { authorization, host = '' } = headers;
  const type = headers['content-type'] ?? 'application/json';
  const whose = authorization === undefined ? 'none' : authorization === `Bearer ${key}` ? '' : 'of somebody else';
  const kept = ['range', 'if-none-match', 'if-range', 'content-encoding', 'idempotency-key'] as const;
  return {
    ...(whose === '' ? {} : { authorization: whose }),
    ...(/^127\.0\.0\.1:\d+$/.test(host) ? {} : { host }),
    ...(type === 'application/json' ? {} : { 'content-type': type }),
    ...Object.fromEntries(kept.flatMap(name => (headers[name] === undefined ? [] : [[name, String(headers[name])]]))),
  };
}

/** The type of an answer's body, when nothing else is said of it. */
export const JSON_TYPE = 'application/json; charset=utf-8';

/** Headers of an answer that a client goes by. */
export function lasting(headers: IncomingHttpHeaders, method: string): Headers {
  const type = headers['content-type'] ?? '';
  const kept = ['retry-after', 'www-authenticate', 'allow', 'location', 'etag', 'content-range'] as const;
  return {
    ...((type === JSON_TYPE && method !== 'HEAD') || type === '' ? {} : { 'content-type': type }),
    ...Object.fromEntries(kept.flatMap(name => (headers[name] === undefined ? [] : [[name, String(headers[name])]]))),
    ...(method === 'HEAD' ? { 'content-length': headers['content-length'] ?? '0' } : {}),
  };
}

const LONGEST = 4000;

/** A request's body as it is written and compared: JSON in one order of its fields, and nothing long. */
export function written(body: string): string {
  if (body.length > LONGEST) {
    return `(${Buffer.byteLength(body)} bytes, sha256 ${createHash('sha256').update(body).digest('hex').slice(0, 16)})`;
  }
  const value = parsed(body);
  return value === undefined ? body : canonical(value);
}

/** Undefined for a body that is no JSON. */
export function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
