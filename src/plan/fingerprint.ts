/**
 * The key of a result: made of content, never of addresses. It is the canonical request with every known piece of media replaced
 * by its digest. Names of steps, order of fields, comments and white space are not in it; the service is, so that a
 * studio draft never stands in for a production result. The document's defaults are not filled in: a corrected default
 * in a later version of this tool must not pay for a film again. A secret counts by its name (`redaction.ts`); a piece of media that a
 * secret leads to counts by its content, like any other.
 */
import { hash } from 'node:crypto';
import type { FineTunePlace } from '../api/fine-tunes.ts';
import { canonical, isObject, type Json, type JsonObject } from '../domain/json.ts';
import type { MediaIndex } from './media-index.ts';

/** Counted up when the meaning of a fingerprint changes: everything is made again then. */
const VERSION = 1;

export function fingerprintOfRequest(
  asked: {
    readonly service: string;
    readonly model: string;
    readonly request: JsonObject;
    /** The same with the names of secrets in their place. */
    readonly counted?: JsonObject;
    readonly take?: number;
  },
  known: MediaIndex,
): string {
  const { service, model, request, counted = request, take } = asked;
  const content = digested(request, counted, known);
  return digest({ model, request: content, service, ...(take !== undefined && { take }), v: VERSION });
}

/**
 * A local command is the same whoever rendered what it reads: digests tell drafts from production. `counted`: the same with the names of
 * secrets in their place.
 */
export function fingerprintOfCommand(
  command: CommandContent & { readonly take?: number },
  known: MediaIndex,
  counted: Omit<CommandContent, 'creates'> = command,
): string {
  const of = (part: keyof typeof counted): Json => digested(command[part], counted[part], known);
  const { creates, take } = command;
  const content = { creates, env: of('env'), files: of('files'), run: of('run') };
  return digest({ ...content, ...(take !== undefined && { take }), v: VERSION });
}

interface CommandContent {
  readonly run: Json;
  readonly env: JsonObject;
  readonly files: JsonObject;
  readonly creates: JsonObject;
}

/** A fine-tune is tokenized once, at the service that keeps it. */
export const fingerprintOfTuning = (service: string, { namespace, repo, id }: FineTunePlace): string =>
  digest({ v: VERSION, service, tokenize: { namespace, repo, id } });

/** Its fields are in order already, so that ten thousand need no sorting. */
const digest = (value: Json): string => hash('sha256', canonical(value));

/** Also inside longer texts: `-i=/store/ab/cd.mp4`, a prompt that quotes an address. */
function digested(value: Json, counted: Json, known: MediaIndex): Json {
  if (value === counted && known.isEmpty) return counted;
  if (typeof value === 'string' && typeof counted === 'string') return digestedText(value, counted, known);
  if (Array.isArray(value) && Array.isArray(counted))
    return (counted as readonly Json[]).map((item, index) =>
      digested((value as readonly Json[])[index] ?? null, item, known),
    );
  if (isObject(value) && isObject(counted))
    return Object.fromEntries(
      Object.entries(counted).map(([name, item]) => [name, digested(value[name] ?? null, item, known)]),
    );
  return counted;
}

/** Where the secret itself is the path or the address, only the text that holds it leads to the media. */
function digestedText(text: string, counted: string, known: MediaIndex): string {
  const content = known.digested(counted);
  if (text === counted || content !== counted) return content;
  const media = known.digested(text);
  return media === text ? counted : media;
}
