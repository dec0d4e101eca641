/** How types are called in messages. */
import type { FieldSchema } from '../../domain/model.ts';
import type { Type } from '../types.ts';
import { a } from './wording.ts';

export const typeName = (type: Type): string => {
  switch (type.is) {
    case 'any':
    case 'wrong':
      return 'anything';
    case 'null':
      return 'nothing';
    case 'bool':
      return 'true or false';
    case 'int':
      return 'a whole number';
    case 'double':
      return 'a number';
    case 'text':
      return type.leadsTo && type.leadsTo !== 'none'
        ? `the address of ${a(type.leadsTo === 'media' ? 'medium' : type.leadsTo)}`
        : 'a text';
    case 'list':
      return `a list of ${plural(type.of)}`;
    case 'map':
      return 'a mapping';
    case 'record':
      return type.called;
  }
};

export const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'nothing',
  array: 'a list',
  object: 'a mapping',
  duration: 'a duration like `90s`',
};

function plural(type: Type): string {
  switch (type.is) {
    case 'int':
      return 'whole numbers';
    case 'double':
      return 'numbers';
    case 'text':
      return type.leadsTo && type.leadsTo !== 'none' ? 'addresses' : 'texts';
    case 'record':
      return type.called
        .replace(/^an? (.*)result$/, '$1results')
        .replace(/^an? (file)?(.*)$/, (_, file = '', rest) => (file ? `files${rest}` : rest));
    case 'list':
      return 'lists';
    case 'any':
    case 'wrong':
      return 'anything';
    default:
      return typeName(type);
  }
}

export function takes(schema: FieldSchema): string {
  if (schema.type === 'array') return schema.items ? `a list of ${takesMany(schema.items)}` : 'a list';
  if (schema.media) return `the address of ${a(schema.media.kind)}`;
  if (schema.format === 'uri') return 'an address';
  return TYPE_NAMES[schema.type] ?? schema.type;
}

const takesMany = (schema: FieldSchema): string =>
  schema.media
    ? `addresses of ${schema.media.kind === 'audio' ? 'audio' : `${schema.media.kind}s`}`
    : schema.format === 'uri'
      ? 'addresses'
      : (
          {
            string: 'texts',
            integer: 'whole numbers',
            number: 'numbers',
            boolean: 'true or false',
            array: 'lists',
            object: 'mappings',
          } as const
        )[schema.type];

export function fieldOf(source: string, type: Type): string {
  const field =
    type.is === 'record' ? (type.fields.has('result_url') ? 'result_url' : type.fields.keys().next().value) : undefined;
  return `\`${source}.${field ?? 'name'}\``;
}
