/** The review page's server: who is let in, what is given, what is believed. */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/machine/time/clock.ts';
import type { ReportedMedia } from '../../src/model/run/run-report.ts';
import type { LocalStore } from '../../src/records/store/local-store.ts';
import { type ReviewServer, serveReview } from '../../src/show/pages/review/review-server.ts';
import type { ReviewChange, ReviewReply } from '../../src/show/pages/review/review-state.ts';
import { workFolder } from '../support/temp.ts';
import { FakeReview, option, question } from './fake-review.ts';
import { storeOfFilms } from './runs.ts';

let store: LocalStore;
let films: readonly [ReportedMedia, ReportedMedia, ReportedMedia];
let review: FakeReview;
let server: ReviewServer;
let base: URL;
const mistakes: string[] = [];

beforeAll(async () => {
  ({ store, films } = await storeOfFilms(await workFolder()));
  review = new FakeReview(store, [
    question(1, [option(1, 1, films[0]), option(1, 2, films[1])]),
    question(2, [option(2, 1, films[0]), option(2, 2, null)]),
  ]);
  server = await serveReview({ source: review, clock: systemClock, port: 0, log: line => mistakes.push(line) });
  base = new URL(server.url);
});
afterAll(async () => {
  await server?.close();
  expect(mistakes).toEqual([]);
});

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Given {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** The path goes out as it stands: nothing is folded on the way. */
const ask = (path: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Given> =>
  new Promise((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port: base.port, path, method, headers: { host: base.host, ...headers } },
      response => {
        const chunks: Buffer[] = [];
        response.on('data', chunk => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
        );
        response.on('error', reject);
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
const at = (path: string) => `${base.pathname}${path}`;
const post = (body: unknown, headers: Record<string, string> = {}) =>
  ask(at('decide'), {
    method: 'POST',
    headers: { origin: base.origin, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const action = { do: 'decide', key: 'best[beat=1]', chosen: ['1-2'], note: null, seen: null };

describe('who is let in', () => {
  test('whoever has the link: the page, with a policy that lets nothing else in', async () => {
    const { status, headers, body } = await ask(at(''));
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-security-policy': "frame-ancestors 'none'",
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(body.toString()).toContain("default-src 'none'");
    expect(base.pathname.length).toBeGreaterThan(30);
  });

  test.each([
    ['no token', '/', {}, 403],
    ['no token, and a place', '/events', {}, 403],
    ['a wrong token', '/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/', {}, 403],
    ['a name that was made to lead here', '', { host: 'evil.example' }, 421],
    ['the same with our port', '', { host: 'evil.example:PORT' }, 421],
    ['another port’s page', '', { host: '127.0.0.1:1' }, 421],
    ['another page’s script', '', { origin: 'https://evil.example' }, 403],
    ['a page without an origin', '', { origin: 'null' }, 403],
    ['another program’s page on this machine', '', { origin: 'http://127.0.0.1:1' }, 403],
    [
      'a frame in another page',
      '',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
      403,
    ],
    [
      'a picture in another page',
      '',
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
      403,
    ],
    [
      'a link in another page',
      '',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
      200,
    ],
    ['another name of this machine', '', { host: 'localhost:PORT' }, 200],
  ] as const)('%s: %s %o → %i', async (_, path, headers, status) => {
    const named = Object.fromEntries(
      Object.entries(headers).map(([name, text]) => [name, text.replace('PORT', base.port)]),
    );
    const given = await ask(path === '' ? at('') : path, { headers: named });
    expect(given.status).toBe(status);
    // Whoever is not let in learns nothing of the film.
    if (status !== 200) expect(given.body.toString()).not.toContain('North Light');
  });

  test('a link that opens the page once does so once', async () => {
    const once = new URL(server.singleUseUrl()).pathname;
    expect((await ask(once, { headers: { host: 'evil.example' } })).status).toBe(421);
    const first = await ask(once);
    expect([first.status, first.headers.location]).toEqual([303, base.pathname]);
    expect((await ask(once)).status).toBe(403);
  });
});

describe('what is given', () => {
  const media = () => at(`media/${films[0].sha256}`);
  const bytes = () => readFileSync(store.file(films[0].sha256) ?? '');

  test('content that is under review, under its digest, and as nothing but media', async () => {
    const { status, headers, body } = await ask(media());
    expect([status, headers['content-type']]).toEqual([200, 'video/mp4']);
    expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox");
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(body.equals(bytes())).toBe(true);
    const again = await ask(media(), { headers: { 'if-none-match': String(headers.etag) } });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });

  test('not what the store has beside it, and nothing by a path that climbs', async () => {
    // It is in the store, and under no question.
    expect((await ask(at(`media/${films[2].sha256}`))).status).toBe(404);
    for (const path of [
      'media/../../etc/passwd',
      'media/..%2f..%2fetc%2fpasswd',
      `media/${films[0].sha256}/../${films[2].sha256}`,
      `media/${films[0].sha256.toUpperCase()}`,
      `media//${films[0].sha256}`,
      `media/${films[0].sha256}%00`,
      '../',
      './events',
      'index.html',
      'decide',
    ])
      expect([path, (await ask(at(path))).status]).toEqual([path, 404]);
  });

  test.each([
    ['bytes=0-9', 206, 'bytes 0-9/', 10],
    ['bytes=5-', 206, 'bytes 5-', undefined],
    ['bytes=-7', 206, 'bytes ', 7],
    ['bytes=0-99999999999', 206, 'bytes 0-', undefined],
    ['bytes=9-5', 200, undefined, undefined],
    ['bytes=99999999999-', 416, 'bytes */', 0],
    ['bytes=0-1,3-4', 200, undefined, undefined],
    ['pages=1-2', 200, undefined, undefined],
    ['bytes=-', 200, undefined, undefined],
    ['bytes=-0', 416, 'bytes */', 0],
    ['bytes=1e1-20', 200, undefined, undefined],
  ])('Range: %s → %i', async (range, status, contentRange, length) => {
    const { status: given, headers, body } = await ask(media(), { headers: { range } });
    expect(given).toBe(status);
    if (contentRange !== undefined) expect(headers['content-range']).toContain(contentRange);
    if (length !== undefined) expect(body.length).toBe(length);
    expect(Number(headers['content-length'])).toBe(body.length);
  });

  test('a part that belongs to other content is the whole', async () => {
    expect((await ask(media(), { headers: { range: 'bytes=0-9', 'if-range': '"other"' } })).status).toBe(200);
  });

  test('a still, drawn once for all who ask', async () => {
    const [one, two] = await Promise.all([1, 2].map(() => ask(at(`still/${films[1].sha256}`))));
    expect([one?.status, one?.headers['content-type']]).toEqual([200, 'image/jpeg']);
    expect(two?.body.equals(one?.body ?? Buffer.alloc(0))).toBe(true);
  });

  test('where a result was deleted, words', async () => {
    const gone = { ...films[0], sha256: 'a'.repeat(64) };
    review.changeQuestion('best[beat=2]', before => ({ ...before, options: [option(2, 1, gone), option(2, 2, null)] }));
    await ask(at(''));
    const { status, body } = await ask(at(`media/${gone.sha256}`));
    expect([status, body.toString()]).toEqual([410, expect.stringContaining('not on this machine any more')]);
    expect((await ask(at(`still/${gone.sha256}`))).status).toBe(404);
    review.changeQuestion('best[beat=2]', before => ({
      ...before,
      options: [option(2, 1, films[0]), option(2, 2, null)],
    }));
  });
});

describe('what is believed', () => {
  test('a decision of the page itself', async () => {
    const { status, body } = await post(action);
    expect([status, JSON.parse(body.toString())]).toEqual([
      200,
      {
        answer: { is: 'done', words: null },
        // What there is to see after it, whether or not a stream of the page is open.
        now: { version: expect.any(Number), order: ['best[beat=1]', 'best[beat=2]'], ...review.state },
      },
    ]);
    expect(review.actions.at(-1)).toEqual(action);
    const taken: ReviewReply = JSON.parse((await post({ ...action, chosen: ['1-1'] })).body.toString());
    expect(taken.answer).toEqual({ is: 'taken' });
  });

  test.each([
    ['another page’s', { origin: 'https://evil.example' }, 403],
    ['one without an origin', { origin: '' }, 403],
    ['a form’s', { 'content-type': 'text/plain' }, 415],
    ['a form’s with a file', { 'content-type': 'multipart/form-data; boundary=x' }, 415],
  ])('not %s', async (_, headers, status) => {
    const before = review.actions.length;
    const named = Object.fromEntries(Object.entries(headers));
    expect((await post(action, named)).status).toBe(status);
    expect(review.actions.length).toBe(before);
  });

  test.each([
    '',
    'null',
    '[]',
    '{"do":"decide"}',
    '{"do":"drop","key":"best"}',
    '{"do":"decide","key":"best","chosen":"1-1"}',
    '{"do":"decide","key":"best","chosen":[1]}',
    '{"do":"decide","key":"best","chosen":["a","a"]}',
    '{"do":"decide","key":"best","chosen":["a"],"note":{}}',
    '{"do":"decide","key":"best","chosen":["a"],"seen":"now"}',
    '{"do":"reject","key":"best"}',
    `{"do":"decide","key":"${'x'.repeat(3000)}","chosen":[]}`,
  ])('not %s', async body => {
    expect((await post(body)).status).toBe(400);
  });

  test('not a body without end', async () => {
    expect((await post(`{"do":"${'x'.repeat(300_000)}"}`)).status).toBe(413);
    expect((await ask(at('decide'), { method: 'DELETE' })).status).toBe(405);
    expect((await ask(at(''), { method: 'POST', headers: { origin: base.origin } })).status).toBe(404);
  });
});

describe('what changes', () => {
  test('is told to every page that is open, and only that; nobody is followed for nobody', async () => {
    const tabs = await Promise.all([listen(), listen()]);
    for (const tab of tabs) {
      const first = await tab.next();
      expect(first.questions.map(({ key }) => key)).toEqual(['best[beat=1]', 'best[beat=2]']);
    }
    expect(review.followers).toBe(1);
    const half = (one: ReturnType<typeof option>) => (one.isReady ? one : { ...one, fraction: 0.5 });
    review.changeQuestion('best[beat=2]', before => ({ ...before, options: before.options.map(half) }));
    for (const tab of tabs) {
      const { order, questions } = await tab.next();
      expect([order.length, questions.map(({ key }) => key)]).toEqual([2, ['best[beat=2]']]);
    }
    for (const tab of tabs) tab.leave();
    await expect.poll(() => review.followers).toBe(0);
  });

  test('is said goodbye to where the review is closed', async () => {
    const other = await serveReview({ source: review, clock: systemClock, port: 0, log: () => {} });
    const tab = await listen(other.url);
    await tab.next();
    await other.close();
    expect(await tab.rest()).toContain('event: closed');
    await expect(fetch(other.url)).rejects.toThrow();
  });
});

async function listen(url = server.url) {
  const stop = new AbortController();
  const response = await fetch(`${url}events`, { signal: stop.signal });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const more = async () => {
    const { value, done } = await reader.read();
    text += value ?? '';
    return !done;
  };
  return {
    async next(): Promise<ReviewChange> {
      for (;;) {
        const [found, data] = /event: change\ndata: (.*)\n\n/.exec(text) ?? [];
        if (found !== undefined) {
          text = text.slice(text.indexOf(found) + found.length);
          return JSON.parse(data ?? '');
        }
        await more();
      }
    },
    async rest(): Promise<string> {
      while (await more());
      return text;
    },
    leave: () => stop.abort(),
  };
}
