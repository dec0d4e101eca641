/** What a login of a person may write to the team's tables past Shotlist, and have done as the owner of the tables. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/machine/time/clock.ts';
import { type Choice, deciderName } from '../../src/model/run/choice.ts';
import type { InstanceKey } from '../../src/model/run/key.ts';
import { choiceRowIn } from '../../src/records/journal/choice-rows.ts';
import { TeamDatabase } from '../../src/team/database/team-database.ts';
import { TeamJournal } from '../../src/team/journal/team-journal.ts';
import { dropUnreadable } from '../../src/team/runs/upkeep.ts';
import { databaseForTests } from './team-world.ts';

const database = databaseForTests();

let owner: TeamDatabase;
let anna: TeamDatabase;
const told: string[] = [];
beforeEach(async () => {
  const { url } = database();
  owner = new TeamDatabase({ url, most: 1 });
  // Rights on a database are not copied with it.
  await owner.grantRoles();
  await owner.query(
    'DROP ROLE IF EXISTS definer_anna; CREATE ROLE definer_anna LOGIN IN ROLE shotlist_user; DELETE FROM note; DELETE FROM choice; DELETE FROM run; DELETE FROM film',
  );
  await owner.query("INSERT INTO film (id, project, path) VALUES ('film', 'project', 'film.yaml')");
  told.length = 0;
  anna = new TeamDatabase({
    ...{ url: url.replace('shotlist@', 'definer_anna@'), most: 1 },
    trouble: message => void told.push(message),
  });
});
afterEach(async () => {
  await anna.close();
  const database = "format('REVOKE TEMPORARY ON DATABASE %I FROM definer_anna', current_database())";
  await owner.query(`DO $$ BEGIN EXECUTE ${database}; END $$`);
  await owner.close();
});

test('a table of the same name in their own session is not written to, and runs nothing', async () => {
  await owner.query(
    "DO $$ BEGIN EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO definer_anna', current_database()); END $$",
  );
  await anna.query(`
    CREATE TEMP TABLE note (film text, name text, value text, PRIMARY KEY (film, name));
    CREATE TEMP TABLE told (as_whom text);
    GRANT ALL ON note, told TO PUBLIC;
    CREATE FUNCTION pg_temp.tells() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN INSERT INTO pg_temp.told SELECT current_user; RETURN NEW; END';
    CREATE TRIGGER tells BEFORE INSERT ON pg_temp.note FOR EACH ROW EXECUTE FUNCTION pg_temp.tells()`);
  await anna.query("SELECT keep_rejected('film', '{}')");
  expect(await anna.query('SELECT as_whom FROM pg_temp.told')).toEqual([]);
  expect(await anna.query('SELECT film FROM pg_temp.note')).toEqual([]);
  expect(await owner.query('SELECT film, name, value FROM note')).toEqual([
    { film: 'film', name: 'rejected', value: '{}' },
  ]);
});

test('nor may they make such a table, unless somebody lets them', async () => {
  await expect(anna.query('CREATE TEMP TABLE note (film text)')).rejects.toThrow('permission denied');
});

const CHOICE: Choice = {
  ...{ key: 'best' as InstanceKey, from: ['a', 'b'], called: ['still[take=1]', 'still[take=2]'] as InstanceKey[] },
  ...{ chosen: ['a'], by: 'person', who: 'Anna B.', at: 5 },
};
const decides = (body: string, team = anna) =>
  team.query('INSERT INTO choice (film, key, body) VALUES ($1, $2, $3)', ['film', 'best', body]);
const choicesIn = async (team: TeamDatabase) => {
  const journal = await TeamJournal.open({
    ...{ team, film: 'film', account: 'house', clock: systemClock, newId: randomUUID },
  });
  const rows = journal.choices.after(0);
  await journal.close();
  return rows.map(row => ('choice' in row ? row.choice : row));
};

test.each([
  ['garbage'],
  ['"a text"'],
  ['null'],
  ['[]'],
  ['{}'],
  ['{"withdrawn": 5}'],
  [JSON.stringify({ ...CHOICE, from: 'a' })],
  [JSON.stringify({ ...CHOICE, from: [['a']] })],
  [JSON.stringify({ ...CHOICE, chosen: [1] })],
  [JSON.stringify({ ...CHOICE, by: 'the boss' })],
  [JSON.stringify({ ...CHOICE, who: null })],
  [JSON.stringify({ ...CHOICE, at: 8.65e15 })],
  [JSON.stringify({ ...CHOICE, at: 5 }).replace('"at":5', '"at":1e999')],
  [JSON.stringify({ ...CHOICE, note: 5 })],
  [JSON.stringify({ ...CHOICE, scores: [null] })],
  [JSON.stringify({ ...CHOICE, scores: { length: 1 } })],
  [JSON.stringify({ ...CHOICE, note: '[' }).replace('"["', '['.repeat(200_000))],
])('a choice that could not be read is not written: %.60s', async body => {
  expect(choiceRowIn(body)).toBeUndefined();
  await expect(decides(body)).rejects.toThrow('choice_is_readable');
});

test('a choice may hold any character, and records the login that wrote it, even if its text names another one', async () => {
  const strange = { ...CHOICE, note: 'a\0b \ud800 \\u0000 "}', who: 'Bob', login: 'boss' };
  await decides(` ${JSON.stringify(strange)} `);
  await decides(JSON.stringify({ withdrawn: 'best' }));
  const [first, second] = await choicesIn(anna);
  expect(first).toEqual({ ...strange, login: 'definer_anna' });
  expect(first && deciderName(first as Choice)).toBe('definer_anna (as: "Bob")');
  expect(second).toMatchObject({ withdrawn: 'best' });
  await decides(JSON.stringify({ ...CHOICE, by: 'rule' }), owner);
  expect((await choicesIn(anna)).at(-1)).not.toHaveProperty('login');
});

test('what a person has against a candidate records the login that wrote it; what others have said stays as it is', async () => {
  await owner.query("INSERT INTO note (film, name, value) VALUES ('film', 'rejected', $1)", [
    '{"b":{"who":"Ada","login":"ada","at":1,"note":null},"aa":{"who":"Bob","login":"bob","at":2,"note":null}}',
  ]);
  const all = {
    b: { who: 'Ada', login: 'ada', at: 1, note: null },
    aa: { who: 'Bob', login: 'bob', at: 2, note: 'by another' },
    a: { who: 'the boss', login: 'boss', at: 3, note: 'a\0b' },
  };
  await anna.query("SELECT keep_rejected('film', $1)", [JSON.stringify(all)]);
  const [kept] = await owner.query<{ value: string }>("SELECT value FROM note WHERE name = 'rejected'");
  const login = 'definer_anna';
  // In their order: the oldest are discarded first.
  expect(Object.entries(JSON.parse(kept?.value ?? ''))).toEqual([
    ['b', all.b],
    ['aa', { ...all.aa, login }],
    ['a', { ...all.a, login, note: 'a?b' }],
  ]);
  await owner.query("UPDATE note SET value = 'garbage'");
  await anna.query("SELECT keep_rejected('film', '{}')");
  expect(await owner.query('SELECT value FROM note')).toEqual([{ value: '{}' }]);
});

const run = (columns: Readonly<Record<string, unknown>>) => {
  const row = { id: 'r', film: 'film', service: 'house', source: '', shotlist: 'test', ...columns };
  return anna.query(
    `INSERT INTO run (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row).map((_, at) => `$${at + 1}`)})`,
    Object.values(row).map(value => (typeof value === 'object' ? JSON.stringify(value) : value)),
  );
};
const sha256 = 'a'.repeat(64);
const selection = { steps: ['a'], only: [], from: [], until: [], exclude: [], redo: [] };
const promotion = { from: 'draft', picks: [{ key: 'best', chosen: ['a'], among: {}, who: 'Anna' }] };

test.each([
  [{ params: [] }],
  [{ options: [] }],
  [{ options: { data: { rows: 5 } } }],
  [{ options: { selection: {} } }],
  [{ options: { selection: { ...selection, redo: 'a' } } }],
  [{ options: { promotion: { from: 'draft', picks: [null] } } }],
  [{ options: { promotion: { ...promotion, from: 5 } } }],
  [{ options: { attach: { shot: null } } }],
  [{ options: { maxUsd: '5' } }],
  [{ manifest: { 'film.yaml': { sha256: '../../etc/passwd', bytes: 5 } } }],
  [{ manifest: { 'film.yaml': null } }],
  [{ price: -5 }],
  [{ price: 'NaN' }],
])('a run that could not be led is not handed in: %j', async columns => {
  await expect(run(columns)).rejects.toThrow('run_is_readable');
});

test('any other run is, and a film lies within its project', async () => {
  const attach = { shot: { generation: 'gen_1', accept: 'same' } };
  const options = { data: { rows: 'a.csv' }, selection, promotion, attach, maxUsd: 5, budget: {}, resumed: {} };
  await run({ options, manifest: { 'film.yaml': { sha256, bytes: 5, executable: true } }, price: 0.5 });
  const film = (path: string) =>
    anna.query('INSERT INTO film (id, project, path) VALUES ($1, $2, $1)', [path, 'project']);
  await film('films/..b/fox.yaml');
  for (const path of ['/etc/passwd', '../fox.yaml', 'a/../../fox.yaml', '..'])
    await expect(film(path)).rejects.toThrow('film_is_inside');
  await expect(anna.query("SELECT keep_rejected('film', '[]')")).rejects.toThrow('no JSON object');
});

test('an older choice that cannot be read is skipped with one warning, and a person can delete it and no other', async () => {
  await owner.query('ALTER TABLE choice DROP CONSTRAINT choice_is_readable');
  await decides('garbage');
  await owner.query('ALTER TABLE choice ADD CONSTRAINT choice_is_readable CHECK (readable_choice(body)) NOT VALID');
  await decides(JSON.stringify(CHOICE));
  const [bad, good] = await owner.query<{ id: number }>('SELECT id FROM choice ORDER BY id');
  for (let time = 0; time < 2; time++) expect(await choicesIn(anna)).toEqual([{ ...CHOICE, login: 'definer_anna' }]);
  expect(told).toEqual([
    `choice ${bad?.id} cannot be read, and is skipped; \`shotlist team drop ${bad?.id}\` deletes it`,
  ]);
  await expect(anna.query('DELETE FROM choice')).rejects.toThrow('permission denied');
  expect(await dropUnreadable(anna, Number(good?.id))).toBeUndefined();
  expect(await dropUnreadable(anna, Number(bad?.id))).toBe('film');
  expect(await owner.query('SELECT id FROM choice')).toEqual([good]);
});

test("a person's login meets a database that has moved and changes nothing; a worker's counts it as restored", async () => {
  await owner.query(
    'DROP ROLE IF EXISTS definer_machine; CREATE ROLE definer_machine LOGIN IN ROLE shotlist_worker; DELETE FROM restored',
  );
  await owner.query("UPDATE database_identity SET server = '1/1'");
  const counted = async () => (await owner.query('SELECT since FROM restored')).length;
  await anna.query('SELECT 1');
  expect(await counted()).toBe(0);
  const said: number[] = [];
  const { url } = database();
  const machine = new TeamDatabase({
    ...{ url: url.replace('shotlist@', 'definer_machine@'), most: 1 },
    onRestored: since => void said.push(since),
  });
  await machine.query('SELECT 1');
  await machine.close();
  expect([await counted(), said]).toEqual([1, [0]]);
  await owner.query('DELETE FROM film; DELETE FROM restored');
});

test('JSON that is nested deeper than any of ours is refused in words, and the connection is as good as before', async () => {
  const deep = anna.query("SELECT (repeat('[', 2000) || repeat(']', 2000))::jsonb AS params");
  await expect(deep).rejects.toThrow("a row in the team's tables is not JSON, or is nested too deep");
  expect(await anna.query<{ params: unknown }>(`SELECT '{"a": [1e3]}'::jsonb AS params`)).toEqual([
    { params: { a: [1000] } },
  ]);
});
