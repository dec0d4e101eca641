/**
 * The key of a result: made of content, never of addresses. It is the canonical request with every known piece of media replaced
 * by its digest. Names of steps, order of fields, comments and white space are not in it; the service is, so that a
 * studio draft never stands in for a production result. The document's defaults are not filled in: a corrected default
 * in a later version of this tool must not pay for a film again.
 */
import { createHash } from 'node:crypto';
import type { FineTunePlace } from '../api/fine-tunes.ts';
import { canonical, type Json, type JsonObject } from '../domain/json.ts';
import type { MediaIndex } from './media-index.ts';

/** Counted up when the meaning of a fingerprint changes: everything is made again then. */
const VERSION = 1;

export function fingerprintOfRequest(
  asked: { readonly service: string; readonly model: string; readonly request: JsonObject; readonly take?: number },
  known: MediaIndex,
): string {
  const { service, model, request, take } = asked;
  return digest({ v: VERSION, service, model, request: digested(request, known), ...(take !== undefined && { take }) });
}

/** A local command is the same whoever rendered what it reads: digests tell drafts from production. */
export function fingerprintOfCommand(
  command: {
    readonly run: Json;
    readonly env: JsonObject;
    readonly files: JsonObject;
    readonly creates: JsonObject;
    readonly take?: number;
  },
  known: MediaIndex,
): string {
  const { run, env, files, creates, take } = command;
  const content = { run: digested(run, known), env: digested(env, known), files: digested(files, known) };
  return digest({ v: VERSION, ...content, creates, ...(take !== undefined && { take }) });
}

/** A fine-tune is tokenized once, at the service that keeps it. */
export const fingerprintOfTuning = (service: string, { namespace, repo, id }: FineTunePlace): string =>
  digest({ v: VERSION, service, tokenize: { namespace, repo, id } });

const digest = (value: Json): string => createHash('sha256').update(canonical(value)).digest('hex');

/** Also inside longer texts: `-i=/store/ab/cd.mp4`, a prompt that quotes an address. */
const digested = (value: Json, known: MediaIndex): Json =>
  typeof value === 'string' ? known.digested(value) : mapped(value, item => digested(item, known));

function mapped(value: Json, change: (item: Json) => Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(change);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, change(item)]));
}
