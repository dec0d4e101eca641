/** The studio's services, as routes reach them. */
import type { ChatBackend } from '../writer/index.ts';
import type { Catalog } from './catalog.ts';
import type { StudioLibrary } from './custom-models.ts';
import type { EventHub } from './event-hub.ts';
import type { ChatImages } from './inputs/chat-images.ts';
import type { Deployments } from './records/deployments.ts';
import type { FineTunes } from './records/fine-tunes.ts';
import type { GenerationTable } from './records/generations.ts';
import type { IdempotentCalls } from './records/idempotent-calls.ts';
import type { ResultStore } from './records/result-store.ts';
import type { RenderQueue } from './render-queue.ts';

export interface Services {
  /** `http://127.0.0.1:4000`: where this server can be reached now. */
  readonly url: string;
  readonly strict: boolean;
  readonly version: string;
  readonly library: StudioLibrary;
  readonly catalog: Catalog;
  readonly deployments: Deployments;
  readonly fineTunes: FineTunes;
  readonly table: GenerationTable;
  readonly queue: RenderQueue;
  readonly eventHub: EventHub;
  readonly chat: ChatBackend;
  readonly images: ChatImages;
  readonly idempotent: IdempotentCalls;
  readonly results: ResultStore;
}
