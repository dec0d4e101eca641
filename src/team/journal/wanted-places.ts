/** Places at a service: which models the film waits for, and the places that it has left for others. */
import type { Clock } from '../../machine/time/clock.ts';
import type { FilmTeam } from '../../records/journal/film-journal.ts';
import { postgresSafeText } from '../database/storable-text.ts';
import type { Queries } from '../database/team-database.ts';
import type { TeamRows } from './team-rows.ts';

/** Milliseconds between two announcements of places that were left. */
const ANNOUNCED_EACH = 50;

interface PlacesOf {
  readonly team: Queries;
  readonly film: string;
  readonly account: string;
  readonly rows: TeamRows;
  /** In the time of the team's database. */
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly signal: AbortSignal;
}

export class WantedPlaces {
  readonly #of: PlacesOf;
  /** At which models a place is waited for from now on, or no more. */
  readonly #wants = new Map<string, { readonly how: 'waits' | 'waits anew' | 'has it'; readonly ms: number }>();
  /** Places at the service that were left, and that are not announced yet. */
  #left = 0;
  #announcing: Promise<void> | undefined;

  constructor(of: PlacesOf) {
    this.#of = of;
  }

  get line(): FilmTeam['line'] {
    const { rows, clock } = this.#of;
    const wants = this.#wants;
    return {
      get others() {
        return rows.inLine;
      },
      since: model => {
        const want = wants.get(model);
        if (want?.how === 'waits anew') return clock.now();
        return want?.how === 'has it' ? undefined : rows.waitsSince(model);
      },
      // A film that has got a place in the same group waits anew.
      join: (model, ms) => {
        const before = wants.get(model)?.how ?? 'waits';
        wants.set(model, { how: before === 'waits' ? 'waits' : 'waits anew', ms });
      },
      quit: model => void this.#quit(model),
      leave: model => void wants.set(model, { how: 'has it', ms: 0 }),
    };
  }

  forget(): void {
    this.#wants.clear();
  }

  /** Enters the line for a place, or leaves it: within the transaction of the decision. */
  async keep({ query }: Queries): Promise<void> {
    const { account, film } = this.#of;
    for (const [model, { how, ms }] of this.#wants)
      await query('SELECT want_place($1, $2, $3, $4, $5)', [account, postgresSafeText(model), film, how, ms]);
  }

  /** Counts places that were left while another film waits for one. */
  leave(places: number): void {
    this.#left += places;
  }

  /** Announces them once they are left for certain. */
  announce(): void {
    if (this.#left > 0) this.#announcing ??= this.#announceEach();
  }

  async announced(): Promise<void> {
    await this.#announcing;
  }

  /** Where the database is out of reach it is forgotten there after a while. */
  async #quit(model: string): Promise<void> {
    const { account, film, team } = this.#of;
    await team
      .query('SELECT want_place($1, $2, $3, $4, 0)', [account, postgresSafeText(model), film, 'quits'])
      .catch(() => {});
  }

  /** Outside of what pays: a commit with a NOTIFY waits for all others of the server. A film that misses it looks again by itself. */
  async #announceEach(): Promise<void> {
    const { team, account, clock, signal } = this.#of;
    while (this.#left > 0) {
      const places = this.#left;
      this.#left = 0;
      await team
        .query("SELECT pg_notify('shotlist', 'freed:' || md5($1) || ':' || $2)", [account, places])
        .catch(() => {});
      await clock.sleep(ANNOUNCED_EACH, signal, 'in the background');
    }
    this.#announcing = undefined;
  }
}
