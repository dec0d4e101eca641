/** The catalog without a studio: no server, no state on disk, and nothing known of how deployments stand. A model for tests is found by its id only. */
import type { ModelLibrary } from '../../model/model.ts';
import type { ChatUpstream } from '../writer/chat-upstream.ts';
import { upstreamBackend, WRITER_NATURE } from '../writer/index.ts';
import { type Catalog, catalog } from './catalog.ts';
import { isCustom, withCustomModels } from './custom-models.ts';

export function staticCatalog(library: ModelLibrary, upstream?: ChatUpstream): Catalog {
  const offered = withCustomModels(library, { register: () => {} });
  const lastKnown = (label: string) => {
    const model = offered.get(label);
    return model && isCustom(model) ? 'unknown' : undefined;
  };
  const all = catalog(
    offered,
    { lastKnown },
    { strict: false, chat: upstream ? upstreamBackend(upstream) : { description: WRITER_NATURE } },
  );
  return {
    get models() {
      return all.models.filter(({ id }) => !offered.get(id)?.forTests);
    },
    get: all.get,
  };
}
