/** Runs of films whose connection to the team's database breaks at the worst of moments: nothing is sent twice, and nothing is forgotten. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TeamDatabase } from '../../src/team/database/team-database.ts';
import { TEASER } from '../run/pipelines.ts';
import { RunRig } from '../run/rig.ts';
import { type Cut, type CuttingProxy, cuttingProxy } from '../support/cutting-proxy.ts';
import type { Server } from '../support/postgres-of-run.ts';
import { databaseForTests, serverForTests, TeamWorld } from './team-world.ts';

let world: TeamWorld;
let proxy: CuttingProxy;
let team: TeamDatabase;
let rig: RunRig;
let trouble: (string | undefined)[];
let giveUp: () => void;

/** Opens what the tests beside this call use. */
function openedOn(server: () => Pick<Server, 'url'>): void {
  beforeEach(async () => {
    world = await TeamWorld.open(server());
    proxy = await cuttingProxy(server().url);
    team = new TeamDatabase({ url: proxy.url, schema: world.team.schema });
    rig = new RunRig();
    rig.service.isQuick = true;
    rig.journalOf = async film => {
      const led = await world.lead(film, { team, clock: rig.clock, account: rig.service.account });
      trouble = led.trouble;
      giveUp = () => led.journal.giveUp();
      return led.journal;
    };
  });
  afterEach(async () => {
    proxy.open();
    giveUp();
    await rig.dispose();
    await world.close();
    await team.close();
    await proxy.close();
  });
}

const submissions = () =>
  world.team.query<{ state: string; ending: string; n: number }>(
    'SELECT state, ending, count(*) AS n FROM submission GROUP BY state, ending ORDER BY state, ending',
  );
const spent = async () =>
  (await world.team.query<{ usd: number }>('SELECT coalesce(sum(usd), 0) AS usd FROM spent'))[0]?.usd;

const made = async () => {
  const film = await rig.start(TEASER);
  return { film, outcome: await rig.runToEnd(film) };
};

const TWO = `
shotlist: 1
name: two
steps:
  shot:
    model: V-T2V-A
    matrix: { animal: [fox, owl] }
    with: { prompt: "a \${{ matrix.animal }}" }
`;

describe('a connection that breaks', () => {
  openedOn(databaseForTests());

  test.each<Cut & { readonly name: string; readonly refused: number }>([
    { name: 'before it asks', at: 'admission_rows', when: 'unsaid', refused: 0 },
    { name: 'before it is answered', at: 'admission_rows', when: 'unheard', refused: 0 },
    { name: 'after it has decided', at: 'keep_rows', when: 'unsaid', refused: 1 },
    { name: 'while its decision is kept', at: 'keep_rows', when: 'unheard', refused: 1 },
    { name: 'before it says that it stands', at: 'COMMIT', when: 'unsaid', refused: 1 },
    { name: 'after it said so, and was not answered', at: 'COMMIT', when: 'unheard', refused: 1 },
  ])('$name: three requests, three POSTs, all of them paid once', async ({ at, when, refused }) => {
    const film = await rig.start(TEASER);
    proxy.cut({ at, when });
    const outcome = await rig.runToEnd(film);
    expect(outcome.is).toBe('done');
    expect(proxy.cuts).toBe(1);
    expect(rig.service.posts).toHaveLength(3);
    const rows = await submissions();
    expect(rows.find(({ ending }) => ending === 'made')).toMatchObject({ n: 3 });
    expect(rows.find(({ ending }) => ending === 'refused')?.n ?? 0).toBe(refused);
    expect(trouble.at(-1)).toBeUndefined();
    expect(trouble.length).toBeGreaterThan(0);
    const whole = await spent();
    // The same film, made over a connection that holds.
    const again = await made();
    expect(again.outcome.is).toBe('done');
    expect(rig.service.posts).toHaveLength(3);
    expect(await spent()).toBe(whole);
  });

  test.each(['unsaid', 'unheard'] as const)(
    'a decision to wait that is %s is made again: nobody waits for ever',
    async when => {
      await world.team.query("INSERT INTO service_limit (account, name, in_flight) VALUES ($1, 'house', 1)", [
        rig.service.account,
      ]);
      rig.service.isQuick = false;
      const film = await rig.start(TWO);
      await rig.service.arrived(1);
      await rig.clock.asleep();
      // What waits for the place of the first asks again, and again.
      for (let n = 0; n < 3; n++) {
        proxy.cut({ at: 'COMMIT', when });
        while (proxy.cuts === n) {
          await rig.clock.advance(1_000);
          await new Promise(resolve => setTimeout(resolve, 5));
        }
      }
      rig.service.isQuick = true;
      rig.service.finish('gen-1');
      expect((await rig.runToEnd(film)).is).toBe('done');
      expect(rig.service.posts).toHaveLength(2);
    },
  );

  test.each<Cut>([
    { at: 'keep_rows', when: 'unsaid' },
    { at: 'COMMIT', when: 'unsaid' },
    { at: 'COMMIT', when: 'unheard' },
  ])('what acts outside does so once, where that it begins is $when', async cut => {
    const film = await rig.start(`
shotlist: 1
name: posted
steps:
  post: { run: 'echo fox >>"$SHOTLIST_PROJECT/posted"; echo done', effect: true }
`);
    proxy.cut(cut);
    expect((await rig.runToEnd(film)).is).toBe('done');
    expect(proxy.cuts).toBe(1);
    expect(readFileSync(join(rig.folder, 'posted'), 'utf8')).toBe('fox\n');
  });

  test('cut again and again, anywhere: each request is sent once', async () => {
    const film = await rig.start(TEASER);
    const places = ['admission_rows', 'keep_rows', 'COMMIT', 'BEGIN', 'keep_rows', 'COMMIT', 'BEGIN'] as const;
    const cuts = Array.from(
      { length: 20 },
      (_, n): Cut => ({
        ...{ at: places[n % places.length] ?? 'COMMIT', when: n % 2 === 0 ? 'unheard' : 'unsaid' },
        // Something comes of it between two cuts.
        after: n % 2,
      }),
    );
    proxy.cut(...cuts);
    expect((await rig.runToEnd(film)).is).toBe('done');
    expect(rig.service.posts).toHaveLength(3);
    expect(proxy.cuts).toBeGreaterThan(4);
  });

  test('an answer that was paid for while nobody could write it down is in the journal of the next lead', async () => {
    rig.service.isQuick = false;
    const film = await rig.start(TEASER);
    await rig.service.arrived(1);
    await film.happened('submit_accepted');
    proxy.shut();
    rig.service.finish('gen-1');
    await new Promise(resolve => setTimeout(resolve, 100));
    // The process dies before the database is back: its successor follows what was sent, and sends nothing again.
    giveUp();
    await rig.kill();
    proxy.open();
    rig.service.isQuick = true;
    const next = await made();
    expect(next.outcome.is).toBe('done');
    expect(rig.service.posts).toHaveLength(3);
    expect(film.events.some(({ type }) => type === 'submit_accepted')).toBe(true);
  });
});

describe('a server that is killed', () => {
  const postgres = serverForTests('durable');
  openedOn(postgres);

  test('and back later: nothing is sent meanwhile, and nothing is lost', async () => {
    rig.service.isQuick = false;
    const film = await rig.start(TEASER);
    await rig.service.arrived(1);
    await film.happened('submit_accepted');
    await postgres().kill();
    rig.service.finish('gen-1');
    const over = rig.runToEnd(film);
    // What the first result is for would be sent now.
    await expect.poll(() => trouble.some(message => message !== undefined)).toBe(true);
    expect(rig.service.posts).toHaveLength(1);
    rig.service.isQuick = true;
    await postgres().start();
    expect((await over).is).toBe('done');
    expect(rig.service.posts).toHaveLength(3);
    expect(await submissions()).toEqual([{ state: 'closed', ending: 'made', n: 3 }]);
  });
});
