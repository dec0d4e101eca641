/** An AI model, as `schema/models/` describes it: the interface document's table to the letter, plus what the checks need. */
import type { Json, JsonObject } from './json.ts';
import type { MediaKind } from './media.ts';

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
  readonly endpoint: '/videos/generate' | '/images/generate' | '/images/edit' | '/chat/completions';
  readonly produces: 'video' | 'image' | 'text';
  /** JSON Schema of the request without `model`. `additionalProperties: false`. */
  readonly request: RequestSchema;
  /** True where the document says that fields exist whose names are not shown: an unknown field is then a warning. */
  readonly undocumentedFields: boolean;
  /** Combinations the document forbids: when every `if` field has one of the listed values. */
  readonly rules: readonly { readonly if: { readonly [field: string]: readonly Json[] }; readonly refuse: string }[];
  /** What the built-in studio's catalog charges, in US dollars, in the shape of the document's Pricing object. */
  readonly pricing: JsonObject;
  /** What is known about a result before it exists. `from` names the request field that decides, `keep` the media field whose fact is kept. */
  readonly returns: {
    readonly ratio?: { readonly from?: string; readonly keep?: string; readonly default?: string };
    /** Short side of the picture, as the label in the request or fixed. */
    readonly resolution?: { readonly from?: string; readonly default?: string };
    readonly duration?: { readonly from?: string; readonly keep?: string; readonly default?: number };
    /** Frames per second of the result, kept from the source or set by a field. */
    readonly fps?: { readonly from?: string; readonly keep?: string; readonly default?: number };
    readonly audio?: { readonly from?: string; readonly keep?: string; readonly default?: boolean };
    readonly format?: { readonly from?: string; readonly default: string };
  };
}

export interface RequestSchema {
  readonly type: 'object';
  readonly additionalProperties: false;
  readonly required: readonly string[];
  readonly properties: { readonly [field: string]: FieldSchema };
}

/** A field's JSON Schema. `media` (an annotation, ignored by validators) says what a URL in it must lead to. */
export interface FieldSchema {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array';
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
  readonly examples?: readonly Json[];
  readonly media?: MediaLimit;
}

/** Limits the document puts on what a media field is given. Absent means "not shown". */
export interface MediaLimit {
  readonly kind: MediaKind;
  readonly formats?: readonly string[];
  /** Seconds. */
  readonly minSeconds?: number;
  readonly maxSeconds?: number;
  readonly maxBytes?: number;
}

/** The labels this build knows, by label; `api/models.ts` provides it from `schema/models/`. */
export interface ModelLibrary {
  get(label: string): Model | undefined;
  readonly labels: readonly string[];
}
