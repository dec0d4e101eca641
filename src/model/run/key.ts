/**
 * How a step and its instances are named, everywhere: in the file, on the command line, in the lock, on screen.
 * `shot`, `shot[seed=22]`, `framed[beat=2,ratio=9:16]`; inside another file `cleaned/repair`, `cleaned[beat=3]/repair[ratio=9:16]`.
 */
import type { Json } from '../text/json.ts';

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** A step's name, `[a-z][a-z0-9_]*`; of a step of a used file its whole way, `cleaned/repair`. */
export type StepName = Branded<'StepName'>;
/** One instance of a step, made of the step's name and its coordinates: `shot[seed=22]`. */
export type InstanceKey = Branded<'InstanceKey'>;
/** One run of one pipeline. */
export type RunId = Branded<'RunId'>;
/** What the service calls a generation. */
export type GenerationId = Branded<'GenerationId'>;

/** The coordinates of an instance in its fan-out, in the order of declaration: `{ seed: 22 }`. */
export type Coordinates = Readonly<Record<string, Json>>;

/** `place`: the step, or a step inside one instance of the step that uses it (`groupInside`). */
export function instanceKey(place: StepName, coordinates: Coordinates): InstanceKey {
  const names = Object.keys(coordinates);
  if (names.length === 0) return place as string as InstanceKey;
  return `${place}[${names.map(name => `${name}=${coordinateText(coordinates[name] ?? null)}`).join(',')}]` as InstanceKey;
}

/** `shot[seed=22]` → `shot`; `cleaned[beat=3]/repair[ratio=9:16]` → `cleaned/repair`. */
export function stepOf(key: InstanceKey | StepName): StepName {
  const open = key.indexOf('[');
  if (open < 0) return key as string as StepName;
  if (closingBracket(key, open) === key.length - 1) return key.slice(0, open) as StepName;
  let step = '';
  for (let at = 0; at < key.length; at++) {
    if (key[at] !== '[') step += key[at];
    else {
      at = closingBracket(key, at);
      // Nothing else follows a bracket: this is no name of ours.
      if (at < key.length - 1 && key[at + 1] !== '/') break;
    }
  }
  return step as StepName;
}

/** `cleaned[beat=3]/repair[ratio=9:16]` → `cleaned[beat=3]/repair`: the step within one instance of the step that uses it. */
export function groupOf(key: InstanceKey): StepName {
  let last = key.length;
  for (let at = key.indexOf('['); at >= 0; at = key.indexOf('[', at)) {
    last = at;
    at = closingBracket(key, at);
    if (at < key.length - 1) last = key.length;
  }
  return key.slice(0, last) as StepName;
}

/** `repair` within `cleaned[beat=3]`: a name for all its instances there. */
export const groupInside = (outer: InstanceKey | StepName | undefined, step: string): StepName =>
  (outer === undefined ? step : `${outer}/${step}`) as StepName;

const ROUNDS = ' rounds';

/** The step with the rounds of a step with `until` as its instances: they are called `cleaned[beat=3,round=2]`. */
export const roundsOf = (step: StepName): StepName => `${step}${ROUNDS}` as StepName;

/** `cleaned rounds` → `cleaned`: what its author, its keys, and the steps inside it call a step. */
export const calledAs = (step: StepName): StepName =>
  (step.endsWith(ROUNDS) ? step.slice(0, -ROUNDS.length) : step) as StepName;

/** The group within its step: `film[part=2]/cleaned rounds` for the rounds in one instance of a used file. */
export const groupWithin = (step: StepName, key: InstanceKey): StepName =>
  calledAs(step) === step ? groupOf(key) : roundsOf(groupOf(key));

/** `cleaned/repair` → `repair`: what a step is called in its own file. */
export const localName = (step: StepName): string => step.slice(step.lastIndexOf('/') + 1);

/** Where the bracket that opens at this place is closed; lists have brackets of their own, and a quoted text may hold any. */
export function closingBracket(key: string, open: number): number {
  let quoted = false;
  let depth = 0;
  for (let at = open; at < key.length; at++) {
    const character = key[at];
    if (quoted && character === '\\') at++;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && character === '[') depth++;
    else if (!quoted && character === ']' && --depth === 0) return at;
  }
  return key.length;
}

/** A coordinate as it reads inside a key; text with brackets, commas or blanks is quoted so that a key never splits. */
export function coordinateText(value: Json): string {
  if (typeof value === 'string' && /^[^\s,=[\]"]+$/.test(value)) return value;
  if (Number.isSafeInteger(value)) return `${value}`;
  return JSON.stringify(value);
}

// How the instances of a step came about: `12 × 3`, read from their keys.

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

/** `[beat=3,take=1]`: the part of a key that distinguishes it from the others of its step; a key without one is returned as it is. */
export function distinctPart(label: string): string {
  const open = label.lastIndexOf('[');
  return open > 0 && closingBracket(label, open) === label.length - 1 ? label.slice(open) : label;
}

/** `shot[beat=3,take=1]` → `shot[3,1]`, where there is little room: the order of a step's axes is the same in all its keys. */
export function withoutAxes(label: string): string {
  const part = distinctPart(label);
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
