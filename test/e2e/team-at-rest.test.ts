/** Runs that wait for a person, in weeks if need be: rows in the team's database, and nothing else. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ChaosService } from '../chaos/chaos-service.ts';
import { ends } from './ended.ts';
import { manyRunsLike, restOf } from './team-rest.ts';
import { TeamStage } from './team-world.ts';

const RUNS = 40;

const FILM = `shotlist: 1
name: film
steps:
  still: { model: I-GEN-A, takes: 2, with: { prompt: a red fox, output_format: png } }
  best: { pick: "\${{ steps.still }}", save: best.png }
`;

let team: TeamStage;
let service: ChaosService;
beforeAll(async () => {
  service = await ChaosService.open(1, { isPrompt: true });
  team = await TeamStage.openWith(service);
  team.write('film.yaml', FILM);
});
afterAll(async () => {
  await team?.close();
  await service?.close();
});

test(`${RUNS} runs that wait for a person hold no job and no connection, and the answer moves one on`, async () => {
  const worker = await team.worker();
  const first = await team.submit('film.yaml');
  await expect.poll(async () => (await restOf(team)).waiting).toBe(1);
  const before = await restOf(team);
  await manyRunsLike(team, first, RUNS - 1);
  await expect.poll(async () => (await restOf(team)).waiting).toBe(RUNS);
  const rest = await restOf(team);
  expect(rest).toMatchObject({ jobs: 0, made: 2 });
  // Those of the worker, however many runs it has led; it needs no more than it may have.
  expect(rest.connections).toBeLessThanOrEqual(4);
  worker.child.kill('SIGTERM');
  expect((await worker.ended).exit).toBe(0);
  await expect.poll(async () => (await restOf(team)).connections).toBe(0);
  expect(before.waiting).toBe(1);

  await team.worker();
  await ends(team.ask('pick', 'film.yaml', 'best', 'take=1', '--as', 'Ada'), 0);
  await ends(team.ask('team', 'watch', first), 0);
  expect(await restOf(team)).toMatchObject({ jobs: 0, waiting: RUNS - 1 });
});
