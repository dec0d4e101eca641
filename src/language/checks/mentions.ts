/** The names that a file mentions, with their places: what an editor finds and renames. Of a file that is half written, as far as it can be read. */
import type { Source, Span } from '../../model/diagnostic.ts';
import { isRoot, type Root } from '../../model/pipeline.ts';
import { readCode, type Selection } from '../types/cel.ts';
import { child, type MapNode, type Node } from '../yaml/syntax-tree.ts';

/** `steps.shot.result_url` at its place, or `shot` in a list under `needs`. */
export interface Mention {
  readonly root: Root;
  /** Behind the root, each with its place: the first is the step, the param, the axis. */
  readonly path: readonly { readonly name: string; readonly at: Span }[];
  /** The step that mentions it; undefined outside of `steps`. */
  readonly step: string | undefined;
}

/** Every name that the expressions and the `needs` of a file read, in the order of the text. */
export function mentionsIn({ text }: Source, file: MapNode): readonly Mention[] {
  const found: Mention[] = [];
  const seen = new Set<number>();
  const visit = (node: Node, path: readonly string[]): void => {
    switch (node.is) {
      case 'map':
        for (const { name, value } of node.entries) visit(value, [...path, name]);
        return;
      case 'list':
        for (const item of node.items) visit(item, path);
        return;
      case 'scalar': {
        if (typeof node.value !== 'string') return;
        const step = path[0] === 'steps' ? path[1] : undefined;
        // An alias shows the place of its anchor.
        if (seen.has(node.at.start)) return;
        seen.add(node.at.start);
        if (path[0] === 'steps' && path[2] === 'needs' && path.length === 3)
          found.push({ root: 'steps', path: [{ name: node.value, at: withoutQuotes(text, node.at) }], step });
        else for (const one of expressionsIn(text, node.at)) found.push(...mentionsOf(one, step));
      }
    }
  };
  visit(file, []);
  return found.sort((a, b) => a.path[0]!.at.start - b.path[0]!.at.start);
}

interface WrittenCode {
  readonly code: string;
  /** Offset of the code in the text. */
  readonly start: number;
}

/** The codes between `${{` and `}}` in a part of the text. One that is never closed ends with its line. */
export function expressionsIn(text: string, { start, end }: Span): readonly WrittenCode[] {
  const found: WrittenCode[] = [];
  for (let at = text.indexOf('${{', start); at >= 0 && at < end; at = text.indexOf('${{', at + 3)) {
    const close = text.indexOf('}}', at);
    const line = text.indexOf('\n', at);
    const last = close < 0 || close > end ? (line < 0 ? end : Math.min(line, end)) : close;
    const code = text.slice(at + 3, last);
    found.push({ code, start: at + 3 });
  }
  return found;
}

function mentionsOf({ code, start }: WrittenCode, step: string | undefined): readonly Mention[] {
  const read = readCode(code);
  const selections = read.is === 'broken' ? roughly(code) : read.selections.map(({ segments }) => segments);
  return selections.flatMap(([root, ...path]) => {
    if (!isRoot(root.name) || path.length === 0) return [];
    const placed = path.map(({ name, start: from, end }) => ({ name, at: { start: start + from, end: start + end } }));
    return [{ root: root.name, path: placed, step }];
  });
}

/** Paths of a code that cannot be read: it is being written. */
function roughly(code: string): readonly Selection['segments'][] {
  const texts = code.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, text => ' '.repeat(text.length));
  return [...texts.matchAll(/(?<![\w.])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+/g)].map(match => {
    let at = match.index;
    const segments = match[0].split('.').map(name => {
      const segment = { name, start: at, end: at + name.length };
      at += name.length + 1;
      return segment;
    });
    return segments as unknown as Selection['segments'];
  });
}

export const withoutQuotes = (text: string, { start, end }: Span): Span =>
  /["']/.test(text[start] ?? '') ? { start: start + 1, end: Math.max(start + 1, end - 1) } : { start, end };

/** Where a section of the file declares this name; undefined where it does not. */
export function declarationOf(file: MapNode, section: string, name: string): Span | undefined {
  const names = child(file, section);
  return names?.is === 'map' ? names.entries.find(entry => entry.name === name)?.nameAt : undefined;
}
