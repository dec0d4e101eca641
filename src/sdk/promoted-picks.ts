/** What was picked in one profile of a film, for a program that makes it in another. */
import { FINAL } from '../domain/profile.ts';
import type { Promotion } from '../domain/promotion.ts';
import type { FilmToOpen } from '../session/film/film-to-open.ts';
import { openFilm } from '../session/film/open-film.ts';
import { pickedIn } from '../session/promote.ts';
import type { PlanOptions } from './film-options.ts';

type PromotedPicks =
  | { readonly is: 'promoted'; readonly promotion: Promotion | undefined }
  /** A sentence that says why nothing can be promoted. */
  | { readonly is: 'mistaken'; readonly message: string }
  | { readonly is: 'unreachable'; readonly message: string };

/** @param account the service's, for which it was made. */
export async function promotedPicks(
  { promote: from, profile = FINAL }: Pick<PlanOptions, 'promote' | 'profile'>,
  asked: FilmToOpen,
  account: string,
): Promise<PromotedPicks> {
  if (from === undefined) return { is: 'promoted', promotion: undefined };
  if (from === profile) return mistaken(`what is picked in ${from} is made there already: name two profiles`);
  const { selection: _, deployments: __, ...all } = asked;
  const opened = await openFilm({ ...all, profile: from, to: 'look', found: () => {} });
  switch (opened.is) {
    case 'open': {
      const { promotion, open } = pickedIn(opened.film, from, account);
      await opened.film.close();
      if (open.length === 0) return { is: 'promoted', promotion };
      return mistaken(
        `in ${from} it is not decided yet: ${open.join(', ')}; and takes that nobody picked are not made`,
      );
    }
    case 'mistaken':
      return mistaken(`in ${from} it has mistakes: plan it there to be told of them`);
    case 'unselectable':
      return mistaken(opened.messages.join('; '));
    case 'unreachable':
      return { is: 'unreachable', message: opened.message };
  }
}

const mistaken = (message: string): PromotedPicks => ({ is: 'mistaken', message });
