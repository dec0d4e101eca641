/**
 * Why turns of a worker do not go on, by the owner of the trouble: a run with results that no store takes has its own, also while the database is
 * down. The first of them is reported, and the recovery only when none is left.
 */
import { Troubles } from '../tasks/troubles.ts';

/** What a turn waits for. */
type Waited = 'journal' | 'hands';

export class TurnTroubles {
  readonly #troubles: Troubles;

  /** @param told undefined: recovered. */
  constructor(told: (message: string | undefined) => void) {
    this.#troubles = new Troubles(told);
  }

  /** Of the database, from its watcher for all turns. */
  database(message: string | undefined): void {
    this.#troubles.tell('database', message);
  }

  of(run: string, waited: Waited): (message: string | undefined) => void {
    return message => this.#troubles.tell(`${waited} of ${run}`, message);
  }

  /** Nothing here waits any more for what it waited for. */
  ended(run: string): void {
    for (const waited of ['journal', 'hands'] as const) this.of(run, waited)(undefined);
  }
}
