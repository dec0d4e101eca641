/** How the instances of a step came about: `12 × 3`, told from their keys. */
import { closingBracket, type InstanceKey } from './key.ts';

/** For each axis of a step the values that its instances have. */
export type Axes = Map<string, Set<string>>;

/** Adds the coordinates of one more instance. */
export function noteCoordinates(axes: Axes, key: InstanceKey): void {
  for (const [axis, value] of coordinatesIn(key)) {
    const values = axes.get(axis);
    if (values) values.add(value);
    else axes.set(axis, new Set([value]));
  }
}

/** `12 × 3`; null where a step has fewer than two axes, or not every combination. */
export function fanText(axes: Axes | undefined, instances: number): string | null {
  const sizes = [...(axes?.values() ?? [])].map(({ size }) => size).filter(size => size > 1);
  if (sizes.length < 2 || sizes.reduce((product, size) => product * size, 1) !== instances) return null;
  return sizes.join(' × ');
}

/** `[beat=3,take=1]`: the part of a key that tells it from the others of its step; a key without one stands as it is. */
export function tellingPart(label: string): string {
  const open = label.lastIndexOf('[');
  return open > 0 && closingBracket(label, open) === label.length - 1 ? label.slice(open) : label;
}

/** `shot[beat=3,take=1]` → `shot[3,1]`, where there is little room: the order of a step's axes is the same in all its keys. */
export function withoutAxes(label: string): string {
  const part = tellingPart(label);
  if (part === label) return label;
  const values = coordinatesIn(part).map(([, value]) => value);
  return `${label.slice(0, label.length - part.length)}[${values.join(',')}]`;
}

/** Of all brackets of a key, the outermost first; a text that is quoted may hold any sign. */
export function coordinatesIn(key: string): readonly (readonly [axis: string, value: string])[] {
  const found: (readonly [string, string])[] = [];
  for (let open = key.indexOf('['); open >= 0; open = key.indexOf('[', open)) {
    const close = closingBracket(key, open);
    const inside = key.slice(open + 1, close);
    for (const [, axis = '', value = ''] of inside.matchAll(COORDINATE)) found.push([axis, value]);
    open = close;
  }
  return found;
}

const COORDINATE = /([^=,]+)=("(?:[^"\\]|\\.)*"|\[(?:[^\]"]|"(?:[^"\\]|\\.)*")*\]|[^,]*)/g;
