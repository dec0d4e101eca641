/** A settings file's maps and texts; what is none becomes a sentence, and reads as not given. */
import { unknownName } from './settings-values.ts';

/** Unknown names that are reported one by one. */
const MAX_UNKNOWN = 10;

/** A Map has no `__proto__` to stumble over. */
export type Fields = ReadonlyMap<string, unknown>;

/** The entries of a map; none, and a problem, where it is something else. Empty counts as a map without entries. */
export function fields(value: unknown, where: string, problems: string[]): Fields {
  if (value === undefined || value === null) return new Map();
  if (value instanceof Map) {
    // YAML knows maps and lists as names; nobody here does.
    const named = [...value].filter(([name]) => typeof name !== 'object' || name === null);
    if (named.length < value.size) problems.push(`${where}: a name is a map or a list; write it as text, in quotes`);
    return new Map(named.map(([name, entry]) => [String(name), entry]));
  }
  problems.push(`${where} is no map; write \`name: value\` lines`);
  return new Map();
}

export function textOf(value: unknown, where: string, wanted: string, problems: string[]): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value !== '') return value;
  problems.push(`${where} is no text; write ${wanted}`);
  return undefined;
}

export function reportUnknown(
  what: string,
  declared: Fields,
  known: readonly string[],
  where: string,
  problems: string[],
): void {
  const unknown = [...declared.keys()].filter(name => !known.includes(name));
  for (const name of unknown.slice(0, MAX_UNKNOWN)) problems.push(unknownName(what, name, where, known));
  const more = unknown.length - MAX_UNKNOWN;
  if (more > 0) problems.push(`${where}: and ${more} more that are unknown`);
}
