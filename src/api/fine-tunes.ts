/** Fine-tunes of a repository ("Fine-tune record", "POST /api/repos/{namespace}/{repo_name}/fine_tunes/{id}/tokenize"). */
import type { JsonObject } from '../model/text/json.ts';

/** Which fine-tune: the three parts of its path. */
export interface FineTunePlace {
  readonly namespace: string;
  readonly repo: string;
  readonly id: string;
}

/** "Fields of the fine-tune record: not shown beyond its identifier." Any other field is kept as it is. */
export type FineTune = { readonly id: string; readonly status?: string } & JsonObject;

/** The only state the document names: tokenization can be triggered in it, and in no other. */
export const CREATED = 'created';

/**
 * The state of its tokenization. "Other states and transitions: not shown": the words are those that services of this shape use. An unknown one
 * ends nothing.
 */
type Tokenization =
  | 'created'
  | 'under_way'
  | 'ready'
  | 'failed'
  /** The record has no status. */
  | 'untold';

export function tokenizationOf({ status }: FineTune): Tokenization {
  if (status === undefined) return 'untold';
  const word = status.toLowerCase();
  if (word === CREATED) return 'created';
  if (READY.has(word)) return 'ready';
  return FAILED.test(word) ? 'failed' : 'under_way';
}

/** Tokenized, and whatever can only come after it: its training, and the end of that. */
const READY: ReadonlySet<string> = new Set([
  ...['tokenized', 'ready', 'running', 'training', 'trained', 'succeeded', 'completed', 'complete', 'finished'],
  ...['deploying', 'deployed', 'active'],
]);

/** `failed`, `error`, `tokenization_failed`. */
const FAILED = /(^|[_ -])(failed|error|errored|cancelled|canceled)$/;

/** Why it failed, in the service's words; undefined where it gives none. */
export function reasonOf({ error_message, error, message }: FineTune): string | undefined {
  return [error_message, error, message].find(words => typeof words === 'string' && words.trim() !== '') as
    | string
    | undefined;
}
