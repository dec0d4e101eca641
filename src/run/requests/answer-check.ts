/** Whether what a chat model wrote is the JSON that its step's `schema` asks for, and what is wrong where it is not. */

import type { ChatAnswer } from '../../api/service.ts';
import type { LeftOut } from '../../model/run/event.ts';
import { isCutOff } from '../../model/run/result.ts';
import { type Json, type JsonObject, jsonIn, parseJson } from '../../model/text/json.ts';

export type Answered = Extract<ChatAnswer, { readonly is: 'answered' }>;

export type CheckedAnswer = ({ readonly is: 'fit' } & JsonAnswer) | Misfit;

interface Misfit {
  readonly is: 'misfit';
  readonly reason: string;
  /** The model can correct it when it is asked to. */
  readonly mendable: boolean;
  readonly refused?: true;
}

/** @param request as it was asked: it bounds how long the answer may be. */
export async function checkAnswer(schema: JsonObject, answer: Answered, request: JsonObject): Promise<CheckedAnswer> {
  const { violations } = await import('../../api/answer-schema.ts');
  const found = jsonAnswersIn(answer.text).map(one => ({ one, wrong: violations(schema, one.json) }));
  const fit = found.filter(({ wrong }) => wrong.length === 0);
  if (fit.length === 1) return { is: 'fit', ...fit[0]!.one };
  const isWhole = found[0]?.one.text === answer.text;
  // Asking again in the same words would end at the same limit.
  if (isCutOff(answer.finish_reason) && !isWhole) return { is: 'misfit', reason: cutOff(request), mendable: false };
  const mendable = (reason: string): Misfit => ({ is: 'misfit', reason, mendable: true });
  if (fit.length > 1) return mendable(`it holds ${fit.length} answers; one is wanted`);
  const [nearest] = found.sort((a, b) => a.wrong.length - b.wrong.length);
  if (nearest) return mendable(some(nearest.wrong));
  return mendable(answer.text.trim() === '' ? 'it is empty' : `it is no JSON${whereItBreaks(answer.text)}`);
}

/** The JSON reader's error on an answer that begins like JSON: a model corrects a slip better when the error names it. */
function whereItBreaks(text: string): string {
  const start = text.search(/[[{]/);
  if (start < 0) return '';
  try {
    parseJson(text.slice(start));
    return '';
  } catch (error) {
    return ` (${(error as Error).message.slice(0, SAID)})`;
  }
}

/** A refusal was paid for, and asking again in the same words would be paid for again. */
export function refusalIn({ finish_reason, text }: Answered): Misfit | undefined {
  if (finish_reason !== 'refusal' && finish_reason !== 'content_filter') return undefined;
  const shown = text.trim() === '' ? '' : `: ${text.trim().slice(0, SAID)}`;
  const reason = `the model would not answer (${finish_reason})${shown}`;
  return { is: 'misfit', reason, mendable: false, refused: true };
}

/** Characters of a refusal that are passed on. */
const SAID = 300;

function cutOff({ max_tokens, max_completion_tokens }: JsonObject): string {
  const [name, most] =
    max_tokens === undefined ? ['max_completion_tokens', max_completion_tokens] : ['max_tokens', max_tokens];
  return typeof most === 'number'
    ? `it was cut off at ${most} tokens, its \`${name}\`; raise that under \`with\`, or ask for less at once`
    : 'it was cut off at a limit of tokens that the service sets; give a higher `max_tokens` under `with`, or ask for less at once';
}

const some = (reasons: readonly string[]): string =>
  reasons.length <= 5 ? reasons.join('; ') : `${reasons.slice(0, 5).join('; ')}; and ${reasons.length - 5} more`;

/**
 * The JSON in a model's answer. Models put fences and words around it, and leave a comma before the last bracket: the reader skips that and reports
 * it, because
 *  nothing has to be guessed. What is cut off, or written in another way than JSON, is not: the model is asked to mend it.
 */
interface JsonAnswer {
  readonly json: Json;
  /** The JSON alone: kept as the answer's text, so that every reader reads the same. */
  readonly text: string;
  readonly leftOut: readonly LeftOut[];
}

/** Every mapping or list at the top of the answer: one, as a rule. */
export function jsonAnswersIn(answer: string): readonly JsonAnswer[] {
  const whole = jsonIn(answer);
  if (whole !== null) return [{ json: whole, text: answer, leftOut: [] }];
  const found: (JsonAnswer & { readonly start: number; readonly end: number })[] = [];
  for (let start = nextBracket(answer, 0); start >= 0; ) {
    const end = endOfValue(answer, start);
    // It is never closed: the answer was cut off, and nothing inside it is the answer.
    if (end < 0) break;
    const read = readStrictly(answer.slice(start, end));
    if (read) found.push({ ...read, start, end });
    if (found.length > MOST) return [];
    start = nextBracket(answer, end);
  }
  return found.map(({ json, text, leftOut, start, end }) => ({
    json,
    text,
    leftOut: [...around(answer.slice(0, start), answer.slice(end)), ...leftOut],
  }));
}

/** Where more stand than anybody is asked for, none is the answer. */
const MOST = 20;

function nextBracket(text: string, from: number): number {
  const found = text.slice(from).search(/[[{]/);
  return found < 0 ? -1 : from + found;
}

/** A text of JSON, with an empty end where it is never closed, or a bracket. */
const TOKEN = /"[^"\\]*(?:\\[\s\S][^"\\]*)*("|$)|[[\]{}]/g;

/** Behind the bracket that closes the one at `start`; -1 where none does. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  TOKEN.lastIndex = start;
  for (let token = TOKEN.exec(text); token; token = TOKEN.exec(text)) {
    const [is, end] = token;
    if (end === '') return -1;
    if (is === '{' || is === '[') depth++;
    else if (end === undefined && --depth === 0) return TOKEN.lastIndex;
  }
  return -1;
}

function readStrictly(text: string): JsonAnswer | undefined {
  const json = jsonIn(text);
  if (json !== null) return { json, text, leftOut: [] };
  const tidy = withoutTrailingCommas(text);
  const mended = jsonIn(tidy);
  return mended === null ? undefined : { json: mended, text: tidy, leftOut: ['trailing_commas'] };
}

/** A comma with at most 1,000 characters of white space between it and a closing bracket; texts stay as they are. */
const withoutTrailingCommas = (text: string): string =>
  text.replaceAll(/("[^"\\]*(?:\\[\s\S][^"\\]*)*")|,(?=\s{0,1000}[\]}])/g, (_, inText?: string) => inText ?? '');

const FENCE = /```[\w-]*/g;

function around(before: string, after: string): readonly LeftOut[] {
  const outside = `${before}\n${after}`;
  const isFenced = /```/.test(outside);
  const hasWords = outside.replaceAll(FENCE, '').trim() !== '';
  return [...(isFenced ? (['fence'] as const) : []), ...(hasWords ? (['words'] as const) : [])];
}
