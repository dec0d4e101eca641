/** Whatever schema is given, what the writer answers fits it: judged by a validator of its own, formats and all. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import type { Json, JsonObject } from '../../src/model/text/json.ts';
import { parseChatRequest } from '../../src/studio/writer/chat-request.ts';
import { write } from '../../src/studio/writer/writer.ts';

const FOX = 'Three beats about a fox who crosses a frozen river.';

function answer(schema: Json, said = FOX): Json {
  const format = { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } };
  const request = { messages: [{ role: 'user', content: said }], response_format: format };
  return JSON.parse(write(parseChatRequest(modelLibrary.get('C-D')!, request))) as Json;
}

function objections(schema: Json, value: Json): string {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (formats as unknown as (ajv: Ajv2020) => void)(ajv);
  const validate = ajv.compile(schema as JsonObject);
  return validate(value) ? '' : ajv.errorsText(validate.errors);
}

const text = { type: 'string' } as const;
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});
const list = (items: Json, more: JsonObject = {}): JsonObject => ({ type: 'array', items, ...more });
const shot = object({
  shot: text,
  camera: { enum: ['static', 'pan_left', 'push_in', 'tracking'] },
  prompt: text,
  duration: { type: 'integer', minimum: 3, maximum: 8 },
  mood: text,
});

describe('an answer fits', () => {
  const cases: readonly [string, Json][] = [
    ['beats', object({ beats: list(text, { minItems: 3, maxItems: 3 }) })],
    ['shots', object({ title: text, logline: text, shots: list(shot, { minItems: 2 }) })],
    ['a bare text', text],
    ['a bare list', list(text, { minItems: 4 })],
    ['a bare number', { type: 'number', minimum: 0, maximum: 1 }],
    ['a yes or no', { type: 'boolean' }],
    ['nothing', { type: 'null' }],
    ['anything', true],
    ['an open object', { type: 'object' }],
    ['a constant', object({ kind: { const: 'beat' }, version: { const: 3 }, nested: { const: { a: [1, null] } } })],
    ['an enum of mixed kinds', { enum: [null, 4, 'fox', { a: 1 }] }],
    [
      'bounds',
      object({
        a: { type: 'integer', exclusiveMinimum: 7, maximum: 8 },
        b: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.1 },
      }),
    ],
    [
      'multiples',
      object({
        a: { type: 'number', multipleOf: 0.1, minimum: 0.25 },
        b: { type: 'integer', multipleOf: 2.5, minimum: 3 },
        c: { type: 'integer', multipleOf: 7, minimum: -20, maximum: -1 },
      }),
    ],
    [
      'short texts',
      object({
        title: { ...text, maxLength: 12 },
        prompt: { ...text, maxLength: 40 },
        code: { ...text, minLength: 3, maxLength: 3 },
      }),
    ],
    ['long texts', object({ title: { ...text, minLength: 200 }, prompt: { ...text, minLength: 300, maxLength: 320 } })],
    [
      'patterns',
      object({
        id: { ...text, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' },
        code: { ...text, pattern: '^SC-\\d{3}[A-F]?$' },
        ratio: { ...text, pattern: '^(16:9|9:16|1:1)$' },
        color: { ...text, pattern: '^#[0-9a-fA-F]{6}$' },
        length: { ...text, pattern: '^\\d+s$' },
        name: { ...text, pattern: '^[A-Z]' },
        word: { ...text, pattern: '^\\w{12,}$', maxLength: 14 },
        letter: { ...text, pattern: '^\\p{Lu}$' },
      }),
    ],
    [
      'formats',
      object(
        Object.fromEntries(
          'date time date-time duration email hostname ipv4 ipv6 uri uri-reference uri-template uuid json-pointer relative-json-pointer regex byte'
            .split(' ')
            .map(format => [format.replaceAll('-', '_'), { ...text, format }]),
        ),
      ),
    ],
    [
      'a choice of shapes',
      object({
        a: { anyOf: [{ type: 'null' }, text] },
        b: { oneOf: [{ type: 'integer' }, { type: 'boolean' }] },
        c: { type: ['null', 'array'], items: text },
      }),
    ],
    ['one of overlapping shapes', { oneOf: [object({ a: text }), object({ a: text, b: text }, { required: ['a'] })] }],
    [
      'a choice that only one branch can keep',
      {
        anyOf: [
          { type: 'integer', minimum: 5, maximum: 4 },
          { type: 'string', minLength: 2 },
        ],
      },
    ],
    [
      'all at once',
      {
        allOf: [
          object({ a: text }, { additionalProperties: true }),
          { properties: { b: { type: 'integer' } }, required: ['b'] },
          { properties: { b: { minimum: 41, maximum: 41 } } },
        ],
      },
    ],
    [
      'if, then, else',
      {
        ...object({ kind: { enum: ['close', 'wide'] }, lens: text }, { required: ['kind'] }),
        if: { properties: { kind: { const: 'wide' } } },
        ...(JSON.parse('{"then": {"required": ["lens"]}}') as JsonObject),
      },
    ],
    [
      'not',
      object({
        a: { type: 'string', not: { const: '' } },
        b: { enum: ['x', 'y'], not: { enum: ['x'] } },
        c: { type: ['boolean'], not: { const: true } },
      }),
    ],
    [
      'references',
      {
        $defs: { beat: object({ prompt: text, next: { anyOf: [{ $ref: '#/$defs/beat' }, { type: 'null' }] } }) },
        $ref: '#/$defs/beat',
      },
    ],
    [
      'a tree',
      {
        $defs: { node: object({ name: text, children: list({ $ref: '#/$defs/node' }) }) },
        ...object({ root: { $ref: '#/$defs/node' } }),
      },
    ],
    ['an anchor', { $defs: { b: { $anchor: 'beat', ...text } }, ...object({ beats: list({ $ref: '#beat' }) }) }],
    [
      'a reference with more beside it',
      { $defs: { t: text }, ...object({ title: { $ref: '#/$defs/t', maxLength: 5 } }) },
    ],
    [
      'lists of fixed places',
      object({
        span: { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }], items: false, minItems: 2 },
      }),
    ],
    [
      'lists without repeats',
      object({
        tags: list(text, { minItems: 6, uniqueItems: true }),
        cameras: list({ enum: ['pan', 'tilt', 'push'] }, { minItems: 3, uniqueItems: true }),
        numbers: list({ type: 'integer', minimum: 1, maximum: 4 }, { minItems: 4, uniqueItems: true }),
        same: list(object({ a: text }), { minItems: 3, uniqueItems: true }),
      }),
    ],
    [
      'lists that contain',
      object({
        beats: list({ type: ['string', 'integer'] }, { contains: { type: 'integer', minimum: 90 }, minContains: 2 }),
      }),
    ],
    ['an empty list', object({ beats: list(text, { maxItems: 0 }) })],
    ['a long list', object({ beats: list(text, { minItems: 150 }) })],
    ['a map', object({ shots: { type: 'object', additionalProperties: object({ prompt: text }), minProperties: 2 } })],
    [
      'a map with names of a pattern',
      object({
        shots: {
          type: 'object',
          patternProperties: { '^shot_\\d+$': text },
          additionalProperties: false,
          minProperties: 2,
        },
      }),
    ],
    [
      'a map with given names',
      object({
        takes: {
          type: 'object',
          propertyNames: { enum: ['a', 'b', 'c'] },
          minProperties: 3,
          additionalProperties: { type: 'integer' },
        },
      }),
    ],
    [
      'few properties',
      { type: 'object', properties: { a: text, b: text, c: text }, required: ['c'], maxProperties: 2 },
    ],
    [
      'properties that need others',
      { type: 'object', properties: { a: text, b: text, c: text }, dependentRequired: { a: ['b', 'd'] } },
    ],
    ['required and not described', { type: 'object', required: ['logline', 'x'], properties: {} }],
    [
      'names from other languages and of objects',
      object({ 情节: text, __proto__x: text, constructor: text, 'with space': text, camelCaseTitle: text }),
    ],
    ['a dialect of its own', { $schema: 'http://json-schema.org/draft-07/schema#', ...object({ beats: list(text) }) }],
  ];
  test.each(cases)('%s', (_name, schema) => {
    const { $schema: _, ...own } = (typeof schema === 'object' ? schema : { $schema: null }) as JsonObject;
    expect(objections(schema === true ? {} : own, answer(schema))).toBe('');
  });
});

test('an answer means something: properties hold what they are called', () => {
  expect(answer(object({ title: text, logline: text, shots: list(shot) }))).toEqual({
    title: 'The Fox and the Frozen River',
    logline: expect.stringMatching(/^A fox crosses a frozen river, /),
    shots: [
      {
        shot: 'extreme wide shot',
        camera: 'static',
        prompt: expect.stringMatching(/^Extreme wide shot, slow aerial: a fox crosses a frozen river, /),
        duration: 5,
        mood: 'calm',
      },
      expect.objectContaining({ shot: 'medium shot', camera: 'tracking', duration: 4 }),
      expect.objectContaining({ shot: 'wide shot', duration: 5 }),
    ],
  });
});

test('a score is the score, and a rewritten prompt the rewritten prompt', () => {
  expect(
    answer(
      object({ score: { type: 'integer', minimum: 1, maximum: 10 }, reason: text, keep: { type: 'boolean' } }),
      'Rate this prompt from 1 to 10: a fox',
    ),
  ).toEqual({
    score: 3,
    reason: 'It names the subject, and says nothing of the place, the light or the shot size.',
    keep: false,
  });
  expect(
    answer(
      object({ prompt: text }),
      'Shorten this prompt to six words: a red fox crosses a frozen river, snow falling',
    ),
  ).toEqual({
    prompt: 'a red fox crosses a frozen',
  });
});

describe('what nothing fits, or nobody writes, is refused with the reason', () => {
  const cases: readonly [Json, string][] = [
    [false, 'no answer was found that fits'],
    [{ type: 'integer', minimum: 3, maximum: 2 }, 'no number is at least 3 and at most 2'],
    [{ type: 'integer', multipleOf: 10, minimum: 11, maximum: 19 }, 'no multiple of 10 lies between 11 and 19'],
    [{ type: 'string', minLength: 5, maxLength: 4 }, 'no text has at least 5 and at most 4 characters'],
    [{ type: 'string', pattern: '^(?=a)b$' }, 'no text was found that matches ^(?=a)b$'],
    [{ type: 'array', minItems: 3, maxItems: 2 }, 'a list of at least 3 items has at most 2'],
    [{ type: 'array', items: { enum: [1, 2] }, minItems: 3, uniqueItems: true }, 'must NOT have duplicate items'],
    [{ type: 'array', minItems: 1_000_000 }, 'a list of 1,000,000 items is longer than this writer writes'],
    [{ allOf: [{ type: 'string' }, { type: 'integer' }] }, 'nothing is both string and integer'],
    [
      { $ref: '#/$defs/me', $defs: { me: { $ref: '#/$defs/me' } } },
      'is no JSON Schema: it refers to itself without end',
    ],
    [
      {
        type: 'object',
        properties: { a: { $ref: '#/$defs/a' } },
        required: ['a'],
        $defs: { a: { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, required: ['a'] } },
      },
      'goes on for ever',
    ],
    [{ $ref: 'https://schemas.test/beat.json' }, "can't resolve reference https://schemas.test/beat.json"],
    [{ type: 'string', pattern: '(' }, 'Invalid regular expression'],
  ];
  test.each(cases)('%j', (schema, why) => {
    expect(() => answer(schema)).toThrow(why);
  });
});

test('an answer that did not fit is written again, in the shape that was asked for first', () => {
  const messages = [
    { role: 'user', content: `${FOX} Answer in JSON like {"beats": ["…"]}` },
    { role: 'assistant', content: '{"beats": "one"}' },
    {
      role: 'user',
      content: 'Your answer does not fit the schema: beats must be array. Answer with the corrected JSON only.',
    },
  ];
  const said = JSON.parse(write(parseChatRequest(modelLibrary.get('C-D')!, { messages }))) as { beats: string[] };
  expect(said.beats.length).toBe(3);
  expect(said.beats[1]).toContain('a fox crosses a frozen river');
});

test.each(['look', 'style', 'setting', 'detail'])(
  'items that say what is seen only as `%s` are different shots',
  name => {
    const item = object({ slug: text, [name]: text, loud: { type: 'boolean' } });
    const schema = object({ panels: list(item, { minItems: 3, maxItems: 3 }) });
    const { panels } = answer(schema, 'three panels of an advertisement for a bicycle') as {
      panels: readonly Record<string, string>[];
    };
    expect(new Set(panels.map(panel => panel[name])).size).toBe(3);
    expect(panels.every(panel => panel[name]?.includes('bicycle'))).toBe(true);
  },
);
