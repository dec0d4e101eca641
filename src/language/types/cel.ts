/**
 * The expression language: CEL (https://github.com/google/cel-spec) over JSON, with our own roots and functions.
 *
 * Nearly every expression of a real file is a plain path (`steps.shot.result_url`), so paths are read here and never reach the parser.
 * For the rest this file gives the tree and every path in it. `expression/` holds the language itself: how it is read
 * (`parse.ts`), typed (`check.ts`) and evaluated (`interpret.ts`), and its functions in one table (`functions.ts`).
 */

import { parse } from '../expression/parse.ts';
import type { CodeProblem } from '../expression/tokens.ts';
import { type Expr, readsIn, type Segment } from '../expression/tree.ts';

/** A path that an expression reads: `steps.shot.result_url`, or `params["idea"]`. The first segment is the root. */
export interface Selection {
  readonly segments: readonly [Segment, ...Segment[]];
  /** Where it ends in the code; a path may go on in CEL: `steps.shots` of `steps.shots[0].bytes`. */
  readonly end: number;
  /** Inside `has(…)`: the last name may be absent. */
  readonly probed: boolean;
}

export type Code =
  | { readonly is: 'path'; readonly selections: readonly [Selection] }
  | { readonly is: 'program'; readonly tree: Expr; readonly selections: readonly Selection[] }
  | { readonly is: 'broken'; readonly problem: CodeProblem };

/** Expressions repeat within a file and between check, plan and run. */
const known = new Map<string, Code>();
const MAX_KNOWN = 20_000;

export function readCode(code: string): Code {
  let read = known.get(code);
  if (!read) {
    read = plainPath(code) ?? program(code);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(code, read);
  }
  return read;
}

/** Words of CEL that look like a path of one name. */
const LITERALS = new Set(['true', 'false', 'null']);

function plainPath(code: string): Code | undefined {
  if (!/^\s*[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\s*$/.test(code)) return undefined;
  const segments: Segment[] = [];
  for (const match of code.matchAll(/\w+/g))
    segments.push({ name: match[0], start: match.index, end: match.index + match[0].length });
  const [root, ...rest] = segments;
  if (!root || LITERALS.has(root.name)) return undefined;
  return { is: 'path', selections: [{ segments: [root, ...rest], end: segments.at(-1)!.end, probed: false }] };
}

function program(code: string): Code {
  const parsed = parse(code);
  if ('problem' in parsed) return { is: 'broken', problem: parsed.problem };
  const selections = readsIn(parsed.tree).map(({ read: { segments, end }, probed }) => ({ segments, end, probed }));
  return { is: 'program', tree: parsed.tree, selections };
}
