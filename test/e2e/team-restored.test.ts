/** A team whose database is lost and restored from a backup, in whole processes: what the service has made since is not paid for again. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TeamDatabase } from '../../src/team/database/team-database.ts';
import { forgetWorker, sendHeartbeat } from '../../src/team/runs/worker-rows.ts';
import { ChaosService } from '../chaos/chaos-service.ts';
import { teamFilm } from '../chaos/team-film.ts';
import { backUp } from '../team/backup.ts';
import type { Started } from './stage.ts';
import { TeamStage } from './team-world.ts';

const ON = ['--on', 'house'] as const;

let service: ChaosService;
let team: TeamStage;
beforeAll(async () => {
  service = await ChaosService.open(3, { isPrompt: true });
  team = await TeamStage.openWith(service);
});
afterAll(async () => {
  await team?.close();
  await service?.close();
});

async function typed(...args: readonly string[]) {
  const { exit, stdout, stderr } = await team.run(...args, ...ON);
  return { exit, all: stdout + stderr };
}
async function leaves(worker: Started): Promise<void> {
  worker.child.kill('SIGTERM');
  await worker.ended;
}

/** Handed in, backed up, made, and lost: a worker is there, and the database knows of the run alone. */
async function madeAndForgotten(): Promise<{ readonly run: string; readonly worker: Started }> {
  team.write('film-2.yaml', teamFilm(2, 1));
  const run = await team.submit('film-2.yaml');
  const restore = await backUp(team.database, ['shotlist', 'pgboss']);
  const backedUpAt = new Date().toISOString();
  const first = await team.worker();
  expect((await typed('team', 'watch', run)).exit).toBe(0);
  await leaves(first);
  await restore();
  const database = new TeamDatabase({ url: team.database.url, most: 1 });
  await sendHeartbeat(database, { name: 'render9', shotlist: '0', does: ['all'], hands: 1, leads: 0 });
  const refused = await typed('team', 'restored', 'farm');
  expect([refused.exit, refused.all]).toEqual([2, expect.stringContaining('end the workers first')]);
  expect(refused.all).toContain('render9');
  await forgetWorker(database, 'render9');
  await database.close();
  const said = await typed('team', 'restored', 'farm', backedUpAt);
  expect([said.exit, said.all]).toEqual([1, expect.stringContaining(`held: ${run}`)]);
  expect(said.all).toContain('sent since then, and not known here: gen-');
  return { run, worker: await team.worker() };
}

test('where there is no history a person finds it, and it is taken up; or says that there is nothing', async () => {
  const { run, worker } = await madeAndForgotten();
  const before = service.submits;
  service.listsHistory = false;
  const held = async (...args: readonly string[]) => {
    expect((await typed('team', 'resume', run, ...args)).exit).toBe(0);
    return typed('team', 'watch', run);
  };
  const first = await held();
  expect(first.exit).not.toBe(0);
  expect(first.all).toContain(`shotlist team resume ${run} --on house --attach 'still[shot=1]=GENERATION'`);
  expect(first.all).toContain(`shotlist team resume ${run} --on house --on-unknown resubmit`);
  const [still] = service.generations('I-GEN-A').slice(-1);
  const refused = await held('--attach', `still[shot=1]=${still}`);
  expect(refused.all).toContain('--force');
  // The step behind it is looked for in vain as well.
  const second = await held('--attach', `still[shot=1]=${still}`, '--force');
  expect(second.all).toContain("--attach 'relit[shot=1]=GENERATION'");
  expect(service.submits).toBe(before);
  const [relit] = service.generations('I-EDIT-A').slice(-1);
  expect(await held('--attach', `relit[shot=1]=${relit}`, '--force')).toMatchObject({ exit: 0 });
  expect([service.submits, service.doubles]).toEqual([before, []]);
  // What is new is asked about too, until somebody says that all is well.
  team.write('film-3.yaml', teamFilm(3, 1));
  const next = await team.submit('film-3.yaml');
  expect((await typed('team', 'watch', next)).exit).not.toBe(0);
  expect((await typed('team', 'restored', '--forget')).exit).toBe(0);
  expect(service.submits).toBe(before);
  team.write('film-4.yaml', teamFilm(4, 1));
  const last = await team.submit('film-4.yaml');
  expect((await typed('team', 'watch', last)).exit).toBe(0);
  expect(service.submits).toBe(before + 2);
  await leaves(worker);
});
