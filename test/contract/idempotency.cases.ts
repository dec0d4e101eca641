/**
 * `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a request sent again under its name is one request, everywhere that a POST
 * moves money. The document knows no such header: a strict service takes every POST for a new one.
 */
import { expect } from 'vitest';
import { MEDIA_ENDPOINTS, routes } from '../../src/api/routes.ts';
import type { JsonObject } from '../../src/model/text/json.ts';
import { POSTS, type RawAnswer, rawHttp } from './raw-http.ts';
import type { Cases, ServiceFixture } from './service-fixture.ts';

const STILL: JsonObject = { model: 'I-GEN-A', prompt: 'a red fox' };
const CHAT: JsonObject = { model: 'C-A', messages: [{ role: 'user', content: 'a fox' }], max_tokens: 4 };
const REQUESTS: Readonly<Record<string, JsonObject>> = {
  [routes.queue]: STILL,
  [routes.generateNow('/videos/generate')]: { model: 'V-T2V-A', prompt: 'a red fox' },
  [routes.generateNow('/images/generate')]: STILL,
  [routes.generateNow('/images/edit')]: { model: 'I-EDIT-A', prompt: 'snow' },
  [routes.chat]: CHAT,
};

function named(service: ServiceFixture) {
  const { ask } = rawHttp(service);
  return (key: string, path: string, body: JsonObject): Promise<RawAnswer> =>
    ask('POST', path, {
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    });
}

const idsOf = ({ body }: RawAnswer) =>
  (body as unknown as { generations: { generation_id: string }[] }).generations.map(one => one.generation_id);

export const IDEMPOTENCY_CASES: Cases = {
  'a request sent again under its name is one generation, and gets the answer of the first': async open => {
    const service = await open();
    const send = named(service);
    const first = await send('one', routes.queue, STILL);
    expect(idsOf(first)).toEqual(['gen-1']);
    if (service.strict) {
      expect(idsOf(await send('one', routes.queue, STILL))).toEqual(['gen-2']);
      expect(idsOf(await send('one', routes.queue, { ...STILL, seed: 2 }))).toEqual(['gen-3']);
      return;
    }
    await service.finish('gen-1');
    // A quoted key is the same key, and the order of the fields is nobody's business.
    expect((await send('"one"', routes.queue, { prompt: 'a red fox', model: 'I-GEN-A' })).body).toEqual(first.body);
    expect(idsOf(await send('two', routes.queue, STILL))).toEqual(['gen-2']);
  },

  'twenty at once under one name are one generation': async open => {
    const service = await open();
    const answers = await Promise.all(Array.from({ length: 20 }, () => named(service)('one', routes.queue, STILL)));
    expect(new Set(answers.flatMap(idsOf)).size).toBe(service.strict ? 20 : 1);
  },

  'several of one request under one name are told in their order': async open => {
    const service = await open();
    if (service.strict) return;
    const request = { ...STILL, num_generations: 3 };
    const send = () => named(service)('one', routes.queue, request);
    expect([idsOf(await send()), idsOf(await send())]).toEqual([
      ['gen-1', 'gen-2', 'gen-3'],
      ['gen-1', 'gen-2', 'gen-3'],
    ]);
  },

  'whoever sends it again while it is made waits for what the first waits for': async open => {
    const service = await open();
    if (service.strict) return;
    for (const [n, endpoint] of MEDIA_ENDPOINTS.entries()) {
      const path = routes.generateNow(endpoint);
      const send = () => named(service)(`make ${n}`, path, REQUESTS[path] ?? {});
      const answers = [send(), send()];
      const work = await service.next();
      await work.finish();
      const [one, two] = await Promise.all(answers);
      expect([one?.status, two?.body]).toEqual([200, one?.body]);
      expect((await send()).body).toEqual(one?.body);
      expect(service.begun()).toBe(n + 1);
    }
  },

  'a call that failed failed under its name: another name tries again': async open => {
    const service = await open();
    const path = routes.generateNow('/images/generate');
    const answer = named(service)('one', path, STILL);
    (await service.next()).refuse('the prompt holds no shot');
    const first = await answer;
    expect(first.status).toBe(400);
    if (!service.strict) expect((await named(service)('one', path, STILL)).body).toEqual(first.body);
    const other = named(service)('two', path, STILL);
    await (await service.next()).finish();
    expect((await other).status).toBe(200);
  },

  'a chat is answered once under its name, whole or streamed': async open => {
    const service = await open();
    for (const stream of [false, true]) {
      const send = () => named(service)(`chat ${stream}`, routes.chat, { ...CHAT, stream });
      const first = await send();
      await service.later(5_000);
      const second = await send();
      expect([first.status, second.status]).toEqual([200, 200]);
      // A chat of its own has an id and a time of its own.
      if (service.strict) expect(second.body).not.toEqual(first.body);
      else expect(second.body).toEqual(first.body);
    }
  },

  'a name that stands for another request is 422 wherever it is sent': async open => {
    const service = await open();
    if (service.strict) return;
    const send = named(service);
    await send('one', routes.queue, STILL);
    await send('talk', routes.chat, CHAT);
    const refused = (key: string) => ({
      status: 422,
      body: {
        error: {
          type: 'idempotency_key_reused',
          message: `Idempotency-Key ${key} was sent before with another request, which it stands for: give this one a key of its own`,
        },
      },
    });
    expect(await send('one', routes.queue, { ...STILL, seed: 2 })).toMatchObject(refused('one'));
    for (const path of [...POSTS.slice(1), routes.chat])
      expect(await send('one', path, REQUESTS[path] ?? {})).toMatchObject(refused('one'));
    expect(await send('talk', routes.chat, { ...CHAT, max_tokens: 5 })).toMatchObject(refused('talk'));
    expect(await send('talk', routes.queue, STILL)).toMatchObject(refused('talk'));
    // The render may begin after its request was answered.
    await expect.poll(() => service.begun()).toBe(1);
  },

  'a refused request leaves its name free, and a name that is none is refused': async open => {
    const service = await open();
    const send = named(service);
    expect((await send('one', routes.queue, { ...STILL, seed: 'x' })).status).toBe(400);
    expect(idsOf(await send('one', routes.queue, STILL))).toEqual(['gen-1']);
    if (service.strict) return;
    const message = 'Idempotency-Key must be 1 to 255 printable ASCII characters: a UUID does well';
    for (const key of ['""', 'x'.repeat(256)])
      expect(await send(key, routes.queue, STILL)).toMatchObject({ status: 400, body: { error: { message } } });
  },

  'records and the history carry the name': async open => {
    const service = await open();
    const { ask } = rawHttp(service);
    await named(service)('one', routes.queue, STILL);
    const record = (await ask('GET', routes.generation('gen-1'))).body as JsonObject;
    if (service.strict) return expect(Object.keys(record)).toEqual(['generation_id', 'status']);
    const { generations } = (await ask('GET', routes.generations)).body as unknown as { generations: JsonObject[] };
    expect([record.idempotency_key, generations[0]?.idempotency_key]).toEqual(['one', 'one']);
  },
};
