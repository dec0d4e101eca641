/** Rejections of single candidates: in a note of the journal, and in the lock, which is in git. */

import type { KeptRejection, Rejections } from '../model/run/choice.ts';
import { isObject, type Json, recordObjectIn } from '../model/text/json.ts';
import { REJECTED_NOTE as NOTE } from '../records/journal/choices.ts';
import type { FilmJournal } from '../records/journal/film-journal.ts';
import { JournalFailed } from '../records/journal/journal.ts';

/** The oldest are let go of. */
const MAX_REJECTIONS = 2_000;

type Kept = Pick<FilmJournal, 'notes' | 'login'>;

/** Those of the journal. @param film absent: the one that it was opened for. */
export function rejections({ notes }: { readonly notes: Pick<Kept['notes'], 'get'> }, film?: string): Rejections {
  const kept = recordObjectIn(notes.get(NOTE, film) ?? '') ?? {};
  return new Map(
    Object.entries(kept).flatMap(([id, one]) => (isRejection(one) ? [[id, one as unknown as KeptRejection]] : [])),
  );
}

/** Reads the newest each time it is asked: another process may add one meanwhile. The journal's note on a candidate goes before the lock's. */
export function liveRejections({ notes }: Pick<Kept, 'notes'>, locked: Rejections): () => Rejections {
  let read: string | undefined;
  let known = locked;
  return () => {
    const text = notes.get(NOTE) ?? '';
    if (text !== read) known = new Map([...locked, ...rejections({ notes: { get: () => text } })]);
    read = text;
    return known;
  };
}

/** @param rejection undefined: it is taken back. @returns false where the journal cannot be written. */
export async function keepRejection(journal: Kept, id: string, rejection: KeptRejection | undefined): Promise<boolean> {
  const all = new Map(rejections(journal));
  all.delete(id);
  const { login } = journal;
  if (rejection) all.set(id, { ...rejection, ...(login !== undefined && { login }) });
  try {
    await journal.notes.set(NOTE, JSON.stringify(Object.fromEntries([...all].slice(-MAX_REJECTIONS))));
    return true;
  } catch (error) {
    if (error instanceof JournalFailed) return false;
    throw error;
  }
}

function isRejection(one: Json): boolean {
  if (!isObject(one)) return false;
  const { key = '', who, login = '', at, note } = one;
  return (
    typeof key === 'string' &&
    typeof who === 'string' &&
    typeof login === 'string' &&
    typeof at === 'number' &&
    (note === null || typeof note === 'string')
  );
}
