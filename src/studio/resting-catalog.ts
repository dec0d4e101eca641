/** The catalog without a studio: no server, no state on disk, and nothing known of how deployments stand. */
import type { ModelLibrary } from '../domain/model.ts';
import { type Catalog, catalog } from './catalog.ts';
import { WRITER } from './chat/chat-room.ts';
import { upstreamRoom } from './chat/upstream.ts';
import { isCustom, withCustomModels } from './custom-models.ts';
import type { ChatUpstream } from './options.ts';

export function restingCatalog(library: ModelLibrary, upstream?: ChatUpstream): Catalog {
  const offered = withCustomModels(library, { found: () => {} });
  const told = (label: string) => {
    const model = offered.get(label);
    return model && isCustom(model) ? 'unknown' : undefined;
  };
  return catalog(offered, { told }, { strict: false, chat: upstream ? upstreamRoom(upstream) : { nature: WRITER } });
}
