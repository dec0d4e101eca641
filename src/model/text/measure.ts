/**
 * Texts that say how much of something: `5s`, `1080p`, `4K`, `4 MP`, `3840x2160`, `21:9`. The document bounds fields ("up to 1080p")
 * without showing how their values are written, so a bound holds where a text reads as a measure of the same kind, and only there.
 */
import type { FieldSchema } from '../model.ts';

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
  { unit: 'ratio', form: /^(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)$/ },
];

/** Lines of a picture of a thousand columns: `4K` is 3840 × 2160 or 4096 × 2160. */
const LINES_OF_K = 540;

function measure(text: string): Measure | undefined {
  const small = text.trim().toLowerCase();
  for (const { unit, form } of FORMS) {
    const [, ...found] = form.exec(small) ?? [];
    const amounts = found.map(Number);
    if (unit === 'ratio' && found.length > 0) return { unit, amounts: [(amounts[0] ?? 0) / (amounts[1] || 1)] };
    if (found.length > 0) return { unit, amounts: amounts.sort((a, b) => b - a) };
  }
  return undefined;
}

function isLess(a: string, b: string): boolean {
  const [left, right] = [measure(a), measure(b)];
  if (left === undefined || right === undefined) return false;
  if (left.unit !== right.unit) {
    const [one, other] = [linesOf(left), linesOf(right)];
    return one !== undefined && other !== undefined && one < other;
  }
  return left.amounts.some((amount, side) => amount < (right.amounts[side] ?? 0));
}

/** The shorter side of a picture, where the measure has it: `1080p`, `4K` and `3840x2160` mean the same in different ways. */
function linesOf({ unit, amounts }: Measure): number | undefined {
  const least = amounts.at(-1);
  if (least === undefined) return undefined;
  if (unit === 'thousands of columns') return least * LINES_OF_K;
  return unit === 'lines' || unit === 'pixels' ? least : undefined;
}
