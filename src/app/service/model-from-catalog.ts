/** The models that a file may name: the interface document's labels, and what the service's own catalog has beside them, in the shape that our checks read. */
import type { CatalogModel } from '../../api/catalog.ts';
import { modelLibrary } from '../../api/model-library.ts';
import { MEDIA_ENDPOINTS } from '../../api/routes.ts';
import type { Model, ModelKind, ModelLibrary, RequestSchema } from '../../model/model.ts';
import { isObject, type Json, type JsonObject } from '../../model/text/json.ts';
import { customModels } from '../../studio/index.ts';

/** Undefined where its endpoint is unknown. Only its schema is checked: the service decides. */
export function modelFromCatalog(found: CatalogModel): Model | undefined {
  const endpoint = endpointOf(found);
  if (endpoint === undefined) return undefined;
  return {
    label: found.id,
    ...MAKES[endpoint],
    summary: found.summary ?? found.display_name,
    endpoint,
    request: requestSchema(found.request_schema ?? (endpoint === CHAT ? chatSchema(found) : {})),
    undocumentedFields: found.request_schema?.additionalProperties !== false,
    rules: [],
    pricing: found.pricing as unknown as JsonObject,
    returns: {},
  };
}

/** The document's catalog never names `/images/edit`, and yet image edits are sent there: the model's kind decides which are edits. */
function endpointOf(found: CatalogModel): Model['endpoint'] | undefined {
  const listed = ENDPOINTS.find(known => known === found.endpoint);
  return listed === '/images/generate' && kindOf(found) === 'image_edit' ? '/images/edit' : listed;
}

const CHAT = '/chat/completions';
const ENDPOINTS = [...MEDIA_ENDPOINTS, CHAT] as const;

/** The kind and the product, as far as the endpoint determines them. */
const MAKES: { readonly [endpoint in Model['endpoint']]: Pick<Model, 'kind' | 'produces'> } = {
  '/videos/generate': { kind: 'text_to_video', produces: 'video' },
  '/images/generate': { kind: 'image_generate', produces: 'image' },
  '/images/edit': { kind: 'image_edit', produces: 'image' },
  '/chat/completions': { kind: 'chat', produces: 'text' },
};

/** All chat models of the document take one body, those that see with images in it; an unknown one takes at least that. */
const chatSchema = ({ capabilities }: CatalogModel): JsonObject =>
  modelLibrary.get(capabilities.input.includes('image') ? 'C-B' : 'C-A')?.request as unknown as JsonObject;

/** Drops references and async validation, which a validator would have to fetch or await, and adds what our own code relies on. */
function requestSchema(schema: JsonObject): RequestSchema {
  const { $ref: _, $schema: __, $id: ___, $async: ____, patternProperties, ...own } = schema;
  const { model: _____, ...properties } = isObject(own.properties) ? own.properties : {};
  const fields = Object.entries(properties).map(([name, field]) => [name, isObject(field) ? field : {}]);
  const patterns = Object.entries(isObject(patternProperties) ? patternProperties : {}).filter(isPattern);
  return {
    ...own,
    type: 'object',
    properties: Object.fromEntries(fields),
    required: Array.isArray(own.required)
      ? own.required.filter(name => typeof name === 'string' && name !== 'model')
      : [],
    // A pattern that cannot be read may allow any name.
    additionalProperties:
      own.additionalProperties !== false || patterns.length < Object.keys(patternProperties ?? {}).length,
    ...(patterns.length > 0 ? { patternProperties: Object.fromEntries(patterns) } : {}),
  } as unknown as RequestSchema;
}

function isPattern([pattern]: readonly [string, Json]): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** In the order of the document. */
export const KIND_NAMES: Readonly<Record<ModelKind | 'other', string>> = {
  text_to_video: 'text to video',
  image_to_video: 'image to video',
  video_to_video: 'video to video',
  reframe: 'reframe',
  retake: 'retake',
  upscale: 'upscale',
  reference_to_video: 'reference to video',
  image_edit: 'image editing',
  image_generate: 'image generation',
  chat: 'chat',
  other: 'other',
};

/** The document's entry for a label, or for the label that a custom model was made from. */
export const documented = ({ id, source_model }: CatalogModel): Model | undefined =>
  modelLibrary.get(id) ?? (source_model === null ? undefined : modelLibrary.get(source_model));

export function kindOf(model: CatalogModel): ModelKind | 'other' {
  const known = documented(model);
  if (known) return known.kind;
  const takes = (modality: string) => model.capabilities.input.includes(modality);
  if (model.endpoint.endsWith('/chat/completions')) return 'chat';
  if (model.endpoint.endsWith('/images/edit')) return 'image_edit';
  if (model.endpoint.endsWith('/images/generate')) return takes('image') ? 'image_edit' : 'image_generate';
  if (!model.endpoint.endsWith('/videos/generate')) return 'other';
  return takes('video') ? 'video_to_video' : takes('image') ? 'image_to_video' : 'text_to_video';
}

/** What the built-in studio offers is known without asking it. */
export const studioLibrary: ModelLibrary = libraryWith(customModels(modelLibrary));

/** @param found the service's catalog; a label means what the document defines, whatever the catalog lists for it. */
export const catalogLibrary = (found: readonly CatalogModel[]): ModelLibrary =>
  libraryWith(
    found
      .filter(({ id }) => modelLibrary.get(id) === undefined)
      .map(modelFromCatalog)
      .filter(model => model !== undefined),
  );

function libraryWith(more: readonly Model[]): ModelLibrary {
  const byLabel = new Map(more.map(model => [model.label, model]));
  return {
    get: label => modelLibrary.get(label) ?? byLabel.get(label),
    labels: [...modelLibrary.labels, ...byLabel.keys()],
  };
}
