/** Output of a command, kept up to a limit: a chatty program must not fill this machine's memory. */
import type { Redactor } from './redactor.ts';

export class BoundedOutput {
  readonly #limit: number;
  readonly #keep: 'first' | 'last';
  readonly #secrets: Redactor | undefined;
  /** Bytes that are held: the limit and the longest secret, so that no secret is cut in two where it would not be found. */
  readonly #held: number;
  #chunks: Buffer[] = [];
  #kept = 0;
  #total = 0;

  /** `first` keeps the beginning (of an answer), `last` the end (of a log, where the reason stands). */
  constructor(limit: number, keep: 'first' | 'last', secrets?: Redactor) {
    this.#limit = limit;
    this.#keep = keep;
    this.#secrets = secrets;
    this.#held = limit + BYTES_OF_A_CHARACTER * (secrets?.longest ?? 0);
  }

  push(chunk: Buffer): void {
    this.#total += chunk.length;
    if (this.#keep === 'first') {
      const room = this.#held - this.#kept;
      if (room > 0) this.#hold(chunk.length > room ? chunk.subarray(0, room) : chunk);
      return;
    }
    this.#hold(chunk);
    // Whole chunks are dropped as soon as the rest is enough; `text` cuts to size.
    while (this.#kept - this.#chunks[0]!.length >= this.#held) this.#kept -= this.#chunks.shift()!.length;
  }

  get truncated(): boolean {
    return this.#total > this.#limit;
  }

  /** Without secrets. Broken UTF-8 shows as U+FFFD. */
  text(): string {
    const all = Buffer.concat(this.#chunks);
    const read = all.toString('utf8');
    const whole = Buffer.from(this.#secrets?.redact(read) ?? read);
    // A secret that was cut in two at the edge is not found, so the edge is given up.
    const edge = this.#total > all.length ? this.#held - this.#limit : 0;
    const kept =
      this.#keep === 'last'
        ? whole.subarray(Math.max(edge, whole.length - this.#limit))
        : whole.subarray(0, Math.max(0, Math.min(this.#limit, whole.length - edge)));
    return kept.toString('utf8');
  }

  #hold(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#kept += chunk.length;
  }
}

const BYTES_OF_A_CHARACTER = 3;
