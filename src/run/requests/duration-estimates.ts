/** How long a generation of each model takes here, learnt from the journal and from this run: the first read comes when it is likely to be done. */
export class DurationEstimates {
  /** Milliseconds: the mean of what was seen, newer ones weighing more. */
  readonly #mean = new Map<string, number>();

  constructor(seen: ReadonlyMap<string, readonly number[]>) {
    for (const [model, durations] of seen) for (const took of [...durations].reverse()) this.learn(model, took);
  }

  learn(model: string, took: number): void {
    const mean = this.#mean.get(model);
    this.#mean.set(model, mean === undefined ? took : 0.8 * mean + 0.2 * took);
  }

  /** Milliseconds, or undefined when none was ever seen. */
  of(model: string): number | undefined {
    return this.#mean.get(model);
  }
}
