import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/text/json.ts';
import { recordOf, testStudio } from './fake-studio.ts';

const STILL = { model: 'I-GEN-A', prompt: 'a red fox' };
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

test('history comes in pages, and is filtered', async () => {
  await using studio = await testStudio();
  for (let count = 0; count < 5; count++) await studio.enqueue(STILL);
  const page = async (query: string) => {
    const { generations, ...rest } = (await studio.get(`/api/ai/generations?${query}`)).body as JsonObject;
    return { ...rest, ids: (generations as JsonObject[]).map(({ generation_id }) => generation_id) };
  };
  const shape = { page_size: 2, total_pages: 3, total_entries: 5, total_cost: null };
  expect(await page('page_size=2')).toEqual({ ...shape, count: 2, page_number: 1, ids: ['gen-5', 'gen-4'] });
  expect(await page('page_size=2&page_number=3')).toEqual({ ...shape, count: 1, page_number: 3, ids: ['gen-1'] });
  expect(await page('page_size=2&page=9')).toEqual({ ...shape, count: 0, page_number: 9, ids: [] });
  const none = { count: 0, page_number: 1, page_size: 50, total_pages: 0, total_entries: 0, total_cost: null, ids: [] };
  expect(await page('model=V-RF')).toEqual(none);
  for (const [query, message] of [
    ['page_number=0', 'page_number must be a whole number from 1'],
    ['page_number=-1', 'page_number must be a whole number from 1'],
    ['page_size=501', 'page_size must be a whole number from 1 to 500'],
    ['page_size=many', 'page_size must be a whole number from 1 to 500'],
  ]) {
    const path = String(query).split('=')[0];
    expect(await studio.get(`/api/ai/generations?${query}`)).toMatchObject({
      status: 400,
      body: { error: { message, type: 'invalid_request', details: [{ path, message }] } },
    });
  }
});
