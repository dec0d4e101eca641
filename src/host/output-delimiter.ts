/** Finds where the output of one command ends, in a stream that one command after the other writes to. */
export class OutputDelimiter {
  readonly #mark: Buffer;
  #held: Buffer = Buffer.alloc(0);

  constructor(mark: string) {
    this.#mark = Buffer.from(mark);
  }

  /** The part of the stream so far that is certainly output, and the line after the mark once it is complete. */
  push(chunk: Buffer): { readonly output: Buffer; readonly end?: string } {
    const all = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const at = all.indexOf(this.#mark);
    const lineEnd = at < 0 ? -1 : all.indexOf(0x0a, at);
    if (lineEnd >= 0) {
      this.#held = Buffer.alloc(0);
      return { output: all.subarray(0, at), end: all.subarray(at + this.#mark.length, lineEnd).toString() };
    }
    // The pipe may cut a mark in two, so what may be its beginning is held back, and nothing else: two streams are told in step.
    const sure = at >= 0 ? at : this.#beginningIn(all);
    this.#held = all.subarray(sure);
    return { output: all.subarray(0, sure) };
  }

  /** Where the mark may begin at the end of these bytes; their length where it does not. */
  #beginningIn(bytes: Buffer): number {
    const first = this.#mark[0]!;
    for (let at = Math.max(0, bytes.length - this.#mark.length + 1); at < bytes.length; at++) {
      at = bytes.indexOf(first, at);
      if (at < 0) break;
      if (this.#mark.subarray(0, bytes.length - at).equals(bytes.subarray(at))) return at;
    }
    return bytes.length;
  }
}
