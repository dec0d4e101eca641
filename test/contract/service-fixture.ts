/** A service that cases are tried on, wherever it lives, and how they may control it. */
import type { Service } from '../../src/api/service.ts';
import type { MediaFacts } from '../../src/model/media/media.ts';

/** A service to be tried in the way that every implementation of its port allows, and its strings. */
export interface QueueFixture {
  readonly service: Service;
  /** The same service, asked with a key that is not its own. */
  readonly stranger?: Service;
  /** Ends a generation that was taken. */
  finish(id: string): Promise<void>;
  fail(id: string, message: string): Promise<void>;
}

export interface ServiceFixture extends QueueFixture {
  /** Base address. */
  readonly url: string;
  /** What comes back as `Bearer <key>` is let in. */
  readonly key: string;
  /** Offers only what the document promises. */
  readonly strict: boolean;
  readonly stranger: Service;
  /** Resolves when the service has begun the next piece of work. */
  next(): Promise<Work>;
  /** How many pieces of work were begun. */
  readonly begun: () => number;
  /** Lets so many milliseconds pass at the service. */
  later(ms: number): Promise<void>;
  /** What becomes of the chat that the service passes on. */
  upstream(way: Upstream): Promise<void>;
  /** The service shuts down. */
  close(): Promise<void>;
}

interface Work {
  finish(): Promise<void>;
  /** Through the fault of the request, which its sender is told. */
  refuse(message: string): void;
  /** Through no fault of the request. */
  breakDown(): void;
}

/** Someone chat is passed on to: they answer, they break down, they are gone. */
type Upstream = 'answers' | 'breaks down' | 'is gone';

/** What a case asks of its surroundings. */
export interface FixtureNeeds {
  /** Requests in a second; more are refused. */
  readonly perSecond?: number;
  /** Chat is passed on to somebody. */
  readonly upstream?: true;
  /** What is found at addresses of the public internet. */
  readonly media?: { readonly [url: string]: Medium };
}
export interface Medium {
  readonly facts: MediaFacts;
  /** Few, when not told. */
  readonly bytes?: number;
}

export type Open = (needs?: FixtureNeeds) => Promise<ServiceFixture>;
/** A case that opens its service itself, once. */
export type Case = (open: Open) => Promise<void>;
export type Cases = Readonly<Record<string, Case>>;
/** Cases that are given their service open, asked by the client that films are made with. */
export type OpenCases<Fixture = ServiceFixture> = Readonly<Record<string, (fixture: Fixture) => Promise<void>>>;

export const now = (): AbortSignal => new AbortController().signal;
