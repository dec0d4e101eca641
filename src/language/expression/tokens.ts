/**
 * The words of an expression, by the lexis of CEL (langdef.md, "Syntax"): names, numbers, texts with their escapes, and signs.
 * Bytes and unsigned numbers are recognised, and refused: JSON knows neither.
 */
import type { Place } from './tree.ts';

export type Token = Place &
  (
    | { readonly is: 'name'; readonly text: string }
    | { readonly is: 'sign'; readonly text: string }
    | { readonly is: 'text'; readonly text: string }
    /** Without its sign; digits beyond what int64 holds are judged where the sign is known. */
    | { readonly is: 'int'; readonly value: bigint }
    | { readonly is: 'double'; readonly value: number; readonly written: string }
    | { readonly is: 'end'; readonly text: '' }
  );

const SPACE = /[\t\n\f\r ]+|\/\/[^\n]*/y;
const NAME = /[A-Za-z_]\w*/y;
const NUMBER = /0[xX][0-9a-fA-F]+|\d*\.\d+(?:[eE][+-]?\d+)?|\d+(?:[eE][+-]?\d+)?/y;
const SIGN = /:=|===|!==|&&|\|\||==|!=|<=|>=|<>|=>|\*\*|\?\?|\.\?|[-+*/%<>!?:.,()[\]{}=&|]/y;
const PREFIX = /[rRbB]{1,2}(?=["'])/y;

/** Signs of other languages, and what is written here. */
const FOREIGN_SIGNS: Readonly<Record<string, string>> = {
  ':=': '==',
  '=': '==',
  '===': '==',
  '!==': '!=',
  '<>': '!=',
  '&': '&&',
  '|': '||',
  '??': 'has(x) ? x : y',
  '.?': 'has(x.y) ? x.y : z',
  '**': 'x * x',
};

export function tokensOf(code: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(code)?.[0];
  };
  while (at < code.length) {
    const start = at;
    const space = match(SPACE);
    if (space !== undefined) {
      const end = start + 2;
      // A comment would hide the rest of an expression of one line.
      if (space.startsWith('//') && tokens.length > 0 && !code.includes('\n')) {
        const isComment = /^\/\/ *[A-Za-z]\w*(?: |$)/.test(space.trimEnd());
        throw new Unreadable(
          isComment
            ? { kind: 'comment', start, end: start + space.trimEnd().length }
            : { kind: 'spelling', text: '//', instead: '/', start, end },
        );
      }
      at += space.length;
      continue;
    }
    const prefix = match(PREFIX);
    if (prefix !== undefined || code[at] === '"' || code[at] === "'") {
      at = endOfText(code, at);
      if (at < 0) throw new Unreadable({ kind: 'open-text', start, end: code.length });
      if (/b/i.test(prefix ?? ''))
        throw new Unreadable({ kind: 'not-a-type', of: 'bytes', text: code.slice(start, at), start, end: at });
      tokens.push({ is: 'text', text: textOf(code, start, at, prefix ?? ''), start, end: at });
      continue;
    }
    const number = match(NUMBER);
    if (number !== undefined) {
      at += number.length;
      tokens.push(numberOf(number, code, start, at));
      continue;
    }
    const name = match(NAME);
    const text = name ?? match(SIGN);
    if (text === undefined) {
      const character = String.fromCodePoint(code.codePointAt(at)!);
      throw new Unreadable({ kind: 'character', text: character, start, end: start + character.length });
    }
    at += text.length;
    const isJoin = text === '&' && (tokens.at(-1)?.is === 'text' || /^ *["']/.test(code.slice(at)));
    const sign = name === undefined && Object.hasOwn(FOREIGN_SIGNS, text) ? FOREIGN_SIGNS[text] : undefined;
    const instead = isJoin ? '+' : sign;
    if (instead !== undefined) throw new Unreadable({ kind: 'spelling', text, instead, start, end: at });
    tokens.push({ is: name === undefined ? 'sign' : 'name', text, start, end: at });
  }
  tokens.push({ is: 'end', text: '', start: code.length, end: code.length });
  return tokens;
}

/** Behind the quoted text that begins here, its prefix included; -1 when it is never closed. */
export function endOfText(code: string, from: number): number {
  let at = from;
  while (/[rRbB]/.test(code[at] ?? '')) at++;
  const isRaw = /r/i.test(code.slice(from, at));
  const quote = code[at]!;
  const fence = code.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  for (at += fence.length; at < code.length; at++) {
    if (code.startsWith(fence, at)) return at + fence.length;
    if (code[at] === '\\' && !isRaw) at++;
    // A text between single quotes ends on its line.
    else if (fence.length === 1 && (code[at] === '\n' || code[at] === '\r')) return -1;
  }
  return -1;
}

function textOf(code: string, start: number, end: number, prefix: string): string {
  const open = start + prefix.length;
  const fence = code.startsWith(code[open]!.repeat(3), open) && end - open >= 6 ? 3 : 1;
  const inside = code.slice(open + fence, end - fence);
  if (prefix !== '' || !inside.includes('\\')) return inside;
  return unescaped(inside, open + fence);
}

const ESCAPE =
  /\\(?:([abfnrtv\\?"'`])|x([0-9a-fA-F]{2})|X([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([\s\S]?))/g;
const CONTROL: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

function unescaped(text: string, from: number): string {
  return text.replace(ESCAPE, (written: string, ...found: unknown[]) => {
    const [plain, x, X, u, U, octal] = found as readonly (string | undefined)[];
    const offset = found.find(part => typeof part === 'number')!;
    if (plain !== undefined) return CONTROL[plain] ?? plain;
    const hex = x ?? X ?? u ?? U;
    const point = hex !== undefined ? Number.parseInt(hex, 16) : octal !== undefined ? Number.parseInt(octal, 8) : -1;
    // Halves of a pair are no characters (langdef.md: "valid Unicode code points").
    if (point < 0 || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) {
      const start = from + offset;
      throw new Unreadable({ kind: 'escape', text: written, start, end: start + written.length });
    }
    return String.fromCodePoint(point);
  });
}

function numberOf(text: string, code: string, start: number, end: number): Token {
  const follows = code.slice(end).match(/^\w+/)?.[0];
  if (follows !== undefined && /^u$/i.test(follows))
    throw new Unreadable({ kind: 'not-a-type', of: 'unsigned', text: text + follows, start, end: end + 1 });
  if (follows !== undefined)
    throw new Unreadable({ kind: 'number', text: text + follows, start, end: end + follows.length });
  if (/^0[xX]|^\d+$/.test(text)) return { is: 'int', value: BigInt(text), start, end };
  const value = Number(text);
  if (!Number.isFinite(value)) throw new Unreadable({ kind: 'number', text, start, end });
  return { is: 'double', value, written: text, start, end };
}

/** What is wrong with a text that is no expression. The words are in `messages/syntax-messages.ts`. */
export type CodeProblem = Place &
  (
    | { readonly kind: 'early-end' }
    /** `what` and `found`: as an author writes them. */
    | { readonly kind: 'expected'; readonly what: string; readonly found: string | undefined }
    | { readonly kind: 'unexpected'; readonly found: string }
    | { readonly kind: 'character'; readonly text: string }
    | { readonly kind: 'open-text' }
    | { readonly kind: 'escape'; readonly text: string }
    | { readonly kind: 'number'; readonly text: string }
    /** A word or sign of another language, and what is written here. */
    | { readonly kind: 'spelling'; readonly text: string; readonly instead: string }
    /** Words behind `//` in an expression of one line. */
    | { readonly kind: 'comment' }
    | { readonly kind: 'reserved'; readonly word: string }
    | { readonly kind: 'not-a-type'; readonly text: string; readonly of: 'bytes' | 'unsigned' }
    | { readonly kind: 'variable'; readonly loop: string }
    | { readonly kind: 'has' }
    | { readonly kind: 'depth'; readonly limit: number }
    | { readonly kind: 'length'; readonly limit: number }
  );

/** Ends the reading of one expression; never leaves `parse.ts`. */
export class Unreadable extends Error {
  readonly problem: CodeProblem;

  constructor(problem: CodeProblem) {
    super(problem.kind);
    this.problem = problem;
  }
}
