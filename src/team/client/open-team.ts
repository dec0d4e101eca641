/** A team as a command works with it: its database, its queue, where it keeps its results, and what this project is called in it. */

import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { StoreChoice } from '../../app/results/team-store.ts';
import { systemClock } from '../../machine/time/clock.ts';
import type { BudgetStatus } from '../../model/budget.ts';
import type { RateInUse } from '../../model/request-rates.ts';
import type { FilmJournal } from '../../records/journal/film-journal.ts';
import type { TeamSettings } from '../../settings/team-settings.ts';
import { TeamDatabase } from '../database/team-database.ts';
import { TeamJournal } from '../journal/team-journal.ts';
import { TeamQueue } from '../queue/team-queue.ts';
import { limitsHere } from '../runs/cluster-limits.ts';
import { filmIdOf, type RunRow, wake } from '../runs/run-rows.ts';
import { teamMessages } from './team-messages.ts';

export interface Team extends AsyncDisposable {
  /** As people call it: behind `--on`. */
  readonly name: string;
  readonly url: string;
  readonly database: TeamDatabase;
  /** It is not started before the first submission. */
  readonly queue: TeamQueue;
  /** Separates this project from others of the team. */
  readonly project: string;
  readonly store: StoreChoice | undefined;
  /** Bytes of its results that a worker keeps at hand. */
  readonly cache: number;
}

const CACHE = 50e9;

interface TeamToOpen {
  readonly settings: TeamSettings;
  readonly root: string;
  readonly store: StoreChoice | undefined;
  /** Jobs are taken here; absent: they are only handed in. */
  readonly works?: true;
  /** Connections at once, those of the queue included. */
  readonly most?: number;
  /** The tables need not be there yet. */
  readonly unchecked?: true;
  readonly trouble: (message: string) => void;
}

/** @throws TeamRefused where its tables are missing, or not of this version, and the database's error. */
export async function openTeam(asked: TeamToOpen): Promise<Team> {
  const { settings, root, store, works, unchecked, most = 3, trouble } = asked;
  const { name, database: url, project = basename(root), cache = CACHE } = settings;
  const database = new TeamDatabase({
    ...{ url, most, called: works ? 'shotlist worker' : 'shotlist', trouble },
    onRestored: since => trouble(teamMessages.countsAsRestored(since)),
  });
  const queue = new TeamQueue({ url, database, trouble, ...(works && { works }) });
  const close = async () => {
    await queue.stop(0).catch(() => {});
    await database.close();
  };
  try {
    if (!unchecked) await database.check();
  } catch (error) {
    await database.close();
    throw error;
  }
  return { name, url, database, queue, project, store, cache, [Symbol.asyncDispose]: close };
}

/** A team's limits for the key of a film, as a plan shows them. */
interface TeamAllows {
  readonly rates: readonly RateInUse[];
  /** Dollars of a day; absent: unlimited. */
  readonly day?: BudgetStatus;
}

/** @param account absent: the key is not on this machine. */
export async function teamAllows(
  { database }: Pick<Team, 'database'>,
  key: { readonly account: string | undefined; readonly name: string },
): Promise<TeamAllows> {
  const found = await limitsHere(database, key);
  if (!found) return { rates: [] };
  const { in_flight, per_second, usd_per_day: limit, models, spent, in_flight_usd: flying } = found;
  const rate = (name: 'in_flight' | 'per_second', most: number | null, model?: string): readonly RateInUse[] =>
    most === null ? [] : [{ rate: name, limit: most, ...(model !== undefined && { model }), by: 'team', sentAgo: [] }];
  return {
    rates: [
      ...rate('in_flight', in_flight),
      ...rate('per_second', per_second),
      ...Object.entries(models).flatMap(([model, most]) => rate('in_flight', most, model)),
    ],
    ...(limit !== null && { day: { of: 'team_day', measure: 'usd', limit, spent, in_flight: flying } }),
  };
}

/** Opens the journal of the film that is called so on a machine. */
export const filmInTeam =
  (team: Pick<Team, 'database' | 'project'>, account: string) =>
  (film: string): Promise<FilmJournal> =>
    TeamJournal.open({ ...looking(team.database), film: filmIdOf({ project: team.project, film }), account });

/** Opens what a report of the run reads. */
export const journalOfRun = (
  { database }: Pick<Team, 'database'>,
  run: Pick<RunRow, 'id' | 'filmId'>,
): Promise<FilmJournal> => TeamJournal.open({ ...looking(database), film: run.filmId, of: run.id, account: '' });

const looking = (team: TeamDatabase) => ({ team, clock: systemClock, newId: randomUUID });

/** A choice of it was made: its waiting runs go on. Returns them. */
export async function requeueFilm({ database, queue }: Team, film: string): Promise<readonly string[]> {
  await queue.start();
  return wake(database, queue, film);
}
