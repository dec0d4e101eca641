/**
 * How a step and its instances are named, everywhere: in the file, on the command line, in the lock, on screen.
 * `shot`, `shot[seed=22]`, `framed[beat=2,ratio=9:16]`.
 */
import type { Json } from './json.ts';

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** A step's name: `[a-z][a-z0-9_]*`. */
export type StepName = Branded<'StepName'>;
/** One instance of a step, made of the step's name and its coordinates: `shot[seed=22]`. */
export type InstanceKey = Branded<'InstanceKey'>;
/** One run of one pipeline. */
export type RunId = Branded<'RunId'>;
/** What the service calls a generation. */
export type GenerationId = Branded<'GenerationId'>;

/** The coordinates of an instance in its fan-out, in the order of declaration: `{ seed: 22 }`. */
export type Coordinates = Readonly<Record<string, Json>>;

export function instanceKey(step: StepName, coordinates: Coordinates): InstanceKey {
  const names = Object.keys(coordinates);
  if (names.length === 0) return step as string as InstanceKey;
  return `${step}[${names.map(name => `${name}=${coordinateText(coordinates[name] ?? null)}`).join(',')}]` as InstanceKey;
}

/** `shot[seed=22]` → `shot`. */
export function stepOf(key: InstanceKey): StepName {
  const open = key.indexOf('[');
  return (open < 0 ? key : key.slice(0, open)) as string as StepName;
}

/** A coordinate as it reads inside a key; text with brackets, commas or blanks is quoted so that a key never splits. */
export function coordinateText(value: Json): string {
  if (typeof value === 'string' && /^[^\s,=[\]"]+$/.test(value)) return value;
  return JSON.stringify(value);
}
