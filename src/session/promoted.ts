/**
 * What was picked in another profile is made by one run, however often that run is interrupted and gone on with: the journal keeps it until
 * a run is done. From then on the choices themselves are in the lock.
 */
import { type Promotion, promotionIn, promotionText } from '../domain/promotion.ts';
import type { FilmJournal } from '../run/local/film-journal.ts';

const NOTE = 'promotion';

export const notedPromotion = (journal: Pick<FilmJournal, 'notes'>): Promotion | undefined =>
  promotionIn(journal.notes.get(NOTE) ?? undefined);

export async function notePromotion(
  promotion: Promotion | undefined,
  journal: Pick<FilmJournal, 'notes'>,
): Promise<void> {
  const note = promotion === undefined ? '' : promotionText(promotion);
  if ((journal.notes.get(NOTE) ?? '') !== note) await journal.notes.set(NOTE, note);
}
