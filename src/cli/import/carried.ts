/** The fields of a request as one of our models takes them: under its names, within its limits; the rest is told. */
import { modelLibrary } from '../../api/model-library.ts';
import { validateRequest } from '../../api/validate-request.ts';
import type { Json } from '../../domain/json.ts';
import type { FieldSchema } from '../../domain/model.ts';
import { type ImportedValue, literal, shownName } from './imported.ts';

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
      if (!isFit)
        left.push(`\`${name}\` of ${label} cannot be ${clip(JSON.stringify(value.value))}; its default is used`);
      else {
        fields[name] = literal(fitted);
        if (String(fitted) !== String(value.value))
          left.push(`\`${name}\` is ${JSON.stringify(fitted)} in ${label}, for ${clip(JSON.stringify(value.value))}`);
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

const shown = (value: ImportedValue): string =>
  value.is === 'literal' ? ` (${clip(JSON.stringify(value.value))})` : '';
const clip = (text: string): string => (text.length <= 60 ? text : `${text.slice(0, 59)}…`);

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
