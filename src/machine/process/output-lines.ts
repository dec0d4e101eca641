/**
 * One stream of a command's output, line by line: as a terminal would have left it, and without secrets. To make lines of gigabytes would
 * keep this process from all else, so of a long stream only its beginning and its end are passed on.
 */
import { StringDecoder } from 'node:string_decoder';
import { asLeftOnTerminal } from '../../model/text/clean.ts';
import { formatBytes } from '../../model/text/format.ts';
import type { Redactor } from '../redactor.ts';

/** Characters of a line that is passed on in one piece: a program that never ends its line must not fill the memory. */
const LONGEST = 64 * 1024;

interface StreamBounds {
  /** Bytes that are passed on from its beginning, and from its end. */
  readonly first: number;
  readonly last: number;
}

const BOUNDS: StreamBounds = { first: 16 * 2 ** 20, last: 2 * 2 ** 20 };

export class OutputLines {
  readonly #secrets: Redactor;
  readonly #onLine: (line: string) => void;
  readonly #bounds: StreamBounds;
  readonly #decoder = new StringDecoder('utf8');
  #held = '';
  #seen = 0;
  /** The end of a long stream, as it came. */
  #end: Buffer[] = [];
  #endBytes = 0;
  #leftOut = 0;

  constructor(secrets: Redactor, onLine: (line: string) => void, bounds = BOUNDS) {
    this.#secrets = secrets;
    this.#onLine = onLine;
    this.#bounds = bounds;
  }

  push(chunk: Buffer): void {
    this.#seen += chunk.length;
    if (this.#seen > this.#bounds.first) {
      this.#keepEnd(chunk);
      return;
    }
    this.#held += this.#decoder.write(chunk);
    const whole = this.#held.lastIndexOf('\n') + 1;
    // A secret of several lines is hidden when all of it is there.
    const open = whole === 0 ? 0 : this.#secrets.openLineAt(this.#held.slice(0, whole));
    this.#emitUpTo(open === whole ? whole : this.#held.lastIndexOf('\n', open - 1) + 1);
    if (this.#held.length > LONGEST) this.#emitUpTo(this.#secrets.openAt(this.#held));
    else this.#dropOverwritten();
  }

  /** Nothing more comes. */
  end(): void {
    this.#held += this.#decoder.end();
    // `+=` would read what is held before the end is looked at, and the end may do away with it.
    const end = this.#endBytes > 0 ? this.#textOfEnd() : '';
    this.#held += end;
    this.#emitUpTo(this.#held.length);
  }

  #keepEnd(chunk: Buffer): void {
    this.#end.push(chunk);
    this.#endBytes += chunk.length;
    while (this.#endBytes - this.#end[0]!.length >= this.#bounds.last) {
      const { length } = this.#end.shift()!;
      this.#endBytes -= length;
      this.#leftOut += length;
    }
  }

  /** Where something is left out, the end begins with a whole line, and no secret is cut in two before it. */
  #textOfEnd(): string {
    const text = Buffer.concat(this.#end).toString('utf8');
    if (this.#leftOut === 0) return text;
    const line = text.indexOf('\n', this.#secrets.longest) + 1;
    const from = line === 0 ? Math.min(text.length, this.#secrets.longest) : line;
    // What was held when the end began goes with what is left out: it has no end of its own.
    this.#held = '';
    return `… ${formatBytes(this.#leftOut)} are left out here …\n${text.slice(from)}`;
  }

  #emitUpTo(end: number): void {
    if (end <= 0) return;
    const text = this.#held.slice(0, end);
    this.#held = this.#held.slice(end);
    // Once more when it is clean: colours within a secret hide it from the first look.
    const shown = this.#secrets.redact(asLeftOnTerminal(this.#secrets.redact(text)));
    for (const line of (shown.endsWith('\n') ? shown.slice(0, -1) : shown).split('\n')) this.#onLine(line);
  }

  /** A progress bar writes over itself for hours before its line ends. */
  #dropOverwritten(): void {
    if (this.#held.includes('\n')) return;
    const back = this.#held.lastIndexOf('\r', this.#held.length - 2);
    if (back >= 0) this.#held = this.#held.slice(back + 1);
  }
}

/** Output of a command, kept up to a limit: a chatty program must not fill this machine's memory. */
export class BoundedOutput {
  readonly #limit: number;
  readonly #keep: 'first' | 'last';
  readonly #secrets: Redactor | undefined;
  /** Bytes that are held: the limit and the longest secret, so that no secret is cut in two where it would not be found. */
  readonly #held: number;
  #chunks: Buffer[] = [];
  #kept = 0;
  #total = 0;

  /** `first` keeps the beginning (of an answer), `last` the end (of a log, where the reason is). */
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
