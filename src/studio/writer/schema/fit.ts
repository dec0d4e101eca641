/** A number or a text that means something, bent as little as it takes to fit its schema. */
import type { JsonObject } from '../../../model/text/json.ts';
import formats from '../data/formats.json' with { type: 'json' };
import { Impossible } from './flat-schema.ts';

const MAX_TEXT = 100_000;

/** A keyword's number, or `otherwise`. */
const limit = (schema: JsonObject, keyword: string, otherwise: number): number =>
  typeof schema[keyword] === 'number' ? schema[keyword] : otherwise;

export function fitNumber(schema: JsonObject, likely: number, isWhole: boolean): number {
  const [least, most] = [limit(schema, 'minimum', -Infinity), limit(schema, 'maximum', Infinity)];
  const [above, below] = [limit(schema, 'exclusiveMinimum', -Infinity), limit(schema, 'exclusiveMaximum', Infinity)];
  const [low, high] = [Math.max(least, above), Math.min(most, below)];
  if (low > high) throw new Impossible(`no number is at least ${low} and at most ${high}`);
  const step = stepOf(limit(schema, 'multipleOf', 0), isWhole);
  const near = [likely, low, high, (low + high) / 2, low + 1, high - 1];
  const multiples = near.flatMap(value =>
    [Math.round, Math.ceil, Math.floor].map(round => exact(round(value / step) * step)),
  );
  const isFit = (value: number) =>
    Number.isFinite(value) && value >= least && value <= most && value > above && value < below;
  const found = (step === 0 ? near : multiples).find(isFit);
  if (found === undefined)
    throw new Impossible(`no ${step === 0 ? 'number' : `multiple of ${step}`} lies between ${low} and ${high}`);
  return found;
}

/** 0 for any number. Whole numbers are multiples of one; every second multiple of a half is whole, too. */
function stepOf(multipleOf: number, isWhole: boolean): number {
  if (!isWhole || multipleOf === 0) return multipleOf || Number(isWhole);
  for (let times = 1; times <= 10_000; times++) {
    const step = exact(multipleOf * times);
    if (Number.isInteger(step)) return step;
  }
  throw new Impossible(`no whole number is a multiple of ${multipleOf}`);
}

/** Without the tail of binary fractions: 0.1 × 3. */
const exact = (value: number): number => Number(value.toPrecision(12));

export function fitText(schema: JsonObject, likely: string, nth: number): string {
  const [least, most] = [limit(schema, 'minLength', 0), limit(schema, 'maxLength', Infinity)];
  if (least > most) throw new Impossible(`no text has at least ${least} and at most ${most} characters`);
  if (least > MAX_TEXT)
    throw new Impossible(`a text of ${least.toLocaleString('en')} characters is longer than this writer writes`);
  if (typeof schema.pattern === 'string') return patterned(schema.pattern, likely, nth, least, most);
  if (schema.format === 'byte') return Buffer.from(likely.slice(0, 24)).toString('base64');
  const template = (formats as Readonly<Record<string, string>>)[String(schema.format)];
  if (template !== undefined) {
    const n = /date|^time$/.test(String(schema.format)) ? (nth % 28) + 1 : nth + 1;
    return template.replace(/0*#/, digits => String(n).padStart(digits.length, '0'));
  }
  let text = likely;
  for (let n = 0; [...text].length < least; n++) text += `${text === '' ? '' : ', '}${FILLERS[n % FILLERS.length]}`;
  const kept = shortened(text, most);
  return [...kept].length >= least ? kept : [...text].slice(0, least).join('');
}

const FILLERS = [
  'seen from where the light is',
  'held a little longer than expected',
  'with nothing else in the frame',
  'and then the cut',
];

/** Whole words, where there are any. */
function shortened(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const cut = characters.slice(0, most).join('');
  const words = cut.slice(0, Math.max(0, cut.lastIndexOf(' '))).replace(/[\s,;:—-]+$/, '');
  return words.length > most / 2 ? words : cut;
}

function patterned(pattern: string, likely: string, nth: number, least: number, most: number): string {
  const expression = new RegExp(pattern, 'u');
  const short = slug(likely);
  // Repeats inside repeats take for ever on a long text that nearly fits: there, only what was made for the pattern is tried.
  const isSafe = !/[*+}]\)[*+{]|\)[*+{]/.test(pattern);
  const prose = isSafe
    ? [likely, short, short.replaceAll('-', '_'), short.slice(0, Math.min(most, 24)).replace(/-$/, '')]
    : [];
  const longer = pattern.replace(/(\]|\.|\\[wdsS])(?:[+*]|\{\d+,\})/, `$1{${least}}`);
  const made = [textMatching(pattern, nth), textMatching(longer, nth), textMatching(pattern, 0)];
  const isFit = (text: string | undefined) =>
    text !== undefined && [...text].length >= least && [...text].length <= most && expression.test(text);
  const found = [...prose, ...made].find(isFit);
  if (found === undefined) throw new Impossible(`no text was found that matches ${pattern}`);
  return found;
}

/** Characters that are tried for a place in a pattern, the most readable first. */
const CHARACTERS = [
  ...'abcdefghijklmnopqrstuvwxyz1234567890ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  ...' -_.,:;/#@!?+*=&%$()[]{}<>|\\^~`\'"\n\t\r',
];
const ATOM = /\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u....|\\x..|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|[\s\S]/u;
const MAX_REPEATS = 4096;

/**
 * A text that a valid regular expression matches, each part of it in its simplest form; undefined for one with back-references or long
 * repeats. Assertions are passed over: the caller checks the text. Another `nth` changes what may change.
 */
export function textMatching(pattern: string, nth: number): string | undefined {
  let at = 0;
  const take = (token: RegExp): RegExpExecArray | undefined => {
    const sticky = new RegExp(token, 'uy');
    sticky.lastIndex = at;
    const match = sticky.exec(pattern) ?? undefined;
    at += match?.[0].length ?? 0;
    return match;
  };
  const alternatives = (): string => {
    const all = [sequence()];
    while (take(/\|/)) all.push(sequence());
    return all[nth % all.length] ?? '';
  };
  const sequence = (): string => {
    let text = '';
    while (at < pattern.length && !'|)'.includes(pattern.charAt(at))) {
      const character = atom();
      const times = repeats();
      for (let n = 0; n < times; n++) text += character(n);
    }
    return text;
  };
  const atom = (): ((n: number) => string) => {
    if (take(/[\^$]|\\[bB]/)) return () => '';
    const open = take(/\((\?<?[=!])?(?:\?:|\?<\w+>)?/);
    if (open) {
      const text = alternatives();
      take(/\)/);
      return () => (open[1] ? '' : text);
    }
    const [source = ''] = take(ATOM) ?? [];
    const one = new RegExp(`^(?:${source})$`, 'u');
    const fits = CHARACTERS.filter(character => one.test(character));
    return n => fits[(nth + n) % fits.length] ?? source;
  };
  /** The fewest that are allowed; three where that would be one or a few. */
  const repeats = (): number => {
    const [, sign, from, comma, to] = take(/(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/) ?? [];
    if (from === undefined) return sign === undefined ? 1 : sign === '+' ? 3 : 0;
    if (Number(from) > MAX_REPEATS) throw new Error('too long');
    return Math.max(Number(from), Math.min(3, comma === '' ? 0 : Number(to || 3)));
  };
  try {
    return alternatives();
  } catch {
    return undefined;
  }
}

export const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
