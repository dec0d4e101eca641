/** A film as whoever decides something of it for a team opens it: over the team's journal, beside a run of it that goes on or waits. */
import { resolve } from 'node:path';
import { asTyped } from '../../domain/as-typed.ts';
import { findProject } from '../../host/project.ts';
import { wakeFilm } from '../../session/team/film-in-team.ts';
import type { DecidedFilm } from '../choose/decided-film.ts';
import { sayLine } from '../outlets.ts';
import { filmAtService } from '../session/film-at-service.ts';
import { type FilmValues, filmOptions } from '../session/film-options.ts';
import { commandMessages as messages } from './command-messages.ts';
import { asCommandError, onTeam } from './on-team.ts';

export async function filmToDecideInTeam(file: string, given: FilmValues, on: string): Promise<DecidedFilm> {
  const project = await findProject(file, resolve());
  await using opened = new AsyncDisposableStack();
  const team = opened.use(await onTeam(project, { on, trouble: message => sayLine(messages.trouble(message)) }));
  try {
    const film = opened.use(await filmAtService(file, given, { to: 'look', team }));
    const { session, choice } = film;
    const { profile } = choice;
    const options = filmOptions(given, session.pipeline);
    const named = ['--on', asTyped(team.name), ...(profile === undefined ? [] : ['--profile', profile]), options];
    const again = ['shotlist', 'submit', asTyped(file), ...named].filter(word => word !== '').join(' ');
    // A team's journal calls it as the team does.
    const filmId = session.journal.film;
    const all = opened.move();
    return {
      ...{ file, profile: profile ?? null, session, again },
      options: [`--on ${asTyped(team.name)}`, options].filter(word => word !== '').join(' '),
      decided: async () => {
        const runs = await wakeFilm(team, filmId);
        return runs.length === 0 ? [messages.nobodyWaited(again)] : runs.map(run => messages.goesOn(run, team.name));
      },
      [Symbol.asyncDispose]: () => all.disposeAsync(),
    };
  } catch (error) {
    throw asCommandError(error, team.name);
  }
}
