/**
 * Texts that say how much of something: `5s`, `1080p`, `4K`, `4 MP`, `3840x2160`. The document bounds fields ("up to 1080p")
 * without showing how their values are written, so a bound holds where a text reads as a measure of the same kind, and only there.
 */
import type { FieldSchema } from './model.ts';

/** The bound that `text` breaks: `{ atMost: '1080p' }`. Undefined when it breaks none, or cannot be compared. */
export function brokenBound(
  { atLeast, atMost = [] }: Pick<FieldSchema, 'atLeast' | 'atMost'>,
  text: string,
): { readonly atLeast: string } | { readonly atMost: string } | undefined {
  if (atLeast !== undefined && isLess(text, atLeast)) return { atLeast };
  const broken = atMost.find(bound => isLess(bound, text));
  return broken === undefined ? undefined : { atMost: broken };
}

/** What is compared, and how much of it: of two sides both count, in either orientation. */
interface Measure {
  readonly unit: string;
  readonly amounts: readonly number[];
}

/** A length in seconds needs no unit; the document writes `720P` for one model and `720p` for the next. */
const FORMS: readonly { readonly unit: string; readonly form: RegExp }[] = [
  { unit: 'seconds', form: /^(\d+(?:\.\d+)?)(?: ?s)?$/ },
  { unit: 'lines', form: /^(\d+)p$/ },
  { unit: 'thousands of columns', form: /^(\d+(?:\.\d+)?)k$/ },
  { unit: 'megapixels', form: /^(\d+(?:\.\d+)?) ?mp$/ },
  { unit: 'pixels', form: /^(\d+) ?[x×] ?(\d+)$/ },
];

function measure(text: string): Measure | undefined {
  const small = text.trim().toLowerCase();
  for (const { unit, form } of FORMS) {
    const [, ...found] = form.exec(small) ?? [];
    if (found.length > 0) return { unit, amounts: found.map(Number).sort((a, b) => b - a) };
  }
  return undefined;
}

function isLess(a: string, b: string): boolean {
  const [left, right] = [measure(a), measure(b)];
  if (left === undefined || left.unit !== right?.unit) return false;
  return left.amounts.some((amount, side) => amount < (right.amounts[side] ?? 0));
}
