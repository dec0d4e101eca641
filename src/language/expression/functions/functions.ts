/**
 * The functions and macros of expressions, all in one table: what a check accepts and types, what an evaluation computes, what an author
 * reads in messages and what the reference shows come from these rows. Names are CEL's own (its standard library and its extensions for texts,
 * lists and math) wherever it has one, and one spelling for each idea.
 */

import { derivedAddress, exact, isPastEnd, timeIn } from '../../../model/media/derived-media.ts';
import type { Json } from '../../../model/text/json.ts';
import { nearest } from '../../../model/text/nearest.ts';
import type { Message } from '../../checks/findings.ts';
import { withSuggestion } from '../../messages/foreign/wording.ts';
import { messages } from '../../messages/index.ts';
import { FRAME } from '../../types/types.ts';
import { type CelMap, type FromJson, isMap, valueAt } from '../cel-value.ts';
import { CONVERSIONS, NUMBER_FUNCTIONS } from './conversions.ts';
import { foreignFunction } from './foreign-functions.ts';
import { form, type LanguageFunction, type Macro, type PlainFunction, Refused, writtenForms } from './function.ts';
import { LIST_FUNCTIONS } from './list-functions.ts';
import { TEXT_FUNCTIONS } from './text-functions.ts';

/** What can be asked of the result that a video is. */
const VIDEO_FUNCTIONS: readonly PlainFunction[] = [
  {
    is: 'function',
    name: 'frame_at',
    style: 'method',
    description:
      "The frame that a video shows at a time, as the address of an image: `'2.5s'`, `'150ms'`, a number of seconds, or `'-1s'` for one second before its end. It is taken on this machine, and never paid for.",
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
const macro = (
  name: string,
  gives: string,
  written: readonly string[],
  description: string,
  [code, answer]: readonly [string, Json],
): Macro => ({ is: 'macro', name, gives, written, description, example: { code, answer } });

const MACROS: readonly Macro[] = [
  macro(
    'has',
    'true or false',
    ['has(value.field)'],
    'Whether a field is there; false as well where what it would stand in is not there.',
    ["has({'look': 'snow'}.title)", false],
  ),
  macro(
    'map',
    'a list',
    ['list.map(item, expression)', 'list.map(item, condition, expression)'],
    'A list of what the expression gives for each item, or for each that fits the condition. A mapping is run through by its keys.',
    ['[1, 2, 3].map(n, n * 10)', [10, 20, 30]],
  ),
  macro('filter', 'a list', ['list.filter(item, condition)'], 'The items for which the condition is true.', [
    '[1, 2, 3, 4].filter(n, n % 2 == 0)',
    [2, 4],
  ]),
  macro(
    'all',
    'true or false',
    ['list.all(item, condition)'],
    'Whether the condition is true for every item; it is for a list without any.',
    ['[2, 4].all(n, n > 1)', true],
  ),
  macro(
    'exists',
    'true or false',
    ['list.exists(item, condition)'],
    'Whether the condition is true for at least one item.',
    ["['fox', 'owl'].exists(who, who == 'owl')", true],
  ),
  macro(
    'exists_one',
    'true or false',
    ['list.exists_one(item, condition)'],
    'Whether the condition is true for exactly one item.',
    ["['fox', 'fox', 'owl'].exists_one(who, who == 'fox')", false],
  ),
  macro(
    'sortBy',
    'a list',
    ['list.sortBy(item, key)'],
    'The list in the order of what the key gives for each item; equal ones stay as they stood.',
    ["['hare', 'fox', 'owl'].sortBy(who, size(who))", ['fox', 'owl', 'hare']],
  ),
  macro(
    'cel.bind',
    'what the expression gives',
    ['cel.bind(name, value, expression)'],
    'The expression with a name for a value that it needs more than once.',
    ["cel.bind(who, 'a red fox', who + ' and ' + who)", 'a red fox and a red fox'],
  ),
];

export const FUNCTIONS: readonly LanguageFunction[] = [
  ...MACROS,
  ...TEXT_FUNCTIONS,
  ...LIST_FUNCTIONS,
  ...NUMBER_FUNCTIONS,
  ...CONVERSIONS,
  ...VIDEO_FUNCTIONS,
];

export const functionsByName: ReadonlyMap<string, LanguageFunction> = new Map(FUNCTIONS.map(row => [row.name, row]));

/** What is called by this name and is no macro: those are part of the grammar. */
export function functionNamed(name: string): PlainFunction | undefined {
  const found = functionsByName.get(name);
  return found?.is === 'function' ? found : undefined;
}

/** A function that is not there: the right spelling, the reason, or the nearest name. */
export function unknownFunction(name: string): Message {
  const foreign = foreignFunction(name);
  if (foreign) return messages.foreignFunction(name, foreign);
  // `strings.join`, `shot.ceil`: the last part may be right where the first is not.
  const meant = nearest(name, functionsByName.keys()) ?? nearest(name.split('.').at(-1)!, functionsByName.keys());
  const found = meant === undefined ? undefined : functionsByName.get(meant);
  return withSuggestion(messages.unknownFunction(name, found && writtenForms(found)), name, found && meant);
}
