/**
 * What the steps of a used file read as `params`: the values that they are given where the file is used, or their defaults. A path of a
 * local file is relative to the file that it is written in: it is looked up where it is given.
 */
import { fileURLToPath } from 'node:url';
import type { Source, Span } from '../domain/diagnostic.ts';
import type { Json, JsonObject } from '../domain/json.ts';
import type { Param, UsedFile, Value } from '../domain/pipeline.ts';
import { isUrl } from './media-address.ts';
import type { MediaIndex, MediaTable } from './media-index.ts';
import { problemOf } from './param-values.ts';
import type { PlanContext } from './plan-context.ts';
import { messages } from './plan-messages.ts';

export interface GivenContext {
  readonly file: UsedFile;
  /** Where the values stand. */
  readonly source: Source;
  /** For paths as they are written there. */
  readonly localMedia: PlanContext['localMedia'];
  /** The media of other instances among what the values read. */
  readonly around: MediaIndex | undefined;
  /** Takes up the local files that were found. */
  readonly found: MediaTable;
}

interface Reading {
  /** Undefined while it is not known. */
  readonly evaluate: (value: Value) => Json | undefined;
  readonly report: (problem: { readonly message: string; readonly at: Span; readonly source: Source }) => void;
}

/** Each is evaluated when it is read, and once. */
export function givenParams(
  given: ReadonlyMap<string, Value>,
  context: GivenContext,
  { evaluate, report }: Reading,
): JsonObject {
  const params: JsonObject = {};
  for (const param of context.file.params) {
    const value = given.get(param.name);
    let known: { readonly value: Json } | undefined;
    const read = (): Json => {
      if (!value) return param.schema.default ?? null;
      const json = evaluate(value);
      if (json === undefined) return null;
      const tell = (message: string) => report({ message, at: value.at, source: context.source });
      return checked(param, json, context, tell);
    };
    Object.defineProperty(params, param.name, {
      get: () => {
        known ??= { value: read() };
        return known.value;
      },
      enumerable: true,
    });
  }
  return params;
}

function checked(
  { name, schema, secret }: Param,
  json: Json,
  context: GivenContext,
  tell: (message: string) => void,
): Json {
  const wrong = problemOf(name, json, schema);
  if (wrong !== undefined) tell(secret ? messages.givenSecretUnfit(name) : wrong);
  return context.file.mediaParams.has(name) ? located(name, json, context, tell) : json;
}

/** A local file by its whole path; whatever else leads to media stays as it is. */
function located(name: string, json: Json, context: GivenContext, tell: (message: string) => void): Json {
  if (Array.isArray(json)) return (json as readonly Json[]).map(item => located(name, item, context, tell));
  const { localMedia, around, found } = context;
  if (typeof json !== 'string' || json === '' || isUrl(json) || around?.get(json) || found.get(json)) return json;
  const local = localMedia(json);
  if (!local || 'unusable' in local) {
    tell(local ? messages.unusableFile(name, json, local.unusable) : messages.noSuchFile(name, json));
    return json;
  }
  const { sha256, facts, bytes, url } = local;
  const path = url.startsWith('file:') ? fileURLToPath(url) : undefined;
  found.set(path ?? url, { sha256, facts, bytes, ...(path !== undefined && { path }) });
  return path ?? url;
}
