/** A step to paste: what a model needs, with the few fields it is there for. */
import { stringify } from 'yaml';
import type { CatalogModel } from '../../api/catalog.ts';
import { cleanText } from '../../domain/clean.ts';
import type { Json, JsonObject } from '../../domain/json.ts';
import type { FieldSchema, ModelKind } from '../../domain/model.ts';
import { documented, kindOf } from '../../session/model-from-catalog.ts';

/** As it stands below `steps:`. */
export const exampleStep = (model: CatalogModel): string =>
  stringify({ [STEP_NAMES[kindOf(model)]]: stepOf(model) }, { lineWidth: 0 })
    .trimEnd()
    .split('\n')
    .map(line => `  ${/^ */.exec(line)?.[0]}${cleanText(line)}`)
    .join('\n');

function stepOf(model: CatalogModel): JsonObject {
  const kind = kindOf(model);
  const { required, properties } = fieldsOf(model);
  // The author of a chat step writes a prompt, not the wire's messages. Without a schema, a prompt is the best guess.
  if (kind === 'chat' || Object.keys(properties).length === 0)
    return { model: model.id, with: { prompt: PROMPTS[kind] } };
  const shown = Object.entries(properties).filter(
    ([name]) => required.includes(name) || SHOWN[kind]?.includes(name) === true,
  );
  return {
    model: model.id,
    with: Object.fromEntries(shown.map(([name, field]) => [name, exampleValue(name, field, kind)])),
  };
}

interface Fields {
  readonly required: readonly string[];
  readonly properties: { readonly [name: string]: Partial<FieldSchema> };
}

/** The label's own schema, or else the catalog's, which may be of any shape. */
export function fieldsOf(model: CatalogModel): Fields {
  const schema = (documented(model)?.request ?? model.request_schema ?? {}) as Partial<Fields>;
  const properties = Object.entries(schema.properties ?? {}).filter(([, field]) => typeof field === 'object');
  const required = Array.isArray(schema.required) ? schema.required : [];
  return { required, properties: Object.fromEntries(properties) };
}

const STEP_NAMES: Readonly<Record<ModelKind | 'other', string>> = {
  text_to_video: 'shot',
  image_to_video: 'shot',
  video_to_video: 'restyled',
  reframe: 'framed',
  retake: 'mended',
  upscale: 'final',
  reference_to_video: 'shot',
  image_edit: 'portrait',
  image_generate: 'still',
  chat: 'beats',
  other: 'result',
};

/** Optional fields that a model of the kind is made for. */
const SHOWN: { readonly [kind in ModelKind | 'other']?: readonly string[] } = {
  image_to_video: ['input_image'],
  retake: ['retake_start_time', 'retake_duration', 'prompt'],
  upscale: ['resolution'],
  reference_to_video: ['input_images'],
  image_edit: ['input_image'],
};

const PROMPTS: Readonly<Record<ModelKind | 'other', string>> = {
  text_to_video: 'a red fox crosses a frozen river in a single shot',
  image_to_video: 'slow push in while snow falls',
  video_to_video: 'the same shot as a charcoal drawing',
  reframe: 'extend the snowy forest',
  retake: 'the fox stops and listens',
  upscale: 'fine fur, clean edges',
  reference_to_video: 'the fox walks through a market at night',
  image_edit: 'relight it at dusk',
  image_generate: 'portrait of a red fox in the snow',
  chat: 'three beats about a fox who crosses a frozen river',
  other: 'a red fox in the snow',
};

const FILES = { video: 'media/clip.mp4', image: 'media/fox.png', audio: 'media/music.wav' } as const;
const VALUES: { readonly [field: string]: Json } = {
  aspect_ratio: '9:16',
  resolution: '1080p',
  retake_start_time: 2,
  retake_duration: 1.5,
};

function exampleValue(name: string, field: Partial<FieldSchema>, kind: ModelKind | 'other'): Json {
  const media = field.media ?? field.items?.media;
  if (media) return field.type === 'array' ? [FILES[media.kind]] : FILES[media.kind];
  if (name === 'prompt') return PROMPTS[kind];
  const known = VALUES[name] ?? field.default ?? field.enum?.[0] ?? field.examples?.[0] ?? field.minimum;
  if (known !== undefined) return known;
  if (field.format === 'uri') return 'https://example.com/media';
  return BLANKS[field.type ?? 'string'] ?? 'text';
}

const BLANKS: Readonly<Record<FieldSchema['type'], Json>> = {
  string: 'text',
  integer: 1,
  number: 1,
  boolean: true,
  array: [],
  object: {},
};
