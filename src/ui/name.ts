/** The name of an instance where it may not fit. */
import { cellWidth, clipMiddle, clipStart } from '../domain/cells.ts';
import { tellingPart, withoutAxes } from '../telling/fan-text.ts';

/** Cells: with fewer, what tells a name from others goes before its beginning. */
const MIDDLE = 24;

/** The whole of it; `shot[3,1]` for `shot[beat=3,take=1]`; both its ends; what tells it from the others of its step. */
export function nameWithin(label: string, width: number): string {
  if (cellWidth(label) <= width) return label;
  const short = withoutAxes(label);
  if (cellWidth(short) <= width) return short;
  const part = tellingPart(short);
  return width >= MIDDLE || part === short ? clipMiddle(short, width) : clipStart(`…${part}`, width);
}

/** Under the row of its step: `…[beat=3,take=1]`, or `…[3,1]`. */
export function partWithin(label: string, width: number): string {
  const whole = `…${tellingPart(label)}`;
  return cellWidth(whole) <= width ? whole : clipStart(`…${tellingPart(withoutAxes(label))}`, width);
}
