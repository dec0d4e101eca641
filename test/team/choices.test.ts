/** Choices of a team, held to what all choices must do; and what a database adds: connections that break, a lead that ends meanwhile. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Asking, Choice } from '../../src/model/run/choice.ts';
import { shownRejection } from '../../src/model/run/choice.ts';
import type { InstanceKey } from '../../src/model/run/key.ts';
import type { FilmJournal } from '../../src/records/journal/film-journal.ts';
import { LocalChoices } from '../../src/records/journal/local-choices.ts';
import { keepRejection, rejections } from '../../src/run/rejections.ts';
import { TeamDatabase } from '../../src/team/database/team-database.ts';
import { TeamQueue } from '../../src/team/queue/team-queue.ts';
import { endLead } from '../../src/team/runs/lead-rows.ts';
import { runRow, stopRun, wake } from '../../src/team/runs/run-rows.ts';
import { choicesCases } from '../run/ports/choices-cases.ts';
import { type CuttingProxy, cuttingProxy } from '../support/cutting-proxy.ts';
import { databaseForTests, TeamWorld, teamWorlds } from './team-world.ts';

describe('choices of a team', () => choicesCases(teamWorlds()));

const KEY = 'best' as InstanceKey;
const asking: Asking = { is: 'pick', key: KEY, from: ['a', 'b'], called: [], count: 1, by: 'person' };
const choice = (who: string, chosen: string): Choice => ({
  ...{ key: KEY, from: ['a', 'b'], called: [], chosen: [chosen], by: 'person', who, at: 5 },
});
const choicesOf = (journal: FilmJournal) => new LocalChoices({ journal, locked: [], hasStep: () => true });

const database = databaseForTests();
let world: TeamWorld;
beforeEach(async () => {
  world = await TeamWorld.open(database());
});
afterEach(() => world.close());

test('what people have against candidates is kept for all of them; no other note of theirs is', async () => {
  const ada = await world.looks('fox');
  const rejection = { who: 'Ada', at: 5, note: 'too dark' };
  expect(await keepRejection(ada, 'a', rejection)).toBe(true);
  await ada.notes.set('lock', 'of somebody else');
  const bob = await world.looks('fox');
  const [{ login } = {}] = await world.team.query<{ login: string }>('SELECT session_user AS login');
  for (const journal of [ada, bob]) expect([...rejections(journal)]).toEqual([['a', { ...rejection, login }]]);
  expect(shownRejection({ ...rejection, login: 'ada' })).toEqual({ ...rejection, who: 'ada (as: "Ada")' });
  expect(bob.notes.get('lock')).toBeUndefined();
  expect(await keepRejection(bob, 'a', undefined)).toBe(true);
  expect([...rejections(await world.looks('fox'))]).toEqual([]);
});

describe('a connection that breaks', () => {
  let proxy: CuttingProxy;
  let team: TeamDatabase;
  beforeEach(async () => {
    proxy = await cuttingProxy(database().url);
    team = new TeamDatabase({ url: proxy.url, schema: world.team.schema });
  });
  afterEach(async () => {
    await team.close();
    await proxy.close();
  });
  const rows = async () => (await world.team.query<{ n: number }>('SELECT count(*) AS n FROM choice'))[0]?.n;

  test.each([
    ['before it is kept', 'keep_choices', 'unsaid'],
    ['before it says that it stands', 'COMMIT', 'unsaid'],
    ['after it said so', 'COMMIT', 'unheard'],
  ] as const)('%s: it is kept once all the same', async (_, at, when) => {
    const ada = choicesOf(await world.looks('fox', team));
    proxy.cut({ at, when });
    const recording = ada.record(choice('Ada', 'a'), asking);
    await elapses(recording);
    expect(await recording).toEqual({ is: 'kept' });
    expect([proxy.cuts, await rows(), ada.find(asking)?.who]).toEqual([1, 1, 'Ada']);
  });

  test.each([
    ['before it stood', 'unsaid', 'Bob'],
    ['after it stood', 'unheard', 'Ada'],
  ] as const)('%s, while another chooses: the first is the first for both', async (_, when, first) => {
    const adas = await world.looks('fox', team);
    const [ada, bob] = [choicesOf(adas), choicesOf(await world.looks('fox'))];
    proxy.cut({ at: 'COMMIT', when });
    const recording = ada.record(choice('Ada', 'a'), asking);
    await world.clock.asleep();
    await bob.record(choice('Bob', 'b'), asking);
    await elapses(recording);
    expect(await recording).toMatchObject(first === 'Ada' ? { is: 'kept' } : { is: 'taken', choice: { who: 'Bob' } });
    // Nor is it written when whoever chose goes home.
    await adas.close();
    expect([ada.find(asking)?.who, bob.find(asking)?.who]).toEqual([first, first]);
    expect(choicesOf(await world.looks('fox')).find(asking)?.who).toBe(first);
    expect(await rows()).toBe(1);
  });

  async function elapses(work: Promise<unknown>): Promise<void> {
    let isOver = false;
    void work.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await world.clock.advance(1_000);
      await new Promise(resolve => setTimeout(resolve, 5));
    }
  }
});

describe('while the lead ends', () => {
  let queue: TeamQueue;
  beforeEach(async () => {
    queue = new TeamQueue({ url: database().url, trouble: () => {} });
    await queue.start();
  });
  afterEach(() => queue.stop(0));
  const waits = (run: string, epoch: number, lastChoice: number) => ({
    ...({ run, epoch, status: 'waiting', outcome: { is: 'waiting', usd: 0 }, lastChoice } as const),
  });

  test('what was chosen after it had looked is no reason to wait: its turn comes again', async () => {
    const { run, epoch, journal } = await world.lead('fox');
    const before = journal.choices.newest();
    await choicesOf(await world.looks('fox')).record(choice('Ada', 'a'), asking);
    expect(await endLead(world.team, queue, waits(run, epoch, before))).toBe('queued');
    expect(await endLead(world.team, queue, waits(run, epoch, before))).toBeUndefined();
  });

  test('what it has seen is', async () => {
    const { run, epoch, journal } = await world.lead('fox');
    await choicesOf(await world.looks('fox')).record(choice('Ada', 'a'), asking);
    await journal.look({ fingerprint: '' });
    expect(await endLead(world.team, queue, waits(run, epoch, journal.choices.newest()))).toBe('waiting');
  });

  test('in the very moment: it is woken', async () => {
    const { run, epoch, journal } = await world.lead('fox');
    let woken: Promise<unknown> | undefined;
    await world.team.transaction(async ({ query }) => {
      await query('SELECT end_lead($1, $2, $3, $4, $5)', [
        run,
        epoch,
        'waiting',
        '{"is":"waiting"}',
        journal.choices.newest(),
      ]);
      // It has looked, found nothing, and has not said so yet.
      await choicesOf(await world.looks('fox')).record(choice('Ada', 'a'), asking);
      woken = wake(world.team, queue, 'fox');
      await new Promise(resolve => setTimeout(resolve, 100));
    });
    await woken;
    expect((await runRow(world.team, run))?.status).toBe('queued');
  });

  test('what somebody wants stopped is stopped by its next lead, where this one has not heard of it', async () => {
    const { run, epoch, journal } = await world.lead('fox');
    expect(await stopRun(world.team, queue, run, 'cancel')).toBe('led');
    expect(await endLead(world.team, queue, waits(run, epoch, journal.choices.newest()))).toBe('queued');
    expect((await runRow(world.team, run))?.stop).toBe('cancel');
  });

  test('an end whose reason cannot be written as it is ends the run all the same', async () => {
    const { run, epoch, journal } = await world.lead('fox');
    const reason = 'it said \0 \ud800 "\\u0000"';
    const end = {
      run,
      epoch,
      status: 'failed',
      outcome: { is: 'failed', usd: 0, reason },
      lastChoice: journal.choices.newest(),
    } as const;
    expect(await endLead(world.team, queue, end)).toBe('failed');
    expect((await runRow(world.team, run))?.outcome?.reason).toContain('it said');
  });
});
