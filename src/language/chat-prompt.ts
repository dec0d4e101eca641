/** The `prompt` and `system` of a chat step become the `messages` of its request; its `images` are put into them once they are known. */
import { fieldOf, type Model } from '../domain/model.ts';
import { nearest } from '../domain/nearest.ts';
import type { ListValue, MapValue, Value } from '../domain/pipeline.ts';
import { chatFields } from './chat-fields.ts';
import type { Findings } from './findings.ts';
import { messages } from './messages/index.ts';

/** `prompt` and `system` as the `messages` they stand for. A request that gives its own messages stays as it is. */
export function withMessages(given: MapValue, findings: Findings): MapValue {
  const own = given.entries.find(entry => entry.name === 'messages');
  const said = given.entries.filter(entry => entry.name === 'prompt' || entry.name === 'system');
  const images = given.entries.find(entry => entry.name === 'images');
  const rest = given.entries.filter(entry => !said.includes(entry));
  if (own) {
    for (const { name, nameAt } of said) findings.add(messages.promptBesideMessages(name), nameAt);
    if (images) findings.add(messages.imagesBesideMessages(), images.nameAt);
    return { ...given, entries: rest.filter(entry => entry !== images) };
  }
  if (said.length === 0) {
    if (!images) return given;
    findings.add(messages.imagesAlone(), images.nameAt);
    // Nobody should hear of missing messages as well.
    const nothing: ListValue = { is: 'list', items: [], at: images.nameAt };
    return { ...given, entries: [...rest, { name: 'messages', nameAt: images.nameAt, value: nothing }] };
  }
  const [first] = said;
  const items: Value[] = [];
  for (const [name, role] of [
    ['system', 'system'],
    ['prompt', 'user'],
  ] as const) {
    const entry = said.find(candidate => candidate.name === name);
    if (entry) items.push(message(role, entry));
  }
  if (!said.some(({ name }) => name === 'prompt')) findings.add(messages.systemAlone(), first!.nameAt);
  const conversation: ListValue = { is: 'list', items, at: first!.value.at };
  return { ...given, entries: [{ name: 'messages', nameAt: first!.nameAt, value: conversation }, ...rest] };
}

/** A misspelt word for the messages is told, and from then on read as the word that was meant: a service would take any field, and read none. */
export function withRightWords(given: MapValue, model: Model, findings: Findings): MapValue {
  const words = Object.keys(chatFields(model));
  const known = [...Object.keys(model.request.properties), ...words];
  const names = new Set(given.entries.map(({ name }) => name));
  const entries = given.entries.map(entry => {
    if (known.includes(entry.name) || fieldOf(model, entry.name)) return entry;
    const near = calledElsewhere(entry.name) ?? nearest(entry.name, known);
    // That it reads words alone is told of its images.
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
