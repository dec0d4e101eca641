/**
 * Finds the key in what a service sends, however it is spelt: as it is, percent-encoded, escaped as JSON (once or within JSON),
 * in base64 by itself or inside a longer text (`Bearer …`, `user:…`), or with something between its letters that a screen does not
 * show. A service that logs its requests repeats the key in the strangest places, and what is read from it is kept for good:
 * in journals, lock files and reports.
 *
 * Base64 shifts with the bytes before it. For each of the three shifts, the letters that depend on the key alone are looked for.
 */
import { recordIn } from '../../model/text/json.ts';

/** Written where the key stood. */
export const MASK = '(key)';

/** The forms that each letter of a spelling may have, the plain one first. */
type Letters = readonly string[];

export class KeyRedactor {
  readonly #spellings: readonly Letters[] = [];
  /** The plain spellings, for a quick look through a whole body. */
  readonly #marks: readonly string[] = [];
  /** Where a spelling may begin. */
  readonly #start: RegExp = /(?!)/g;

  /** A key with fewer characters than `shortest` is not looked for: words that every text holds would be torn out. */
  constructor(key: string, shortest: number) {
    if (key.length < shortest) return;
    const encoded = [0, 1, 2].map(shift => inBase64(key, shift)).filter(text => text.length >= 6);
    this.#marks = [key, JSON.stringify(key).slice(1, -1), ...encoded.flatMap(text => [text, inUrlAlphabet(text)])];
    this.#spellings = [[...key], ...encoded.map(text => [...text].map(letter => ALIKE[letter] ?? letter))];
    const first = this.#spellings.map(letters => letters[0] ?? '').join('');
    this.#start = new RegExp(`[${first.replace(/[\]\\^-]/g, '\\$&')}%\\\\]`, 'g');
  }

  /** The text with `(key)` in every place of the key. */
  redact(text: string): string {
    let out = '';
    let from = 0;
    this.#start.lastIndex = 0;
    for (let found = this.#start.exec(text); found !== null; found = this.#start.exec(text)) {
      const end = this.#endOf(text, found.index);
      if (typeof end !== 'number') continue;
      out += text.slice(from, found.index) + MASK;
      from = end;
      this.#start.lastIndex = end;
    }
    return from === 0 ? text : out + text.slice(from);
  }

  /** The index from which the end of a text may be the beginning of the key; its length when there is none. */
  openAt(text: string): number {
    this.#start.lastIndex = 0;
    for (let found = this.#start.exec(text); found !== null; found = this.#start.exec(text)) {
      if (this.#endOf(text, found.index) === 'open') return found.index;
    }
    return text.length;
  }

  /** JSON without the key in any of its texts and names; undefined where it is no JSON, or too deep to be gone through. */
  parse(body: string): unknown {
    const value = recordIn(body);
    return this.#mayContain(body) ? this.#outOfAll(value) : value;
  }

  /** False for the everyday body, which need not be gone through any further. */
  #mayContain(body: string): boolean {
    return this.#marks.length > 0 && (this.#marks.some(mark => body.includes(mark)) || SUSPICIOUS.test(body));
  }

  #outOfAll(value: unknown): unknown {
    if (typeof value === 'string') return this.redact(value);
    if (Array.isArray(value)) return value.map(item => this.#outOfAll(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [this.redact(name), this.#outOfAll(item)]));
  }

  #endOf(text: string, from: number): number | 'open' | undefined {
    const sign = text[from]!;
    const isSpelt = sign === '%' || sign === '\\';
    const may = this.#spellings.filter(letters => isSpelt || letters[0]!.includes(sign));
    const ends = may.map(letters => follow(text, from, letters));
    return ends.find(end => typeof end === 'number') ?? ends.find(end => end === 'open');
  }
}

/** A body can hide the key from a quick look only with a percent sign, an escape, or a character that no screen shows. */
const SUSPICIOUS = /%|\\(?!["nrt])|[^\P{C}\s]/u;

/** The letters of base64 that stay the same whatever surrounds the key, with `shift` bytes before it. */
function inBase64(key: string, shift: number): string {
  const bits = 8 * (shift + key.length);
  const whole = Buffer.from('\0'.repeat(shift) + key).toString('base64');
  return whole.slice(Math.ceil((8 * shift) / 6), Math.floor(bits / 6));
}

/** The two alphabets of base64 (RFC 4648, 4 and 5). */
const ALIKE: Readonly<Record<string, string>> = { '+': '+-', '/': '/_' };
const inUrlAlphabet = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_');

/** Where a spelling that begins at `from` ends; `open` when the text is over before it. */
function follow(text: string, from: number, letters: Letters): number | 'open' | undefined {
  // There is more than one place at a time only where a key itself holds `%` or `\`.
  let places: readonly number[] = [from];
  let isOpen = false;
  for (const [n, letter] of letters.entries()) {
    const ends = places.flatMap(place => endsOf(text, n === 0 ? place : pastUnseen(text, place), letter));
    isOpen ||= ends.some(end => end > text.length);
    places = [...new Set(ends)].filter(end => end <= text.length);
    if (places.length === 0) return isOpen ? 'open' : undefined;
  }
  return Math.max(...places);
}

/** Where one letter that begins at `at` may end, in each form it may have; past the end of the text when it is not all there. */
function endsOf(text: string, at: number, letter: string): readonly number[] {
  const sign = text[at];
  if (sign === undefined) return [at + 1];
  const plain = letter.includes(sign) ? [at + 1] : [];
  if (sign === '%') return [...plain, ...hex(text, at + 1, 2, letter)];
  if (sign !== '\\') return plain;
  let past = at + 1;
  while (text[past] === '\\' && past < at + MAX_BACKSLASHES) past++;
  if (past === text.length) return [...plain, past + 1];
  if (text[past] === 'u') return [...plain, ...hex(text, past + 1, 4, letter)];
  return letter.includes(text[past]!) ? [...plain, past + 1] : plain;
}

/** Backslashes before one letter: JSON in JSON in JSON has seven. */
const MAX_BACKSLASHES = 8;

function hex(text: string, at: number, digits: number, letter: string): readonly number[] {
  const code = text.slice(at, at + digits);
  const all = [...letter].map(one => one.charCodeAt(0).toString(16).padStart(digits, '0'));
  return all.some(one => one.startsWith(code.toLowerCase())) ? [at + digits] : [];
}

/** Escape sequences, control and format characters: a text that is shown loses them, and its letters come together. */
function pastUnseen(text: string, at: number): number {
  if (text.charCodeAt(at) > 0x20 && text.charCodeAt(at) < 0x7f) return at;
  UNSEEN.lastIndex = at;
  return UNSEEN.test(text) ? UNSEEN.lastIndex : at;
}
const UNSEEN =
  /(?:(?:\x1b\[|\x9b)[0-?]*[ -/]*(?:[@-~]|$)|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9c-\x9f]*(?:\x07|\x9c|\x1b\\|$)|\x1b[ -/]*(?:[0-OQ-WYZ\\`-~]|$)|[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029])+/uy;

/** Characters that are held back at most. More characters than that between two letters do not spell the key. */
const MAX_HELD = 16 * 1024;

/**
 * Hands on text that comes in pieces, without the key. The end of a piece is held back where it is half a character (a surrogate without its other
 * half yet), or where the key may have begun.
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
