/** The name of an instance where it may not fit. */
import { cellWidth, clipEnd, clipMiddle, clipStart } from '../domain/cells.ts';
import { tellingPart, withoutAxes } from '../domain/fan-text.ts';

/** Cells: with fewer, what tells a name from others goes before its beginning. */
const MIDDLE = 24;
/** With fewer there is no room for a step's beginning and its values. */
const BOTH = 12;
/** Of a step beside values that are cut, and beside whole ones. */
const STEP = 4;
const LEAST_STEP = 3;

/**
 * The whole name, or `shot[3,1]` for `shot[beat=3,take=1]`, or both its ends. Where there is little room, the beginning of the step and its
 * values, `sh…[lighthouse]`, `shot[12,light…]`: without it `still[lighthouse]` would read the same. With less, the end of the values.
 */
export function nameWithin(label: string, width: number): string {
  if (cellWidth(label) <= width) return label;
  const short = withoutAxes(label);
  if (cellWidth(short) <= width) return short;
  const part = tellingPart(short);
  if (width >= MIDDLE || part === short) return clipMiddle(short, width);
  const head = width - cellWidth(part);
  if (head < LEAST_STEP && width >= BOTH) {
    const step = clipEnd(short.slice(0, short.length - part.length), STEP);
    return `${step}${clipEnd(part.slice(0, -1), width - cellWidth(step) - 1)}]`;
  }
  return head >= 2 ? `${clipEnd(short, head)}${part}` : clipStart(`…${part}`, width);
}

/** Under the row of its step: `…[beat=3,take=1]`, or `…[3,1]`. */
export function partWithin(label: string, width: number): string {
  const whole = `…${tellingPart(label)}`;
  return cellWidth(whole) <= width ? whole : clipStart(`…${tellingPart(withoutAxes(label))}`, width);
}
