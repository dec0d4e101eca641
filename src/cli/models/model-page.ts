/** One model in full: what it takes, gives and costs, and a step to paste. */
import type { CatalogModel } from '../../api/catalog.ts';
import { padEnd, wrapWords } from '../../domain/cells.ts';
import { cleanText } from '../../domain/clean.ts';
import { formatUsd } from '../../domain/format.ts';
import { listed } from '../../domain/listed.ts';
import type { ChatFacts, Model } from '../../domain/model.ts';
import { chatFields } from '../../language/chat-fields.ts';
import { documented, KIND_NAMES, kindOf } from '../../session/model-from-catalog.ts';
import { exampleStep, fieldsOf } from './model-example.ts';
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
  const said = facts.filter(([, lines]) => lines.some(line => line !== ''));
  const names = Math.max(...said.map(([name]) => name.length));
  return said.flatMap(([name, lines]) =>
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
