/** The fields of a request that have changed since it was last asked. */
import { imagesShown } from '../domain/chat-images.ts';
import { canonical, isObject, type Json, type JsonObject } from '../domain/json.ts';
import { stepOf } from '../domain/key.ts';
import type { MediaIndex } from './media-index.ts';
import { messages } from './plan-messages.ts';
import type { ResolvedRequest } from './resolved.ts';

export function requestChanges(before: JsonObject, now: ResolvedRequest): readonly string[] {
  const changed = changes(before, now.request, now.known);
  return changed.length > 0 ? changed : sameOnTheSurface(now);
}

function changes(before: JsonObject, now: JsonObject, known: MediaIndex): readonly string[] {
  const names = [...new Set([...Object.keys(now), ...Object.keys(before)])];
  const changed = names.filter(name => canonical(now[name] ?? null) !== canonical(before[name] ?? null));
  const named = changed.flatMap(name =>
    name === 'messages' ? conversationChanges(before, now, known) : [nameOf(name, now[name] ?? null, known)],
  );
  return [...new Set(named)];
}

/** A field that holds another instance's result is called by that instance's step. */
function nameOf(name: string, value: Json, known: MediaIndex): string {
  const [media] = mediaNames(Array.isArray(value) ? (value as readonly Json[]) : [value], known);
  if (media !== undefined) return media;
  return name === 'response_format' ? messages.itsSchema() : name;
}

function mediaNames(values: readonly Json[], known: MediaIndex): readonly string[] {
  return values.flatMap(item => {
    const media = typeof item === 'string' ? known.get(item) : undefined;
    if (media?.from !== undefined) return [messages.itsInput(stepOf(media.from))];
    return media?.path === undefined ? [] : [messages.itsFile(media.path)];
  });
}

/** What is said, and what is shown with it. */
function conversationChanges(before: JsonObject, now: JsonObject, known: MediaIndex): readonly string[] {
  const [then, since] = [before, now].map(({ messages }) => messages ?? null);
  const [shownThen, shown] = [before, now].map(imagesShown);
  const others = shown!.filter((url, index) => !isSame(url, shownThen![index] ?? null, known));
  const named = mediaNames(others, known);
  const isAll = others.length === 0 && shown!.length === shownThen!.length;
  const more = isAll || named.length > 0 ? [] : [messages.itsImages()];
  const words = canonical(wordsIn(then!)) === canonical(wordsIn(since!)) ? [] : [messages.itsWords()];
  return [...words, ...named, ...more];
}

/** Content lies at another address in another run: in the store, its digest is part of that. */
function isSame(now: Json, before: Json, known: MediaIndex): boolean {
  if (now === before) return true;
  const sha256 = typeof now === 'string' ? known.get(now)?.sha256 : undefined;
  return sha256 !== undefined && typeof before === 'string' && before.includes(sha256);
}

/** The same words with another fingerprint: a file of the author's has new content, or it is asked of another model. */
function sameOnTheSurface({ request, known }: ResolvedRequest): readonly string[] {
  const values = [...Object.values(request).flat(), ...imagesShown(request)];
  const inputs = [...new Set(mediaNames(values, known))];
  return inputs.length > 0 ? inputs : [messages.itsModel()];
}

/** The messages without the addresses of what is shown; one text is the same as a list that holds nothing else. */
function wordsIn(value: Json): Json {
  if (Array.isArray(value)) {
    const words = (value as readonly Json[]).map(wordsIn).filter(part => part !== null);
    return words;
  }
  if (!isObject(value)) return value;
  if (value.image_url !== undefined) return null;
  const { content } = value;
  const said = Array.isArray(content) ? content : content === undefined ? [] : [{ type: 'text', text: content }];
  return { ...value, ...(content === undefined ? {} : { content: wordsIn(said as readonly Json[]) }) };
}
