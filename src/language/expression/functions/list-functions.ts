/** What can be done with a list, and what makes one. */
import { messages } from '../../messages/index.ts';
import { ANY, INT, list, type Type } from '../../types/types.ts';
import { type Cel, isList, itemAt, itemsOf, lengthOf, sizeOfMap, typeNameOf } from '../cel-value.ts';
import type { Budget } from '../evaluation-limit.ts';
import { add, equal, order } from '../operators.ts';
import { call, either, form, method, type PlainFunction, Refused, typeOfItems } from './function.ts';
import { sizeOfText } from './text-functions.ts';

const same = ([type]: readonly Type[]): Type => type ?? ANY;

export const LIST_FUNCTIONS: readonly PlainFunction[] = [
  either(
    'size',
    'How many items a list has, keys a mapping, or characters a text.',
    ["size(['fox', 'owl'])", 2],
    form(['list'], ['list'], INT, (_, items) => BigInt(lengthOf(items))),
    form(['map'], ['map'], INT, (budget, map) => {
      const size = sizeOfMap(map);
      budget.items(size);
      return BigInt(size);
    }),
    form(['text'], ['text'], INT, (budget, text) => {
      budget.scanned(text.length);
      return BigInt(sizeOfText(text));
    }),
  ),
  call(
    'range',
    'The whole numbers from 0, or from a first one, up to a last one that is left out.',
    ['range(1, 4)', [1, 2, 3]],
    form(['int'], ['count'], list(INT), (budget, count) => numbers(budget, 0n, count)),
    form(['int', 'int'], ['from', 'to'], list(INT), numbers),
  ),
  method(
    'sort',
    'The list in order: numbers by size, texts by their characters.',
    ['[3, 1, 2].sort()', [1, 2, 3]],
    form(['sortable'], ['list'], same, (budget, items) => {
      const values = itemsOf(items, budget);
      return sorted(budget, values, values);
    }),
  ),
  method(
    'reverse',
    'The list from its end to its beginning.',
    ['[1, 2, 3].reverse()', [3, 2, 1]],
    form(['list'], ['list'], same, (budget, items) => {
      budget.items(lengthOf(items));
      return itemsOf(items, budget).toReversed();
    }),
  ),
  method(
    'distinct',
    'The list without what was in it before.',
    ["['fox', 'owl', 'fox'].distinct()", ['fox', 'owl']],
    form(['list'], ['list'], same, (budget, items) => distinct(budget, itemsOf(items, budget))),
  ),
  method(
    'flatten',
    'The items of the lists in a list, as one list.',
    ['[[1, 2], [3]].flatten()', [1, 2, 3]],
    form(
      ['lists'],
      ['list'],
      given => {
        const of = typeOfItems(given);
        // What bounds each of them bounds none of the whole.
        return list(of.is === 'list' ? of.of : of);
      },
      (budget, items) => {
        const flat: Cel[] = [];
        for (const item of itemsOf(items, budget)) {
          budget.step();
          budget.items(isList(item) ? lengthOf(item) : 1);
          if (!isList(item)) flat.push(item);
          else for (const inner of itemsOf(item, budget)) flat.push(inner);
        }
        return flat;
      },
    ),
  ),
  method(
    'slice',
    'The items from a position, up to another one that is left out; what is beyond the end of the list is not there.',
    ["['fox', 'owl', 'hare'].slice(1, 3)", ['owl', 'hare']],
    form(['list', 'int', 'int'], ['list', 'from', 'to'], same, (budget, items, from, to) => {
      if (from < 0n || to < 0n) return new Refused(messages.negativePosition(from < 0n ? from : to));
      return itemsOf(items, budget).slice(Number(from), Number(to));
    }),
  ),
  method(
    'last',
    'The last item of a list.',
    ["['fox', 'owl', 'hare'].last()", 'hare'],
    form(['list'], ['list'], typeOfItems, (_, items) => {
      const length = lengthOf(items);
      return length === 0 ? new Refused(messages.lastOfNothing()) : itemAt(items, length - 1);
    }),
  ),
  method(
    'sum',
    'All numbers of a list together.',
    ['[2.5, 4, 1.5].sum()', 8],
    form(['numbers'], ['list'], typeOfItems, (budget, items) => {
      let total: Cel = 0n;
      for (const item of itemsOf(items, budget)) {
        budget.step();
        if (typeof item !== 'bigint' && typeof item !== 'number') return new Refused(messages.sumsNumbers());
        const next = add(total, item);
        if (next instanceof Refused) return next;
        total = next;
      }
      return total;
    }),
  ),
];

function numbers(budget: Budget, from: bigint, to: bigint): readonly bigint[] {
  if (to <= from) return [];
  budget.items(Number(to - from));
  return Array.from({ length: Number(to - from) }, (_, index) => from + BigInt(index));
}

/** The values in the order of their keys; equal ones stay as they stood. */
export function sorted(budget: Budget, values: readonly Cel[], keys: readonly Cel[]): readonly Cel[] | Refused {
  budget.steps(Math.ceil(keys.length * Math.log2(keys.length + 1)));
  budget.items(keys.length);
  const [first] = keys;
  for (const key of keys) {
    const comparable = first !== undefined && order(first, key, budget);
    if (comparable === undefined || (typeof key === 'object' && key !== null) || key === null)
      return new Refused(messages.notSortable(typeNameOf(key), first === undefined ? undefined : typeNameOf(first)));
    if (typeof key === 'number' && Number.isNaN(key)) return new Refused(messages.notSortable('nan', undefined));
  }
  return keys
    .map((_, index) => index)
    .sort((a, b) => order(keys[a]!, keys[b]!, budget)!)
    .map(index => values[index]!);
}

/** Plain values are looked up, and only lists and mappings compared with each other. */
function distinct(budget: Budget, items: readonly Cel[]): readonly Cel[] {
  const plain = new Set<Cel>();
  const kept: Cel[] = [];
  const compound: Cel[] = [];
  for (const item of items) {
    budget.step();
    if (typeof item !== 'object' || item === null) {
      // 2 and 2.0 are equal.
      const key = typeof item === 'number' && Number.isInteger(item) ? BigInt(item) : item;
      if (plain.has(key) && !Number.isNaN(key)) continue;
      plain.add(key);
    } else {
      if (compound.some(other => equal(other, item, budget))) continue;
      compound.push(item);
    }
    kept.push(item);
  }
  budget.items(kept.length);
  return kept;
}
