/** The rows that the page reads. The request stands apart from the record. */
import type { StudioPageData, StudioPageRow } from '../../../api/studio-page.ts';
import { type Generation, isFinished } from '../records/generations.ts';
import type { Services } from '../services.ts';

/** The queue in its order; what is finished, newest first, among the `limit` newest of all. */
export function pageData(studio: Services, limit: number): StudioPageData {
  const place = studio.table.places();
  const { rows, total } = studio.table.page({}, limit, 1);
  const rowOf = (one: Generation) => pageRow(one, studio, place(one));
  return {
    queue: studio.table.queue({}).map(rowOf),
    made: rows.filter(isFinished).map(rowOf),
    total,
    more: total > limit,
  };
}

function pageRow(one: Generation, { library, queue }: Services, place: number | null): StudioPageRow {
  return {
    id: one.id,
    model: one.model,
    kind: library.get(one.model)?.kind ?? null,
    media_type: one.media_type,
    status: one.status,
    place,
    progress: queue.progress(one),
    enqueued_at: one.enqueued_at,
    started_at: one.started_at,
    completed_at: one.completed_at,
    error_message: one.error_message,
    // A path, not an address: the page may have been opened under another name of this machine.
    result: one.file === null ? null : `/results/${one.id}/${one.file}`,
    facts: one.facts,
    request: one.request,
  };
}
