/** A request as YAML for a reader: plain where that is safe, a text of several lines as a block. It is shown, and never read again. */
import { safeLines } from '../../domain/clean.ts';
import { isObject, type Json, type JsonObject } from '../../domain/json.ts';
import { isPending } from '../../domain/plan.ts';

/** Characters of it that are shown. */
const LONGEST = 20_000;

export function yamlText(value: JsonObject): string {
  const text = lines(value, '').join('\n');
  return text.length <= LONGEST
    ? text
    : `${text.slice(0, LONGEST).toWellFormed()}\n… (${text.length.toLocaleString('en-US')} characters)`;
}

function lines(value: Json, indent: string): readonly string[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(item => itemLines(item, indent));
  if (!isObject(value)) return [`${indent}${scalar(value)}`];
  return Object.entries(value).flatMap(([name, item]) => entryLines(name, item, indent));
}

function entryLines(name: string, item: Json, indent: string): readonly string[] {
  const key = `${indent}${plain(name)}:`;
  if (isTree(item)) return [key, ...lines(item, `${indent}  `)];
  if (typeof item === 'string' && item.includes('\n')) return [`${key} |`, ...block(item, `${indent}  `)];
  return [`${key} ${scalar(item)}`];
}

function itemLines(item: Json, indent: string): readonly string[] {
  if (!isTree(item)) return [`${indent}- ${scalar(item)}`];
  const [first = '', ...rest] = lines(item, `${indent}  `);
  return [`${indent}- ${first.trimStart()}`, ...rest];
}

const isTree = (item: Json): boolean =>
  typeof item === 'object' && item !== null && !isPending(item) && Object.keys(item).length > 0;

const block = (text: string, indent: string): readonly string[] =>
  safeLines(text)
    .split('\n')
    .map(line => (line === '' ? '' : `${indent}${line}`));

function scalar(value: Json): string {
  if (isPending(value)) return plain(`\${{ ${value.$pending} }}`);
  return typeof value === 'string' ? plain(value) : JSON.stringify(value);
}

/** Words and blanks need no quotes; what a parser could take for anything else has them. */
function plain(text: string): string {
  const clean = safeLines(text);
  const isPlain =
    /^[\p{L}_./][^\n:#"'{}[\]&*!|>%@`]*$/u.test(clean) && !/^(true|false|null|yes|no|on|off|~)$/i.test(clean);
  return isPlain && clean.trim() === clean ? clean : JSON.stringify(clean);
}
