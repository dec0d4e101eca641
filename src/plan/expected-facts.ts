/**
 * Facts of a result before it exists: kind, size, length, rate, sound. Facts flow along the graph (`keep` in a
 * model's description names the field whose facts survive). Unknown stays unknown: a check never fails because of a fact that
 * is missing.
 */
import { shapeOf } from '../domain/aspect-ratio.ts';
import { type DerivedPart, derivedFacts } from '../domain/derived-media.ts';
import type { Json, JsonObject } from '../domain/json.ts';
import type { MediaFacts } from '../domain/media.ts';
import type { Model } from '../domain/model.ts';
import { isPending } from '../domain/plan.ts';

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
  // "Has sound" cannot be said without a codec; "has none" can.
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

/** Facts of a frame or of the sound of a video that does not exist yet. A still has none: that is told where it is read. */
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
