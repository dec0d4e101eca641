import { SHOWN } from './secret.ts';

/** A text and the name that is shown in its place. */
export type NamedSecret = readonly [name: string, value: string];

/**
 * Puts `(NAME)` in place of texts that are neither shown nor kept. They are found as they are, and as JSON, an address or a header
 * would write them.
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
    for (const [name, value] of secrets) {
      for (const form of formsOf(value.trim())) if (!this.#names.has(form)) this.#names.set(form, `(${name})`);
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

/** Shorter texts, plain words and small numbers are not looked for: they stand in every text, and cannot be kept secret. */
const MIN_CHARACTERS = 4;
const PLAIN = /^(true|false|null|none|auto|\d{1,5})$/i;

function formsOf(value: string): readonly string[] {
  if (value.length < MIN_CHARACTERS || PLAIN.test(value)) return [];
  const forms = [value, JSON.stringify(value).slice(1, -1), encoded(value), Buffer.from(value).toString('base64')];
  // Each of several lines could be shown alone.
  const lines = value.split(/\r?\n/).map(line => line.trim());
  return [...new Set([...forms, ...(lines.length > 1 ? lines.filter(line => line.length >= LONG_LINE) : [])])];
}

/** Characters from which a line is worth hiding by itself. `-----END KEY-----` is long enough, and hiding it does no harm. */
const LONG_LINE = 16;

function encoded(value: string): string {
  // Half a character beyond the first 65,536 cannot be written in an address.
  return encodeURIComponent(value.toWellFormed());
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
