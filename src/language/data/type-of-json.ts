/** The type of a value that is known before the run: a misspelt column is found like a misspelt field. */
import { isObject, type Json } from '../../domain/json.ts';
import { joinRows, row } from '../matrix.ts';
import { ANY, BOOL, list, TEXT, type Type } from '../types.ts';

/** Rows are looked at one by one up to this many; a longer table is taken to go on like that. */
const ROWS = 1_000;

export function typeOfJson(value: Json): Type {
  if (value === null) return ANY;
  if (typeof value === 'string') return TEXT;
  if (typeof value === 'boolean') return BOOL;
  if (typeof value === 'number') return { is: Number.isInteger(value) ? 'int' : 'double' };
  if (isObject(value))
    return row(new Map(Object.entries(value).map(([name, field]) => [name, typeOfJson(field)] as const)));
  const types = (value as readonly Json[]).slice(0, ROWS).map(typeOfJson);
  return list(types.length === 0 ? ANY : types.reduce(joinRows));
}
