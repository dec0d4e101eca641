/** The outline of a file: its sections, and in each what it declares. */

import { kindOf } from '../language/kinds/index.ts';
import type { Entry, Node } from '../language/yaml/syntax-tree.ts';
import type { Span } from '../model/diagnostic.ts';
import type { Document } from './document.ts';

export interface Outlined {
  readonly name: string;
  readonly detail: string;
  readonly is: 'section' | 'step' | 'name';
  readonly span: Span;
  readonly nameAt: Span;
  readonly children: readonly Outlined[];
}

const SECTIONS = new Set(['params', 'data', 'models', 'profiles', 'steps', 'outputs']);

export const outlineOf = ({ survey, source: { text } }: Document): readonly Outlined[] =>
  (survey?.node.entries ?? []).map(entry => ({
    ...outlined(entry, text, 'section'),
    children:
      SECTIONS.has(entry.name) && entry.value.is === 'map'
        ? entry.value.entries.map(one => outlined(one, text, entry.name === 'steps' ? 'step' : 'name'))
        : [],
  }));

const outlined = ({ name, nameAt, value }: Entry, text: string, is: Outlined['is']): Outlined => ({
  name,
  detail: detailOf(value, is),
  is,
  nameAt,
  span: { start: nameAt.start, end: Math.max(nameAt.end, trimmedEnd(value.at, text)) },
  children: [],
});

/** A block ends behind the blank lines that follow it. */
const trimmedEnd = ({ start, end }: Span, text: string): number => start + text.slice(start, end).trimEnd().length;

function detailOf(value: Node, is: Outlined['is']): string {
  if (value.is === 'scalar') return value.value === null ? '' : String(value.value).split('\n')[0]!.slice(0, 60);
  if (is !== 'step' || value.is !== 'map') return '';
  const kind = kindOf(value);
  const own = kind && value.entries.find(({ name }) => name === kind.key)?.value;
  return own?.is === 'scalar' ? `${kind!.key}: ${String(own.value).slice(0, 60)}` : (kind?.key ?? '');
}
