/** An AI model, as `schema/models/` describes it: the interface document's table to the letter, plus what the checks need. */

import type { MediaKind } from './media/media.ts';
import { isObject, type Json, type JsonObject } from './text/json.ts';
import { nearest } from './text/nearest.ts';

export type ModelKind =
  | 'text_to_video'
  | 'image_to_video'
  | 'video_to_video'
  | 'reframe'
  | 'retake'
  | 'upscale'
  | 'reference_to_video'
  | 'image_generate'
  | 'image_edit'
  | 'chat';

export interface Model {
  /** `V-RF`. */
  readonly label: string;
  readonly kind: ModelKind;
  /** One line for lists. */
  readonly summary: string;
  /** A custom model of the built-in studio that tests of deployments need: no list and no completion offers it. */
  readonly forTests?: true | undefined;
  /** What an author would take it for; one line for lists. Absent for one that only a catalog knows. */
  readonly bestFor?: string;
  readonly endpoint: '/videos/generate' | '/images/generate' | '/images/edit' | '/chat/completions';
  readonly produces: 'video' | 'image' | 'text';
  /** JSON Schema of the request without `model`. */
  readonly request: RequestSchema;
  /** True where the document mentions fields without their names: an unknown field is then a warning. */
  readonly undocumentedFields: boolean;
  /** Combinations the document forbids: when every `if` field has one of the listed values. */
  readonly rules: readonly { readonly if: { readonly [field: string]: readonly Json[] }; readonly refuse: string }[];
  /** What the built-in studio's catalog charges, in US dollars, in the shape of the document's Pricing object. */
  readonly pricing: JsonObject;
  /**
   * Facts about a result before it exists. `from` names the request field that decides, `keep` the media field with the fact that is kept, `unless`
   * the switch that changes it.
   */
  readonly returns: {
    readonly ratio?: { readonly from?: string; readonly keep?: string; readonly default?: string };
    /** Short side of the picture, as the label in the request or fixed. */
    readonly resolution?: { readonly from?: string; readonly default?: string };
    readonly duration?: { readonly from?: string; readonly keep?: string; readonly default?: number };
    /** Frames per second of the result, kept from the source or set by a field. */
    readonly fps?: {
      readonly from?: string;
      readonly keep?: string;
      readonly unless?: string;
      readonly default?: number;
    };
    readonly audio?: { readonly from?: string; readonly keep?: string; readonly default?: boolean };
    readonly format?: { readonly from?: string; readonly default?: string };
    /** `hevc`, by the value of the request field `from`: `{ "1080p": "hevc" }`. */
    readonly video_codec?: { readonly from: string; readonly cases: { readonly [value: string]: string } };
    /** Bits for each channel of a pixel, likewise. */
    readonly color_bits?: { readonly from: string; readonly cases: { readonly [value: string]: number } };
  };
  /** For a chat model: the document's table "Model-specific properties". */
  readonly chat?: ChatFacts;
  /** Sentences of the document's prose that no check can hold anyone to, one each. */
  readonly notes?: readonly string[];
}

export interface ChatFacts {
  /** Tokens of prompt and answer together. */
  readonly contextTokens: number;
  /** Absent: not shown. */
  readonly maxOutputTokens?: number;
  /** Reasoning effort. The field that carries it is not shown; nor are the levels between where only both ends are. */
  readonly effort?: { readonly levels: readonly string[] } | { readonly from: string; readonly through: string };
  readonly acceptsImages: boolean;
  /** True where the document declares it; it declares of no model that it has none. */
  readonly functionCalling?: true;
  readonly streaming?: true;
  readonly structuredOutputs?: true;
  /** A prompt of more input tokens costs this many times the price, for the whole session. */
  readonly priceStep?: {
    readonly aboveInputTokens: number;
    readonly inputFactor: number;
    readonly outputFactor: number;
  };
}

export interface RequestSchema {
  readonly type: 'object';
  /** True exactly where there are `undocumentedFields`. */
  readonly additionalProperties: boolean;
  readonly required: readonly string[];
  readonly properties: { readonly [field: string]: FieldSchema };
  /** Fields with a vendor's word in their name: `^[a-z][a-z0-9_]*_search$`. */
  readonly patternProperties?: { readonly [pattern: string]: FieldSchema };
}

/** A field's JSON Schema. `media` (an annotation, ignored by validators): what a URL in it must lead to. */
export interface FieldSchema {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  readonly description?: string;
  readonly format?: 'uri';
  readonly enum?: readonly (string | number)[];
  readonly default?: Json;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: FieldSchema;
  /** What every value has in it, where the document shows only some of them; `examples` tell how it is written. */
  readonly pattern?: string;
  /**
   * Bounds for a text without a documented spelling: `4s`, `1080p`, `4K`, `4 MP`, `3840x2160`. They hold where the text reads as a measure of the
   * same kind (`measure.ts`), and leave every other text alone.
   */
  readonly atLeast?: string;
  readonly atMost?: readonly string[];
  /** Of an object: a chat message. */
  readonly required?: readonly string[];
  readonly properties?: { readonly [field: string]: FieldSchema | { readonly anyOf: readonly FieldSchema[] } };
  readonly examples?: readonly Json[];
  readonly media?: MediaLimit;
}

/** Limits the document puts on what a media field is given. Absent means "not shown". */
export interface MediaLimit {
  readonly kind: MediaKind;
  /** It may stand in the request itself, as a `data:` address. */
  readonly inline?: true;
  readonly formats?: readonly string[];
  /** Seconds. */
  readonly minSeconds?: number;
  readonly maxSeconds?: number;
  readonly maxBytes?: number;
  /** Pixels of the longer side: "up to 4K" counts the wider of the two sizes that go by that name. */
  readonly maxSide?: number;
}

/** The labels this build knows, by label; `api/model-library.ts` provides it from `schema/models/`. */
export interface ModelLibrary {
  get(label: string): Model | undefined;
  readonly labels: readonly string[];
}

/**
 * The name that was most likely meant: a label of the same family (`V-I2V` → `V-I2V-A`, `text_to_video` → the first of that kind) before
 * one that is only spelt alike. Undefined where none is near.
 * @param own names that a file gives to models.
 */
export function nearestModel(
  name: string,
  { labels, get }: ModelLibrary,
  own: Iterable<string> = [],
): string | undefined {
  const word = name.toUpperCase().replaceAll(/[_\s]/g, '-');
  const kind = name.toLowerCase().replaceAll(/[-\s]/g, '_');
  const family = labels.filter(label => `${word}-`.startsWith(`${label.toUpperCase().replace(/-[A-Z]$/, '')}-`));
  return (
    labels.find(label => `-${label.toUpperCase()}`.endsWith(`-${word}`)) ??
    labels.find(label => get(label)?.kind === kind) ??
    nearest(name, [...own, ...(family.length > 0 ? family : labels)]) ??
    labels.find(label => word.length > 1 && `-${label.toUpperCase()}`.includes(`-${word}-`))
  );
}

/** The field that a request of this model may hold under a name: its own, or one with a vendor's word in it. */
export function fieldOf({ request }: Model, name: string): FieldSchema | undefined {
  if (Object.hasOwn(request.properties, name)) return request.properties[name];
  for (const [pattern, field] of Object.entries(request.patternProperties ?? {}))
    if (new RegExp(pattern, 'u').test(name)) return field;
  return undefined;
}

// The media in a request, wherever its schema puts them: `input_image[2]`, `messages[0].content[1].image_url.url`.

export type Part = string | number;

/** Gives what shall stand in the place of one piece of media, or of a list of them that is not there yet. */
type SeeMedia = (json: Json, path: readonly Part[], limit: MediaLimit) => Json;

/** The value with every piece of media replaced by what `see` makes of it; all else stays as it is. */
export function mapMedia(field: Partial<FieldSchema>, json: Json, path: readonly Part[], see: SeeMedia): Json {
  if (field.media) return see(json, path, field.media);
  const { items, properties } = field;
  if (items && Array.isArray(json))
    return (json as readonly Json[]).map((item, index) => mapMedia(items, item, [...path, index], see));
  if (items?.media) return see(json, path, items.media);
  if (!properties || !isObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json).map(([name, inner]) => {
      const shape = Object.hasOwn(properties, name) ? shapeFor(inner, properties[name]!) : undefined;
      return [name, shape ? mapMedia(shape, inner, [...path, name], see) : inner];
    }),
  );
}

type Shapes = NonNullable<FieldSchema['properties']>[string];

/** Of a choice, the shape that the value has. A service's own schema may be anything. */
export function shapeFor(json: Json, shapes: Shapes): FieldSchema | undefined {
  if (!isObject(shapes as unknown as Json)) return undefined;
  if (!('anyOf' in shapes)) return shapes;
  if (!Array.isArray(shapes.anyOf)) return undefined;
  return shapes.anyOf.find(shape => (Array.isArray(json) ? shape?.type === 'array' : shape?.type !== 'array'));
}

/** `messages[0].content[1].image_url.url` */
export const pathText = (path: readonly Part[]): string =>
  path.map((part, at) => (typeof part === 'number' ? `[${part}]` : at === 0 ? part : `.${part}`)).join('');

export const pathOf = (text: string): readonly Part[] =>
  [...text.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([name, index]) => (index === undefined ? name : Number(index)));
