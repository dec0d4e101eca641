/** The real film beside one of its profiles: only looked at, for its price. */
import { FINAL } from '../domain/profile.ts';
import type { FinalPlan } from '../plan/plan-json.ts';
import type { FilmToOpen } from './film/film-to-open.ts';
import { openFilm } from './film/open-film.ts';

/** What is wrong with it is told by `check`, and by whoever makes it. */
export async function planFinal({ compiled: _, ...asked }: FilmToOpen): Promise<FinalPlan> {
  const opened = await openFilm({ ...asked, profile: FINAL, to: 'look', found: () => {} });
  switch (opened.is) {
    case 'open': {
      const { totals, demand } = opened.film.plan;
      await opened.film.close();
      return { totals, demand };
    }
    case 'mistaken':
      return { mistakes: 'it has mistakes of its own, which `shotlist check` tells' };
    case 'unselectable':
      return { mistakes: opened.messages.join('; ') };
    case 'unreachable':
      return { mistakes: opened.message };
  }
}
