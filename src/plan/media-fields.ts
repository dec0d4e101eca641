/** The media a request names: where each stands in the file, and what is known of it. */
import { contentUrl } from '../domain/content-path.ts';
import type { Span } from '../domain/diagnostic.ts';
import type { Json, JsonObject } from '../domain/json.ts';
import type { InstanceKey, StepName } from '../domain/key.ts';
import type { MediaFacts } from '../domain/media.ts';
import { fieldOf, type MediaLimit, type Model } from '../domain/model.ts';
import type { GenerateStep, MapValue, Value } from '../domain/pipeline.ts';
import { isPending } from '../domain/plan.ts';
import { type MediaIndex, MediaTable } from './media-index.ts';
import type { Problem } from './partial-evaluation.ts';
import type { LocalMedia, UnusableFile } from './plan-context.ts';
import type { PlanGraph, Slot } from './plan-graph.ts';
import { messages } from './plan-messages.ts';
import type { Inputs } from './step-inputs.ts';

export interface MediaInput {
  /** `input_video`, `input_image[1]`. */
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

  const see = (field: string, json: Json, value: Value, limit: MediaLimit): Json => {
    const { at } = value;
    if (isPending(json)) {
      inputs.push({ field, at, limit, from: originOf(json.$pending, sources) });
      return json;
    }
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
    if (media.notMedia !== undefined) {
      const message = messages.notMedia(field, json, limit.kind, media.notMedia);
      problems.push({ path: field, at, code: 'unusable-file', message });
      return json;
    }
    inputs.push({ field, at, limit, facts: media.facts, bytes: media.bytes });
    local.set(media.url, { sha256: media.sha256, facts: media.facts, bytes: media.bytes, path: json });
    return media.url;
  };

  for (const { name, value } of fields.entries) {
    const schema = fieldOf(model, name);
    const json = request[name];
    if (!schema || json === undefined) continue;
    const limit = schema.media ?? schema.items?.media;
    if (!limit) continue;
    replaced[name] = Array.isArray(json)
      ? json.map((item, index) =>
          see(`${name}[${index}]`, item, (value.is === 'list' && value.items[index]) || value, limit),
        )
      : see(name, json, value, limit);
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

/** Where a request stands in its author's text. */
export type Placed = Pick<GenerateStep, 'with' | 'modelAt'>;

/** `input_image[1]` → its place in the file; a field that is missing → the step's model. */
export function placeOf(path: string, step: Placed): Span {
  const [, name, index] = /^([^[.]+)(?:\[(\d+)\])?/.exec(path) ?? [];
  const entry = step.with.entries.find(candidate => candidate.name === name);
  if (!entry) return step.modelAt;
  if (index !== undefined && entry.value.is === 'list') return entry.value.items[Number(index)]?.at ?? entry.value.at;
  return entry.value.at;
}

/** A scheme of one letter is a Windows drive. */
export const isUrl = (text: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(text);

/** `each.result_url` and `steps.shot.result_url` name the instance they come from; nothing is claimed of cleverer expressions. */
function originOf(code: string, { graph, slot }: MediaSources): InstanceKey | undefined {
  const [, root, step] = /^(each|steps\.(\w+))\.(?:result_url|file)$/.exec(code.trim()) ?? [];
  if (root === 'each') return slot.each;
  const slots = graph.instances.of(step as StepName);
  return slots.length === 1 ? slots[0]?.key : undefined;
}
