import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/text/json.ts';
import { testStudio } from './fake-studio.ts';

const STILL = { model: 'I-GEN-A', prompt: 'a red fox' };

test('a strict studio tells the document’s fields and no others', async () => {
  await using studio = await testStudio({ strict: true });
  expect((await studio.post('/api/ai/queue', STILL)).body).toEqual({ generations: [{ generation_id: 'gen-1' }] });
  await studio.enqueue(STILL);
  const first = await studio.renderer.next();
  const record = async (id: string) => (await studio.get(`/api/ai/queue/${id}`)).body;
  expect(await record('gen-1')).toEqual({ generation_id: 'gen-1', status: 'pending' });
  expect(await record('gen-2')).toEqual({ generation_id: 'gen-2', status: 'pending' });
  await first.finish();
  expect(await studio.until('gen-1', 'succeeded')).toEqual({
    generation_id: 'gen-1',
    status: 'succeeded',
    result_url: `${studio.url}/results/gen-1/result.webp`,
  });
  (await studio.renderer.next()).fail(new Error('no'));
  expect(await studio.until('gen-2', 'failed')).toEqual({
    generation_id: 'gen-2',
    status: 'failed',
    error_message: "the studio could not render this; its own log says why (that is the studio's bug)",
  });
});

test('a strict studio has no list, no cancel and no history', async () => {
  await using studio = await testStudio({ strict: true });
  await studio.enqueue(STILL);
  const error = (message: string, type: string) => ({ error: { message, type } });
  expect(await studio.get('/api/ai/queue')).toMatchObject({
    status: 405,
    body: error('/api/ai/queue takes POST, not GET', 'method_not_allowed'),
  });
  expect(await studio.delete('/api/ai/queue/gen-1')).toMatchObject({
    status: 405,
    body: error('/api/ai/queue/gen-1 takes GET, not DELETE', 'method_not_allowed'),
  });
  for (const path of ['/api/ai/generations', '/api/ai/generations/gen-1']) {
    expect(await studio.get(path)).toMatchObject({
      status: 404,
      body: error(`nothing is served at ${path}`, 'route_not_found'),
    });
  }
});

test('a strict studio knows no fields beyond the model’s own', async () => {
  await using studio = await testStudio({ strict: true });
  const { status, body } = await studio.post('/api/ai/queue', { ...STILL, num_generations: 1, target_repo: 'films' });
  const fields = 'prompt, num_inference_steps, seed, output_format';
  const details = ['num_generations', 'target_repo'].map(path => ({
    path,
    message: `I-GEN-A has no field ${path}; it takes ${fields}`,
  }));
  expect({ status, body }).toEqual({
    status: 400,
    body: { error: { message: details.map(({ message }) => message).join('; '), type: 'invalid_request', details } },
  });
});

test('a strict catalog tells no price that was merely observed', async () => {
  await using studio = await testStudio({ strict: true });
  const { pricing } = (await studio.get('/api/ai/models/V-T2V-A')).body as JsonObject;
  expect(pricing).toEqual({ method: 'per_video_output_second', cost_per_second: 0.15 });
});
