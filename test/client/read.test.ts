import { describe, expect, onTestFinished, test } from 'vitest';
import type { Answer, Service } from '../../src/api/service.ts';
import { connect } from '../../src/client/connect.ts';
import { FakeClock } from '../support/fake-clock.ts';
import {
  endless,
  halfABody,
  htmlPage,
  json,
  redirect,
  resetAfterRequest,
  silent,
  stubServer,
  text,
  type Way,
} from '../support/stub-server.ts';

const KEY = 'sk-very-secret-key';
const never = new AbortController().signal;

function service(baseUrl: string, clock = new FakeClock()): Service {
  const made = connect({ name: 'hub', baseUrl, key: KEY, clock });
  onTestFinished(() => made.close());
  return made;
}

test('a generation is read with what is promised and what was merely observed', async () => {
  const record = {
    generation_id: 'a/b',
    status: 'processing',
    result_url: null,
    media_type: 'video',
    enqueued_at: 1_763_000_000,
    position: 2,
    progress: 0.25,
    target_namespace: 'somebody',
    started_at: 'yesterday',
  };
  const stub = await stubServer(json(200, record));
  expect(await service(stub.url).generation('a/b', never)).toEqual({
    is: 'ok',
    value: {
      generation_id: 'a/b',
      status: 'processing',
      result_url: null,
      media_type: 'video',
      enqueued_at: 1_763_000_000,
      position: 2,
      progress: 0.25,
    },
  });
  expect(stub.seen[0]).toMatchObject({ method: 'GET', path: '/api/ai/queue/a%2Fb' });
  expect(stub.seen[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
});

test('questions share kept connections', async () => {
  const stub = await stubServer(json(200, { generation_id: 'g', status: 'queued' }));
  const hub = service(stub.url);
  for (let n = 0; n < 20; n++) await hub.generation('g', never);
  expect(stub.seen.length).toBe(20);
  expect(stub.connections).toBeLessThan(5);
});

describe('each kind of bad answer', () => {
  const now = new FakeClock().now();
  const cases: readonly [string, Way, (host: string) => Answer<never>][] = [
    ['401', text(401, 'unauthenticated'), () => ({ is: 'unauthenticated', message: 'unauthenticated (401)' })],
    ['403', htmlPage(403), host => ({ is: 'unauthenticated', message: `${host} answered 403 without a reason` })],
    ['404', json(404, { error: 'no such generation' }), () => ({ is: 'absent', message: 'no such generation (404)' })],
    ['405', text(405, ''), host => ({ is: 'absent', message: `${host} answered 405 without a reason` })],
    [
      '429',
      json(429, { error: { message: 'slow down' } }, { 'retry-after': '3' }),
      () => ({ is: 'unavailable', message: 'slow down (429)', retryAfter: 3000 }),
    ],
    [
      '503 until a date',
      text(503, 'in repair', { 'retry-after': new Date(now + 60_000).toUTCString() }),
      () => ({ is: 'unavailable', message: 'in repair (503)', retryAfter: 60_000 }),
    ],
    [
      '502 from a proxy',
      htmlPage(502),
      host => ({ is: 'unavailable', message: `${host} answered 502 without a reason` }),
    ],
    [
      'a page',
      htmlPage(200),
      host => ({ is: 'unavailable', message: `${host} answered with something that is not a generation` }),
    ],
    [
      "somebody else's generation",
      json(200, { generation_id: 'other', status: 'succeeded' }),
      host => ({ is: 'unavailable', message: `${host} answered with something that is not a generation` }),
    ],
    ['half a body', halfABody, host => ({ is: 'unavailable', message: `${host}: the connection was cut` })],
    ['a reset', resetAfterRequest, host => ({ is: 'unavailable', message: `${host}: the connection was cut` })],
    ['an endless body', endless, host => ({ is: 'unavailable', message: `${host}: the answer is longer than 8 MiB` })],
    [
      'a redirect without end',
      redirect(302, '/api/ai/queue/again'),
      host => ({ is: 'unavailable', message: `${host}: it redirects round and round; check the base address` }),
    ],
  ];
  for (const [name, way, answer] of cases) {
    test(name, async () => {
      const stub = await stubServer(way);
      expect(await service(stub.url).generation('g', never)).toEqual(answer(stub.host));
    });
  }
});

test('a silent service is given up after 30 s of our own clock', async () => {
  const stub = await stubServer(silent);
  const clock = new FakeClock();
  const answer = service(stub.url, clock).generation('g', never);
  await stub.arrived(1);
  await clock.advance(30_000);
  expect(await answer).toEqual({ is: 'unavailable', message: `${stub.host}: no whole answer within 30 s` });
});

test('a call that is called off ends at once', async () => {
  const stub = await stubServer(silent);
  const stop = new AbortController();
  const answer = service(stub.url).generation('g', stop.signal);
  await stub.arrived(1);
  stop.abort();
  expect(await answer).toEqual({ is: 'unavailable', message: `${stub.host}: stopped` });
});

test('the key never follows a redirect to another origin, not even another port', async () => {
  const elsewhere = await stubServer(json(200, { generation_id: 'g', status: 'succeeded' }));
  for (const status of [301, 302, 303, 307, 308]) {
    const stub = await stubServer(redirect(status, `${elsewhere.url}/api/ai/queue/g`));
    expect(await service(stub.url).generation('g', never)).toEqual({
      is: 'unavailable',
      message: `${stub.host}: it redirects to ${elsewhere.url}, and the key is not sent there; set the base address to where the service is`,
    });
  }
  expect(elsewhere.seen).toEqual([]);
});

test('a redirect within the origin is followed', async () => {
  const record = json(200, { generation_id: 'g', status: 'queued' });
  const stub = await stubServer((response, request) =>
    (request.url === '/api/ai/queue/g' ? redirect(307, '/v2/queue/g') : record)(response, request),
  );
  expect((await service(stub.url).generation('g', never)).is).toBe('ok');
  expect(stub.seen.map(seen => seen.path)).toEqual(['/api/ai/queue/g', '/v2/queue/g']);
});

test('cancelling asks for the record to be deleted', async () => {
  const stub = await stubServer(json(200, { generation_id: 'g', status: 'success' }));
  const hub = service(stub.url);
  expect(await hub.cancel('g', never)).toEqual({ is: 'ok', value: null });
  stub.answer(text(404, 'not offered'));
  expect(await hub.cancel('g', never)).toEqual({ is: 'absent', message: 'not offered (404)' });
  expect(stub.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'DELETE /api/ai/queue/g',
    'DELETE /api/ai/queue/g',
  ]);
});

test('a model that says little is still a whole model', async () => {
  const stub = await stubServer(
    json(200, {
      id: 'vendor/film',
      pricing: {
        method: 'per_video_output_second',
        cost_per_second: 0.1,
        cost_per_second_by_resolution: { '480p': 0.096, bad: 'x' },
      },
      deployments: [{ status: 'active' }, { status: 'melting' }],
      json_request_schema: { type: 'object' },
    }),
  );
  expect(await service(stub.url).model('vendor/film', never)).toEqual({
    is: 'ok',
    value: {
      id: 'vendor/film',
      object: 'model',
      created: 0,
      owned_by: '',
      display_name: 'vendor/film',
      description: null,
      summary: null,
      model_type: 'base',
      endpoint: '',
      capabilities: { input: [], output: [] },
      pricing: {
        method: 'per_video_output_second',
        cost_per_second: 0.1,
        cost_per_second_by_resolution: { '480p': 0.096 },
      },
      fine_tuning: null,
      deployments: [{ status: 'active' }, { status: 'unknown' }],
      developer: null,
      source_model: null,
      image_url: null,
      released_at: null,
      request_schema: { type: 'object' },
    },
  });
  expect(stub.seen[0]?.path).toBe('/api/ai/models/vendor%2Ffilm');
});

test('the list of models leaves out what has no id', async () => {
  const stub = await stubServer(json(200, { object: 'list', data: [{ id: 'V-UP' }, { name: 'nobody' }, null] }));
  const answer = await service(stub.url).models(never);
  expect(answer.is === 'ok' && answer.value.map(model => model.id)).toEqual(['V-UP']);
});

describe('the history', () => {
  /** Serves `pages`, understanding the page number under one spelling only. */
  const paged =
    (spelling: string, pages: readonly (readonly [id: string, at: number][])[], total = pages.length): Way =>
    (response, request) => {
      const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get(spelling) ?? 1);
      const generations = (pages[page - 1] ?? []).map(([generation_id, enqueued_at]) => ({
        generation_id,
        enqueued_at,
        status: 'queued',
        prompt: `prompt of ${generation_id}`,
        cost: '0.50',
      }));
      json(200, { count: generations.length, page_number: page, total_pages: total, generations })(response, request);
    };

  test('is read to its end, newest first, without doubles, however pages are asked for', async () => {
    for (const spelling of ['page', 'page_number']) {
      const stub = await stubServer(
        paged(spelling, [
          [
            ['c', 3],
            ['b', 2],
          ],
          [
            ['b', 2],
            ['a', 1],
          ],
        ]),
      );
      const answer = await service(stub.url).history(never);
      expect(answer.is === 'ok' && answer.value).toEqual(
        [
          ['c', 3],
          ['b', 2],
          ['a', 1],
        ].map(([id, at]) => ({
          generation_id: id,
          enqueued_at: at,
          status: 'queued',
          prompt: `prompt of ${id}`,
          cost: '0.50',
        })),
      );
    }
  });

  test('is read no further than to the rows that are asked about', async () => {
    const pages = Array.from({ length: 9 }, (_, n) => [[`g${n}`, 1000 - n]] as [string, number][]);
    const stub = await stubServer(paged('page', pages));
    const answer = await service(stub.url).history(never, { until: new Set(['g2', 'g0']) });
    expect(answer.is === 'ok' && answer.value.map(row => row.generation_id)).toEqual(['g0', 'g1', 'g2']);
    expect(stub.seen.length).toBe(3);
    await service(stub.url).history(never, { until: new Set(['g2', 'nobody']) });
    expect(stub.seen.length).toBe(3 + 9);
  });

  test('is not handed on with a hole: "not there" would be paid for', async () => {
    const stub = await stubServer(paged('offset', [[['c', 3]], [['b', 2]]]));
    expect(await service(stub.url).history(never)).toEqual({
      is: 'unavailable',
      message: `the history of ${stub.host} cannot be read to its end: page 2 of 2 cannot be asked for`,
    });
    stub.answer(json(200, { generations: [{ generation_id: 'c', status: 'queued' }, { status: 'queued' }] }));
    expect(await service(stub.url).history(never)).toEqual({
      is: 'unavailable',
      message: `${stub.host} answered with something that is not a history`,
    });
  });

  test('of a hundred pages is enough when it is plainly newest first', async () => {
    const pages = Array.from({ length: 100 }, (_, n) => [[`g${n}`, 1000 - n]] as [string, number][]);
    const stub = await stubServer(paged('page', pages, 5000));
    const hub = service(stub.url);
    const answer = await hub.history(never);
    expect(answer.is === 'ok' && answer.value.length).toBe(100);
    stub.answer(paged('page', [...pages].reverse(), 5000));
    expect(await hub.history(never)).toEqual({
      is: 'unavailable',
      message: `the history of ${stub.host} cannot be read to its end: it has 5000 pages`,
    });
  });

  test('is absent where it is not offered', async () => {
    const stub = await stubServer(text(404, 'nothing here'));
    expect(await service(stub.url).history(never)).toEqual({ is: 'absent', message: 'nothing here (404)' });
  });
});
