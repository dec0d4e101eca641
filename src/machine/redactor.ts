import { inspect } from 'node:util';
import { canBeHidden } from '../model/variable-access.ts';

/** A text, and what is shown in its place: `$TOKEN`. */
export type NamedSecret = readonly [shown: string, value: string];

/**
 * Puts `$NAME` in place of texts that are neither shown nor kept. They are found as they are, and as JSON, an address, a form or a
 * header would write them, alone or behind a user's name.
 */
export class Redactor {
  readonly #names = new Map<string, string>();
  readonly #pattern: RegExp | undefined;
  /** Characters of the longest form. A text must be redacted before it is cut, or this much more of it kept until then. */
  readonly longest: number = 0;
  readonly #forms: readonly string[];
  /** Forms of more than one line: they are not found line by line. */
  readonly #longForms: readonly string[];

  constructor(secrets: Iterable<NamedSecret>) {
    for (const [shown, value] of secrets) {
      for (const form of formsOf(value.trim())) if (!this.#names.has(form)) this.#names.set(form, shown);
    }
    const forms = [...this.#names.keys()].sort((a, b) => b.length - a.length);
    this.longest = forms[0]?.length ?? 0;
    this.#longForms = forms.filter(form => form.includes('\n'));
    this.#forms = forms;
    // The longest come first, so that a secret that begins with another is hidden whole.
    if (forms.length > 0) this.#pattern = new RegExp(forms.map(literal).join('|'), 'g');
  }

  redact(text: string): string {
    return this.#pattern === undefined ? text : text.replace(this.#pattern, form => this.#names.get(form) ?? SHOWN);
  }

  /** The forms that these texts hold, for another redactor, which then knows no more than they do. */
  found(texts: Iterable<string>): readonly NamedSecret[] {
    if (this.#pattern === undefined) return [];
    const found = new Set<string>();
    for (const text of texts) for (const form of this.#forms) if (text.includes(form)) found.add(form);
    return [...found].map(form => [this.#names.get(form) ?? SHOWN, form]);
  }

  /** Where a secret may begin that the end of this text cuts in two; the length of the text where none does. */
  openAt(text: string): number {
    return beginningIn(text, this.#forms);
  }

  /** The same for secrets of more than one line. */
  openLineAt(text: string): number {
    return beginningIn(text, this.#longForms);
  }

  /** The same value, its texts without secrets; names of fields stay. */
  redactIn<T>(value: T): T {
    if (this.#pattern === undefined) return value;
    if (typeof value === 'string') return this.redact(value) as T;
    if (Array.isArray(value)) return value.map(item => this.redactIn(item)) as T;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, this.redactIn(inner)])) as T;
  }
}

function beginningIn(text: string, forms: readonly string[]): number {
  let first = text.length;
  for (const form of forms)
    for (let at = Math.max(0, text.length - form.length + 1); at < first; at++)
      if (form.startsWith(text.slice(at))) first = at;
  return first;
}

function formsOf(value: string): readonly string[] {
  if (!canBeHidden(value)) return [];
  const forms = [value, JSON.stringify(value).slice(1, -1), ...encoded(value), ...inBase64(value)];
  // Each of several lines could be shown alone.
  const lines = value.split(/\r?\n/).map(line => line.trim());
  return [...new Set([...forms, ...(lines.length > 1 ? lines.filter(line => line.length >= LONG_LINE) : [])])];
}

/** Characters from which a line is worth hiding by itself. `-----END KEY-----` is long enough, and hiding it does no harm. */
const LONG_LINE = 16;

/** In an address, with the digits of its escapes in either case, and in a form. */
function encoded(value: string): readonly string[] {
  // Half a character beyond the first 65,536 cannot be written in an address.
  const address = encodeURIComponent(value.toWellFormed());
  const form = new URLSearchParams({ '': value }).toString().slice(1);
  return [address, address.replaceAll(/%[0-9A-F]{2}/g, digits => digits.toLowerCase()), form];
}

/** By itself, and the letters that stay the same with one or two bytes before it (`user:token`): RFC 4648, both alphabets. */
function inBase64(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  const inside = [1, 2, 3].map(before => {
    const letters = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return letters.slice(Math.ceil((8 * before) / 6), Math.floor((8 * (before + bytes.length)) / 6));
  });
  const forms = [bytes.toString('base64'), ...inside.filter(letters => letters.length >= MIN_BASE64)];
  return forms.flatMap(letters => [letters, letters.replaceAll('+', '-').replaceAll('/', '_')]);
}

/** Fewer letters of base64 stand in other words. */
const MIN_BASE64 = 8;

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** What is shown in place of a secret. */
const SHOWN = '«secret»';

/** Something only the service may see. However it is printed, logged or journalled by mistake, it shows as «secret». */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself. Call this only where it is put into a request header. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  [inspect.custom](): string {
    return SHOWN;
  }
}
