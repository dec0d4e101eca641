/** The studio as a program sees it: its options, and its parts. Its types need none of Node's: a program may have none. */

import type { Clock } from '../../machine/time/clock.ts';
import type { ModelLibrary } from '../../model/model.ts';
import type { Renderer } from '../animatic/renderer.ts';
import type { ChatUpstream } from '../writer/chat-upstream.ts';
import type { ViceName } from './vices/vice-table.ts';

export interface StudioOptions {
  /** Its state. One server at a time. */
  readonly folder: string;
  /** 0, the default, takes a free one. */
  readonly port?: number;
  readonly host?: string;
  readonly key: string;
  readonly speed: 'full' | 'draft';
  /** Only what the interface document promises: everything that was merely observed is switched off. */
  readonly strict?: boolean;
  /** How fast requests may come; default: unlimited. */
  readonly rate?: Rate;
  /** Folders with files that a request may name by `file:` URL. */
  readonly localFiles?: readonly string[];
  /** A service of the user's own that chat is passed on to; without one a small writer answers. */
  readonly chatUpstream?: ChatUpstream;
  /** Renderers are started, and warmed up, before the first request. */
  readonly standBy?: boolean;
  /** A folder where what was drawn is kept by its content, so that nothing is drawn twice; several studios may share it. */
  readonly cache?: string;
  /** How many generations are rendered at once; default: half the cores, within memory. */
  readonly workers?: number;
  /** Environment of the renderers. Nothing by default: they decode strangers' media, and ours holds keys. */
  readonly environment?: { readonly [name: string]: string | undefined };
  /** How it misbehaves, by the names in `VICES`: `answers-504`, `history-lags=5`. The same seed gives the same day. */
  readonly vices?: readonly (ViceName | `${ViceName}=${number}` | (string & {}))[];
  readonly seed?: number;
  readonly version?: string;
  readonly log?: (line: string) => void;
  readonly clock?: Clock;
  readonly newId?: () => string;
  readonly renderer?: Renderer;
  readonly library?: ModelLibrary;
  /** Default: the renderer's. */
  readonly probe?: Renderer['probe'];
}

export interface Studio {
  /** `http://127.0.0.1:4000` */
  readonly url: string;
  /** Ends streams, stops renders (they are done again by the next server) and lets go of the folder. */
  close(): Promise<void>;
}

export interface Rate {
  /** Requests in a second; as many may come at once. Below 1: one request in so many seconds. */
  readonly perSecond: number;
}
