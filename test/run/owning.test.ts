/** What was paid for once is found again: by the lock alone, by another film, after a kill, and when its address has expired. */
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { forgetGenerations } from '../../src/cli/service/end-at-service.ts';
import type { InstanceKey } from '../../src/model/run/key.ts';
import type { MediaResult } from '../../src/model/run/result.ts';
import { isJournalled } from '../../src/records/journal/journal.ts';
import { openJournal } from '../../src/records/journal/journal-file.ts';
import type { Outcome } from '../../src/run/engine/run.ts';
import { studioPrices } from '../plan/support.ts';
import { newestReport } from '../text/report/report-of.ts';
import { ONE_SHOT, SHOT_REFRAMED } from './pipelines.ts';
import { decisions, eventLines, ofType, posts, ran, rig, type StartedRun, withQuickRig } from './rig.ts';

const SHOT = `${ONE_SHOT}
outputs:
  fox: { from: "\${{ steps.shot }}", to: out/fox.mp4 }
`;

withQuickRig();

const failure = (film: StartedRun) => ofType(film, 'failed')[0];
const media = ({ results }: Outcome): readonly MediaResult[] =>
  [...results.values()].flatMap(({ result }) => (result.is === 'media' ? [result] : []));
const runToEnd = async (text: string) => (await ran(text)).outcome;

describe('a fresh clone: a lock, and no store', () => {
  beforeEach(async () => {
    await runToEnd(SHOT);
    await rig.cloneAfresh();
  });

  test('is planned as a fetch and paid for by nobody', async () => {
    const film = await rig.start(SHOT);
    expect(decisions(film)).toEqual(['fetch']);
    expect((await rig.runToEnd(film)).counts).toMatchObject({ reused: 1 });
    expect(eventLines(film.events)).toEqual(['shot reused', 'shot output_written', 'run_finished']);
    expect(posts()).toBe(1);
    expect(newestReport(rig).instances[0]?.why.verdict).toMatch(/^fetched again from the service; /);
    expect(decisions(await rig.start(SHOT))).toEqual(['hit']);
  });

  test('is fetched under --frozen too', async () => {
    rig.frozen = true;
    expect((await runToEnd(SHOT)).is).toBe('done');
  });

  test('waits for a service that does not answer', async () => {
    for (let time = 0; time < 3; time++) rig.service.readTrouble.push({ is: 'unavailable', message: 'answered 503' });
    expect((await runToEnd(SHOT)).is).toBe('done');
    expect(posts()).toBe(1);
  });

  test('is paid for again only when the service has it no more', async () => {
    rig.service.denied.add('gen-1');
    expect((await runToEnd(SHOT)).counts).toMatchObject({ succeeded: 1 });
    expect(posts()).toBe(2);
  });

  test('is not paid for again when the service has it, and it cannot be brought here now', async () => {
    for (let time = 0; time < 4; time++) rig.fetches.push({ is: 'failed', message: 'the storage answered 503' });
    const film = await rig.start(SHOT);
    expect((await rig.runToEnd(film)).is).toBe('failed');
    expect(failure(film)).toMatchObject({ failure: { code: 'download_failed' } });
    expect(posts()).toBe(1);
  });

  test('ends the run under --frozen when the service has it no more', async () => {
    rig.service.denied.add('gen-1');
    rig.frozen = true;
    const outcome = await runToEnd(SHOT);
    expect(outcome).toMatchObject({
      is: 'frozen',
      reason: 'shot: it would have to be paid for, and --frozen allows only what is owned already',
    });
    expect(posts()).toBe(1);
  });
});

test('another film of the project owns what the first has only fetched again, or has known from its lock alone', async () => {
  await runToEnd(SHOT);
  await rig.cloneAfresh();
  expect((await runToEnd(SHOT)).counts).toMatchObject({ reused: 1 });
  rig.lockText = undefined;
  rig.film = 'trailer';
  expect(decisions(await rig.start(SHOT))).toEqual(['hit']);
  expect(posts()).toBe(1);
});

describe('a run that is killed', () => {
  test('has its lock from before, and its results from the journal', async () => {
    const film = await rig.start(SHOT_REFRAMED);
    await rig.service.arrived(1);
    await rig.clock.advance(1_000);
    await film.happened('submit_accepted', 'framed');
    await rig.clock.advance(10_000);
    while (!rig.lockText) await new Promise(setImmediate);
    expect(rig.lockText).toContain('gen-1');
    await rig.kill();
    expect((await runToEnd(SHOT_REFRAMED)).is).toBe('done');
    expect(posts()).toBe(2);
  });

  test.each([
    ['known', true],
    ['not known', false],
  ])('gives the same results at the same prices as one go, where the price is %s', async (_name, isPriced) => {
    if (isPriced) rig.pricing = new Map([['V-T2V-A', { method: 'per_video_output_second', cost_per_second: 0.1 }]]);
    const inOneGo = media(await runToEnd(SHOT));
    const lock = rig.lockText;
    await rig.removeAll();
    const film = await rig.start(SHOT);
    await film.happened('submit_accepted', 'shot');
    await rig.kill();
    rig.service.finish('gen-1', { silently: true });
    const resumed = media(await runToEnd(SHOT));
    expect(resumed.map(({ cost, sha256, request }) => ({ cost, sha256, request }))).toEqual(
      inOneGo.map(({ cost, sha256, request }) => ({ cost, sha256, request })),
    );
    expect(inOneGo[0]?.cost === null).toBe(!isPriced);
    expect(rig.lockText).toBe(lock);
  });

  test('looks at once at what finished while nobody listened', async () => {
    rig.service.isQuick = false;
    const first = await rig.start(SHOT);
    await first.happened('submit_accepted', 'shot');
    await rig.kill();
    rig.service.finish('gen-1', { silently: true });
    const now = rig.clock.now();
    const second = await rig.start(SHOT);
    expect((await second.done).is).toBe('done');
    expect(rig.clock.now()).toBe(now);
    expect(rig.service.reads).toBe(1);
  });
});

test('a generation that is not final at its event is looked at again soon', async () => {
  rig.service.isQuick = false;
  const film = await rig.start(SHOT);
  await film.happened('submit_accepted', 'shot');
  await rig.clock.asleep(ms => ms === 30_000);
  rig.service.tell('gen-1');
  await rig.clock.asleep(ms => ms === 500);
  rig.service.finish('gen-1', { silently: true });
  await rig.clock.advance(500);
  expect((await film.done).is).toBe('done');
});

test('a generation that is denied for over a minute is out of sight: kept open, asked for by the next run, never sent again', async () => {
  rig.service.isQuick = false;
  const film = await rig.start(SHOT);
  await film.happened('submit_accepted', 'shot');
  rig.service.denied.add('gen-1');
  const began = rig.clock.now();
  expect((await rig.runToEnd(film)).is).toBe('failed');
  expect(rig.clock.now() - began).toBeGreaterThan(60_000);
  expect(failure(film)).toMatchObject({
    failure: {
      code: 'generation_lost',
      message:
        'the service took it as gen-1, and says now that it knows no such generation; each run asks again until you give it up: `shotlist cancel film.yaml shot --forget`',
    },
  });
  rig.service.denied.clear();
  rig.service.finish('gen-1', { silently: true });
  expect((await runToEnd(SHOT)).is).toBe('done');
  expect(posts()).toBe(1);
});

describe('a result that is none', () => {
  const misfit = { is: 'misfit', message: 'what came is a page of text, not a video' } as const;
  const gone = { is: 'gone', message: 'its address answered 404' } as const;

  test('again and again fails the step with what came instead; nothing is placed or locked, and it stays ours', async () => {
    rig.fetches.push(misfit, misfit, misfit, misfit);
    const film = await rig.start(SHOT);
    expect(await rig.runToEnd(film)).toMatchObject({ is: 'failed', outputs: [] });
    expect(failure(film)).toMatchObject({
      failure: {
        code: 'download_failed',
        message:
          'what came is a page of text, not a video; it is made and stays yours: each run asks again until you give it up: `shotlist cancel film.yaml shot --forget`',
      },
    });
    expect(rig.lockText ?? '').not.toContain('gen-1');
    expect((await runToEnd(SHOT)).is).toBe('done');
    expect(posts()).toBe(1);
  });

  test('that has expired for good is said with how to give it up; given up, it is made anew', async () => {
    for (let time = 0; time < 8; time++) rig.fetches.push(gone);
    for (let run = 0; run < 2; run++) {
      const film = await rig.start(SHOT);
      expect((await rig.runToEnd(film)).is).toBe('failed');
      expect(failure(film)).toMatchObject({
        failure: { message: expect.stringContaining('`shotlist cancel film.yaml shot --forget`') },
      });
    }
    expect(posts()).toBe(1);
    await rig.kill();
    const { folder, clock } = rig;
    const journal = openJournal({ folder, film: 'film', clock, to: 'run' });
    const { open } = journal.views.ledger;
    const forgotten = await forgetGenerations([...open, ...open], { service: rig.service, journal, clock } as never);
    expect(forgotten.map(({ line }) => line)).toEqual([
      'shot (generation gen-1): forgotten; it is paid for and never downloaded; the next run asks for it anew',
    ]);
    await journal.close();
    expect((await runToEnd(SHOT)).is).toBe('done');
    expect(posts()).toBe(2);
  });
});

test('an address is read again before it is used at hour seven', async () => {
  rig.service.isQuick = false;
  const film = await rig.start(
    SHOT_REFRAMED.replace('    model: V-RF', '    needs: [slow]\n    model: V-RF').concat(`  slow:
    model: V-T2V-A
    with: { prompt: a storm, duration: 5 }
`),
  );
  await film.happened('submit_accepted', 'shot');
  await film.happened('submit_accepted', 'slow');
  const [shot, slow] = rig.service.posts[0]?.prompt === 'a storm' ? ['gen-2', 'gen-1'] : ['gen-1', 'gen-2'];
  rig.service.finish(shot);
  await film.happened('succeeded', 'shot');
  await rig.clock.advance(7 * 3_600_000);
  rig.service.signAnew(shot);
  rig.service.finish(slow);
  await film.happened('submit_accepted', 'framed');
  expect(rig.service.posts[2]?.input_video).toBe(`https://house.test/${shot}.mp4?signed=anew`);
  rig.service.finish('gen-3');
  expect((await rig.runToEnd(film)).is).toBe('done');
});

test('whatever is shown is durable: nobody hears of an id before the journal holds it', async () => {
  const early: string[] = [];
  const held = new Set<string>();
  rig.reporters.push({
    report: event => {
      if (!isJournalled(event)) return;
      const look = openJournal({ folder: rig.folder, film: 'film', clock: rig.clock, to: 'look' });
      for (const { seq } of look.read(run).events) held.add(String(seq));
      void look.close();
      if (event.type === 'run_started') return;
      if (!held.has(String(event.seq))) early.push(event.type);
    },
    close: async () => {},
  });
  const run = 'id-1' as Parameters<ReturnType<typeof openJournal>['read']>[0];
  expect((await runToEnd(SHOT_REFRAMED)).is).toBe('done');
  expect(held.size).toBeGreaterThan(8);
  expect(early).toEqual([]);
});

describe('a byte that was changed in the store, where its length and date are as they were', () => {
  const FOX = `steps:
  shot: { model: V-T2V-A, with: { prompt: a fox, duration: 5 } }
  copy: { run: [cp, "\${{ steps.shot.file }}", copy.mp4], creates: { it: copy.mp4 } }
outputs:
  shot: { from: "\${{ steps.shot }}", to: out/shot.mp4 }
`;
  const film = async (text = FOX) => {
    const { film: started, outcome } = await ran(text);
    return { ...started, outcome };
  };
  const out = () => join(rig.folder, 'out/shot.mp4');
  const shotOf = ({ outcome }: { readonly outcome: Outcome }) => media(outcome)[0]?.sha256 ?? '';
  const damage = (sha256: string) => {
    const folder = join(rig.folder, 'store', sha256.slice(0, 2));
    const file = join(folder, readdirSync(folder).find(name => name.startsWith(sha256)) ?? '');
    const { atime, mtime } = statSync(file);
    const bytes = readFileSync(file);
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    chmodSync(file, 0o644);
    writeFileSync(file, bytes);
    utimesSync(file, atime, mtime);
  };

  test('is found before it is used, and the result is fetched again from the service, unpaid', async () => {
    const first = await film();
    const [bytes, lock] = [readFileSync(out()), rig.lockText];
    damage(shotOf(first));
    rmSync(out());
    const second = await film();
    expect(second.outcome).toMatchObject({ is: 'done' });
    expect(second.plan.instances.get('shot' as InstanceKey)?.decision.is).toBe('fetch');
    expect(readFileSync(out())).toEqual(bytes);
    expect([posts(), rig.lockText]).toEqual([1, lock]);
  });

  test('of a file that a new command reads: the same', async () => {
    const first = await film();
    damage(shotOf(first));
    const other = await film(FOX.replaceAll('copy.mp4', 'other.mp4'));
    expect(other.outcome).toMatchObject({ is: 'done' });
    expect(posts()).toBe(1);
    const copied = other.events.find(event => event.type === 'succeeded' && event.key === 'copy');
    expect(JSON.stringify(copied)).toContain(shotOf(first));
  });

  test('of a result that the service no longer has: the failure names its cost, and it is neither used nor paid for again', async () => {
    rig.pricing = studioPrices;
    const first = await film();
    damage(shotOf(first));
    rmSync(out());
    rig.service.denied.add('gen-1');
    const { outcome, events } = await film();
    expect(outcome).toMatchObject({ is: 'failed' });
    const failed = events.find(event => event.type === 'failed');
    expect(failed).toMatchObject({ key: 'shot', failure: { code: 'download_failed' } });
    expect(JSON.stringify(failed)).toMatch(/is damaged .*\/damaged\/.* it cost \$0\.\d+: .*--redo shot/);
    expect([posts(), existsSync(out())]).toEqual([1, false]);
  });

  test('where nothing reads it, costs no reading and changes nothing', async () => {
    const first = await film();
    damage(shotOf(first));
    const { outcome, plan } = await film();
    expect(outcome).toMatchObject({ is: 'done' });
    expect(plan.instances.get('shot' as InstanceKey)?.decision.is).toBe('hit');
  });
});

test('a result that the service has no more, or never had, is handed to a service of this machine as its file', async () => {
  await runToEnd(SHOT_REFRAMED);
  rig.service.denied.add('gen-1');
  rig.settings = { elsewhere: false };
  expect((await runToEnd(SHOT_REFRAMED.replace('9:16', '1:1'))).is).toBe('done');
  expect(rig.service.posts.at(-1)).toMatchObject({ input_video: expect.stringMatching(/^file:.*\/store\//) });
});
