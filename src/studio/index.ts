/**
 * The studio's one door: a service that answers the documented API on this machine, the animatic engine that draws what it is asked
 * for, and the writer that answers chat. Nothing is loaded before it is needed.
 */
import type { ModelLibrary } from '../model/model.ts';
import type { Catalog } from './service/studio-catalog.ts';
import type { Studio, StudioOptions } from './service/studio-options.ts';
import type { ChatUpstream } from './writer/chat-upstream.ts';

export { customModels } from './service/custom-models.ts';
export type { Studio, StudioOptions } from './service/studio-options.ts';
export { VICES, type ViceName, viceList } from './service/vices/vice-table.ts';
export type { ChatUpstream } from './writer/chat-upstream.ts';

/** Resolves when it listens. @throws Refusal where an option cannot be used. */
export const serveStudio = async (options: StudioOptions): Promise<Studio> =>
  (await import('./service/serve.ts')).serveStudio(options);

/** The catalog without a studio: no server, no state on disk, and nothing known of how deployments stand. */
export const staticCatalog = async (library: ModelLibrary, upstream?: ChatUpstream): Promise<Catalog> =>
  (await import('./service/studio-catalog.ts')).staticCatalog(library, upstream);
