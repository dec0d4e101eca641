import type { KeyRedactor } from './key-redactor.ts';

/** Characters that are held back at most: who sends more of what no screen shows is not telling the key. */
const MOST = 16 * 1024;

/**
 * Text that comes in pieces, handed on as it comes, without the key: the end of a piece is held back where it is half a character
 * (a surrogate whose other half is still to come), or where the key may have begun.
 */
export class StreamingRedactor {
  readonly #secret: KeyRedactor;
  readonly #tell: (text: string) => void;
  #held = '';
  #told = '';

  constructor(secret: KeyRedactor, tell: (text: string) => void) {
    this.#secret = secret;
    this.#tell = tell;
  }

  /** All that was handed on. */
  get told(): string {
    return this.#told;
  }

  take(piece: string): void {
    const text = this.#secret.redact(this.#held + piece);
    const open = this.#secret.openAt(text);
    const half = /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
    const end = Math.min(half, text.length - open > MOST ? half : open);
    this.#held = text.slice(end);
    this.#pass(text.slice(0, end));
  }

  /** Nothing more comes: what was held back is only what it looks like. */
  end(): void {
    const rest = this.#held;
    this.#held = '';
    this.#pass(rest);
  }

  #pass(text: string): void {
    if (text === '') return;
    this.#told += text;
    this.#tell(text);
  }
}
