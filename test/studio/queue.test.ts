import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/text/json.ts';
import { RenderRefusal } from '../../src/studio/animatic/job.ts';
import { recordOf, testStudio } from './fake-studio.ts';

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
    kind: 'image_generate',
    request: { prompt: 'a red fox', num_inference_steps: 8, output_format: 'webp' },
    inputs: {},
    folder: `${studio.folder}/scratch/gen-1/render`,
    speed: 'draft',
  });
  render.hooks.progress(0.5);
  render.hooks.progress(0.25);
  const record = recordOf('gen-1', { status: 'processing', completed_at: null, progress: 0.5 });
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

test('first come, first served; the list tells each place', async () => {
  await using studio = await testStudio();
  for (const prompt of ['one', 'two', 'three']) await studio.enqueue({ ...STILL, prompt });
  const first = await studio.renderer.next();
  const { body } = await studio.get('/api/ai/queue');
  const list = body as { count: number; generations: JsonObject[] };
  expect([
    list.count,
    list.generations.map(({ generation_id, status, position }) => [generation_id, status, position]),
  ]).toEqual([
    3,
    [
      ['gen-1', 'processing', null],
      ['gen-2', 'queued', 1],
      ['gen-3', 'queued', 2],
    ],
  ]);
  expect(await studio.get('/api/ai/queue/gen-3')).toMatchObject({ body: { position: 2, progress: null } });
  await first.finish();
  await studio.until('gen-1', 'succeeded');
  await (await studio.renderer.next()).finish();
  await (await studio.renderer.next()).finish();
  await studio.until('gen-3', 'succeeded');
  expect(studio.renderer.begun.map(({ job }) => job.request.prompt)).toEqual(['one', 'two', 'three']);
  expect((await studio.get('/api/ai/queue')).body).toEqual({ count: 0, generations: [] });
});

test('as many are rendered at once as there are workers', async () => {
  await using studio = await testStudio({ workers: 2 });
  for (const prompt of ['one', 'two', 'three']) await studio.enqueue({ ...STILL, prompt });
  const [first] = [await studio.renderer.next(), await studio.renderer.next()];
  expect(studio.renderer.begun.length).toBe(2);
  await first.finish();
  expect((await studio.renderer.next()).job.id).toBe('gen-3');
});

test('the list is filtered by model, kind, target and status', async () => {
  await using studio = await testStudio();
  await studio.enqueue({
    ...STILL,
    num_generations: 1,
    target_namespace: 'ox',
    target_repo: 'films',
    target_directory: 'a',
  });
  await studio.enqueue({ model: 'V-T2V-A', prompt: 'fox' });
  await (await studio.renderer.next()).finish();
  await studio.until('gen-1', 'succeeded');
  const ids = async (query: string) =>
    ((await studio.get(`/api/ai/queue?${query}`)).body as { generations: JsonObject[] }).generations.map(
      ({ generation_id }) => generation_id,
    );
  expect(await ids('')).toEqual(['gen-2']);
  expect(await ids('model=I-GEN-A')).toEqual([]);
  expect(await ids('status=succeeded&model=I-GEN-A&namespace=ox&repo=films&folder=a')).toEqual(['gen-1']);
  expect(await ids('status=succeeded&folder=b')).toEqual([]);
  expect(await ids('media_type=video')).toEqual(['gen-2']);
  expect(await studio.get('/api/ai/queue/gen-1')).toMatchObject({
    body: { target_namespace: 'ox', target_repo: 'films', target_directory: 'a' },
  });
});

test('what waits is cancelled without being rendered', async () => {
  await using studio = await testStudio();
  await studio.enqueue(STILL);
  await studio.enqueue(STILL);
  const first = await studio.renderer.next();
  const { status, body } = await studio.delete('/api/ai/queue/gen-2');
  expect({ status, body }).toEqual({ status: 200, body: { generation_id: 'gen-2', status: 'success' } });
  expect(await studio.get('/api/ai/queue/gen-2')).toMatchObject({
    body: { status: 'cancelled', error_message: 'cancelled on request', result_url: null, position: null },
  });
  await first.finish();
  await studio.until('gen-1', 'succeeded');
  expect(studio.renderer.begun.length).toBe(1);
});

test('what is rendered is stopped by a cancel, and the next one starts', async () => {
  await using studio = await testStudio();
  await studio.enqueue(STILL);
  await studio.enqueue(STILL);
  const first = await studio.renderer.next();
  await studio.delete('/api/ai/queue/gen-1');
  expect(first.hooks.signal.aborted).toBe(true);
  await (await studio.renderer.next()).finish();
  await studio.until('gen-2', 'succeeded');
  expect(await studio.until('gen-1', 'cancelled')).toMatchObject({
    error_message: 'cancelled on request',
    result_url: null,
  });
  expect((await studio.delete('/api/ai/queue/gen-1')).body).toEqual({ generation_id: 'gen-1', status: 'success' });
  const late = await studio.delete('/api/ai/queue/gen-2');
  expect([late.status, late.body]).toEqual([
    409,
    {
      error: {
        message: 'generation gen-2 has already succeeded: there is nothing to cancel',
        type: 'already_finished',
      },
    },
  ]);
});

test('an unknown generation is 404, read or cancelled', async () => {
  await using studio = await testStudio();
  const body = { error: { message: 'Generation not found: gen-9', type: 'generation_not_found' } };
  expect(await studio.get('/api/ai/queue/gen-9')).toMatchObject({ status: 404, body });
  expect(await studio.delete('/api/ai/queue/gen-9')).toMatchObject({ status: 404, body });
  expect(await studio.get('/api/ai/generations/gen-9')).toMatchObject({ status: 404, body });
});

test('a render that is refused fails with the renderer’s sentence, a bug with one of ours', async () => {
  await using studio = await testStudio();
  await studio.enqueue(STILL);
  await studio.enqueue(STILL);
  await studio.enqueue(STILL);
  (await studio.renderer.next()).fail(new RenderRefusal('the prompt holds no shot'));
  expect(await studio.until('gen-1', 'failed')).toMatchObject({
    error_message: 'the prompt holds no shot',
    result_url: null,
  });
  (await studio.renderer.next()).fail(new Error('undefined is not a frame'));
  expect(await studio.until('gen-2', 'failed')).toMatchObject({
    error_message: "the studio could not render this; its own log says why (that is the studio's bug)",
  });
  await (await studio.renderer.next()).finish({ file: '../../studio.sqlite' });
  await studio.until('gen-3', 'failed');
  expect(studio.log.filter(line => /^gen-. I-GEN-A: Error/.test(line)).map(line => line.split('\n')[0])).toEqual([
    'gen-2 I-GEN-A: Error: undefined is not a frame',
    'gen-3 I-GEN-A: Error: the renderer named a result outside its folder: ../../studio.sqlite',
  ]);
});
