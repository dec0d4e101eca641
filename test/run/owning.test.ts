/** What was paid for once is found again: by the lock alone, by another film, after a kill, and when its address has expired. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { forgetGenerations } from '../../src/cli/service/end-at-service.ts';
import type { MediaResult } from '../../src/domain/result.ts';
import { openJournal } from '../../src/run/local/journal-file.ts';
import { isJournalled } from '../../src/run/ports/journal.ts';
import type { Outcome } from '../../src/run/run.ts';
import { type Film, FilmSet, story } from './rig.ts';

const SHOT = `
shotlist: 1
name: shot
steps:
  shot:
    model: V-T2V-A
    with: { prompt: a fox crosses a river, duration: 5 }
outputs:
  fox: { from: "\${{ steps.shot }}", to: out/fox.mp4 }
`;
const FRAMED = `
shotlist: 1
name: framed
steps:
  shot:
    model: V-T2V-A
    with: { prompt: a fox crosses a river, duration: 5 }
  framed:
    model: V-RF
    with:
      input_video: \${{ steps.shot.result_url }}
      aspect_ratio: "9:16"
      prompt: snow
`;

let set: FilmSet;
beforeEach(() => {
  set = new FilmSet();
  set.service.isQuick = true;
});
afterEach(() => set.strike());

const posts = () => set.service.posts.length;
const decisions = (film: Film) => [...film.plan.instances].map(({ decision }) => decision.is);
const failure = (film: Film) => film.events.find(event => event.type === 'failed');
const media = ({ results }: Outcome): readonly MediaResult[] =>
  [...results.values()].flatMap(({ result }) => (result.is === 'media' ? [result] : []));
const shoot = async (text: string) => set.toTheEnd(await set.shoot(text));

describe('a fresh clone: a lock, and no store', () => {
  beforeEach(async () => {
    await shoot(SHOT);
    await set.cloneAfresh();
  });

  test('is planned as a fetch and paid for by nobody', async () => {
    const film = await set.shoot(SHOT);
    expect(decisions(film)).toEqual(['fetch']);
    expect((await set.toTheEnd(film)).counts).toMatchObject({ reused: 1 });
    expect(story(film.events)).toEqual(['shot reused', 'shot output_written', 'run_finished']);
    expect(posts()).toBe(1);
    expect(decisions(await set.shoot(SHOT))).toEqual(['hit']);
  });

  test('is fetched under --frozen too', async () => {
    set.frozen = true;
    expect((await shoot(SHOT)).is).toBe('done');
  });

  test('waits for a service that does not answer', async () => {
    for (let time = 0; time < 3; time++) set.service.readTrouble.push({ is: 'unavailable', message: 'answered 503' });
    expect((await shoot(SHOT)).is).toBe('done');
    expect(posts()).toBe(1);
  });

  test('is paid for again only when the service has it no more', async () => {
    set.service.denied.add('gen-1');
    expect((await shoot(SHOT)).counts).toMatchObject({ succeeded: 1 });
    expect(posts()).toBe(2);
  });

  test('is not paid for again when the service has it, and it cannot be brought here now', async () => {
    for (let time = 0; time < 4; time++) set.fetches.push({ is: 'failed', message: 'the storage answered 503' });
    const film = await set.shoot(SHOT);
    expect((await set.toTheEnd(film)).is).toBe('failed');
    expect(failure(film)).toMatchObject({ failure: { code: 'download_failed' } });
    expect(posts()).toBe(1);
  });

  test('ends the run under --frozen when the service has it no more', async () => {
    set.service.denied.add('gen-1');
    set.frozen = true;
    const outcome = await shoot(SHOT);
    expect(outcome).toMatchObject({
      is: 'frozen',
      reason: 'shot: it would have to be paid for, and --frozen allows only what is owned already',
    });
    expect(posts()).toBe(1);
  });
});

describe('another film of the project', () => {
  test('owns what the first has paid for, and says so in its own lock', async () => {
    await shoot(SHOT);
    set.lockText = undefined;
    set.film = 'trailer';
    const film = await set.shoot(SHOT);
    expect(decisions(film)).toEqual(['hit']);
    expect((await set.toTheEnd(film)).is).toBe('done');
    expect(set.lockText).toContain('gen-1');
    expect(posts()).toBe(1);
  });

  test('owns what the first has only fetched again, or has known from its lock alone', async () => {
    await shoot(SHOT);
    await set.cloneAfresh();
    expect((await shoot(SHOT)).counts).toMatchObject({ reused: 1 });
    set.lockText = undefined;
    set.film = 'trailer';
    expect(decisions(await set.shoot(SHOT))).toEqual(['hit']);
    expect(posts()).toBe(1);
  });

  test('takes up what the first left open', async () => {
    set.service.isQuick = false;
    const first = await set.shoot(SHOT);
    await first.happened('submit_accepted', 'shot');
    await set.die();
    set.service.finish('gen-1', { silently: true });
    set.film = 'trailer';
    expect((await shoot(SHOT)).counts).toMatchObject({ succeeded: 1 });
    expect(posts()).toBe(1);
  });
});

describe('a run that is killed', () => {
  test('has its lock from before, and its results from the journal', async () => {
    const film = await set.shoot(FRAMED);
    await set.service.arrived(1);
    await set.clock.advance(1_000);
    await film.happened('submit_accepted', 'framed');
    await set.clock.advance(10_000);
    while (!set.lockText) await new Promise(setImmediate);
    expect(set.lockText).toContain('gen-1');
    await set.die();
    expect((await shoot(FRAMED)).is).toBe('done');
    expect(posts()).toBe(2);
  });

  test.each([
    ['known', true],
    ['not known', false],
  ])('gives the same results at the same prices as one go, where the price is %s', async (_name, isPriced) => {
    if (isPriced) set.pricing = new Map([['V-T2V-A', { method: 'per_video_output_second', cost_per_second: 0.1 }]]);
    const inOneGo = media(await shoot(SHOT));
    const lock = set.lockText;
    await set.strike();
    const { pricing } = set;
    set = new FilmSet();
    set.pricing = pricing;
    const film = await set.shoot(SHOT);
    await film.happened('submit_accepted', 'shot');
    await set.die();
    set.service.finish('gen-1', { silently: true });
    const resumed = media(await shoot(SHOT));
    expect(resumed.map(({ cost, sha256, request }) => ({ cost, sha256, request }))).toEqual(
      inOneGo.map(({ cost, sha256, request }) => ({ cost, sha256, request })),
    );
    expect(inOneGo[0]?.cost === null).toBe(!isPriced);
    expect(set.lockText).toBe(lock);
  });

  test('looks at once at what finished while nobody listened', async () => {
    set.service.isQuick = false;
    const first = await set.shoot(SHOT);
    await first.happened('submit_accepted', 'shot');
    await set.die();
    set.service.finish('gen-1', { silently: true });
    const now = set.clock.now();
    const second = await set.shoot(SHOT);
    expect((await second.done).is).toBe('done');
    expect(set.clock.now()).toBe(now);
    expect(set.service.reads).toBe(1);
  });
});

test('a generation that is not final at its event is looked at again soon', async () => {
  set.service.isQuick = false;
  const film = await set.shoot(SHOT);
  await film.happened('submit_accepted', 'shot');
  await set.clock.asleep(ms => ms === 30_000);
  set.service.tell('gen-1');
  await set.clock.asleep(ms => ms === 500);
  set.service.finish('gen-1', { silently: true });
  await set.clock.advance(500);
  expect((await film.done).is).toBe('done');
});

test('a generation that is denied for over a minute is out of sight: kept open, asked for by the next run, never sent again', async () => {
  set.service.isQuick = false;
  const film = await set.shoot(SHOT);
  await film.happened('submit_accepted', 'shot');
  set.service.denied.add('gen-1');
  const began = set.clock.now();
  expect((await set.toTheEnd(film)).is).toBe('failed');
  expect(set.clock.now() - began).toBeGreaterThan(60_000);
  expect(failure(film)).toMatchObject({
    failure: {
      code: 'generation_lost',
      message:
        'the service took it as gen-1, and says now that it knows no such generation; the next run asks again; to give it up, `shotlist cancel film.yaml shot --forget`',
    },
  });
  set.service.denied.clear();
  set.service.finish('gen-1', { silently: true });
  expect((await shoot(SHOT)).is).toBe('done');
  expect(posts()).toBe(1);
});

describe('a result that is none', () => {
  const misfit = { is: 'misfit', message: 'what came is a page of text, not a video' } as const;
  const gone = { is: 'gone', message: 'its address answered 404' } as const;

  test('is asked for again, and kept only when it is what was made', async () => {
    set.fetches.push(misfit, misfit);
    expect((await shoot(SHOT)).is).toBe('done');
    // Once for its end, and once for each fresh address.
    expect(set.service.reads).toBe(3);
    expect(posts()).toBe(1);
  });

  test('again and again fails the step with what came instead; nothing is placed or locked, and it stays ours', async () => {
    set.fetches.push(misfit, misfit, misfit, misfit);
    const film = await set.shoot(SHOT);
    expect(await set.toTheEnd(film)).toMatchObject({ is: 'failed', outputs: [] });
    expect(failure(film)).toMatchObject({
      failure: {
        code: 'download_failed',
        message:
          'what came is a page of text, not a video; it is made and stays yours: the next run asks for it again; to give it up, `shotlist cancel film.yaml shot --forget`',
      },
    });
    expect(set.lockText ?? '').not.toContain('gen-1');
    expect((await shoot(SHOT)).is).toBe('done');
    expect(posts()).toBe(1);
  });

  test('that has expired for good is said with how to give it up; given up, it is made anew', async () => {
    for (let time = 0; time < 8; time++) set.fetches.push(gone);
    for (let run = 0; run < 2; run++) {
      const film = await set.shoot(SHOT);
      expect((await set.toTheEnd(film)).is).toBe('failed');
      expect(failure(film)).toMatchObject({
        failure: { message: expect.stringContaining('`shotlist cancel film.yaml shot --forget`') },
      });
    }
    expect(posts()).toBe(1);
    await set.die();
    const { folder, clock } = set;
    const journal = openJournal({ folder, film: 'film', clock, to: 'run' });
    await forgetGenerations(journal.ledger.open, {
      service: set.service,
      journal,
      clock,
      again: 'shotlist run film.yaml',
    } as never);
    await journal.close();
    expect((await shoot(SHOT)).is).toBe('done');
    expect(posts()).toBe(2);
  });
});

describe('an address', () => {
  test('that cannot be read for a moment fails nobody', async () => {
    await shoot(SHOT);
    for (let time = 0; time < 3; time++) set.service.readTrouble.push({ is: 'unavailable', message: 'answered 503' });
    expect((await shoot(FRAMED)).counts).toMatchObject({ reused: 1, succeeded: 1 });
    expect(posts()).toBe(2);
  });

  test('is read again before it is used at hour seven', async () => {
    set.service.isQuick = false;
    const film = await set.shoot(
      FRAMED.replace('    with:\n', '    needs: [slow]\n    with:\n').concat(`  slow:
    model: V-T2V-A
    with: { prompt: a storm, duration: 5 }
`),
    );
    await film.happened('submit_accepted', 'shot');
    await film.happened('submit_accepted', 'slow');
    const [shot, slow] = set.service.posts[0]?.prompt === 'a storm' ? ['gen-2', 'gen-1'] : ['gen-1', 'gen-2'];
    set.service.finish(shot);
    await film.happened('succeeded', 'shot');
    await set.clock.advance(7 * 3_600_000);
    set.service.signAnew(shot);
    set.service.finish(slow);
    await film.happened('submit_accepted', 'framed');
    expect(set.service.posts[2]?.input_video).toBe(`https://house.test/${shot}.mp4?signed=anew`);
    set.service.finish('gen-3');
    expect((await set.toTheEnd(film)).is).toBe('done');
  });
});

test('whatever is shown is durable: nobody hears of an id before the journal holds it', async () => {
  const early: string[] = [];
  const held = new Set<string>();
  set.reporters.push({
    report: event => {
      if (!isJournalled(event)) return;
      const look = openJournal({ folder: set.folder, film: 'film', clock: set.clock, to: 'look' });
      for (const { seq } of look.events(run)) held.add(String(seq));
      void look.close();
      if (event.type === 'run_started') return;
      if (!held.has(String(event.seq))) early.push(event.type);
    },
    close: async () => {},
  });
  const run = 'id-1' as Parameters<ReturnType<typeof openJournal>['events']>[0];
  expect((await shoot(FRAMED)).is).toBe('done');
  expect(held.size).toBeGreaterThan(8);
  expect(early).toEqual([]);
});
