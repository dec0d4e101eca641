/** An example as an author writes it: in one line where it fits in one, and a line for each of its parts where it does not. */
import { stringify } from 'yaml';
import { isObject, type Json } from '../../domain/json.ts';

/** Characters, as in a terminal of 80 columns with a margin. */
const WIDTH = 74;

/** @param name the key that it is a value of. */
export const exampleYaml = (name: string, value: Json): string => linesOf(`${name}:`, value, WIDTH).join('\n');

function linesOf(before: string, value: Json, width: number): readonly string[] {
  const line = `${before} ${inline(value)}`;
  const parts = isObject(value) ? Object.entries(value) : Array.isArray(value) ? value : [];
  if (line.length <= width || parts.length === 0) return [line];
  const inner = isObject(value)
    ? Object.entries(value).flatMap(([name, part]) => linesOf(`${name}:`, part, width - 2))
    : (value as readonly Json[]).flatMap(item => linesOf('-', item, width - 2));
  return [before, ...inner.map(text => `  ${text}`)];
}

function inline(value: Json): string {
  const isPlain = typeof value !== 'object' || value === null;
  // A text that is one expression needs no quotes, and its author would write none.
  if (typeof value === 'string' && /^\$\{\{[^#]*\}\}$/.test(value)) return value;
  const text = stringify(value, isPlain ? { lineWidth: 0 } : { collectionStyle: 'flow', lineWidth: 0 });
  return text.trim();
}
