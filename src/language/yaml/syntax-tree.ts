/** A file as a tree of plain values, each with its place in the text. */
import type { Span } from '../../model/diagnostic.ts';
import type { Json } from '../../model/text/json.ts';

export type Node = ScalarNode | ListNode | MapNode;

export interface ScalarNode {
  readonly is: 'scalar';
  readonly value: null | boolean | number | string;
  readonly at: Span;
}
interface ListNode {
  readonly is: 'list';
  readonly items: readonly Node[];
  readonly at: Span;
}
export interface MapNode {
  readonly is: 'map';
  /** Names are unique. */
  readonly entries: readonly Entry[];
  readonly at: Span;
}
export interface Entry {
  /** The shape check puts the right key in place of one it has complained about, so that nothing follows from a slip. */
  name: string;
  readonly nameAt: Span;
  readonly value: Node;
}

/** YAML reads `off` as a text, and older YAML as false. */
export const isOff = (node: Node | undefined): boolean =>
  node?.is === 'scalar' && (node.value === 'off' || node.value === false);

/** The value of an entry, where the mapping has it. */
export const child = (map: MapNode, name: string): Node | undefined =>
  map.entries.find(entry => entry.name === name)?.value;

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
