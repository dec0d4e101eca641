/** Why work does not go on, by what it waits for: the first reason is reported, and the end of the last. */
export class Troubles {
  readonly #report: (message: string | undefined) => void;
  readonly #open = new Map<string, string>();
  #reported: string | undefined;

  constructor(report: (message: string | undefined) => void) {
    this.#report = report;
  }

  /** @param message undefined: it goes on. */
  report(what: string, message: string | undefined): void {
    if (message === undefined) this.#open.delete(what);
    else this.#open.set(what, message);
    const [first] = this.#open.values();
    if (first === this.#reported) return;
    this.#reported = first;
    this.#report(first);
  }
}
