/** What an instance was asked for: all of it, and the words that tell it from others. */

import { stringify } from 'yaml';
import { isPending } from '../../../model/plan.ts';
import type { Asked, StoredResult } from '../../../model/run/result.ts';
import { safeLines } from '../../../model/text/clean.ts';
import { isObject, type Json, type JsonObject } from '../../../model/text/json.ts';
import type { InstanceStory } from '../../../records/views/run-story.ts';

/** Characters of words that are shown. */
const LONGEST = 20_000;

/** As it was sent, where it was; otherwise as far as the plan knew it. */
export function requestOf({ planned, story }: InstanceStory, result: StoredResult | undefined): JsonObject | undefined {
  const made = result && 'request' in result && Object.keys(result.request).length > 0 ? result.request : undefined;
  const { request: known } = planned;
  const asked = story.asked && askedRequest(story.asked);
  return story.request ?? made ?? asked ?? (known !== undefined && isObject(known) ? known : undefined);
}

export const requestText = (request: JsonObject | undefined): string | null =>
  request === undefined || Object.keys(request).length === 0 ? null : yamlText(request);

export function promptOf(request: JsonObject | undefined): string | null {
  if (!request) return null;
  const words = text(request.prompt) ?? text(request.ask) ?? textOfMessages(request.messages) ?? commandIn(request.run);
  return words === undefined ? null : clipped(safeLines(words));
}

export const clipped = (words: string): string =>
  words.length <= LONGEST ? words : `${words.slice(0, LONGEST).toWellFormed()}…`;

export const seedOf = (request: JsonObject | undefined): string | null => {
  const seed = request?.seed;
  return typeof seed === 'number' || typeof seed === 'string' ? String(seed) : null;
};

const text = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The last user message: the words of the file's author. */
function textOfMessages(messages: Json | undefined): string | undefined {
  if (!Array.isArray(messages)) return undefined;
  const last = (messages as readonly Json[]).findLast(one => isObject(one) && one.role === 'user');
  const content = last !== undefined && isObject(last) ? last.content : undefined;
  if (!Array.isArray(content)) return text(content);
  const parts = (content as readonly Json[]).flatMap(part => (isObject(part) ? (text(part.text) ?? []) : []));
  return parts.length > 0 ? parts.join('\n') : undefined;
}

function commandIn(command: Json | undefined): string | undefined {
  if (typeof command === 'string') return command;
  if (isObject(command)) return text(command.script);
  if (!Array.isArray(command)) return undefined;
  return (command as readonly Json[]).map(wordOf).join(' ');
}

function wordOf(word: Json): string {
  if (isPending(word)) return `\${{ ${word.$pending} }}`;
  return typeof word === 'string' ? word : JSON.stringify(word);
}

/** What an instance was asked for, as it is kept field by field, put together again: `run[0]`, `env.LOOK` → `run: [ … ]`, `env: { … }`. */
function askedRequest(asked: Asked): JsonObject {
  const request = new Map<string, Json>();
  for (const [path, value] of Object.entries(asked)) {
    const [, name = path, index, inner] = /^([^[.]+)(?:\[(\d+)\]|\.(.+))?$/s.exec(path) ?? [];
    const before = request.get(name);
    // Kept sorted as texts, where 10 comes before 2.
    if (index !== undefined) request.set(name, withItem(before, Number(index), value));
    else if (inner !== undefined) request.set(name, { ...(before as JsonObject | undefined), [inner]: value });
    else request.set(name, value);
  }
  return Object.fromEntries(request);
}

function withItem(before: Json | undefined, index: number, value: Json): readonly Json[] {
  const items: Json[] = Array.isArray(before) ? [...(before as readonly Json[])] : [];
  // A damaged row may name any place.
  if (index > MOST_ITEMS) return items;
  while (items.length <= index) items.push(null);
  items[index] = value;
  return items;
}

const MOST_ITEMS = 10_000;

/** Characters of it that are shown. */
const LONGEST_YAML = 20_000;

function yamlText(request: JsonObject): string {
  const shown = (_: unknown, value: Json) => {
    if (isPending(value)) return `\${{ ${value.$pending} }}`;
    return typeof value === 'string' ? safeLines(value) : value;
  };
  const text = stringify(request, shown, { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd();
  return text.length <= LONGEST_YAML
    ? text
    : `${text.slice(0, LONGEST_YAML).toWellFormed()}\n… (${text.length.toLocaleString('en-US')} characters)`;
}
