import { expect, test } from 'vitest';
import { testStudio } from './fake-studio.ts';

const STILL = { model: 'I-GEN-A', prompt: 'a red fox' };

test('a generation waits, is rendered, and has a result', async () => {
  await using studio = await testStudio();
  const { status, body } = await studio.post('/api/ai/queue', STILL);
  expect({ status, body }).toEqual({
    status: 200,
    body: { generations: [{ generation_id: 'gen-1', status: 'queued' }] },
  });
  const render = await studio.renderer.next();
  expect(render.job).toEqual({
    id: 'gen-1',
    label: 'I-GEN-A',
    request: { prompt: 'a red fox', num_inference_steps: 8, output_format: 'webp' },
    inputs: {},
    folder: `${studio.folder}/scratch/gen-1/render`,
    speed: 'draft',
  });
  render.hooks.progress(0.5);
  render.hooks.progress(0.25);
  const record = {
    generation_id: 'gen-1',
    model_name: 'I-GEN-A',
    media_type: 'image',
    status: 'processing',
    enqueued_at: 1_700_000_000,
    started_at: 1_700_000_000,
    completed_at: null,
    result_url: null,
    error_message: null,
    target_namespace: null,
    target_repo: null,
    target_directory: null,
    position: null,
    progress: 0.5,
  };
  expect((await studio.get('/api/ai/queue/gen-1')).body).toEqual(record);
  await studio.clock.advance(7_000);
  await render.finish();
  expect(await studio.until('gen-1', 'succeeded')).toEqual({
    ...record,
    status: 'succeeded',
    completed_at: 1_700_000_007,
    result_url: `${studio.url}/results/gen-1/result.webp`,
    progress: 1,
  });
});
