/** A team's runs, planned and seen from a person's machine: whole processes over a PostgreSQL. */
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pipelineFiles } from '../support/pipelines.ts';
import { ends } from './ended.ts';
import { TeamStage } from './team-world.ts';

const FILMS_WITH_COMMANDS = pipelineFiles()
  .filter(({ text }) => text.includes('run:'))
  .map(({ name }) => `pipelines/${name}`);

let team: TeamStage;
beforeAll(async () => {
  team = await TeamStage.open(
    'shared',
    'services: { farm: { url: "https://farm.example/v1", key_env: FARM_KEY, rates: { per_minute: 600 } } }\n',
  );
  team.env = { SHOTLIST_STUDIO_SPEED: 'draft' };
});
afterAll(() => team.close());

describe('a plan for a team', () => {
  test('tells what workers would not get, as submit does', async () => {
    team.write('notes.csv', 'a fox\n');
    team.write('undeclared.yaml', 'shotlist: 1\nname: fox\nsteps:\n  notes: { run: [cat, notes.csv] }\n');
    const told = 'undeclared.yaml:4:23: error: the command reads notes.csv, which workers do not get';
    const planned = await team.ask('plan', 'undeclared.yaml');
    expect(planned).toMatchObject({ exit: 2, stdout: '', stderr: expect.stringContaining(told) });
    expect(await team.ask('team', 'submit', 'undeclared.yaml')).toMatchObject({
      ...{ exit: 2, stdout: '', stderr: expect.stringContaining(told) },
    });
    await ends(team.run('plan', 'undeclared.yaml'), 0);
    const json = await team.ask('plan', 'undeclared.yaml', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ diagnostics: [{ code: 'undeclared-file', severity: 'error' }] });
  });

  test('has nothing against films whose commands name what they read', async () => {
    for (const film of FILMS_WITH_COMMANDS) {
      const { exit, stderr } = await team.ask('plan', film);
      expect([film, exit, stderr]).toEqual([film, 0, expect.not.stringContaining('workers do not get')]);
    }
  });

  test('says that it was made without the service, and what the team holds back', async () => {
    team.write(
      'many.yaml',
      'shotlist: 1\nname: many\nsteps:\n  still: { model: I-GEN-A, takes: 20, with: { prompt: a fox } }\n',
    );
    await limitFarm(2, 0.01);
    const planned = await team.ask('plan', 'many.yaml', '--service', 'farm');
    expect(planned.exit, planned.stdout + planned.stderr).toBe(0);
    expect(planned.stderr).toContain('no key of farm is on this machine');
    expect(planned.stdout).toMatch(/rates +with 2 at once, as the team allows, about \S+ \S+ of work:\s+20 requests/);
    expect(planned.stdout).toMatch(/in a day +\$\S+ of \$0\.01 that the team allows in a day: what does not fit is/);
    const json = JSON.parse((await team.ask('plan', 'many.yaml', '--service', 'farm', '--json')).stdout);
    expect(json).toMatchObject({ team: { name: 'house', models: 'built_in' }, rates: [{ by: 'team', limit: 2 }] });
    const unbound = await team.ask('plan', 'many.yaml');
    expect(unbound.stdout).not.toContain('team allows');
  });
});

const PICKED = `shotlist: 1
name: picked
params: { what: { type: string, default: fox } }
steps:
  still: { model: I-GEN-A, takes: 2, with: { prompt: "a \${{ params.what }}" } }
  words: { run: "echo one; echo two >&2" }
  best: { pick: "\${{ steps.still }}", save: out/best.webp }
  told: { run: [echo, "\${{ steps.best.sha256 }} is chosen"] }
`;

describe("a team's run, seen from a person's machine", () => {
  test('before, while and after it is made: status, logs and report', async () => {
    team.write('picked.yaml', PICKED);
    expect((await team.ask('team', 'status')).stdout).toContain('nothing is under way on house');
    const run = await team.submit('picked.yaml', '--param', 'what=owl');
    const queued = await team.ask('team', 'status');
    expect(queued.stdout).toMatch(
      new RegExp(
        `^${run} {2}picked\\.yaml on studio-draft, for \\S+: waits for a worker that is free\n {2}nothing begun; free\n`,
        'm',
      ),
    );
    for (const command of ['report', 'logs'])
      expect(await team.ask(command, run, ...(command === 'logs' ? ['told'] : []))).toMatchObject({
        ...{ exit: 1, stderr: expect.stringContaining(`${run} has begun nothing yet`) },
      });

    await team.worker();
    await expect.poll(() => statusOf(run)).toMatchObject({ team: { status: 'waiting' } });
    const waiting = await team.ask('team', 'status', run);
    expect(waiting.stdout).toMatch(/best {2}waits for a person: which one is best\?\n/);
    expect(waiting.stdout).toContain(`    shotlist review ${run} --on house\n`);
    expect(await team.ask('logs', run, 'words')).toMatchObject({ exit: 0, stdout: 'one\ntwo\n' });
    expect((await team.ask('logs', run, 'still[take=1]')).stdout).toMatch(/ {2}sent to I-GEN-A/);
    expect(await team.ask('logs', run, 'told')).toMatchObject({
      ...{ exit: 2, stderr: expect.stringContaining('nothing was run or sent for told so far') },
    });
    const following = team.start('logs', run, 'words', '--on', 'house', '-f');
    expect(await following.ended).toMatchObject({ exit: 0, stdout: 'one\ntwo\n' });

    await ends(team.ask('pick', 'picked.yaml', 'best', 'take=2', '--param', 'what=owl'), 0);
    expect((await team.ask('team', 'watch', run)).exit).toBe(0);
    const report = JSON.parse((await team.ask('report', run, '--json')).stdout);
    expect(report.run).toMatchObject({ id: run, outcome: 'done', file: 'picked.yaml', isWhole: true, isEdited: false });
    expect(report.instances.map(({ key, state }: { key: string; state: string }) => `${key} ${state}`)).toEqual([
      ...['still[take=1] made', 'still[take=2] made', 'words made', 'best made', 'told made'],
    ]);
    expect(report.instances[2].log).toMatchObject({ log: `shotlist logs ${run} words --on house` });
    const page = await team.ask('report', run);
    expect([page.exit, page.stdout, page.stderr]).toEqual([0, `${run}-report/index.html\n`, '']);
    expect(readdirSync(team.at(`${run}-report`, 'media')).length).toBeGreaterThan(0);
    const told = JSON.parse((await team.ask('logs', run, 'told', '--json')).stdout);
    expect(told).toMatchObject({ key: 'told', run, running: false, logs: [expect.stringMatching(/is chosen\n$/)] });
  });

  test.each([
    ['an instance', (run: string) => ['logs', run, 'wrods'], 'did you mean words?'],
    ['a run', (run: string) => ['report', `${run.slice(0, -1)}0`], 'did you mean picked-'],
    ['a run by its beginning', () => ['team', 'status', 'picked'], 'did you mean picked-'],
    [
      'a file',
      () => ['report', 'picked.yaml'],
      'picked.yaml is a file, and `report --on` takes a run; the newest of it: picked-',
    ],
    ['a file that nobody handed in', () => ['team', 'fetch', 'many.yaml'], 'none of it was handed in to house'],
    ['an option', (run: string) => ['report', run, '--profile', 'draft'], '--profile is for a film that was run here'],
  ])('%s that is named wrong is guessed', async (_, wordsFor, told) => {
    const [run] = JSON.parse((await team.ask('team', 'list', '--json')).stdout).runs;
    await ends(team.ask(...wordsFor(run.run)), 2, told);
  });
});

async function statusOf(run: string) {
  const { exit, stdout, stderr } = await team.ask('team', 'status', run, '--json');
  if (exit !== 0) throw new Error(stderr);
  return JSON.parse(stdout).films[0];
}

/** As somebody with the key has set it. */
async function limitFarm(inFlight: number, usdPerDay: number) {
  const limits = [`in_flight=${inFlight}`, `usd_per_day=${usdPerDay}`];
  team.env = { ...team.env, FARM_KEY: 'never-told' };
  await ends(team.ask('team', 'limit', 'farm', ...limits), 0);
  team.env = { SHOTLIST_STUDIO_SPEED: 'draft' };
}
