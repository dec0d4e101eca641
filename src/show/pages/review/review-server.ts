/**
 * The review page, served to this machine: the page itself, the stream of what changes, the media that are under review, and one place that
 * takes decisions. It holds nothing but the token: every open page, in any tab, shows the journal as it is now.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pageBundle, typeSheet } from '../../../machine/files/page-bundle.ts';
import type { Clock } from '../../../machine/time/clock.ts';
import { cleanText } from '../../../model/text/clean.ts';
import type { Store } from '../../../records/store/store.ts';
import { pageDocument } from '../page-document.ts';
import { readAction } from './action.ts';
import { admission } from './admission.ts';
import { ReviewMedia } from './review-media.ts';
import { messages } from './review-messages.ts';
import type { LiveSource, ReviewAction, ReviewAnswer, ReviewChange, ReviewReply, ReviewState } from './review-state.ts';
import { serveFile } from './serve-file.ts';

/** Where a review page has its film from, and who keeps what is decided: `app/review/` is it on this machine. */
export interface ReviewSource {
  /** Reads everything after the call. Never rejects: an obstacle to reading the film is a part of the state. */
  look(): Promise<ReviewState>;
  /** Calls with each state that is read for any follower: the first soon, others after each change. Without a follower nothing is read. */
  follow(changed: (state: ReviewState) => void): () => void;
  /** Resolves when it is kept, or is not, and why. */
  carryOut(action: ReviewAction): Promise<ReviewAnswer>;
  readonly store: Pick<Store, 'has' | 'pathOf' | 'partials'>;
}

interface ReviewServing {
  readonly source: ReviewSource;
  readonly clock: Clock;
  /** Shown beside it: a film that is being written. */
  readonly live?: LiveSource;
  /** 0: any that is free. */
  readonly port: number;
  /** Receives mistakes of ours. */
  readonly log: (line: string) => void;
}

export interface ReviewServer {
  /** With the token: its holder may decide. */
  readonly url: string;
  /** Another way in, which can be used once: it may be seen by others of this machine, in the list of its processes. */
  singleUseUrl(): string;
  close(): Promise<void>;
}

/** Milliseconds between two signs of life. */
const BEAT = 15_000;
/** Pages that are open at once. */
const MAX_STREAMS = 32;
/** Bytes of a decision. */
const MAX_ACTION_BYTES = 256 * 1024;
const TIMES = { headersTimeout: 15_000, requestTimeout: 30_000, keepAliveTimeout: 60_000 };

/** @throws the system's error where the port is taken. */
export async function serveReview({ port, ...serving }: ReviewServing): Promise<ReviewServer> {
  const token = randomBytes(24).toString('base64url');
  const room = new Room({ ...serving, token });
  const server = createServer(TIMES, (request, response) => void room.answer(request, response));
  await listening(server, port);
  room.port = (server.address() as AddressInfo).port;
  const base = `http://127.0.0.1:${room.port}`;
  return {
    url: `${base}/${token}/`,
    singleUseUrl: () => `${base}/${room.letIn()}/`,
    close: async () => {
      room.close();
      await new Promise<void>(closed => {
        server.close(() => closed());
        server.closeAllConnections();
      });
    },
  };
}

const listening = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });

interface RoomTerms extends Omit<ReviewServing, 'port'> {
  readonly token: string;
}

class Room {
  port = 0;
  readonly #terms: RoomTerms;
  readonly #media: ReviewMedia;
  readonly #streams = new Set<ChangeStream>();
  readonly #end = new AbortController();
  readonly #singleUse = new Set<string>();
  #stopFollowing: (() => void) | undefined;
  /** The last state: a live page gets it at once. */
  #last: ReviewState | undefined;
  /** Of the last state that was sent. */
  #version = 0;

  constructor(terms: RoomTerms) {
    this.#terms = terms;
    this.#media = new ReviewMedia({ store: terms.source.store, clock: terms.clock });
    void this.#beat();
  }

  /** A word that opens the page once. */
  letIn(): string {
    const word = randomBytes(18).toString('base64url');
    this.#singleUse.add(word);
    return word;
  }

  close(): void {
    this.#end.abort();
    this.#stopFollowing?.();
    for (const stream of this.#streams) stream.end();
    this.#media.close();
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => response.destroy());
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    try {
      if (this.#isFirstVisit(request)) return this.#leadToPage(response);
      const coming = admission(request, { token: this.#terms.token, port: this.port });
      if (coming.is === 'refused') return refuse(response, coming.status, coming.words);
      await (request.method === 'POST'
        ? this.#decide(coming.path, request, response)
        : this.#give(coming.path, request, response));
    } catch (bug) {
      this.#terms.log(`the review page could not be answered: ${bug instanceof Error ? bug.stack : String(bug)}`);
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'a mistake of ours; the terminal that opened the review has it');
    }
  }

  /** A request with a wrong host does not get in by this either: the word stays good. */
  #isFirstVisit(request: IncomingMessage): boolean {
    const [, word = ''] = /^\/([\w-]+)\/$/.exec(request.url ?? '') ?? [];
    if (request.method !== 'GET' || !this.#singleUse.has(word)) return false;
    if (admission(request, { token: word, port: this.port }).is !== 'in') return false;
    return this.#singleUse.delete(word);
  }

  #leadToPage(response: ServerResponse): void {
    response.writeHead(303, { location: `/${this.#terms.token}/`, 'cache-control': 'no-store' }).end();
  }

  async #give(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    switch (path) {
      case '':
        return await this.#page(response);
      case 'events':
        return await this.#stream(response);
      default: {
        const [, first = ''] = /^first\/([0-9a-f]{64})$/.exec(path) ?? [];
        const picture = first === '' ? undefined : this.#terms.live?.picture(first);
        if (picture) return givePicture(response, picture);
        const found = await this.#media.find(path);
        if (found.is === 'none') return refuse(response, found.status, found.words);
        if (!(await serveFile(request, response, found))) refuse(response, 410, messages.notOnThisMachine());
      }
    }
  }

  async #page(response: ServerResponse): Promise<void> {
    const [found, bundle, type] = await Promise.all([this.#terms.source.look(), pageBundle('review'), typeSheet()]);
    const state = this.#withLive(found);
    this.#media.show(state);
    const html = pageDocument({
      title: `${cleanText(state.head.name)} · Shotlist review`,
      generator: 'Shotlist review',
      ...{ bundle, type, body: REVIEW_BODY, data: state, allows: ["connect-src 'self'"] },
    });
    // The policy that the page itself cannot state: no other page frames it.
    response.setHeader('content-security-policy', "frame-ancestors 'none'");
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    response.end(html);
  }

  async #stream(response: ServerResponse): Promise<void> {
    if (this.#streams.size >= MAX_STREAMS) return refuse(response, 503, messages.tooMany());
    const stream = new ChangeStream(response);
    this.#streams.add(stream);
    response.on('close', () => {
      this.#streams.delete(stream);
      if (this.#streams.size > 0) return;
      this.#stopFollowing?.();
      this.#stopFollowing = undefined;
    });
    // The first page that follows gets its state by that, any other by a look for it.
    if (this.#stopFollowing) await this.#terms.source.look();
    else this.#stopFollowing = this.#follow();
  }

  #follow(): () => void {
    const { source, live } = this.#terms;
    const stops = [source.follow(state => this.#send(state)), live?.follow(() => this.#last && this.#send(this.#last))];
    return () => {
      for (const stop of stops) stop?.();
    };
  }

  #withLive(found: ReviewState): ReviewState {
    this.#last = found;
    const { live } = this.#terms;
    return live ? { ...found, live: live.state } : found;
  }

  #send(found: ReviewState): void {
    const change = this.#change(found);
    for (const stream of this.#streams) stream.send(change);
  }

  #change(found: ReviewState): ReviewChange {
    const state = this.#withLive(found);
    this.#media.show(state);
    this.#version += 1;
    return { version: this.#version, ...state, order: state.questions.map(({ key }) => key) };
  }

  async #decide(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (path !== 'decide') return refuse(response, 404, messages.nothingHere());
    // What a form of another page can send has other types than this.
    if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
      return refuse(response, 415, messages.wrongMethod());
    const text = await textOf(request);
    if (text === undefined) return refuse(response, 413, messages.badAction('it is too long'));
    const action = readAction(text);
    if (typeof action === 'string') return refuse(response, 400, messages.badAction(action));
    const { source } = this.#terms;
    const answer = await source.carryOut(action);
    const reply: ReviewReply = { answer, now: this.#change(await source.look()) };
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
    response.end(JSON.stringify(reply));
  }

  async #beat(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      await this.#terms.clock.sleep(BEAT, signal, 'in the background');
      for (const stream of this.#streams) stream.beat();
    }
  }
}

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};

function givePicture(response: ServerResponse, jpeg: Uint8Array): void {
  response.writeHead(200, { 'content-type': 'image/jpeg', 'cache-control': 'private, max-age=3600, immutable' });
  response.end(jpeg);
}

function refuse(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
  response.end(`${words}\n`);
}

/** Undefined: it is larger than any decision. */
async function textOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // The rest is read and dropped: closing while the client still writes would lose our answer.
    if (bytes <= MAX_ACTION_BYTES) chunks.push(chunk);
  }
  return bytes > MAX_ACTION_BYTES ? undefined : Buffer.concat(chunks).toString('utf8');
}

/** The page before anything is drawn. Nothing of a film is in it. */
const REVIEW_BODY = `<div id="room" class="room"></div>
<noscript><p class="without">This page is drawn by the script that stands in it; this browser runs none. shotlist pick and shotlist approve do the same at a terminal.</p></noscript>`;

/** The event stream of one page that is open: what changed, and a sign of life, so that a page that slept for a night notices. */

/** Bytes that a page may be behind: one that sleeps is let go of, and asks for everything when it wakes. */
const MAX_BEHIND = 4e6;

class ChangeStream {
  readonly #response: ServerResponse;
  /** As they were sent last. */
  #sent: ReadonlyMap<string, string> = new Map();
  #head = '';

  constructor(response: ServerResponse) {
    this.#response = response;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    response.write('retry: 1000\n\n');
  }

  /** Sends what differs from what was sent before. */
  send({ questions, ...all }: ReviewChange): void {
    const now = new Map(questions.map(one => [one.key as string, JSON.stringify(one)]));
    const changed = questions.filter(({ key }) => now.get(key) !== this.#sent.get(key));
    const headNow = JSON.stringify([all.head, all.live, all.order]);
    if (changed.length === 0 && headNow === this.#head) return;
    this.#sent = now;
    this.#head = headNow;
    this.#write(`event: change\ndata: ${JSON.stringify({ ...all, questions: changed } satisfies ReviewChange)}\n\n`);
  }

  beat(): void {
    this.#write('event: beat\ndata: \n\n');
  }

  end(): void {
    // The page stops asking: no one is there any more.
    this.#response.end('event: closed\ndata: \n\n');
  }

  #write(text: string): void {
    if (this.#response.writableLength > MAX_BEHIND) this.#response.destroy();
    else if (this.#response.writable) this.#response.write(text);
  }
}
