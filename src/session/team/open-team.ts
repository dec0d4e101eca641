/** A team as a command works with it: its database, its queue, where it keeps its results, and what this project is called in it. */
import { basename } from 'node:path';
import { TeamDatabase } from '../../cluster/database/team-database.ts';
import { TeamQueue } from '../../cluster/queue/team-queue.ts';
import type { TeamSettings } from '../../host/team-settings.ts';
import type { StoreChoice } from '../shared-results.ts';
import { teamMessages } from './team-messages.ts';

export interface Team extends AsyncDisposable {
  /** As people call it: behind `--on`. */
  readonly name: string;
  /** Its address, with its password. */
  readonly url: string;
  readonly database: TeamDatabase;
  /** It is not started before somebody hands something in. */
  readonly queue: TeamQueue;
  /** What tells this project from others of the team. */
  readonly project: string;
  /** Absent: nobody said where. */
  readonly store: StoreChoice | undefined;
  /** Bytes of its results that a worker keeps at hand. */
  readonly cache: number;
}

/** Bytes, where nobody says. */
const CACHE = 50e9;

export interface TeamToOpen {
  readonly settings: TeamSettings;
  /** Of the project one stands in. */
  readonly root: string;
  readonly store: StoreChoice | undefined;
  /** Jobs are taken here; absent: they are only handed in. */
  readonly works?: true;
  /** Connections at once, beside those of the queue. */
  readonly most?: number;
  /** The tables need not be there yet. */
  readonly unchecked?: true;
  readonly trouble: (message: string) => void;
}

/** @throws TeamRefused where its tables are not there, or not of this version, and what the database says. */
export async function openTeam(asked: TeamToOpen): Promise<Team> {
  const { settings, root, store, works, unchecked, most = 3, trouble } = asked;
  const { name, database: url, project = basename(root), cache = CACHE } = settings;
  const database = new TeamDatabase({
    ...{ url, most, called: works ? 'shotlist worker' : 'shotlist', trouble },
    onRestored: since => trouble(teamMessages.countsAsRestored(since)),
  });
  const queue = new TeamQueue({ url, trouble, ...(works && { works }) });
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
