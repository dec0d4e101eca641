/**
 * A service that is nothing but a transcript. Cues part a case into scenes. A request is answered by the first line of its scene that
 * asks the same (method, path, telling headers, body) and was not asked yet; an answer, or a frame, that stands after a cue waits for it.
 * A GET may be asked more often than it is written: it hears its scene's last answer again. Anything else that is not in the
 * transcript fails the case, and so does whatever the case no longer asks.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect, onTestFinished } from 'vitest';
import { connect } from '../../src/client/connect.ts';
import { canonical, type Json } from '../../src/model/text/json.ts';
import { KEY } from '../studio/fake-studio.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { closeServer, listen, readAll } from './conformance-proxy.ts';
import type { ServiceFixture } from './service-fixture.ts';

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
const sameness = ({ method, path, headers, body }: Omit<Asked, 'is' | 'n'>): string =>
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
const JSON_TYPE = 'application/json; charset=utf-8';

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

interface Open {
  readonly asked: Asked;
  readonly response: ServerResponse;
  sent: number;
}

export class Replay {
  readonly #lines: readonly Line[];
  readonly #key: string;
  readonly #taken = new Set<Line>();
  readonly #open: Open[] = [];
  readonly #objections: string[] = [];
  #watching: (() => void)[] = [];
  /** Lines before this one may be played: a cue that was not given yet, or the end. */
  #scene: number;
  #url = '';
  #elsewhere = '';
  readonly #server = createServer((request, response) => void this.#hear(request, response));
  readonly #storage = createServer((request, response) => void this.#hear(request, response, '{elsewhere}'));

  constructor(lines: readonly Line[], key: string) {
    this.#lines = lines;
    this.#key = key;
    this.#scene = this.#nextCue(0);
  }

  async open(): Promise<string> {
    this.#url = await listen(this.#server);
    this.#elsewhere = await listen(this.#storage);
    return this.#url;
  }

  /** Differences from the recording. */
  async close(): Promise<readonly string[]> {
    const unasked = this.#unasked(this.#lines.length).map(
      line => `never asked: ${line.method} ${line.path} ${line.body}`,
    );
    const uncued = this.#lines.slice(this.#scene).flatMap(line => (line.is === 'cue' ? [`no cue: ${line.text}`] : []));
    await Promise.all([closeServer(this.#server), closeServer(this.#storage)]);
    return [...this.#objections, ...unasked, ...uncued];
  }

  /** The case has something happen. Everything that was recorded before it must have been asked. */
  cue(text: string): void {
    const cue = this.#lines[this.#scene];
    if (cue?.is !== 'cue' || cue.text !== text) {
      this.#fail(
        `the case has \`${text}\` happen, the transcript has ${cue?.is === 'cue' ? `\`${cue.text}\`` : 'its end'}`,
      );
    }
    const [missing] = this.#unasked(this.#scene);
    if (missing) this.#fail(`\`${text}\` comes before ${missing.method} ${missing.path}, which was recorded before it`);
    this.#scene = this.#nextCue(this.#scene + 1);
    this.#play();
  }

  /** A cue of the service's own making: it comes when everything before it was asked. */
  async begins(): Promise<void> {
    while (this.#unasked(this.#scene).length > 0) {
      if (this.#objections.length > 0) this.#fail('nothing begins that is not in the transcript');
      await new Promise<void>(resolve => this.#watching.push(resolve));
    }
    this.cue('begins');
  }

  async #hear(request: IncomingMessage, response: ServerResponse, origin = ''): Promise<void> {
    response.on('error', () => {});
    const body = this.#placeless((await readAll(request)).toString('utf8'));
    const method = request.method ?? '';
    const path = origin + request.url;
    const headers = telling(request.headers, this.#key);
    const same = sameness({ method, path, headers, body: written(body) });
    const alike = this.#lines.filter(line => line.is === 'asked' && sameness(line) === same) as Asked[];
    const asked = this.#answering(alike, method);
    if (asked === undefined) {
      this.#objections.push(`not in the transcript: ${same.replaceAll('\n', ' ')}`);
      this.#wake();
      return void response
        .writeHead(418, { 'content-type': 'application/json' })
        .end('{"error":"not in the transcript"}');
    }
    this.#taken.add(asked);
    this.#open.push({ asked, response, sent: 0 });
    this.#play();
    this.#wake();
  }

  #wake(): void {
    for (const look of this.#watching.splice(0)) look();
  }

  #answering(alike: readonly Asked[], method: string): Asked | undefined {
    const isNow = (line: Line) => this.#lines.indexOf(line) < this.#scene;
    const next = alike.find(line => !this.#taken.has(line));
    if (next !== undefined && isNow(next)) return next;
    const begun = this.#lines.slice(0, this.#scene).findLastIndex(line => line.is === 'cue');
    const again = alike.findLast(line => this.#taken.has(line) && this.#lines.indexOf(line) > begun);
    if (method === 'GET') return again;
    return next;
  }

  #play(): void {
    for (const open of this.#open) {
      const { asked, response } = open;
      const script = this.#lines.filter(
        (line): line is Answered | Told | Ended => line.is !== 'asked' && line.is !== 'cue' && line.n === asked.n,
      );
      for (const line of script.slice(open.sent)) {
        if (!this.#isDue(line)) break;
        open.sent++;
        if (line.is === 'ended') response.end();
        else if (line.is === 'told') response.write(`${this.#placed(line.frame)}\n\n`);
        else this.#answer(line, asked.method, response);
      }
    }
  }

  /** A frame comes after everything that was asked before it; an answer only after its cue. */
  #isDue(line: Line): boolean {
    const at = this.#lines.indexOf(line);
    return at < this.#scene && (line.is === 'answered' || this.#unasked(at).length === 0);
  }

  #answer({ status, headers, body }: Answered, method: string, response: ServerResponse): void {
    const type = headers['content-type'] ?? JSON_TYPE;
    response.writeHead(status, { ...(body.length > 0 ? { 'content-type': type } : {}), ...headers });
    if (type.startsWith('text/event-stream')) return void response.flushHeaders();
    const text = /json|text/.test(type) ? Buffer.from(this.#placed(body.toString('utf8'))) : body;
    response.end(method === 'HEAD' ? undefined : text);
  }

  #placed(text: string): string {
    return text.replaceAll('{service}', this.#url).replaceAll('{elsewhere}', this.#elsewhere);
  }

  #placeless(text: string): string {
    return text.replaceAll(this.#url, '{service}').replaceAll(this.#elsewhere, '{elsewhere}');
  }

  #unasked(before: number): readonly Asked[] {
    return this.#lines
      .slice(0, before)
      .filter((line): line is Asked => line.is === 'asked')
      .filter(line => !this.#taken.has(line));
  }

  #nextCue(from: number): number {
    const found = this.#lines.findIndex((line, n) => n >= from && line.is === 'cue');
    return found < 0 ? this.#lines.length : found;
  }

  #fail(why: string): never {
    this.#objections.push(why);
    throw new Error(why);
  }
}

/** A transcript over real HTTP, asked by the client that films are made with. `otherwise` is the advice where the case and its lines differ. */
export async function replayFixture(lines: readonly Line[], otherwise: string): Promise<ServiceFixture> {
  const replay = new Replay(lines, KEY);
  const url = await replay.open();
  const clock = new FakeClock();
  const common = { name: 'house', baseUrl: url, clock };
  const [service, stranger] = [connect({ ...common, key: KEY }), connect({ ...common, key: 'another-key' })];
  onTestFinished(async () => {
    await Promise.all([service.close(), stranger.close()]);
    expect(await replay.close(), `the case and its transcript differ: ${otherwise}`).toEqual([]);
  });
  return {
    url,
    key: KEY,
    strict: false,
    service,
    stranger,
    finish: async id => replay.cue(`finish ${id}`),
    fail: async (id, message) => replay.cue(`fail ${id}: ${message}`),
    begun: () => {
      replay.cue('begun: 0');
      return 0;
    },
    next: async () => {
      await replay.begins();
      return {
        finish: async () => replay.cue('ends well'),
        refuse: message => replay.cue(`is refused: ${message}`),
        breakDown: () => replay.cue('breaks down'),
      };
    },
    later: async ms => {
      replay.cue(`${ms} ms pass`);
      await clock.advance(ms);
    },
    upstream: unable,
    close: unable,
  };
}

const unable = async (): Promise<never> => {
  throw new Error('no transcript has a service that closes, or passes chat on');
};
