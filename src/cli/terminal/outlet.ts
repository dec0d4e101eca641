/**
 * Where a command's words go, one stream of this process: standard output or standard error.
 *
 * Somebody may close it in mid-run (`| head -1`, a terminal that goes away): it is then broken, says so once, and takes in silence
 * whatever else it is given. Somebody may read it slowly: what the reader has not taken waits in a file that has no name any more,
 * so that neither a line is lost nor memory filled.
 */
import type { Writable } from 'node:stream';

/** Bytes that wait in a file. */
export interface Spill {
  /** @throws what the disk says. */
  append(bytes: Uint8Array): void;
  /** At most `most` of those that wait, the oldest first; empty when none do. */
  take(most: number): Uint8Array;
  close(): void;
}

export interface Break {
  readonly code: string;
  /** Nobody is there any more: there is no one to tell. False for a disk that is full, say. */
  readonly gone: boolean;
}

/** Bytes that wait in memory; and those that come back from the file at once. */
const MOST_WAITING = 1024 * 1024;
const PIECE = 64 * 1024;

export class Outlet {
  readonly #stream: Writable;
  readonly #isTerminal: boolean;
  readonly #spilled: () => Spill;
  readonly #listeners = new Set<(broken: Break) => void>();
  #spill: Spill | undefined;
  #broken: Break | undefined;

  constructor(stream: Writable & { readonly isTTY?: boolean }, spilled: () => Spill) {
    this.#stream = stream;
    this.#isTerminal = stream.isTTY === true;
    this.#spilled = spilled;
    stream.on('error', (error: NodeJS.ErrnoException) => this.#break(error));
  }

  get broken(): Break | undefined {
    return this.#broken;
  }

  write(text: string): void {
    if (this.#broken !== undefined || text === '') return;
    // Whoever else writes to the stream (a prompt) is not overtaken: as long as it is read, nothing waits here.
    if (this.#spill === undefined && this.#stream.writableLength < MOST_WAITING) {
      this.#give(text);
      return;
    }
    try {
      const isFirst = this.#spill === undefined;
      this.#spill ??= this.#spilled();
      this.#spill.append(Buffer.from(text));
      // Behind whatever waits, also what was not written here.
      if (isFirst) this.#give('');
    } catch (error) {
      this.#break(error as NodeJS.ErrnoException);
    }
  }

  /** Called once, when it breaks, or soon when it has. The returned function stops listening. */
  whenBroken(listener: (broken: Break) => void): () => void {
    this.#listeners.add(listener);
    const broken = this.#broken;
    if (broken !== undefined) queueMicrotask(() => this.#listeners.has(listener) && listener(broken));
    return () => void this.#listeners.delete(listener);
  }

  /** Resolves when everything has been taken, or nothing will be. */
  async drained(): Promise<void> {
    while (this.#broken === undefined && (this.#spill !== undefined || this.#stream.writableLength > 0)) {
      await new Promise<void>(resolve => this.#stream.write('', () => resolve()));
    }
  }

  #give(bytes: string | Uint8Array): void {
    this.#stream.write(bytes, () => this.#refill());
  }

  /** What waits in the file goes on its way as fast as it is taken. */
  #refill(): void {
    const spill = this.#spill;
    if (spill === undefined || this.#broken !== undefined || this.#stream.writableLength >= MOST_WAITING) return;
    const piece = spill.take(PIECE);
    if (piece.length > 0) this.#give(piece);
    else this.#letGo();
  }

  #break(error: NodeJS.ErrnoException): void {
    // Each write that was under way tells the same.
    if (this.#broken !== undefined) return;
    const code = error.code ?? error.message;
    this.#broken = { code, gone: GONE.has(code) || (code === 'EIO' && this.#isTerminal) };
    this.#letGo();
    for (const listener of [...this.#listeners]) listener(this.#broken);
  }

  #letGo(): void {
    this.#spill?.close();
    this.#spill = undefined;
  }
}

/** A pipe nobody reads, a terminal or a device that is not there any more, a stream that was ended. EIO is a closed terminal's, too. */
const GONE: ReadonlySet<string> = new Set([
  'EPIPE',
  'ENXIO',
  'ECONNRESET',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
]);
