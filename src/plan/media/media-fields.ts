/** The media a request names: the place of each in the file, what is known of it, and the limits of the interface on it. */

import { kindOfPath } from '../../language/types/types.ts';
import type { Span } from '../../model/diagnostic.ts';
import { imagesField } from '../../model/media/chat-images.ts';
import { type DerivedPart, derivedFacts, partName } from '../../model/media/derived-media.ts';
import { isMeasured, type MediaFacts, shapeOf } from '../../model/media/media.ts';
import { fieldOf, type MediaLimit, type Model, mapMedia, type Part, pathOf, pathText } from '../../model/model.ts';
import type { GenerateStep, MapValue, Value } from '../../model/pipeline.ts';
import { isPending } from '../../model/plan.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import { contentUrl } from '../../model/run/result.ts';
import { isObject, type Json, type JsonObject } from '../../model/text/json.ts';
import type { UnusableFile } from '../plan-context.ts';
import { messages } from '../plan-messages.ts';
import type { Problem } from '../values/partial-evaluation.ts';
import { isUrl, type MediaIndex, MediaTable } from './media-index.ts';
import { type MediaSources, type Origins, originsOf } from './media-origins.ts';

export interface MediaInput {
  /** `input_video`, `input_image[1]`, `messages[0].content[1].image_url.url`. */
  readonly field: string;
  readonly at: Span;
  readonly limit: MediaLimit;
  readonly facts?: MediaFacts | undefined;
  readonly bytes?: number | undefined;
  /** The instance it comes from, where it comes from one. */
  readonly from?: InstanceKey | undefined;
  /** A frame of that instance's video, or its sound. `facts` are its own. */
  readonly part?: DerivedPart | undefined;
  /** Of a file of the author's, as the file names it. */
  readonly path?: string;
  /** All that it may come from, where that is not decided yet. */
  readonly either?: Origins;
}

/** The media of a field; of a list, the first. */
export const inputOf = (field: string, inputs: readonly MediaInput[]): MediaInput | undefined =>
  inputs.find(input => input.field === field || input.field === `${field}[0]`);

/** Of a list that is not there yet. Thousands may read thousands, and are looked at when they are there. */
const MOST_LOOKED_AT = 32;

interface MediaOfRequest {
  /** The request with the author's paths replaced by addresses. */
  readonly request: JsonObject;
  readonly inputs: readonly MediaInput[];
  /** By address in the request: results of other instances, and the author's own files. */
  readonly known: MediaIndex;
  readonly problems: readonly Problem[];
}

export function mediaOf(request: JsonObject, model: Model, fields: MapValue, sources: MediaSources): MediaOfRequest {
  const seen: Seen = { inputs: [], counts: new Map(), problems: [], local: new MediaTable() };
  const replaced: Record<string, Json> = {};
  for (const { name } of fields.entries) {
    const schema = fieldOf(model, name) ?? (name === 'images' ? imagesField(model) : undefined);
    const json = request[name];
    if (!schema || json === undefined) continue;
    replaced[name] = mapMedia(schema, json, [name], (given, path, limit) => {
      const place = { field: pathText(path), at: placeAt(fields, path), limit };
      if (!isPending(given)) return addressOf(given, place, sources, seen);
      notePending(originsOf(valueAt(fields, path), sources), path, place, seen);
      return given;
    });
    // A list that is not there yet, and will be too long.
    const count = seen.counts.get(name) ?? 0;
    if (schema.maxItems !== undefined && count > schema.maxItems) {
      const message = messages.tooMany(name, schema.maxItems, count);
      seen.problems.push({ path: name, at: placeAt(fields, [name]), message });
    }
  }
  const { inputs, problems, local } = seen;
  const known = sources.inputs.known.with(local);
  return { request: local.size === 0 ? request : { ...request, ...replaced }, inputs, known, problems };
}

interface Seen {
  readonly inputs: MediaInput[];
  /** How many items each list will have that is not there yet. */
  readonly counts: Map<string, number>;
  readonly problems: Problem[];
  readonly local: MediaTable;
}

type MediaPlace = Pick<MediaInput, 'field' | 'at' | 'limit'>;

function notePending(
  origins: ReturnType<typeof originsOf>,
  path: readonly Part[],
  place: MediaPlace,
  { inputs, counts }: Seen,
): void {
  const { field } = place;
  if (origins?.is !== 'list') inputs.push({ ...place, ...(origins && originIn(origins.origins)) });
  else if (path.length === 1) {
    counts.set(field, origins.length);
    for (let at = 0; at < Math.min(origins.length, MOST_LOOKED_AT); at++)
      inputs.push({ ...place, field: `${field}[${at}]`, ...originIn(origins.item(at)) });
  }
}

/** The address that is sent for it. */
function addressOf(given: Json, place: MediaPlace, sources: MediaSources, { inputs, problems, local }: Seen): Json {
  const { field, at, limit } = place;
  const json = isObject(given) && typeof given.file === 'string' ? given.file : given;
  if (typeof json !== 'string') return json;
  const known = sources.inputs.known.get(json);
  if (known) {
    inputs.push({ ...place, facts: known.facts, bytes: known.bytes, from: known.from, part: known.part });
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
  const { facts, bytes, sha256, notMedia, url } = media;
  if (notMedia !== undefined || (facts === undefined && !mayBeUnreadable(json, limit))) {
    const message = messages.notMedia(field, json, limit.kind, notMedia);
    problems.push({ path: field, at, code: 'unusable-file', message });
    return json;
  }
  inputs.push({ ...place, facts, bytes, path: json });
  local.set(url, { sha256, facts, bytes, path: json });
  return url;
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
/** A clip in a codec that cannot be read here stays unknown, and is no error; a text that calls itself nothing is one. */
const mayBeUnreadable = (path: string, { kind }: MediaLimit): boolean => kind !== 'image' && kindOfPath(path) === kind;

/** The place of a request in its author's text. */
type Placed = Pick<GenerateStep, 'with' | 'modelAt'>;

/** `input_image[1]` → its place in the file; a field that is missing → the step's model. */
export function placeOf(path: string, step: Placed): Span {
  const parts = pathOf(path);
  const isThere = step.with.entries.some(({ name }) => name === parts[0]);
  return isThere ? placeAt(step.with, parts) : step.modelAt;
}

/** The deepest place that the author wrote for it: an expression means all that it gives. */
export const placeAt = (fields: MapValue, path: readonly Part[]): Span => valueAt(fields, path).at;

function valueAt(fields: MapValue, path: readonly Part[]): Value {
  let value: Value = fields;
  for (const part of path) {
    let inner: Value | undefined;
    if (value.is === 'map') inner = value.entries.find(({ name }) => name === part)?.value;
    if (value.is === 'list' && typeof part === 'number') inner = value.items[part];
    if (!inner) break;
    value = inner;
  }
  return value;
}

/** Where one medium comes from, or all that it may come from. */
export const originIn = (origins: Origins): Pick<MediaInput, 'facts' | 'from' | 'either'> => {
  const [only, ...others] = origins;
  return others.length === 0 ? { ...only } : { either: origins };
};

/** Seconds: encoders pad the last frame, and an MP3's length is an estimate. */
const TOLERANCE = 0.1;

export function brokenLimits(
  step: Placed,
  model: Model,
  request: JsonObject,
  inputs: readonly MediaInput[],
  /** What is expected of media that do not exist yet. */
  expected: (input: MediaInput) => MediaFacts | undefined = () => undefined,
): readonly Problem[] {
  return inputs.flatMap(input => {
    const facts = input.facts ?? expected(input);
    const is = { field: input.field, from: nameOf(input), label: model.label };
    const section = brokenSection(model, request, input, facts);
    return [
      ...[...mediaMessages(input, facts, is)].map(message => ({ path: input.field, message, at: input.at })),
      ...(section ? [{ ...section, at: placeOf(section.path, step) }] : []),
    ];
  });
}

/** `framed`, or `framed or trimmed` where that is not decided yet. */
function nameOf(input: MediaInput): string | undefined {
  const { either } = input;
  if (!either) return nameOfOrigin(input);
  const names = either.map(nameOfOrigin);
  return names.includes(undefined) ? undefined : [...new Set(names)].join(' or ');
}

/** `shot`, `last_frame of shot[beat=2]` */
const nameOfOrigin = ({ from, part }: Pick<MediaInput, 'from' | 'part'>): string | undefined =>
  from === undefined || !part ? from : `${partName(part)} of ${from}`;

interface Named {
  readonly field: string;
  readonly from: string | undefined;
  readonly label: string;
}

function* mediaMessages({ limit, bytes }: MediaInput, facts: MediaFacts | undefined, is: Named): Iterable<string> {
  if (limit.maxBytes !== undefined && bytes !== undefined && bytes > limit.maxBytes)
    yield messages.tooLarge(is, limit.maxBytes, bytes);
  if (!facts) return;
  if (facts.kind !== limit.kind) return yield messages.wrongKind(is, limit.kind, facts.kind);
  if (limit.formats && facts.format !== undefined && !limit.formats.includes(facts.format))
    yield messages.wrongFormat(is, limit.formats, facts.format);
  const side = Math.max(facts.width ?? 0, facts.height ?? 0);
  if (limit.maxSide !== undefined && side > limit.maxSide) yield messages.tooWide(is, limit.maxSide, side);
  if (!isMeasured(facts.duration)) return;
  if (limit.maxSeconds !== undefined && facts.duration > limit.maxSeconds + TOLERANCE)
    yield messages.tooLong(is, limit.maxSeconds, facts.duration);
  if (limit.minSeconds !== undefined && facts.duration < limit.minSeconds - TOLERANCE)
    yield messages.tooShort(is, limit.minSeconds, facts.duration);
}

/** A retake's section lies within its clip. Where it begins may be left to the model: then it is at least no longer. */
function brokenSection(
  model: Model,
  { retake_start_time: start, retake_duration: length }: JsonObject,
  input: MediaInput,
  facts: MediaFacts | undefined,
): { readonly path: string; readonly message: string } | undefined {
  if (model.kind !== 'retake' || input.field !== 'input_video' || !isMeasured(facts?.duration)) return undefined;
  const { duration } = facts as { readonly duration: number };
  const seconds = typeof length === 'number' ? length : 0;
  if (typeof start !== 'number') {
    const message = messages.sectionTooLong(nameOf(input), seconds, duration);
    return seconds <= duration + TOLERANCE ? undefined : { path: 'retake_duration', message };
  }
  const end = start + seconds;
  const isInside = start < duration && end <= duration + TOLERANCE;
  return isInside
    ? undefined
    : { path: 'retake_start_time', message: messages.sectionPastEnd(nameOf(input), start, end, duration) };
}

// Facts of a result before it exists: kind, size, length, rate, sound. Facts flow along the graph (`keep` in a model's description names the field with the facts that survive
// ). Unknown stays unknown: a check never fails because of a fact that is missing.

/** `ratio` is width over height, known more often than the size itself. */
export interface ExpectedFacts {
  readonly media: MediaFacts;
  readonly ratio?: number;
}

export function expectedFacts(
  model: Model,
  request: JsonObject,
  kept: (field: string) => ExpectedFacts | undefined,
): ExpectedFacts | undefined {
  if (model.produces === 'text') return undefined;
  const fact = <T>(
    source: FactSource | undefined,
    read: (value: Json) => T | undefined,
    keep: (facts: ExpectedFacts) => T | undefined,
  ) =>
    factOf(source, request, read, field => {
      const facts = kept(field);
      return facts && keep(facts);
    });
  const { returns } = model;
  const ratio = fact(returns.ratio, ratioOf, ratioOfFacts);
  const side = fact(returns.resolution, shortSideOf, () => undefined);
  const size = ratio !== undefined && side !== undefined ? sizeOf(ratio, side) : undefined;
  const duration = fact(returns.duration, secondsOf, facts => facts.media.duration);
  const fps = fact(returns.fps, positive, facts => facts.media.fps);
  const format = fact(
    returns.format,
    value => (typeof value === 'string' ? value : undefined),
    () => undefined,
  );
  const codec = returns.video_codec?.cases[String(request[returns.video_codec.from])];
  // "Has sound" is a claim only with a codec; "has none" is one without.
  const silent = fact(
    returns.audio,
    value => (typeof value === 'boolean' ? !value : undefined),
    facts => (facts.media.audio_codec === null ? true : undefined),
  );
  return {
    media: {
      kind: model.produces,
      ...size,
      ...(duration !== undefined && { duration }),
      ...(fps !== undefined && { fps }),
      ...(format !== undefined && { format }),
      ...(codec !== undefined && { video_codec: codec }),
      ...(silent === true && { audio_codec: null }),
    },
    ...(ratio !== undefined && { ratio }),
  };
}

/** Facts of media that exist. */
export const knownFacts = (media: MediaFacts): ExpectedFacts => ({ media });

/** Facts of a frame or of the sound of a video that does not exist yet. A still has none: that is reported where it is read. */
export function factsOfPart(part: DerivedPart, video: ExpectedFacts | undefined): ExpectedFacts | undefined {
  if (video && video.media.kind !== 'video') return undefined;
  const media = derivedFacts(part, video?.media);
  return media && { media, ...(media.kind === 'image' && video?.ratio !== undefined && { ratio: video.ratio }) };
}

/** What holds whichever of them it turns out to be. Of one of which nothing is known, nothing holds. */
export function agreed(all: readonly (ExpectedFacts | undefined)[]): ExpectedFacts | undefined {
  return all.reduce((one, other) => one && other && both(one, other));
}

function both(one: ExpectedFacts, other: ExpectedFacts): ExpectedFacts | undefined {
  if (one.media.kind !== other.media.kind) return undefined;
  const [ratio, second] = [ratioOfFacts(one), ratioOfFacts(other)];
  const shared = Object.entries(one.media).filter(([name, fact]) => other.media[name as keyof MediaFacts] === fact);
  return {
    media: Object.fromEntries(shared) as unknown as MediaFacts,
    ...(ratio !== undefined && ratio === second && { ratio }),
  };
}

interface FactSource {
  readonly from?: string;
  readonly keep?: string;
  readonly unless?: string;
  readonly default?: Json;
}

/** The request's own word first, then the source's, then the document's default. */
function factOf<T>(
  source: FactSource | undefined,
  request: JsonObject,
  read: (value: Json) => T | undefined,
  keep: (field: string) => T | undefined,
): T | undefined {
  if (!source) return undefined;
  const asked = source.from === undefined ? undefined : request[source.from];
  if (asked !== undefined) return isPending(asked) ? undefined : read(asked);
  const changes = source.unless === undefined ? false : (request[source.unless] ?? false);
  if (changes !== false) return undefined;
  if (source.keep !== undefined) return keep(source.keep);
  return source.default === undefined ? undefined : read(source.default);
}

function ratioOf(value: Json): number | undefined {
  const [, width, height] = /^(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)$/.exec(String(value)) ?? [];
  const ratio = Number(width) / Number(height);
  return Number.isFinite(ratio) && ratio > 0 ? ratio : undefined;
}

function ratioOfFacts({ media: { width, height }, ratio }: ExpectedFacts): number | undefined {
  return width && height ? shapeOf({ width, height }) : ratio;
}

/** `720P` and `1080p` name the short side; `2K`, `4 MP` name something else, and nothing is claimed of them. */
function shortSideOf(value: Json): number | undefined {
  const [, side] = /^(\d+)p$/i.exec(String(value)) ?? [];
  return side === undefined ? undefined : Number(side);
}

/** Both sides even: encoders take nothing else. */
function sizeOf(ratio: number, side: number): { readonly width: number; readonly height: number } {
  const even = (pixels: number) => 2 * Math.round(pixels / 2);
  return ratio >= 1
    ? { width: even(side * ratio), height: even(side) }
    : { width: even(side), height: even(side / ratio) };
}

/** `6` and `5s`; `-1` and `auto` leave the length to the model. */
export function secondsOf(value: Json): number | undefined {
  if (typeof value === 'number') return positive(value);
  const [, seconds] = /^(\d+(?:\.\d+)?)s?$/.exec(String(value)) ?? [];
  return seconds === undefined ? undefined : Number(seconds);
}

const positive = (value: Json): number | undefined => (typeof value === 'number' && value > 0 ? value : undefined);
