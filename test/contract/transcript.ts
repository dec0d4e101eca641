/**
 * The exchanges between a client and a service, case by case, as a text that a person reads and writes:
 *
 *     ## a finished generation says where its result is
 *     1 > POST /api/ai/queue {"model":"I-GEN-A","prompt":"a red fox"}
 *     1 < 200 {"generations":[{"generation_id":"gen-1","status":"queued"}]}
 *     * finish gen-1
 *     2 > GET /api/ai/queue/gen-1
 *     2 < 200 {"generation_id":"gen-1","status":"succeeded","result_url":"{service}/results/gen-1/result.webp"}
 *
 * `>` is a request, `<` its answer, `~` a frame of an event stream and `.` its end, under the number of their request; headers that matter
 * and further lines of a frame are indented below. `*` is a cue: what the case has happen at the service, beside asking it. `{service}` is
 * the base address, `{elsewhere}` another origin, where results may lie. `@name {…}` is a model object, which stands in a body as
 * `{"@":"name"}`.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { canonical, type Json } from '../../src/model/text/json.ts';

type Headers = Readonly<Record<string, string>>;
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
interface Cue {
  readonly is: 'cue';
  readonly text: string;
}
export type Line = Asked | Answered | Told | Ended | Cue;
/** By the name of the case. */
type Transcript = ReadonlyMap<string, readonly Line[]>;

/** Two requests are the same when everything that is written of them is. */
export const sameness = ({ method, path, headers, body }: Omit<Asked, 'is' | 'n'>): string =>
  [method, path, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), body].join('\n');

/** Headers of a request that change its answer. A key is never written: only that it is missing, or another one. */
export function telling(headers: IncomingHttpHeaders, key: string): Headers {
  const { authorization } = headers;
  const type = headers['content-type'] ?? 'application/json';
  const whose = authorization === undefined ? 'none' : authorization === `Bearer ${key}` ? '' : 'of somebody else';
  const nonce = headers['idempotency-key'];
  return {
    ...(whose === '' ? {} : { authorization: whose }),
    ...(type === 'application/json' ? {} : { 'content-type': type }),
    ...(nonce === undefined ? {} : { 'idempotency-key': String(nonce) }),
  };
}

/** The type of an answer's body, when nothing else is said of it. */
export const JSON_TYPE = 'application/json; charset=utf-8';

/** A request's body as it is compared: JSON in one order of its fields. */
export function written(body: string): string {
  const value = parsed(body);
  return value === undefined ? body : canonical(value);
}

/** Undefined for a body that is no JSON. */
function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

const INDENT = '    ';
const BASE64 = 'base64:';

/** @throws where a line cannot be read: a transcript is part of the tests. */
export function parse(text: string): Transcript {
  const cast = new Map<string, Json>();
  const cases = new Map<string, Line[]>();
  let lines: Line[] = [];
  const blocks = text.split('\n').reduce<string[]>((all, line) => {
    if (line.startsWith(INDENT)) all.push(`${all.pop()}\n${line.slice(INDENT.length)}`);
    else if (line !== '' && !/^# |^#$/.test(line)) all.push(line);
    return all;
  }, []);
  for (const block of blocks) {
    const [first = '', ...more] = block.split('\n');
    const [, name, model] = /^@(\S+) (.*)$/.exec(first) ?? [];
    if (name !== undefined) cast.set(name, JSON.parse(model ?? ''));
    else if (first.startsWith('## ')) {
      lines = [];
      cases.set(first.slice(3), lines);
    } else {
      const line = read(first, more, cast);
      lines.push(...(line.is === 'told' ? unfolded(line) : [line]));
    }
  }
  return cases;
}

/** Frames that differ in a piece of text alone are written as one, with `{piece}` in its place and the pieces below it. */
function unfolded({ n, frame }: Told): readonly Told[] {
  const [whole = '', list] = frame.split('\n* ');
  if (list === undefined) return [{ is: 'told', n, frame }];
  const pieces = JSON.parse(list) as readonly string[];
  return pieces.map(piece => ({ is: 'told', n, frame: whole.replace('"{piece}"', () => JSON.stringify(piece)) }));
}

function read(first: string, more: readonly string[], cast: ReadonlyMap<string, Json>): Line {
  if (first.startsWith('* ')) return { is: 'cue', text: first.slice(2) };
  const [, number, sign, rest = ''] = /^(\d+) ([>~<.]) ?(.*)$/.exec(first) ?? [];
  const n = Number(number);
  if (sign === '.') return { is: 'ended', n };
  if (sign === '~') return { is: 'told', n, frame: [rest, ...more].join('\n') };
  const headers = Object.fromEntries(more.map(line => line.split(/: (.*)/, 2)));
  if (sign === '>') {
    const [, method = '', path = '', body = ''] = /^(\S+) (\S+) ?(.*)$/.exec(rest) ?? [];
    return { is: 'asked', n, method, path, headers, body };
  }
  const [, status, body = ''] = /^(\d+) ?(.*)$/.exec(rest) ?? [];
  if (sign !== '<' || status === undefined) throw new Error(`a transcript has a line that cannot be read: ${first}`);
  return { is: 'answered', n, status: Number(status), headers, body: bytes(body, cast) };
}

function bytes(body: string, cast: ReadonlyMap<string, Json>): Buffer {
  if (body.startsWith(BASE64)) return Buffer.from(body.slice(BASE64.length), 'base64');
  if (parsed(body) === undefined) return Buffer.from(body);
  const whole = (_: string, part: Json): Json =>
    typeof part === 'object' && part !== null && '@' in part ? actor(String(part['@']), cast) : part;
  return Buffer.from(JSON.stringify(JSON.parse(body, whole)));
}

function actor(name: string, cast: ReadonlyMap<string, Json>): Json {
  const found = cast.get(name);
  if (found === undefined) throw new Error(`a transcript names @${name} and does not say what it is`);
  return found;
}
