/** A film as whoever decides something of it opens it: beside a run of it that goes on, or alone. */
import { asTyped } from '../../domain/as-typed.ts';
import { filmAtService } from '../session/film-at-service.ts';
import { type FilmValues, filmOptions } from '../session/film-options.ts';
import type { DecidedFilm } from './decided-film.ts';

/** @param to `run`: nobody may run it meanwhile. @throws CommandError, UsageError, Refusal */
export async function filmToDecide(
  file: string,
  given: FilmValues & { readonly on?: string | undefined },
  to: 'run' | 'look',
): Promise<DecidedFilm> {
  if (given.on !== undefined)
    return (await import('../team/film-to-decide-in-team.ts')).filmToDecideInTeam(file, given, given.on);
  const film = await filmAtService(file, given, { to });
  const { session, choice } = film;
  const { profile } = choice;
  const options = filmOptions(given, session.pipeline);
  const typed = [
    ...[asTyped(file), ...(profile === undefined ? [] : ['--profile', profile])],
    ...(options === '' ? [] : [options]),
  ].join(' ');
  return {
    ...{ file, profile: profile ?? null, session, options },
    ...{ again: `shotlist run ${typed}`, review: `shotlist review ${typed}` },
    [Symbol.asyncDispose]: () => film[Symbol.asyncDispose](),
  };
}
