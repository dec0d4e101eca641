/** A generation as the API shows it. In strict mode: the document's four fields and nothing else. */
import { existsSync } from 'node:fs';
import type { GenerationRecord, HistoryRow } from '../../api/queue.ts';
import type { JsonObject } from '../../model/text/json.ts';
import { FIRST_FRAME } from '../animatic/index.ts';
import { type Generation, isFinished } from './records/generations.ts';
import type { Services } from './route.ts';

export function recordOf(
  generation: Generation,
  studio: Services,
  place = (one: Generation) => studio.table.place(one),
): GenerationRecord & JsonObject {
  return studio.strict ? documented(generation, studio) : observed(generation, studio, place(generation));
}

export function historyRowOf(generation: Generation, studio: Services): HistoryRow {
  // The record's own fields win over a request field of the same name.
  return {
    ...generation.request,
    ...recordOf(generation, studio),
    cost: generation.cost,
    user_id: 'studio',
    username: 'studio',
  };
}

/** The names of non-terminal statuses are "not shown": strict mode uses one that no client may rely on. */
function documented(generation: Generation, studio: Services): GenerationRecord & JsonObject {
  const { id, status, error_message } = generation;
  return {
    generation_id: id,
    status: isFinished(generation) ? status : 'pending',
    ...(status === 'succeeded' ? { result_url: resultUrl(generation, studio) } : {}),
    ...(error_message === null ? {} : { error_message }),
  };
}

function observed(generation: Generation, studio: Services, position: number | null): GenerationRecord & JsonObject {
  return {
    generation_id: generation.id,
    model_name: generation.model,
    media_type: generation.media_type,
    status: generation.status,
    enqueued_at: generation.enqueued_at,
    started_at: generation.started_at,
    completed_at: generation.completed_at,
    result_url: resultUrl(generation, studio),
    error_message: generation.error_message,
    target_namespace: generation.target_namespace,
    target_repo: generation.target_repo,
    target_directory: generation.target_directory,
    position,
    progress: studio.queue.progress(generation),
    ...previewUrl(generation, studio),
    idempotency_key: generation.idempotency_key,
  };
}

/** Made when it is asked for: the port may have changed since. */
export function resultUrl({ id, file }: Generation, studio: Services): string | null {
  return file === null ? null : `${studio.url}/results/${id}/${file}`;
}

/** Of the first picture of what is being drawn, once it is. */
function previewUrl({ id, status }: Generation, { results, url }: Services): { readonly preview_url?: string } {
  const isShown = status === 'processing' && existsSync(results.shownEarly(id, FIRST_FRAME));
  return isShown ? { preview_url: `${url}/results/${id}/${FIRST_FRAME}` } : {};
}
