/** A model that only the service's catalog knows, in the shape our own checks read. */
import type { CatalogModel } from '../api/catalog.ts';
import { MEDIA_ENDPOINTS } from '../api/routes.ts';
import type { JsonObject } from '../domain/json.ts';
import type { Model, RequestSchema } from '../domain/model.ts';

/** Undefined when it makes no media. What its schema does not say is not checked here: the service has the last word. */
export function modelOf(found: CatalogModel): Model | undefined {
  const endpoint = MEDIA_ENDPOINTS.find(known => known === found.endpoint);
  if (endpoint === undefined) return undefined;
  const isVideo = endpoint === '/videos/generate';
  return {
    label: found.id,
    kind: isVideo ? 'text_to_video' : 'image_generate',
    summary: found.summary ?? found.display_name,
    endpoint,
    produces: isVideo ? 'video' : 'image',
    request: requestSchema(found.request_schema ?? {}),
    undocumentedFields: found.request_schema?.additionalProperties !== false,
    rules: [],
    pricing: found.pricing as unknown as JsonObject,
    returns: {},
  };
}

/** Without what would have a validator look elsewhere, and with what our own code leans on. */
function requestSchema(schema: JsonObject): RequestSchema {
  const { $ref: _, $schema: __, $id: ___, ...own } = schema;
  const { model: ____, ...properties } = isObject(own.properties) ? own.properties : {};
  const required = Array.isArray(own.required) ? own.required.filter(name => name !== 'model') : [];
  const additionalProperties = own.additionalProperties !== false;
  return { ...own, type: 'object', properties, required, additionalProperties } as unknown as RequestSchema;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
