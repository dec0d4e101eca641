/** Damage that knows what it damages: texts by line and word, trees by node, databases by page. All of it from one source of chance. */
import { parse, stringify } from 'yaml';
import type { Json, JsonObject } from '../../src/model/text/json.ts';

export class Chance {
  readonly next: () => number;
  constructor(next: () => number) {
    this.next = next;
  }
  below(count: number): number {
    return Math.floor(this.next() * count);
  }
  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
  is(share: number): boolean {
    return this.next() < share;
  }
  times(most: number, what: () => void): void {
    for (let left = 1 + this.below(most); left > 0; left--) what();
  }
}

/** Numbers at which something turns over. */
export const NUMBERS: readonly number[] = [
  ...[
    0,
    -0,
    -1,
    1,
    0.1,
    1e-7,
    255,
    256,
    4096,
    65_536,
    1e6,
    2 ** 31 - 1,
    2 ** 31,
    2 ** 32,
    2 ** 53,
    2 ** 53 + 2,
    2 ** 63,
  ],
  ...[1e21, 1e300, -1e300, 5e-324],
];
const NUMBER_TEXTS = [
  ...NUMBERS.map(String),
  '1e999',
  '-1e999',
  '0x1f',
  '0o17',
  '1_000',
  '.inf',
  '1e',
  '٣',
  '9'.repeat(400),
];

export const STRINGS: readonly string[] = [
  ...[
    '',
    ' ',
    '\0',
    '\u0007',
    '\u001b[31m',
    '\u009b2J',
    '\u202e',
    '\ud800',
    '狐',
    '🦊',
    'e\u0301',
    '\ufeff',
    '\r\n',
    '\t',
  ],
  ...[
    'null',
    'true',
    '__proto__',
    'constructor',
    'toString',
    '../../etc/passwd',
    '/dev/zero',
    'file:///etc/passwd',
    'C:\\x',
  ],
  ...[
    '${{',
    '}}',
    '${{ }}',
    '${{ steps }}',
    '${{ params.idea',
    '{n}',
    '{}',
    '%s',
    "'; DROP TABLE event; --",
    '$(id)',
    '`id`',
  ],
  ...[
    'https://',
    'http://[::1',
    'https://a:99999/',
    'generation:x',
    'sha256:x',
    'a'.repeat(5_000),
    '狐'.repeat(300),
    '\n'.repeat(200),
  ],
];

const PIECES: readonly string[] = [
  ...' \n\t#:-,[]{}()"\'&*!|>%@`?~$\\'.split(''),
  ...[
    '  ',
    '\n  ',
    ': ',
    '- ',
    '<<: *a',
    '&a ',
    '*a',
    '!!str ',
    '---\n',
    '...\n',
    '? ',
    '|\n',
    '>-\n',
    '"',
    "'",
    '0',
    '.',
    '\0',
  ],
  ...STRINGS,
];

export function mutateText(text: string, chance: Chance): string {
  let mutated = text;
  chance.times(4, () => {
    mutated = TEXT_WAYS[chance.below(TEXT_WAYS.length)]?.(mutated, chance) ?? mutated;
  });
  return mutated.slice(0, 200_000);
}

type TextWay = (text: string, chance: Chance) => string;
const TEXT_WAYS: readonly TextWay[] = [
  (text, chance) => splice(text, chance, chance.below(6), chance.of(PIECES)),
  (text, chance) => splice(text, chance, chance.below(40), ''),
  (text, chance) => text.slice(0, chance.below(text.length + 1)),
  // A piece of it again, somewhere else.
  (text, chance) => {
    const from = chance.below(text.length + 1);
    return splice(text, chance, 0, text.slice(from, from + chance.below(80)));
  },
  (text, chance) => {
    const lines = text.split('\n');
    const line = lines.splice(chance.below(lines.length), 1);
    lines.splice(chance.below(lines.length + 1), 0, ...line, ...(chance.is(0.5) ? line : []));
    return lines.join('\n');
  },
  (text, chance) => swapped(text, chance, /-?\d[\d.]*/g, () => chance.of(NUMBER_TEXTS)),
  (text, chance) => swapped(text, chance, /[A-Za-z_]\w+/g, words => chance.of([...words, ...STRINGS])),
  (text, chance) => text.replace(/^ +/gm, blanks => (chance.is(0.1) ? ' '.repeat(chance.below(9)) : blanks)),
  (text, chance) =>
    splice(text, chance, 0, chance.of(['[', '{', '(', '- ', '! ', '&a [*a, ', '"']).repeat(1 + chance.below(3_000))),
];

function splice(text: string, chance: Chance, length: number, instead: string): string {
  const at = chance.below(text.length + 1);
  return text.slice(0, at) + instead + text.slice(at + length);
}

/** One of all that match, in another's place. */
function swapped(text: string, chance: Chance, pattern: RegExp, by: (all: readonly string[]) => string): string {
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) return text;
  const { 0: old, index } = chance.of(found);
  return text.slice(0, index) + by(found.map(match => match[0])) + text.slice(index + old.length);
}

/** As a text, or as a tree that is written anew: what survives the reader goes deeper. */
export function mutateYaml(text: string, chance: Chance): string {
  if (chance.is(0.4)) return mutateText(text, chance);
  const tree = mutateJson(parse(text) as Json, chance);
  try {
    // Long lines stay whole: folding them is recursive in the writer.
    const written = stringify(tree, { aliasDuplicateObjects: false, lineWidth: 0 });
    return chance.is(0.2) ? mutateText(written, chance) : written;
  } catch (error) {
    // What is too deep for the writer is written by another: JSON is YAML.
    if (!(error instanceof RangeError)) throw error;
    return JSON.stringify(tree);
  }
}

export function mutateJson(json: Json, chance: Chance): Json {
  const tree = structuredClone(json);
  chance.times(3, () => damage(tree, chance));
  return tree;
}

function damage(tree: Json, chance: Chance): void {
  const holders = holdersIn(tree);
  if (holders.length === 0) return;
  const holder = chance.of(holders) as Record<string, Json>;
  const names = Object.keys(holder);
  const name = chance.of(names);
  const value = holder[name] as Json;
  switch (chance.below(7)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(name), 1);
      else delete holder[name];
      return;
    case 1:
      if (!Array.isArray(holder)) delete holder[name];
      add(holder, chance.of([...STRINGS.slice(0, 30), ...names, `${name}s`]), value);
      return;
    case 2:
      add(holder, chance.of(['extra', ...STRINGS.slice(0, 30)]), anything(chance, 2));
      return;
    case 3: {
      // A part of the tree where another was.
      const other = chance.of(holders);
      holder[name] = structuredClone(chance.of(Object.values(other)) as Json);
      return;
    }
    case 4:
      holder[name] = deep(value, 1 + chance.below(chance.is(0.1) ? 1_000 : 20), chance);
      return;
    case 5:
      if (Array.isArray(value)) holder[name] = Array.from({ length: chance.below(300) }, () => value[0] ?? null);
      else holder[name] = [value];
      return;
    default:
      holder[name] = anything(chance, 3);
  }
}

/** Its own property, whatever it is called. */
const add = (holder: object, name: string, value: Json): void =>
  void Object.defineProperty(holder, Array.isArray(holder) ? String(holder.length) : name, {
    ...{ value, enumerable: true, configurable: true, writable: true },
  });

export function anything(chance: Chance, depth: number): Json {
  switch (chance.below(depth > 0 ? 7 : 5)) {
    case 0:
      return null;
    case 1:
      return chance.is(0.5);
    case 2:
      return chance.of(NUMBERS);
    case 3:
    case 4:
      return chance.of(STRINGS);
    case 5:
      return Array.from({ length: chance.below(4) }, () => anything(chance, depth - 1));
    default:
      return Object.fromEntries(
        Array.from({ length: chance.below(4) }, () => [chance.of(STRINGS.slice(0, 30)), anything(chance, depth - 1)]),
      );
  }
}

function deep(inner: Json, levels: number, chance: Chance): Json {
  const inList = chance.is(0.5);
  let outer = inner;
  for (let level = 0; level < levels; level++) outer = inList ? [outer] : { a: outer };
  return outer;
}

function holdersIn(tree: Json): (Json[] | JsonObject)[] {
  const found: (Json[] | JsonObject)[] = [];
  const open: Json[] = [tree];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    if (Object.keys(node).length > 0) found.push(node as Json[] | JsonObject);
    if (found.length > 2_000) break;
    open.push(...Object.values(node as JsonObject));
  }
  return found;
}

/** Bits, pages, ends: what disks, cables and crashes do. */
export function mutateBytes(bytes: Uint8Array, chance: Chance): Buffer {
  let mutated = Buffer.from(bytes);
  chance.times(3, () => {
    const at = chance.below(Math.max(1, mutated.length));
    const page = Math.floor(at / 4096) * 4096;
    switch (chance.below(8)) {
      case 0:
        chance.times(20, () => {
          const bit = chance.below(Math.max(1, mutated.length * 8));
          if (mutated.length > 0) mutated[bit >> 3]! ^= 1 << (bit & 7);
        });
        return;
      case 1:
        mutated = mutated.subarray(0, at);
        return;
      case 2:
        mutated = mutated.subarray(0, page);
        return;
      case 3:
        mutated.fill(0, page, Math.min(page + 4096, mutated.length));
        return;
      case 4: {
        // One page where another was.
        const from = Math.floor(chance.below(Math.max(1, mutated.length)) / 4096) * 4096;
        mutated.copy(mutated, page, from, from + 4096);
        return;
      }
      case 5:
        mutated = Buffer.concat([mutated.subarray(0, at), Buffer.from(chance.of(STRINGS)), mutated.subarray(at)]);
        return;
      case 6: {
        const head = Buffer.from(Array.from({ length: 1 + chance.below(8) }, () => chance.below(256)));
        head.copy(mutated, chance.below(Math.max(1, Math.min(100, mutated.length))));
        return;
      }
      default:
        mutated = Buffer.concat([mutated, mutated.subarray(0, at)]);
    }
  });
  return mutated;
}
