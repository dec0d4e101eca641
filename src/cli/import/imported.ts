/** What a workflow of another system becomes: steps, params, outputs, and line by line what could not be carried over. */
import { modelLibrary } from '../../api/model-library.ts';
import { validateRequest } from '../../api/validate-request.ts';
import type { FieldSchema } from '../../model/model.ts';
import { clipEnd } from '../../model/text/cells.ts';
import { cleanText } from '../../model/text/clean.ts';
import type { Json } from '../../model/text/json.ts';

export type ImportedValue =
  | { readonly is: 'literal'; readonly value: Json }
  /** Of a step: its picture or film, or what it wrote. */
  | { readonly is: 'result'; readonly step: string; readonly makes: 'image' | 'video' | 'text' }
  | { readonly is: 'param'; readonly name: string }
  /** A file that lies beside the pipeline. */
  | { readonly is: 'file'; readonly path: string }
  /** One text, of all of them; `between`: a comma and a blank where it is not set. */
  | { readonly is: 'joined'; readonly parts: readonly ImportedValue[]; readonly between?: string }
  | { readonly is: 'list'; readonly items: readonly ImportedValue[] };

export interface ImportedStep {
  readonly name: string;
  /** A comment above it: what it was. */
  readonly was: string;
  /** A label of the interface document. */
  readonly model: string;
  readonly takes?: number;
  readonly fields: Readonly<Record<string, ImportedValue>>;
}

/** Clips one behind the other. */
export interface ImportedCut {
  readonly name: string;
  readonly was: string;
  readonly clips: readonly ImportedValue[];
}

export interface ImportedParam {
  readonly name: string;
  readonly type: 'string' | 'number' | 'integer' | 'boolean';
  readonly default?: Json;
  readonly about?: string;
}

export interface ImportedOutput {
  readonly name: string;
  readonly from: string;
  /** Below the project. */
  readonly to: string;
}

export interface Imported {
  readonly name: string;
  readonly from: string;
  readonly params: readonly ImportedParam[];
  readonly steps: readonly (ImportedStep | ImportedCut)[];
  readonly outputs: readonly ImportedOutput[];
  /** What could not be carried over, a sentence each. */
  readonly left: readonly string[];
  /** Files that have to lie beside the pipeline. */
  readonly files: readonly string[];
}

export const literal = (value: Json): ImportedValue => ({ is: 'literal', value });

/** Where a step's result goes: `out/fox-{take}.webp`. */
export function outputFile(name: string, step: ImportedStep | ImportedCut | undefined): string {
  if (step === undefined || 'clips' in step) return `out/${name}.mp4`;
  const takes = (step.takes ?? 1) > 1 ? '-{take}' : '';
  const format = step.fields.output_format;
  const still = format?.is === 'literal' ? String(format.value) : 'webp';
  return `out/${name}${takes}.${modelLibrary.get(step.model)?.produces === 'video' ? 'mp4' : still}`;
}

/** Nodes of one chain that are followed, by recursion. Graphs that persons draw have far fewer. */
export const MAX_CHAIN = 1_000;

/** A table that is looked up by names from a workflow: `constructor` and `__proto__` are no rows of it. */
export const byName = <T>(table: Readonly<Record<string, T>>): ReadonlyMap<string, T> => new Map(Object.entries(table));

/** The same row under each of these names. */
export const rows = <T>(names: string, row: T): Readonly<Record<string, T>> =>
  Object.fromEntries(names.split(/\s+/).map(name => [name, row]));

/** A name or word of a workflow; `?` for any other value. */
export const wordIn = (value: Json | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '?';

/** A name from a workflow, for a message: one line of at most 60 cells. */
export const shownName = (name: string): string => clipEnd(cleanText(name.slice(0, 1_000)), 60);

/** A value from a workflow, for a message. */
export const shownValue = (value: Json | undefined): string => clipped(JSON.stringify(value) ?? '');

export const clipped = (text: string): string => (text.length <= 60 ? text : `${text.slice(0, 59)}…`);

/** `Node 3: Fox!` → `node_3_fox`; a number is added where the name is taken. */
export function stepName(text: string, taken: ReadonlySet<string>): string {
  const slug = text
    .normalize('NFKD')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 40);
  const name = /^[a-z]/.test(slug) ? slug : `step${slug === '' ? '' : `_${slug}`}`;
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}_${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}

export interface Carried {
  readonly fields: Readonly<Record<string, ImportedValue>>;
  /** A sentence each, behind the name of the node. */
  readonly left: readonly string[];
}

/** @param label a model of the interface document; `wanted` by the names of its fields. */
export function carried(label: string, wanted: Readonly<Record<string, ImportedValue | undefined>>): Carried {
  const model = modelLibrary.get(label);
  if (model === undefined) throw new Error(`the import maps to ${label}, which is no model of the document`);
  const fields: Record<string, ImportedValue> = {};
  const left: string[] = [];
  for (const [name, value] of Object.entries(wanted)) {
    if (value === undefined) continue;
    const schema = Object.hasOwn(model.request.properties, name) ? model.request.properties[name] : undefined;
    if (schema === undefined) left.push(`${label} takes no \`${shownName(name)}\`${shown(value)}`);
    else if (isOfOtherKind(value, schema))
      left.push(`\`${shownName(name)}\` of ${label} is not what arrives there: no ${kindIn(schema)} is made before it`);
    else if (value.is !== 'literal')
      fields[name] = schema.type === 'array' && value.is !== 'list' ? { is: 'list', items: [value] } : value;
    else {
      const fitted = nearestValue(value.value, schema);
      const isFit =
        fitted !== undefined &&
        validateRequest(model, { [name]: fitted }).every(({ path }) => path.split('[')[0] !== name);
      if (!isFit) left.push(`\`${name}\` of ${label} cannot be ${shownValue(value.value)}; its default is used`);
      else {
        fields[name] = literal(fitted);
        if (String(fitted) !== String(value.value))
          left.push(`\`${name}\` is ${JSON.stringify(fitted)} in ${label}, for ${shownValue(value.value)}`);
      }
    }
  }
  return { fields, left };
}

const kindIn = ({ media, items }: Partial<FieldSchema>): string => (media ?? items?.media)?.kind ?? 'text';

/** A result cannot be read as what it is not: a film as a picture, a picture as a text. */
function isOfOtherKind(value: ImportedValue, schema: Partial<FieldSchema>): boolean {
  if (value.is === 'list') return value.items.some(item => isOfOtherKind(item, schema));
  return value.is === 'result' && value.makes !== kindIn(schema);
}

const shown = (value: ImportedValue): string => (value.is === 'literal' ? ` (${shownValue(value.value)})` : '');

/** The nearest value that the field takes; undefined where there is none. */
function nearestValue(
  value: Json,
  { type, enum: allowed, minimum, maximum, pattern }: Partial<FieldSchema>,
): Json | undefined {
  if (allowed) {
    const same = allowed.find(one => fold(one) === fold(value));
    if (same !== undefined) return same as Json;
    const number = numberIn(value);
    const numbers = allowed.flatMap(one => {
      const of = numberIn(one as Json);
      return of === undefined ? [] : [{ one: one as Json, of }];
    });
    if (number === undefined || numbers.length < allowed.length || String(value).includes(':')) return undefined;
    return numbers.toSorted((a, b) => Math.abs(a.of - number) - Math.abs(b.of - number))[0]?.one;
  }
  if (type === 'integer' || type === 'number') {
    const number = numberIn(value);
    if (number === undefined) return undefined;
    const whole = type === 'integer' ? Math.round(number) : number;
    return Math.min(maximum ?? Number.POSITIVE_INFINITY, Math.max(minimum ?? Number.NEGATIVE_INFINITY, whole));
  }
  if (type === 'string' && typeof value === 'number') return pattern?.includes('s') ? `${value}s` : String(value);
  if (type === 'boolean' && typeof value !== 'boolean') return undefined;
  return value;
}

const fold = (value: unknown): string => String(value).toLowerCase().replace(/\s+/g, '');
const numberIn = (value: Json): number | undefined => {
  const number = typeof value === 'number' ? value : Number(/^-?\d+(\.\d+)?/.exec(String(value))?.[0] ?? Number.NaN);
  return Number.isFinite(number) ? number : undefined;
};

const RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3', '21:9'] as const;

/** The ratio that is nearest to so many pixels. */
export function ratioOf(width: number, height: number): string {
  const wanted = Math.log(width / height);
  const far = (ratio: string) => {
    const [wide = 1, high = 1] = ratio.split(':').map(Number);
    return Math.abs(Math.log(wide / high) - wanted);
  };
  return RATIOS.toSorted((a, b) => far(a) - far(b))[0] ?? '16:9';
}

/** `720p` for 1280×720: the short side, as most models call it. */
export const resolutionOf = (width: number, height: number): string => `${Math.min(width, height)}p`;
