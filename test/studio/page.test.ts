/** The studio's page as a client sees it: what is open, what needs the key, and under which rules a browser runs it. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/text/json.ts';
import { KEY, testStudio } from './fake-studio.ts';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; font-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const PARTS = {
  '/': 'text/html; charset=utf-8',
  '/page/page.js': 'text/javascript; charset=utf-8',
  '/page/page.css': 'text/css; charset=utf-8',
  '/page/chinese.css': 'text/css; charset=utf-8',
  '/page/mark.svg': 'image/svg+xml',
  '/page/display.woff2': 'font/woff2',
  '/page/sans.woff2': 'font/woff2',
  '/page/sans-bold.woff2': 'font/woff2',
  '/page/mono.woff2': 'font/woff2',
};

test.each(Object.entries(PARTS))('%s is open, and comes with the strictest rules', async (path, type) => {
  await using studio = await testStudio();
  const answer = await fetch(studio.url + path);
  const told = [
    'content-type',
    'content-security-policy',
    'x-content-type-options',
    'referrer-policy',
    'cache-control',
  ];
  expect({ status: answer.status, headers: told.map(name => answer.headers.get(name)) }).toEqual({
    status: 200,
    headers: [type, POLICY, 'nosniff', 'no-referrer', 'no-cache'],
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.length).toBe(Number(answer.headers.get('content-length')));
  const head = await fetch(studio.url + path, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  const again = await fetch(studio.url + path, { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } });
  expect([again.status, await again.text()]).toEqual([304, '']);
});

test('every address in the page is one of its own parts', async () => {
  await using studio = await testStudio();
  const read = async (path: string) => (await fetch(studio.url + path)).text();
  const html = await read('/');
  const sheets = (await read('/page/page.css')) + (await read('/page/chinese.css'));
  const script = await read('/page/page.js');
  const named = [
    ...[...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(match => match[1] ?? ''),
    ...[...sheets.matchAll(/url\("?([^")]+)"?\)/g)].map(match => match[1] ?? ''),
    ...[...script.matchAll(/["'`](\/page\/[\w.-]+\.\w+)["'`]/g)].map(match => match[1] ?? ''),
  ];
  expect(named.length).toBeGreaterThan(100);
  expect(named).toContain('/page/chinese.css');
  const gone = [];
  for (const path of new Set(named)) {
    const { status } = await fetch(studio.url + path, { method: 'HEAD' });
    if (status !== 200) gone.push({ path, status });
  }
  expect(gone).toEqual([]);
  // Nothing inline, or the policy would have to allow it.
  expect(html.match(/<style|\sstyle=|<script>|\son\w+=/g)).toBeNull();
});

test('nothing else is served under the page’s name', async () => {
  await using studio = await testStudio();
  for (const name of ['index.html.bak', '..%2ffiles.ts', 'constructor', '__proto__', 'noto-sans-sc-999.woff2']) {
    const { status, body } = await studio.get(`/page/${name}`);
    const message = `nothing is served at /page/${decodeURIComponent(name)}`;
    expect({ status, body }).toEqual({ status: 404, body: { error: { message, type: 'route_not_found' } } });
  }
  expect((await studio.post('/', {})).status).toBe(405);
});

test('what was asked for and made is read with the key only', async () => {
  await using studio = await testStudio();
  for (const authorization of ['', 'Bearer wrong', `Basic ${KEY}`]) {
    expect((await studio.get('/page/generations', { authorization })).status).toBe(401);
  }
  const { body } = await studio.get('/page/generations?limit=0');
  expect(body).toEqual({
    error: {
      message: 'limit must be a whole number from 1 to 2000',
      type: 'invalid_request',
      details: [{ path: 'limit', message: 'limit must be a whole number from 1 to 2000' }],
    },
  });
});

test.each([{ strict: false }, { strict: true }])(
  'a reading tells the queue in its order and what is finished, newest first (%j)',
  async options => {
    await using studio = await testStudio(options);
    for (const prompt of ['one', 'two', 'three', 'four']) await studio.enqueue({ model: 'I-GEN-A', prompt });
    await (await studio.renderer.next()).finish();
    (await studio.renderer.next()).fail(new Error('no'));
    await studio.until('gen-2', 'failed');
    (await studio.renderer.next()).hooks.progress(0.25);
    const at = 1_700_000_000;
    const row = (n: number, prompt: string, more: JsonObject) => ({
      ...{ id: `gen-${n}`, model: 'I-GEN-A', kind: 'image_generate', media_type: 'image', request: { prompt } },
      ...{ enqueued_at: at, started_at: at, completed_at: null, place: null, progress: null },
      ...{ error_message: null, result: null, facts: null },
      ...more,
    });
    const sentence = "the studio could not render this; its own log says why (that is the studio's bug)";
    const facts = { kind: 'image', format: 'webp', width: 3, height: 1 };
    const result = '/results/gen-1/result.webp';
    expect((await studio.get('/page/generations')).body).toEqual({
      queue: [
        row(3, 'three', { status: 'processing', progress: 0.25 }),
        row(4, 'four', { status: 'queued', place: 1, started_at: null }),
      ],
      made: [
        row(2, 'two', { status: 'failed', completed_at: at, error_message: sentence }),
        row(1, 'one', { status: 'succeeded', completed_at: at, progress: 1, result, facts }),
      ],
      total: 4,
      more: false,
    });
    expect((await studio.get('/page/generations?limit=3')).body).toMatchObject({ made: [{ id: 'gen-2' }], more: true });
  },
);
