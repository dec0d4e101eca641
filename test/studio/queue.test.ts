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

test('a synchronous request waits its turn in the queue, and is found in the history', async () => {
  await using studio = await testStudio();
  await studio.enqueue(STILL);
  const answer = studio.post('/api/ai/images/generate', { ...STILL, seed: 4 });
  await (await studio.renderer.next()).finish();
  const second = await studio.renderer.next();
  expect(second.job).toMatchObject({ id: 'gen-2', request: { seed: 4 } });
  await second.finish();
  await answer;
  const { generations } = (await studio.get('/api/ai/generations')).body as { generations: JsonObject[] };
  expect(generations[0]).toMatchObject({ generation_id: 'gen-2', status: 'succeeded', seed: 4, cost: '0.01' });
});

test('a request whose client hung up is rendered all the same: it was taken', async () => {
  await using studio = await testStudio();
  const stop = new AbortController();
  const answer = studio.send('/api/ai/images/generate', STILL, { signal: stop.signal }).catch(error => error.name);
  const render = await studio.renderer.next();
  stop.abort();
  expect(await answer).toBe('AbortError');
  await render.finish();
  expect(await studio.until('gen-1', 'succeeded')).toMatchObject({ progress: 1 });
});

const FILM = { model: 'V-T2V-A', prompt: 'a red fox', resolution: '720P', duration: 2 };
const FILM_SHOWN = { model_name: 'V-T2V-A', media_type: 'video', resolution: '720P', duration: 2 };
const FACTS = { kind: 'video', format: 'mp4', width: 1280, height: 720, duration: 2.005, audio_codec: 'aac' } as const;

test('history tells what was asked for and what it cost, newest first', async () => {
  await using studio = await testStudio();
  await studio.enqueue(STILL);
  await studio.enqueue(FILM);
  await studio.enqueue({ ...STILL, seed: 7, target_repo: 'films' });
  await (await studio.renderer.next()).finish();
  await (await studio.renderer.next()).finish({ facts: FACTS });
  await studio.renderer.next();
  await studio.until('gen-2', 'succeeded');
  const url = (id: string) => `${studio.url}/results/${id}/result.webp`;
  const own = { user_id: 'studio', username: 'studio', prompt: 'a red fox' };
  // 2.005 s at $0.10
  const film = recordOf('gen-2', { ...own, cost: '0.2005', ...FILM_SHOWN, result_url: url('gen-2') });
  const still = recordOf('gen-1', { ...own, cost: '0.01', result_url: url('gen-1') });
  const unfinished = { status: 'processing', completed_at: null, progress: 0, cost: null };
  const running = recordOf('gen-3', { ...own, ...unfinished, target_repo: 'films', seed: 7 });
  expect((await studio.get('/api/ai/generations')).body).toEqual({
    count: 3,
    page_number: 1,
    page_size: 50,
    total_pages: 1,
    total_entries: 3,
    total_cost: '0.2105',
    generations: [running, film, still],
  });
  expect((await studio.get('/api/ai/generations/gen-2')).body).toEqual({
    status: 'success',
    status_message: 'resource_found',
    generation: film,
  });
});
