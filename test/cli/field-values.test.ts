import { expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { modelFromCatalog } from '../../src/app/service/model-from-catalog.ts';
import { parseFieldValues } from '../../src/cli/generate/single-step.ts';
import type { Model } from '../../src/model/model.ts';
import { entry } from './catalog-entry.ts';

const model = (label: string): Model => modelLibrary.get(label)!;

test('a word becomes what the model’s schema says its field is', () => {
  expect(parseFieldValues(model('V-T2V-A'), ['prompt=5', 'duration=5', 'watermark=true', 'seed=0'])).toEqual({
    prompt: '5',
    duration: 5,
    watermark: true,
    seed: 0,
  });
  expect(parseFieldValues(model('V-I2V-A'), ['duration=5s', 'loop=false', 'prompt=a=b'])).toEqual({
    duration: '5s',
    loop: false,
    prompt: 'a=b',
  });
});

test('a list is the field given again, or a list in JSON, or both', () => {
  expect(parseFieldValues(model('I-EDIT-B'), ['input_image=a.png', 'input_image=["b.png", "c.png"]'])).toEqual({
    input_image: ['a.png', 'b.png', 'c.png'],
  });
});

test('what does not read as its type stays as it was written, for the check to name', () => {
  expect(parseFieldValues(model('V-T2V-A'), ['duration=soon', 'seed=', 'watermark=yes'])).toEqual({
    duration: 'soon',
    seed: '',
    watermark: 'yes',
  });
});

test('a field the model does not have is read as JSON where it is JSON', () => {
  expect(parseFieldValues(model('V-V2V'), ['edit_strength=0.4', 'start_image=a.png', '__proto__=1'])).toEqual(
    Object.fromEntries([
      ['edit_strength', 0.4],
      ['start_image', 'a.png'],
      ['__proto__', 1],
    ]),
  );
});

test('what is no field=value, and a field given twice, are said', () => {
  expect(() => parseFieldValues(model('I-GEN-A'), ['fox'])).toThrow(
    '`fox` is no field=value; write it like prompt="a red fox"',
  );
  expect(() => parseFieldValues(model('I-GEN-A'), ['seed=1', 'seed=2'])).toThrow(
    'seed is given twice, and I-GEN-A takes it once',
  );
});

test('a model that only a catalog knows is read by the catalog’s schema, however loose', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $ref: 'https://elsewhere.test/schema.json',
    required: ['model', 'prompt'],
    properties: { model: { type: 'string' }, prompt: { type: 'string' }, frames: { type: 'integer' }, mode: {} },
  };
  const known = modelFromCatalog({ ...entry, request_schema: schema })!;
  expect(known.request).toEqual({
    type: 'object',
    required: ['prompt'],
    properties: { prompt: { type: 'string' }, frames: { type: 'integer' }, mode: {} },
    additionalProperties: true,
  });
  expect(parseFieldValues(known, ['prompt=7', 'frames=7', 'mode=fast', 'other=[1]'])).toEqual({
    prompt: '7',
    frames: 7,
    mode: 'fast',
    other: [1],
  });
  expect(modelFromCatalog({ ...entry, request_schema: null })!.request.properties).toEqual({});
  const chat = modelFromCatalog({ ...entry, endpoint: '/chat/completions', request_schema: null })!;
  expect([chat.kind, chat.produces, Object.keys(chat.request.properties)[0]]).toStrictEqual([
    'chat',
    'text',
    'messages',
  ]);
  expect(modelFromCatalog({ ...entry, endpoint: '/sculptures/carve', request_schema: null })).toBeUndefined();
});
