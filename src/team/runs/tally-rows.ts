/** What `status` shows of a run, as one row of the team's tables: its lead writes it, and any machine reads it. Nothing decides by it. */

import type { Clock } from '../../machine/time/clock.ts';
import type { RecordedEvent, Reporter } from '../../model/run/event.ts';
import { recordObjectIn } from '../../model/text/json.ts';
import type { Journal } from '../../records/journal/journal.ts';
import { AllTurns } from '../../records/views/turn-states.ts';
import { type RunTally, runTally } from '../../show/text/status/run-tally.ts';
import type { Queries } from '../database/team-database.ts';
import { turnsOf } from './run-rows.ts';

/** Milliseconds between two writes; a large run waits for so many times what its tally takes to make. */
const PACE = 1_000;
const MOST_OF_TIME = 100;

interface LedRun {
  readonly run: string;
  readonly film: string;
  readonly epoch: number;
}

/** Keeps the row of a run while it is led from here: at most once a second, and at the end of the turn. */
export class TallyKeeper implements Reporter {
  readonly #team: Queries;
  readonly #led: LedRun;
  readonly #clock: Clock;
  readonly #turns = new AllTurns();
  readonly #closing = new AbortController();
  /** Something has happened that the row does not have. */
  #isStale = false;
  #writing: Promise<void> | undefined;

  private constructor(team: Queries, led: LedRun, clock: Clock) {
    this.#team = team;
    this.#led = led;
    this.#clock = clock;
  }

  /** @param journal in which the events of earlier turns are. */
  static async open(team: Queries, led: LedRun, journal: Pick<Journal, 'read'>, clock: Clock): Promise<TallyKeeper> {
    const keeper = new TallyKeeper(team, led, clock);
    for (const turn of await turnsOf(team, led.run))
      for (const event of journal.read(turn).events) keeper.#turns.apply(event);
    return keeper;
  }

  /** US dollars of all turns; at list price where nothing is billed. */
  get spent(): number {
    return this.#turns.spent;
  }

  report(event: RecordedEvent): void {
    this.#turns.apply(event);
    this.#isStale = true;
    if (!this.#closing.signal.aborted) this.#writing ??= this.#keepUp();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#writing;
    if (this.#isStale) await this.#write();
  }

  async #keepUp(): Promise<void> {
    const { signal } = this.#closing;
    while (this.#isStale && !signal.aborted) {
      // What is shown in one moment is tallied together.
      await Promise.resolve();
      const took = await this.#write();
      await this.#clock.sleep(Math.max(PACE, took * MOST_OF_TIME), signal, 'in the background');
    }
    this.#writing = undefined;
  }

  /** Returns the milliseconds that the tally took. What could not be written is written with the next event, or by the next lead. */
  async #write(): Promise<number> {
    this.#isStale = false;
    const began = this.#clock.now();
    const body = JSON.stringify(runTally(this.#turns));
    const took = this.#clock.now() - began;
    const { run, film, epoch } = this.#led;
    await this.#team
      .query(
        `INSERT INTO run_tally (run, epoch, body) SELECT $1, $3::integer, $4 WHERE still_leads($2, $3::integer)
         ON CONFLICT (run) DO UPDATE SET epoch = excluded.epoch, body = excluded.body`,
        [run, film, epoch, body],
      )
      .catch(() => {});
    return took;
  }
}

/** Undefined where no lead has kept one, or the newest turn was led by an older version, which keeps none. */
export async function tallyOf({ query }: Queries, run: string): Promise<RunTally | undefined> {
  const [row] = await query<{ body: string }>(
    `SELECT body FROM run_tally WHERE run = $1 AND epoch >= coalesce(
       (SELECT epoch FROM event WHERE submitted = $1 AND type = 'run_started' ORDER BY id DESC LIMIT 1), 0)`,
    [run],
  );
  return row && (recordObjectIn(row.body) as RunTally | undefined);
}
