/**
 * An asynchronous standby takes over from a primary that is gone, and lacks the newest rows that the primary had confirmed. Nothing
 * of it is paid for a second time, whichever worker goes on.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOSTED_PROOF } from '../../src/run/requests/proof-of-absence.ts';
import { TeamDatabase } from '../../src/team/database/team-database.ts';
import { ONE_SHOT } from '../run/pipelines.ts';
import { RunRig, type StartedRun } from '../run/rig.ts';
import { type CuttingProxy, cuttingProxy } from '../support/cutting-proxy.ts';
import { onServer, type PostgresServer, startPostgres, startStandby } from '../support/postgres.ts';
import { MemoryNotes, TeamWorld } from './team-world.ts';
import { createDatabase, urlOf } from './test-database.ts';

let primary: PostgresServer;
let standby: PostgresServer;
/** The way of the standby to the primary, and the address of the team, behind which one or the other is. */
let stream: CuttingProxy;
let address: CuttingProxy;
let world: TeamWorld;
let databaseName: string;
const notes = new MemoryNotes();

/** Its lead has died with the primary; its lead lives on; its service lists what it was given 160 s later. */
let [dead, living, lagging]: RunRig[] = [];
let ofLiving: StartedRun;
const LAG = 160_000;
const OWL = ONE_SHOT.replace('a fox', 'an owl');
const rigs = (): RunRig[] => [dead, living, lagging].filter(rig => rig !== undefined);
/** POSTs, without the one that shows whether the service's list is complete. */
const posts = (rig: RunRig | undefined) => (rig?.service.posts.length ?? 0) - 1;
const service = (rig: RunRig | undefined) => (rig === dead ? 'house' : rig === living ? 'farm' : 'mill');

beforeAll(async () => {
  primary = await startPostgres();
  stream = await cuttingProxy(primary.url);
  standby = await startStandby(primary, stream.url);
  const database = await createDatabase(primary);
  databaseName = new URL(database.url).pathname.slice(1);
  address = await cuttingProxy(database.url);
  world = await TeamWorld.open({ url: address.url });
  [dead, living, lagging] = [rigOf('dead'), rigOf('living'), rigOf('lagging')];
  for (const rig of rigs()) rig.service.account = `https://${service(rig)}.test 0`;
  if (lagging) lagging.settings = { proof: HOSTED_PROOF };
  for (const rig of rigs()) await made(rig, OWL, `${rig.film} owl`);
  for (const rig of rigs()) await rig.clock.advance(2 * LAG);
  await tellTime();
  // Rows from long after what its service has taken.
  if (lagging) await made(lagging, OWL, 'lagging owl');
  await caughtUp();
  stream.shut();
  for (const rig of rigs()) {
    if (rig === living) continue;
    await made(rig, ONE_SHOT);
    expect(posts(rig)).toBe(1);
    await rig.kill();
  }
  if (!living) return;
  living.service.isQuick = false;
  ofLiving = await living.start(ONE_SHOT, {}, service(living));
  await ofLiving.happened('submit_accepted');
  expect(notes.mark).toMatchObject({ generation: 1 });
  await primary.kill();
});
afterAll(async () => {
  for (const rig of rigs()) await rig.dispose();
  await world?.close();
  for (const proxy of [address, stream]) await proxy?.close();
  for (const server of [primary, standby]) await server?.stop();
});

function rigOf(name: string): RunRig {
  const rig = new RunRig();
  rig.service.isQuick = true;
  rig.film = name;
  rig.service.calledIds = name;
  rig.ids = name;
  rig.journalOf = async film => (await lead(rig, film)).journal;
  return rig;
}

const lead = (rig: RunRig, film: string, team = world.team) =>
  world.lead(film, {
    clock: rig.clock,
    account: rig.service.account,
    team,
    beforePaying: notes.markFor(team, rig).renew,
  });

/** A machine that knows only the team's tables. */
async function made(rig: RunRig, film: string, name = rig.film) {
  const before = rig.film;
  rig.film = name;
  rig.lockText = undefined;
  const started = await rig.start(film, {}, service(rig));
  const { is } = await rig.runToEnd(started);
  await rig.kill();
  rig.film = before;
  return { is, film: started };
}

/** The clocks of all, and that of the database. */
async function tellTime() {
  const now = Math.max(...rigs().map(rig => rig.clock.now()));
  for (const rig of rigs()) rig.clock.tick(now - rig.clock.now());
  await world.team.query('UPDATE test_clock SET ms = $1', [now]);
}

async function caughtUp() {
  const [at] = await world.team.query<{ lsn: string }>('SELECT pg_current_wal_lsn()::text AS lsn');
  await onServer(standby.url, async client => {
    const replayed = async () =>
      (await client.query<{ is: boolean }>('SELECT pg_last_wal_replay_lsn() >= $1 AS is', [at?.lsn])).rows[0]?.is;
    while (!(await replayed()));
  });
}

async function whyRefused(): Promise<string> {
  const team = on(primary);
  try {
    await team.check();
    return '';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await team.close();
  }
}

const on = ({ url }: PostgresServer) =>
  new TeamDatabase({ url: urlOf(url, databaseName), most: 2, schema: world.team.schema });

test('a standby that only reads is refused in words', async () => {
  const team = on(standby);
  await expect(team.check()).rejects.toThrow('is a standby, which only reads: use the address of the primary');
  await team.close();
});

describe('the standby is promoted', () => {
  beforeAll(async () => {
    await onServer(standby.url, client => client.query('SELECT pg_promote()'));
    address.moveTo(urlOf(standby.url, databaseName));
  });

  test('a lead that lives writes and sends nothing more', async () => {
    living?.service.finish('living-2');
    const ended = living?.runToEnd(ofLiving);
    expect((await ended)?.is).not.toBe('done');
    expect(posts(living)).toBe(1);
    const [restored] = await world.team.query<{ n: number }>('SELECT count(*)::int AS n FROM restored');
    expect(restored?.n).toBe(1);
  });

  test.each([
    ['dead', () => dead],
    ['living', () => living],
  ])('what a lead had sent that is %s is taken up by one that never saw it', async (_, of) => {
    const rig = of();
    if (!rig) throw new Error('it is made before');
    rig.service.isQuick = true;
    await tellTime();
    const again = await made(rig, ONE_SHOT);
    expect([again.is, posts(rig)]).toEqual(['done', 1]);
    expect(again.film.events).toContainEqual(
      expect.objectContaining({ type: 'submit_accepted', generation_id: `${rig.film}-2`, found: true }),
    );
    const [restored] = await world.team.query<{ n: number }>('SELECT count(*)::int AS n FROM restored');
    expect(restored?.n).toBe(1);
  });

  test('a service that lists what it was given 160 s later is asked until it does', async () => {
    if (!lagging) throw new Error('it is made before');
    const { clock, service } = lagging;
    const tookOverAt = clock.now();
    service.lists = rows =>
      rows.filter(({ enqueued_at: at = 0 }) => (at * 1000 < tookOverAt - LAG ? true : clock.now() > tookOverAt + LAG));
    await tellTime();
    expect((await made(lagging, ONE_SHOT)).is).toBe('done');
    expect(posts(lagging)).toBe(1);
  });

  test('what was never sent is sent where the service lists something that was made long after, and is asked about elsewhere', async () => {
    if (!lagging) throw new Error('it is made before');
    const hare = ONE_SHOT.replace('a fox', 'a hare');
    await tellTime();
    const held = await made(lagging, hare);
    expect([held.is, posts(lagging)]).toEqual(['failed', 1]);
    expect(held.film.events).toContainEqual(
      expect.objectContaining({ type: 'failed', failure: expect.objectContaining({ code: 'submit_unknown' }) }),
    );
    const { service, clock } = lagging;
    await clock.advance(2 * LAG);
    await tellTime();
    service.records.set('foreign', {
      ...{
        generation_id: 'foreign',
        status: 'succeeded',
        model_name: 'V-T2V-A',
        enqueued_at: Math.floor(clock.now() / 1000),
      },
      request: { model: 'V-T2V-A', prompt: 'a whale', duration: 5 },
    });
    const lynx = ONE_SHOT.replace('a fox', 'a lynx');
    expect((await made(lagging, lynx, 'lynx')).is).toBe('done');
    expect(posts(lagging)).toBe(2);
  });

  test('the old primary comes back: nothing is paid for over it', async () => {
    await primary.start();
    const old = await cuttingProxy(urlOf(primary.url, databaseName));
    const team = new TeamDatabase({ url: old.url, schema: world.team.schema });
    const rig = rigOf('split');
    let troubles: readonly (string | undefined)[] = [];
    rig.journalOf = async film => {
      const led = await lead(rig, film, team);
      troubles = led.trouble;
      return led.journal;
    };
    const started = await rig.start(ONE_SHOT);
    await expect.poll(() => troubles.join()).toContain("an older copy of the team's database");
    expect(rig.service.posts).toEqual([]);
    // Its connections are made anew until the address leads elsewhere.
    old.moveTo(urlOf(standby.url, databaseName));
    expect((await rig.runToEnd(started)).is).not.toBe('done');
    expect(rig.service.posts).toEqual([]);
    await rig.dispose();
    await team.close();
    await old.close();
  });

  test.each(['fsync', 'synchronous_commit'])('a server with %s off is refused in words', async setting => {
    await onServer(primary.url, async client => {
      await client.query(`ALTER SYSTEM SET ${setting} = off`);
      await client.query('SELECT pg_reload_conf()');
    });
    await expect.poll(whyRefused).toContain(`the team's database has ${setting} off`);
    await onServer(primary.url, client => client.query(`ALTER SYSTEM RESET ${setting}`));
  });
});
