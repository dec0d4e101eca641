/** What an instance was asked for: all of it, and the words that tell it from others. */
import { safeLines } from '../../domain/clean.ts';
import { isObject, type Json, type JsonObject } from '../../domain/json.ts';
import { isPending } from '../../domain/plan.ts';
import type { StoredResult } from '../../domain/result.ts';
import type { Told } from '../../records/views/run-story.ts';
import { askedRequest } from './asked-request.ts';
import { yamlText } from './yaml-text.ts';

/** Characters of words that are shown. */
const LONGEST = 20_000;

/** As it was sent, where it was; otherwise as far as the plan knew it. */
export function requestOf({ planned, story }: Told, result: StoredResult | undefined): JsonObject | undefined {
  const made = result && 'request' in result && Object.keys(result.request).length > 0 ? result.request : undefined;
  const { request: known } = planned;
  const asked = story.asked && askedRequest(story.asked);
  return story.request ?? made ?? asked ?? (known !== undefined && isObject(known) ? known : undefined);
}

export const requestText = (request: JsonObject | undefined): string | null =>
  request === undefined || Object.keys(request).length === 0 ? null : yamlText(request);

export function promptOf(request: JsonObject | undefined): string | null {
  if (!request) return null;
  const words = text(request.prompt) ?? text(request.ask) ?? saidIn(request.messages) ?? commandIn(request.run);
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

/** What the user said last: the words of the file's author. */
function saidIn(messages: Json | undefined): string | undefined {
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
