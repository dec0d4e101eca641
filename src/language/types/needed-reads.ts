/**
 * The reads that must be known before a value is, while only some of them are: what waits for what. A condition is asked
 * for first, and then the side it takes alone; `&&` and `||` ask for the right side only where the left does not decide; `has(…)` asks
 * for what it looks into; and an index that is known asks for its one item.
 */

import type { ExpressionValue, Reference, Scope, Value } from '../../model/pipeline.ts';
import type { Json } from '../../model/text/json.ts';
import { NOT_KNOWN, type World } from '../expression/interpret.ts';
import { type Path, pathOf } from '../expression/outcome.ts';
import { readCode } from './cel.ts';
import { evaluateWith } from './evaluate.ts';
import { answerOf, type Evaluated, evaluateExpression, lookUp, worldOf } from './evaluate-expression.ts';

/** `steps.still[2].result_url` is `{ root: 'steps', path: ['still', 2, 'result_url'] }`. */
export interface NeededRead {
  readonly root: Reference['root'];
  readonly path: readonly (string | number)[];
}

/** A scope of which a part is known. Items of a list that are not known are anything: they are not looked at. */
export interface PartialScope {
  readonly scope: Scope;
  /**
   * Asked with a path as far as its names go (`steps.still`), and while the answer is no with each index and field behind it
   * (`steps.still[2]`, `steps.still[2].result_url`). What is known and not in the scope is not there: `has(…)` of it is false, and
   * reading it is an error (`absent`).
   */
  readonly known: (read: NeededRead) => boolean;
  /** How many items a list has that is not known as a whole: `size(steps.still)`, `steps.still.last()`. */
  readonly lengthOf?: (read: NeededRead) => number | undefined;
  /** Every item of such a list will be there. */
  readonly isWhole?: (read: NeededRead) => boolean;
}

/** A value, an error (of an author, or because what is read is not there), or what has to be known next: no doubles. */
export type Needed = Evaluated | { readonly is: 'needs'; readonly reads: readonly NeededRead[] };

/** Never throws, whatever the value and the scope hold. Of a text, a list or a mapping, all that its expressions need next. */
export function neededReads(value: Value, partial: PartialScope): Needed {
  const needs = new Map<string, NeededRead>();
  const answer = evaluateWith(value, expression => {
    const given = neededByExpression(expression, partial);
    if (given.is !== 'needs') return given;
    for (const read of given.reads) needs.set(JSON.stringify(read), read);
    // The other expressions are asked as well: what they need can be waited for at the same time.
    return { is: 'ok', value: '' };
  });
  return needs.size > 0 ? { is: 'needs', reads: [...needs.values()] } : answer;
}

function neededByExpression(expression: ExpressionValue, partial: PartialScope): Needed {
  const read = readCode(expression.code);
  const at = (path: Path): Json | undefined | typeof NOT_KNOWN =>
    partial.known(readOf(path)) ? lookUp(path, partial.scope) : NOT_KNOWN;
  switch (read.is) {
    case 'broken':
      return evaluateExpression(expression, partial.scope);
    case 'path': {
      const path = pathOf(read.selections[0].segments);
      if (!partial.known(readOf(path))) return { is: 'needs', reads: [readOf(path)] };
      return evaluateExpression(expression, partial.scope);
    }
    case 'program': {
      const answer = answerOf(expression, read.tree, worldOf(expression, at, listsOf(partial)));
      return answer.is === 'unknown' ? { is: 'needs', reads: answer.needs.map(readOf) } : answer;
    }
  }
}

/** The known facts of a list with unknown items. */
export const listsOf = ({ lengthOf, isWhole }: PartialScope): Pick<World, 'lengthOf' | 'isWhole'> => ({
  ...(lengthOf && { lengthOf: path => lengthOf(readOf(path)) }),
  ...(isWhole && { isWhole: path => isWhole(readOf(path)) }),
});

export const readOf = ([root, ...path]: Path): NeededRead => ({ root: root as Reference['root'], path });
