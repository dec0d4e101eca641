/** Each vice by its name, over real HTTP: what a client meets on such a day, the same every time for the same seed. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/text/json.ts';
import { RenderRefusal } from '../../src/studio/animatic/job.ts';
import { readVice, VICES, type ViceName, viceList } from '../../src/studio/service/vices/vice-table.ts';
import { KEY, type TestStudio, testStudio } from './fake-studio.ts';

const STILL = { model: 'I-GEN-A', prompt: 'a red fox' };
const CHAT = { model: 'C-A', messages: [{ role: 'user', content: 'a fox' }] };
const QUEUE = '/api/ai/queue';
const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };

type Story = (serve: (...vices: string[]) => Promise<TestStudio>) => Promise<void>;

/** What the wire gives: pages are no JSON, and a cut connection is no answer. */
async function send(studio: TestStudio, path: string, body: JsonObject): Promise<string> {
  try {
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(studio.url + path, { ...init, redirect: 'manual' });
    return `${response.status} ${response.headers.get('content-type') ?? ''}`.trim();
  } catch {
    return 'cut';
  }
}

async function times<T>(count: number, work: (n: number) => Promise<T>): Promise<readonly T[]> {
  const results: T[] = [];
  for (let n = 0; n < count; n++) results.push(await work(n));
  return results;
}

interface History {
  readonly count: number;
  readonly total_pages?: number;
  readonly total_entries?: number;
  readonly generations: readonly JsonObject[];
}
const history = async (studio: TestStudio, query = '') =>
  (await studio.get(`/api/ai/generations${query}`)).body as unknown as History;
const ids = ({ generations }: History) => generations.map(row => row.generation_id);
const record = async (studio: TestStudio, id: string) => (await studio.get(`${QUEUE}/${id}`)).body as JsonObject;

/** Takes it to its end, and gives its record as the studio has it. */
async function finished(studio: TestStudio, id = 'gen-1'): Promise<JsonObject> {
  if (id === 'gen-1') await studio.enqueue(STILL);
  await (await studio.renderer.next()).finish();
  return settled(studio, id);
}

/** Past whatever the record is told as: the log is not misled. */
async function settled(studio: TestStudio, id = 'gen-1'): Promise<JsonObject> {
  while (!studio.log.some(line => line.startsWith(`${id} `))) await new Promise(setImmediate);
  return record(studio, id);
}

const taken = (studio: TestStudio) => studio.renderer.begun.length;

/** The stream's text until it holds `last`. */
async function heard(studio: TestStudio, last: string, meanwhile: () => Promise<unknown>): Promise<string> {
  const response = await fetch(`${studio.url}/api/events`, { headers });
  const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader.read()).value ?? '';
  await meanwhile();
  while (!text.includes(last)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the stream ended after ${text}`);
    text += value;
  }
  await reader.cancel();
  return text;
}

const gateway =
  (vice: ViceName, answer: string): Story =>
  async serve => {
    const always = await serve(`${vice}=1`);
    expect(await send(always, QUEUE, STILL)).toBe(answer);
    expect((await record(always, 'gen-1')).status).toMatch(/queued|processing/);
    // A request that is refused is refused: nothing was taken.
    expect(await send(always, QUEUE, { model: 'I-GEN-A' })).toBe('400 application/json; charset=utf-8');
    const call = send(always, '/api/ai/images/generate', STILL);
    while (ids(await history(always)).length < 2) await new Promise(setImmediate);
    await always.clock.advance(1_000);
    expect(await call).toBe(answer);
    expect(await send(always, '/api/ai/chat/completions', CHAT)).toBe(answer);
    const sometimes = await serve(vice);
    const answers = await times(12, () => send(sometimes, QUEUE, STILL));
    expect([...new Set(answers)].sort()).toEqual(['200 application/json; charset=utf-8', answer].sort());
    expect(ids(await history(sometimes)).length).toBe(12);
  };

const storm =
  (vice: ViceName, retryAfter: string | null): Story =>
  async serve => {
    const studio = await serve(vice);
    const look = async () => {
      const { status, headers } = await studio.get('/api/ai/models/V-RF');
      return [status, headers.get('retry-after')];
    };
    expect(await look()).toEqual([429, retryAfter]);
    expect(await send(studio, QUEUE, STILL)).toMatch(/^429/);
    await studio.clock.advance(2_000);
    expect([await look(), taken(studio)]).toEqual([[200, null], 0]);
    await studio.clock.advance(4_000);
    expect(await look()).toEqual([429, retryAfter]);
  };

/** A result as it comes: its status, type, and how much of it. */
const fetched = async (url: string) => {
  const response = await fetch(url);
  const bytes = (await response.arrayBuffer()).byteLength;
  expect(Number(response.headers.get('content-length'))).toBe(bytes);
  return `${response.status} ${response.headers.get('content-type')} ${bytes}`;
};

const instead =
  (vice: ViceName, wrong: RegExp): Story =>
  async serve => {
    const studio = await serve(vice);
    const url = String((await finished(studio)).result_url);
    const come = await times(12, () => fetched(url));
    expect(come).toContain('200 image/webp 36');
    const others = come.filter(one => one !== '200 image/webp 36');
    expect(others.length).toBeGreaterThan(0);
    for (const other of others) expect(other).toMatch(wrong);
  };

const TUNE = '/api/repos/film-house/looks/fine_tunes/ft-harbour';
const TOKENIZE = `${TUNE}/tokenize`;
const tuned = async (studio: TestStudio) => ((await studio.get(TUNE)).body as JsonObject).fine_tune as JsonObject;

const STORIES: Readonly<Record<ViceName, Story>> = {
  'history-truncates': async serve => {
    const studio = await serve('history-truncates=2');
    await times(4, () => studio.enqueue(STILL));
    const page = await history(studio);
    expect([ids(page), page.count, page.total_entries, page.total_pages]).toEqual([['gen-4', 'gen-3'], 2, 2, 1]);
    expect(ids(await history(studio, '?page_size=1&page=2'))).toEqual(['gen-3']);
    expect(await record(studio, 'gen-1')).toMatchObject({ generation_id: 'gen-1' });
  },
  'history-omits-fields': async serve => {
    const bare = await serve('history-omits-fields=1');
    await bare.post(QUEUE, { ...STILL, seed: 4 }, { 'idempotency-key': 'one' });
    expect((await history(bare)).generations).toEqual([
      { generation_id: 'gen-1', status: expect.stringMatching(/queued|processing/) },
    ]);
    const some = await serve('history-omits-fields');
    await times(8, n => some.enqueue({ ...STILL, seed: n }));
    const { generations } = await history(some);
    const with_ = (name: string) => generations.filter(row => name in row).length;
    for (const name of ['prompt', 'seed', 'model_name']) expect([0, 8]).not.toContain(with_(name));
    expect((await history(some)).generations).toEqual(generations);
    expect(with_('idempotency_key')).toBe(0);
  },
  'history-rewrites': async serve => {
    const studio = await serve('history-rewrites');
    const clip = { model: 'V-T2V-A', prompt: 'a red fox', duration: 5, audio_url: 'https://films.test/a.wav?sig=1' };
    await times(6, () => studio.enqueue(clip));
    const { generations } = await history(studio);
    expect(new Set(generations.map(row => row.prompt))).toEqual(
      new Set(['a red fox ', 'a red fox, highly detailed, cinematic light']),
    );
    for (const row of generations) {
      expect([row.duration, row.model_name, row.idempotency_key]).toEqual(['5s', 'V-T2V-A', undefined]);
      expect(row.audio_url).toMatch(/^https:\/\/films\.test\/a\.wav\?expires=\d+&signature=\w+$/);
    }
  },
  'history-lags': async serve => {
    const studio = await serve('history-lags');
    await studio.enqueue(STILL);
    await studio.clock.advance(4_900);
    expect(await history(studio)).toMatchObject({ count: 0, total_entries: 0 });
    await studio.clock.advance(100);
    expect(ids(await history(studio))).toEqual(['gen-1']);
  },
  'history-relabels': async serve => {
    const studio = await serve('history-relabels');
    await studio.enqueue(STILL);
    expect((await history(studio)).generations[0]).toMatchObject({ model_name: 'house/i-gen-a', prompt: 'a red fox' });
  },
  'history-without-totals': async serve => {
    const studio = await serve('history-without-totals');
    await studio.enqueue(STILL);
    const page = await history(studio);
    expect([Object.keys(page).filter(name => name.startsWith('total')), ids(page)]).toEqual([
      ['total_cost'],
      ['gen-1'],
    ]);
  },
  'history-empty': async serve => {
    const studio = await serve('history-empty');
    await studio.enqueue(STILL);
    expect(await history(studio)).toMatchObject({ count: 0, total_pages: 0, total_entries: 0, generations: [] });
  },
  'history-fails-a-page': async serve => {
    const studio = await serve('history-fails-a-page');
    const statuses = await times(12, async () => (await studio.get('/api/ai/generations')).status);
    expect(new Set(statuses)).toEqual(new Set([200, 500]));
  },
  'answers-late': async serve => {
    const studio = await serve('answers-late');
    const answers = await times(8, () => send(studio, QUEUE, STILL));
    const late = answers.filter(answer => answer === '504 text/html').length;
    expect([late > 0, late < 8, ids(await history(studio)).length]).toEqual([true, true, 8 - late]);
    await studio.clock.advance(2_300);
    expect(ids(await history(studio)).length).toBe(8 - late);
    await studio.clock.advance(100);
    while (ids(await history(studio)).length < 8) await new Promise(setImmediate);
  },
  'answers-408': gateway('answers-408', '408 text/html'),
  'answers-502': gateway('answers-502', '502 text/html'),
  'answers-504': gateway('answers-504', '504 text/html'),
  'drops-answers': gateway('drops-answers', 'cut'),
  forgets: async serve => {
    const studio = await serve('forgets');
    await studio.enqueue(STILL);
    const look = async () => (await studio.get(`${QUEUE}/gen-1`)).status;
    expect(await look()).toBe(404);
    await studio.clock.advance(9_900);
    expect([await look(), (await studio.get('/api/ai/generations/gen-1')).status]).toEqual([404, 404]);
    await studio.clock.advance(100);
    expect(await look()).toBe(200);
  },
  'forgets-for-good': async serve => {
    const studio = await serve('forgets-for-good');
    await times(12, () => studio.enqueue(STILL));
    const look = () => times(12, async n => (await studio.get(`${QUEUE}/gen-${n + 1}`)).status);
    const first = await look();
    expect(new Set(first)).toEqual(new Set([200, 404]));
    await studio.clock.advance(3_600_000);
    expect(await look()).toEqual(first);
  },
  'status-goes-back': async serve => {
    const studio = await serve('status-goes-back');
    const told = [await finished(studio), await record(studio, 'gen-1'), await record(studio, 'gen-1')];
    expect(told.map(({ status, result_url }) => [status, typeof result_url])).toEqual([
      ['succeeded', 'string'],
      ['queued', 'object'],
      ['succeeded', 'string'],
    ]);
  },
  'status-unknown': async serve => {
    const studio = await serve('status-unknown');
    await studio.enqueue(STILL);
    const words = await times(12, async () => (await record(studio, 'gen-1')).status);
    expect(new Set(words).size).toBeGreaterThan(1);
    for (const word of words) expect(['moderating', 'WARMING_UP', 'in_review', '']).toContain(word);
    await (await studio.renderer.next()).finish();
    expect((await settled(studio)).status).toBe('succeeded');
  },
  'ids-repeat': async serve => {
    const studio = await serve('ids-repeat=1');
    expect(await times(3, () => studio.enqueue(STILL))).toEqual(['gen-1', 'gen-1', 'gen-2']);
    expect(ids(await history(studio))).toEqual(['gen-3', 'gen-2', 'gen-1']);
  },
  'events-for-others': async serve => {
    const studio = await serve('events-for-others');
    const text = await heard(studio, '"gen-1"', () => finished(studio));
    expect(text).toMatch(/^: listening\n\nevent: \S+\ndata: {"generation_id":"of-somebody-else-\w+"}\n\nevent: /);
  },
  'events-garbage': async serve => {
    const studio = await serve('events-garbage');
    const text = await heard(studio, '"gen-1"', () => finished(studio));
    const frames = text.split('\n\n').filter(frame => !frame.includes('"gen-1"'));
    expect(frames.length).toBeGreaterThan(2);
  },
  'events-silent': async serve => {
    const studio = await serve('events-silent');
    const whole = (await fetch(`${studio.url}/api/events`, { headers })).text();
    await finished(studio);
    await studio.clock.advance(60_000);
    await studio.close();
    expect(await whole).toBe(': listening\n\n');
  },
  'results-expire': async serve => {
    const studio = await serve('results-expire');
    const url = String((await finished(studio)).result_url);
    expect(await fetched(url)).toBe('200 image/webp 36');
    await studio.clock.advance(61_000);
    expect(await fetched(url)).toMatch(/^403 application\/xml/);
    expect(await fetched(url.split('?')[0] ?? '')).toMatch(/^403/);
    const fresh = String((await record(studio, 'gen-1')).result_url);
    expect([await fetched(fresh), fresh === url]).toEqual(['200 image/webp 36', false]);
    expect((await history(studio)).generations[0]?.result_url).toBe(fresh);
    const edit = (input: string) => studio.post(QUEUE, { model: 'I-EDIT-A', prompt: 'snow', input_image: [input] });
    expect((await edit(url)).body).toMatchObject({
      error: { message: `input_image: ${studio.url} answered 403: the address has expired` },
    });
    expect((await edit(fresh)).status).toBe(200);
  },
  'results-gone': async serve => {
    const studio = await serve('results-gone=1');
    const { status, result_url } = await finished(studio);
    expect([status, await fetched(String(result_url))]).toEqual([
      'succeeded',
      expect.stringMatching(/^404 application\/xml/),
    ]);
    const again = String((await record(studio, 'gen-1')).result_url);
    expect(await fetched(again)).toMatch(/^404/);
  },
  'results-lie': instead('results-lie', /^200 text\/html; charset=utf-8 \d\d+$/),
  'results-short': instead('results-short', /^200 image\/webp 18$/),
  'results-empty': instead('results-empty', /^200 image\/webp 0$/),
  'succeeds-without-url': async serve => {
    const studio = await serve('succeeds-without-url');
    await finished(studio);
    const told = await times(12, async () => (await record(studio, 'gen-1')) as JsonObject);
    expect(new Set(told.map(({ status }) => status))).toEqual(new Set(['succeeded']));
    expect(new Set(told.map(({ result_url }) => typeof result_url))).toEqual(new Set(['string', 'object']));
  },
  busy: storm('busy', '2'),
  'busy-without-retry-after': storm('busy-without-retry-after', null),
  'busy-retry-after-zero': storm('busy-retry-after-zero', '0'),
  'key-refused': async serve => {
    const studio = await serve('key-refused');
    const look = async () => (await studio.get('/api/ai/models/V-RF')).status;
    const first = await times(12, look);
    expect([first[0], first.at(-1), [...first].sort()]).toEqual([200, 401, first]);
    await studio.clock.advance(5_000);
    expect(await times(12, look)).toEqual(Array(12).fill(200));
  },
  'tunes-stall': async serve => {
    const studio = await serve('tunes-stall');
    await studio.post(TOKENIZE, {});
    await studio.clock.advance(60_000);
    expect(await tuned(studio)).toMatchObject({ status: 'tokenizing' });
  },
  'tunes-unreadable': async serve => {
    const studio = await serve('tunes-unreadable');
    expect((await studio.post(TOKENIZE, {})).status).toBe(200);
    expect((await studio.get(TUNE)).status).toBe(404);
  },
  'tunes-forgotten': async serve => {
    const studio = await serve('tunes-forgotten=1');
    await studio.post(TOKENIZE, {});
    expect(await tuned(studio)).toMatchObject({ status: 'tokenizing' });
    expect((await studio.get(TUNE)).status).toBe(404);
    await studio.clock.advance(1_000);
    expect(await tuned(studio)).toMatchObject({ status: 'tokenizing' });
  },
  'tunes-go-back': async serve => {
    const studio = await serve('tunes-go-back');
    await studio.post(TOKENIZE, {});
    await studio.clock.advance(20_000);
    const states = await times(4, async () => (await tuned(studio)).status);
    expect(states).toEqual(['tokenized', 'tokenizing', 'tokenized', 'tokenizing']);
  },
  redirects: async serve => {
    const studio = await serve('redirects=1');
    const { status, headers: heard } = await fetch(studio.url + QUEUE, {
      method: 'POST',
      headers,
      body: JSON.stringify(STILL),
      redirect: 'manual',
    });
    expect([status, heard.get('location'), taken(studio)]).toEqual([307, `https://elsewhere.invalid${QUEUE}`, 0]);
    const sometimes = await serve('redirects');
    const answers = await times(30, () => send(sometimes, QUEUE, STILL));
    expect(new Set(answers)).toEqual(new Set(['307', '200 application/json; charset=utf-8']));
  },
  'echoes-the-key': async serve => {
    const studio = await serve('echoes-the-key');
    await studio.enqueue(STILL);
    (await studio.renderer.next()).fail(new RenderRefusal('the prompt holds no shot'));
    const echo = `(sent with Authorization: Bearer ${KEY})`;
    expect((await settled(studio)).error_message).toBe(`the prompt holds no shot ${echo}`);
    const refused = await studio.post(QUEUE, { model: 'nobody' });
    expect([refused.status, refused.body]).toEqual([
      404,
      { error: { message: `Model not found: nobody ${echo}`, type: 'model_not_found' } },
    ]);
  },
};

for (const name of Object.keys(VICES) as readonly ViceName[]) {
  test(`${name}: ${VICES[name]}`, async () => {
    const studios: TestStudio[] = [];
    try {
      await STORIES[name](async (...vices) => {
        const studio = await testStudio({ vices, seed: 7 });
        studios.push(studio);
        return studio;
      });
    } finally {
      for (const studio of studios) await studio[Symbol.asyncDispose]();
    }
  });
}

test('the same seed gives the same day, and another one another', async () => {
  const day = async (seed: number) => {
    await using studio = await testStudio({ vices: ['answers-502', 'redirects'], seed });
    return await times(16, () => send(studio, QUEUE, STILL));
  };
  const [one, again, other] = [await day(1), await day(1), await day(2)];
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
});

test('several vices at once each have their part', async () => {
  await using studio = await testStudio({
    vices: ['history-lags=0', 'history-relabels', 'results-expire', 'answers-504=1', 'events-for-others'],
  });
  expect(await send(studio, QUEUE, STILL)).toBe('504 text/html');
  await (await studio.renderer.next()).finish();
  await settled(studio);
  expect((await history(studio)).generations[0]).toMatchObject({
    model_name: 'house/i-gen-a',
    result_url: expect.stringContaining('?expires='),
  });
});

test('a strict studio misbehaves like any other, within what the document tells', async () => {
  await using studio = await testStudio({ strict: true, vices: ['status-goes-back', 'succeeds-without-url=1'] });
  expect(await finished(studio)).toEqual({ generation_id: 'gen-1', status: 'succeeded' });
  expect(await record(studio, 'gen-1')).toEqual({ generation_id: 'gen-1', status: 'queued' });
});

test('a studio that closes does not carry out what it put off', async () => {
  const studio = await testStudio({ vices: ['answers-late'] });
  await times(4, () => send(studio, QUEUE, STILL));
  const begun = taken(studio);
  await studio[Symbol.asyncDispose]();
  await studio.clock.advance(10_000);
  expect(taken(studio)).toBe(begun);
});

test('a vice that there is not is refused with the nearest one, and a number with what it may be', async () => {
  const names = Object.keys(VICES).join(', ');
  for (const [text, message] of [
    [
      'history-trucates',
      `the studio has no vice \`history-trucates\`; did you mean history-truncates? There are ${names}`,
    ],
    ['504', `the studio has no vice \`504\`; did you mean answers-504? There are ${names}`],
    ['sloth', `the studio has no vice \`sloth\`; there are ${names}`],
    ['answers-504=2', `the vice answers-504 takes a number from 0 to 1, and \`2\` is none: ${VICES['answers-504']}`],
    ['forgets=soon', `the vice forgets takes a number from 0 to 86400, and \`soon\` is none: ${VICES.forgets}`],
    ['history-empty=3', `the vice history-empty takes no number: ${VICES['history-empty']}`],
  ] as const)
    await expect(testStudio({ vices: [text] })).rejects.toThrow(message);
  expect(readVice('history-lags')).toEqual({ name: 'history-lags', value: 5 });
  expect(viceList().split('\n')).toHaveLength(37);
});
