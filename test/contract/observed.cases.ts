/**
 * Services of this shape were observed to do more than the document says. There is a case for each observation: a service has it, and a
 * strict service plainly has not. (Chat, which was observed too, has its own cases.)
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { routes } from '../../src/api/routes.ts';
import type { JsonObject } from '../../src/model/text/json.ts';
import { error, type RawAnswer, rawHttp } from './raw-http.ts';
import type { Cases } from './service-fixture.ts';

const STILL: JsonObject = { model: 'I-GEN-A', prompt: 'a red fox' };
const CLIP: JsonObject = { model: 'V-T2V-A', prompt: 'a red fox', duration: 2 };
const FILED = { target_namespace: 'film-house', target_repo: 'films', target_directory: 'takes' };
const TUNE = { namespace: 'film-house', repo: 'looks', id: 'ft-harbour' };
/** The fake clock's, in Unix seconds. */
const NOW = 1_700_000_000;

const absent = ({ status, body }: RawAnswer, path: string): void =>
  expect([status, body]).toEqual([404, error('route_not_found', `nothing is served at ${path}`)]);
const notTaken = ({ status, body }: RawAnswer, method: string, path: string, takes: string): void =>
  expect([status, body]).toEqual([405, error('method_not_allowed', `${path} takes ${takes}, not ${method}`)]);
const ids = ({ body }: RawAnswer): readonly string[] =>
  (body as unknown as { generations: { generation_id: string }[] }).generations.map(one => one.generation_id);

export const OBSERVED_CASES: Cases = {
  'non-terminal statuses: queued, then processing': async open => {
    const service = await open();
    const { ask, post } = rawHttp(service);
    const word = async () => ((await ask('GET', routes.generation('gen-1'))).body as JsonObject).status;
    const taken = (await post(routes.queue, STILL)).body as unknown as { generations: JsonObject[] };
    await service.next();
    expect([taken.generations[0]?.status, await word()]).toEqual(
      service.strict ? [undefined, 'pending'] : ['queued', 'processing'],
    );
  },

  'enqueue response: the id, and its status': async open => {
    const service = await open();
    const { body } = await rawHttp(service).post(routes.queue, STILL);
    const status = service.strict ? {} : { status: 'queued' };
    expect(body).toEqual({ generations: [{ generation_id: 'gen-1', ...status }] });
  },

  'generation record: its model, its times and where it is filed': async open => {
    const service = await open();
    const { ask, post } = rawHttp(service);
    await post(routes.queue, STILL);
    await service.finish('gen-1');
    const promised = {
      generation_id: 'gen-1',
      status: 'succeeded',
      result_url: `${service.url}/results/gen-1/result.webp`,
    };
    const observed = {
      model_name: 'I-GEN-A',
      media_type: 'image',
      enqueued_at: NOW,
      started_at: NOW,
      completed_at: NOW,
      error_message: null,
      target_namespace: null,
      target_repo: null,
      target_directory: null,
    };
    const own = { position: null, progress: 1, idempotency_key: null };
    const { body } = await ask('GET', routes.generation('gen-1'));
    expect(body).toEqual(service.strict ? promised : { ...promised, ...observed, ...own });
  },

  'enqueue fields beyond the model’s own: where to file it, and how many': async open => {
    const service = await open();
    const { ask, post } = rawHttp(service);
    const answer = await post(routes.queue, { ...STILL, ...FILED, num_generations: 1 });
    if (service.strict) {
      const { error } = answer.body as unknown as { error: { details: { path: string }[] } };
      expect([answer.status, error.details.map(({ path }) => path).sort()]).toEqual([
        400,
        ['num_generations', ...Object.keys(FILED)].sort(),
      ]);
      return;
    }
    expect((await ask('GET', routes.generation('gen-1'))).body).toMatchObject(FILED);
    const two = await post(routes.queue, { ...STILL, num_generations: 2 });
    expect(two.body).toEqual({
      generations: [
        { generation_id: 'gen-2', status: 'queued' },
        { generation_id: 'gen-3', status: 'queued' },
      ],
    });
    // The pictures differ.
    const seeds = await Promise.all(
      ['gen-2', 'gen-3'].map(async id => {
        const { body } = await ask('GET', `/api/ai/generations/${id}`);
        return (body as unknown as { generation: { seed?: number } }).generation.seed ?? null;
      }),
    );
    expect(seeds).toEqual([null, 1]);
    expect(await post(routes.queue, { ...STILL, num_generations: 13, target_repo: 7 })).toMatchObject({
      status: 400,
      body: {
        error: {
          details: [
            { path: 'target_repo', message: 'target_repo must be text or null, not 7' },
            { path: 'num_generations', message: 'num_generations must be at most 12, not 13' },
          ],
        },
      },
    });
  },

  'GET /api/ai/queue: what is active, or has the status that is asked for; six filters': async open => {
    const service = await open();
    const { ask, post } = rawHttp(service);
    await post(routes.queue, STILL);
    await service.finish('gen-1');
    await post(routes.queue, { ...CLIP, ...(service.strict ? {} : FILED) });
    await service.next();
    if (service.strict) return notTaken(await ask('GET', routes.queue), 'GET', routes.queue, 'POST');
    const listed = async (query: string) => ids(await ask('GET', routes.queue + query));
    expect((await ask('GET', routes.queue)).body).toMatchObject({ count: 1, generations: [{ status: 'processing' }] });
    expect(await listed('?status=succeeded')).toEqual(['gen-1']);
    for (const fits of ['model=V-T2V-A', 'media_type=video', 'namespace=film-house', 'repo=films', 'folder=takes'])
      expect([fits, await listed(`?${fits}`)]).toEqual([fits, ['gen-2']]);
    for (const not of ['model=I-GEN-A', 'media_type=image', 'namespace=x', 'repo=x', 'folder=x', 'status=queued'])
      expect([not, await listed(`?${not}`)]).toEqual([not, []]);
  },

  'DELETE /api/ai/queue/{generation_id}: cancels what has not ended; the record stays': async open => {
    const service = await open();
    const { ask, post } = rawHttp(service);
    await post(routes.queue, STILL);
    await service.finish('gen-1');
    await post(routes.queue, CLIP);
    const path = routes.generation('gen-2');
    if (service.strict) return notTaken(await ask('DELETE', path), 'DELETE', path, 'GET');
    expect(await ask('DELETE', path)).toMatchObject({
      status: 200,
      body: { generation_id: 'gen-2', status: 'success' },
    });
    expect((await ask('GET', path)).body).toMatchObject({ status: 'cancelled', error_message: 'cancelled on request' });
    expect(await ask('DELETE', routes.generation('gen-1'))).toMatchObject({
      status: 409,
      body: error('already_finished', 'generation gen-1 has already succeeded: there is nothing to cancel'),
    });
    expect(await ask('DELETE', routes.generation('nobody'))).toMatchObject({
      status: 404,
      body: error('generation_not_found', 'Generation not found: nobody'),
    });
  },

  'GET /api/ai/generations: the history, newest first, in pages, with costs': async open => {
    const service = await open();
    const { ask, post } = rawHttp(service);
    for (const seed of [1, 2, 3]) await post(routes.queue, { ...STILL, seed });
    await service.finish('gen-1');
    if (service.strict) return absent(await ask('GET', routes.generations), routes.generations);
    const page = (query: string) => ask('GET', `${routes.generations}?${query}`);
    const first = await page('page_size=2');
    const { generations, ...counts } = first.body as unknown as JsonObject & { generations: readonly JsonObject[] };
    expect(counts).toEqual({
      count: 2,
      page_number: 1,
      page_size: 2,
      total_pages: 2,
      total_entries: 3,
      total_cost: '0.01',
    });
    expect(generations[0]).toMatchObject({ generation_id: 'gen-3', prompt: 'a red fox', seed: 3, cost: null });
    expect(generations[0]).toMatchObject({ user_id: 'studio', username: 'studio' });
    for (const spelling of ['page', 'page_number'])
      expect((await page(`page_size=2&${spelling}=2`)).body).toMatchObject({
        count: 1,
        page_number: 2,
        generations: [{ generation_id: 'gen-1', cost: '0.01' }],
      });
    expect((await page('page_size=2&page=3')).body).toMatchObject({ count: 0, generations: [] });
    expect(ids(await page('status=succeeded&model=I-GEN-A'))).toEqual(['gen-1']);
    for (const [query, message] of [
      ['page_size=0', 'page_size must be a whole number from 1 to 500'],
      ['page_size=501', 'page_size must be a whole number from 1 to 500'],
      ['page=first', 'page must be a whole number from 1'],
      ['page_number=-1', 'page_number must be a whole number from 1'],
    ] as const) {
      const details = [{ path: query.split('=')[0], message }];
      expect(await page(query)).toMatchObject({ status: 400, body: { error: { message, details } } });
    }
  },

  'GET /api/ai/generations/{id}: one row of it': async open => {
    const service = await open();
    const { ask, post } = rawHttp(service);
    await post(routes.queue, CLIP);
    const path = `${routes.generations}/gen-1`;
    if (service.strict) return absent(await ask('GET', path), path);
    expect((await ask('GET', path)).body).toMatchObject({
      status: 'success',
      status_message: 'resource_found',
      generation: { generation_id: 'gen-1', prompt: 'a red fox', duration: 2, cost: null },
    });
    expect(await ask('GET', `${routes.generations}/nobody`)).toMatchObject({
      status: 404,
      body: error('generation_not_found', 'Generation not found: nobody'),
    });
  },

  'prompt: what the model’s table says, so that the upscaler takes none': async open => {
    const { post } = rawHttp(await open());
    const request = { model: 'V-UP', input_video: 'https://films.test/clip.mp4' };
    expect((await post(routes.queue, request)).status).toBe(200);
    expect((await post(routes.queue, { ...request, prompt: 'sharper' })).body).toMatchObject({
      error: { details: [{ path: 'prompt' }] },
    });
  },

  'videos/generate: created, model and videos': async open => {
    const service = await open();
    const answer = rawHttp(service).post(routes.generateNow('/videos/generate'), CLIP);
    await (await service.next()).finish();
    const url = `${service.url}/results/gen-1/result.webp`;
    const observed = { created: NOW, model: 'V-T2V-A', videos: [{ url }] };
    expect((await answer).body).toEqual(service.strict ? { result_url: url } : observed);
  },

  'images/generate, images/edit: created, model and images': async open => {
    const service = await open();
    const asked = [
      ['/images/generate', STILL],
      ['/images/edit', { model: 'I-EDIT-A', prompt: 'snow' }],
    ] as const;
    for (const [n, [endpoint, request]] of asked.entries()) {
      const answer = rawHttp(service).post(routes.generateNow(endpoint), request);
      await (await service.next()).finish();
      const url = `${service.url}/results/gen-${n + 1}/result.webp`;
      const observed = { created: NOW, model: request.model, images: [{ url }] };
      expect((await answer).body).toEqual(service.strict ? { result_url: url } : observed);
    }
  },

  'pricing: by resolution, and of an image by quality, then resolution': async open => {
    const service = await open();
    const { ask } = rawHttp(service);
    const { pricing } = (await ask('GET', routes.model('V-T2V-A'))).body as JsonObject;
    const promised = { method: 'per_video_output_second', cost_per_second: 0.15 };
    const observed = { cost_per_second_by_resolution: { '720P': 0.1, '1080P': 0.15 } };
    expect(pricing).toEqual(service.strict ? promised : { ...promised, ...observed });
    const image = ((await ask('GET', routes.model('I-EDIT-C'))).body as JsonObject).pricing;
    const any = { method: 'per_image', cost_per_image: 0.1 };
    const grid = { cost_per_image_grid: { low: { '2K': 0.03, '4K': 0.05 }, high: { '2K': 0.1, '4K': 0.19 } } };
    expect(image).toEqual(service.strict ? any : { ...any, ...grid });
  },

  'request_schema: a JSON Schema of the model’s own parameters': async open => {
    const { ask } = rawHttp(await open());
    const { request_schema } = (await ask('GET', routes.model('I-GEN-A'))).body as JsonObject;
    const takes = new Ajv2020({ strict: false }).compile(request_schema as JsonObject);
    expect([takes({ prompt: 'a red fox' }), takes({}), takes({ prompt: 7 })]).toEqual([true, false, false]);
  },

  'tokenize: status, status_message and the fine-tune': async open => {
    const service = await open();
    const { ask } = rawHttp(service);
    const { body } = await ask('POST', routes.tokenize(TUNE));
    const more = { status: 'tokenizing', base_model: 'I-GEN-A' };
    expect(body).toEqual(
      service.strict
        ? { fine_tune: { id: TUNE.id } }
        : { status: 'success', status_message: 'resource_updated', fine_tune: { id: TUNE.id, ...more } },
    );
    expect(await ask('POST', routes.tokenize({ ...TUNE, repo: 'x' }))).toMatchObject({
      status: 404,
      body: error('fine_tune_not_found', 'Fine-tune not found: film-house/x/ft-harbour'),
    });
  },

  'a fine-tune is read: created, tokenizing, and in the end tokenized': async open => {
    const service = await open();
    const { ask } = rawHttp(service);
    const read = async () => (await ask('GET', routes.fineTune(TUNE))).body;
    if (service.strict) {
      expect(await ask('GET', routes.fineTune(TUNE))).toMatchObject({ status: 404 });
      return;
    }
    const told = (fine_tune: JsonObject) => ({ status: 'success', status_message: 'resource_found', fine_tune });
    const harbour = { id: TUNE.id, base_model: 'I-GEN-A' };
    expect(await read()).toEqual(told({ ...harbour, status: 'created' }));
    await ask('POST', routes.tokenize(TUNE));
    expect(await read()).toEqual(told({ ...harbour, status: 'tokenizing', progress: expect.any(Number) }));
    expect(await ask('GET', routes.fineTune({ ...TUNE, id: 'nobody' }))).toMatchObject({
      status: 404,
      body: error('fine_tune_not_found', 'Fine-tune not found: film-house/looks/nobody'),
    });
  },

  'result URLs: read without the credential, and told again with the record': async open => {
    const service = await open();
    const { ask, post } = rawHttp(service);
    await post(routes.queue, STILL);
    await service.finish('gen-1');
    const told = async () => String(((await ask('GET', routes.generation('gen-1'))).body as JsonObject).result_url);
    const bytes = async (url: string) => (await (await fetch(url)).arrayBuffer()).byteLength;
    expect([await bytes(await told()), await bytes(await told())]).toEqual([36, 36]);
  },
};
