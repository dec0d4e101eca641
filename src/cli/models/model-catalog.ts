/** Where models are looked up: the studio's static catalog, or the catalog of a service. */
import type { CatalogModel } from '../../api/catalog.ts';
import { modelLibrary } from '../../api/model-library.ts';
import type { CatalogFilters } from '../../api/service.ts';
import { nearestModel } from '../../domain/model.ts';
import { KIND_NAMES, kindOf } from '../../session/model-from-catalog.ts';
import { CommandError } from '../errors/command-error.ts';
import { chatUpstream } from '../service/chat-upstream-setting.ts';
import { type Connection, valueOrThrow } from '../service/with-service.ts';
import { bestForOf, makesOf } from './model-groups.ts';

export interface Catalog {
  readonly name: string;
  /** What the prices of the list are. */
  readonly footnote: string;
  list(filters: ModelFilters): Promise<readonly CatalogModel[]>;
  get(id: string, how: Freshness): Promise<CatalogModel | undefined>;
}

export type ModelFilters = CatalogFilters & { readonly search?: string };

/** `live`: the deployment, as its provider tells it just now. */
interface Freshness {
  readonly live: boolean;
}

/** @throws CommandError with the nearest name. */
export async function modelIn(catalog: Catalog, id: string, how: Freshness): Promise<CatalogModel> {
  const found = await catalog.get(id, how);
  if (found) return found;
  const labels = (await catalog.list({})).map(model => model.id);
  const near = nearestModel(id, { labels, get: modelLibrary.get });
  throw new CommandError(
    2,
    `${catalog.name} has no model \`${id}\`; ${near ? `did you mean \`${near}\`?` : 'shotlist models lists what it has'}`,
  );
}

const THE_STUDIO = 'the built-in studio';

/** Known without starting the studio. */
export async function studioCatalog(): Promise<Catalog> {
  const { staticCatalog } = await import('../../studio/index.ts');
  const catalog = await staticCatalog(modelLibrary, chatUpstream(process.env).chatUpstream);
  return {
    name: THE_STUDIO,
    footnote: 'Prices are examples: the built-in studio charges nothing. `shotlist models ID` tells one in full.',
    list: async filters => catalog.models.filter(model => fits(model, filters)),
    get: async id => catalog.get(id),
  };
}

export function serviceCatalog({ service, choice, signal }: Connection): Catalog {
  return {
    name: choice.hosted ? choice.name : THE_STUDIO,
    footnote: 'Prices are what the service tells. `shotlist models ID` tells one model in full.',
    list: async ({ search, ...filters }) => {
      if (search === undefined) return valueOrThrow(await service.models(signal, filters), signal);
      // A service searches names alone, or has no search; the list that it sends is searched by label and purpose as well.
      const answer = await service.searchModels(search, signal);
      const named = new Set(answer.is === 'absent' ? [] : valueOrThrow(answer, signal).map(({ id }) => id));
      const all = valueOrThrow(await service.models(signal), signal);
      return all.filter(model => fits(model, filters) && (named.has(model.id) || fits(model, { search })));
    },
    get: async (id, how) => {
      const answer = await service.model(id, signal, how);
      if (answer.is === 'absent') return undefined;
      const found = valueOrThrow(answer, signal);
      // The settings may map a label to one of the service's ids; an author writes the label.
      return modelLibrary.get(id) ? { ...found, id } : found;
    },
  };
}

function fits(model: CatalogModel, { search, developer_name: developer, action }: ModelFilters): boolean {
  const actions = model.fine_tuning?.actions;
  return (
    (search === undefined || holdsWords(model, search)) &&
    (developer === undefined || model.developer?.name.toLowerCase() === developer.toLowerCase()) &&
    (action === undefined || (Array.isArray(actions) && actions.includes(action)))
  );
}

/** Each word stands in its label, its names, or in what it makes and is best for. */
function holdsWords(model: CatalogModel, search: string): boolean {
  const { id, display_name, summary = '' } = model;
  const texts = [id, display_name, summary, KIND_NAMES[kindOf(model)], makesOf(model).group, bestForOf(model) ?? ''];
  const text = texts.join('\n').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word));
}
