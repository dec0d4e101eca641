/** A step in rounds in whole processes: a chat model on the studio judges each, and its criticism is read by the next; a clone pays nothing. */
import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ends, openStage } from './ended.ts';

const JUDGED = `shotlist: 1
name: judged
params: { look: { type: string } }
steps:
  still: { model: I-GEN-A, with: { prompt: "\${{ params.look }}" } }
  score:
    model: C-D
    needs: [still]
    with: { prompt: "Score this image prompt from 0 to 10, and say what it lacks: \${{ params.look }}" }
    schema:
      type: object
      required: [score, notes]
      properties: { score: { type: integer, minimum: 0, maximum: 10 }, notes: { type: string } }
outputs:
  still: { from: "\${{ steps.still }}", to: out/still.webp }
  score: { from: "\${{ steps.score }}", to: out/score.json }
`;
const FILM = `shotlist: 1
name: until
steps:
  hero:
    uses: ./judged.yaml
    with:
      look: "a red fox in a forest\${{ has(previous.outputs) && previous.outputs.score.json.notes.contains('light') ? ', wide shot, low golden light at dusk, the camera pans slowly' : '' }}"
    until: { holds: "\${{ this.outputs.score.json.score >= 6 }}", max: 3 }
  told: { run: [echo, "\${{ steps.hero.outputs.still.sha256 }}"] }
outputs:
  hero: { from: "\${{ steps.hero.outputs.still }}", to: out/hero.webp }
`;

const stage = openStage();
stage.write('judged.yaml', JUDGED);
stage.write('until.yaml', FILM);
const run = (...args: readonly string[]) => stage.run(...args);

describe('a judge of rounds', () => {
  test('sends the first back with what it lacks, and the second is the film', async () => {
    const plan = await run('plan', 'until.yaml');
    expect(plan.stdout).toContain('the first of at most 3 rounds that holds');
    const { stderr } = await ends(stage.run('run', 'until.yaml', '--ui', 'plain'), 0);
    expect(stderr).toMatch(
      /hero\[round=1\] +does not hold, this\.outputs\.score\.json\.score is \d: round 2 of at most 3 follows/,
    );
    expect(stderr).toMatch(/hero\[round=2\] +holds, this\.outputs\.score\.json\.score is \d/);
    expect(stderr).toMatch(/hero\[round=3\]\/still +not needed: an earlier round holds/);
    expect(stderr).toMatch(/hero +done: round 2: 2 outputs/);
    const lock = stage.read('until.lock.yaml');
    expect(lock).toContain('    hero[round=2]/still:\n');
    expect(lock).not.toContain('round=3');
  });

  test('a fresh clone makes the same film of the same rounds, and asks nobody', async () => {
    const before = stage.digest('out/hero.webp');
    const lock = stage.read('until.lock.yaml');
    rmSync(stage.at('out'), { recursive: true, force: true });
    await ends(run('run', 'until.yaml', '--frozen', '--ui', 'plain'), 0);
    expect([stage.digest('out/hero.webp'), stage.read('until.lock.yaml')]).toEqual([before, lock]);
    const plan = await run('plan', 'until.yaml');
    expect(plan.stdout).toMatch(/total +7 hit, 1 run, 3 left out: free|total +\d+ hit, \d+ left out: free/);
    expect(plan.stdout).toMatch(/hit +hero +round 2 holds/);
    await ends(run('why', 'until.yaml', 'hero[round=2]/still'), 0);
  });
});
