/** Damage that knows what it damages: texts by line and word, trees by node, databases by page. All of it from one source of chance. */
import { parse, stringify } from 'yaml';
import type { Json, JsonObject } from '../../src/model/text/json.ts';
import type { Dice } from '../simulate/dice.ts';

/** Numbers at which something turns over. */
export const NUMBERS: readonly number[] = [
  ...[0, -0, -1, 1, 0.1, 1e-7, 255, 256, 4096, 65_536, 1e6, 1e21, 1e300, -1e300, 5e-324],
  ...[2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 53 + 2, 2 ** 63],
];
const NUMBER_TEXTS = [...NUMBERS.map(String), ...'1e999 -1e999 0x1f 0o17 1_000 .inf 1e ٣'.split(' '), '9'.repeat(400)];

export const STRINGS: readonly string[] = [
  ...['', ' ', '\r\n', '\t'],
  ...'\0,\u0007,\u001b[31m,\u009b2J,\u202e,\ud800,狐,🦊,e\u0301,\ufeff'.split(','),
  ...'null true __proto__ constructor toString ../../etc/passwd /dev/zero file:///etc/passwd C:\\x'.split(' '),
  ...['${{', '}}', '${{ }}', '${{ steps }}', '${{ params.idea', '{n}', '{}', '%s', "'; DROP TABLE event; --"],
  ...'$(id) `id` https:// http://[::1 https://a:99999/ generation:x sha256:x'.split(' '),
  ...['a'.repeat(5_000), '狐'.repeat(300), '\n'.repeat(200)],
];

const PIECES: readonly string[] = [
  ...' \n\t#:-,[]{}()"\'&*!|>%@`?~$\\0.\0'.split(''),
  ...['  ', '\n  ', ': ', '- ', '<<: *a', '&a ', '*a', '!!str ', '---\n', '...\n', '? ', '|\n', '>-\n'],
  ...STRINGS,
];

export function mutateText(text: string, dice: Dice): string {
  let mutated = text;
  dice.times(4, () => {
    mutated = TEXT_WAYS[dice.below(TEXT_WAYS.length)]?.(mutated, dice) ?? mutated;
  });
  return mutated.slice(0, 200_000);
}

type TextWay = (text: string, dice: Dice) => string;
const TEXT_WAYS: readonly TextWay[] = [
  (text, dice) => splice(text, dice, dice.below(6), dice.pick(PIECES)),
  (text, dice) => splice(text, dice, dice.below(40), ''),
  (text, dice) => text.slice(0, dice.below(text.length + 1)),
  // A piece of it again, somewhere else.
  (text, dice) => {
    const from = dice.below(text.length + 1);
    return splice(text, dice, 0, text.slice(from, from + dice.below(80)));
  },
  (text, dice) => {
    const lines = text.split('\n');
    const line = lines.splice(dice.below(lines.length), 1);
    lines.splice(dice.below(lines.length + 1), 0, ...line, ...(dice.chance(0.5) ? line : []));
    return lines.join('\n');
  },
  (text, dice) => swapped(text, dice, /-?\d[\d.]*/g, () => dice.pick(NUMBER_TEXTS)),
  (text, dice) => swapped(text, dice, /[A-Za-z_]\w+/g, words => dice.pick([...words, ...STRINGS])),
  (text, dice) => text.replace(/^ +/gm, blanks => (dice.chance(0.1) ? ' '.repeat(dice.below(9)) : blanks)),
  (text, dice) =>
    splice(text, dice, 0, dice.pick(['[', '{', '(', '- ', '! ', '&a [*a, ', '"']).repeat(1 + dice.below(3_000))),
];

function splice(text: string, dice: Dice, length: number, instead: string): string {
  const at = dice.below(text.length + 1);
  return text.slice(0, at) + instead + text.slice(at + length);
}

/** One of all that match, in another's place. */
function swapped(text: string, dice: Dice, pattern: RegExp, by: (all: readonly string[]) => string): string {
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) return text;
  const { 0: old, index } = dice.pick(found);
  return text.slice(0, index) + by(found.map(match => match[0])) + text.slice(index + old.length);
}

/** As a text, or as a tree that is written anew: what survives the reader goes deeper. */
export function mutateYaml(text: string, dice: Dice): string {
  if (dice.chance(0.4)) return mutateText(text, dice);
  const tree = mutateJson(parse(text) as Json, dice);
  try {
    // Long lines stay whole: folding them is recursive in the writer.
    const written = stringify(tree, { aliasDuplicateObjects: false, lineWidth: 0 });
    return dice.chance(0.2) ? mutateText(written, dice) : written;
  } catch (error) {
    // What is too deep for the writer is written by another: JSON is YAML.
    if (!(error instanceof RangeError)) throw error;
    return JSON.stringify(tree);
  }
}

export function mutateJson(json: Json, dice: Dice): Json {
  const tree = structuredClone(json);
  dice.times(3, () => damage(tree, dice));
  return tree;
}

function damage(tree: Json, dice: Dice): void {
  const holders = holdersIn(tree);
  if (holders.length === 0) return;
  const holder = dice.pick(holders) as Record<string, Json>;
  const names = Object.keys(holder);
  const name = dice.pick(names);
  const value = holder[name] as Json;
  switch (dice.below(7)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(name), 1);
      else delete holder[name];
      return;
    case 1:
      if (!Array.isArray(holder)) delete holder[name];
      add(holder, dice.pick([...STRINGS.slice(0, 30), ...names, `${name}s`]), value);
      return;
    case 2:
      add(holder, dice.pick(['extra', ...STRINGS.slice(0, 30)]), anything(dice, 2));
      return;
    case 3: {
      // A part of the tree where another was.
      const other = dice.pick(holders);
      holder[name] = structuredClone(dice.pick(Object.values(other)) as Json);
      return;
    }
    case 4:
      holder[name] = deep(value, 1 + dice.below(dice.chance(0.1) ? 1_000 : 20), dice);
      return;
    case 5:
      if (Array.isArray(value)) holder[name] = Array.from({ length: dice.below(300) }, () => value[0] ?? null);
      else holder[name] = [value];
      return;
    default:
      holder[name] = anything(dice, 3);
  }
}

/** Its own property, whatever it is called. */
const add = (holder: object, name: string, value: Json): void =>
  void Object.defineProperty(holder, Array.isArray(holder) ? String(holder.length) : name, {
    ...{ value, enumerable: true, configurable: true, writable: true },
  });

export function anything(dice: Dice, depth: number): Json {
  switch (dice.below(depth > 0 ? 7 : 5)) {
    case 0:
      return null;
    case 1:
      return dice.chance(0.5);
    case 2:
      return dice.pick(NUMBERS);
    case 3:
    case 4:
      return dice.pick(STRINGS);
    case 5:
      return Array.from({ length: dice.below(4) }, () => anything(dice, depth - 1));
    default:
      return Object.fromEntries(
        Array.from({ length: dice.below(4) }, () => [dice.pick(STRINGS.slice(0, 30)), anything(dice, depth - 1)]),
      );
  }
}

function deep(inner: Json, levels: number, dice: Dice): Json {
  const inList = dice.chance(0.5);
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
export function mutateBytes(bytes: Uint8Array, dice: Dice): Buffer {
  let mutated = Buffer.from(bytes);
  dice.times(3, () => {
    const at = dice.below(Math.max(1, mutated.length));
    const page = Math.floor(at / 4096) * 4096;
    switch (dice.below(8)) {
      case 0:
        dice.times(20, () => {
          const bit = dice.below(Math.max(1, mutated.length * 8));
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
        const from = Math.floor(dice.below(Math.max(1, mutated.length)) / 4096) * 4096;
        mutated.copy(mutated, page, from, from + 4096);
        return;
      }
      case 5:
        mutated = Buffer.concat([mutated.subarray(0, at), Buffer.from(dice.pick(STRINGS)), mutated.subarray(at)]);
        return;
      case 6: {
        const head = Buffer.from(Array.from({ length: 1 + dice.below(8) }, () => dice.below(256)));
        head.copy(mutated, dice.below(Math.max(1, Math.min(100, mutated.length))));
        return;
      }
      default:
        mutated = Buffer.concat([mutated, mutated.subarray(0, at)]);
    }
  });
  return mutated;
}
