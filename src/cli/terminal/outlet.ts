/**
 * Standard output or standard error of this process, written without waiting for the reader.
 *
 * A reader may close it in mid-run (`| head -1`, a terminal that goes away). It is then broken: it calls its listeners once, and ignores
 * everything written later. A reader may also be slow: bytes that it has not taken spill into an unlinked file, so that no line is lost
 * and memory stays small.
 */
import type { Writable } from 'node:stream';

/** A file of bytes that wait for the reader. */
export interface Spill {
  /** @throws the disk's error. */
  append(bytes: Uint8Array): void;
  /** Takes out at most `most` bytes, the oldest first; empty when none wait. */
  take(most: number): Uint8Array;
  close(): void;
}

export interface Break {
  readonly code: string;
  /** The reader is gone, which is no failure. False for a full disk, for example. */
  readonly gone: boolean;
}

/** Bytes that may wait in memory, and bytes that are read back from the file at once. */
const MOST_WAITING = 1024 * 1024;
const PIECE = 64 * 1024;

export class Outlet {
  readonly #stream: Writable;
  readonly #isTerminal: boolean;
  readonly #spilled: () => Spill;
  readonly #listeners = new Set<(broken: Break) => void>();
  #spill: Spill | undefined;
  #broken: Break | undefined;
  #isUnused = true;

  constructor(stream: Writable & { readonly isTTY?: boolean }, spilled: () => Spill) {
    this.#stream = stream;
    this.#isTerminal = stream.isTTY === true;
    this.#spilled = spilled;
    stream.on('error', (error: NodeJS.ErrnoException) => this.#break(error));
  }

  /** Nothing was written to it. */
  get isUnused(): boolean {
    return this.#isUnused;
  }

  write(text: string): void {
    if (text !== '') this.#isUnused = false;
    if (this.#broken !== undefined || text === '') return;
    // A prompt writes to the same stream: as long as the stream is read, nothing waits here, and the order stays.
    if (this.#spill === undefined && this.#stream.writableLength < MOST_WAITING) {
      this.#give(text);
      return;
    }
    try {
      const isFirst = this.#spill === undefined;
      this.#spill ??= this.#spilled();
      this.#spill.append(Buffer.from(text));
      // Its callback comes after everything that already waits in the stream, and starts reading the file back.
      if (isFirst) this.#give('');
    } catch (error) {
      this.#break(error as NodeJS.ErrnoException);
    }
  }

  /** Calls `listener` once: when the stream breaks, or soon, where it is broken already. The returned function stops listening. */
  whenBroken(listener: (broken: Break) => void): () => void {
    this.#listeners.add(listener);
    const broken = this.#broken;
    if (broken !== undefined) queueMicrotask(() => this.#listeners.has(listener) && listener(broken));
    return () => void this.#listeners.delete(listener);
  }

  /** Resolves when the reader has taken everything, or the stream is broken. */
  async drained(): Promise<void> {
    while (this.#broken === undefined && (this.#spill !== undefined || this.#stream.writableLength > 0)) {
      await new Promise<void>(resolve => this.#stream.write('', () => resolve()));
    }
  }

  #give(bytes: string | Uint8Array): void {
    this.#stream.write(bytes, () => this.#refill());
  }

  /** Moves bytes from the file to the stream as fast as the reader takes them. */
  #refill(): void {
    const spill = this.#spill;
    if (spill === undefined || this.#broken !== undefined || this.#stream.writableLength >= MOST_WAITING) return;
    const piece = spill.take(PIECE);
    if (piece.length > 0) this.#give(piece);
    else this.#closeSpill();
  }

  #break(error: NodeJS.ErrnoException): void {
    // Every write that was under way reports the same error.
    if (this.#broken !== undefined) return;
    const code = error.code ?? error.message;
    this.#broken = { code, gone: GONE.has(code) || (code === 'EIO' && this.#isTerminal) };
    this.#closeSpill();
    for (const listener of [...this.#listeners]) listener(this.#broken);
  }

  #closeSpill(): void {
    this.#spill?.close();
    this.#spill = undefined;
  }
}

/** Codes of a pipe without a reader, a vanished terminal or device, an ended stream. A closed terminal also gives EIO. */
const GONE: ReadonlySet<string> = new Set([
  'EPIPE',
  'ENXIO',
  'ECONNRESET',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
]);
