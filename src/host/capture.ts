/** Output of a command, kept up to a limit: a chatty program must not fill this machine's memory. */
export class Capture {
  readonly #limit: number;
  readonly #keep: 'first' | 'last';
  #chunks: Buffer[] = [];
  #kept = 0;
  #total = 0;

  /** `first`: what came first is kept (an answer); `last`: what came last (a log, where the reason stands at its end). */
  constructor(limit: number, keep: 'first' | 'last') {
    this.#limit = limit;
    this.#keep = keep;
  }

  push(chunk: Buffer): void {
    this.#total += chunk.length;
    if (this.#keep === 'first') {
      const room = this.#limit - this.#kept;
      if (room > 0) this.#hold(chunk.length > room ? chunk.subarray(0, room) : chunk);
      return;
    }
    this.#hold(chunk);
    // Whole pieces go as soon as the rest is enough; the text is cut to size when it is asked for.
    while (this.#kept - this.#chunks[0]!.length >= this.#limit) this.#kept -= this.#chunks.shift()!.length;
  }

  get truncated(): boolean {
    return this.#total > this.#limit;
  }

  /** Broken UTF-8 shows as U+FFFD. */
  text(): string {
    const all = Buffer.concat(this.#chunks);
    return (this.#keep === 'last' ? all.subarray(-this.#limit) : all).toString('utf8');
  }

  #hold(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#kept += chunk.length;
  }
}
