/** Who leads a film, and what becomes of those who did: nothing that they write late changes anything, and they end nothing. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DatabaseRefused } from '../../src/machine/files/database-error.ts';
import { NO_DEMAND } from '../../src/model/budget.ts';
import type { Event } from '../../src/model/run/event.ts';
import type { InstanceKey, RunId } from '../../src/model/run/key.ts';
import { Superseded } from '../../src/records/journal/journal.ts';
import { HOSTED_PROOF } from '../../src/run/requests/proof-of-absence.ts';
import type { TeamNews } from '../../src/team/client/team-news.ts';
import { TeamDatabase } from '../../src/team/database/team-database.ts';
import { ratesAsked } from '../../src/team/journal/team-rows.ts';
import type { TeamQueue } from '../../src/team/queue/team-queue.ts';
import { BroadcastEvents, broadcastAfter } from '../../src/team/runs/broadcast-events.ts';
import { beginLead } from '../../src/team/runs/lead-rows.ts';
import type { RunRow } from '../../src/team/runs/run-rows.ts';
import { TeamClock } from '../../src/team/worker/team-clock.ts';
import { type WorkerNews, work } from '../../src/team/worker/worker.ts';
import { Deployments, offerCancelling } from '../run/custom-service.ts';
import { ONE_SHOT, TEASER } from '../run/pipelines.ts';
import { RunRig } from '../run/rig.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { admissionOf, databaseForTests, type Lead, TeamWorld } from './team-world.ts';

const database = databaseForTests();
let world: TeamWorld;
beforeEach(async () => {
  world = await TeamWorld.open(database());
});
afterEach(() => world.close());

const SHOT = 'shot' as InstanceKey;
const never = new AbortController().signal;
const intent = (nonce: string, fingerprint = nonce): Event => ({
  ...{ type: 'submit_intended', key: SHOT, nonce, fingerprint, model: 'm', request: {}, price: 1, account: 'house' },
});
const append = ({ journal, run }: Lead, event: Event) => journal.append(run as RunId, [event]);
const count = async (table: string) =>
  (await world.team.query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))[0]?.n;

const asked = (lead: Lead, nonce: string) => ({
  ...{ key: SHOT, fingerprint: nonce, model: 'm', demand: NO_DEMAND, shared: true },
  intend: () => {
    append(lead, intent(nonce));
    return nonce;
  },
});

/** It is in the middle of a decision, and holds the lock of the key. */
const decides = (query: TeamDatabase['query'], { epoch }: Lead) =>
  query('SELECT admission_rows($1)', [
    JSON.stringify({ film: 'fox', account: 'house', epoch, waits: true, fingerprint: 'f', model: 'm', choices: 0 }),
  ]);

describe('somebody else leads the film', () => {
  test('while it decides: it is told so, and nothing of it is written', async () => {
    const old = await world.lead('fox');
    const heard: Error[] = [];
    old.journal.listen({ durable: () => {}, failed: failure => void heard.push(failure) });
    append(old, intent('n1'));
    await old.journal.durable();
    const next = await world.lead('fox');
    expect(await admissionOf(old, world.clock).admit(asked(old, 'n2'), never)).toEqual({ is: 'stopped' });
    append(old, intent('n3'));
    await expect(old.journal.durable()).rejects.toThrow(Superseded);
    await expect(old.journal.look({ fingerprint: '' })).rejects.toThrow(Superseded);
    expect(heard[0]).toBeInstanceOf(Superseded);
    expect(old.journal.isSuperseded).toBe(true);
    await old.journal.close();
    expect([await count('submission'), await count('event')]).toEqual([1, 1]);
    expect(next.journal.views.ledger.open).toMatchObject([{ nonce: 'n1', state: 'unknown' }]);
  });

  test('while it is in the middle of a decision: whoever takes the film waits for that, and sees it', async () => {
    const old = await world.lead('fox');
    const next: { epoch?: number | undefined; at?: number } = {};
    let taking: Promise<unknown> | undefined;
    await world.team.transaction(async queries => {
      await decides(queries.query, old);
      taking = beginLead(world.team, { run: old.run, worker: 'another', job: randomUUID(), gone: undefined }).then(
        epoch => {
          next.epoch = epoch;
        },
      );
      await new Promise(resolve => setTimeout(resolve, 100));
      expect(next.epoch).toBeUndefined();
    });
    await taking;
  });

  test('and one that stands still in a decision holds up all others for seconds, and has decided nothing', async () => {
    const [fox, owl] = [await world.lead('fox'), await world.lead('owl')];
    const frozen = new TeamDatabase({ url: database().url, schema: world.team.schema });
    let patience: unknown;
    const standsStill = Promise.withResolvers<void>();
    const othersGoOn = Promise.withResolvers<void>();
    const stood = frozen.transaction(async ({ query }) => {
      await decides(query, fox);
      patience = await query('SHOW idle_in_transaction_session_timeout');
      await query("SET LOCAL idle_in_transaction_session_timeout = '500ms'");
      standsStill.resolve();
      await othersGoOn.promise;
      await query("INSERT INTO note VALUES ('fox', 'late', 'late')");
    });
    const failed = stood.catch(error => error as Error);
    await standsStill.promise;
    expect(patience).toEqual([{ idle_in_transaction_session_timeout: '5s' }]);
    expect(await admissionOf(owl, world.clock).admit(asked(owl, 'o1'), never)).toMatchObject({ is: 'go' });
    othersGoOn.resolve();
    expect(await failed).toBeInstanceOf(Error);
    expect(await count('note')).toBe(0);
    await frozen.close();
  });

  test('what it tells whoever watches is not told any more', async () => {
    const old = await world.lead('fox');
    const tell = async ({ journal }: Lead, nonce: string) => {
      new BroadcastEvents(journal, world.clock).report({ ...intent(nonce), seq: 1, at: 1 });
      await journal.durable();
    };
    await tell(old, 'n1');
    const next = await world.lead('fox');
    await expect(tell(old, 'n2')).rejects.toThrow(Superseded);
    await tell(next, 'n3');
    for (const [{ run }, nonce] of [[old, 'n1'] as const, [next, 'n3'] as const])
      expect((await broadcastAfter(world.team, run, 0)).events).toMatchObject([{ nonce }]);
  });
});

test('a lead whose database is silent reports that within ten seconds, before the query times out', async () => {
  const { journal, trouble } = await world.lead('fox');
  const silent = Promise.withResolvers<never>();
  const query = vi.spyOn(world.team, 'query').mockImplementation(() => silent.promise);
  const looked = journal.look({ fingerprint: 'f' });
  await world.clock.advance(10_000);
  expect(trouble).toEqual(['the database has not answered for ten seconds']);
  query.mockRestore();
  silent.reject(new Error('Query read timeout'));
  await world.clock.advance(0);
  await world.clock.advance(1_000);
  await looked;
  expect(trouble.at(-1)).toBeUndefined();
});

describe('two who would lead', () => {
  test('two runs of one film at once: one of them does, and the other waits', async () => {
    const runs = ['r1', 'r2', 'r3', 'r4'];
    await world.team.query("INSERT INTO film (id, project, path) VALUES ('fox', 'project', 'fox')");
    for (const run of runs)
      await world.team.query("INSERT INTO run (id, film, service, source, shotlist) VALUES ($1, 'fox', 'h', '', '1')", [
        run,
      ]);
    const epochs = await Promise.all(
      runs.map(run => beginLead(world.team, { run, worker: run, job: randomUUID(), gone: undefined })),
    );
    expect(epochs.filter(epoch => epoch !== undefined)).toEqual([1]);
  });
});

describe('a run of which somebody else has the lead', () => {
  let rig: RunRig;
  beforeEach(() => {
    rig = new RunRig();
    rig.journalOf = async film => (await world.lead(film, { clock: rig.clock, account: rig.service.account })).journal;
  });
  afterEach(() => rig.dispose());

  test('a request that another run was refused, though the service has taken it, is claimed from its list and not sent again', async () => {
    rig.service.isQuick = true;
    rig.settings = { proof: HOSTED_PROOF };
    const answer = { is: 'refused', status: 429, message: 'too many requests', retryAfter: 1_000 } as const;
    rig.service.trouble.push({ answer, take: true });
    const first = await rig.start(ONE_SHOT);
    await first.happened('submit_refused');
    await rig.kill();
    rig.film = 'owl';
    const again = await rig.start(ONE_SHOT);
    expect((await rig.runToEnd(again)).is).toBe('done');
    expect(rig.service.posts).toHaveLength(1);
    expect(again.events).toContainEqual(expect.objectContaining({ type: 'submit_accepted', found: true }));
  });

  test('ends, and leaves what it sent to that one; its late writes change nothing', async () => {
    const film = await rig.start(TEASER);
    await rig.service.arrived(1);
    await film.happened('submit_accepted');
    const next = await world.lead('film', { account: rig.service.account });
    const before = [await count('event'), await count('submission')];
    rig.service.finish('gen-1');
    expect((await rig.runToEnd(film)).is).toBe('unwritable');
    expect(rig.service.posts).toHaveLength(1);
    expect(film.events.at(-2)?.type).not.toBe('cancel_asked');
    expect([await count('event'), await count('submission')]).toEqual(before);
    expect(next.journal.views.ledger.open).toMatchObject([{ id: 'gen-1', state: 'accepted' }]);
  });

  test('that waits for a place when it happens sends nothing more', async () => {
    await world.team.query("INSERT INTO service_limit (account, name, in_flight) VALUES ($1, 'house', 0)", [
      rig.service.account,
    ]);
    const film = await rig.start(TEASER);
    await rig.clock.asleep();
    await world.lead('film', { account: rig.service.account });
    await world.team.query('DELETE FROM service_limit');
    expect((await rig.runToEnd(film)).is).toBe('unwritable');
    expect(rig.service.posts).toEqual([]);
  });
});

describe('a deployment that a run of which somebody else has the lead has brought up', () => {
  const LOOK = `
shotlist: 1
name: fox
models:
  look: { id: fox-look, activate: true }
steps:
  shot: { model: look, with: { prompt: a fox } }
  framed:
    model: V-RF
    with: { input_video: "\${{ steps.shot.result_url }}", aspect_ratio: "9:16", prompt: snow }
`;
  let rig: RunRig;
  let models: Deployments;
  let cancelled: readonly string[];
  beforeEach(() => {
    rig = new RunRig();
    rig.journalOf = async film => (await world.lead(film, { clock: rig.clock, account: rig.service.account })).journal;
    models = new Deployments(rig, { 'fox-look': 'inactive' });
    models.becomes = 'active';
    cancelled = offerCancelling(rig);
  });
  afterEach(() => rig.dispose());
  const ended = () => models.asked.filter(what => what.startsWith('deactivate'));
  async function underWay() {
    const film = await rig.start(LOOK);
    while (rig.service.posts.length === 0) {
      await Promise.race([rig.clock.asleep(), rig.service.arrived(1)]);
      await rig.clock.advance(1_000);
    }
    await film.happened('submit_accepted');
    return film;
  }

  /** One that leads nothing at the moment, by a clock of its own. Its queue says that no worker has any turn. */
  function beginsWorker(serviceFor = async (_run: RunRow) => ({ connect: async () => rig.service })) {
    const clock = new FakeClock();
    const [told, stopping]: [WorkerNews[], AbortController] = [[], new AbortController()];
    let looked = 0;
    const queue = {
      ...{ start: async () => {}, workLeads: async () => {}, takeNoMore: async () => {}, stop: async () => {} },
      ...{
        requeueLost: async () => [],
        live: async () => new Set(),
        awaited: async () => new Set(),
        lead: async () => true,
      },
      withoutWorker: async (jobs: readonly string[]) => {
        looked += 1;
        return new Map(jobs.map(job => [job, Number.MAX_SAFE_INTEGER]));
      },
    } as unknown as TeamQueue;
    Object.assign(rig.service, { close: async () => {} });
    const leading = {
      ...{ on: 'house', folders: { root: join(rig.folder, 'worker') }, environment: {} },
      serviceFor,
    } as unknown as Parameters<typeof work>[0]['leading'];
    const worker = work(
      {
        ...{ team: world.team, queue, clock: new TeamClock(clock), name: 'other', shotlist: 'test', leading },
        news: { on: () => () => {} } as unknown as TeamNews,
        duties: { leads: 1, hands: 0 },
        onNews: one => void told.push(one),
      },
      stopping.signal,
    );
    return {
      told,
      looks: async () => {
        const before = looked;
        // No timer of the test's own ends a worker that never looks: its clock stands still between two of these.
        for (let n = 0; looked === before; n++) {
          if (n === 1_000) throw new Error('the worker does not look any more');
          await clock.asleep().then(() => clock.advance(2_000));
        }
      },
      leaves: async () => {
        stopping.abort();
        await worker;
      },
    };
  }

  test('is not brought down by it: whoever leads now uses it, ends it, and knows that it is the film’s', async () => {
    const film = await underWay();
    const next = await world.lead('film', { account: rig.service.account });
    // The last use of it, as far as that one knows, which nobody has told that it leads no more.
    rig.service.finish('gen-1');
    expect((await rig.runToEnd(film)).is).toBe('unwritable');
    expect([ended(), cancelled, models.status.get('fox-look')]).toEqual([[], [], 'active']);
    expect([...next.journal.views.activations('house').keys()]).toEqual(['fox-look']);
  });

  test('is not brought down where it is stopped before it was told', async () => {
    const film = await underWay();
    await world.lead('film', { account: rig.service.account });
    film.run.detach();
    await rig.runToEnd(film);
    expect([ended(), cancelled, models.status.get('fox-look')]).toEqual([[], [], 'active']);
  });

  test('is not ended by a run that stood still between the question whether it leads and the request', async () => {
    const film = await underWay();
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    rig.service.cancel = async () => {
      asked.resolve();
      await answered.promise;
      return { is: 'absent', message: 'not offered' };
    };
    film.run.detach();
    await asked.promise;
    await world.lead('film', { account: rig.service.account });
    await rig.clock.advance(3_600_000);
    answered.resolve();
    await rig.runToEnd(film);
    expect([ended(), models.status.get('fox-look')]).toEqual([[], 'active']);
  });

  test('is ended by any worker after ten minutes without a lead, and the frozen one ends nothing more', async () => {
    const film = await underWay();
    const { told, looks, leaves } = beginsWorker();
    const passed = async (minutes: number) => {
      await world.team.query("UPDATE run SET lead_job = 'gone', changed_at = changed_at - $1 * interval '1 minute'", [
        minutes,
      ]);
      await world.team.query('UPDATE event SET at = at - $1', [minutes * 60_000]);
    };
    await passed(9);
    await looks();
    expect(ended()).toEqual([]);
    await passed(1);
    while (!told.some(({ is }) => is === 'ended_deployment')) await looks();
    const [run] = await world.team.query<{ id: string }>('SELECT id FROM run');
    expect(told.filter(({ is }) => is === 'ended_deployment')).toEqual([
      { is: 'ended_deployment', run: run?.id, model: 'fox-look', ended: { is: 'down', how: 'deactivated' } },
    ]);
    expect([ended(), cancelled, models.status.get('fox-look')]).toEqual([
      ['deactivate fox-look'],
      ['gen-1'],
      'inactive',
    ]);
    await leaves();
    film.run.detach();
    await rig.runToEnd(film);
    expect(ended()).toHaveLength(1);
    // What was cancelled is sent again, and once.
    const next = await rig.start(LOOK);
    rig.service.isQuick = true;
    expect((await rig.runToEnd(next)).is).toBe('done');
    expect(rig.service.posts.filter(({ model }) => model === 'fox-look')).toHaveLength(2);
    expect([ended().length, models.status.get('fox-look')]).toEqual([2, 'inactive']);
  });

  test('is ended alone: one of the same model that the film activated at another service is still known to be open', async () => {
    for (const service of ['house', 'annex']) {
      const lead = await world.lead('film');
      await world.team.query('UPDATE run SET service = $1 WHERE id = $2', [service, lead.run]);
      const film = { pipeline: 'fox.yaml', name: 'fox', service, resumed: false, instances: [], usd: null };
      append(lead, { type: 'run_started', run: lead.run as RunId, ...film });
      append(lead, { type: 'activation_intended', model: 'fox-look' });
      await lead.journal.durable();
      await world.dies(lead.run);
    }
    models.status.set('fox-look', 'active');
    await world.team.query("UPDATE run SET changed_at = changed_at - interval '10 minutes'");
    await world.passes(600_000);
    const { told, looks, leaves } = beginsWorker(async ({ service }) => {
      if (service !== 'house') throw new Error('these settings name no such service');
      return { connect: async () => rig.service };
    });
    while (!told.some(({ is }) => is === 'ended_deployment')) await looks();
    await leaves();
    const journal = await world.looks('film');
    const open = (service: string) => [...journal.views.activations(service).keys()];
    expect([ended(), open('house'), open('annex')]).toEqual([['deactivate fox-look'], [], ['fox-look']]);
  });

  test('is brought down by the next', async () => {
    await underWay();
    await rig.kill();
    const next = await rig.start(LOOK);
    rig.service.finish('gen-1');
    rig.service.isQuick = true;
    expect((await rig.runToEnd(next)).is).toBe('done');
    expect([ended(), models.status.get('fox-look')]).toEqual([['deactivate fox-look'], 'inactive']);
    expect(models.asked.filter(what => what.startsWith('activate'))).toHaveLength(1);
  });
});

describe('a clock that is wrong', () => {
  test.each([
    ['an hour ahead', 3_600_000],
    ['an hour behind', -3_600_000],
  ])('by %s lets nothing more through, and is not waited for', async (_, by) => {
    const wrong = new FakeClock(world.clock.now() + by);
    const rates = { per_minute: 2 };
    const [fox, owl] = [
      await world.lead('fox', { clock: wrong, rates: ratesAsked(rates) }),
      await world.lead('owl', { rates: ratesAsked(rates) }),
    ];
    const [first, second] = [admissionOf(fox, wrong, { rates }), admissionOf(owl, world.clock, { rates })];
    expect(await first.admit(asked(fox, 'a'), never)).toMatchObject({ is: 'go' });
    expect(await second.admit(asked(owl, 'b'), never)).toMatchObject({ is: 'go' });
    const [one, other] = [await first.admit(asked(fox, 'c'), never), await second.admit(asked(owl, 'd'), never)];
    expect([one, other]).toMatchObject([{ is: 'held_back' }, { is: 'held_back' }]);
    // Each by its own clock, and no longer than a minute.
    if (one.is === 'held_back') expect(one.until - wrong.now()).toBe(60_000);
    if (other.is === 'held_back') expect(other.until - world.clock.now()).toBe(60_000);
    const rows = await world.team.query<{ at: number }>('SELECT at FROM submission');
    expect(rows.map(({ at }) => at - world.clock.now())).toEqual([0, 0]);
    await world.passes(60_000);
    await wrong.advance(60_000);
    expect(await first.admit(asked(fox, 'c'), never)).toMatchObject({ is: 'go' });
  });
});

describe('a row that cannot be read', () => {
  const damage = (nonce: string) => world.team.query("UPDATE submission SET body = '{' WHERE nonce = $1", [nonce]);

  test('of the film itself is refused in words, and left as it is', async () => {
    const fox = await world.lead('fox');
    append(fox, intent('n1'));
    await fox.journal.durable();
    await damage('n1');
    const opening = world.lead('fox');
    await expect(opening).rejects.toThrow(DatabaseRefused);
    await expect(opening).rejects.toThrow("the team's journal cannot be read (a row in it is damaged)");
    expect(await count('submission')).toBe(1);
  });

  test('of another film holds up nobody but whoever wants the same', async () => {
    const fox = await world.lead('fox');
    append(fox, intent('n1'));
    append(fox, intent('n2'));
    await fox.journal.durable();
    await damage('n1');
    const owl = await world.lead('owl');
    expect(owl.journal.views.sent.openOfOtherFilms('house')).toMatchObject([{ submission: { nonce: 'n2' } }]);
    expect(await admissionOf(owl, world.clock).admit(asked(owl, 'another'), never)).toMatchObject({ is: 'go' });
    await expect(admissionOf(owl, world.clock).admit(asked(owl, 'n1'), never)).rejects.toThrow(
      'a row in it is damaged',
    );
    expect(await count('submission')).toBe(3);
  });
});
