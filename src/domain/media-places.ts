/** The media in a request, wherever its schema puts them: `input_image[2]`, `messages[0].content[1].image_url.url`. */
import { isObject, type Json } from './json.ts';
import type { FieldSchema, MediaLimit } from './model.ts';

export type Part = string | number;

/** Gives what shall stand in the place of one piece of media, or of a list of them that is not there yet. */
type SeeMedia = (json: Json, path: readonly Part[], limit: MediaLimit) => Json;

/** The value with every piece of media replaced by what `see` makes of it; all else stays as it is. */
export function mapMedia(field: Partial<FieldSchema>, json: Json, path: readonly Part[], see: SeeMedia): Json {
  if (field.media) return see(json, path, field.media);
  const { items, properties } = field;
  if (items && Array.isArray(json))
    return (json as readonly Json[]).map((item, index) => mapMedia(items, item, [...path, index], see));
  if (items?.media) return see(json, path, items.media);
  if (!properties || !isObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json).map(([name, inner]) => {
      const shape = Object.hasOwn(properties, name) ? shapeFor(inner, properties[name]!) : undefined;
      return [name, shape ? mapMedia(shape, inner, [...path, name], see) : inner];
    }),
  );
}

type Shapes = NonNullable<FieldSchema['properties']>[string];

/** Of a choice, the shape that the value has. A service's own schema may be anything. */
export function shapeFor(json: Json, shapes: Shapes): FieldSchema | undefined {
  if (!isObject(shapes as unknown as Json)) return undefined;
  if (!('anyOf' in shapes)) return shapes;
  if (!Array.isArray(shapes.anyOf)) return undefined;
  return shapes.anyOf.find(shape => (Array.isArray(json) ? shape?.type === 'array' : shape?.type !== 'array'));
}

/** `messages[0].content[1].image_url.url` */
export const pathText = (path: readonly Part[]): string =>
  path.map((part, at) => (typeof part === 'number' ? `[${part}]` : at === 0 ? part : `.${part}`)).join('');

export const pathOf = (text: string): readonly Part[] =>
  [...text.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([name, index]) => (index === undefined ? name : Number(index)));
