/**
 * A second opinion: random expressions, typed as they are made, are evaluated here and by another implementation of CEL
 * (@marcbachmann/cel-js), which knows nothing of ours. Both give the same value, or both give none. What ours does otherwise on purpose
 * is not made (mixed numbers, `has` on what is not there); so is what the other one is known to have wrong:
 *
 * - texts are ordered by halves of pairs there, so that `'～' < '🐱'` is false;
 * - `int('')` is 0 there, and an index that is an item of an empty list is refused before it is known whether it is needed;
 * - `int` of a number that does not fit in 64 bits, and `split` without a separator of a text with an emoji, give what they should not;
 * - the value of a `cel.bind` that is not used is an error there, where it has none.
 */
import { Environment } from '@marcbachmann/cel-js';
import { expect, it } from 'vitest';
import { type Cel, FromJson } from '../../../src/language/expression/cel-value.ts';
import { Budget } from '../../../src/language/expression/evaluation-limit.ts';
import { interpret } from '../../../src/language/expression/interpret.ts';
import { isStopped } from '../../../src/language/expression/outcome.ts';
import { readCode } from '../../../src/language/types/cel.ts';
import { type Kind, Maker, PARAMS, randomFrom } from './random-expressions.ts';

const params = PARAMS;

/** As text, in which whole numbers and those with fractions differ; undefined where there is no value. */
function ours(code: string): string | undefined {
  const read = readCode(code);
  if (read.is === 'broken') throw new Error(`${code} cannot be read: ${read.problem.kind}`);
  if (read.is === 'path') throw new Error(`${code} is a path`);
  const outcome = interpret(
    read.tree,
    code,
    {
      read: ([, name]) => params[name as keyof typeof params],
      originOf: () => 'plain',
      dividesReals: () => false,
    },
    new Budget(),
  );
  return isStopped(outcome) ? undefined : text(plain(outcome));
}

const plain = (value: Cel): unknown =>
  value instanceof FromJson
    ? (value.json as readonly unknown[]).map(item => (typeof item === 'number' ? BigInt(item) : item))
    : Array.isArray(value)
      ? (value as readonly Cel[]).map(plain)
      : value;

const text = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(text).join(', ')}]`;
  return typeof value === 'bigint' ? `${value}n` : Object.is(value, -0) ? '0' : `${JSON.stringify(value)} ${value}`;
};

const environment = new Environment({
  unlistedVariablesAreDyn: true,
  homogeneousAggregateLiterals: false,
  limits: { maxDepth: 200, maxAstNodes: 10_000 },
});
const world = { params: { ...params, n: 5n, list: [4n, 5n] } };

function theirs(code: string): string | undefined {
  try {
    return text(environment.evaluate(code, world));
  } catch {
    return undefined;
  }
}

it('another implementation gives the same values, and none where ours gives none', () => {
  const differences: string[] = [];
  let values = 0;
  let made = 0;
  for (let seed = 1; made < 4_000; seed++) {
    const random = randomFrom(seed);
    const kinds: readonly Kind[] = ['int', 'double', 'bool', 'text', 'ints', 'texts'];
    const code = `(${new Maker(random).make(kinds[seed % kinds.length]!, 1 + (seed % 4))})`;
    if (/^\(params\.\w+\)$/.test(code) || code.length > 1_500) continue;
    made++;
    const [mine, other] = [ours(code), theirs(code)];
    if (mine !== undefined) values++;
    if (mine !== other) differences.push(`${code}\n   ours ${mine}\n theirs ${other}`);
  }
  expect(differences.slice(0, 5)).toEqual([]);
  // Most of them have a value at all.
  expect(values).toBeGreaterThan(2_000);
});
