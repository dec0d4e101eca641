/** JSON Schema, as far as our own schemas use it, in words. */
import type { Json } from '../../domain/json.ts';
import { listed } from '../../domain/listed.ts';

export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
  readonly required?: readonly string[];
  readonly properties?: { readonly [name: string]: Schema };
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly default?: Json;
  readonly examples?: readonly Json[];
}

export interface SchemaFile extends Schema {
  readonly $defs?: { readonly [name: string]: Schema };
}

/** The schema that it refers to, with what it says itself instead of what is said there. */
export function resolved(schema: Schema, file: SchemaFile): Schema {
  if (schema.$ref === undefined) return schema;
  const target = file.$defs?.[defName(schema.$ref)];
  if (!target) throw new Error(`${file.title} refers to ${schema.$ref}, which it does not define`);
  const { $ref: _, ...own } = schema;
  return { ...resolved(target, file), ...own };
}

export const defName = (ref: string): string => ref.replace('#/$defs/', '');

/** `text`, `whole number (1 or more)`, `` `on` or `off` ``, `duration or mapping`. */
export const takesOf = (schema: Schema, file: SchemaFile): string => or(wordsOf(schema, file));

function wordsOf(schema: Schema, file: SchemaFile): readonly string[] {
  // What has a pattern of its own has a name of its own.
  const target = schema.$ref === undefined ? undefined : file.$defs?.[defName(schema.$ref)];
  if (target?.pattern !== undefined) return [defName(schema.$ref ?? '').replaceAll('_', ' ')];
  const whole = resolved(schema, file);
  const options = whole.anyOf ?? whole.oneOf;
  if (whole.const !== undefined) return [code(whole.const)];
  if (whole.enum) return whole.enum.map(code);
  if (options) return options.flatMap(option => wordsOf(option, file));
  const all = whole.type === undefined ? [] : [whole.type].flat();
  // A mapping that may be left empty is a mapping.
  const types = all.includes('object') ? all.filter(type => type !== 'null') : all;
  return types.length === 0 || types.length > 4 ? ['any value'] : types.flatMap(type => wordsOfType(type, whole, file));
}

function wordsOfType(
  type: string,
  { items, minimum, maximum, maxLength }: Schema,
  file: SchemaFile,
): readonly string[] {
  const within = range(minimum, maximum);
  switch (type) {
    case 'string':
      return [maxLength === undefined ? 'text' : `text (at most ${maxLength} characters)`];
    case 'array':
      return [items ? `list of ${plural(takesOf(items, file))}` : 'list'];
    case 'integer':
    case 'number':
      return [`${type === 'integer' ? 'whole number' : 'number'}${within === '' ? '' : ` (${within})`}`];
    case 'boolean':
      return ['`true`', '`false`'];
    default:
      return [type === 'object' ? 'mapping' : type];
  }
}

function range(least: number | undefined, most: number | undefined): string {
  if (least !== undefined && most !== undefined) return `${least} to ${most}`;
  if (least !== undefined) return `${least} or more`;
  return most === undefined ? '' : `at most ${most}`;
}

const PLURALS: Readonly<Record<string, string>> = {
  text: 'texts',
  name: 'names',
  variable: 'names of variables',
  number: 'numbers',
  'whole number': 'whole numbers',
  mapping: 'mappings',
};
const plural = (words: string): string => PLURALS[words] ?? 'values';

const code = (value: Json): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

const or = (words: readonly string[]): string => listed([...new Set(words)], 'or');
