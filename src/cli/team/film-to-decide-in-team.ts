/** A film of a team, opened for a decision: over the team's journal, beside a run of it that goes on or waits. */
import { resolve } from 'node:path';
import { findProject } from '../../machine/files/project.ts';
import { asTyped } from '../../model/text/clean.ts';
import { requeueFilm } from '../../team/client/open-team.ts';
import { isGoing } from '../../team/client/run-in-team.ts';
import { runRows } from '../../team/runs/run-rows.ts';
import type { DecidedFilm } from '../choose/decided-text.ts';
import { sayLine } from '../outlets.ts';
import { type FilmValues, filmOptions } from '../session/film-options.ts';
import { filmAtService } from '../session/session.ts';
import { afterDecision, goOnCommand, commandMessages as messages } from './command-messages.ts';
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
    const submit = ['shotlist team submit', asTyped(file), ...named].filter(word => word !== '').join(' ');
    // A team's journal calls it as the team does.
    const filmId = session.journal.views.film;
    const newest = async () => (await runRows(team.database, { most: 1, film: filmId }))[0];
    const run = await newest();
    const all = opened.move();
    return {
      ...{ file, profile: profile ?? null, session, again: goOnCommand(run, team.name, submit) },
      ...(run && { review: `shotlist review ${run.id} --on ${asTyped(team.name)}` }),
      ...(run && isGoing(run) && { going: run.id }),
      options: [`--on ${asTyped(team.name)}`, options].filter(word => word !== '').join(' '),
      decided: async () => {
        const runs = await requeueFilm(team, filmId);
        if (runs.length > 0) return runs.map(id => messages.goesOn(id, team.name));
        return [afterDecision(await newest(), team.name, submit)];
      },
      [Symbol.asyncDispose]: () => all.disposeAsync(),
    };
  } catch (error) {
    throw asCommandError(error, team.name);
  }
}
