import { expect, test } from 'vitest';
import type { CatalogModel } from '../../src/api/catalog.ts';
import { modelLibrary } from '../../src/api/model-library.ts';
import { modelFromCatalog } from '../../src/app/service/model-from-catalog.ts';
import type { JsonObject } from '../../src/model/text/json.ts';
import { testStudio } from './fake-studio.ts';

test('the catalog lists every label as the document describes a model', async () => {
  await using studio = await testStudio();
  const { status, body } = await studio.get('/api/ai/models');
  const list = body as { object: string; data: JsonObject[] };
  expect([status, list.object, list.data.map(({ id }) => id)]).toEqual([
    200,
    'list',
    [...modelLibrary.labels, 'fox-look', 'river-look', 'storm-look'],
  ]);
  expect(list.data.find(({ id }) => id === 'V-RF')).toMatchObject({
    capabilities: { input: ['text', 'video'], output: ['video'] },
  });
  expect(list.data.find(({ id }) => id === 'I-GEN-A')).toEqual({
    id: 'I-GEN-A',
    object: 'model',
    created: 1_761_955_200,
    owned_by: 'studio',
    display_name: 'I-GEN-A',
    description:
      'fast text to image. Drawn by the built-in studio as an animatic: real, playable media at the asked size and length, from which cut, framing, timing and wiring can be judged. No AI model runs. Nothing is charged, and prices are examples.',
    summary: 'fast text to image',
    model_type: 'base',
    endpoint: '/images/generate',
    capabilities: { input: ['text'], output: ['image'] },
    pricing: modelLibrary.get('I-GEN-A')?.pricing,
    fine_tuning: { actions: ['image_generate'], cost_per_second: 0.002 },
    deployments: [],
    developer: { name: 'Shotlist', logo: null },
    source_model: null,
    image_url: null,
    released_at: null,
    request_schema: modelLibrary.get('I-GEN-A')?.request,
  });
});

test('the catalog keeps to the document’s endpoints, strict or not: an edit is told as an image', async () => {
  for (const strict of [false, true]) {
    await using studio = await testStudio({ strict });
    const { data } = (await studio.get('/api/ai/models')).body as unknown as { data: CatalogModel[] };
    const endpoints = new Set(data.map(({ endpoint }) => endpoint));
    expect([...endpoints].sort()).toEqual(['/chat/completions', '/images/generate', '/videos/generate']);
    const edits = data.filter(model => modelFromCatalog(model)?.endpoint === '/images/edit');
    expect(edits.map(({ id }) => id)).toEqual(['I-EDIT-A', 'I-EDIT-B', 'I-EDIT-C', 'storm-look']);
  }
});
