import { SHOWN } from './secret.ts';

/** A text and the name that is shown in its place. */
export type NamedSecret = readonly [name: string, value: string];

/**
 * Texts that are neither shown nor kept: where one is met, `(NAME)` stands instead. They are found as they are, and as JSON, an
 * address or a header would write them.
 */
export class Redactor {
  readonly #names = new Map<string, string>();
  readonly #pattern: RegExp | undefined;
  /** Characters of the longest: whoever cuts a text hides before, or keeps this much more of it until then. */
  readonly longest: number = 0;

  constructor(secrets: Iterable<NamedSecret>) {
    for (const [name, value] of secrets) {
      for (const form of formsOf(value.trim())) if (!this.#names.has(form)) this.#names.set(form, `(${name})`);
    }
    const forms = [...this.#names.keys()].sort((a, b) => b.length - a.length);
    this.longest = forms[0]?.length ?? 0;
    // The longest first: a secret that begins with another is hidden whole.
    if (forms.length > 0) this.#pattern = new RegExp(forms.map(literal).join('|'), 'g');
  }

  redact(text: string): string {
    return this.#pattern === undefined ? text : text.replace(this.#pattern, form => this.#names.get(form) ?? SHOWN);
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

/** Of a shorter text nothing could be kept secret, and every other text would be torn; nor can a plain word or a small number. */
const LEAST = 4;
const PLAIN = /^(true|false|null|none|auto|\d{1,5})$/i;

function formsOf(value: string): readonly string[] {
  if (value.length < LEAST || PLAIN.test(value)) return [];
  const forms = [value, JSON.stringify(value).slice(1, -1), encoded(value), Buffer.from(value).toString('base64')];
  // Of several lines each could be shown alone.
  const lines = value.split(/\r?\n/).map(line => line.trim());
  return [...new Set([...forms, ...(lines.length > 1 ? lines.filter(line => line.length >= LONG_LINE) : [])])];
}

/** Characters of a line that is worth hiding by itself: `-----END KEY-----` is long, and no harm is done. */
const LONG_LINE = 16;

function encoded(value: string): string {
  // Half a character beyond the first 65,536 cannot be written in an address.
  return encodeURIComponent(value.toWellFormed());
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
