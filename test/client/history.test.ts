import { describe, expect, test } from 'vitest';
import type { HistoryRow } from '../../src/api/queue.ts';
import type { Answer, HistoryQuery } from '../../src/api/service.ts';
import type { FakeClock } from '../support/fake-clock.ts';
import { htmlPage, json, resetAfterRequest, type Stub, stubServer, text, type Way } from '../support/stub-server.ts';
import { hub, never } from './hub.ts';

type Told = readonly [id: string, at?: number];

/** Rows as a service lists them. */
const listed = (rows: readonly Told[]) =>
  rows.map(([generation_id, enqueued_at]) => ({
    ...{ generation_id, enqueued_at, status: 'queued', prompt: `prompt of ${generation_id}`, cost: '0.50' },
  }));

/** `g0` to `g8`, newest first, three on a page. */
const NINE: readonly (readonly Told[])[] = [0, 3, 6].map(n => [0, 1, 2].map(m => [`g${n + m}`, 1000 - n - m] as const));
const NAMES = NINE.flat().map(([id]) => id);

const asked = (request: { readonly url?: string | undefined }, spelling: string): number =>
  Number(new URL(request.url ?? '', 'http://x').searchParams.get(spelling) ?? 1);

/** Serves pages that are asked for under one spelling only, and tells of them what `more` says. */
const paged =
  (pages: readonly (readonly Told[])[], more: (page: number) => object = () => ({}), spelling = 'page'): Way =>
  (response, request) => {
    const page = asked(request, spelling);
    json(200, { generations: listed(pages[page - 1] ?? []), ...more(page) })(response, request);
  };

/** A history with every field that was observed. */
const counting = (pages: readonly (readonly Told[])[], spelling = 'page', total = pages.length): Way =>
  paged(
    pages,
    page => ({
      ...{ count: pages[page - 1]?.length ?? 0, page_number: page, total_pages: total },
      total_entries: new Set(pages.flat().map(([id]) => id)).size,
    }),
    spelling,
  );

const ids = (answer: Answer<readonly HistoryRow[]>) =>
  answer.is === 'ok' ? answer.value.map(row => row.generation_id) : answer;

async function heard(way: Way, query?: HistoryQuery) {
  const stub = await stubServer(way);
  const answer = await hub(stub).service.history(never, query);
  const holed = (why: string) => ({
    is: 'unavailable',
    message: `the history of ${stub.host} cannot be read to its end: ${why}`,
    incomplete: true,
  });
  return { stub, answer, rows: ids(answer), holed };
}

describe('where the service counts', () => {
  test('it is read to its end, newest first, without doubles, however pages are asked for', async () => {
    const shifted: readonly (readonly Told[])[] = [
      [
        ['c', 3],
        ['b', 2],
      ],
      [
        ['b', 2],
        ['a', 1],
      ],
    ];
    for (const spelling of ['page', 'page_number']) {
      const { answer } = await heard(counting(shifted, spelling));
      expect(answer.is === 'ok' && answer.value).toEqual(
        listed([
          ['c', 3],
          ['b', 2],
          ['a', 1],
        ]),
      );
    }
  });

  test('a page that cannot be asked for is a hole: "not there" would be paid for', async () => {
    const { rows, holed } = await heard(counting(NINE, 'offset'));
    expect(rows).toEqual(holed('page 2 of 3 cannot be asked for'));
  });

  test('the first page again and again is a hole, whatever number it bears', async () => {
    const { rows, holed, stub } = await heard(
      paged([NINE[0]!, NINE[0]!, NINE[0]!], n => ({ page_number: n, total_pages: 3 })),
    );
    expect(rows).toEqual(holed('page 2 of 3 cannot be asked for'));
    expect(stub.seen.length).toBe(2);
  });

  test('a history that truncates is a hole', async () => {
    const torn = [NINE[0]!, NINE[1]!.slice(1), NINE[2]!];
    expect((await heard(paged(torn, () => ({ total_pages: 3, total_entries: 9 })))).rows).toMatchObject({
      message: expect.stringContaining(': it counts 9 rows and gave 8'),
    });
    expect((await heard(paged(torn, () => ({ total_pages: 3 })))).rows).toMatchObject({
      message: expect.stringContaining(': page 2 of 3 is not whole'),
    });
    expect((await heard(paged([[['a', 1]]], () => ({ total_pages: 1, count: 2 })))).rows).toMatchObject({
      message: expect.stringContaining(': it counts 2 rows and gave 1'),
    });
    expect((await heard(paged([[], ...NINE], () => ({ total_pages: 4 })))).rows).toMatchObject({
      message: expect.stringContaining(': page 1 of 4 is not whole'),
    });
    expect((await heard(paged([NINE[0]!, []], () => ({ total_pages: 2 })))).rows).toMatchObject({
      message: expect.stringContaining(': page 2 of 2 cannot be asked for'),
    });
  });

  test('rows that go away while it is read may have pulled one out of sight', async () => {
    const { rows, holed } = await heard(paged(NINE, page => ({ total_pages: 3, total_entries: 10 - page })));
    expect(rows).toEqual(holed('rows went away while it was read'));
  });

  test('a page of nothing but doubles is no hole when the count has grown by it', async () => {
    const pages: readonly (readonly Told[])[] = [[['b', 2]], [['b', 2]], [['a', 1]]];
    expect((await heard(paged(pages, page => ({ page_number: page, total_pages: page === 1 ? 2 : 3 })))).rows).toEqual([
      'b',
      'a',
    ]);
  });

  test('an id that stands twice is one row, and no hole', async () => {
    const twice = paged([[...NINE[0]!, NINE[0]![0]!]], () => ({ total_pages: 1, count: 4, total_entries: 4 }));
    expect((await heard(twice)).rows).toEqual(['g0', 'g1', 'g2']);
  });

  test('more pages than are ever read are refused, unless what is asked for stands on the first of them', async () => {
    const pages = Array.from({ length: 101 }, (_, n) => [[`g${n}`, 1000 - n]] as Told[]);
    const whole = await heard(counting(pages, 'page', 5000));
    expect(whole.rows).toEqual(whole.holed('it has 5000 pages'));
    expect(whole.stub.seen.length).toBe(1);
    const late = await heard(counting(pages, 'page', 5000), { since: 1000 - 50 });
    expect(late.rows).toHaveLength(52);
    const early = await heard(counting(pages, 'page', 5000), { since: 1 });
    expect(early.rows).toEqual(early.holed('it has 5000 pages'));
    expect(early.stub.seen.length).toBe(100);
  });
});

describe('where the service does not count', () => {
  test('a page that is empty, short, or given twice more is the end', async () => {
    expect((await heard(paged(NINE))).rows).toEqual(NAMES);
    expect((await heard(paged([...NINE, [['last', 1]]]))).rows).toEqual([...NAMES, 'last']);
    const clamped: Way = (response, request) =>
      json(200, { generations: listed(NINE[Math.min(asked(request, 'page'), 3) - 1]!) })(response, request);
    const { rows, stub } = await heard(clamped);
    expect(rows).toEqual(NAMES);
    expect(stub.seen.length).toBe(5);
  });

  test('what stands on page 2 is found, under either spelling', async () => {
    for (const spelling of ['page', 'page_number']) {
      expect(
        (
          await heard(
            paged(NINE, () => ({}), spelling),
            { until: new Set(['g4']) },
          )
        ).rows,
      ).toContain('g4');
      expect((await heard(paged(NINE, page => ({ page_number: page }), spelling))).rows).toEqual(NAMES);
    }
  });

  test('the first page for ever is never taken for all there is, not even while rows are added', async () => {
    const same = await heard(paged([], () => ({ generations: listed(NINE[0]!) })));
    expect(same.rows).toEqual(same.holed('page 2 cannot be asked for, and it does not tell how many there are'));
    expect(same.stub.seen.map(({ path }) => path)).toEqual([
      '/api/ai/generations?page=1&page_size=100',
      '/api/ai/generations?page=2&page_size=100',
      '/api/ai/generations?page_number=2&page_size=100',
    ]);
    let added = 0;
    const busy = await heard((response, request) => {
      const fresh = [`new${added}`, 2000 + added++] as const;
      json(200, { generations: listed([fresh, ...NINE[0]!.slice(0, 2)]) })(response, request);
    });
    expect(busy.rows).toEqual(busy.holed('page 2 cannot be asked for, and it does not tell how many there are'));
    let turned = 0;
    const quick = await heard((response, request) => {
      const fresh = [0, 1, 2].map(n => [`new${turned}-${n}`, 2000 + 10 * turned - n] as const);
      turned++;
      json(200, { generations: listed(fresh) })(response, request);
    });
    expect(quick.rows).toEqual(quick.holed('page 2 cannot be asked for, and it does not tell how many there are'));
  });

  test('the first page for ever is all there is where the rows are counted', async () => {
    const { rows, stub } = await heard(paged([], () => ({ generations: listed(NINE[0]!), total_entries: 3 })));
    expect(rows).toEqual(['g0', 'g1', 'g2']);
    expect(stub.seen.length).toBe(1);
    const short = await heard(paged(NINE.slice(0, 2), () => ({ total_entries: 7 })));
    expect(short.rows).toEqual(short.holed('it counts 7 rows and gave 6'));
  });

  test('new pages without end are read no further than a hundred', async () => {
    const endless: Way = (response, request) => {
      const page = asked(request, 'page');
      json(200, { generations: listed([[`g${page}`, 10_000 - page]]) })(response, request);
    };
    const { rows, holed, stub } = await heard(endless);
    expect(rows).toEqual(holed('it goes on after page 100'));
    expect(stub.seen.length).toBe(100);
  });

  test('a list without a row is whole', async () => {
    for (const more of [{}, { total_pages: 0, total_entries: 0 }, { total_pages: 1 }]) {
      expect((await heard(json(200, { generations: [], ...more }))).rows).toEqual([]);
    }
    const lying = await heard(json(200, { generations: [], total_entries: 3 }));
    expect(lying.rows).toEqual(lying.holed('it counts 3 rows and gave 0'));
  });
});

describe('reading ends early', () => {
  test('at the rows that are asked about', async () => {
    const pages = Array.from({ length: 9 }, (_, n) => [[`g${n}`, 1000 - n]] as Told[]);
    const stub = await stubServer(counting(pages));
    const { service } = hub(stub);
    expect(ids(await service.history(never, { until: new Set(['g2', 'g0']) }))).toEqual(['g0', 'g1', 'g2']);
    expect(stub.seen.length).toBe(3);
    await service.history(never, { until: new Set(['g2', 'nobody']) });
    expect(stub.seen.length).toBe(3 + 9);
  });

  test('at the time that is asked for, only where the list is plainly newest first', async () => {
    const { rows, stub } = await heard(counting(NINE), { since: 998 });
    expect(rows).toEqual(NAMES.slice(0, 6));
    expect(stub.seen.length).toBe(2);
    const at = (rows: readonly Told[], time: (n: number) => number | undefined): Told[] =>
      rows.map(([id], n) => [id, time(n)] as Told);
    const vices: readonly (readonly [string, readonly (readonly Told[])[]])[] = [
      ['oldest first', NINE.map((page, p) => at(page, n => 10 * p + n))],
      ['one of them out of order', [[...NINE[0]!.slice(0, 2), ['g2', 1]], ...NINE.slice(1)]],
      ['one without a time', [[NINE[0]![0]!, ['g1'], ['g2', 1]], ...NINE.slice(1)]],
      ['all at once', NINE.map(page => at(page, () => 5))],
    ];
    for (const [vice, pages] of vices) {
      const { rows, stub } = await heard(counting(pages), { since: 990 });
      expect(Array.isArray(rows) && [...rows].sort(), vice).toEqual(NAMES);
      expect(stub.seen.length, vice).toBe(3);
    }
  });
});

describe('a page that fails', () => {
  /** Fails `times` times at page 2. */
  const failing = (way: Way, times: number): Way => {
    let left = times;
    return (response, request) =>
      (asked(request, 'page') === 2 && left-- > 0 ? way : counting(NINE))(response, request);
  };
  const wait = (clock: FakeClock): Promise<number> => clock.asleep(left => left !== 30_000);
  const pagesOf = (stub: Stub) => stub.seen.map(({ path }) => asked({ url: path }, 'page'));

  test.each([
    ['a 503', text(503, 'in repair')],
    ['a page of HTML', htmlPage(200)],
    ['a connection cut twice', resetAfterRequest],
  ])('%s is asked for again by itself, after a while', async (name, way) => {
    const stub = await stubServer(failing(way, name === 'a connection cut twice' ? 4 : 2));
    const { service, clock } = hub(stub);
    const answer = service.history(never);
    expect(await wait(clock)).toBe(1000);
    await clock.advance(1000);
    expect(await wait(clock)).toBe(2000);
    await clock.advance(2000);
    expect(ids(await answer)).toEqual(NAMES);
    expect(new Set(pagesOf(stub))).toEqual(new Set([1, 2, 3]));
    expect(pagesOf(stub).filter(page => page === 1)).toHaveLength(1);
  });

  test('is given up after four times, as what it said', async () => {
    const stub = await stubServer(failing(text(503, 'in repair'), 99));
    const { service, clock } = hub(stub);
    const answer = service.history(never);
    for (const ms of [1000, 2000, 4000]) {
      expect(await wait(clock)).toBe(ms);
      await clock.advance(ms);
    }
    expect(await answer).toEqual({ is: 'unavailable', message: 'in repair (503)' });
    expect(pagesOf(stub)).toEqual([1, 2, 2, 2, 2]);
  });

  test.each([
    ['0', 1000],
    ['-5', 1000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 1000],
    ['soon', 1000],
    ['20', 20_000],
  ])('with Retry-After: %s is asked for again after %i ms', async (retryAfter, ms) => {
    const stub = await stubServer(failing(text(429, 'slow down', { 'retry-after': retryAfter }), 1));
    const { service, clock } = hub(stub);
    const answer = service.history(never);
    expect(await wait(clock)).toBe(ms);
    await clock.advance(ms);
    expect(ids(await answer)).toEqual(NAMES);
  });

  test('and wants an hour is left to whoever asked', async () => {
    const { rows, stub } = await heard(failing(text(429, 'slow down', { 'retry-after': '3600' }), 9));
    expect(rows).toEqual({ is: 'unavailable', message: 'slow down (429)', retryAfter: 3_600_000, busy: true });
    expect(stub.seen.length).toBe(2);
  });

  test('is not asked for again when nobody waits any more', async () => {
    const stub = await stubServer(failing(text(503, 'in repair'), 99));
    const { service, clock } = hub(stub);
    const stop = new AbortController();
    const answer = service.history(stop.signal);
    await wait(clock);
    stop.abort();
    expect((await answer).is).toBe('unavailable');
    expect(pagesOf(stub)).toEqual([1, 2]);
  });

  test('with 404 is a hole, not a history that is not offered', async () => {
    const { rows, holed } = await heard(failing(text(404, 'no such page'), 99));
    expect(rows).toEqual(holed('page 2 is not there (no such page (404))'));
  });

  test('with 401 says so', async () => {
    expect((await heard(failing(text(401, 'who are you?'), 99))).rows).toMatchObject({ is: 'unauthenticated' });
  });

  test('because of a row that cannot be read makes the list unreadable', async () => {
    for (const row of [
      { status: 'queued' },
      null,
      7,
      { generation_id: 'x' },
      { generation_id: 'a b', status: 'queued' },
    ]) {
      const stub = await stubServer(failing(json(200, { generations: [...listed(NINE[1]!), row] }), 99));
      const { service, clock } = hub(stub);
      const answer = service.history(never);
      for (const ms of [1000, 2000, 4000]) await wait(clock).then(() => clock.advance(ms));
      expect(await answer).toEqual({
        is: 'unavailable',
        message: `${stub.host} answered with something that is not a history`,
      });
    }
  });
});

test('each page is told as it arrives, with the number of pages where it is known', async () => {
  const told: (number | undefined)[][] = [];
  const page = (number: number, of: number | undefined) => told.push([number, of]);
  await heard(counting(NINE), { page });
  await heard(paged([NINE[0]!]), { page });
  expect(told).toEqual([
    [1, 3],
    [2, 3],
    [3, 3],
    [1, undefined],
    [2, undefined],
  ]);
});

test('a row says only what it can mean: the rest is the request itself', async () => {
  const row = {
    ...{ generation_id: 'g', status: 'queued', error_message: { a: 1 }, model_name: 7, enqueued_at: 'yesterday' },
    ...{ cost: 0.5, idempotency_key: 'n-1', prompt: ' a fox\u202e\n', seed: 4, media_type: 'smell' },
  };
  const { answer } = await heard(json(200, { generations: [row], total_pages: 1 }));
  expect(answer.is === 'ok' && answer.value).toEqual([
    {
      ...{ generation_id: 'g', status: 'queued', cost: '0.5', idempotency_key: 'n-1' },
      ...{ prompt: ' a fox\u202e\n', seed: 4 },
    },
  ]);
});

test('a history that is not offered is absent', async () => {
  expect((await heard(text(404, 'nothing here'))).answer).toEqual({ is: 'absent', message: 'nothing here (404)' });
});
