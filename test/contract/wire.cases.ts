/** Every way of being refused, and every answer a client of ours does not ask for, on the wire: one JSON body, never a page and never a stack. */
import { spawn, spawnSync } from 'node:child_process';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { MEDIA_ENDPOINTS, type MediaEndpoint, routes } from '../../src/api/routes.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { StudioOptions } from '../../src/studio/serve.ts';
import { type Answer, KEY, testStudio } from '../studio/fake-studio.ts';
import { json, stubServer } from '../support/stub-server.ts';
import type { Witness } from './witness.ts';

const PLACE = { namespace: 'film-house', repo: 'looks', id: 'ft-harbour' };
const POSTS = [routes.queue, ...MEDIA_ENDPOINTS.map(routes.generateNow)];
const COMPLETION = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'llama',
  choices: [{ index: 0, message: { role: 'assistant', content: 'A fox.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
};
const BODILESS = [routes.activate('fox-look'), routes.deactivate('fox-look'), routes.tokenize(PLACE)];
const GETS = [
  routes.models,
  `${routes.searchModels}?search=a`,
  routes.model('V-RF'),
  routes.generation('x'),
  routes.events,
];

export interface WireStand {
  readonly strict: boolean;
  readonly witness: Witness;
}

const REQUESTS: Readonly<Record<MediaEndpoint, JsonObject>> = {
  '/videos/generate': { model: 'V-T2V-A', prompt: 'a red fox' },
  '/images/generate': { model: 'I-GEN-A', prompt: 'a red fox' },
  '/images/edit': { model: 'I-EDIT-A', prompt: 'snow' },
};

async function stand({ strict, witness }: WireStand, more: Partial<StudioOptions> = {}) {
  const studio = await testStudio({ strict, workers: 3, ...more });
  const url = await witness.before(studio.url);
  const ask = async (method: string, path: string, init: RequestInit = {}): Promise<Answer> => {
    const headers = { authorization: `Bearer ${KEY}`, ...init.headers };
    const response = await fetch(url + path, { method, ...init, headers });
    const text = await response.text();
    expect(text).not.toMatch(/<html|\bat .*\.[jt]s:\d/i);
    return { status: response.status, headers: response.headers, body: JSON.parse(text) };
  };
  const json = { 'content-type': 'application/json' };
  return { studio, url, ask, post: (path: string, body: string) => ask('POST', path, { headers: json, body }) };
}

const error = (type: string, message: string) => ({ error: { message, type } });

export const WIRE_CASES: Readonly<Record<string, (given: WireStand) => Promise<void>>> = {
  'a generation is enqueued, looked at, finished, and its file fetched': async given => {
    const { studio, url, ask, post } = await stand(given);
    await using _ = studio;
    const taken = await post(routes.queue, JSON.stringify(REQUESTS['/images/generate']));
    const [generation] = (taken.body as { generations: JsonObject[] }).generations;
    expect(generation).toEqual({ generation_id: 'gen-1', ...(given.strict ? {} : { status: 'queued' }) });
    const render = await studio.renderer.next();
    const status = given.strict ? 'pending' : 'processing';
    expect((await ask('GET', routes.generation('gen-1'))).body).toMatchObject({ status });
    await render.finish();
    const { result_url } = await studio.until('gen-1', 'succeeded');
    expect((await ask('GET', routes.generation('gen-1'))).body).toMatchObject({ status: 'succeeded', result_url });
    const file = new URL(String(result_url)).pathname;
    const found = [await fetch(url + file), await fetch(url + file, { method: 'HEAD' })];
    const missing = [await fetch(`${url}${file}x`), await fetch(`${url}${file}x`, { method: 'HEAD' })];
    expect([...found, ...missing].map(({ status }) => status)).toEqual([200, 200, 404, 404]);
    expect(found.map(({ headers }) => headers.get('content-type'))).toEqual(['image/webp', 'image/webp']);
  },

  'what is merely observed is there, or plainly is not': async given => {
    const { studio, ask, post } = await stand(given);
    await using _ = studio;
    await post(routes.queue, JSON.stringify(REQUESTS['/images/generate']));
    await (await studio.renderer.next()).finish();
    await studio.until('gen-1', 'succeeded');
    await post(routes.queue, JSON.stringify(REQUESTS['/videos/generate']));
    const statuses: Record<string, number> = {};
    for (const [method, path] of [
      ['GET', routes.queue],
      ['DELETE', routes.generation('gen-1')],
      ['DELETE', routes.generation('gen-2')],
      ['DELETE', routes.generation('gen-3')],
      ['GET', routes.generations],
      ['GET', `${routes.generations}?page_size=0`],
      ['GET', `${routes.generations}/gen-1`],
      ['GET', `${routes.generations}/gen-3`],
    ] as const) {
      statuses[`${method} ${path}`] = (await ask(method, path)).status;
    }
    expect(Object.values(statuses)).toEqual(
      given.strict ? [405, 405, 405, 405, 404, 404, 404, 404] : [200, 409, 200, 404, 200, 400, 200, 404],
    );
  },

  'whoever waits for media is told when it is called off, and when the studio closes': async given => {
    const { studio, ask, post } = await stand(given);
    await using _ = studio;
    const wait = (endpoint: MediaEndpoint) => post(routes.generateNow(endpoint), JSON.stringify(REQUESTS[endpoint]));
    if (!given.strict) {
      for (const [n, endpoint] of MEDIA_ENDPOINTS.entries()) {
        const answer = wait(endpoint);
        await studio.renderer.next();
        await ask('DELETE', routes.generation(`gen-${n + 1}`));
        expect(await answer).toMatchObject({
          status: 409,
          body: error('generation_cancelled', 'cancelled on request'),
        });
      }
    }
    const answers = MEDIA_ENDPOINTS.map(wait);
    while (studio.renderer.begun.length < (given.strict ? 3 : 6)) await studio.renderer.next();
    await studio.close();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([503, 503, 503]);
  },

  'a custom model that is not active is 409 wherever it is asked for': async given => {
    const { studio, post } = await stand(given);
    await using _ = studio;
    const asked = [
      [routes.queue, 'fox-look'],
      [routes.generateNow('/videos/generate'), 'fox-look'],
      [routes.generateNow('/images/generate'), 'storm-look'],
      [routes.generateNow('/images/edit'), 'storm-look'],
    ] as const;
    for (const [path, model] of asked) {
      expect(await post(path, JSON.stringify({ model, prompt: 'a red fox' }))).toMatchObject({
        status: 409,
        body: { error: { type: 'model_not_active' } },
      });
    }
  },

  'asked for under another machine’s name it is 421; its own description is for everybody': async given => {
    const { studio, url } = await stand(given);
    await using _ = studio;
    expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
    const answer = await new Promise<[number | undefined, string]>((resolve, reject) => {
      const options = { headers: { host: 'evil.test', authorization: `Bearer ${KEY}` } };
      request(url + routes.models, options, async response => resolve([response.statusCode, await text(response)]))
        .on('error', reject)
        .end();
    });
    expect([answer[0], JSON.parse(answer[1])]).toEqual([
      421,
      error('wrong_host', 'the studio answers on this machine only: use http://127.0.0.1'),
    ]);
  },

  'without a key everything is 401 `unauthenticated`': async given => {
    const { studio, ask } = await stand(given);
    await using _ = studio;
    const all = [
      ...GETS.map(path => ['GET', path]),
      ...[...POSTS, routes.chat, ...BODILESS].map(path => ['POST', path]),
    ] as const;
    for (const [method = '', path = ''] of all) {
      const { status, headers, body } = await ask(method, path, { headers: { authorization: 'Bearer no' } });
      expect([path, status, headers.get('www-authenticate'), body]).toEqual([
        path,
        401,
        'Bearer',
        error('unauthenticated', 'unauthenticated'),
      ]);
    }
  },

  '400 tells every reason with the path of its field': async given => {
    const { studio, post } = await stand(given);
    await using _ = studio;
    const request = {
      model: 'V-I2V-A',
      input_image: 'fox.png',
      reference_image_urls: ['https://films.test/a.png', 7],
      duration: '10s',
      loop: true,
    };
    for (const path of [routes.queue, routes.generateNow('/videos/generate')]) {
      const { status, body } = await post(path, JSON.stringify(request));
      const { type, details } = (body as { error: JsonObject }).error as { type: string; details: JsonObject[] };
      expect([status, type]).toEqual([400, 'invalid_request']);
      expect(details.map(detail => detail.path).sort()).toEqual([
        'input_image',
        'loop',
        'prompt',
        'reference_image_urls[1]',
      ]);
    }
  },

  'what is no JSON object of a decent size is 400, 413 or 415': async given => {
    const { studio, ask, post } = await stand(given);
    await using _ = studio;
    for (const path of POSTS) {
      expect((await post(path, '{"model":')).status).toBe(400);
      expect(await post(path, '[]')).toMatchObject({
        status: 400,
        body: error('invalid_json', 'the body must be a JSON object'),
      });
      expect(await post(path, JSON.stringify({ model: 'x'.repeat(1024 * 1024) }))).toMatchObject({
        status: 413,
        body: error('body_too_large', 'the body is larger than 1048576 bytes: name media by URL'),
      });
      expect(await ask('POST', path, { body: 'model=V-RF', headers: { 'content-type': 'text/plain' } })).toMatchObject({
        status: 415,
        body: error('unsupported_media_type', 'send the body with Content-Type: application/json'),
      });
    }
  },

  'unknown models, generations and fine-tunes are 404 in words': async given => {
    const { studio, ask, post } = await stand(given);
    await using _ = studio;
    const notFound = (type: string, message: string) => ({ status: 404, body: error(type, message) });
    const unknown = notFound('model_not_found', 'Model not found: nobody');
    for (const path of [...POSTS, routes.chat]) expect(await post(path, '{"model":"nobody"}')).toMatchObject(unknown);
    expect(await ask('GET', routes.model('nobody'))).toMatchObject(unknown);
    expect(await ask('POST', routes.activate('nobody'))).toMatchObject(unknown);
    expect(await ask('POST', routes.deactivate('nobody'))).toMatchObject(unknown);
    expect(await ask('GET', routes.generation('nobody'))).toMatchObject(
      notFound('generation_not_found', 'Generation not found: nobody'),
    );
    expect(await ask('POST', routes.tokenize({ ...PLACE, id: 'nobody' }))).toMatchObject(
      notFound('fine_tune_not_found', 'Fine-tune not found: film-house/looks/nobody'),
    );
  },

  'a chat is as large as the longest context, and no larger': async given => {
    const { studio, ask, post } = await stand(given);
    await using _ = studio;
    const asked = (content: string) =>
      JSON.stringify({ model: 'C-A', messages: [{ role: 'user', content }], max_tokens: 1 });
    expect((await post(routes.chat, asked('a fox. '.repeat(400_000)))).status).toBe(200);
    expect(await post(routes.chat, asked('x'.repeat(8 * 1024 * 1024)))).toMatchObject({
      status: 413,
      body: { error: { type: 'body_too_large' } },
    });
    expect(await post(routes.chat, '{"model":')).toMatchObject({
      status: 400,
      body: { error: { type: 'invalid_json' } },
    });
    expect(
      (await ask('POST', routes.chat, { body: 'model=C-A', headers: { 'content-type': 'text/plain' } })).status,
    ).toBe(415);
  },

  'chat that is passed on is answered by whoever is there, and told who failed': async given => {
    const upstream = await stubServer(json(200, COMPLETION));
    const { studio, post } = await stand(given, {
      chatUpstream: { url: `${upstream.url}/v1`, key: 'up-key', model: 'llama' },
    });
    await using _ = studio;
    const chat = () =>
      post(routes.chat, JSON.stringify({ model: 'C-D', messages: [{ role: 'user', content: 'a fox' }] }));
    expect(await chat()).toMatchObject({ status: 200, body: COMPLETION });
    upstream.answer(json(500, { error: { message: 'out of memory\n    at run (engine.js:1:2)' } }));
    const said = `chat is passed on to ${upstream.url}, which answered 500: out of memory`;
    expect(await chat()).toMatchObject({ status: 502, body: error('upstream_failed', said) });
    await upstream.stop();
    expect(await chat()).toMatchObject({
      status: 503,
      body: error(
        'upstream_unreachable',
        `chat is passed on to ${upstream.url}, and nothing answers there (connection refused)`,
      ),
    });
  },

  'a search for nothing, and a status that is not `live`, are 400': async given => {
    const { studio, ask } = await stand(given);
    await using _ = studio;
    for (const query of ['', '?search=', '?search=%20']) {
      expect(await ask('GET', routes.searchModels + query)).toMatchObject({
        status: 400,
        body: error('invalid_request', 'search is required: some letters of a model’s name'),
      });
    }
    expect(await ask('GET', `${routes.model('V-RF')}?deployment_status=dead`)).toMatchObject({ status: 400 });
  },

  'a studio that minds its tempo says 429, and when to come again': async given => {
    const { studio, ask } = await stand(given, { rate: { perSecond: 2 } });
    await using _ = studio;
    const statuses = async (count: number) => {
      const found: number[] = [];
      for (let n = 0; n < count; n++) found.push((await ask('GET', routes.model('V-RF'))).status);
      return found;
    };
    expect(await statuses(3)).toEqual([200, 200, 429]);
    const { headers, body } = await ask('GET', routes.models);
    expect([headers.get('retry-after'), body]).toEqual([
      '1',
      error('rate_limited', 'too many requests: try again in 1 s'),
    ]);
    await studio.clock.advance(1_000);
    expect(await statuses(3)).toEqual([200, 200, 429]);
  },

  'plain curl hears a completion': async given => {
    if (spawnSync('curl', ['--version']).status !== 0) return;
    const { studio, url } = await stand(given);
    await using _ = studio;
    const curl = spawn('curl', ['-sN', '-H', `Authorization: Bearer ${KEY}`, url + routes.events]);
    let heard = '';
    const hears = (text: string) =>
      new Promise<void>(resolve => {
        const look = () => heard.includes(text) && resolve();
        curl.stdout.on('data', look);
        look();
      });
    curl.stdout.setEncoding('utf8').on('data', (text: string) => {
      heard += text;
    });
    await hears(': listening');
    const id = await studio.enqueue({ model: 'I-GEN-A', prompt: 'a red fox' });
    await (await studio.renderer.next()).finish();
    await hears(id);
    curl.kill();
    expect(heard).toBe(`: listening\n\nevent: media_generation_completed\ndata: {"generation_id":"${id}"}\n\n`);
  },
};
