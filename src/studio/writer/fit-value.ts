/** A number or a text that means something, bent as little as it takes to fit its schema. */
import type { JsonObject } from '../../domain/json.ts';
import { textMatching } from './pattern.ts';
import { Impossible } from './schema-choices.ts';

export function fitNumber(schema: JsonObject, likely: number, whole: boolean): number {
  const limit = (name: string) => (typeof schema[name] === 'number' ? (schema[name] as number) : undefined);
  const least = limit('minimum') ?? Number.NEGATIVE_INFINITY;
  const most = limit('maximum') ?? Number.POSITIVE_INFINITY;
  const above = limit('exclusiveMinimum') ?? Number.NEGATIVE_INFINITY;
  const below = limit('exclusiveMaximum') ?? Number.POSITIVE_INFINITY;
  const step = stepOf(limit('multipleOf'), whole);
  const fits = (value: number) => value >= least && value <= most && value > above && value < below;
  const [low, high] = [Math.max(least, above), Math.min(most, below)];
  if (low > high) throw new Impossible(`no number is at least ${low} and at most ${high}`);
  if (step !== undefined) {
    const near = (value: number) => exact(Math.round(value / step) * step);
    const from = Number.isFinite(low) ? exact(Math.ceil(low / step) * step) : undefined;
    const to = Number.isFinite(high) ? exact(Math.floor(high / step) * step) : undefined;
    const tries = [
      near(likely),
      from,
      from === undefined ? undefined : exact(from + step),
      to,
      to === undefined ? undefined : exact(to - step),
    ];
    const found = tries.find(value => value !== undefined && fits(value));
    if (found === undefined) throw new Impossible(`no multiple of ${step} lies between ${low} and ${high}`);
    return found;
  }
  const middle =
    Number.isFinite(low) && Number.isFinite(high) ? (low + high) / 2 : Number.isFinite(low) ? low + 1 : high - 1;
  const found = [likely, least, most, middle, low + 1e-3].find(value => Number.isFinite(value) && fits(value));
  if (found === undefined) throw new Impossible(`no number lies between ${low} and ${high}`);
  return found;
}

/** Whole numbers are multiples of one; of a half, too, every second of its multiples is whole. */
function stepOf(multipleOf: number | undefined, whole: boolean): number | undefined {
  if (!whole || multipleOf === undefined) return multipleOf ?? (whole ? 1 : undefined);
  for (let times = 1; times <= 10_000; times++) {
    const step = exact(multipleOf * times);
    if (Number.isInteger(step)) return step;
  }
  throw new Impossible(`no whole number is a multiple of ${multipleOf}`);
}

/** Without the tail of binary fractions: 0.1 × 3. */
const exact = (value: number): number => Number(value.toPrecision(12));

export function fitText(schema: JsonObject, likely: string, nth: number): string {
  const limit = (name: string, otherwise: number) =>
    typeof schema[name] === 'number' ? (schema[name] as number) : otherwise;
  const least = limit('minLength', 0);
  const most = limit('maxLength', Number.POSITIVE_INFINITY);
  if (least > most) throw new Impossible(`no text has at least ${least} and at most ${most} characters`);
  if (least > 100_000)
    throw new Impossible(`a text of ${least.toLocaleString('en')} characters is longer than this writer writes`);
  if (typeof schema.pattern === 'string') return patterned(schema.pattern, likely, nth, { least, most });
  const made = typeof schema.format === 'string' ? FORMATS[schema.format]?.(nth, likely) : undefined;
  return made ?? lengthened(shortened(likely, most), least, most);
}

function patterned(
  pattern: string,
  likely: string,
  nth: number,
  { least, most }: { least: number; most: number },
): string {
  const expression = new RegExp(pattern, 'u');
  const sampled = textMatching(pattern, nth);
  const slug = likely
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  // Repeats inside repeats take for ever on a long text that nearly fits: there, only what was made for the pattern is tried.
  const isSafe = !/[*+}]\)[*+{]|\)[*+{]/.test(pattern);
  const prose = isSafe
    ? [likely, slug, slug.replaceAll('-', '_'), slug.slice(0, Math.min(most, 24)).replace(/-$/, '')]
    : [];
  const stretched = sampled !== undefined && sampled.length < least ? stretch(pattern, nth, least) : undefined;
  const found = [...prose, sampled, stretched, textMatching(pattern, nth + 1), textMatching(pattern, 0)].find(
    text => text !== undefined && [...text].length >= least && [...text].length <= most && expression.test(text),
  );
  if (found === undefined) throw new Impossible(`no text was found that matches ${pattern}`);
  return found;
}

/** The same pattern with its open repeats made long enough. */
function stretch(pattern: string, nth: number, least: number): string | undefined {
  const longer = pattern.replace(/(\]|\.|\\[wdsS])(?:[+*]|\{\d+,\})/, `$1{${least}}`);
  return longer === pattern ? undefined : textMatching(longer, nth);
}

/** Whole words, where there are any. */
function shortened(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const cut = characters.slice(0, most).join('');
  const words = cut.slice(0, Math.max(0, cut.lastIndexOf(' '))).replace(/[\s,;:—-]+$/, '');
  return words.length > most / 2 ? words : cut;
}

const MORE = [
  'seen from where the light is',
  'held a little longer than expected',
  'with nothing else in the frame',
  'and then the cut',
];

function lengthened(text: string, least: number, most: number): string {
  let long = text;
  for (let n = 0; [...long].length < least; n++) long += `${long === '' ? '' : ', '}${MORE[n % MORE.length]}`;
  const kept = shortened(long, most);
  return [...kept].length >= least ? kept : [...long].slice(0, least).join('');
}

const two = (n: number): string => String(n).padStart(2, '0');
const FORMATS: Readonly<Record<string, (nth: number, likely: string) => string>> = {
  date: nth => `2026-01-${two((nth % 28) + 1)}`,
  time: nth => `06:${two(nth % 60)}:00Z`,
  'date-time': nth => `2026-01-${two((nth % 28) + 1)}T06:00:00Z`,
  duration: nth => `PT${nth + 4}S`,
  email: nth => `crew${nth + 1}@example.com`,
  'idn-email': nth => `crew${nth + 1}@example.com`,
  hostname: nth => `set${nth + 1}.example.com`,
  'idn-hostname': nth => `set${nth + 1}.example.com`,
  ipv4: nth => `192.0.2.${(nth % 250) + 1}`,
  ipv6: nth => `2001:db8::${(nth + 1).toString(16)}`,
  uri: nth => `https://example.com/shots/${nth + 1}`,
  'uri-reference': nth => `/shots/${nth + 1}`,
  iri: nth => `https://example.com/shots/${nth + 1}`,
  'iri-reference': nth => `/shots/${nth + 1}`,
  url: nth => `https://example.com/shots/${nth + 1}`,
  'uri-template': nth => `https://example.com/shots/{id}?take=${nth + 1}`,
  uuid: nth => `00000000-0000-4000-8000-${String(nth + 1).padStart(12, '0')}`,
  'json-pointer': nth => `/shots/${nth}`,
  'relative-json-pointer': nth => `${nth}/shots`,
  regex: () => '^shot-[0-9]+$',
  byte: (_, likely) => Buffer.from(likely.slice(0, 24)).toString('base64'),
};
