/**
 * The copy of the database's mark in a team's store. Workers renew it once a second while they pay, so that a restored backup, or an old primary
 * that comes back, is recognised even if every process that used the database is gone.
 */

import { notesAt } from '../../app/results/team-store.ts';
import { type Clock, systemClock } from '../../machine/time/clock.ts';
import { isObject, recordIn } from '../../model/text/json.ts';
import type { NotePlace } from '../../records/store/shared/shared-place.ts';
import type { Team } from '../client/open-team.ts';
import { type DatabaseMark, TeamUnfit } from '../database/database-identity.ts';
import type { TeamDatabase } from '../database/team-database.ts';

interface StoreMarkOptions {
  readonly place: NotePlace;
  readonly database: Pick<TeamDatabase, 'identity' | 'compare'>;
  readonly clock: Clock;
  /** False: the store is only read. */
  readonly writes: boolean;
}

/** Milliseconds after which the mark is renewed, after which a request waits for that, and how long it waits. */
const RENEWED_AFTER = 1_000;
const STALE_AFTER = 2_000;
const PATIENCE = 2_000;

export class StoreMark implements AsyncDisposable {
  readonly #options: StoreMarkOptions;
  readonly #closing = new AbortController();
  #renewedAt: number | undefined;
  #renewing: Promise<void> | undefined;
  #unfit: TeamUnfit | undefined;
  /** A store that does not answer holds up one request, not each. */
  #isSilent = false;

  constructor(options: StoreMarkOptions) {
    this.#options = options;
  }

  /** Compares the store's mark with the database, and writes a newer one. @throws TeamUnfit where the database is an older copy. */
  async compare(): Promise<void> {
    const { place, database, writes } = this.#options;
    const there = await this.remembered();
    if (there === 'out of reach') return;
    if (there) await database.compare(there);
    const mark = database.identity.mark();
    if (writes && mark && isNewer(mark, there))
      await place.writeNote(nameOf(mark.team), JSON.stringify(mark), this.#closing.signal);
  }

  /** What the store remembers of this team's database; undefined: nothing. */
  async remembered(): Promise<DatabaseMark | 'out of reach' | undefined> {
    const { place, database } = this.#options;
    if (!database.identity.mark()) await database.compare();
    const team = database.identity.mark()?.team;
    if (team === undefined) return undefined;
    const note = await place.readNote(nameOf(team), this.#closing.signal);
    if (note.is === 'fault') return 'out of reach';
    const there = note.is === 'note' ? markIn(note.text) : undefined;
    return there?.team === team ? there : undefined;
  }

  /** Before a decision about a paid request: the store's mark is at most two seconds old then, unless the store is out of reach. @throws TeamUnfit */
  readonly renew = async (): Promise<void> => {
    const { clock } = this.#options;
    const age = this.#renewedAt === undefined ? Number.POSITIVE_INFINITY : Math.abs(clock.now() - this.#renewedAt);
    if (age >= RENEWED_AFTER || this.#unfit) this.#renewing ??= this.#renewed();
    if ((age >= STALE_AFTER && !this.#isSilent) || this.#unfit) await this.#inTime();
    if (this.#unfit) throw this.#unfit;
  };

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#renewing;
    await this.#options.place.close();
  }

  async #renewed(): Promise<void> {
    try {
      await this.compare();
      this.#unfit = undefined;
    } catch (error) {
      // The connection reports a database that cannot be reached.
      if (error instanceof TeamUnfit) this.#unfit = error;
    } finally {
      this.#renewedAt = this.#options.clock.now();
      this.#renewing = undefined;
      this.#isSilent = false;
    }
  }

  async #inTime(): Promise<void> {
    const over = new AbortController();
    const late = this.#options.clock.sleep(PATIENCE, over.signal, 'in the background').then(() => {
      this.#isSilent ||= !over.signal.aborted;
    });
    await Promise.race([this.#renewing, late]);
    over.abort();
  }
}

/** The mark in the store of a team. */
export const storeMark = async ({
  database,
  store,
}: Pick<Team, 'database' | 'store'>): Promise<StoreMark | undefined> =>
  store && new StoreMark({ place: await notesAt(store), database, clock: systemClock, writes: store.settings.write });

const nameOf = (team: string): string => `team-${team}.json`;

const isNewer = (mark: DatabaseMark, there: DatabaseMark | undefined): boolean =>
  there === undefined ||
  mark.generation > there.generation ||
  (mark.generation === there.generation && mark.at > there.at);

/** Undefined: Shotlist did not write this. */
function markIn(text: string): DatabaseMark | undefined {
  const note = recordIn(text);
  if (!isObject(note)) return undefined;
  const { team, generation, batch, at } = note as unknown as DatabaseMark;
  const isMark =
    UUID.test(team) &&
    Number.isSafeInteger(generation) &&
    Number.isSafeInteger(at) &&
    (batch === null || UUID.test(batch));
  return isMark ? { team, generation, batch, at } : undefined;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
