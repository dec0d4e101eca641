/**
 * What is made once more is made once more by one run, however often that run is interrupted and gone on with by the same command. So
 * the journal keeps when it was first asked for, until a run is done.
 */
import type { Selection } from '../../domain/selection.ts';
import type { FilmJournal } from '../../run/local/film-journal.ts';

const NOTE = 'redo';

export function withRedone(selection: Selection, journal: Pick<FilmJournal, 'notes'>, now: number): Selection {
  const { redo } = selection;
  if (redo.length === 0) return selection;
  const [since, ...before] = (journal.notes.get(NOTE) ?? '').split('\n');
  const isTheSame = since !== '' && before.join('\n') === redo.toSorted().join('\n');
  return { ...selection, redoneSince: isTheSame ? Number(since) : now };
}

export async function noteRedone(selection: Selection | undefined, journal: Pick<FilmJournal, 'notes'>): Promise<void> {
  const { redo = [], redoneSince } = selection ?? {};
  const note = redo.length === 0 ? '' : [redoneSince, ...redo.toSorted()].join('\n');
  if ((journal.notes.get(NOTE) ?? '') !== note) await journal.notes.set(NOTE, note);
}
