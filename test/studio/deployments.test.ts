import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/text/json.ts';
import { temporaryFolder } from '../support/temp.ts';
import { type TestStudio, testStudio } from './fake-studio.ts';

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
