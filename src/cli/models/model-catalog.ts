/** Where models are looked up: the studio's static catalog, or the catalog of a service. */

import type { CatalogModel } from '../../api/catalog.ts';
import { modelLibrary } from '../../api/model-library.ts';
import type { CatalogFilters } from '../../api/service.ts';
import { documented, KIND_NAMES, kindOf } from '../../app/service/model-from-catalog.ts';
import { type ModelKind, nearestModel } from '../../model/model.ts';
import { cellWidth, padEnd, wrapWords } from '../../model/text/cells.ts';
import { cleanText } from '../../model/text/clean.ts';
import { CommandError } from '../errors/command-error.ts';
import { jsonText } from '../outlets.ts';
import { chatUpstream } from '../service/settings-of.ts';
import { type Connection, valueOrThrow } from '../service/with-service.ts';
import { priceRange } from './model-prices.ts';

interface Catalog {
  readonly name: string;
  /** What the prices of the list are. */
  readonly footnote: string;
  list(filters: ModelFilters): Promise<readonly CatalogModel[]>;
  get(id: string, how: Freshness): Promise<CatalogModel | undefined>;
}

export type ModelFilters = CatalogFilters & { readonly search?: string };

/** `live`: the deployment is asked of its provider now. */
interface Freshness {
  readonly live: boolean;
}

/** @throws CommandError with the nearest name. */
export async function modelIn(catalog: Catalog, id: string, how: Freshness): Promise<CatalogModel> {
  const found = await catalog.get(id, how);
  if (found) return found;
  const labels = (await catalog.list({})).map(model => model.id);
  const near = nearestModel(id, { labels, get: modelLibrary.get });
  const instead = near ? `did you mean \`${near}\`?` : 'shotlist models lists what it has';
  throw new CommandError(2, `${catalog.name} has no model \`${id}\`; ${instead}`);
}

const THE_STUDIO = 'the built-in studio';

/** Known without starting the studio. */
export async function studioCatalog(): Promise<Catalog> {
  const { staticCatalog } = await import('../../studio/index.ts');
  const catalog = await staticCatalog(modelLibrary, chatUpstream(process.env).chatUpstream);
  return {
    name: THE_STUDIO,
    footnote: 'Prices are examples: the built-in studio charges nothing. `shotlist models ID` shows one in full.',
    list: async filters => catalog.models.filter(model => fits(model, filters)),
    get: async id => catalog.get(id),
  };
}

export function serviceCatalog({ service, choice, signal }: Connection): Catalog {
  return {
    name: choice.hosted ? choice.name : THE_STUDIO,
    footnote: 'Prices come from the service. `shotlist models ID` shows one model in full.',
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

/** Whether each word occurs in its label, its names, or in what it makes and is best for. */
function holdsWords(model: CatalogModel, search: string): boolean {
  const { id, display_name, summary = '' } = model;
  const texts = [id, display_name, summary, KIND_NAMES[kindOf(model)], makesOf(model).group, bestForOf(model) ?? ''];
  const text = texts.join('\n').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word));
}

type Medium = 'text' | 'image' | 'video' | 'audio';

interface Makes {
  readonly from: readonly Medium[];
  readonly to: 'video' | 'image' | 'text' | 'other';
  /** The heading of its group. */
  readonly group: string;
}

const BY_KIND: Readonly<Record<ModelKind | 'chat_that_sees' | 'other', Makes>> = {
  text_to_video: { from: ['text'], to: 'video', group: 'text → video' },
  image_to_video: { from: ['text', 'image'], to: 'video', group: 'image → video' },
  reference_to_video: {
    from: ['text', 'image', 'video', 'audio'],
    to: 'video',
    group: 'references (faces, images, videos, sounds) → video',
  },
  video_to_video: { from: ['text', 'video'], to: 'video', group: 'video → video, rendered anew' },
  reframe: { from: ['text', 'video'], to: 'video', group: 'video → video, in another shape (reframe)' },
  retake: { from: ['text', 'video'], to: 'video', group: 'video → video, a section anew (retake)' },
  upscale: { from: ['video'], to: 'video', group: 'video → video, larger and finer (upscale)' },
  image_generate: { from: ['text'], to: 'image', group: 'text → image' },
  image_edit: { from: ['text', 'image'], to: 'image', group: 'text, images → image (editing)' },
  chat: { from: ['text'], to: 'text', group: 'text → text (chat)' },
  chat_that_sees: { from: ['text', 'image'], to: 'text', group: 'text, images → text (chat)' },
  other: { from: [], to: 'other', group: 'other' },
};

const GROUPS: readonly string[] = Object.values(BY_KIND).map(({ group }) => group);

function makesOf(model: CatalogModel): Makes {
  const kind = kindOf(model);
  const known = documented(model)?.chat;
  const sees = kind === 'chat' && (known?.acceptsImages ?? model.capabilities.input.includes('image'));
  return BY_KIND[sees ? 'chat_that_sees' : kind];
}

/** Undefined for a model that only a catalog knows; a custom one has words of its own. */
const bestForOf = ({ id }: CatalogModel): string | undefined => modelLibrary.get(id)?.bestFor;

/** From here on there is room for a column more. */
const WIDE = 150;
/** Cells of a text that is broken into lines; a narrower page breaks the lines itself. */
const NARROWEST = 24;
/** Cells of what a model is best for, on a wide page; a pipe breaks nothing. */
const BEST_FOR = 56;

interface Row {
  readonly group: string;
  readonly id: string;
  readonly price: string;
  readonly byToken: boolean;
  readonly bestFor: string | undefined;
  readonly about: string;
  /** `(active)`, or empty. */
  readonly status: string;
}

/** @param width cells of a line; what is longer goes on below. */
export function modelList(models: readonly CatalogModel[], width = Number.POSITIVE_INFINITY): string {
  const rows = models.map(
    (model): Row => ({
      group: makesOf(model).group,
      id: cleanText(model.id),
      price: priceRange(model.pricing),
      byToken: model.pricing.method === 'token',
      bestFor: bestForOf(model),
      about: cleanText(aboutOf(model)),
      status: cleanText(statusOf(model)),
    }),
  );
  const ids = Math.max(...rows.map(({ id }) => cellWidth(id)));
  const prices = Math.max(...rows.map(({ price }) => cellWidth(price)));
  const text = width - ids - prices - 6;
  const bestFors = Math.max(0, ...rows.map(({ bestFor }) => cellWidth(bestFor ?? '')));
  const middle = Number.isFinite(width) ? Math.min(BEST_FOR, bestFors) : bestFors;
  return GROUPS.flatMap(group => {
    const members = rows.filter(row => row.group === group);
    if (members.length === 0) return [];
    const heading = members.some(row => row.byToken) ? `${group}, for a million tokens` : group;
    const lines = members.flatMap(row => {
      const [first = '', ...more] = textLines(row, text, width >= WIDE ? middle : undefined);
      const head = `  ${padEnd(row.id, ids)}  ${padEnd(row.price, prices)}  ${first}`.trimEnd();
      return [head, ...more.map(line => `${' '.repeat(ids + prices + 6)}${line}`)];
    });
    return [[...wrapWords(heading, width), ...lines].join('\n')];
  }).join('\n\n');
}

/** The text after the price. `middle`: cells of what it is best for, where its limits have a column of their own. */
function textLines({ bestFor, about, status }: Row, room: number, middle: number | undefined): readonly string[] {
  if (middle === undefined || bestFor === undefined)
    return wrapWords(`${bestFor ?? about} ${status}`.trim(), Math.max(NARROWEST, room));
  const left = wrapWords(bestFor, middle);
  const right = wrapWords(`${about} ${status}`.trim(), Math.max(NARROWEST, room - middle - 2));
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) =>
    `${padEnd(left[at] ?? '', middle)}  ${right[at] ?? ''}`.trimEnd(),
  );
}

const aboutOf = ({ summary, display_name, id }: CatalogModel): string =>
  summary ?? (display_name === id ? '' : display_name);

function statusOf({ deployments }: CatalogModel): string {
  const known = deployments.filter(({ status }) => status !== 'unknown');
  return known.length === 0 ? '' : `(${known.map(({ status }) => status).join(', ')})`;
}

export const catalogText = (models: readonly CatalogModel[], { footnote }: Catalog, isJson: boolean): string =>
  isJson ? jsonText({ object: 'list', data: models.map(withMakes) }) : `${listText(models, footnote)}\n`;

/** The catalog's Model object, with what it makes of what, and what it is best for. */
export function withMakes(model: CatalogModel) {
  const { from, to } = makesOf(model);
  const bestFor = bestForOf(model);
  return { ...model, makes: { from, to }, ...(bestFor !== undefined && { best_for: bestFor }) };
}

function listText(models: readonly CatalogModel[], footnote: string): string {
  if (models.length === 0) return 'no model fits';
  const width = process.stdout.isTTY ? process.stdout.columns : undefined;
  return `${modelList(models, width)}\n\n${footnote}`;
}
