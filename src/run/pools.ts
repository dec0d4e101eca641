/**
 * Who may work now. Work names the pools that it takes a place in; it starts when all of them have room, takes all places at once, and
 * gives them back when it has really stopped: what waits holds nothing. Among those that could start the highest priority goes first.
 * A gate that is closed keeps everything waiting that has to go through it.
 *
 * What needs the same waits in one line, so that looking for the next is a look at the heads of a few lines, however many wait.
 */

export interface Pool {
  readonly name: string;
  /** Places. */
  readonly limit: number;
}

export interface Place {
  readonly pools: readonly Pool[];
  readonly gates?: readonly string[];
  readonly priority: number;
}

interface Entry {
  readonly priority: number;
  readonly number: number;
  readonly start: () => void;
}

interface Line extends Pick<Place, 'pools'> {
  readonly gates: readonly string[];
  /** The next one is the last. */
  readonly waiting: Entry[];
}

export class Pools {
  readonly #taken = new Map<string, number>();
  readonly #closed = new Set<string>();
  readonly #lines = new Map<string, Line>();
  #numbers = 0;

  hold<T>(place: Place, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const start = () => {
        for (const { name } of place.pools) this.#taken.set(name, this.#takenOf(name) + 1);
        const giveBack = () => {
          for (const { name } of place.pools) this.#taken.set(name, this.#takenOf(name) - 1);
          this.#startNext();
        };
        Promise.resolve().then(work).finally(giveBack).then(resolve, reject);
      };
      this.#lineUp(place, { priority: place.priority, number: ++this.#numbers, start });
      this.#startNext();
    });
  }

  close(gate: string): void {
    this.#closed.add(gate);
  }

  open(gate: string): void {
    if (this.#closed.delete(gate)) this.#startNext();
  }

  #takenOf(name: string): number {
    return this.#taken.get(name) ?? 0;
  }

  #lineUp({ pools, gates = [] }: Place, entry: Entry): void {
    const name = JSON.stringify([pools, gates]);
    const line = this.#lines.get(name) ?? { pools, gates, waiting: [] };
    this.#lines.set(name, line);
    let [low, high] = [0, line.waiting.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(line.waiting[middle] as Entry, entry)) high = middle;
      else low = middle + 1;
    }
    line.waiting.splice(low, 0, entry);
  }

  #startNext(): void {
    for (;;) {
      let best: { readonly line: Line; readonly head: Entry } | undefined;
      for (const [name, line] of this.#lines) {
        const head = line.waiting.at(-1);
        if (!head) this.#lines.delete(name);
        else if (this.#hasRoom(line) && (!best || isBefore(head, best.head))) best = { line, head };
      }
      if (!best) return;
      best.line.waiting.pop();
      best.head.start();
    }
  }

  #hasRoom({ pools, gates }: Line): boolean {
    return pools.every(({ name, limit }) => this.#takenOf(name) < limit) && !gates.some(gate => this.#closed.has(gate));
  }
}

const isBefore = (one: Entry, other: Entry): boolean =>
  one.priority === other.priority ? one.number < other.number : one.priority > other.priority;
