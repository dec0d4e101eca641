/** Why work does not go on, by what it waits for: the first reason is reported, and the end of the last. */
export class Troubles {
  readonly #tell: (message: string | undefined) => void;
  readonly #open = new Map<string, string>();
  #told: string | undefined;

  constructor(tell: (message: string | undefined) => void) {
    this.#tell = tell;
  }

  /** @param message undefined: it goes on. */
  tell(what: string, message: string | undefined): void {
    if (message === undefined) this.#open.delete(what);
    else this.#open.set(what, message);
    const [first] = this.#open.values();
    if (first === this.#told) return;
    this.#told = first;
    this.#tell(first);
  }
}
