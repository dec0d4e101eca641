/** A kind of step is one file and one row: the schema, the table and the rest of the language hold one another to it. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import pipelineSchema from '../../schema/pipeline.schema.json' with { type: 'json' };
import { allKinds, KINDS } from '../../src/language/kinds/index.ts';
import type { DerivedResult, StepResult } from '../../src/language/kinds/kind.ts';
import { messages } from '../../src/language/messages/index.ts';
import { COMMON_KEYS } from '../../src/language/steps/common-keys.ts';
import { resolveResults } from '../../src/language/steps/steps.ts';
import { list, TEXT, WRONG } from '../../src/language/types/types.ts';

interface Schema {
  readonly $ref?: string;
  readonly if?: { readonly required: readonly string[] };
  readonly then?: Schema;
  readonly else?: Schema;
  readonly required?: readonly string[];
  readonly properties?: { readonly [key: string]: unknown };
}

const definitions = pipelineSchema.$defs as { readonly [name: string]: Schema };
const resolve = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : resolve(definitions[schema.$ref.replace('#/$defs/', '')] ?? {});

/** The sub-schemas of a step in the order in which the schema asks for them: the key that is asked for, and what then holds. */
function branches(schema: Schema): readonly { readonly asks: string | undefined; readonly holds: Schema }[] {
  if (!schema.if) return [{ asks: undefined, holds: schema }];
  const holds = resolve(schema.then ?? {});
  return [{ asks: schema.if.required[0], holds }, ...branches(resolve(schema.else ?? {}))];
}

const kinds = branches(resolve({ $ref: '#/$defs/step' }));

test('the schema asks for the keys of the table, in its order; what is left is the last kind', () => {
  expect(kinds.map(({ holds }) => holds.required)).toEqual(allKinds().map(({ key }) => [key]));
  expect(kinds.map(({ asks }) => asks)).toEqual([
    ...allKinds()
      .map(({ key }) => key)
      .slice(0, -1),
    undefined,
  ]);
});

test('every key that the schema gives a step is claimed: by all kinds, or by its own', () => {
  for (const [index, { key, keys }] of allKinds().entries()) {
    const allowed = Object.keys(kinds[index]?.holds.properties ?? {});
    expect(allowed.filter(name => !(COMMON_KEYS as readonly string[]).includes(name))).toEqual([key, ...keys]);
  }
});

test('a common key means the same in every kind', () => {
  for (const key of COMMON_KEYS) {
    const meanings = kinds.flatMap(({ holds }) => (holds.properties?.[key] ? [holds.properties[key]] : []));
    expect([...new Set(meanings.map(meaning => JSON.stringify(meaning)))]).toHaveLength(1);
  }
});

test('nobody outside the table asks a step for its kind', () => {
  const folder = new URL('../../src/language/', import.meta.url);
  const names = Object.keys(KINDS).join('|');
  // `kind === 'run'`, `case 'run':`, and a look for the key that makes a step one of a kind.
  const keys = allKinds()
    .map(({ key }) => key)
    .join('|');
  const asks = new RegExp(
    `[!=]==? '(?:${names})'|'(?:${names})' [!=]==?|\\bcase '(?:${names})'|child\\((?:node|step), '(?:${keys})'\\)`,
  );
  const wrong = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => path.endsWith('.ts') && !path.startsWith('kinds/'))
    .flatMap(path => {
      const lines = readFileSync(new URL(path, folder), 'utf8').split('\n');
      return lines.filter(line => asks.test(line)).map(line => `${path}: ${line.trim()}`);
    });
  expect(wrong).toEqual([]);
});

const resultsOf = (results: { readonly [step: string]: StepResult | DerivedResult }) =>
  Object.fromEntries(resolveResults(new Map(Object.entries(results).map(([name, result]) => [name, { result }]))));
const same = ([result]: readonly StepResult[]): StepResult => result!;

test('a result may derive from that of another step, wherever that stands in the file', () => {
  const file: StepResult = { type: TEXT, creates: new Map([['film', { path: 'film.mp4', isList: false }]]) };
  const all = ([one]: readonly StepResult[]): StepResult => ({ type: list(one!.type) });
  expect(
    resultsOf({
      approved: { from: ['shots'], derive: same },
      listed: { from: ['approved'], derive: all },
      shots: file,
    }),
  ).toEqual({ approved: file, listed: { type: list(TEXT) }, shots: file });
});

test('a result that derives from itself, or from nothing sound, is wrong and derives nothing', () => {
  const derive = (): StepResult => {
    throw new Error('derived from what is wrong');
  };
  const wrong = { type: WRONG };
  expect(
    resultsOf({
      a: { from: ['b'], derive },
      b: { from: ['c'], derive },
      c: { from: ['b'], derive },
      d: { from: ['nobody'], derive },
      e: { from: ['e'], derive },
    }),
  ).toEqual({ a: wrong, b: wrong, c: wrong, d: wrong, e: wrong });
});

test('ten thousand results may derive from one another', () => {
  const chain = Array.from({ length: 10_000 }, (_, at) => [`s${at}`, { from: [`s${at + 1}`], derive: same }] as const);
  expect(resultsOf({ ...Object.fromEntries(chain), s10000: { type: TEXT } }).s0).toEqual({ type: TEXT });
});

test('what is there is not said to be still to come', () => {
  expect(allKinds().flatMap(({ key, keys }) => [key, ...keys].filter(messages.isToCome))).toEqual([]);
});
