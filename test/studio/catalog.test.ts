import { expect, test } from 'vitest';
import type { CatalogModel } from '../../src/api/catalog.ts';
import { modelLibrary } from '../../src/api/model-library.ts';
import { modelFromCatalog } from '../../src/app/service/model-from-catalog.ts';
import type { JsonObject } from '../../src/model/text/json.ts';
import { temporaryFolder } from '../support/temp.ts';
import { type TestStudio, testStudio } from './fake-studio.ts';

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

const status = async (studio: TestStudio, id: string, query = '') => {
  const { body } = await studio.get(`/api/ai/models/${id}${query}`);
  return (body as { deployments: JsonObject[] }).deployments[0]?.status;
};
const live = (studio: TestStudio, id: string) => status(studio, id, '?deployment_status=live');

test('a deployment takes six seconds to come up, and two to go down', async () => {
  await using studio = await testStudio();
  await studio.post('/api/ai/models/fox-look/activate', {});
  await studio.clock.advance(5_999);
  expect(await live(studio, 'fox-look')).toBe('deploying');
  await studio.clock.advance(1);
  expect(await live(studio, 'fox-look')).toBe('active');
  await studio.post('/api/ai/models/fox-look/deactivate', {});
  await studio.clock.advance(2_000);
  expect(await live(studio, 'fox-look')).toBe('inactive');
});

test('the catalog hears of a change after half a minute, without being asked to', async () => {
  await using studio = await testStudio();
  await studio.post('/api/ai/models/fox-look/activate', {});
  await studio.clock.advance(29_999);
  expect(await status(studio, 'fox-look')).toBe('deploying');
  await studio.clock.advance(1);
  expect(await status(studio, 'fox-look')).toBe('active');
});

test('what was set in motion goes on while no studio runs', async () => {
  const folder = await temporaryFolder();
  {
    await using studio = await testStudio({ folder });
    await studio.post('/api/ai/models/fox-look/activate', {});
    await studio.post('/api/repos/film-house/looks/fine_tunes/ft-harbour/tokenize', {});
  }
  await using studio = await testStudio({ folder });
  await studio.clock.advance(8_000);
  expect(await live(studio, 'fox-look')).toBe('active');
  const again = await studio.post('/api/repos/film-house/looks/fine_tunes/ft-harbour/tokenize', {});
  expect((again.body as { error: JsonObject }).error.message).toBe(
    'fine-tune ft-harbour is tokenized: only one that is created can be tokenized',
  );
});

test('an active custom model draws like the model it stands beside, at its own price', async () => {
  await using studio = await testStudio();
  const id = await studio.enqueue({ model: 'river-look', prompt: 'a red fox' });
  const render = await studio.renderer.next();
  expect(render.job.label).toBe('I-GEN-A');
  await studio.clock.advance(10_000);
  await render.finish();
  expect(await studio.until(id, 'succeeded')).toMatchObject({ model_name: 'river-look' });
  const { body } = await studio.get(`/api/ai/generations/${id}`);
  expect((body as { generation: JsonObject }).generation.cost).toBe('0.011');
});
