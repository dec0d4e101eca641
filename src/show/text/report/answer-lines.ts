/** The lines of an answer in JSON, as people read it: fields and items, without braces and quotes. */
import { isObject, type Json, recordIn } from '../../../model/text/json.ts';

/** A field, an item of a list, or words alone. */
export interface AnswerLine {
  /** Levels below the whole. */
  readonly depth: number;
  /** Of a field its name, `beats`; the first field of an item has the item's number before it, `2 words`. Null: words alone. */
  readonly name: string | null;
  /** Empty where lines below it are its value. */
  readonly text: string;
}

/** Null: the text is no object and no list in JSON. */
export function answerLines(text: string): readonly AnswerLine[] | null {
  const json = /^\s*[[{]/.test(text) ? recordIn(text) : undefined;
  return json === undefined ? null : linesOf(json, 0);
}

function linesOf(value: Json, depth: number): readonly AnswerLine[] {
  const entry = (name: string | null, one: Json): readonly AnswerLine[] =>
    isTree(one)
      ? [{ depth, name, text: '' }, ...linesOf(one, depth + 1)]
      : [{ depth, name, text: typeof one === 'string' ? one : JSON.stringify(one) }];
  if (Array.isArray(value))
    return (value as readonly Json[]).flatMap((one, at) =>
      isTree(one) ? numbered(at + 1, linesOf(one, depth + 1)) : entry(null, one),
    );
  return isObject(value) ? Object.entries(value).flatMap(([name, one]) => entry(name, one)) : [];
}

/** Its first line has the number before it. */
const numbered = (at: number, [first, ...rest]: readonly AnswerLine[]): readonly AnswerLine[] =>
  first
    ? [{ ...first, depth: first.depth - 1, name: [at, first.name].filter(one => one !== null).join(' ') }, ...rest]
    : [];

const isTree = (value: Json): boolean => typeof value === 'object' && value !== null && Object.keys(value).length > 0;
