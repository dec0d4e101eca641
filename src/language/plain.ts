import type { Json } from '../domain/json.ts';
import type { Node } from './syntax.ts';

/** A node without its places. Keys are own properties whatever they are called. */
export function plainJson(node: Node): Json {
  switch (node.is) {
    case 'scalar':
      return node.value;
    case 'list':
      return node.items.map(plainJson);
    case 'map':
      return Object.fromEntries(node.entries.map(entry => [entry.name, plainJson(entry.value)]));
  }
}
