/** The editor's schema says nothing against a file that `check` takes. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import editorSchema from '../../schema/editor.schema.json' with { type: 'json' };
import { modelLibrary } from '../../src/api/model-library.ts';
import { studioCatalog } from '../../src/cli/models/model-catalog.ts';
import { exampleStep } from '../../src/cli/models/model-page.ts';
import { chatFields } from '../../src/language/steps/chat-prompt.ts';
import type { FieldSchema, Model } from '../../src/model/model.ts';

const validate = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  keywords: ['markdownDescription', 'enumDescriptions', 'doNotSuggest'],
}).compile(editorSchema);

const complaints = (steps: unknown): readonly unknown[] => {
  validate({ shotlist: 1, name: 'film', steps });
  return validate.errors ?? [];
};
const models = modelLibrary.labels.map(label => modelLibrary.get(label)!);
const fieldsOf = (model: Model): Readonly<Record<string, FieldSchema>> => ({
  ...chatFields(model),
  ...model.request.properties,
});
const EXPRESSION = '${{ params.x }}';

/** A request with all it needs, and this. */
function stepWith(model: Model, name: string, value: unknown): unknown {
  const needed = model.kind === 'chat' ? ['prompt'] : model.request.required;
  const rest = Object.fromEntries(needed.map(field => [field, EXPRESSION]));
  return { a: { model: model.label, with: { ...rest, [name]: value } } };
}

describe.each(models)('$label', model => {
  it('takes the step that its page shows', async () => {
    const catalog = await (await studioCatalog()).get(model.label, { live: false });
    expect(complaints(parse(exampleStep(catalog!)))).toEqual([]);
  });

  it('takes an expression in every field, and in every entry of a list', () => {
    for (const [name, { type }] of Object.entries(fieldsOf(model))) {
      expect([name, complaints(stepWith(model, name, EXPRESSION))]).toEqual([name, []]);
      if (type === 'array') expect([name, complaints(stepWith(model, name, [EXPRESSION]))]).toEqual([name, []]);
    }
  });

  it('takes each default, example and value that it offers, and no field that it does not', () => {
    for (const [name, field] of Object.entries(fieldsOf(model))) {
      const { default: preset, examples = [], enum: values = [] } = field;
      for (const value of [...(preset === undefined ? [] : [preset]), ...examples, ...values])
        expect([name, value, complaints(stepWith(model, name, value))]).toEqual([name, value, []]);
    }
    expect(complaints(stepWith(model, 'promt', 'x')).length === 0).toBe(model.request.additionalProperties);
  });
});

test('a step of every other kind', () => {
  const steps = {
    a: { run: ['ls', 1, true], env: { A: 1 }, files: { x: 'y' }, creates: { x: 'y' }, matrix: { n: [1] } },
    b: { tokenize: { repository: 'studio/looks', fine_tune: 'ft-1' } },
    c: { model: 'fox-look' },
    d: { model: 'vendor/name', with: { anything: { goes: [null] } } },
    e: { model: EXPRESSION, with: { promt: 'x' }, only: { 'V-UP': { grain: EXPRESSION }, 'vendor/name': { a: 1 } } },
  };
  expect(complaints(steps)).toEqual([]);
});
