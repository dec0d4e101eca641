import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Event } from '../../src/model/run/event.ts';
import type { GenerationId, InstanceKey, RunId, StepName } from '../../src/model/run/key.ts';
import { isJournalled, JournalFailed } from '../../src/records/journal/journal.ts';
import { openJournal } from '../../src/records/journal/journal-file.ts';
import { JOURNAL, JOURNAL_OF_ONE_FILM } from '../../src/records/journal/journal-tables.ts';
import { LocalJournal } from '../../src/records/journal/local-journal.ts';
import { MOST_DURATIONS } from '../../src/records/views/model-durations.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { expectTablesInFile } from '../support/tables-of-log.ts';

const RUN = 'run-1' as RunId;
const SHOT = 'shot' as InstanceKey;
const GENERATION = 'gen-1' as GenerationId;
const intent = {
  type: 'submit_intended',
  key: SHOT,
  nonce: 'n1',
  fingerprint: 'f1',
  model: 'V-T2V-A',
  request: { prompt: 'a fox' },
  price: 0.5,
  account: 'https://house.test 0',
} as const;
const accepted = { type: 'submit_accepted', key: SHOT, nonce: 'n1', generation_id: GENERATION, found: false } as const;

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shotlist-journal-'));
  path = join(folder, 'journal.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (film = 'fox') => openJournal({ folder, film, clock: new FakeClock(), to: 'run', later: setImmediate });
const record = (journal: LocalJournal, event: Event) => journal.append(RUN, [event]);

test.each([
  "UPDATE submission SET state = 'made'",
  'UPDATE submission SET generation_id = NULL',
  'DELETE FROM submission',
  'UPDATE charge SET usd = usd + 0.01',
  'DELETE FROM charge',
])('a table that is not what the log gives is found after a story: %s', async plant => {
  const journal = open();
  record(journal, intent);
  record(journal, accepted);
  await journal.close();
  expectTablesInFile(path);
  const database = new DatabaseSync(path);
  database.exec(plant);
  database.close();
  expect(() => expectTablesInFile(path)).toThrow();
});

test('durations are those of the newest generations, as far as their own run sent them', async () => {
  const journal = open();
  const made = (n: number, run: RunId) => {
    const key = `shot[n=${n}]` as InstanceKey;
    const generation_id = `gen-${n}` as GenerationId;
    // Of every second one, an earlier run has the request.
    const before =
      n % 2 === 0
        ? []
        : [
            { ...intent, key, nonce: `n${n}` },
            { ...accepted, key, nonce: `n${n}`, generation_id },
          ];
    journal.append(run, [
      ...before,
      {
        type: 'generated',
        key,
        generation_id,
        cost: null,
        estimate: null,
        result_url: 'https://x.test/a.mp4',
      } as Event,
    ]);
  };
  for (let n = 0; n < 2 * MOST_DURATIONS; n++) made(n, RUN);
  await journal.durable();
  expect(journal.views.durations().get('V-T2V-A')).toHaveLength(MOST_DURATIONS / 2);
  await journal.close();
  expectTablesInFile(path);
});

test('progress is told, not kept', () => {
  expect(isJournalled({ type: 'progress', key: SHOT, status: 'processing', position: null, fraction: 0.5 })).toBe(
    false,
  );
  expect(isJournalled(intent)).toBe(true);
});

/** `:memory:` with a COMMIT that fails while `full`, as SQLite fails. */
function onFullDisk() {
  const database = new DatabaseSync(':memory:');
  for (const tables of JOURNAL.migrations) database.exec(String(tables));
  const disk = { full: false };
  const exec = database.exec.bind(database);
  database.exec = text => {
    if (disk.full && text === 'COMMIT')
      throw Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });
    exec(text);
  };
  const options = { database, film: 'fox', clock: new FakeClock(), path: 'journal.db', later: setImmediate };
  return { disk, journal: new LocalJournal(options) };
}

test('a full disk loses nothing: events that could not be written are kept, reported, and written once there is room', async () => {
  const { disk, journal } = onFullDisk();
  const heard: string[] = [];
  journal.listen({ durable: () => heard.push('durable'), failed: ({ message }) => heard.push(message) });
  record(journal, intent);
  await journal.durable();
  disk.full = true;
  record(journal, accepted);
  await expect(journal.durable()).rejects.toThrow(JournalFailed);
  expect(journal.pending).toMatchObject([{ type: 'submit_accepted', generation_id: 'gen-1' }]);
  expect([...journal.read(RUN).events]).toHaveLength(1);
  disk.full = false;
  await journal.durable();
  expect([...journal.read(RUN).events].map(event => event.type)).toEqual(['submit_intended', 'submit_accepted']);
  expect(heard[0]).toBe('durable');
  expect(heard[1]).toBe('the disk is full: the journal at journal.db cannot be written; make room, then run again');
  expect(heard.at(-1)).toBe('durable');
});

describe('one journal for all films of a project', () => {
  test('two runners of one film are not: the second is refused', async () => {
    const first = open();
    expect(() => open()).toThrow(
      `another shotlist is running this pipeline: it holds ${join(folder, 'runs', 'fox')}; wait for it to end, or stop it first`,
    );
    await first.close();
    await open().close();
  });

  test('a look is no run: it is let in meanwhile', async () => {
    const first = open();
    const look = openJournal({ folder, film: 'fox', clock: new FakeClock(), to: 'look' });
    expect(look.views.owned.find('f1')).toBeUndefined();
    await look.close();
    await first.close();
  });

  test('a look sees one moment of the log, whatever a run writes meanwhile', async () => {
    const run = open();
    const look = openJournal({ folder, film: 'fox', clock: new FakeClock(), to: 'look' });
    look.views.atOneMoment(() => {
      expect(look.views.sent.lastIntent(SHOT)).toBeUndefined();
      record(run, intent);
      run.transact(() => {});
      expect(look.views.sent.lastIntent(SHOT)).toBeUndefined();
    });
    expect(look.views.sent.lastIntent(SHOT)).toMatchObject({ fingerprint: 'f1' });
    expect(() =>
      look.views.atOneMoment(() => {
        throw new Error('no plan');
      }),
    ).toThrow('no plan');
    expect(look.views.atOneMoment(() => look.views.sent.lastIntent(SHOT))).toBeDefined();
    await look.close();
    await run.close();
  });
});

test('the journal that a film had for itself is taken over once, with all that is open in it', async () => {
  const old = join(folder, 'runs', 'fox', 'journal.db');
  mkdirSync(dirname(old), { recursive: true });
  const before = new DatabaseSync(old);
  before.exec(`${JOURNAL_OF_ONE_FILM} PRAGMA user_version = 1`);
  const insert = before.prepare(
    'INSERT INTO event (run, seq, at, type, key, fingerprint, body) VALUES (?,?,?,?,?,?,?)',
  );
  for (const [seq, event] of [intent, accepted].entries())
    insert.run(RUN, seq, 5, event.type, SHOT, null, JSON.stringify({ ...event, seq, at: 5 }));
  before.close();
  const journal = open();
  expect(journal.views.ledger.open).toMatchObject([{ nonce: 'n1', id: 'gen-1', at: 5 }]);
  expect(journal.views.sent.lastIntent(SHOT)).toMatchObject({ nonce: 'n1' });
  expect([existsSync(old), existsSync(`${old}.taken-over`)]).toEqual([false, true]);
  await journal.close();
  const again = open();
  expect(again.views.ledger.open).toHaveLength(1);
  await again.close();
});

describe('what was asked for', () => {
  const made = {
    type: 'succeeded',
    key: SHOT,
    fingerprint: 'f1',
    result: { is: 'command', stdout: 'done', json: null, files: {} },
    asked: { 'run[0]': 'draw', 'env.LOOK': '$TOKEN', size: 1.0, says: 'a "fox"\n– \u{1f98a}' },
  } as const;
  const column = () =>
    new DatabaseSync(path).prepare("SELECT body, asked FROM event WHERE type = 'succeeded'").get() as {
      readonly body: string;
      readonly asked: string;
    };

  test('is taken over from a journal of the version before, where it stood in the event', async () => {
    const before = new DatabaseSync(path);
    for (const tables of JOURNAL.migrations.slice(0, 2)) before.exec(String(tables));
    before.exec('PRAGMA user_version = 2');
    const insert = before.prepare(
      "INSERT INTO event (film, run, seq, at, type, key, fingerprint, body) VALUES ('fox', ?, ?, 5, ?, ?, ?, ?)",
    );
    const { asked: _, ...plain } = made;
    const bodies = [made, { ...plain, fingerprint: 'f2' }].map((event, seq) =>
      JSON.stringify({ ...event, seq, at: 5 }),
    );
    for (const [seq, body] of bodies.entries()) insert.run(RUN, seq, 'succeeded', SHOT, `f${seq + 1}`, body);
    insert.run(RUN, 9, 'succeeded', 'cut', 'f9', bodies[0]!.slice(0, 40));
    before.close();
    const journal = open();
    expect(journal.views.owned.rowOf('f1')?.event).toEqual({ ...made, seq: 0, at: 5 });
    expect(journal.views.owned.rowOf('f2')?.event).toEqual({ ...plain, fingerprint: 'f2', seq: 1, at: 5 });
    expect(journal.views.owned.find('f1')).toEqual({ ...plain, seq: 0, at: 5 });
    // What a bad disk has left is found where it is read, as before.
    expect(() => journal.views.owned.find('f9')).toThrow('a row in it is damaged');
    await journal.close();
    expect(column().body).toBe(JSON.stringify({ ...plain, seq: 0, at: 5 }));
    const again = open();
    expect(again.views.owned.resultsOf(SHOT).map(({ event }) => 'asked' in event)).toEqual([false, true]);
    await again.close();
  });

  test('is not what a person was asked, who said that a request was lost', async () => {
    const journal = open();
    const absent = { type: 'submit_absent', key: SHOT, nonce: 'n1', reason: 'somebody said so', asked: true } as const;
    record(journal, intent);
    record(journal, absent);
    await journal.durable();
    expect([...journal.read(RUN).events].at(-1)).toMatchObject(absent);
    await journal.close();
    const row = new DatabaseSync(path).prepare("SELECT body FROM event WHERE type = 'submit_absent'").get();
    expect(JSON.parse(String(row?.body))).toMatchObject(absent);
  });

  test('that cannot be read is not known: the result is', async () => {
    const journal = open();
    record(journal, made);
    await journal.close();
    const database = new DatabaseSync(path);
    database.exec("UPDATE event SET asked = '{\"run'");
    database.close();
    const again = open();
    expect(again.views.owned.rowOf('f1')?.event).toMatchObject({ result: { stdout: 'done' } });
    expect(again.views.owned.rowOf('f1')?.event).not.toHaveProperty('asked');
    await again.close();
  });
});

describe('a journal that cannot be used', () => {
  test('is refused when it is damaged, and left as it is', () => {
    writeFileSync(path, 'this is no database, but it stands for money');
    expect(open).toThrow(
      `${path} cannot be read (file is not a database); it records what was paid for, so it is not started over: restore it from a backup; with its lock file a film still knows what it owns`,
    );
  });

  test('is refused when it is empty: it has lost what it held', () => {
    writeFileSync(path, '');
    expect(open).toThrow(`${path} cannot be read (it is empty); it records what was paid for`);
  });

  test('is refused when a newer version wrote it', async () => {
    await open().close();
    const database = new DatabaseSync(path);
    database.exec('PRAGMA user_version = 99');
    database.close();
    expect(open).toThrow(
      `${path} was written by a newer shotlist (version 99, this one reads ${JOURNAL.migrations.length})`,
    );
  });

  test("is refused when it is somebody else's", () => {
    const database = new DatabaseSync(path);
    database.exec('CREATE TABLE recipes (name TEXT)');
    database.close();
    expect(open).toThrow(`${path} is an SQLite file but not the journal of shotlist; move it away`);
  });
});

describe('what a run was planned to do', () => {
  const part = (...keys: string[]) => ({
    instances: keys.map(
      key => ({ key: key as InstanceKey, step: 'shot' as StepName, decision: 'run', why: 'new', price: 1 }) as const,
    ),
  });

  test('is told without a part that is damaged', async () => {
    const journal = open();
    journal.append(RUN, [intent], [part('shot[seed=1]'), part('shot[seed=2]')]);
    await journal.close();
    const database = new DatabaseSync(path);
    database.exec("UPDATE run_plan SET body = x'00ff00ff' WHERE id = 1");
    database.close();
    const later = open();
    expect(later.views.runs.planOf(RUN)).toMatchObject({ isWhole: false, instances: [{ key: 'shot[seed=2]' }] });
    await later.close();
  });

  test('is not known of runs in a journal of the version before, which is taken over with all it holds', async () => {
    const before = new DatabaseSync(path);
    for (const tables of JOURNAL.migrations.slice(0, -1)) before.exec(String(tables));
    before.exec(`PRAGMA user_version = ${JOURNAL.migrations.length - 1}`);
    const body = JSON.stringify({ ...intent, seq: 1, at: 5 });
    before
      .prepare(
        "INSERT INTO event (film, run, seq, at, type, key, fingerprint, body) VALUES ('fox', ?, 1, 5, 'submit_intended', 'shot', 'f1', ?)",
      )
      .run(RUN, body);
    before.close();
    const journal = open();
    expect(journal.views.runs.planOf(RUN)).toBeUndefined();
    expect([...journal.read(RUN).events]).toMatchObject([{ type: 'submit_intended', key: 'shot' }]);
    await journal.close();
  });

  test('that cannot be put together keeps no event from being written', async () => {
    const journal = open();
    const parts = {
      *[Symbol.iterator]() {
        yield part('shot[seed=1]');
        throw new Error('a bug');
      },
    };
    journal.append(RUN, [intent], parts);
    await journal.durable();
    expect([...journal.read(RUN).events]).toHaveLength(1);
    expect(journal.views.runs.planOf(RUN)?.instances).toHaveLength(1);
    await journal.close();
  });

  test('holds no secret', async () => {
    const journal = open();
    journal.hiding(value => JSON.parse(JSON.stringify(value).replaceAll('hunter2', '…')));
    journal.append(RUN, [intent], [{ head: { command: 'run --param token=hunter2', files: [] } }]);
    await journal.durable();
    expect(journal.views.runs.planOf(RUN)?.head?.command).toBe('run --param token=…');
    await journal.close();
  });
});
