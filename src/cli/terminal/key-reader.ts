/**
 * The bytes of a terminal as keys, and apart from them what the terminal answers by itself. On a slow line a key comes in two parts, and
 * so does an answer: what may be the beginning of either is held for a moment. A lone escape is a key when nothing follows it.
 */
import type { Clock } from '../../host/clock.ts';

interface KeyReaderOptions {
  readonly clock: Pick<Clock, 'sleep'>;
  /** Keys that came at once: more than one where something was pasted. */
  readonly keys: (keys: readonly string[]) => void;
  /** One answer, whole. */
  readonly answer: (answer: string) => void;
}

/** Milliseconds in which a terminal sends the rest of what it has begun. */
const REST = 50;
/** An escape, and what may be between it and the letter that ends its sequence. */
const BEGUN = /\x1b(?:\[[0-9;?]*|O)?$/;
/** What a terminal is (DA1), how large a character and a picture may be: no key looks like that, whenever it comes. */
const ANSWER = /^\x1b\[(?:\?[\d;]*[cS]|6;\d+;\d+t)$/;

export class KeyReader {
  readonly #options: KeyReaderOptions;
  #held = '';
  #patience: AbortController | undefined;

  constructor(options: KeyReaderOptions) {
    this.#options = options;
  }

  read(chunk: string): void {
    this.#patience?.abort();
    this.#patience = undefined;
    const text = this.#held + chunk;
    this.#held = BEGUN.exec(text)?.[0] ?? '';
    this.#tell(text.slice(0, text.length - this.#held.length));
    if (this.#held !== '') void this.#wait();
  }

  async #wait(): Promise<void> {
    const patience = new AbortController();
    this.#patience = patience;
    await this.#options.clock.sleep(REST, patience.signal);
    if (patience.signal.aborted) return;
    const held = this.#held;
    this.#held = '';
    this.#tell(held);
  }

  #tell(text: string): void {
    const keys: string[] = [];
    for (const key of keysIn(text)) {
      if (ANSWER.test(key)) this.#options.answer(key);
      else keys.push(key);
    }
    if (keys.length > 0) this.#options.keys(keys);
  }
}

/** `\x1b[A` is one key; a lone escape is one, too. */
const keysIn = (chunk: string): readonly string[] =>
  chunk.match(/\x1b(?:\[[0-9;?]*[ -/]*[@-~]|O[@-~])|\r\n|[\s\S]/gu)?.map(key => (key === '\r\n' ? '\r' : key)) ?? [];
