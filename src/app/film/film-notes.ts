/**
 * What the journal keeps for one run of a film, however often that run is interrupted and resumed: when `--redo` was first asked for, and what
 * was picked in another profile. Both are removed once a run is done.
 */
import { type Promotion, promotionIn, promotionText } from '../../model/run/promotion.ts';
import type { Selection } from '../../model/selector.ts';
import type { FilmJournal } from '../../records/journal/film-journal.ts';

type Notes = Pick<FilmJournal, 'notes'>;

export function withRedone(selection: Selection, { notes }: Notes, now: number): Selection {
  const { redo } = selection;
  if (redo.length === 0) return selection;
  const [since, ...before] = (notes.get('redo') ?? '').split('\n');
  const isTheSame = since !== '' && before.join('\n') === redo.toSorted().join('\n');
  return { ...selection, redoneSince: isTheSame ? Number(since) : now };
}

export function noteRedone(selection: Selection | undefined, journal: Notes): Promise<void> {
  const { redo = [], redoneSince } = selection ?? {};
  return note('redo', redo.length === 0 ? '' : [redoneSince, ...redo.toSorted()].join('\n'), journal);
}

export const notedPromotion = ({ notes }: Notes): Promotion | undefined =>
  promotionIn(notes.get('promotion') ?? undefined);

export const notePromotion = (promotion: Promotion | undefined, journal: Notes): Promise<void> =>
  note('promotion', promotion === undefined ? '' : promotionText(promotion), journal);

async function note(name: 'redo' | 'promotion', text: string, { notes }: Notes): Promise<void> {
  if ((notes.get(name) ?? '') !== text) await notes.set(name, text);
}
