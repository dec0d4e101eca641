/** Requests that our client does not make, and parts of answers that it does not report: statuses, headers and bodies as they are sent. */
import { spawn, spawnSync } from 'node:child_process';
import { expect } from 'vitest';
import { MEDIA_ENDPOINTS, type MediaEndpoint, routes } from '../../src/api/routes.ts';
import type { JsonObject } from '../../src/model/text/json.ts';
import { error, POSTS, rawHttp } from './raw-http.ts';
import type { Cases } from './service-fixture.ts';

const PLACE = { namespace: 'film-house', repo: 'looks', id: 'ft-harbour' };
const STILL: JsonObject = { model: 'I-GEN-A', prompt: 'a red fox' };
const CLIP: JsonObject = { model: 'V-T2V-A', prompt: 'a red fox' };
const REQUESTS: Readonly<Record<MediaEndpoint, JsonObject>> = {
  '/videos/generate': CLIP,
  '/images/generate': STILL,
  '/images/edit': { model: 'I-EDIT-A', prompt: 'snow' },
};

export const WIRE_CASES: Cases = {
  'a result is read whole, in part, not again when it is known, and without the key': async open => {
    const service = await open();
    const { post } = rawHttp(service);
    await post(routes.queue, STILL);
    await service.finish('gen-1');
    const look = async (headers: Record<string, string> = {}, method = 'GET', name = 'result.webp') => {
      const { status, headers: heard } = await fetch(`${service.url}/results/gen-1/${name}`, { method, headers });
      return [status, heard.get('content-type'), heard.get('content-range')];
    };
    expect(await look()).toEqual([200, 'image/webp', null]);
    expect(await look({}, 'HEAD')).toEqual([200, 'image/webp', null]);
    expect(await look({ range: 'bytes=4-7' })).toEqual([206, 'image/webp', 'bytes 4-7/36']);
    expect(await look({ range: 'bytes=-4' })).toEqual([206, 'image/webp', 'bytes 32-35/36']);
    expect(await look({ range: 'bytes=36-' })).toEqual([416, null, 'bytes */36']);
    expect(await look({ 'if-none-match': '"gen-1-36"' })).toEqual([304, null, null]);
    expect(await look({ 'if-none-match': '"gen-1-36"' }, 'HEAD')).toEqual([304, null, null]);
    for (const method of ['GET', 'HEAD'])
      expect((await look({}, method, 'other.webp')).slice(0, 2)).toEqual([404, 'application/json; charset=utf-8']);
  },

  'whoever waits for media is told when it is called off': async open => {
    const service = await open();
    const { ask, post } = rawHttp(service);
    for (const [n, endpoint] of MEDIA_ENDPOINTS.entries()) {
      const answer = post(routes.generateNow(endpoint), REQUESTS[endpoint]);
      await service.next();
      await ask('DELETE', routes.generation(`gen-${n + 1}`));
      expect(await answer).toMatchObject({ status: 409, body: error('generation_cancelled', 'cancelled on request') });
    }
  },

  'whoever waits for media is told when the service closes': async open => {
    const service = await open();
    const { post } = rawHttp(service);
    const answers = [];
    for (const endpoint of MEDIA_ENDPOINTS) {
      answers.push(post(routes.generateNow(endpoint), REQUESTS[endpoint]));
      await service.next();
    }
    await service.close();
    for (const [n, { status, headers, body }] of (await Promise.all(answers)).entries()) {
      const message = `the studio is closing; generation gen-${n + 1} is finished when it is started again`;
      expect([status, headers.get('retry-after'), body]).toEqual([503, '5', error('closing', message)]);
    }
  },

  'whoever waits for media that breaks is told, in words and without a stack': async open => {
    const service = await open();
    const { post } = rawHttp(service);
    const answer = post(routes.generateNow('/images/generate'), STILL);
    (await service.next()).breakDown();
    expect(await answer).toMatchObject({
      status: 500,
      body: error(
        'generation_failed',
        "the studio could not render this; its own log says why (that is the studio's bug)",
      ),
    });
  },

  'a custom model that is not active is 409 wherever it is asked for': async open => {
    const { post } = rawHttp(await open());
    const asked = [
      [routes.queue, 'fox-look'],
      [routes.generateNow('/videos/generate'), 'fox-look'],
      [routes.generateNow('/images/generate'), 'storm-look'],
      [routes.generateNow('/images/edit'), 'storm-look'],
    ] as const;
    for (const [path, model] of asked) {
      expect(await post(path, { model, prompt: 'a red fox' })).toMatchObject({
        status: 409,
        body: { error: { type: 'model_not_active' } },
      });
    }
  },

  'everything that is wrong with a request is told at once, each with the path of its field': async open => {
    const { post } = rawHttp(await open());
    const request = {
      model: 'V-I2V-A',
      input_image: 'fox.png',
      reference_image_urls: ['https://films.test/a.png', 7],
      duration: '10s',
      loop: true,
    };
    for (const path of [routes.queue, routes.generateNow('/videos/generate')]) {
      expect(await post(path, request)).toMatchObject({
        status: 400,
        body: {
          error: {
            type: 'invalid_request',
            message: expect.stringContaining('; '),
            details: [
              { path: 'prompt', message: 'prompt is required by V-I2V-A' },
              { path: 'input_image', message: 'input_image must be a URL, not "fox.png"' },
              { path: 'reference_image_urls[1]', message: 'reference_image_urls[1] must be text, not 7' },
              {
                path: 'loop',
                message: 'loop is supported for 5s clips only: set duration to 5s or leave loop out',
              },
            ],
          },
        },
      });
    }
  },

  'what is wrong with a medium is told with the path of its field, when it has been looked at': async open => {
    const media = { 'https://films.test/long.mp4': { facts: { kind: 'video', duration: 31 } } } as const;
    const { post } = rawHttp(await open({ media }));
    const refused = async (request: JsonObject, path: string, message: string) =>
      expect(await post(routes.generateNow('/videos/generate'), request)).toMatchObject({
        status: 400,
        body: { error: { type: 'invalid_request', message, details: [{ path, message }] } },
      });
    const clip = { model: 'V-RF', prompt: 'snow', aspect_ratio: '9:16', input_video: 'https://films.test/long.mp4' };
    await refused(clip, 'input_video', 'input_video is 31.0 s long; V-RF takes at most 30 s');
    const faces = { model: 'V-REF', prompt: 'snow', input_face_images: ['https://films.test/none.png'] };
    await refused(
      faces,
      'input_face_images[0]',
      'input_face_images[0]: https://films.test answered 404: check that the address can be read without signing in',
    );
  },

  'a request that names no model, or none by a text, is told so': async open => {
    const { post } = rawHttp(await open());
    for (const path of [...POSTS, routes.chat]) {
      for (const [body, message] of [
        [{ prompt: 'a red fox' }, 'model is required'],
        [{ model: 7 }, 'model must be a text'],
      ] as const) {
        const details = [{ path: 'model', message }];
        expect(await post(path, body)).toMatchObject({
          status: 400,
          body: { error: { type: 'invalid_request', message, details } },
        });
      }
    }
  },

  'unknown models, generations and fine-tunes are 404 in words': async open => {
    const { ask, post } = rawHttp(await open());
    const notFound = (type: string, message: string) => ({ status: 404, body: error(type, message) });
    const unknown = notFound('model_not_found', 'Model not found: nobody');
    for (const path of [...POSTS, routes.chat]) expect(await post(path, { model: 'nobody' })).toMatchObject(unknown);
    expect(await ask('GET', routes.model('nobody'))).toMatchObject(unknown);
    expect(await ask('GET', `${routes.model('nobody')}?deployment_status=live`)).toMatchObject(unknown);
    expect(await ask('POST', routes.activate('nobody'))).toMatchObject(unknown);
    expect(await ask('POST', routes.deactivate('nobody'))).toMatchObject(unknown);
    expect(await ask('GET', routes.generation('nobody'))).toMatchObject(
      notFound('generation_not_found', 'Generation not found: nobody'),
    );
    expect(await ask('POST', routes.tokenize({ ...PLACE, id: 'nobody' }))).toMatchObject(
      notFound('fine_tune_not_found', 'Fine-tune not found: film-house/looks/nobody'),
    );
  },

  'a chat is as large as the longest context': async open => {
    const { post } = rawHttp(await open());
    const messages = [{ role: 'user', content: 'a fox. '.repeat(400_000) }];
    expect((await post(routes.chat, { model: 'C-A', messages, max_tokens: 1 })).status).toBe(200);
  },

  'chat that is passed on is answered by whoever is there, and told who failed': async open => {
    const service = await open({ upstream: true });
    const { post } = rawHttp(service);
    const chat = () => post(routes.chat, { model: 'C-D', messages: [{ role: 'user', content: 'a fox' }] });
    const failed = (type: string, message: RegExp) => ({ error: { type, message: expect.stringMatching(message) } });
    await service.upstream('answers');
    expect(await chat()).toMatchObject({ status: 200, body: { object: 'chat.completion', model: 'llama' } });
    await service.upstream('breaks down');
    expect(await chat()).toMatchObject({
      status: 502,
      body: failed('upstream_failed', /^chat is passed on to http\S+, which answered 500: out of memory$/),
    });
    await service.upstream('is gone');
    expect(await chat()).toMatchObject({
      status: 503,
      body: failed('upstream_unreachable', /^chat is passed on to http\S+, and nothing answers there/),
    });
  },

  'a search for nothing, and a status that is not `live`, are 400': async open => {
    const { ask } = rawHttp(await open());
    for (const query of ['', '?search=', '?search=%20']) {
      expect(await ask('GET', routes.searchModels + query)).toMatchObject({
        status: 400,
        body: error('invalid_request', 'search is required: some letters of a model’s name'),
      });
    }
    expect(await ask('GET', `${routes.model('V-RF')}?deployment_status=dead`)).toMatchObject({
      status: 400,
      body: error('invalid_request', 'deployment_status must be live, or left out'),
    });
  },

  'too many requests are 429 until the time that `Retry-After` tells': async open => {
    const service = await open({ perSecond: 2 });
    const { ask } = rawHttp(service);
    const statuses = async () => {
      const found: number[] = [];
      for (const id of ['V-RF', 'V-RT', 'V-UP']) found.push((await ask('GET', routes.model(id))).status);
      return found;
    };
    expect(await statuses()).toEqual([200, 200, 429]);
    const { headers, body } = await ask('GET', routes.models);
    expect([headers.get('retry-after'), body]).toEqual([
      '1',
      error('rate_limited', 'too many requests: try again in 1 s'),
    ]);
    await service.later(1_000);
    expect(await statuses()).toEqual([200, 200, 429]);
  },

  'plain curl hears a completion': async open => {
    if (spawnSync('curl', ['--version']).status !== 0) return;
    const service = await open();
    const curl = spawn('curl', ['-sN', '-H', `Authorization: Bearer ${service.key}`, service.url + routes.events]);
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
    await rawHttp(service).post(routes.queue, STILL);
    await service.finish('gen-1');
    await hears('gen-1');
    curl.kill();
    expect(heard).toBe(': listening\n\nevent: media_generation_completed\ndata: {"generation_id":"gen-1"}\n\n');
  },
};
