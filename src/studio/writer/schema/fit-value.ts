/** A number or a text that means something, bent as little as it takes to fit its schema. */
import type { JsonObject } from '../../../model/text/json.ts';
import { Impossible, numberOr } from './flat-schema.ts';
import { textMatching } from './pattern.ts';
import { slug } from './property-values.ts';

export function fitNumber(schema: JsonObject, likely: number, isWhole: boolean): number {
  const [least, most] = [numberOr(schema.minimum, -Infinity), numberOr(schema.maximum, Infinity)];
  const [above, below] = [numberOr(schema.exclusiveMinimum, -Infinity), numberOr(schema.exclusiveMaximum, Infinity)];
  const [low, high] = [Math.max(least, above), Math.min(most, below)];
  if (low > high) throw new Impossible(`no number is at least ${low} and at most ${high}`);
  const step = stepOf(numberOr(schema.multipleOf, 0), isWhole);
  const inside = Number.isFinite(low + high) ? (low + high) / 2 : Number.isFinite(low) ? low + 1 : high - 1;
  const multiple = (value: number) => exact(value * step);
  const tries =
    step === 0
      ? [likely, least, most, inside, low + 1e-3]
      : [
          Math.round(likely / step),
          Math.ceil(low / step),
          Math.ceil(low / step) + 1,
          Math.floor(high / step),
          Math.floor(high / step) - 1,
        ].map(multiple);
  const found = tries.find(
    value => Number.isFinite(value) && value >= least && value <= most && value > above && value < below,
  );
  if (found === undefined)
    throw new Impossible(
      step === 0
        ? `no number lies between ${low} and ${high}`
        : `no multiple of ${step} lies between ${low} and ${high}`,
    );
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
  const [least, most] = [numberOr(schema.minLength, 0), numberOr(schema.maxLength, Infinity)];
  if (least > most) throw new Impossible(`no text has at least ${least} and at most ${most} characters`);
  if (least > MAX_TEXT)
    throw new Impossible(`a text of ${least.toLocaleString('en')} characters is longer than this writer writes`);
  if (typeof schema.pattern === 'string') return patterned(schema.pattern, likely, nth, least, most);
  const made = typeof schema.format === 'string' ? FORMATS[schema.format]?.(nth, likely) : undefined;
  return made ?? lengthened(shortened(likely, most), least, most);
}

const MAX_TEXT = 100_000;

function patterned(pattern: string, likely: string, nth: number, least: number, most: number): string {
  const expression = new RegExp(pattern, 'u');
  const short = slug(likely);
  // Repeats inside repeats take for ever on a long text that nearly fits: there, only what was made for the pattern is tried.
  const isSafe = !/[*+}]\)[*+{]|\)[*+{]/.test(pattern);
  const prose = isSafe
    ? [likely, short, short.replaceAll('-', '_'), short.slice(0, Math.min(most, 24)).replace(/-$/, '')]
    : [];
  const stretched = pattern.replace(/(\]|\.|\\[wdsS])(?:[+*]|\{\d+,\})/, `$1{${least}}`);
  const made = [
    textMatching(pattern, nth),
    textMatching(stretched, nth),
    textMatching(pattern, nth + 1),
    textMatching(pattern, 0),
  ];
  const found = [...prose, ...made].find(
    text => text !== undefined && [...text].length >= least && [...text].length <= most && expression.test(text),
  );
  if (found === undefined) throw new Impossible(`no text was found that matches ${pattern}`);
  return found;
}

/** Whole words, where there are any. */
function shortened(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const cut = characters.slice(0, most).join('');
  const words = cut.slice(0, Math.max(0, cut.lastIndexOf(' '))).replace(/[\s,;:—-]+$/, '');
  return words.length > most / 2 ? words : cut;
}

const FILLERS = [
  'seen from where the light is',
  'held a little longer than expected',
  'with nothing else in the frame',
  'and then the cut',
];

function lengthened(text: string, least: number, most: number): string {
  let long = text;
  for (let n = 0; [...long].length < least; n++) long += `${long === '' ? '' : ', '}${FILLERS[n % FILLERS.length]}`;
  const kept = shortened(long, most);
  return [...kept].length >= least ? kept : [...long].slice(0, least).join('');
}

type Format = (nth: number, likely: string) => string;
const two = (n: number): string => String(n).padStart(2, '0');
const email: Format = nth => `crew${nth + 1}@example.com`;
const hostname: Format = nth => `set${nth + 1}.example.com`;
const uri: Format = nth => `https://example.com/shots/${nth + 1}`;
const path: Format = nth => `/shots/${nth + 1}`;
const FORMATS: Readonly<Record<string, Format>> = {
  date: nth => `2026-01-${two((nth % 28) + 1)}`,
  time: nth => `06:${two(nth % 60)}:00Z`,
  'date-time': nth => `2026-01-${two((nth % 28) + 1)}T06:00:00Z`,
  duration: nth => `PT${nth + 4}S`,
  ...{ email, 'idn-email': email, hostname, 'idn-hostname': hostname },
  ...{ uri, iri: uri, url: uri, 'uri-reference': path, 'iri-reference': path, 'json-pointer': path },
  ipv4: nth => `192.0.2.${(nth % 250) + 1}`,
  ipv6: nth => `2001:db8::${(nth + 1).toString(16)}`,
  'uri-template': nth => `https://example.com/shots/{id}?take=${nth + 1}`,
  uuid: nth => `00000000-0000-4000-8000-${String(nth + 1).padStart(12, '0')}`,
  'relative-json-pointer': nth => `${nth}/shots`,
  regex: () => '^shot-[0-9]+$',
  byte: (_, likely) => Buffer.from(likely.slice(0, 24)).toString('base64'),
};
