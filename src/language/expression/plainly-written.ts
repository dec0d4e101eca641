import type { Expr } from './tree.ts';

/** The text or the number that an expression is where it computes nothing: `'2.5s'`, `-1`. */
export function plainlyWritten(node: Expr): string | number | undefined {
  if (node.op === 'unary' && node.operator === '-') {
    const of = plainlyWritten(node.of);
    return typeof of === 'number' ? -of : undefined;
  }
  if (node.op !== 'literal') return undefined;
  if (typeof node.value === 'bigint') return Number(node.value);
  return typeof node.value === 'string' || typeof node.value === 'number' ? node.value : undefined;
}
