/**
 * A text that a regular expression matches, for schemas with a `pattern`: each part of it in its simplest form. Assertions are passed over
 * and back-references not read; the caller checks the text against the real expression.
 */

/** Undefined where the pattern cannot be read. `nth` changes what may change, so that several texts differ. */
export function textMatching(pattern: string, nth: number): string | undefined {
  try {
    const reader = new PatternReader(pattern, nth);
    const text = reader.alternatives();
    return reader.isAtEnd ? text : undefined;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

class Unreadable extends Error {}

/** The nth repetition of an atom. */
type Atom = (n: number) => string;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '1234567890';
const CLASSES: Readonly<Record<string, string>> = {
  ...{ d: DIGITS, w: LETTERS, s: ' ', D: LETTERS, W: ' -', S: LETTERS },
  ...{ n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', 0: '\0' },
};

class PatternReader {
  readonly #source: string;
  readonly #nth: number;
  #at = 0;

  constructor(source: string, nth: number) {
    this.#source = source;
    this.#nth = nth;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#source.length;
  }

  alternatives(): string {
    const all = [this.#sequence()];
    while (this.#take(/\|/)) all.push(this.#sequence());
    return all[this.#nth % all.length] ?? '';
  }

  #sequence(): string {
    let text = '';
    while (!this.isAtEnd && !'|)'.includes(this.#source[this.#at] ?? '')) {
      const atom = this.#atom();
      const times = this.#repeats();
      for (let n = 0; n < times; n++) text += atom(n);
    }
    return text;
  }

  /** The text that matches here, which is passed; undefined where nothing does. */
  #take(pattern: RegExp): RegExpExecArray | undefined {
    const sticky = new RegExp(pattern.source, 'y');
    sticky.lastIndex = this.#at;
    const match = sticky.exec(this.#source) ?? undefined;
    if (match) this.#at = sticky.lastIndex;
    return match;
  }

  #atom(): Atom {
    if (this.#take(/[*+?]/)) throw new Unreadable();
    if (this.#take(/[\^$]|\\[bB]/)) return () => '';
    if (this.#take(/\./)) return this.#oneOf(LETTERS);
    if (this.#take(/\[/)) return this.#oneOf(this.#characterClass());
    if (this.#take(/\(/)) {
      const isAssertion = this.#take(/\?<?[=!]/) !== undefined;
      this.#take(/\?(?::|<[a-zA-Z_]\w*>)/);
      const text = this.alternatives();
      if (!this.#take(/\)/)) throw new Unreadable();
      return () => (isAssertion ? '' : text);
    }
    const property = this.#take(/\\([pP])\{([^}]*)\}/);
    if (property) {
      const [, sign, kind = ''] = property;
      return this.#oneOf(
        sign === 'P' ? '-' : /^N/.test(kind) ? DIGITS : /Lu|Upper/.test(kind) ? LETTERS.toUpperCase() : LETTERS,
      );
    }
    const code = this.#take(/\\x([\da-fA-F]{2})|\\u([\da-fA-F]{4})|\\u\{([\da-fA-F]+)\}/);
    if (code) return () => String.fromCodePoint(Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '', 16));
    if (this.#take(/\\[1-9]/)) throw new Unreadable();
    return this.#oneOf(this.#character());
  }

  /** One character, or all that a class like `\d` stands for. */
  #character(): string {
    const [, escaped, plain] = this.#take(/\\([\s\S])|([\s\S])/) ?? [];
    if (escaped === undefined && plain === undefined) throw new Unreadable();
    return plain ?? CLASSES[escaped ?? ''] ?? escaped ?? '';
  }

  /** The characters of `[…]`, letters first: a text of them reads best. */
  #characterClass(): string {
    const isNegated = this.#take(/\^/) !== undefined;
    let found = '';
    while (!this.#take(/\]/)) {
      const from = this.#character();
      const to = from.length === 1 && this.#take(/-(?!\])/) ? this.#character() : from;
      if (from.length > 1) found += from;
      for (
        let code = from.charCodeAt(0);
        from.length === 1 && code <= Math.min(to.charCodeAt(0), from.charCodeAt(0) + 200);
        code++
      )
        found += String.fromCharCode(code);
    }
    if (isNegated)
      return [...LETTERS, ...DIGITS, ...LETTERS.toUpperCase(), ' '].filter(char => !found.includes(char)).join('');
    return found.replace(/[^a-z]/g, '') || found;
  }

  #oneOf(characters: string): Atom {
    const all = [...characters];
    if (all.length === 0) throw new Unreadable();
    return n => all[(this.#nth + n) % all.length] ?? '';
  }

  /** The fewest that are allowed; three where that would be one or a few. */
  #repeats(): number {
    const [, from, comma, to] = this.#take(/\{(\d+)(,?)(\d*)\}/) ?? [];
    const sign = from === undefined ? this.#take(/[*+?]/)?.[0] : undefined;
    if (from === undefined && sign === undefined) return 1;
    this.#take(/\?/);
    if (sign !== undefined) return sign === '+' ? 3 : 0;
    const least = Number(from);
    if (least > MAX_REPEATS) throw new Unreadable();
    return Math.max(least, Math.min(3, comma === '' ? least : to === '' ? 3 : Number(to)));
  }
}

const MAX_REPEATS = 4096;
