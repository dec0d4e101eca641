/** What a person of the team may have done as the owner of its tables is one note, whatever stands in their own session. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TeamDatabase } from '../../src/cluster/database/team-database.ts';
import { databaseForTests } from './team-world.ts';

const database = databaseForTests();

let owner: TeamDatabase;
let anna: TeamDatabase;
beforeEach(async () => {
  const { url } = database();
  owner = new TeamDatabase({ url, most: 1 });
  // Rights on a database are not copied with it.
  await owner.grantRoles();
  await owner.query(
    'DROP ROLE IF EXISTS definer_anna; CREATE ROLE definer_anna LOGIN IN ROLE shotlist_user; DELETE FROM note; DELETE FROM film',
  );
  await owner.query("INSERT INTO film (id, project, path) VALUES ('film', 'project', 'film.yaml')");
  anna = new TeamDatabase({ url: url.replace('shotlist@', 'definer_anna@'), most: 1 });
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
