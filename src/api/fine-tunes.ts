/** Fine-tunes of a repository ("Fine-tune record", "POST /api/repos/{namespace}/{repo_name}/fine_tunes/{id}/tokenize"). */
import type { JsonObject } from '../domain/json.ts';

/** Which fine-tune: the three parts of its path. */
export interface FineTunePlace {
  readonly namespace: string;
  readonly repo: string;
  readonly id: string;
}

/** "Fields of the fine-tune record: not shown beyond its identifier." Any other field that a service tells is kept as it is. */
export type FineTune = { readonly id: string; readonly status?: string } & JsonObject;

/** The only state the document names: tokenization can be triggered in it, and in no other. */
export const CREATED = 'created';

/** `status` and `status_message` are observed. */
export interface TokenizeResponse {
  readonly status?: string;
  readonly status_message?: string;
  readonly fine_tune: FineTune;
}
