/**
 * The events of a run, for watchers at other machines. The lead writes it as it shows it, in the next group of its journal, so that it
 * costs no commit of its own; what changes many times a second is written twice a second. No decision depends on it.
 */

import type { Clock } from '../../machine/time/clock.ts';
import type { RecordedEvent, Reporter } from '../../model/run/event.ts';
import { recordObjectIn } from '../../model/text/json.ts';
import type { Queries, TeamDatabase } from '../database/team-database.ts';
import type { TeamJournal } from '../journal/team-journal.ts';

/** Milliseconds between two writes of what changes often. */
const PACE = 500;
/** Of each instance only the newest of these is sent. */
const FLEETING = new Set<RecordedEvent['type']>(['progress', 'looking', 'text_written']);

export class BroadcastEvents implements Reporter {
  readonly #journal: Pick<TeamJournal, 'tell'>;
  readonly #clock: Clock;
  #waiting: RecordedEvent[] = [];
  #last: RecordedEvent | undefined;
  #isDue = false;

  constructor(journal: Pick<TeamJournal, 'tell'>, clock: Clock) {
    this.#journal = journal;
    this.#clock = clock;
  }

  /**
   * The last event of the turn. It is written by `endLead` in one transaction with the end itself: a lead that dies between the two has reported no
   * end, and the next lead does.
   */
  get last(): RecordedEvent | undefined {
    return this.#last;
  }

  report(event: RecordedEvent): void {
    if (event.type === 'run_finished') {
      this.#last = event;
      return;
    }
    const isFleeting = FLEETING.has(event.type);
    if (isFleeting && event.type !== 'text_written') {
      const key = 'key' in event ? event.key : undefined;
      this.#waiting = this.#waiting.filter(one => one.type !== event.type || !('key' in one) || one.key !== key);
    }
    this.#waiting.push(event);
    if (!isFleeting) this.#flush();
    else if (!this.#isDue) {
      this.#isDue = true;
      void this.#clock.sleep(PACE, undefined, 'in the background').then(() => this.#flush());
    }
  }

  async close(): Promise<void> {
    this.#flush();
  }

  #flush(): void {
    this.#isDue = false;
    this.#journal.tell(this.#waiting.splice(0));
  }
}

/** The events of a run after the row `after`, oldest first. A row that is no event is skipped with a warning: the journal has its event. */
export async function broadcastAfter(
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

export async function isBroadcastAfter({ query }: Queries, run: string, after: number): Promise<boolean> {
  const rows = await query('SELECT FROM told WHERE run = $1 AND id > $2 LIMIT 1', [run, after]);
  return rows.length > 0;
}

/** The row before the newest turn of this run began; 0: none has. */
export async function newestTurn({ query }: Queries, run: string): Promise<number> {
  const [row] = await query<{ id: number | null }>(
    `SELECT max(id) AS id FROM told WHERE run = $1 AND body LIKE '%"type":"run_started"%'`,
    [run],
  );
  return (row?.id ?? 1) - 1;
}
