/**
 * What was picked in another profile is made by one run, however often that run is interrupted and gone on with: the journal keeps it until
 * a run is done. From then on the choices themselves are in the lock.
 */
import { type Promotion, promotionIn, promotionText } from '../domain/promotion.ts';
import type { Journal } from '../run/ports/journal.ts';

const NOTE = 'promotion';

export const notedPromotion = (journal: Pick<Journal, 'getNote'>): Promotion | undefined =>
  promotionIn(journal.getNote(NOTE) ?? undefined);

export async function notePromotion(
  promotion: Promotion | undefined,
  journal: Pick<Journal, 'getNote' | 'setNote'>,
): Promise<void> {
  const note = promotion === undefined ? '' : promotionText(promotion);
  if ((journal.getNote(NOTE) ?? '') !== note) await journal.setNote(NOTE, note);
}
