import type { Diagnostic, Fix, Source, Span } from '../../model/diagnostic.ts';

/** The code and the words of a mistake: made in `messages/`. */
export interface Message {
  readonly code: string;
  readonly message: string;
  readonly severity?: 'warning';
  /** The word that is wrong, and what was most likely meant. */
  readonly instead?: Suggestion;
}

export interface Suggestion {
  readonly word: string;
  /** A number also takes the place of the quotes around the word. */
  readonly by: string | number | boolean;
}

type Note = NonNullable<Diagnostic['notes']>[number];

/** Collects what is wrong with one file. The same message at the same place is kept once (defaults, aliases). */
export class Findings {
  readonly source: Source;
  readonly #list: Diagnostic[] = [];
  readonly #seen = new Set<string>();
  #notes: readonly Note[] = [];

  constructor(source: Source) {
    this.source = source;
  }

  get list(): readonly Diagnostic[] {
    return this.#list;
  }

  add(words: Message, span: Span, notes?: readonly Note[]): void {
    const all = [...(notes ?? []), ...this.#notes];
    const identity = `${span.start} ${span.end} ${words.code} ${words.message} ${all.map(note => note.span.start).join(' ')}`;
    if (this.#seen.has(identity)) return;
    this.#seen.add(identity);
    this.#list.push({
      severity: words.severity ?? 'error',
      code: words.code,
      message: shortened(words.message),
      source: this.source,
      span,
      ...withFix(words.instead, this.source.text, span),
      ...(all.length > 0 ? { notes: all } : {}),
    });
  }

  /** Whatever is found meanwhile gets these notes. */
  noting<T>(notes: readonly Note[], work: () => T): T {
    const before = this.#notes;
    this.#notes = [...before, ...notes];
    try {
      return work();
    } finally {
      this.#notes = before;
    }
  }
}

/** Shortens long names in a message: both ends of a name are enough to find it. */
const shortened = (message: string): string =>
  message.length <= MAX_NAME ? message : message.replace(LONG_NAME, name => `${name.slice(0, 80)}…${name.slice(-40)}`);

/** Characters. */
const MAX_NAME = 500;
const LONG_NAME = /[^\s`]{500,}/g;

/** The word is within the reported place, which may be wider: with quotes, or the whole text where escapes hide the word. */
function withFix(instead: Suggestion | undefined, text: string, { start, end: last }: Span): { readonly fix?: Fix } {
  if (!instead || instead.word === '') return {};
  const place = text.slice(start, last);
  const at = place.indexOf(instead.word);
  const isPlain = at >= 0 && place.indexOf(instead.word, at + 1) < 0;
  if (!isPlain) return {};
  const by = String(instead.by);
  const isInQuotes = place === `'${instead.word}'` || place === `"${instead.word}"`;
  const quotes = isInQuotes && (typeof instead.by !== 'string' || /^[[{]/.test(by)) ? 1 : 0;
  const from = start + at - quotes;
  const end = start + at + instead.word.length + quotes;
  // Inside `{ }` and `[ ]` an expression is quoted, and in block style it may be.
  const isWhole =
    /[:,[{-] {0,9}$/.test(text.slice(Math.max(0, from - 10), from)) &&
    /^ {0,9}(?:[,}\]\n]|$)/.test(text.slice(end, end + 10));
  return {
    fix: { at: { start: from, end }, text: isWhole && by.startsWith('${{') ? `"${by.replaceAll('"', "'")}"` : by },
  };
}
