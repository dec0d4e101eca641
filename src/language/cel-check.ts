/**
 * Operators and functions, checked by CEL's own checker. Each path is replaced by a variable of its type, padded to the
 * same length so that offsets stay true: one environment then serves every expression of every file, and expressions that
 * are equal but for their paths are checked once.
 */
import type { Environment } from '@marcbachmann/cel-js';
import { nearest } from '../domain/nearest.ts';
import { newEnvironment, type Selection } from './cel.ts';
import {
  ANY,
  BOOL,
  commandResult,
  DOUBLE,
  INT,
  list,
  mediaResult,
  type RecordType,
  TEXT,
  type Type,
  textResult,
} from './types.ts';

/** The code with a variable in the place of each path. */
export function replacePathsByVariables(code: string, types: ReadonlyMap<Selection, Type>): string {
  let replaced = '';
  let from = 0;
  for (const [selection, type] of [...types].sort(([a], [b]) => a.segments[0].start - b.segments[0].start)) {
    const start = selection.probed ? code.lastIndexOf('has', selection.segments[0].start) : selection.segments[0].start;
    const variable = variableOf(selection.probed ? 'bool' : toCel(type));
    replaced += code.slice(from, start) + variable.padEnd(selection.end - start);
    from = selection.end;
  }
  return replaced + code.slice(from);
}

type Checked =
  | { readonly valid: true; readonly type: string }
  | {
      readonly valid: false;
      readonly code: string;
      readonly summary: string;
      readonly start: number;
      readonly end: number;
    };

let checker: Environment | undefined;
const variables = new Map<string, string>();
const checkedBefore = new Map<string, Checked>();

export function checkWithCel(code: string): Checked {
  let checked = checkedBefore.get(code);
  if (!checked) {
    const { valid, type, error } = checkerEnvironment().check(code);
    checked =
      valid || !error
        ? { valid: true, type: type ?? 'dyn' }
        : {
            valid: false,
            code: error.code,
            summary: error.summary,
            start: error.range?.start ?? 0,
            end: error.range?.end ?? code.length,
          };
    if (checkedBefore.size >= 20_000) checkedBefore.clear();
    checkedBefore.set(code, checked);
  }
  return checked;
}

function checkerEnvironment(): Environment {
  if (checker) return checker;
  checker = newEnvironment(false);
  for (const record of recordTypes())
    checker.registerType({
      name: record.cel,
      schema: Object.fromEntries([...record.fields].map(([name, type]) => [name, toCel(type)])),
    });
  return checker;
}

/** Innermost first: a record may only speak of those before it. */
function recordTypes(): RecordType[] {
  const result = mediaResult('media');
  const command = commandResult([
    ['one', { path: undefined, isList: false }],
    ['many', { path: undefined, isList: true }],
  ]);
  const files = field(command, 'files');
  const text = textResult(ANY);
  return [
    ...[field(result, 'media'), result, field(files, 'one'), field(files, 'many'), command],
    ...[field(text, 'usage'), text],
  ];
}
/** The record that a field holds, or that each entry of its list is. */
function field(of: RecordType, name: string): RecordType {
  const held = of.fields.get(name);
  const type = held?.is === 'list' ? held.of : held;
  if (type?.is !== 'record') throw new Error(`${of.called} has no record called ${name}`);
  return type;
}

/** The field of any record that was probably meant. */
export function nearestField(name: string): string | undefined {
  return nearest(name, new Set(recordTypes().flatMap(record => [...record.fields.keys()])));
}

function variableOf(type: string): string {
  let variable = variables.get(type);
  if (variable === undefined) {
    variable = `_${variables.size.toString(36)}`;
    variables.set(type, variable);
    checkerEnvironment().registerVariable(variable, type);
  }
  return variable;
}

function toCel(type: Type): string {
  switch (type.is) {
    case 'text':
      return 'string';
    case 'any':
    case 'wrong':
    case 'null':
      return 'dyn';
    case 'list':
      return `list<${toCel(type.of)}>`;
    case 'map':
      return `map<string, ${toCel(type.of)}>`;
    case 'record':
      // What an answer holds is followed by its own type (`infer.ts`): to CEL it is anything.
      if (type.cel === 'Json') return 'dyn';
      if (type.cel !== 'Files') return type.cel;
      return [...type.fields.values()].some(file => file.is === 'list')
        ? 'map<string, dyn>'
        : 'map<string, CommandFile>';
    default:
      return type.is;
  }
}

/** The type that CEL names. */
export function fromCel(type: string): Type {
  const item = /^list<(.*)>$/.exec(type)?.[1];
  if (item !== undefined) return list(fromCel(item));
  switch (type) {
    case 'string':
      return TEXT;
    case 'int':
      return INT;
    case 'double':
      return DOUBLE;
    case 'bool':
      return BOOL;
    case 'list':
      return list(ANY);
    case 'null':
      return { is: 'null' };
    default:
      return (
        recordTypes().find(record => record.cel === type) ?? (type.startsWith('map') ? { is: 'map', of: ANY } : ANY)
      );
  }
}
