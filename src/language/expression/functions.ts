/**
 * The functions and macros of expressions, all in one table: what a check accepts and types, what an evaluation computes, what an author
 * is told and what the reference shows come from these rows. Names are CEL's own (its standard library and its extensions for texts,
 * lists and math) wherever it has one, and one spelling for each idea.
 */
import { CONVERSIONS } from './conversions.ts';
import type { LanguageFunction, PlainFunction } from './function.ts';
import { LIST_FUNCTIONS } from './list-functions.ts';
import { MACROS } from './macros.ts';
import { NUMBER_FUNCTIONS } from './number-functions.ts';
import { TEXT_FUNCTIONS } from './text-functions.ts';
import { VIDEO_FUNCTIONS } from './video-functions.ts';

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
