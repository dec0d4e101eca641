/** A model that only the service's catalog knows, in the shape our own checks read. */
import type { CatalogModel } from '../../api/catalog.ts';
import { modelLibrary } from '../../api/model-library.ts';
import { MEDIA_ENDPOINTS } from '../../api/routes.ts';
import { isObject, type Json, type JsonObject } from '../../domain/json.ts';
import type { Model, RequestSchema } from '../../domain/model.ts';
import { kindOf } from './model-kinds.ts';

/** Undefined when its endpoint is none we know. What its schema does not say is not checked here: the service has the last word. */
export function modelOf(found: CatalogModel): Model | undefined {
  const endpoint = endpointOf(found);
  if (endpoint === undefined) return undefined;
  return {
    label: found.id,
    ...MAKES[endpoint],
    summary: found.summary ?? found.display_name,
    endpoint,
    request: requestSchema(found.request_schema ?? (endpoint === CHAT ? CHAT_SCHEMA : {})),
    undocumentedFields: found.request_schema?.additionalProperties !== false,
    rules: [],
    pricing: found.pricing as unknown as JsonObject,
    returns: {},
  };
}

/** The document's catalog tells no `/images/edit`, and sends edits there all the same: their kind says so. */
function endpointOf(found: CatalogModel): Model['endpoint'] | undefined {
  const told = ENDPOINTS.find(known => known === found.endpoint);
  return told === '/images/generate' && kindOf(found) === 'image_edit' ? '/images/edit' : told;
}

const CHAT = '/chat/completions';
const ENDPOINTS = [...MEDIA_ENDPOINTS, CHAT] as const;

/** As much of a kind as an endpoint tells. */
const MAKES: { readonly [endpoint in Model['endpoint']]: Pick<Model, 'kind' | 'produces'> } = {
  '/videos/generate': { kind: 'text_to_video', produces: 'video' },
  '/images/generate': { kind: 'image_generate', produces: 'image' },
  '/images/edit': { kind: 'image_edit', produces: 'image' },
  '/chat/completions': { kind: 'chat', produces: 'text' },
};

/** All chat models of the document take one body; an unknown one takes at least that. */
const CHAT_SCHEMA = modelLibrary.get('C-A')?.request as unknown as JsonObject;

/** Without what would have a validator look elsewhere or wait, and with what our own code leans on. */
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
    // With a pattern that cannot be read, nobody can say which names it lets through.
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
