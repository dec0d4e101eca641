/** What earlier versions left behind opens: each film of `test/samples/` still owns, shows and costs what its `expected.json` says. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isJournalled } from '../../src/records/journal/journal.ts';
import { TEAM_MIGRATIONS } from '../../src/team/database/migrations.ts';
import { factsOf, factsOfTeam } from '../samples/facts.ts';
import { openProject, openTeam, restoreTeam, SAMPLES } from '../samples/open-sample.ts';
import { onServer } from '../support/postgres.ts';
import { emptyDatabase } from '../team/test-database.ts';
import { SAMPLES as EVENTS } from '../text/samples.ts';
import { ends } from './ended.ts';
import { TeamStage } from './team-world.ts';

const read = (sample: string, path: string) => readFileSync(`test/samples/${sample}/${path}`, 'utf8');

test.each(SAMPLES)('the project of %s: nothing is paid for twice, and what was cut off goes on', async name => {
  const sample = await openProject(name);
  try {
    expect(await factsOf(sample)).toEqual(JSON.parse(read(name, 'expected.json')));
  } finally {
    await sample.close();
  }
});

/** Types of events that stand in the journals of these samples. */
const typesIn = (samples: readonly string[]) =>
  new Set(
    samples.flatMap(sample =>
      [...read(sample, 'project/journal.sql').matchAll(/'\{"type":"(\w+)"/g)].map(([, type]) => type),
    ),
  );

test('every type of event that is journalled stands in the journal of some sample', () => {
  const journalled = Object.values(EVENTS).filter(isJournalled);
  const known = typesIn(SAMPLES);
  expect(journalled.flatMap(({ type }) => (known.has(type) ? [] : [type]))).toEqual([]);
});

test('every type of event that stands in a sample is one that is still read', () => {
  expect([...typesIn(SAMPLES)].filter(type => !Object.hasOwn(EVENTS, type ?? ''))).toEqual([]);
});

test.each(SAMPLES)('every table of %s has a row', name => {
  const text = read(name, 'project/journal.sql');
  const tables = [...text.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, table]) => table);
  expect(tables.filter(table => !text.includes(`\nINSERT INTO ${table} `))).toEqual([]);
});

/** Functions that triggers alone called, and call no more: no worker of an earlier version asks for them. */
const OF_TRIGGERS: ReadonlySet<unknown> = new Set(['sum_up(charge,integer)']);

/** What workers of an older version use: columns of tables, and functions with what they take. */
const shape = (url: string) =>
  onServer(url, async client => {
    const { rows } = await client.query<{ of: string }>(
      `SELECT c.relname || '.' || a.attname AS of FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
         WHERE c.relnamespace = 'shotlist'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
       UNION ALL SELECT p.oid::regprocedure::text FROM pg_proc p WHERE p.pronamespace = 'shotlist'::regnamespace
         AND p.prorettype <> 'trigger'::regtype`,
    );
    return rows.map(row => row.of);
  });

test.each(SAMPLES)(
  'the team of %s: its runs go on at a new worker, nothing is sent twice, and its tables have only grown',
  async name => {
    const team = await openTeam(name);
    try {
      const before = await shape(team.stage.database.url);
      expect(await factsOfTeam(team)).toEqual(JSON.parse(read(name, 'team/expected.json')));
      expect(before).toContain('run.status');
      const kept = before.filter(one => !OF_TRIGGERS.has(one));
      expect(await shape(team.stage.database.url)).toEqual(expect.arrayContaining(kept));
    } finally {
      await team.close();
    }
  },
);

test("a worker that is newer than its team's tables says so and waits, and begins after `team init`", async () => {
  const database = await emptyDatabase();
  const older = TEAM_MIGRATIONS.slice(1).map(
    (_, index) => `INSERT INTO shotlist.schema_version VALUES (${index + 1});`,
  );
  await restoreTeam(database.url, older.join('\n'));
  const stage = TeamStage.at(database, '');
  try {
    const worker = stage.start('team', 'worker', '--on', 'house', '--folder', join(stage.folder, 'worker'));
    const [said] = await worker.line(/.*this worker waits for it/);
    expect(said).toContain(
      `the team's database is of an older shotlist (version ${older.length} of ${TEAM_MIGRATIONS.length}): run \`shotlist team init\` once more; this worker waits for it`,
    );
    await ends(stage.run('team', 'init', '--on', 'house'), 0);
    await worker.line(/^ready: /m);
  } finally {
    await stage.close();
  }
});

test.each(SAMPLES)(
  'a clone of %s owns what its lock names, also where the entries are older than version 1',
  async name => {
    const sample = await openProject(name);
    const { stage } = sample;
    try {
      rmSync(stage.at('.shotlist/journal.db'));
      const decisions = async () => {
        const { stdout, stderr } = await stage.run('plan', 'finished.yaml', '--json');
        if (stdout === '') throw new Error(stderr);
        return JSON.parse(stdout).instances.map((row: { key: string; decision: string }) => [row.key, row.decision]);
      };
      const lock = stage.read('finished.lock.yaml');
      const owned = await decisions();
      expect(owned).toContainEqual(['film', 'hit']);
      // Until version 1 an entry named no kind.
      stage.write('finished.lock.yaml', lock.replace(/^ +is: .*\n/gm, ''));
      expect(await decisions()).toEqual(owned);
    } finally {
      await sample.close();
    }
  },
);
