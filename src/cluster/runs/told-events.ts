/**
 * What a run says, event by event, for whoever watches it from another machine. The lead writes it as it shows it; what changes many times a
 * second is told twice a second. It decides nothing, and holds nothing up: where the database is out of reach, watchers see less.
 */
import type { RecordedEvent, Reporter } from '../../domain/event.ts';
import { recordObjectIn } from '../../domain/json.ts';
import type { Clock } from '../../host/clock.ts';
import type { Queries, TeamDatabase } from '../database/team-database.ts';

/** Milliseconds between two writes. */
const PACE = 500;
/** Those that a person is waiting for are written soon. */
const SOON = 20;
/** Of each instance only the newest of these is told. */
const FLEETING = new Set<RecordedEvent['type']>(['progress', 'looking', 'text_written']);

/** Who tells it: who has led the film since says more, and this one nothing. */
export interface Teller {
  readonly run: string;
  /** As the team's tables call it. */
  readonly film: string;
  readonly epoch: number;
}

export class ToldEvents implements Reporter {
  readonly #team: TeamDatabase;
  readonly #teller: Teller;
  readonly #clock: Clock;
  #waiting: RecordedEvent[] = [];
  #last: RecordedEvent | undefined;
  #writing: Promise<void> | undefined;

  constructor(team: TeamDatabase, teller: Teller, clock: Clock) {
    this.#team = team;
    this.#teller = teller;
    this.#clock = clock;
  }

  /**
   * The last event of the turn. It is written by `endLead` in one transaction with the end itself: a lead that dies between the two has
   * told nothing of an end, and the next lead tells it.
   */
  get last(): RecordedEvent | undefined {
    return this.#last;
  }

  report(event: RecordedEvent): void {
    if (event.type === 'run_finished') {
      this.#last = event;
      return;
    }
    if (FLEETING.has(event.type) && event.type !== 'text_written') {
      const key = 'key' in event ? event.key : undefined;
      this.#waiting = this.#waiting.filter(one => one.type !== event.type || !('key' in one) || one.key !== key);
    }
    this.#waiting.push(event);
    this.#writing ??= this.#write();
  }

  async close(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  async #write(): Promise<void> {
    const isFleeting = this.#waiting.every(({ type }) => FLEETING.has(type));
    await this.#clock.sleep(isFleeting ? PACE : SOON, undefined, 'in the background');
    const told = this.#waiting;
    this.#waiting = [];
    const { run, film, epoch } = this.#teller;
    try {
      await this.#team.query(
        `WITH kept AS (INSERT INTO told (run, body) SELECT $1, body FROM unnest($2::text[]) WITH ORDINALITY AS e (body, n)
           WHERE (SELECT still_leads($4, $5)) ORDER BY n RETURNING 1)
         SELECT pg_notify('shotlist', $3) FROM (SELECT 1 FROM kept LIMIT 1) AS one`,
        [run, told.map(event => JSON.stringify(event)), `told:${run}`, film, epoch],
      );
    } catch {
      // The next write tells what this one would have; what is lost is a line on a screen.
      this.#waiting = [...told, ...this.#waiting].slice(-MOST);
      await this.#clock.sleep(PACE, undefined, 'in the background');
    }
    this.#writing = this.#waiting.length > 0 && !this.#isOver ? this.#write() : undefined;
  }

  #isOver = false;

  /** Tries no more: the database does not come back in time. */
  giveUp(): void {
    this.#isOver = true;
  }
}

/** Events that are kept for a database that is out of reach. */
const MOST = 10_000;

/** The events of a run after the row `after`, oldest first. A row that is no event is skipped with a warning: the journal has its event. */
export async function toldAfter(
  team: Pick<TeamDatabase, 'query' | 'warnUnreadable'>,
  run: string,
  after: number,
): Promise<{ readonly events: readonly RecordedEvent[]; readonly last: number }> {
  const rows = await team.query<{ id: number; body: string }>(
    'SELECT id, body FROM told WHERE run = $1 AND id > $2 ORDER BY id LIMIT 5000',
    [run, after],
  );
  return {
    events: rows.flatMap(({ id, body }) => {
      const event = recordObjectIn(body);
      if (event && typeof event.type === 'string') return event as unknown as RecordedEvent;
      return team.warnUnreadable(`event ${id} of ${run}`, '`shotlist team report` has the whole run') || [];
    }),
    last: rows.at(-1)?.id ?? after,
  };
}

/** The row before the newest turn of this run began; 0: none has. */
export async function newestTurn({ query }: Queries, run: string): Promise<number> {
  const [row] = await query<{ id: number | null }>(
    `SELECT max(id) AS id FROM told WHERE run = $1 AND body LIKE '%"type":"run_started"%'`,
    [run],
  );
  return (row?.id ?? 1) - 1;
}
