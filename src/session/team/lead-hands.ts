/** The hands of a run that is led here: commands and cuts are anybody's work, and what is made here is the team's before it is told. */
import type { TeamDatabase } from '../../cluster/database/team-database.ts';
import { sentFirst } from '../../cluster/hands/sent-first.ts';
import { TeamHands } from '../../cluster/hands/team-hands.ts';
import { Troubles } from '../../cluster/hands/troubles.ts';
import type { TeamQueue } from '../../cluster/queue/team-queue.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Clock } from '../../host/clock.ts';
import type { Hands } from '../../run/ports/hands.ts';
import type { Film } from '../film/open-film.ts';

export interface HandsOfLead {
  readonly team: TeamDatabase;
  readonly queue: TeamQueue;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly run: { readonly id: string; readonly filmId: string };
  readonly epoch: number;
  readonly film: Pick<Film, 'root' | 'store' | 'shared' | 'secrets' | 'journal'>;
  /** Of this machine. */
  readonly here: Hands;
  /** Aborts when this worker leaves: what is under way elsewhere goes on, for the next lead. */
  readonly leaving: AbortSignal;
  /** Calls back when this was told at the team's. Returns how to stop that. */
  readonly hear: (topic: string, listener: () => void) => () => void;
  /** Hears why work does not go on; undefined: it does. */
  readonly trouble: (message: string | undefined) => void;
}

/** @throws Refusal where the team has no store: its machines could not have each other's results. */
export function handsOfLead({ film, run, here, trouble, ...given }: HandsOfLead): TeamHands {
  const { root, store, shared, secrets, journal } = film;
  if (!shared) throw new Refusal('the team has no store for its results: name one under `teams` of the settings');
  const troubles = new Troubles(trouble);
  const told = (what: string) => (message: string | undefined) => troubles.tell(what, message);
  return new TeamHands({
    ...given,
    ...{ run: run.id, film: run.filmId, root, store, shared, secrets, trouble: told('elsewhere') },
    here: sentFirst(here, shared, told('here')),
    durable: () => journal.durable(),
  });
}
