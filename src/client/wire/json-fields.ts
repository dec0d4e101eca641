/** Fields of JSON from outside, each as the type it should have; undefined where it has another. */

import { isUsd } from '../../model/money.ts';
import { cleanText } from '../../model/text/clean.ts';
import type { JsonObject } from '../../model/text/json.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Names and other short words: they go into messages and tables, and are never data. */
export const word = (value: unknown): string | undefined =>
  typeof value === 'string' ? shortened(oneLine(value)) : undefined;

export const line = (value: unknown): string | undefined => (typeof value === 'string' ? cleanText(value) : undefined);

/** Text of several lines for people to read. */
export const prose = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.split(/\r?\n/).map(cleanText).join('\n') : undefined;

export const fields = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
export const object = (value: unknown): JsonObject | undefined => fields(value) as JsonObject | undefined;
export const list = (value: unknown): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined);
export const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
export const words = (value: unknown): readonly string[] =>
  (list(value) ?? []).map(word).filter(item => item !== undefined);
export const number = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;
/** US dollars as a service prices something. */
export const price = (value: unknown): number | undefined => (isUsd(value) ? value : undefined);
/** A number of seconds, a place in a queue: nothing that is below zero. */
export const atLeastZero = (value: unknown): number | undefined => {
  const found = number(value);
  return found !== undefined && found >= 0 ? found : undefined;
};
/** A part of one. */
export const share = (value: unknown): number | undefined => {
  const found = atLeastZero(value);
  return found !== undefined && found <= 1 ? found : undefined;
};
export const orNull = <T>(read: (value: unknown) => T | undefined, value: unknown): T | null | undefined =>
  value === null ? null : read(value);
export const optional = <Name extends string, T>(name: Name, value: T | undefined): { readonly [N in Name]?: T } =>
  (value === undefined ? {} : { [name]: value }) as { readonly [N in Name]?: T };

/** The text without escape sequences, control and format characters, its white space as single blanks. */
export const oneLine = (text: string): string =>
  cleanText(text)
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim();

export const shortened = (line: string): string =>
  line.length <= MAX_CHARACTERS ? line : `${line.slice(0, MAX_CHARACTERS - 1).trimEnd()}…`;

/** Characters of a message or a name. */
const MAX_CHARACTERS = 300;
