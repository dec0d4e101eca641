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
import { readCode } from '../../../src/language/cel.ts';
import { Budget } from '../../../src/language/expression/budget.ts';
import { type Cel, FromJson } from '../../../src/language/expression/cel-value.ts';
import { interpret } from '../../../src/language/expression/interpret.ts';
import { isStopped } from '../../../src/language/expression/outcome.ts';

type Random = () => number;

/** mulberry32: the same numbers for the same seed. */
function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

type Kind = 'int' | 'double' | 'bool' | 'text' | 'ints' | 'texts';

class Maker {
  readonly #random: Random;
  #names = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  make(kind: Kind, depth: number, bound: readonly (readonly [Kind, string])[] = []): string {
    const names = bound.filter(([of]) => of === kind).map(([, name]) => name);
    if (names.length > 0 && this.#random() < 0.3) return this.#one(names);
    if (depth <= 0) return this.#leaf(kind);
    const of = (inner: Kind): string => this.make(inner, depth - 1, bound);
    const inside = (over: Kind, item: Kind, body: Kind, name: string): string => {
      const variable = `v${this.#names++}`;
      return `${this.make(over, depth - 1, bound)}.${name}(${variable}, ${this.make(body, depth - 1, [...bound, [item, variable]])})`;
    };
    const choice = `(${of('bool')} ? ${of(kind)} : ${of(kind)})`;
    const bind = (): string => {
      const variable = `v${this.#names++}`;
      const given = this.#one<Kind>(['int', 'text', 'ints']);
      return `cel.bind(${variable}, ${this.#leaf(given)}, ${this.make(kind, depth - 1, [...bound, [given, variable]])})`;
    };
    switch (kind) {
      case 'int':
        return this.#one([
          () => `(${of('int')} ${this.#one(['+', '-', '*', '/', '%'])} ${of('int')})`,
          () => `-${of('int')}`,
          () => `size(${of(this.#one<Kind>(['text', 'ints', 'texts']))})`,
          () => `${of('ints')}[${of('int')}]`,
          () => `int(${this.#leaf(this.#one<Kind>(['double', 'int']))})`,
          () => choice,
          bind,
        ])();
      case 'double':
        return this.#one([
          () => `(${of('double')} ${this.#one(['+', '-', '*', '/'])} ${of('double')})`,
          () => `double(${of('int')})`,
          () => choice,
        ])();
      case 'bool':
        return this.#one([
          () => `(${of('int')} ${this.#one(['<', '<=', '>', '>=', '==', '!='])} ${of('int')})`,
          () => `(${of('double')} ${this.#one(['<', '<=', '>', '>=', '==', '!='])} ${of('double')})`,
          () => `(${of('text')} ${this.#one(['==', '!=', '<', '>='])} ${of('text')})`,
          () => `(${of('ints')} == ${of('ints')})`,
          () => `(${of('bool')} ${this.#one(['&&', '||'])} ${of('bool')})`,
          () => `!${of('bool')}`,
          () => `(${of('int')} in ${of('ints')})`,
          () => `(${of('text')} in ${of('texts')})`,
          () => `${of('text')}.${this.#one(['contains', 'startsWith', 'endsWith'])}(${of('text')})`,
          () => inside('ints', 'int', 'bool', this.#one(['all', 'exists', 'exists_one'])),
          () => choice,
        ])();
      case 'text':
        return this.#one([
          () => `(${of('text')} + ${of('text')})`,
          () => `string(${of(this.#one<Kind>(['int', 'bool']))})`,
          () => `${of('texts')}[${of('int')}]`,
          () => `${of('texts')}.join(${of('text')})`,
          () => choice,
          bind,
        ])();
      case 'ints':
        return this.#one([
          () => `[${of('int')}, ${of('int')}]`,
          () => `(${of('ints')} + ${of('ints')})`,
          () => inside('ints', 'int', 'bool', 'filter'),
          () => inside('ints', 'int', 'int', 'map'),
          () => inside('texts', 'text', 'int', 'map'),
          () => choice,
        ])();
      case 'texts':
        return this.#one([
          () => `[${of('text')}, ${of('text')}]`,
          () => inside('texts', 'text', 'text', 'map'),
          () => inside('ints', 'int', 'text', 'map'),
          () => `${of('text')}.split(${this.#one(["', '", "'a'", 'params.text'])})`,
          () => choice,
        ])();
    }
  }

  #leaf(kind: Kind): string {
    switch (kind) {
      case 'int':
        return this.#one(['0', '1', '2', '7', '-3', '0x10', '9223372036854775807', 'params.n']);
      case 'double':
        return this.#one(['0.0', '1.5', '-2.25', '1e3', 'params.d']);
      case 'bool':
        return this.#one(['true', 'false']);
      case 'text':
        return this.#one(["''", "'a'", '"b, c"', String.raw`'\u00e9'`, "'🐱'", "r'\\n'", "'12'", 'params.text']);
      case 'ints':
        return this.#one(['[0].filter(none, false)', '[1]', '[3, 1, 2]', 'params.list']);
      case 'texts':
        return this.#one(["['a']", "['b', '🐱']", 'params.words']);
    }
  }

  #one<T>(of: readonly T[]): T {
    return of[Math.floor(this.#random() * of.length)]!;
  }
}

const params = { n: 5, d: 2.5, text: 'a fox', list: [4, 5], words: ['fox', 'owl'] };

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
