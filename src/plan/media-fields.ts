/** The media a request names: where each stands in the file, and what is known of it. */
import { imagesField } from '../domain/chat-images.ts';
import { contentUrl } from '../domain/content-path.ts';
import type { Span } from '../domain/diagnostic.ts';
import { isObject, type Json, type JsonObject } from '../domain/json.ts';
import type { InstanceKey, StepName } from '../domain/key.ts';
import type { MediaFacts } from '../domain/media.ts';
import { mapMedia, type Part, pathOf, pathText } from '../domain/media-places.ts';
import { fieldOf, type MediaLimit, type Model } from '../domain/model.ts';
import type { GenerateStep, MapValue, Value } from '../domain/pipeline.ts';
import { isPending } from '../domain/plan.ts';
import { kindOfPath } from '../language/types.ts';
import { type MediaIndex, MediaTable } from './media-index.ts';
import type { Problem } from './partial-evaluation.ts';
import type { LocalMedia, UnusableFile } from './plan-context.ts';
import type { PlanGraph, Slot } from './plan-graph.ts';
import { messages } from './plan-messages.ts';
import type { Inputs } from './step-inputs.ts';

export interface MediaInput {
  /** `input_video`, `input_image[1]`, `messages[0].content[1].image_url.url`. */
  readonly field: string;
  readonly at: Span;
  readonly limit: MediaLimit;
  readonly facts?: MediaFacts | undefined;
  readonly bytes?: number | undefined;
  /** The instance it comes from, where it comes from one. */
  readonly from?: InstanceKey | undefined;
}

/** The media of a field; of a list, the first. */
export const inputOf = (field: string, inputs: readonly MediaInput[]): MediaInput | undefined =>
  inputs.find(input => input.field === field || input.field === `${field}[0]`);

export interface MediaOfRequest {
  /** The request with the author's paths replaced by addresses. */
  readonly request: JsonObject;
  readonly inputs: readonly MediaInput[];
  /** By address as it stands in the request: results of other instances, and the author's own files. */
  readonly known: MediaIndex;
  readonly problems: readonly Problem[];
}

export interface MediaSources {
  readonly graph: PlanGraph;
  readonly slot: Slot;
  readonly inputs: Inputs;
  readonly localMedia: (path: string) => LocalMedia | UnusableFile | undefined;
}

export function mediaOf(request: JsonObject, model: Model, fields: MapValue, sources: MediaSources): MediaOfRequest {
  const inputs: MediaInput[] = [];
  const problems: Problem[] = [];
  const local = new MediaTable();
  const replaced: Record<string, Json> = {};

  const see = (given: Json, path: readonly Part[], limit: MediaLimit): Json => {
    const field = pathText(path);
    const at = placeAt(fields, path);
    if (isPending(given)) {
      inputs.push({ field, at, limit, from: originOf(given.$pending, sources) });
      return given;
    }
    const json = isObject(given) && typeof given.file === 'string' ? given.file : given;
    if (typeof json !== 'string') return json;
    const known = sources.inputs.known.get(json);
    if (known) {
      inputs.push({ field, at, limit, facts: known.facts, bytes: known.bytes, from: known.from });
      if (known.path === undefined) return json;
      const own = sources.localMedia(json);
      const url = own && 'url' in own ? own.url : contentUrl(json);
      local.set(url, known);
      return url;
    }
    if (isUrl(json)) return json;
    const media = sources.localMedia(json);
    if (!media || 'unusable' in media) {
      problems.push({ path: field, at, ...unusable(field, json, media) });
      return json;
    }
    if (media.notMedia !== undefined || (media.facts === undefined && !mayBeUnreadable(json, limit))) {
      const message = messages.notMedia(field, json, limit.kind, media.notMedia);
      problems.push({ path: field, at, code: 'unusable-file', message });
      return json;
    }
    inputs.push({ field, at, limit, facts: media.facts, bytes: media.bytes });
    local.set(media.url, { sha256: media.sha256, facts: media.facts, bytes: media.bytes, path: json });
    return media.url;
  };

  for (const { name } of fields.entries) {
    const schema = fieldOf(model, name) ?? (name === 'images' ? imagesField(model) : undefined);
    const json = request[name];
    if (schema && json !== undefined) replaced[name] = mapMedia(schema, json, [name], see);
  }
  const known = sources.inputs.known.with(local);
  return { request: local.size === 0 ? request : { ...request, ...replaced }, inputs, known, problems };
}

/** What is wrong with a path that leads to nothing, or to nothing that can be used. */
export const unusable = (
  field: string,
  path: string,
  found: UnusableFile | undefined,
): { readonly message: string; readonly code: string } => ({
  message: found ? messages.unusableFile(field, path, found.unusable) : messages.noSuchFile(field, path),
  code: found && found.code === undefined ? 'unusable-file' : 'no-such-file',
});
/** A clip in a codec that nobody here reads stays unknown, and is no error; a text that calls itself nothing is one. */
const mayBeUnreadable = (path: string, { kind }: MediaLimit): boolean => kind !== 'image' && kindOfPath(path) === kind;

/** Where a request stands in its author's text. */
export type Placed = Pick<GenerateStep, 'with' | 'modelAt'>;

/** `input_image[1]` → its place in the file; a field that is missing → the step's model. */
export function placeOf(path: string, step: Placed): Span {
  const parts = pathOf(path);
  const isThere = step.with.entries.some(({ name }) => name === parts[0]);
  return isThere ? placeAt(step.with, parts) : step.modelAt;
}

/** The deepest place that the author wrote for it: an expression stands for all that it gives. */
export function placeAt(fields: MapValue, path: readonly Part[]): Span {
  let value: Value = fields;
  for (const part of path) {
    let inner: Value | undefined;
    if (value.is === 'map') inner = value.entries.find(({ name }) => name === part)?.value;
    if (value.is === 'list' && typeof part === 'number') inner = value.items[part];
    if (!inner) break;
    value = inner;
  }
  return value.at;
}

/** A scheme of one letter is a Windows drive. */
export const isUrl = (text: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(text);

/** `each.result_url` and `steps.shot.result_url` name the instance they come from; nothing is claimed of cleverer expressions. */
function originOf(code: string, { graph, slot }: MediaSources): InstanceKey | undefined {
  const [, root, step] = /^(each|each\.\w+|previous|steps\.(\w+))\.(?:result_url|file)$/.exec(code.trim()) ?? [];
  if (root === 'previous') return slot.previous;
  if (root === 'each') return slot.each?.[0];
  const joined = /^each\.(\w+)$/.exec(root ?? '')?.[1];
  if (joined !== undefined) return slot.each?.[slot.step.fanOut.each.findIndex(({ name }) => name === joined)];
  const slots = graph.instances.of(step as StepName);
  return slots.length === 1 ? slots[0]?.key : undefined;
}
