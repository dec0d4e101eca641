/** What the code before a cursor is: its type, the names that loops around it have bound, and what can follow a dot. */

import type { Survey } from '../../language/compile.ts';
import { endOfText } from '../../language/expression/tokens.ts';
import { typeOf } from '../../language/types/infer.ts';
import type { TypeScope } from '../../language/types/path-types.ts';
import { ANY, type Type } from '../../language/types/types.ts';
import { nodeAt, type Way } from '../../language/yaml/cursor.ts';
import { child, type MapNode, type Node } from '../../language/yaml/syntax-tree.ts';
import type { ExpressionValue } from '../../model/pipeline.ts';
import { unheard } from './expected.ts';

interface Typed {
  /** What is before the last dot, and is asked for a field; undefined where a new name begins. */
  readonly of: { readonly code: string; readonly type: Type } | undefined;
  /** As far as it is written. */
  readonly word: string;
  readonly bound: readonly Bound[];
}

interface Bound {
  readonly name: string;
  /** What the loop runs through. */
  readonly over: string;
}

/** Undefined inside of a quoted text. */
export function typedBefore(before: string, scope: TypeScope): Typed | undefined {
  const open = openBrackets(before);
  if (!open) return undefined;
  const word = /[A-Za-z_]?\w*$/.exec(before)![0];
  const bound = open.flatMap(at => boundBy(before, at) ?? []);
  const lead = before.slice(0, before.length - word.length).trimEnd();
  if (!lead.endsWith('.')) return { of: undefined, word, bound };
  const code = chainBefore(lead, lead.length - 1);
  return { of: { code, type: typeOfCode(code, bound, scope) }, word, bound };
}

/** As it is inside the loops around it: each is asked for a list of what its body would be. */
export function typeOfCode(code: string, bound: readonly Bound[], scope: TypeScope): Type {
  if (ROOTS_ALONE.test(code)) return ANY;
  let whole = code;
  for (const { name, over } of bound.toReversed()) whole = `(${over}).map(${name}, ${whole})`;
  let type = typeOf(expression(whole), scope, unheard('', whole));
  for (const _ of bound) type = type.is === 'list' ? type.of : ANY;
  return type;
}

const ROOTS_ALONE = /^\s*(?:params|data|steps|matrix|env|run|take)\s*$/;

const expression = (code: string): ExpressionValue => ({
  is: 'expression',
  code,
  at: { start: 0, end: code.length },
  codeAt: { start: 0, end: code.length },
  reads: [],
});

/** Offsets of the brackets that are open at the end, the outermost first; undefined where a quoted text is. */
function openBrackets(code: string): readonly number[] | undefined {
  const open: number[] = [];
  for (let at = 0; at < code.length; at++) {
    const character = code[at]!;
    if (character === '"' || character === "'") {
      const end = endOfText(code, at);
      if (end < 0) return undefined;
      at = end - 1;
    } else if (/[([{]/.test(character)) open.push(at);
    else if (/[)\]}]/.test(character)) open.pop();
  }
  return open;
}

/** `steps.still.filter(s, …`: `s`, and what it is one of. */
function boundBy(code: string, bracket: number): Bound | undefined {
  const loop = /\.\s*(?:all|exists|exists_one|map|filter|sortBy)\s*$/.exec(code.slice(0, bracket));
  const name = /^\(\s*([A-Za-z_]\w*)\s*,/.exec(code.slice(bracket))?.[1];
  return loop && name !== undefined ? { name, over: chainBefore(code, loop.index) } : undefined;
}

/** The operand that ends at this offset: names, dots, and brackets that belong to it. */
function chainBefore(code: string, end: number): string {
  let at = end;
  for (;;) {
    const before = code.slice(0, at);
    const name = /[\w.]+$/.exec(before)?.[0];
    if (name !== undefined) {
      at -= name.length;
      continue;
    }
    const close = before.at(-1);
    const start = close === ')' || close === ']' ? openingOf(before) : undefined;
    if (start === undefined) return code.slice(at, end);
    at = start;
  }
}

/** Where the bracket opens that the code ends with. */
function openingOf(code: string): number | undefined {
  let depth = 0;
  for (let at = code.length - 1; at >= 0; at--) {
    const character = code[at]!;
    if (character === '"' || character === "'") {
      const open = code.lastIndexOf(character, at - 1);
      if (open < 0) return undefined;
      at = open;
    } else if (/[)\]}]/.test(character)) depth++;
    else if (/[([{]/.test(character) && --depth === 0) return at;
  }
  return undefined;
}

// What an expression can see at its place: the scope of its step, and what a part of the step adds to it.

export function scopeAt(way: Way, { node, scopeOf }: Survey): TypeScope {
  const [section, step, key, ...rest] = way;
  if (section !== 'steps' || step === undefined) return scopeOf('');
  const scope = scopeOf(String(step));
  const own = nodeAt(node, ['steps', step]);
  if (own?.is !== 'map') return scope;
  if (key === 'until') return { ...scope, this: scope.steps.get(String(step))?.result ?? ANY };
  if (key === 'rule') return { ...scope, candidate: ofEach(child(own, 'pick'), scope) ?? scope.each ?? ANY };
  const clip = key === 'cut' ? clipOf(rest, own) : undefined;
  return clip ? withClip(scope, clip) : scope;
}

function clipOf(rest: Way, step: MapNode): MapNode | undefined {
  const clip = rest[0] === 'clips' ? nodeAt(step, ['cut', ...rest.slice(0, 2)]) : undefined;
  return clip?.is === 'map' ? clip : undefined;
}

/** The fields of a clip see what it is made from as `each`, and its coordinates as `matrix`. */
function withClip(scope: TypeScope, clip: MapNode): TypeScope {
  const each = child(clip, 'each');
  const step = each && scope.steps.get(stepIn(each) ?? '');
  return step ? { ...scope, each: step.result, matrix: step.matrix, coordinates: step.coordinates } : scope;
}

/** One of what `${{ steps.shot }}` gives; of the takes, one instance of what `each` names. */
function ofEach(node: Node | undefined, scope: TypeScope): Type | undefined {
  return node && scope.steps.get(stepIn(node) ?? '')?.result;
}

const stepIn = (node: Node): string | undefined =>
  node.is === 'scalar' ? /^\s*\$\{\{\s*steps\.(\w+)\s*\}\}\s*$/.exec(String(node.value))?.[1] : undefined;
