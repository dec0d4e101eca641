/** Params as given on the command line, made what the file declares: defaults filled in, texts read as numbers where numbers are wanted. */
import { fileURLToPath } from 'node:url';
import type { Source, Span } from '../../model/diagnostic.ts';
import type { Param, Pipeline, UsedFile, Value } from '../../model/pipeline.ts';
import { type Json, type JsonObject, parseJson } from '../../model/text/json.ts';
import { nearest } from '../../model/text/nearest.ts';
import { canBeHidden, MIN_SECRET_LENGTH } from '../../model/variable-access.ts';
import type { MediaIndex, MediaTable } from '../media/media-index.ts';
import { isUrl } from '../media/media-index.ts';
import type { PlanDiagnostics } from '../obstacles.ts';
import type { PlanContext } from '../plan-context.ts';
import { messages } from '../plan-messages.ts';
import { HIDDEN } from './redaction.ts';

export function paramValues({ params }: Pipeline, given: JsonObject, diagnostics: PlanDiagnostics): JsonObject {
  const names = params.map(param => param.name);
  // A secret with a mistyped name is one all the same.
  const hides = params.some(({ secret }) => secret);
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue;
    const { source, nameAt } = onTheCommandLine(name, hides ? HIDDEN : (given[name] ?? null));
    diagnostics.error('unknown-param', messages.unknownParam(name, nearest(name, names), names), nameAt, source);
  }
  const values: Record<string, Json> = {};
  for (const { name, at, schema, secret } of params) {
    const raw = Object.hasOwn(given, name) ? given[name] : undefined;
    if (raw === undefined) {
      if (schema.default === undefined) diagnostics.error('missing-param', messages.paramMissing(name), at);
      else values[name] = schema.default;
      continue;
    }
    const value = coerced(raw, schema);
    const wrong = secret ? problemOfSecret(name, value, schema) : problemOf(name, value, schema);
    if (wrong !== undefined) {
      const { source, valueAt } = onTheCommandLine(name, secret ? HIDDEN : raw);
      diagnostics.error('wrong-param', wrong, valueAt, source);
    }
    values[name] = value;
  }
  return values;
}

/** In words that do not hold the value. */
function problemOfSecret(name: string, value: Json, schema: JsonObject): string | undefined {
  if (typeof value !== 'string') return messages.paramType(name, 'string', HIDDEN);
  if (value.length < MIN_SECRET_LENGTH || !canBeHidden(value)) return messages.secretTooPlain(name, MIN_SECRET_LENGTH);
  return problemOf(name, value, schema);
}

/** `n=3`, as it was typed: the text a diagnostic points into. */
function onTheCommandLine(
  name: string,
  value: Json,
): { readonly source: Source; readonly nameAt: Span; readonly valueAt: Span } {
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  const text = `${name}=${shown}`;
  return {
    source: { path: '--param', text },
    nameAt: { start: 0, end: name.length },
    valueAt: { start: name.length + 1, end: Math.max(text.length, name.length + 2) },
  };
}

/** The shell gives text; a text that cannot be read as its type stays text, and the diagnostic shows it. */
function coerced(value: Json, { type }: JsonObject): Json {
  if (typeof value !== 'string' || type === 'string') return value;
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  if (type === 'array') return listOf(value);
  const number = Number(value);
  return value.trim() !== '' && Number.isFinite(number) ? number : value;
}

/** `[a, b]` as JSON. */
function listOf(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** The first rule of its schema that a value breaks; the file's own check knows the same few keywords. */
function problemOf(name: string, value: Json, schema: JsonObject): string | undefined {
  const { type, minimum, maximum, minLength, maxLength, minItems, maxItems, items } = schema;
  if (typeof type === 'string' && !isOf(type, value)) return messages.paramType(name, type, value);
  if (Array.isArray(schema.enum) && !(schema.enum as readonly Json[]).includes(value))
    return messages.paramEnum(name, schema.enum as readonly Json[], value);
  if (typeof value === 'number') {
    if (typeof minimum === 'number' && value < minimum)
      return messages.paramBound(name, `be at least ${minimum}`, `not ${value}`);
    if (typeof maximum === 'number' && value > maximum)
      return messages.paramBound(name, `be at most ${maximum}`, `not ${value}`);
  }
  if (typeof value === 'string') {
    const length = [...value].length;
    if (typeof minLength === 'number' && length < minLength)
      return messages.paramBound(name, `have at least ${minLength} characters`, `it has ${length}`);
    if (typeof maxLength === 'number' && length > maxLength)
      return messages.paramBound(name, `have at most ${maxLength} characters`, `it has ${length}`);
  }
  if (!Array.isArray(value)) return undefined;
  const list = value as readonly Json[];
  if (typeof minItems === 'number' && list.length < minItems)
    return messages.paramBound(name, `have at least ${minItems} items`, `it has ${list.length}`);
  if (typeof maxItems === 'number' && list.length > maxItems)
    return messages.paramBound(name, `have at most ${maxItems} items`, `it has ${list.length}`);
  if (typeof items !== 'object' || items === null || Array.isArray(items)) return undefined;
  for (const [index, item] of list.entries()) {
    const wrong = problemOf(`${name}[${index}]`, item, items as JsonObject);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function isOf(type: string, value: Json): boolean {
  switch (type) {
    case 'integer':
      return Number.isSafeInteger(value);
    case 'array':
      return Array.isArray(value);
    default:
      return typeof value === type;
  }
}

// What the steps of a used file read as `params`: the values that they are given where the file is used, or their defaults. A path of a
// local file is relative to the file that it is written in: it is looked up where it is given.

interface GivenContext {
  readonly file: UsedFile;
  /** The file that the values are in. */
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
      const reportHere = (message: string) => report({ message, at: value.at, source: context.source });
      return checked(param, json, context, reportHere);
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
  reportHere: (message: string) => void,
): Json {
  const wrong = problemOf(name, json, schema);
  if (wrong !== undefined) reportHere(secret ? messages.givenSecretUnfit(name) : wrong);
  return context.file.mediaParams.has(name) ? located(name, json, context, reportHere) : json;
}

/** A local file by its whole path; whatever else leads to media stays as it is. */
function located(name: string, json: Json, context: GivenContext, reportHere: (message: string) => void): Json {
  if (Array.isArray(json)) return (json as readonly Json[]).map(item => located(name, item, context, reportHere));
  const { localMedia, around, found } = context;
  if (typeof json !== 'string' || json === '' || isUrl(json) || around?.get(json) || found.get(json)) return json;
  const local = localMedia(json);
  if (!local || 'unusable' in local) {
    reportHere(local ? messages.unusableFile(name, json, local.unusable) : messages.noSuchFile(name, json));
    return json;
  }
  const { sha256, facts, bytes, url } = local;
  const path = url.startsWith('file:') ? fileURLToPath(url) : undefined;
  found.set(path ?? url, { sha256, facts, bytes, ...(path !== undefined && { path }) });
  return path ?? url;
}
