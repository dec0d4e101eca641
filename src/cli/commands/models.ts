/** `shotlist models [ID]`: what can be asked of a service, and what it costs. The built-in studio starts for `--live` alone. */
import type { CatalogModel } from '../../api/catalog.ts';
import { modelLibrary } from '../../api/model-library.ts';
import type { CatalogFilters } from '../../api/service.ts';
import { nearest } from '../../domain/nearest.ts';
import { parse, UsageError } from '../arguments.ts';
import { Stop } from '../errors/command-error.ts';
import { guarded } from '../errors/exit-code.ts';
import { KIND_NAMES, kindOf } from '../models/model-kinds.ts';
import { modelList } from '../models/model-list.ts';
import { print } from '../outlets.ts';
import { chatUpstream } from '../service/chat-upstream.ts';
import { answered, type OneOff, oneOff } from '../service/with-service.ts';
import { safeJson } from '../terminal/indented-json.ts';

const WIDTH_OF_A_PAGE = 100;

export const main = guarded(async args => {
  const { values, positionals } = parse(args, {
    service: { type: 'string' },
    search: { type: 'string' },
    developer: { type: 'string' },
    action: { type: 'string' },
    live: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  });
  const [id, ...more] = positionals;
  if (more.length > 0) throw new UsageError(`shotlist models takes one model; ${more.join(' ')} is too much`);
  if (id === undefined && values.live) throw new UsageError('--live refreshes one model: shotlist models ID --live');
  const filters: Filters = {
    ...(values.search !== undefined && { search: values.search }),
    ...(values.developer !== undefined && { developer_name: values.developer }),
    ...(values.action !== undefined && { action: values.action }),
  };
  if (id !== undefined && Object.keys(filters).length > 0)
    throw new UsageError('--search, --developer and --action narrow the list; leave the model out');
  return oneOff(values, async given => {
    const shelf = given.choice.hosted || values.live ? serviceShelf(given) : await studioShelf();
    print(
      id === undefined
        ? listed(await shelf.list(filters), values.json, shelf.footnote)
        : await told(await one(shelf, id, values.live), values.json),
    );
    return 0;
  });
});

type Filters = CatalogFilters & { readonly search?: string };

/** Where models are looked up. */
interface Shelf {
  readonly name: string;
  /** What the prices of the list are. */
  readonly footnote: string;
  list(filters: Filters): Promise<readonly CatalogModel[]>;
  get(id: string, live: boolean): Promise<CatalogModel | undefined>;
}

const THE_STUDIO = 'the built-in studio';

async function studioShelf(): Promise<Shelf> {
  const { staticCatalog } = await import('../../studio/index.ts');
  const catalog = await staticCatalog(modelLibrary, chatUpstream(process.env).chatUpstream);
  return {
    name: THE_STUDIO,
    footnote: 'Prices are examples: the built-in studio charges nothing. `shotlist models ID` tells one in full.',
    list: async filters => catalog.models.filter(model => fits(model, filters)),
    get: async id => catalog.get(id),
  };
}

function serviceShelf({ service, choice, signal }: OneOff): Shelf {
  return {
    name: choice.hosted ? choice.name : THE_STUDIO,
    footnote: 'Prices are what the service tells. `shotlist models ID` tells one model in full.',
    list: async ({ search, ...filters }) => {
      if (search === undefined) return answered(await service.models(signal, filters), signal);
      const found = await service.searchModels(search, signal);
      // Where searching is not offered, the whole list is looked through here.
      if (found.is !== 'absent') return answered(found, signal).filter(model => fits(model, filters));
      return answered(await service.models(signal), signal).filter(model => fits(model, { ...filters, search }));
    },
    get: async (id, live) => {
      const answer = await service.model(id, signal, { live });
      if (answer.is === 'absent') return undefined;
      const found = answered(answer, signal);
      // The settings say which of the service's ids a label stands for; an author writes the label.
      return modelLibrary.get(id) ? { ...found, id } : found;
    },
  };
}

function fits(model: CatalogModel, { search, developer_name: developer, action }: Filters): boolean {
  const { id, display_name, summary, fine_tuning } = model;
  const names = [id, display_name, summary ?? '', KIND_NAMES[kindOf(model)]];
  const actions = fine_tuning?.actions;
  return (
    (search === undefined || names.some(name => name.toLowerCase().includes(search.trim().toLowerCase()))) &&
    (developer === undefined || model.developer?.name.toLowerCase() === developer.toLowerCase()) &&
    (action === undefined || (Array.isArray(actions) && actions.includes(action)))
  );
}

/** @throws Stop with the nearest name. */
async function one(shelf: Shelf, id: string, live: boolean): Promise<CatalogModel> {
  const found = await shelf.get(id, live);
  if (found) return found;
  const near = nearest(
    id,
    (await shelf.list({})).map(model => model.id),
  );
  throw new Stop(
    2,
    `${shelf.name} has no model \`${id}\`; ${near ? `did you mean \`${near}\`?` : 'shotlist models lists what it has'}`,
  );
}

function listed(models: readonly CatalogModel[], json: boolean, footnote: string): string {
  if (json) return `${safeJson({ object: 'list', data: models })}\n`;
  if (models.length === 0) return 'no model fits\n';
  const width = process.stdout.isTTY ? process.stdout.columns : undefined;
  return `${modelList(models, width)}\n\n${footnote}\n`;
}

async function told(model: CatalogModel, json: boolean): Promise<string> {
  const known = modelLibrary.get(model.id);
  // What the interface document says beyond the catalog's Model object stands beside it.
  if (json) return `${safeJson(known ? { ...model, documented: known } : model)}\n`;
  const { modelPage } = await import('../models/model-page.ts');
  return `${modelPage(model, process.stdout.columns ?? WIDTH_OF_A_PAGE)}\n`;
}
