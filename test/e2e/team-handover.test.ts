/** A worker that leaves, or dies, in the middle of a run: another goes on, and the service is asked for nothing twice. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ChaosService } from '../chaos/chaos-service.ts';
import type { Started } from './stage.ts';
import { TeamStage } from './team-world.ts';

const SHOTS = 4;

const film = (what: string) => `shotlist: 1
name: shots
models: { look: { id: fox-look, activate: true } }
steps:
  shot: { matrix: { n: 1..${SHOTS} }, model: look, with: { prompt: "${what} \${{ matrix.n }}" } }
  up: { each: "\${{ steps.shot }}", model: I-EDIT-A, with: { prompt: "${what} \${{ matrix.n }}", input_image: ["\${{ each.result_url }}"] } }
`;

let team: TeamStage;
let service: ChaosService;
beforeAll(async () => {
  service = await ChaosService.open(5, { isPrompt: true });
  team = await TeamStage.openWith(service);
  team.write('leaves.yaml', film('a red fox'));
  team.write('dies.yaml', film('a blue heron'));
});
afterAll(async () => {
  await team?.close();
  await service?.close();
});

/** Who leads it, by its own words, and who does not. */
function leaderOf(run: string, workers: readonly Started[]): { readonly leader: Started; readonly other: Started } {
  const leader = workers.find(({ stderr }) => stderr.includes(`${run}: led here`));
  const other = workers.find(one => one !== leader);
  if (!leader || !other) throw new Error(`nobody leads ${run}`);
  return { leader, other };
}

/** A run with requests under way, which end when the function is called that is given with it. */
async function underWay(path: string) {
  service.deployed.length = 0;
  const workers = await Promise.all([team.worker(), team.worker()]);
  const letGo = service.hold();
  const run = await team.submit(path);
  const watching = team.start('team', 'watch', run, '--on', 'house', '--ui', 'plain');
  await watching.line(/shot\[n=\d\] +submitted/);
  return { run, watching, letGo, ...leaderOf(run, workers) };
}

describe('with two workers', () => {
  test('one that is told to leave hands its run over at once, with the deployment that it brought up', async () => {
    const before = service.submits;
    const { run, watching, letGo, leader, other } = await underWay('leaves.yaml');
    leader.child.kill('SIGTERM');
    await other.line(new RegExp(`${run}: led here`));
    // Its turn was given back. Nobody had to find out that its worker was gone.
    expect(await team.lostTurns()).toBe(0);
    expect((await leader.ended).exit).toBe(0);
    expect(service.deployed).toEqual(['activate']);
    letGo();
    const watched = await watching.ended;
    expect(watched.exit, watched.stderr).toBe(0);
    expect(watched.stderr).toContain(`${run} goes on at another worker`);
    expect(watched.stderr).not.toContain('interrupted');
    expect([service.submits - before, service.doubles]).toEqual([2 * SHOTS, []]);
    // The deployment was the successor's, who ended it after its last use.
    expect(service.deployed).toEqual(['activate', 'deactivate']);
    other.child.kill('SIGTERM');
    await other.ended;
  });

  test('one that is killed has its run taken up by another, with the deployment that it brought up', async () => {
    const before = service.submits;
    const { run, watching, letGo, leader, other } = await underWay('dies.yaml');
    leader.kill();
    await leader.ended;
    await team.loseHeartbeats();
    await other.line(new RegExp(`${run}: led here`));
    expect(await team.lostTurns()).toBe(1);
    letGo();
    const watched = await watching.ended;
    expect([watched.exit, watched.stderr]).toEqual([0, expect.stringContaining(`${run} goes on at another worker`)]);
    expect([service.submits - before, service.doubles]).toEqual([2 * SHOTS, []]);
    // The deployment was the successor's, who ended it after its last use.
    expect(service.deployed).toEqual(['activate', 'deactivate']);
  });
});
