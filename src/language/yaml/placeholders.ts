/**
 * Placeholders of other systems in a text: `{{ x }}`, `${x}`, `!{x}`, `{% if x %}`, `{# x #}`, `$x`, `$(x)`. A model would be sent them as they
 * stand, and paid for. A backslash before one keeps it: `\{{ x }}` is sent as `{{ x }}`, and `\${{ x }}` as `${{ x }}`.
 *
 * An argument or a variable of a command is for another program, which may well read such things itself: there only what names one of our
 * own roots is reported.
 */
import type { Message } from '../checks/findings.ts';
import { filterWritten, foreignPath } from '../messages/foreign/foreign-expressions.ts';
import { messages } from '../messages/index.ts';
import type { Type } from '../types/types.ts';

/** The names that an expression could read at the place of the text. */
export interface Names {
  readonly params: { has(name: string): boolean };
  readonly matrix?: { has(name: string): boolean } | undefined;
  readonly steps?: { get(name: string): { readonly result: Type } | undefined };
}

/** `default`: of a param, where an expression cannot stand. */
export type TextUse = 'sent' | 'argument' | 'default';

export interface Piece {
  /** Offsets into the text. */
  readonly start: number;
  readonly end: number;
  readonly is: 'expression' | 'escaped' | 'placeholder';
  readonly message?: Message;
}

const FORMS =
  /\\?(?:\$\{\{|\{\{[-~]?\s*([A-Za-z_#^/>][^{}]*?)\s*[-~]?\}\}|\{%.*?%\}|\$\{\s*([A-Za-z_][^{}]*?)\s*\}|!\{\s*([A-Za-z_][^{}]*?)\s*\}|(\{#[^{}]*#\}|\$\((?:[a-z][^()]*|\([^()]*\))\))|\$([A-Za-z_]\w*))/g;

/** Whether nothing in the text can be a placeholder. */
export const isPlain = (text: string): boolean =>
  !text.includes('$') && !text.includes('{{') && !text.includes('{%') && !text.includes('!{') && !text.includes('{#');

/** What in the text is no plain text, in order. An expression is found by its beginning; `from` is where its search goes on. */
export function* piecesOf(text: string, use: TextUse, names: Names | undefined): Iterable<Piece> {
  let blocks = 0;
  for (const match of text.matchAll(FORMS)) {
    const [written, braces, dollar, bang, foreign, variable] = match;
    const escaped = written.startsWith('\\');
    const start = match.index;
    const end = start + written.length;
    if (written.endsWith('${{')) {
      yield { start, end, is: escaped ? 'escaped' : 'expression' };
      continue;
    }
    if (bang !== undefined && !ROOTS.test(bang)) continue;
    if (foreign !== undefined) {
      // `$((params.idea))`
      const [, path] = /^\$\(\(? *([\w.]+) *\)?\)$/.exec(foreign) ?? [];
      const message = path && ROOTS.test(path) ? messages.placeholder(foreign, path) : messages.notSent(foreign);
      if (use === 'sent') yield { start, end, is: escaped ? 'escaped' : 'placeholder', message };
      continue;
    }
    // A block has an end, which needs no message of its own.
    if (written.startsWith('{%') && blocks++ > 0) continue;
    const message = placeholder(escaped ? written.slice(1) : written, braces ?? dollar ?? bang, variable, use, names);
    if (message) yield { start, end, is: escaped ? 'escaped' : 'placeholder', message };
  }
}

const ROOTS = /^(params|steps|matrix|each|env|run)\.[A-Za-z_]/;

function placeholder(
  written: string,
  inside: string | undefined,
  variable: string | undefined,
  use: TextUse,
  names: Names | undefined,
): Message | undefined {
  if (use === 'argument') {
    if (inside === undefined || !ROOTS.test(inside)) return undefined;
    return messages.placeholder(written, meant(inside, names));
  }
  if (use === 'default') return variable === undefined ? messages.placeholderInDefault(written) : undefined;
  if (variable !== undefined) {
    // `$5` is a price, and `$scene` in a film without such a name may be another program's.
    const path = names && (pathOfName(variable, names) ?? pathOfName(variable.toLowerCase(), names));
    return path === undefined ? undefined : messages.variable(written, path);
  }
  return inside === undefined ? messages.block(written) : messages.placeholder(written, meant(inside, names));
}

/** The expression that was probably meant; undefined where that is not clear. */
function meant(inside: string, names: Names | undefined): string | undefined {
  const path = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*|\[\d+\])*$/.test(inside) ? inside : undefined;
  // `{{ idea | upper }}`, `${IDEA:-a fox}`
  const [, value, filter, given] = /^([\w.]+)\s*(?:\|\s*(\w+)(\([^()]*\))?|:?-.*)$/.exec(inside) ?? [];
  if (value !== undefined) {
    const of = meant(value, names);
    return of && filter ? filterWritten(of, filter, given) : of;
  }
  if (path === undefined) return ROOTS.test(inside) && !/[|#]/.test(inside) ? inside : undefined;
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0)
    return (
      names &&
      (pathOfName(name, names) ??
        pathOfName(name.toLowerCase(), names) ??
        (name === 'item' ? 'matrix.item' : undefined))
    );
  const here = ROOTS.test(path) ? path : foreignPath(name, rest);
  const [root, step = '', field] = here?.split('.') ?? [];
  const type = root === 'steps' ? names?.steps?.get(step)?.result : undefined;
  // `steps.still.outputs.url`: the field of a step that has no such field is the one that it is read by.
  return type?.is === 'record' && field !== undefined && !type.fields.has(field.replace(/\[.*/, ''))
    ? pathOfStep(step, type)
    : here;
}

/** `idea` → `params.idea` */
export function pathOfName(name: string, { params, matrix, steps }: Names): string | undefined {
  if (matrix?.has(name)) return `matrix.${name}`;
  if (params.has(name)) return `params.${name}`;
  const step = steps?.get(name);
  return step && pathOfStep(name, step.result);
}

/** The field of a step's result that one means by its name: what a text or a media field takes. */
function pathOfStep(name: string, type: Type): string {
  const field =
    type.is === 'record' ? ['result_url', 'text', 'stdout'].find(known => type.fields.has(known)) : undefined;
  return `steps.${name}${field === undefined ? '' : `.${field}`}`;
}

/** `steps.shot.result_url` as a whole text, without its braces, where there is such a name. */
export function bareExpression(text: string, names: Names | undefined): string | undefined {
  const [, root, name = ''] = /^(params|steps|matrix|each)\.([A-Za-z_]\w*)(?:\.[A-Za-z_]\w*)*$/.exec(text) ?? [];
  if (!names || root === undefined) return undefined;
  const step = text === `steps.${name}` ? names.steps?.get(name) : undefined;
  if (step) return pathOfStep(name, step.result);
  const isThere =
    root === 'params'
      ? names.params.has(name)
      : root === 'matrix'
        ? names.matrix?.has(name) === true
        : root === 'each' || names.steps?.get(name) !== undefined;
  return isThere ? text : undefined;
}

/** The place in a script where one of our roots is read as a shell never can: `${params.idea}`. */
export function rootInScript(script: string): { readonly start: number; readonly end: number } | undefined {
  const found =
    /\$\{(?:params|steps|matrix|each|env|run)\.[\w.[\]]+\}|(?<!\$)\{\{\s*(?:params|steps|matrix|each|env|run)\.[\w.[\]]+\s*\}\}/.exec(
      script,
    );
  return found ? { start: found.index, end: found.index + found[0].length } : undefined;
}
