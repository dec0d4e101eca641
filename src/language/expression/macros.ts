/** Loops and the other parts of the grammar that look like functions (langdef.md, "Macros"). */
import type { Macro } from './function.ts';

export const MACROS: readonly Macro[] = [
  {
    is: 'macro',
    name: 'has',
    gives: 'true or false',
    written: ['has(value.field)'],
    says: 'Whether a field is there; false as well where what it would stand in is not there.',
    example: { code: "has({'look': 'snow'}.title)", answer: false },
  },
  {
    is: 'macro',
    name: 'map',
    gives: 'a list',
    written: ['list.map(item, expression)', 'list.map(item, condition, expression)'],
    says: 'A list of what the expression gives for each item, or for each that fits the condition. A mapping is run through by its keys.',
    example: { code: '[1, 2, 3].map(n, n * 10)', answer: [10, 20, 30] },
  },
  {
    is: 'macro',
    name: 'filter',
    gives: 'a list',
    written: ['list.filter(item, condition)'],
    says: 'The items for which the condition is true.',
    example: { code: '[1, 2, 3, 4].filter(n, n % 2 == 0)', answer: [2, 4] },
  },
  {
    is: 'macro',
    name: 'all',
    gives: 'true or false',
    written: ['list.all(item, condition)'],
    says: 'Whether the condition is true for every item; it is for a list without any.',
    example: { code: '[2, 4].all(n, n > 1)', answer: true },
  },
  {
    is: 'macro',
    name: 'exists',
    gives: 'true or false',
    written: ['list.exists(item, condition)'],
    says: 'Whether the condition is true for at least one item.',
    example: { code: "['fox', 'owl'].exists(who, who == 'owl')", answer: true },
  },
  {
    is: 'macro',
    name: 'exists_one',
    gives: 'true or false',
    written: ['list.exists_one(item, condition)'],
    says: 'Whether the condition is true for exactly one item.',
    example: { code: "['fox', 'fox', 'owl'].exists_one(who, who == 'fox')", answer: false },
  },
  {
    is: 'macro',
    name: 'sortBy',
    gives: 'a list',
    written: ['list.sortBy(item, key)'],
    says: 'The list in the order of what the key gives for each item; equal ones stay as they stood.',
    example: { code: "['hare', 'fox', 'owl'].sortBy(who, size(who))", answer: ['fox', 'owl', 'hare'] },
  },
  {
    is: 'macro',
    name: 'cel.bind',
    gives: 'what the expression gives',
    written: ['cel.bind(name, value, expression)'],
    says: 'The expression with a name for a value that it needs more than once.',
    example: { code: "cel.bind(who, 'a red fox', who + ' and ' + who)", answer: 'a red fox and a red fox' },
  },
];
