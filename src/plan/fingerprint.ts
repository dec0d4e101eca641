/**
 * What a result is kept under: content, never addresses. The canonical request with every known piece of media replaced
 * by its digest. Names of steps, order of fields, comments and white space are not in it; the service is, so that a
 * studio draft never stands in for a production result. The document's defaults are not filled in: a corrected default
 * in a later version of this tool must not pay for a film again.
 */
import { createHash } from 'node:crypto';
import type { FineTunePlace } from '../api/tuning.ts';
import { canonical, type Json, type JsonObject } from '../domain/json.ts';
import type { KnownMedia } from './inputs.ts';

/** Counted up when the meaning of a fingerprint changes: that makes everything again. */
const VERSION = 1;

export function fingerprintOfRequest(
  asked: { readonly service: string; readonly model: string; readonly request: JsonObject },
  known: ReadonlyMap<string, KnownMedia>,
): string {
  const { service, model, request } = asked;
  return digest({ v: VERSION, service, model, request: withDigests(request, known) });
}

/** A local command is the same whoever rendered what it reads: digests tell drafts from production. */
export function fingerprintOfCommand(
  command: { readonly run: Json; readonly env: JsonObject; readonly files: JsonObject; readonly creates: JsonObject },
  known: ReadonlyMap<string, KnownMedia>,
): string {
  const addresses = [...known].sort(([a], [b]) => b.length - a.length);
  const text = (value: Json): Json => inText(value, addresses);
  const { run, env, files, creates } = command;
  return digest({ v: VERSION, run: text(run), env: text(env), files: text(files), creates });
}

/** A fine-tune is tokenized once, at the service that keeps it. */
export const fingerprintOfTuning = (service: string, { namespace, repo, id }: FineTunePlace): string =>
  digest({ v: VERSION, service, tokenize: { namespace, repo, id } });

const digest = (value: Json): string => createHash('sha256').update(canonical(value)).digest('hex');

function withDigests(value: Json, known: ReadonlyMap<string, KnownMedia>): Json {
  if (typeof value === 'string') {
    const media = known.get(value);
    return media ? `sha256:${media.sha256}` : value;
  }
  return mapped(value, item => withDigests(item, known));
}

/** Commands also meet paths inside longer arguments: `-i=/store/ab/cd.mp4`. Longest first: an address may begin another. */
function inText(value: Json, addresses: readonly (readonly [string, KnownMedia])[]): Json {
  if (typeof value !== 'string') return mapped(value, item => inText(item, addresses));
  let text = value;
  for (const [address, { sha256 }] of addresses) {
    if (text.includes(address)) text = text.replaceAll(address, `sha256:${sha256}`);
  }
  return text;
}

function mapped(value: Json, change: (item: Json) => Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(change);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, change(item)]));
}
