/** A service that cases are tried on, wherever it lives, and how they may control it. */
import type { Service } from '../../src/api/service.ts';
import type { MediaFacts } from '../../src/model/media/media.ts';
import type { CatalogFixture } from './catalog.cases.ts';
import type { QueueFixture } from './queue.cases.ts';
import type { SyncFixture } from './sync.cases.ts';

export interface ServiceFixture extends QueueFixture, CatalogFixture, SyncFixture {
  /** Base address. */
  readonly url: string;
  /** What comes back as `Bearer <key>` is let in. */
  readonly key: string;
  /** Offers only what the document promises. */
  readonly strict: boolean;
  readonly stranger: Service;
  /** What becomes of the chat that the service passes on. */
  upstream(way: Upstream): Promise<void>;
  /** The service shuts down. */
  close(): Promise<void>;
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
