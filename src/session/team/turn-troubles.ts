/**
 * Why turns of a worker do not go on, by whose trouble it is: a run whose results no store takes has its own, whatever the database says. The
 * first of them is told, and that all is well again only when none is left.
 */
import { Troubles } from '../../cluster/hands/troubles.ts';

/** What a turn waits for. */
type Waited = 'journal' | 'hands';

export class TurnTroubles {
  readonly #troubles: Troubles;

  /** @param told undefined: all is well again. */
  constructor(told: (message: string | undefined) => void) {
    this.#troubles = new Troubles(told);
  }

  /** Of the database, by whoever looks at it for all turns. */
  database(message: string | undefined): void {
    this.#troubles.tell('database', message);
  }

  of(run: string, waited: Waited): (message: string | undefined) => void {
    return message => this.#troubles.tell(`${waited} of ${run}`, message);
  }

  /** What it waited for is waited for by nobody here. */
  ended(run: string): void {
    for (const waited of ['journal', 'hands'] as const) this.of(run, waited)(undefined);
  }
}
