/** The database is as it was when its backup was made: what was sent since then is known to the service alone, and is not paid for again. */
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HistoryRow } from '../../src/api/queue.ts';
import { DEFAULT_LIMITS } from '../../src/run/engine/limits.ts';
import { STUDIO_PROOF } from '../../src/run/requests/proof-of-absence.ts';
import { TeamDatabase } from '../../src/team/database/team-database.ts';
import { restored, restoredIsOver } from '../../src/team/runs/upkeep.ts';
import { chatAnswer } from '../run/fake-service.ts';
import { ONE_SHOT } from '../run/pipelines.ts';
import { RunRig, type StartedRun } from '../run/rig.ts';
import { copyRows, type Restore } from './backup.ts';
import { databaseForTests, MemoryNotes, TeamWorld } from './team-world.ts';

const database = databaseForTests();
let world: TeamWorld;
let rig: RunRig;
let restore: Restore;
beforeEach(async () => {
  world = await TeamWorld.open(database());
  rig = new RunRig();
  rig.service.isQuick = true;
  rig.journalOf = async film => (await world.lead(film, { clock: rig.clock, account: rig.service.account })).journal;
  // Something that the service has taken before, and that shows whether its list is whole.
  rig.film = 'owl';
  await made(ONE_SHOT.replace('a fox crosses a river', 'an owl over the ice'));
  rig.film = 'film';
  await rig.kill();
  await world.team.query("UPDATE run SET status = 'done'");
});
afterEach(async () => {
  await rig.dispose();
  await world.close();
});

const HOSTED = { settled: 90_000, settledBehindGateway: 300_000, apart: 30_000, witnessAfter: 300_000, trusted: false };

/** Takes, one of which is sent without a seed. */
const TAKES = `
shotlist: 1
name: takes
steps:
  shot:
    takes: 3
    model: V-T2V-A
    with: { prompt: a fox crosses a river, duration: 5 }
`;
const CHAIN = `${ONE_SHOT}
  framed:
    model: V-RF
    with: { input_video: "\${{ steps.shot.result_url }}", aspect_ratio: "9:16", prompt: snow }
`;

const posts = () => rig.service.posts.length - 1;
const failures = (film: StartedRun) =>
  film.events.flatMap(event => (event.type === 'failed' ? [event.failure.message] : []));

/** This machine knows nothing beside what the team's tables tell. */
async function made(film: string): Promise<{ readonly is: string; readonly film: StartedRun }> {
  rig.lockText = undefined;
  const started = await rig.start(film);
  await tellTime();
  const { is } = await rig.runToEnd(started);
  return { is, film: started };
}
/** Makes it, and has sent so many requests by then. */
async function makes(film: string, sent: number): Promise<void> {
  expect([(await made(film)).is, posts()]).toEqual(['done', sent]);
}
const tellTime = async () => world.team.query('UPDATE test_clock SET ms = $1', [rig.clock.now()]);

/** A film is handed in and known, and a backup is made. */
async function backedUp(films: readonly string[] = ['film']): Promise<void> {
  for (const film of films)
    await world.team.query("INSERT INTO film (id, project, path) VALUES ($1, 'project', $1)", [film]);
  for (const film of films)
    await world.team.query(
      "INSERT INTO run (id, film, service, source, shotlist, status) VALUES ($1, $2, 'house', '', 'test', 'waiting')",
      [`run of ${film}`, film],
    );
  restore = await copyRows(database(), [world.team.schema]);
}

/** What was made since the backup is forgotten, and somebody says so. */
async function comesBack() {
  await rig.kill();
  await rig.clock.advance(60_000);
  await restore();
  await tellTime();
  return restored(world.team);
}

/** A film that was made after the backup, which the database forgets. */
async function lost(film: string): Promise<void> {
  await backedUp();
  await made(film);
  await comesBack();
}

describe('what was sent after the backup', () => {
  test('is found at the service and followed: nothing is sent a second time, a step behind it neither', async () => {
    await backedUp();
    await makes(CHAIN, 2);
    expect((await comesBack()).held).toEqual(['run of film']);
    const again = await made(CHAIN);
    expect(again.is).toBe('done');
    expect(posts()).toBe(2);
    expect(again.film.events.filter(event => event.type === 'submit_accepted')).toMatchObject([
      { key: 'shot', generation_id: 'gen-2', found: true },
      { key: 'framed', generation_id: 'gen-3', found: true },
    ]);
  });

  test('and is under way still, is waited for', async () => {
    await backedUp();
    rig.service.isQuick = false;
    const first = await rig.start(ONE_SHOT);
    await first.happened('submit_accepted');
    await comesBack();
    rig.lockText = undefined;
    const second = await rig.start(ONE_SHOT);
    const done = rig.runToEnd(second);
    await second.happened('submit_accepted');
    rig.service.finish('gen-2');
    expect((await done).is).toBe('done');
    expect(posts()).toBe(1);
  });

  test.each([
    ['a list that is trusted', STUDIO_PROOF],
    ['one that has to prove itself', HOSTED],
  ])('of takes that differ in a seed none is given to another, in %s', async (_name, proof) => {
    // How it gives seeds back is known of one that has one.
    rig.film = 'hare';
    const seeded = ONE_SHOT.replace('a fox', 'a hare').replace('duration: 5', 'duration: 5, seed: 77');
    const more = proof.trusted ? 0 : 1;
    if (more === 1) await made(seeded);
    rig.film = 'film';
    rig.settings = { proof };
    await backedUp();
    await made(TAKES);
    expect(posts()).toBe(3 + more);
    await comesBack();
    const again = await made(TAKES);
    // The one without a seed may be any of them in a list that need not show all: then a person is asked.
    if (proof.trusted) expect(failures(again.film)).toEqual([]);
    for (const why of failures(again.film)) expect(why).toContain('may be one of several requests of ours');
    expect(posts()).toBe(3 + more);
    for (const event of again.film.events)
      if (event.type === 'succeeded' && event.result.is === 'media') {
        const { generation_id: id } = event.result;
        const asked = again.film.events.find(one => one.type === 'submit_intended' && one.key === event.key);
        const { model: _, ...request } = rig.service.records.get(String(id))?.request ?? { model: '' };
        expect(asked).toMatchObject({ request });
      }
  });

  test('of takes, where nobody knows how the service gives seeds back, is found or left to a person', async () => {
    rig.settings = { proof: HOSTED };
    await lost(TAKES);
    await made(TAKES);
    expect(posts()).toBe(3);
  });

  test('is looked for also where the first decision about it came too late and was taken back', async () => {
    await lost(ONE_SHOT);
    rig.lockText = undefined;
    let jumps = 1;
    rig.journalOf = async film => {
      const { journal } = await world.lead(film, { clock: rig.clock, account: rig.service.account });
      const decide = journal.decide.bind(journal);
      journal.decide = (on, decision) =>
        decide(on, () => {
          const decided = decision();
          if (on.fingerprint !== '' && jumps-- > 0) rig.clock.set(rig.clock.now() + 60_000);
          return decided;
        });
      return journal;
    };
    const again = await made(ONE_SHOT);
    expect(again.film.events.filter(({ type }) => type === 'submit_refused')).toHaveLength(1);
    expect([again.is, posts()]).toEqual(['done', 1]);
  });

  test('is found also where the film itself was handed in after it', async () => {
    await backedUp([]);
    await made(ONE_SHOT);
    await comesBack();
    await makes(ONE_SHOT, 1);
  });

  test('under another name for it that the service shows, which nobody knows any more', async () => {
    await backedUp();
    rig.service.lists = rows => rows.map(row => ({ ...row, idempotency_key: `key of ${row.generation_id}` }));
    await made(ONE_SHOT);
    await comesBack();
    await makes(ONE_SHOT, 1);
  });

  test('by one that died before it knew what came of it, is found by the next', async () => {
    await lost(ONE_SHOT);
    rig.lockText = undefined;
    const killed = await rig.start(ONE_SHOT);
    await killed.happened('submit_unknown');
    await rig.kill();
    const next = await made(ONE_SHOT);
    expect(next.is).toBe('done');
    expect(posts()).toBe(1);
  });
});

describe('a backup that was not announced', () => {
  const counted = () => world.team.query('SELECT since FROM restored');
  const forgotten = async () => {
    await rig.kill();
    await rig.clock.advance(60_000);
    await restore();
    await tellTime();
  };

  async function endConnections() {
    const client = new Client({ connectionString: database().url });
    await client.connect();
    const OTHERS = 'FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
    await client.query(`SELECT pg_terminate_backend(pid) ${OTHERS}`);
    while ((await client.query(`SELECT ${OTHERS}`)).rowCount !== 0);
    await client.end();
  }

  test('is recognised by a process that remembers what was kept, as soon as it connects anew', async () => {
    await backedUp();
    await made(ONE_SHOT);
    await forgotten();
    await endConnections();
    const again = await made(ONE_SHOT);
    expect([again.is, posts(), (await counted()).length]).toEqual(['done', 1, 1]);
  });

  test("is recognised by a process that never saw it: the team's store remembers", async () => {
    await backedUp();
    const notes = new MemoryNotes();
    await made(ONE_SHOT);
    await notes.markFor(world.team, rig).compare();
    const before = notes.mark?.generation ?? 0;
    await forgotten();
    const team = new TeamDatabase({ url: database().url, schema: world.team.schema });
    await notes.markFor(team, rig).compare();
    await notes.markFor(team, rig).compare();
    await team.close();
    expect(await counted()).toHaveLength(1);
    expect(notes.mark).toMatchObject({ generation: before + 1 });
    await makes(ONE_SHOT, 1);
  });
});

describe('what the history cannot tell is not sent before somebody says so', () => {
  beforeEach(() => {
    rig.settings = { proof: HOSTED };
  });
  const hidden = (rows: readonly HistoryRow[]) => rows.filter(row => row.generation_id !== 'gen-2');

  test.each<readonly [string, (rows: readonly HistoryRow[]) => readonly HistoryRow[], RegExp]>([
    ['it leaves out what is known to be there', rows => rows.slice(2), /not list all/],
    ['it shows no request', rows => rows.map(({ prompt: _, duration: __, ...row }) => row), /without saying enough/],
    [
      'it shows other prompts than were sent',
      rows => rows.map(row => ({ ...row, prompt: `${row.prompt} in the rain` })),
      /without saying enough/,
    ],
    ['it lists nothing', () => [], /not list all/],
  ])('%s', async (_name, lists, why) => {
    await lost(ONE_SHOT);
    rig.service.lists = lists;
    const held = await made(ONE_SHOT);
    expect(held.is).toBe('failed');
    expect(failures(held.film)).toEqual([expect.stringMatching(why)]);
    expect(posts()).toBe(1);
    const still = await made(ONE_SHOT);
    expect([still.is, posts()]).toEqual(['failed', 1]);
    rig.onUnknown = 'resubmit';
    await makes(ONE_SHOT, 2);
  });

  test('it is off', async () => {
    await lost(ONE_SHOT);
    rig.service.listsHistory = false;
    const held = await made(ONE_SHOT);
    expect(failures(held.film)).toEqual([expect.stringContaining('does not list what it was given')]);
    expect(posts()).toBe(1);
  });

  test('it lags: what it shows a minute late is found', async () => {
    await lost(ONE_SHOT);
    const shown = rig.clock.now() + 60_000;
    rig.service.lists = rows => (rig.clock.now() < shown ? hidden(rows) : rows);
    await makes(ONE_SHOT, 1);
  });

  test('it lags by twenty minutes, and shows nothing that was made long after the backup came back', async () => {
    await lost(ONE_SHOT);
    const shown = rig.clock.now() + 1_200_000;
    rig.service.lists = rows => (rig.clock.now() < shown ? hidden(rows) : rows);
    const held = await made(ONE_SHOT);
    expect(failures(held.film)).toEqual([expect.stringContaining('nothing that was made long after it is listed')]);
    await rig.clock.advance(1_200_000);
    await makes(ONE_SHOT, 1);
  });

  test('it shows it at one look and not at the next', async () => {
    await lost(ONE_SHOT);
    rig.service.lists = rows => (rig.service.historyReads % 2 === 0 ? rows : hidden(rows));
    const held = await made(ONE_SHOT);
    expect(posts()).toBe(1);
    expect(['done', 'failed']).toContain(held.is);
  });

  test('a chat, which is in no list, of a film that was there; of one that came later it is asked', async () => {
    const chat = 'shotlist: 1\nname: chat\nsteps:\n  words: { model: C-D, with: { prompt: a fox? } }\n';
    await backedUp();
    rig.service.chatAnswers.push(chatAnswer('yes'), chatAnswer('again'));
    await made(chat);
    expect(rig.service.calls).toHaveLength(1);
    await comesBack();
    const held = await made(chat);
    expect(failures(held.film)).toEqual([expect.stringContaining('leaves nothing to look for')]);
    expect(rig.service.calls).toHaveLength(1);
    rig.film = 'later';
    const later = await made(chat.replace('a fox', 'a hare'));
    expect(failures(later.film)).toEqual([]);
    expect(rig.service.calls).toHaveLength(2);
  });

  test('a command that acts outside', async () => {
    const act = 'shotlist: 1\nname: act\nsteps:\n  post: { run: "echo posted", effect: true }\n';
    await lost(act);
    const held = await made(act);
    expect(held.is).toBe('failed');
    expect(held.film.events.some(({ type }) => type === 'command_started')).toBe(false);
    rig.onUnknown = 'done';
    expect((await made(act)).is).toBe('done');
  });
});

test('what no history lists is asked about, also after the history has told of all that it lists', async () => {
  const mixed = `
shotlist: 1
name: mixed
steps:
  words: { model: C-D, with: { prompt: a fox? } }
  post: { run: "echo posted", effect: true }
`;
  await backedUp();
  rig.service.chatAnswers.push(chatAnswer('yes'), chatAnswer('again'));
  expect((await made(mixed)).is).toBe('done');
  await comesBack();
  rig.film = 'another';
  expect((await made(ONE_SHOT)).is).toBe('done');
  expect(await world.team.query('SELECT account FROM restored_over')).toHaveLength(1);
  rig.film = 'film';
  const held = await made(mixed);
  expect(held.is).toBe('failed');
  expect(failures(held.film)).toHaveLength(2);
  expect(held.film.events.some(({ type }) => type === 'command_started')).toBe(false);
  expect(rig.service.calls).toHaveLength(1);
  await restoredIsOver(world.team);
  rig.film = 'third';
  expect((await made(mixed.replace('a fox', 'a hare').replace('posted', 'sent'))).is).toBe('done');
});

test('a request that was looked for in one lost time ends that one, and none before it', async () => {
  const { journal } = await world.lead('film');
  await world.team.query(
    'INSERT INTO restored (id, since, at, event) VALUES (101, 1000, 2000, 0), (102, 3000, 4000, 0), (103, 3500, 9000, 0)',
  );
  await journal.team.lostTimeIsOver('house', { since: 3000, until: 4000 });
  expect(await world.team.query('SELECT restored FROM restored_over')).toEqual([{ restored: 102 }]);
  await journal.team.lostTimeIsOver('house', { since: 1000, until: 4000 });
  expect(await world.team.query('SELECT restored FROM restored_over ORDER BY 1')).toHaveLength(2);
});

test('no lead has an epoch that one of a lost time had, however often the same backup is restored', async () => {
  await backedUp(['film']);
  const seen = new Map<string, Set<number>>([
    ['film', new Set()],
    ['late', new Set()],
  ]);
  for (let time = 0; time < 3; time++) {
    for (const [film, epochs] of seen)
      for (let turn = 0; turn < 2; turn++) {
        const { epoch } = await world.lead(film);
        expect(epochs).not.toContain(epoch);
        epochs.add(epoch);
      }
    await comesBack();
  }
});

describe('what was never sent', () => {
  /** A generation of another user of the key, so many seconds ago. */
  const foreign = (ago: number) =>
    rig.service.records.set('foreign', {
      ...{ generation_id: 'foreign', status: 'succeeded', model_name: 'V-T2V-A' },
      enqueued_at: Math.floor(rig.clock.now() / 1000) - ago,
      request: { model: 'V-T2V-A', prompt: 'a whale', duration: 5 },
    });

  test('is sent once that is proven, and from then on nobody looks any more', async () => {
    await backedUp();
    await comesBack();
    const began = rig.clock.now();
    await makes(CHAIN, 2);
    expect(rig.clock.now() - began).toBeLessThan(60_000);
    const reads = rig.service.historyReads;
    await makes(CHAIN.replaceAll('fox', 'hare'), 4);
    // What it cost is looked up at the end of each run.
    expect(rig.service.historyReads - reads).toBeLessThanOrEqual(1);
  });

  test('is looked for as long as the run has other work, and sent once the list shows what was made long after', async () => {
    rig.settings = { proof: HOSTED };
    await backedUp([]);
    await comesBack();
    rig.service.chatAnswers.push('never');
    const film = await rig.start(`${ONE_SHOT}  words: { model: C-D, with: { prompt: a fox? } }\n`);
    await film.happened('submit_unknown', 'shot');
    let isMade = false;
    const made = film.happened('succeeded', 'shot').then(() => {
      isMade = true;
    });
    const until = async (isSo: () => boolean) => {
      while (!isSo()) {
        await Promise.race([rig.clock.asleep(), made]);
        await rig.clock.advance(rig.clock.sleeping[0] ?? 0);
      }
    };
    const anHour = rig.clock.now() + 3_600_000;
    await until(() => rig.clock.now() > anHour);
    expect([posts(), failures(film)]).toEqual([0, []]);
    foreign(0);
    await until(() => isMade);
    expect(posts()).toBe(1);
  });

  test('is not looked for where a person has said that there is nothing', async () => {
    await backedUp();
    await comesBack();
    rig.service.listsHistory = false;
    expect((await made(ONE_SHOT)).is).toBe('failed');
    await restoredIsOver(world.team);
    await makes(ONE_SHOT.replace('fox', 'hare'), 1);
  });

  test('hundreds at once are held against the same reads of the history', async () => {
    const many = `
shotlist: 1
name: many
steps:
  shot:
    matrix: { n: 1..40 }
    model: V-T2V-A
    with: { prompt: "fox \${{ matrix.n }} crosses a river", duration: 5 }
`;
    await backedUp();
    await made(many.replace('1..40', '1..3'));
    rig.settings = { limits: { ...DEFAULT_LIMITS, submits_per_second: 1_000, in_flight: 1_000, per_model: 1_000 } };
    await comesBack();
    // Somebody else uses the key too: the time stays in doubt.
    foreign(30);
    const reads = rig.service.historyReads;
    await makes(many, 40);
    expect(rig.service.historyReads - reads).toBeLessThanOrEqual(6);
  });
});
