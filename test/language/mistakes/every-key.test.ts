/** Every key of the schema is given what it cannot hold, every field of every model is misspelt, and every function too: each is told once. */
import { expect, test } from 'vitest';
import pipelineSchema from '../../../schema/pipeline.schema.json' with { type: 'json' };
import { modelLibrary } from '../../../src/api/model-library.ts';
import { compile } from '../../../src/language/compile.ts';
import { functionsByName } from '../../../src/language/expression/functions/functions.ts';
import { formatDiagnostics } from '../../../src/language/yaml/excerpt.ts';
import type { Diagnostic } from '../../../src/model/diagnostic.ts';

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
  readonly properties?: { readonly [name: string]: Schema };
}
const defs = pipelineSchema.$defs as unknown as { readonly [name: string]: Schema };
const resolved = (schema: Schema): Schema =>
  schema.$ref ? resolved(defs[schema.$ref.replace('#/$defs/', '')] ?? {}) : schema;

function typesOf(given: Schema): readonly string[] {
  const schema = resolved(given);
  if (schema.anyOf) return schema.anyOf.flatMap(typesOf);
  if (schema.enum || schema.const !== undefined) return ['choice'];
  return schema.type === undefined ? [] : [schema.type].flat();
}

/** What a key of this schema cannot hold: one of each shape. */
function wrongFor(schema: Schema): readonly string[] {
  const types = typesOf(schema);
  const takes = (...names: readonly string[]) => names.some(name => types.includes(name));
  return [
    ...(takes('array') ? [] : ['[1, 2]']),
    ...(takes('object') ? [] : ['{ wrong: thing }']),
    ...(takes('number', 'integer') ? [] : ['12.5']),
    ...(takes('string', 'choice') ? [] : ['some words']),
  ];
}

interface Place {
  readonly key: string;
  readonly schema: Schema;
  /** The film with `VALUE` where the value goes. */
  readonly film: string;
}

const HEAD = 'shotlist: 1\nname: film\n';
const STEPS = 'steps:\n  shot: { model: V-T2V-A, with: { prompt: a fox } }\n';
const KINDS = {
  generate: 'model: V-T2V-A',
  tokenize: 'tokenize: { repository: a/b, fine_tune: c }',
  command: 'run: ls',
};

/** What a step of this kind has beside, so that only the key is wrong. */
const besides = (kind: string, key: string): readonly string[] =>
  kind === 'generate'
    ? ['with: { prompt: a fox }']
    : kind === 'command' && key === 'save'
      ? ['creates: { film: film.mp4 }']
      : [];

const places: readonly Place[] = [
  ...Object.entries(pipelineSchema.properties as { readonly [key: string]: Schema }).map(([key, schema]) => ({
    key,
    schema,
    film: `${HEAD.split('\n')
      .filter(line => !line.startsWith(`${key}:`))
      .join('\n')}${key}: VALUE\n${key === 'steps' ? '' : STEPS}`,
  })),
  ...Object.entries(defs.param?.properties ?? {}).map(([key, schema]) => ({
    key: `params.x.${key}`,
    schema,
    film: `${HEAD}params:\n  x: { ${key === 'type' ? '' : `type: ${key.includes('Items') || key === 'items' ? 'array' : key.includes('Length') || key === 'secret' ? 'string' : 'integer'}, `}${key}: VALUE }\n${STEPS}`,
  })),
  ...Object.entries(KINDS).flatMap(([kind, own]) =>
    Object.entries(defs[kind]?.properties ?? {}).map(([key, schema]) => ({
      key: `${kind}.${key}`,
      schema,
      film: `${HEAD}steps:\n  shot:\n${[key === 'schema' ? 'model: C-D' : own, ...besides(kind, key)]
        .filter(line => !line.startsWith(`${key}:`))
        .map(line => `    ${line}\n`)
        .join('')}    ${key}: VALUE\n`,
    })),
  ),
];

const found = (text: string): readonly Diagnostic[] => compile({ path: 'film.yaml', text }, modelLibrary).diagnostics;

/** A param's default and examples hold anything that its type takes: that is another check. */
const ANYTHING = /params\.x\.(default|examples|enum|items)$/;

test.each(
  places
    .filter(({ key }) => !ANYTHING.test(key))
    .flatMap(place => wrongFor(place.schema).map(value => ({ ...place, value }))),
)('$key cannot be $value, and the message says what it can be', ({ film, value, key }) => {
  const text = film.replace('VALUE', value);
  const list = found(text);
  const said = formatDiagnostics(list);
  expect(list.length, `${text}\n${said}`).toBe(1);
  const [only] = list;
  const start = film.indexOf('VALUE');
  expect([start, text.lastIndexOf(key.split('.').at(-1) ?? '', start)], said).toContain(only?.span.start);
  expect(only?.message, said).toMatch(/write |it must be |give |takes |did you mean|version 1|declare|take /);
});

const fields = modelLibrary.labels.flatMap(label =>
  Object.keys(modelLibrary.get(label)?.request.properties ?? {})
    .filter(name => name.length > 4)
    .map(name => ({ label, name, slip: name.replace(/(.)(.)$/, '$2$1') }))
    .filter(({ name, slip }) => name !== slip),
);

test.each(fields)('$label: `$slip` was meant as `$name`, and nothing else is said', ({ label, name, slip }) => {
  const { properties = {}, required = [] } = modelLibrary.get(label)?.request ?? {};
  const value = (field: string) => {
    const schema = properties[field];
    if (!schema) return 'x';
    if (field === 'messages') return '[{ role: user, content: a line }]';
    if (schema.enum) return String(schema.enum[0]);
    if (schema.examples) return JSON.stringify(schema.examples[0]);
    if (schema.type === 'array') return '[https://example.com/a]';
    if (schema.format === 'uri') return 'https://example.com/a';
    return { integer: '5', number: '1', boolean: 'true', object: '{}', string: 'words' }[schema.type as string] ?? 'x';
  };
  const others = required.filter(field => field !== name).map(field => `${field}: ${value(field)}`);
  const request = [`${slip}: ${value(name)}`, ...others].join(', ');
  const text = `${HEAD}steps:\n  shot: { model: ${label}, with: { ${request} } }\n`;
  const list = found(text);
  expect(list.length, formatDiagnostics(list)).toBe(1);
  expect(list[0]?.message).toContain(`did you mean \`${name}\`?`);
  expect(text.slice(list[0]?.span.start, list[0]?.span.end)).toBe(slip);
});

test.each([...functionsByName.keys()].filter(name => /^\w{5,}$/.test(name)))('%s, misspelt, is known again', name => {
  const slip = name.replace(/(.)(.)$/, '$2$1');
  const text = `${HEAD}steps:\n  shot: { model: V-T2V-A, with: { prompt: "\${{ ${slip}('a') }}" } }\n`;
  const list = found(text);
  expect(list.length, formatDiagnostics(list)).toBe(1);
  expect(list[0]?.message).toContain(name);
  expect(text.slice(list[0]?.span.start, list[0]?.span.end)).toBe(slip);
});
