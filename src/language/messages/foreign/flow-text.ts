/** A value of the file as an author could write it inside `{ }`: messages propose changes of the author's own text. */
import type { Node } from '../../yaml/syntax-tree.ts';

/** Characters; more is cut. */
const MOST = 60;

export function flowText(node: Node): string {
  const text = written(node);
  return text.length > MOST ? '…' : text;
}

function written(node: Node): string {
  switch (node.is) {
    case 'scalar':
      return scalar(node.value);
    case 'list':
      return `[${node.items.map(written).join(', ')}]`;
    case 'map': {
      const entries = node.entries.map(({ name, value }) => `${name}: ${written(value)}`);
      return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
    }
  }
}

function scalar(value: null | boolean | number | string): string {
  if (typeof value !== 'string') return String(value);
  const needsQuotes =
    value === '' || /^[?:-](\s|$)|^[\s,[\]{}#&*!|>'"%@`]|[,[\]{}]|: |:$| #|\s$/.test(value) || looksTyped(value);
  return needsQuotes ? inQuotes(value) : value;
}

/** A text as YAML in quotes: in those that it does not hold, where it can be. */
export function inQuotes(text: string): string {
  if (!/["\\\n]/.test(text)) return `"${text}"`;
  return /['\n]/.test(text) ? JSON.stringify(text) : `'${text}'`;
}

const looksTyped = (text: string): boolean => /^(true|false|null|~|[-+]?\d+(\.\d+)?)$/i.test(text);

/** `Hero Shot` → `hero_shot`: a name as the language takes it. */
export function nameFrom(text: string, otherwise: string): string {
  const name = text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '');
  return name === '' ? otherwise : name;
}
