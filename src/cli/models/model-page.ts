/** One model in full: what it takes, gives and costs, and a step to paste. */

import { stringify } from 'yaml';
import type { CatalogModel } from '../../api/catalog.ts';
import { documented, KIND_NAMES, kindOf } from '../../app/service/model-from-catalog.ts';
import { chatFields } from '../../language/steps/chat-prompt.ts';
import type { ChatFacts, FieldSchema, Model, ModelKind } from '../../model/model.ts';
import { padEnd, wrapWords } from '../../model/text/cells.ts';
import { cleanText } from '../../model/text/clean.ts';
import { formatUsd, listed } from '../../model/text/format.ts';
import type { Json, JsonObject } from '../../model/text/json.ts';
import { fieldLines } from './model-fields.ts';
import { count, priceLines } from './model-prices.ts';

export function modelPage(model: CatalogModel, width: number): string {
  const known = documented(model);
  const { required: needed, properties: own } = fieldsOf(model);
  // What an author writes comes before what it becomes, and does without it.
  const shorthand = known ? chatFields(known) : {};
  const required = needed.filter(name => name !== 'messages' || !('prompt' in shorthand));
  const properties = { ...shorthand, ...own };
  const pattern = known?.request.patternProperties;
  const fields = fieldLines({ required, properties, ...(pattern && { patternProperties: pattern }) }, width);
  return [
    ...wrapWords(titleOf(model), width),
    '',
    ...factLines(model, known, width),
    ...(fields.length > 0 ? ['', `fields${required.length > 0 ? ' (* required)' : ''}`, ...fields] : []),
    ...bullets('rules', known?.rules.map(rule => rule.refuse) ?? [], width),
    ...bullets('notes', known?.notes ?? [], width),
    '',
    'an example, to paste below `steps:`',
    exampleStep(model),
  ].join('\n');
}

function titleOf({ id, display_name, summary }: CatalogModel): string {
  const name = display_name === id || display_name === '' ? id : `${id} (${display_name})`;
  return cleanText(summary ? `${name}: ${summary}` : name);
}

function factLines(model: CatalogModel, known: Model | undefined, width: number): readonly string[] {
  const facts: readonly (readonly [string, readonly string[]])[] = [
    ['kind', [KIND_NAMES[kindOf(model)]]],
    ['endpoint', [model.endpoint]],
    ['developer', model.developer?.name ? [model.developer.name] : []],
    ['price', priceLines(model.pricing, known?.chat)],
    ['gives', known ? givesOf(known) : [model.capabilities.output.join(', ')]],
    ['takes', takesOf(model)],
    ...chatFacts(known?.chat),
    ['made from', model.source_model === null ? [] : [model.source_model]],
    ['fine-tuning', tuningOf(model)],
    ['deployment', model.deployments.map(({ status }) => (status === 'unknown' ? 'unknown; --live asks' : status))],
  ];
  const filled = facts.filter(([, lines]) => lines.some(line => line !== ''));
  const names = Math.max(...filled.map(([name]) => name.length));
  return filled.flatMap(([name, lines]) =>
    lines
      .flatMap(line => wrapWords(cleanText(line), Math.max(30, width - names - 4)))
      .map((line, at) => `  ${padEnd(at === 0 ? name : '', names)}  ${line}`),
  );
}

const takesOf = ({ capabilities: { input } }: CatalogModel): readonly string[] =>
  input.length > 0 ? [input.join(', ')] : [];

/** What is known of a result before it exists. */
function givesOf({ produces, returns }: Model): readonly string[] {
  const { resolution, video_codec: codec, color_bits: bits } = returns;
  const kept = (['ratio', 'duration', 'fps', 'audio'] as const).flatMap(fact => {
    const source = returns[fact]?.keep;
    return source === undefined ? [] : [[KEPT[fact], source] as const];
  });
  const sources = [...new Set(kept.map(([, source]) => source))];
  const fixed = resolution?.from === undefined ? resolution?.default : undefined;
  const sound = returns.audio?.default === true ? (returns.audio.from ? 'sound by default' : 'sound') : undefined;
  return [
    [produces, fixed, sound].filter(part => part !== undefined).join(', '),
    ...sources.map(
      source => `${listed(kept.filter(([, from]) => from === source).map(([fact]) => fact))} as ${source}`,
    ),
    ...Object.entries(codec?.cases ?? {}).map(
      ([value, name]) => `${value}: ${bits?.cases[value] ? `${bits.cases[value]}-bit ` : ''}${name.toUpperCase()}`,
    ),
  ];
}

const KEPT = { ratio: 'ratio', duration: 'length', fps: 'frame rate', audio: 'sound' } as const;

function chatFacts(chat: ChatFacts | undefined): readonly (readonly [string, readonly string[]])[] {
  if (!chat) return [];
  const { effort, functionCalling, streaming, structuredOutputs } = chat;
  const able = [
    functionCalling && 'function calling',
    streaming && 'streaming',
    structuredOutputs && 'structured outputs',
  ].filter(part => part !== undefined);
  return [
    ['context', [`${count(chat.contextTokens)} tokens`]],
    ['answer', chat.maxOutputTokens === undefined ? [] : [`at most ${count(chat.maxOutputTokens)} tokens`]],
    [
      'effort',
      effort ? ['levels' in effort ? effort.levels.join(', ') : `${effort.from} through ${effort.through}`] : [],
    ],
    ['able', able.length > 0 ? [able.join(', ')] : []],
  ];
}

function tuningOf({ fine_tuning }: CatalogModel): readonly string[] {
  if (fine_tuning === null) return [];
  const { actions, cost_per_second: cost } = fine_tuning;
  const named = Array.isArray(actions) ? actions.map(String).join(', ') : '';
  return [[named, typeof cost === 'number' ? `${formatUsd(cost)} a second` : ''].filter(Boolean).join(', ')];
}

function bullets(title: string, sentences: readonly string[], width: number): readonly string[] {
  if (sentences.length === 0) return [];
  return ['', title, ...sentences.flatMap(text => wrapWords(text, Math.max(30, width - 2)).map(line => `  ${line}`))];
}

/** As it is written below `steps:`. */
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
function fieldsOf(model: CatalogModel): Fields {
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
