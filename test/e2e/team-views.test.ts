/** A team's runs, planned and seen from a person's machine: whole processes over a PostgreSQL. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TeamStage } from './team-world.ts';

const LIMIT = { timeout: 120_000 };

const FILMS_WITH_COMMANDS = readdirSync('pipelines')
  .filter(name => /(?<!lock)\.yaml$/.test(name) && readFileSync(join('pipelines', name), 'utf8').includes('run:'))
  .map(name => `pipelines/${name}`);

let team: TeamStage;
beforeAll(async () => {
  team = await TeamStage.open(
    'quick',
    'services: { farm: { url: "https://farm.example/v1", key_env: FARM_KEY, rates: { per_minute: 600 } } }\n',
  );
  team.env = { SHOTLIST_STUDIO_SPEED: 'draft' };
}, 60_000);
afterAll(() => team.close());

describe('a plan for a team', () => {
  test('tells what workers would not get, as submit does', LIMIT, async () => {
    team.write('notes.csv', 'a fox\n');
    team.write('undeclared.yaml', 'shotlist: 1\nname: fox\nsteps:\n  notes: { run: [cat, notes.csv] }\n');
    const told = 'undeclared.yaml:4:23: error: the command reads notes.csv, which workers do not get';
    const planned = await team.run('plan', 'undeclared.yaml', '--on', 'house');
    expect(planned).toMatchObject({ exit: 2, stdout: '', stderr: expect.stringContaining(told) });
    expect(await team.run('submit', 'undeclared.yaml', '--on', 'house')).toMatchObject({
      ...{ exit: 2, stdout: '', stderr: expect.stringContaining(told) },
    });
    expect((await team.run('plan', 'undeclared.yaml')).exit).toBe(0);
    const json = await team.run('plan', 'undeclared.yaml', '--on', 'house', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ diagnostics: [{ code: 'undeclared-file', severity: 'error' }] });
  });

  test('has nothing against films whose commands name what they read', LIMIT, async () => {
    for (const film of FILMS_WITH_COMMANDS) {
      const { exit, stderr } = await team.run('plan', film, '--on', 'house');
      expect([film, exit, stderr]).toEqual([film, 0, expect.not.stringContaining('workers do not get')]);
    }
  });

  test('says that it was made without the service, and what the team holds back', LIMIT, async () => {
    team.write(
      'many.yaml',
      'shotlist: 1\nname: many\nsteps:\n  still: { model: I-GEN-A, takes: 20, with: { prompt: a fox } }\n',
    );
    await limitFarm(2, 0.01);
    const planned = await team.run('plan', 'many.yaml', '--on', 'house', '--service', 'farm');
    expect(planned.exit, planned.stdout + planned.stderr).toBe(0);
    expect(planned.stderr).toContain('no key of farm is on this machine');
    expect(planned.stdout).toMatch(/rates +with 2 at once, as the team allows, about \S+ \S+ of work:\s+20 requests/);
    expect(planned.stdout).toMatch(/in a day +\$\S+ of \$0\.01 that the team allows in a day: what does not fit is/);
    const json = JSON.parse(
      (await team.run('plan', 'many.yaml', '--on', 'house', '--service', 'farm', '--json')).stdout,
    );
    expect(json).toMatchObject({ team: { name: 'house', models: 'built_in' }, rates: [{ by: 'team', limit: 2 }] });
    const unbound = await team.run('plan', 'many.yaml', '--on', 'house');
    expect(unbound.stdout).not.toContain('team allows');
  });
});

/** As somebody with the key has set it. */
async function limitFarm(inFlight: number, usdPerDay: number) {
  const limits = ['--in-flight', String(inFlight), '--usd-per-day', String(usdPerDay)];
  team.env = { ...team.env, FARM_KEY: 'never-told' };
  const set = await team.run('cluster', 'limit', 'farm', '--on', 'house', ...limits);
  expect(set.exit, set.stderr).toBe(0);
  team.env = { SHOTLIST_STUDIO_SPEED: 'draft' };
}
