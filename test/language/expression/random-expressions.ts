/** Random expressions, the same for the same seed. */

type Random = () => number;

/** mulberry32: the same numbers for the same seed. */
export function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export type Kind = 'int' | 'double' | 'bool' | 'text' | 'ints' | 'texts';

/** Expressions that are typed as they are made; they read `params.n`, `.d`, `.text`, `.list` and `.words`. */
export class Maker {
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

/** What they read. */
export const PARAMS = { n: 5, d: 2.5, text: 'a fox', list: [4, 5], words: ['fox', 'owl'] };
