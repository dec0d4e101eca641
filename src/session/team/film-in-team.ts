/** A film of this project as its team has it, for whoever looks or decides: read, and nothing written of it but choices. */
import { randomUUID } from 'node:crypto';
import { TeamJournal } from '../../cluster/journal/team-journal.ts';
import { filmIdOf, wake } from '../../cluster/runs/run-rows.ts';
import { systemClock } from '../../host/clock.ts';
import type { FilmJournal } from '../../run/local/film-journal.ts';
import type { Team } from './open-team.ts';

/** Opens the journal of the film that is called so on a machine. */
export const filmInTeam =
  ({ database: team, project }: Pick<Team, 'database' | 'project'>, account: string) =>
  (film: string, of = project): Promise<FilmJournal> =>
    TeamJournal.open({
      ...{ team, film: filmIdOf({ project: of, film }), account, clock: systemClock, newId: randomUUID },
    });

/** Somebody has decided something of it: its runs that wait go on. Gives them. */
export async function wakeFilm({ database, queue }: Team, film: string): Promise<readonly string[]> {
  await queue.start();
  return wake(database, queue, film);
}
