/** One stream of a command's output, line by line: as a terminal would have left it, and without secrets. */
import { StringDecoder } from 'node:string_decoder';
import { asLeftOnTerminal } from '../domain/clean.ts';
import type { Redactor } from './redactor.ts';

/** Characters of a line that is told in one piece: a program that never ends its line must not fill the memory. */
const LONGEST = 64 * 1024;

export class OutputLines {
  readonly #secrets: Redactor;
  readonly #tell: (line: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  #held = '';

  constructor(secrets: Redactor, tell: (line: string) => void) {
    this.#secrets = secrets;
    this.#tell = tell;
  }

  push(chunk: Buffer): void {
    this.#held += this.#decoder.write(chunk);
    const whole = this.#held.lastIndexOf('\n') + 1;
    // A secret of several lines is hidden when all of it is there.
    const open = whole === 0 ? 0 : this.#secrets.openLineAt(this.#held.slice(0, whole));
    this.#tellUpTo(open === whole ? whole : this.#held.lastIndexOf('\n', open - 1) + 1);
    if (this.#held.length > LONGEST) this.#tellUpTo(this.#secrets.openAt(this.#held));
    else this.#dropOverwritten();
  }

  /** Nothing more comes. */
  end(): void {
    this.#held += this.#decoder.end();
    this.#tellUpTo(this.#held.length);
  }

  #tellUpTo(end: number): void {
    if (end <= 0) return;
    const text = this.#held.slice(0, end);
    this.#held = this.#held.slice(end);
    // Once more when it is clean: colours within a secret hide it from the first look.
    const shown = this.#secrets.redact(asLeftOnTerminal(this.#secrets.redact(text)));
    for (const line of (shown.endsWith('\n') ? shown.slice(0, -1) : shown).split('\n')) this.#tell(line);
  }

  /** A progress bar writes over itself for hours before its line ends. */
  #dropOverwritten(): void {
    if (this.#held.includes('\n')) return;
    const back = this.#held.lastIndexOf('\r', this.#held.length - 2);
    if (back >= 0) this.#held = this.#held.slice(back + 1);
  }
}
