/** A service may describe its models as it likes: nothing of it makes us stumble, and what can be checked is. */
import { expect, onTestFinished, test, vi } from 'vitest';
import type { CatalogModel } from '../../src/api/catalog.ts';
import { validateRequest, withDefaults } from '../../src/api/validate-request.ts';
import { modelFromCatalog } from '../../src/app/service/model-from-catalog.ts';
import { imageOf } from '../../src/model/media/chat-images.ts';
import { fieldOf } from '../../src/model/model.ts';
import type { JsonObject } from '../../src/model/text/json.ts';
import { entry } from './catalog-entry.ts';

const described = (request_schema: JsonObject) => modelFromCatalog({ ...entry, request_schema })!;
const reasons = (schema: JsonObject, request: JsonObject) =>
  validateRequest(described(schema), request).map(({ message }) => message);

test('a pattern that is none is as if it had not been said; the rest is checked', () => {
  const schema = {
    required: ['prompt'],
    properties: { prompt: { type: 'string' }, look: { type: 'string', pattern: '([a-z' }, mode: { const: 'fast' } },
    patternProperties: { '([': { type: 'string' }, _search$: { type: 'boolean' } },
  };
  const model = described(schema);
  expect(Object.keys(model.request.properties)).toEqual(['prompt', 'look', 'mode']);
  expect(fieldOf(model, 'web_search')).toEqual({ type: 'boolean' });
  expect(fieldOf(model, 'other')).toBeUndefined();
  expect(reasons(schema, { look: 7, mode: 'slow', web_search: 'no' })).toEqual([
    'prompt is required by vendor/new',
    'mode must be "fast", not "slow"',
    'web_search must be true or false, not "no"',
  ]);
});

test('where no other field is taken, one whose pattern cannot be read still is', () => {
  const schema = { properties: { prompt: { type: 'string' } }, additionalProperties: false };
  expect(reasons(schema, { web_search: true })).toEqual(['vendor/new has no field web_search; it takes prompt']);
  expect(reasons({ ...schema, patternProperties: { '(_search': {} } }, { web_search: true })).toEqual([]);
});

test('a schema that points to its own parts is followed, one that points to nowhere is not', () => {
  const schema = {
    $async: true,
    $defs: { ratio: { type: ['string', 'null'] } },
    properties: { ratio: { $ref: '#/$defs/ratio' }, size: { $ref: 'https://elsewhere.test/size.json' } },
  };
  expect(reasons(schema, { ratio: 7, size: 7 })).toEqual(['ratio must be text or null, not 7']);
});

test.each([
  ['a type that is none', { type: 'object', properties: { prompt: { type: 'words' } } }],
  ['rules that are none', { properties: { prompt: { type: 'string' } }, allOf: [{ if: 7 }] }],
  ['parts that are none', { $defs: { a: { type: 'words' } }, properties: { prompt: { $ref: '#/$defs/a' } } }],
  ['fields that are none', { properties: { prompt: null, look: 'text', mode: true } }],
  ['a field that is required twice', { required: ['prompt', 'prompt'] }],
  ['a list where a mapping belongs', { properties: [], required: 'prompt', patternProperties: 7 }],
  ['nothing', {}],
])('%s: nothing is refused', (_what, schema: JsonObject) => {
  expect(reasons(schema, { prompt: 'a red fox' })).toEqual([]);
  expect(withDefaults(described(schema), {})).toEqual({});
});

test('choices of shapes, patterns and lengths are told in words', () => {
  const schema = {
    properties: {
      duration: { oneOf: [{ type: 'integer' }, { type: 'string' }] },
      size: { anyOf: [{ type: 'integer' }, { enum: ['auto'] }] },
      name: { type: 'string', pattern: '^[a-z]+$' },
      tags: { type: 'array', minItems: 1 },
      strength: { type: 'number', exclusiveMinimum: 0 },
    },
  };
  expect(reasons(schema, { duration: true, size: false, name: 'F0X', tags: [], strength: 0 })).toEqual([
    'duration must be a whole number or text, not true',
    'size must be a whole number or of another shape, not false',
    'name must look like ^[a-z]+$, not "F0X"',
    'tags must have at least 1 items, it has 0',
    'strength must be more than 0, not 0',
  ]);
});

test('a format that nobody knows is not spoken of', () => {
  const warn = vi.spyOn(console, 'warn');
  onTestFinished(() => warn.mockRestore());
  expect(reasons({ properties: { prompt: { type: 'string', format: 'haiku' } } }, { prompt: 'fox' })).toEqual([]);
  expect(warn).not.toHaveBeenCalled();
});

test('a chat model sees images where its capabilities say so, and where its own schema says nothing against it', () => {
  const chat: CatalogModel = { ...entry, request_schema: null, endpoint: '/chat/completions' };
  const sees = (more: Partial<CatalogModel>) => imageOf(modelFromCatalog({ ...chat, ...more })!) !== undefined;
  expect(sees({ capabilities: { input: ['text', 'image'], output: ['text'] } })).toBe(true);
  expect(sees({ capabilities: { input: ['text'], output: ['text'] } })).toBe(false);
  expect(sees({ request_schema: { properties: { messages: { type: 'array' } } } })).toBe(true);
  const content = (shape: JsonObject) => ({ properties: { messages: { items: { properties: { content: shape } } } } });
  expect(sees({ request_schema: content({ type: 'string' }) })).toBe(false);
  expect(sees({ request_schema: content({ anyOf: [{ type: 'string' }, { type: 'array' }] }) })).toBe(true);
  expect(sees({ request_schema: content({ oneOf: [{ type: 'string' }] }) })).toBe(true);
  expect(sees({ request_schema: content({ anyOf: [null] }) })).toBe(false);
});
