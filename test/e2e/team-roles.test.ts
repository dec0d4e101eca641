/** A team of which persons and workers have logins of their own: each does what is theirs, and is told in words what is not. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TeamDatabase } from '../../src/team/database/team-database.ts';
import { ends } from './ended.ts';
import { TeamStage } from './team-world.ts';

const FILM = `shotlist: 1
name: film
steps:
  still: { model: I-GEN-A, takes: 2, with: { prompt: a red fox } }
  best: { pick: "\${{ steps.still }}" }
  told: { run: "echo $SHA >told.txt", env: { SHA: "\${{ steps.best.sha256 }}" }, creates: { text: told.txt } }
outputs:
  told: { from: "\${{ steps.told.files.text }}", to: told.txt }
`;

let team: TeamStage;
beforeAll(async () => {
  team = await TeamStage.open();
  team.env = { SHOTLIST_STUDIO_SPEED: 'draft', FARM_KEY: 'a-key' };
  await asOwner(
    'DROP ROLE IF EXISTS anna, machine, nobody; CREATE ROLE anna LOGIN IN ROLE shotlist_user; CREATE ROLE machine LOGIN IN ROLE shotlist_worker; CREATE ROLE nobody LOGIN',
  );
  const settings = team.read('shotlist.config.yaml');
  const of = (login: string) => settings.replace('shotlist@', `${login}@`).match(/house: (\{.*?\})/)?.[1] ?? '';
  team.write(
    'shotlist.config.yaml',
    `teams: { house: ${of('machine')}, mine: ${of('anna')}, theirs: ${of('nobody')}, owner: ${of('shotlist')} }
services: { render-farm: { url: "https://farm.test", key_env: FARM_KEY } }
`,
  );
  team.write('film.yaml', FILM);
});
afterAll(() => team.close());

async function asOwner(sql: string): Promise<void> {
  const database = new TeamDatabase({ url: team.database.url, most: 1 });
  await database.query(sql);
  await database.close();
}

async function refusedTo(login: string, sql: string): Promise<string> {
  const database = new TeamDatabase({ url: team.database.url.replace('shotlist@', `${login}@`), most: 1 });
  try {
    return await database.query(sql).then(
      () => 'allowed',
      (error: Error) => error.message,
    );
  } finally {
    await database.close();
  }
}

test('a person hands a film in, decides, and fetches it; a worker of the same team makes it', async () => {
  const worker = await team.worker();
  const handedIn = await ends(team.run('team', 'submit', 'film.yaml', '--on', 'mine'), 0);
  const id = handedIn.stdout.trim();
  await ends(team.run('team', 'watch', id, '--on', 'mine'), 5);
  const picked = await team.run('pick', 'film.yaml', 'best', 'take=2', '--as', 'The Boss', '--on', 'mine');
  expect(picked).toMatchObject({ exit: 0, stderr: expect.stringContaining('chosen by anna (as: "The Boss")') });
  await ends(team.run('team', 'watch', id, '--on', 'mine'), 0);
  await ends(team.run('team', 'fetch', id, '--on', 'mine'), 0);
  expect(team.read('draft/told.txt')).toMatch(/^[0-9a-f]{64}\n$/);
  // The name is a note; the login is the identity.
  expect(team.read('film.lock.yaml')).toContain('who: The Boss\n      login: anna\n');
  const listed = await team.run('team', 'list', '--on', 'mine');
  expect(listed.stdout).toContain(id);
  for (const args of [
    ['plan', 'film.yaml'],
    ['team', 'status', id],
    ['logs', id, 'told'],
    ['report', id, '--out', `${id}-report.html`],
  ]) {
    const seen = await team.run(...args, '--on', 'mine');
    expect([args, seen.exit, seen.stderr]).toEqual([args, 0, '']);
    if (args[0] === 'plan') expect(seen.stdout).toContain('chosen by anna (as: "The Boss")');
    if (args[0] === 'report') expect(team.read(`${id}-report.html`)).toMatch(/anna \(as: .{1,12}The Boss/);
  }
  const garbage = await refusedTo(
    'anna',
    "INSERT INTO choice (film, key, body) SELECT id, 'best', 'garbage' FROM film",
  );
  expect(garbage).toContain('choice_is_readable');
  const dropped = await team.run('team', 'drop', '1', '--on', 'mine');
  expect(dropped).toMatchObject({ exit: 1, stderr: expect.stringContaining('no choice 1 that cannot be read') });
  for (const command of ['cancel', 'resume']) {
    const said = await team.run('team', command, id, '--on', 'mine');
    expect(said.stderr).not.toContain('may not');
  }
  await ends(team.run('team', 'status', '--on', 'mine'), 0);
  worker.child.kill('SIGTERM');
  expect((await worker.ended).exit).toBe(0);
});

test('what is not theirs is refused in words', async () => {
  const refused = /^shotlist: the login that is used on team \w+ may not do that \(permission denied for \w+ \w+\)/;
  for (const args of [
    ['team', 'prune', '2026-01-31', '--on', 'mine'],
    ['team', 'init', '--on', 'mine'],
    ['team', 'restored', '--on', 'mine'],
    ['team', 'limit', 'render-farm', 'in_flight=9', '--on', 'mine'],
    ['team', 'limit', 'render-farm', 'in_flight=9', '--on', 'house'],
    ['team', 'worker', '--on', 'mine', '--folder', `${team.folder}/none`],
    ['team', 'list', '--on', 'theirs'],
    ['team', 'submit', 'film.yaml', '--on', 'theirs'],
  ]) {
    const { exit, stderr } = await team.run(...args);
    expect([args.join(' '), exit, stderr]).toEqual([args.join(' '), 2, expect.stringMatching(refused)]);
    expect(stderr).not.toMatch(/\n\s+at /);
  }
});

test('a person reads nothing of what workers are given, and sets no limits; nor does a worker', async () => {
  const denied = expect.stringMatching(/^permission denied for /);
  for (const sql of [
    'SELECT work FROM hand',
    'SELECT * FROM hand',
    'SELECT data FROM pgboss.job',
    'SELECT data FROM pgboss.job_common',
    "INSERT INTO service_limit (account, name) VALUES ('a', 'a')",
    'UPDATE model_limit SET in_flight = 9',
    "UPDATE run SET asked_by = 'somebody else'",
    "UPDATE run SET source = ''",
    "INSERT INTO event (film, epoch, run, seq, at, type, body) VALUES ('f', 1, 'r', 1, 1, 'succeeded', '{}')",
    'UPDATE film SET epoch = 9',
    'DELETE FROM charge',
    'UPDATE submission SET state = $$closed$$',
    'SELECT begin_lead(id, $$me$$) FROM run',
    'DELETE FROM pgboss.job',
    "INSERT INTO note (film, name, value) VALUES ('f', 'lock', '')",
  ])
    expect([sql, await refusedTo('anna', sql)]).toEqual([sql, denied]);
  expect(await refusedTo('anna', "SELECT keep_rejected('f', '{}')")).toBe('allowed');
  for (const sql of ['UPDATE service_limit SET in_flight = 9', 'DELETE FROM model_limit', 'DROP TABLE hand'])
    expect([sql, await refusedTo('machine', sql)]).toEqual([
      sql,
      expect.stringMatching(/^(permission denied for|must be owner of) /),
    ]);
});

test('whoever may make no roles is told what does', async () => {
  const { stdout } = await ends(team.run('team', 'init', '--format', 'sql', '--on', 'owner'), 0);
  expect(stdout).toContain('CREATE ROLE shotlist_user NOLOGIN');
  await asOwner(stdout);
});
