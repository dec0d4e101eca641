/** The `prompt` and `system` of a chat step become the `messages` of its request; its `images` are put into them once they are known. */

import { imageOf, imagesField } from '../../model/media/chat-images.ts';
import { type FieldSchema, fieldOf, type Model, type ModelLibrary } from '../../model/model.ts';
import type { ListValue, MapValue, Value } from '../../model/pipeline.ts';
import { nearest } from '../../model/text/nearest.ts';
import { type CheckContext, checkExpressions, checkField } from '../checks/field-check.ts';
import type { Findings } from '../checks/findings.ts';
import { messages } from '../messages/index.ts';

/** `prompt` and `system` as the `messages` they stand for. A request that gives its own messages stays as it is. */
export function withMessages(given: MapValue, findings: Findings): MapValue {
  const own = given.entries.find(entry => entry.name === 'messages');
  const promptEntries = given.entries.filter(entry => entry.name === 'prompt' || entry.name === 'system');
  const images = given.entries.find(entry => entry.name === 'images');
  const rest = given.entries.filter(entry => !promptEntries.includes(entry));
  if (own) {
    for (const { name, nameAt } of promptEntries) findings.add(messages.promptWithMessages(name), nameAt);
    if (images) findings.add(messages.imagesWithMessages(), images.nameAt);
    return { ...given, entries: rest.filter(entry => entry !== images) };
  }
  if (promptEntries.length === 0) {
    if (!images) return given;
    findings.add(messages.imagesAlone(), images.nameAt);
    // The missing messages are not reported as well.
    const nothing: ListValue = { is: 'list', items: [], at: images.nameAt };
    return { ...given, entries: [...rest, { name: 'messages', nameAt: images.nameAt, value: nothing }] };
  }
  const [first] = promptEntries;
  const items: Value[] = [];
  for (const [name, role] of [
    ['system', 'system'],
    ['prompt', 'user'],
  ] as const) {
    const entry = promptEntries.find(candidate => candidate.name === name);
    if (entry) items.push(message(role, entry));
  }
  if (!promptEntries.some(({ name }) => name === 'prompt')) findings.add(messages.systemAlone(), first!.nameAt);
  const conversation: ListValue = { is: 'list', items, at: first!.value.at };
  return { ...given, entries: [{ name: 'messages', nameAt: first!.nameAt, value: conversation }, ...rest] };
}

/** Reports a misspelt word for the messages, and reads it as the word that was meant: a service would accept any field, and ignore it. */
export function withRightWords(given: MapValue, model: Model, findings: Findings): MapValue {
  const words = Object.keys(chatFields(model));
  const known = [...Object.keys(model.request.properties), ...words];
  const names = new Set(given.entries.map(({ name }) => name));
  const entries = given.entries.map(entry => {
    if (known.includes(entry.name) || fieldOf(model, entry.name)) return entry;
    const near = calledElsewhere(entry.name) ?? nearest(entry.name, known);
    // Its images are reported: the model reads words alone.
    if (near === 'images' && !words.includes(near)) return { ...entry, name: near };
    if (near === undefined || !words.includes(near) || names.has(near)) return entry;
    findings.add(messages.unknownRequestField(entry.name, model.label, near, known), entry.nameAt);
    return { ...entry, name: near };
  });
  return { ...given, entries };
}

/** What `images` is called in other requests. */
const IMAGES = /^(?:input_|reference_)?(?:image|picture|photo)(?:s|_urls?)?$/;
const calledElsewhere = (name: string): string | undefined => (IMAGES.test(name) ? 'images' : undefined);

function message(role: string, { nameAt, value }: MapValue['entries'][number]): Value {
  return {
    is: 'map',
    entries: [
      { name: 'role', nameAt, value: { is: 'literal', value: role, at: nameAt } },
      { name: 'content', nameAt, value },
    ],
    at: value.at,
  };
}

/** Images that a chat step shows to its model: `images`, or parts of messages that the author writes. The model must see, and they must be images. */

/** Checks all that is shown, and gives what is left of the request to be checked as any other. */
export function checkImages(request: MapValue, model: Model, library: ModelLibrary, context: CheckContext): MapValue {
  const images = request.entries.find(({ name }) => name === 'images');
  const field = imagesField(model);
  if (field) {
    if (images) checkField(images.value, field, { ...context, called: `\`images\` of ${model.label}` });
    return without(request, images);
  }
  const cannot = messages.cannotSee(model.label, seeing(library));
  if (images) {
    context.findings.add(cannot, images.nameAt);
    checkExpressions(images.value, context);
  }
  return mapMessages(without(request, images), content => {
    const shown = content.is === 'list' ? content.items.filter(isImage) : [];
    for (const { at } of shown) context.findings.add(cannot, at);
    if (shown.length === 0) return content;
    checkExpressions(content, context);
    // The rest of it has no other mistake than to stand beside an image.
    return { is: 'literal', value: '', at: content.at };
  });
}

const without = (request: MapValue, entry: MapValue['entries'][number] | undefined): MapValue =>
  entry ? { ...request, entries: request.entries.filter(other => other !== entry) } : request;

/** Labels of the chat models that can be shown an image. */
export const seeing = (library: ModelLibrary): readonly string[] =>
  library.labels.filter(label => {
    const model = library.get(label);
    return model?.produces === 'text' && imageOf(model) !== undefined;
  });

const isImage = (part: Value): boolean => part.is === 'map' && part.entries.some(({ name }) => name === 'image_url');

function mapMessages(request: MapValue, change: (content: Value) => Value): MapValue {
  const inside = (value: Value, name: string, changed: (inner: Value) => Value): Value => {
    if (value.is !== 'map') return value;
    return {
      ...value,
      entries: value.entries.map(entry => (entry.name === name ? { ...entry, value: changed(entry.value) } : entry)),
    };
  };
  const ofMessages = (list: Value): Value =>
    list.is === 'list' ? { ...list, items: list.items.map(message => inside(message, 'content', change)) } : list;
  return inside(request, 'messages', ofMessages) as MapValue;
}

/** What an author writes under `with:` of a chat step in the place of its `messages`, as the fields that the reference and editors show. */

/** None for a model that is no chat model. */
export function chatFields(model: Model): { readonly [name: string]: FieldSchema } {
  if (model.kind !== 'chat') return {};
  const images = imagesField(model);
  return images ? { ...TEXTS, images: { ...images, description: 'What it is shown beside its prompt.' } } : TEXTS;
}

const TEXTS: { readonly [name: string]: FieldSchema } = {
  system: { type: 'string', description: 'What the model is told beforehand: the first of its `messages`.' },
  prompt: {
    type: 'string',
    description: 'What it is asked: the last of its `messages`, which may be written instead.',
  },
};
