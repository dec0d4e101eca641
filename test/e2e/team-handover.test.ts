/** A worker that leaves, or dies, in the middle of a run: another goes on, and the service is asked for nothing twice. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Started, StudioProcess } from './stage.ts';
import { TeamStage } from './team-world.ts';

const LIMIT = { timeout: 120_000 };
const SHOTS = 4;

const film = (prompt: string) => `shotlist: 1
name: shots
steps:
  shot: { takes: ${SHOTS}, model: V-T2V-A, with: { prompt: ${prompt}, duration: 5 } }
  up: { each: "\${{ steps.shot }}", model: V-UP, with: { input_video: "\${{ each.result_url }}" } }
`;

let team: TeamStage;
let studio: StudioProcess;
beforeAll(async () => {
  team = await TeamStage.open();
  studio = await team.studio();
  team.trust(studio);
  team.write('leaves.yaml', film('a red fox'));
  team.write('dies.yaml', film('a blue heron'));
}, 60_000);
afterAll(() => team.close());

/** Who leads it, by its own words, and who does not. */
function leaderOf(run: string, workers: readonly Started[]): { readonly leader: Started; readonly other: Started } {
  const leader = workers.find(({ stderr }) => stderr.includes(`${run}: led here`));
  const other = workers.find(one => one !== leader);
  if (!leader || !other) throw new Error(`nobody leads ${run}`);
  return { leader, other };
}

describe('with two workers', () => {
  test('one that is told to leave hands its run over within two seconds', LIMIT, async () => {
    const workers = [await team.worker(), await team.worker()];
    const before = await studio.submits();
    const run = await team.submit('leaves.yaml');
    const watching = team.start('watch', run, '--on', 'house', '--ui', 'plain');
    await watching.line(/shot\[take=\d\] +submitted/);
    const { leader, other } = leaderOf(run, workers);
    const toldAt = Date.now();
    leader.child.kill('SIGTERM');
    await other.line(new RegExp(`${run}: led here`));
    expect(Date.now() - toldAt).toBeLessThan(2_000);
    expect((await leader.ended).exit).toBe(0);
    const watched = await watching.ended;
    expect(watched.exit, watched.stderr).toBe(0);
    expect(watched.stderr).toContain(`${run} goes on at another worker`);
    expect(watched.stderr).not.toContain('interrupted');
    expect((await studio.submits()) - before).toBe(2 * SHOTS);
    other.child.kill('SIGTERM');
    await other.ended;
  });

  test('one that is killed has its run taken up by another', LIMIT, async () => {
    const workers = [await team.worker(), await team.worker()];
    const before = await studio.submits();
    const run = await team.submit('dies.yaml');
    const watching = team.start('watch', run, '--on', 'house', '--ui', 'plain');
    await watching.line(/shot\[take=\d\] +submitted/);
    leaderOf(run, workers).leader.kill();
    const watched = await watching.ended;
    expect([watched.exit, watched.stderr]).toEqual([0, expect.stringContaining(`${run} goes on at another worker`)]);
    expect((await studio.submits()) - before).toBe(2 * SHOTS);
  });
});
