import { describe, expect, test } from 'vitest';
import { isTerminal } from '../../src/api/queue.ts';
import type { Answer } from '../../src/api/service.ts';
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
import { KEY, never, service } from './hub.ts';

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
      () => ({ is: 'unavailable', message: 'slow down (429)', retryAfter: 3000, busy: true }),
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

describe('a connection that is cut', () => {
  /** Destroys the connection under the first `times` requests, then answers. */
  const cutting = (times: number, then: Way): Way => {
    let left = times;
    return (response, request) => (left-- > 0 ? request.socket.destroy() : then(response, request));
  };
  const record = json(200, { generation_id: 'g', status: 'queued' });

  test('before any byte of the answer came is made again once, at once, for a question', async () => {
    const stub = await stubServer(cutting(1, record));
    const clock = new FakeClock();
    expect((await service(stub.url, clock).generation('g', never)).is).toBe('ok');
    expect([stub.seen.length, clock.sleeping]).toEqual([2, []]);
  });

  test('and cut again is told', async () => {
    const stub = await stubServer(cutting(2, record));
    expect(await service(stub.url).generation('g', never)).toEqual({
      is: 'unavailable',
      message: `${stub.host}: the connection was cut`,
    });
    expect(stub.seen.length).toBe(2);
  });

  test('under a cancel or a POST is never made again', async () => {
    const stub = await stubServer(cutting(9, record));
    const hub = service(stub.url);
    expect((await hub.cancel('g', never)).is).toBe('unavailable');
    expect((await hub.enqueue({ model: 'V-T2V-A' }, never)).is).toBe('unknown');
    expect((await hub.activate('m', never)).is).toBe('unavailable');
    expect(stub.seen.map(({ method }) => method)).toEqual(['DELETE', 'POST', 'POST']);
  });

  test('in the middle of an answer is told: that one had begun', async () => {
    const stub = await stubServer(halfABody);
    expect((await service(stub.url).generation('g', never)).is).toBe('unavailable');
    expect(stub.seen.length).toBe(1);
  });

  test('when nobody waits for it any more is not made again', async () => {
    const stop = new AbortController();
    const stub = await stubServer((_response, request) => {
      stop.abort();
      request.socket.destroy();
    });
    expect((await service(stub.url).generation('g', stop.signal)).is).toBe('unavailable');
    expect(stub.seen.length).toBe(1);
  });
});

describe('what a record says', () => {
  const told = async (record: object) => {
    const stub = await stubServer(json(200, { generation_id: 'g', status: 'queued', ...record }));
    const answer = await service(stub.url).generation('g', never);
    return answer.is === 'ok' ? answer.value : answer.is;
  };

  test('is the end only in the exact words', async () => {
    const statuses = [
      'succeeded',
      'Succeeded',
      ' succeeded ',
      'succeeded\u200b',
      'FAILED',
      'melting',
      '\u0085done\u202e',
    ];
    const seen = await Promise.all(statuses.map(status => told({ status })));
    expect(seen.map(record => typeof record === 'object' && [record.status, isTerminal(record.status)])).toEqual([
      ['succeeded', true],
      ['Succeeded', false],
      ['"succeeded"', false],
      ['"succeeded"', false],
      ['FAILED', false],
      ['melting', false],
      ['done', false],
    ]);
    expect(await told({ status: 7 })).toBe('unavailable');
  });

  test('is fit for a message, without a control or direction character', async () => {
    const vicious = '\u009b2Jno\u202e \u0007credit\u001b]0;x\u0007\r\nleft';
    expect(await told({ error_message: vicious, model_name: ' V-UP\u2066' })).toEqual({
      generation_id: 'g',
      status: 'queued',
      error_message: 'no credit left',
      model_name: 'V-UP',
    });
    const long = await told({ error_message: 'x'.repeat(100_000) });
    expect(typeof long === 'object' && long.error_message?.length).toBe(4000);
  });

  test('is not believed under another id, nor under one that steers a terminal', async () => {
    for (const generation_id of ['other', 'g ', 'g\u009b', '\ud800', 7, { $gt: '' }]) {
      expect(await told({ generation_id }), JSON.stringify(generation_id)).toBe('unavailable');
    }
    expect(await told({ generation_id: null })).toMatchObject({ generation_id: 'g' });
  });
});

test('what a catalog says of a model is clean where it is shown, and whole where it is data', async () => {
  const vicious = '\u009b31m\u202eFilm\u001b[2J\u0007';
  const schema = { properties: { prompt: { description: vicious } } };
  const stub = await stubServer(
    json(200, {
      data: [
        {
          id: 'vendor/film',
          ...{ display_name: vicious, owned_by: vicious, summary: vicious, description: `${vicious}\r\n  two` },
          ...{ endpoint: vicious, source_model: vicious, image_url: vicious, released_at: vicious },
          ...{ developer: { name: vicious, logo: vicious }, capabilities: { input: [vicious], output: [7] } },
          pricing: { method: 'time', cost_per_second_by_resolution: { '480p': 0.1, [vicious]: 9 } },
          request_schema: schema,
        },
        { id: `vendor/${vicious}` },
      ],
    }),
  );
  const answer = await service(stub.url).models(never);
  const models = answer.is === 'ok' ? answer.value : [];
  expect(models).toHaveLength(1);
  expect(models[0]).toMatchObject({
    ...{ display_name: 'Film', owned_by: 'Film', summary: 'Film', description: 'Film\ntwo', endpoint: 'Film' },
    ...{ source_model: 'Film', image_url: 'Film', released_at: 'Film', developer: { name: 'Film', logo: 'Film' } },
    ...{ capabilities: { input: ['Film'], output: [] }, request_schema: schema },
  });
  expect(models[0]?.pricing.cost_per_second_by_resolution).toEqual({ '480p': 0.1 });
});
