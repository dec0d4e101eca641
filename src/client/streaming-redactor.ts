import type { KeyRedactor } from './key-redactor.ts';

/** Characters that are held back at most. More characters than that between two letters do not spell the key. */
const MAX_HELD = 16 * 1024;

/**
 * Hands on text that comes in pieces, without the key. The end of a piece is held back where it is half a character (a surrogate whose
 * other half is still to come), or where the key may have begun.
 */
export class StreamingRedactor {
  readonly #secret: KeyRedactor;
  readonly #onText: (text: string) => void;
  #held = '';
  #passed = '';

  constructor(secret: KeyRedactor, onText: (text: string) => void) {
    this.#secret = secret;
    this.#onText = onText;
  }

  /** All that was handed on. */
  get passed(): string {
    return this.#passed;
  }

  take(piece: string): void {
    const text = this.#secret.redact(this.#held + piece);
    const open = this.#secret.openAt(text);
    const half = /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
    const end = Math.min(half, text.length - open > MAX_HELD ? half : open);
    this.#held = text.slice(end);
    this.#pass(text.slice(0, end));
  }

  /** Nothing more comes, so the text that was held back is not the key. */
  end(): void {
    const rest = this.#held;
    this.#held = '';
    this.#pass(rest);
  }

  #pass(text: string): void {
    if (text === '') return;
    this.#passed += text;
    this.#onText(text);
  }
}
