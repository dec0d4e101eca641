/**
 * The functions and macros of expressions, all in one table: what a check accepts and types, what an evaluation computes, what an author
 * reads in messages and what the reference shows come from these rows. Names are CEL's own (its standard library and its extensions for texts,
 * lists and math) wherever it has one, and one spelling for each idea.
 */

import { derivedAddress, exact, isPastEnd, timeIn } from '../../../model/media/derived-media.ts';
import { messages } from '../../messages/index.ts';
import { FRAME } from '../../types/types.ts';
import { type CelMap, type FromJson, isMap, valueAt } from '../cel-value.ts';
import { CONVERSIONS, NUMBER_FUNCTIONS } from './conversions.ts';
import { form, type LanguageFunction, type Macro, type PlainFunction, Refused } from './function.ts';
import { LIST_FUNCTIONS } from './list-functions.ts';
import { TEXT_FUNCTIONS } from './text-functions.ts';

/** What can be asked of the result that a video is. */
const VIDEO_FUNCTIONS: readonly PlainFunction[] = [
  {
    is: 'function',
    name: 'frame_at',
    style: 'method',
    says: "The frame that a video shows at a time, as the address of an image: `'2.5s'`, `'150ms'`, a number of seconds, or `'-1s'` for one second before its end. It is taken on this machine, and never paid for.",
    example: { code: "steps.shot.frame_at('2.5s')", answer: 'derived:frame_at/2.5/ab' },
    forms: [
      form(['video', 'text'], ['video', 'time'], FRAME, (_, video, time) => {
        const seconds = timeIn(time);
        return seconds === undefined ? new Refused(messages.badFrameTime(time)) : frameOf(video, seconds);
      }),
      form(['video', 'number'], ['video', 'seconds'], FRAME, (_, video, seconds) => frameOf(video, Number(seconds))),
    ],
    refuses: ([, time]) =>
      typeof time === 'string' && timeIn(time) === undefined ? messages.badFrameTime(time) : undefined,
  },
];

function frameOf(video: CelMap | FromJson, seconds: number): string | Refused {
  const media = valueAt(video, 'media');
  const of = valueAt(video, 'sha256');
  const fact = (name: string) => (media !== undefined && isMap(media) ? valueAt(media, name) : undefined);
  const kind = fact('kind');
  if (typeof of !== 'string' || kind !== 'video')
    return new Refused(messages.noFrames(typeof kind === 'string' ? kind : undefined));
  if (!Number.isFinite(seconds)) return new Refused(messages.badFrameTime(String(seconds)));
  const duration = Number(fact('duration') ?? Number.NaN);
  const at = exact(seconds);
  if (isPastEnd(at, { duration })) return new Refused(messages.frameBeyondEnd(at, duration));
  return derivedAddress({ of, what: { is: 'frame_at', at } });
}

/** Loops and the other parts of the grammar that look like functions (langdef.md, "Macros"). */
const MACROS: readonly Macro[] = [
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

export const FUNCTIONS: readonly LanguageFunction[] = [
  ...MACROS,
  ...TEXT_FUNCTIONS,
  ...LIST_FUNCTIONS,
  ...NUMBER_FUNCTIONS,
  ...CONVERSIONS,
  ...VIDEO_FUNCTIONS,
];

const byName: ReadonlyMap<string, LanguageFunction> = new Map(FUNCTIONS.map(row => [row.name, row]));

/** What is called by this name and is no macro: those are part of the grammar. */
export function functionNamed(name: string): PlainFunction | undefined {
  const found = byName.get(name);
  return found?.is === 'function' ? found : undefined;
}

export const functionNames = (): Iterable<string> => byName.keys();

export const rowNamed = (name: string): LanguageFunction | undefined => byName.get(name);
