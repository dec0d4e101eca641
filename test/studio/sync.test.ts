import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/text/json.ts';
import { testStudio } from './fake-studio.ts';

const STILL = { model: 'I-GEN-A', prompt: 'a red fox' };
const CLIP = { model: 'V-T2V-A', prompt: 'a red fox' };

test('a synchronous answer has the shape that was observed', async () => {
  await using studio = await testStudio();
  const video = studio.post('/api/ai/videos/generate', CLIP);
  const first = await studio.renderer.next();
  await studio.clock.advance(12_000);
  await first.finish();
  const url = (id: string) => `${studio.url}/results/${id}/result.webp`;
  expect(await video).toMatchObject({
    status: 200,
    body: { created: 1_700_000_012, model: 'V-T2V-A', videos: [{ url: url('gen-1') }] },
  });
  const image = studio.post('/api/ai/images/generate', STILL);
  await (await studio.renderer.next()).finish();
  expect((await image).body).toEqual({ created: 1_700_000_012, model: 'I-GEN-A', images: [{ url: url('gen-2') }] });
});

test('a strict studio says where the media is, and nothing that was merely observed', async () => {
  await using studio = await testStudio({ strict: true });
  const answer = studio.post('/api/ai/images/generate', STILL);
  await (await studio.renderer.next()).finish();
  expect((await answer).body).toEqual({ result_url: `${studio.url}/results/gen-1/result.webp` });
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

test('what is cancelled while somebody waits for it is told', async () => {
  await using studio = await testStudio();
  const answer = studio.post('/api/ai/images/generate', STILL);
  await studio.renderer.next();
  await studio.delete('/api/ai/queue/gen-1');
  expect(await answer).toMatchObject({
    status: 409,
    body: { error: { message: 'cancelled on request', type: 'generation_cancelled' } },
  });
});

test('a studio that closes tells those who wait, and the next one finishes their work', async () => {
  await using studio = await testStudio();
  const answer = studio.post('/api/ai/images/generate', STILL);
  await studio.renderer.next();
  await studio.close();
  const { status, headers, body } = await answer;
  expect([status, headers.get('retry-after'), body]).toEqual([
    503,
    '5',
    {
      error: {
        message: 'the studio is closing; generation gen-1 is finished when it is started again',
        type: 'closing',
      },
    },
  ]);
  await using next = await testStudio({ folder: studio.folder });
  await (await next.renderer.next()).finish();
  await next.until('gen-1', 'succeeded');
});

test('a chat model is sent to where it is answered', async () => {
  await using studio = await testStudio();
  const { status, body } = await studio.post('/api/ai/videos/generate', {
    model: 'C-D',
    messages: [{ role: 'user', content: 'a fox' }],
  });
  expect([status, (body as { error: JsonObject }).error.message]).toEqual([
    400,
    'C-D is not made at /api/ai/videos/generate: send it to /api/ai/chat/completions',
  ]);
});
