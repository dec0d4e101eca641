/** A pick in whole processes: a rule chooses, and a fresh clone without a terminal makes the same film of the choice alone. */
import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runInProcess } from './in-process.ts';
import { Stage } from './stage.ts';

const FILM = `shotlist: 1
name: pick
steps:
  still: { model: I-GEN-A, takes: 3, with: { prompt: a red fox on a frozen river } }
  best: { pick: "\${{ steps.still }}", rule: "\${{ -candidate.bytes }}", save: out/best.webp }
  told: { run: [echo, "\${{ steps.best.sha256 }} \${{ steps.best.choice.at }}"] }
`;

let stage: Stage;
beforeAll(() => {
  stage = new Stage();
  stage.films = 'drawn once';
  stage.write('pick.yaml', FILM);
});
afterAll(() => stage.dispose());
const run = (...args: readonly string[]) => runInProcess(stage, args);

const digest = (path: string) =>
  createHash('sha256')
    .update(readFileSync(join(stage.project, path)))
    .digest('hex');

describe('a rule', () => {
  test('chooses, and its choice is a line of the lock', async () => {
    const { exit, stderr } = await stage.run('run', 'pick.yaml', '--ui', 'plain');
    expect(exit, stderr).toBe(0);
    expect(stderr.match(/best +still\[take=\d\], chosen by its rule/g)).toHaveLength(1);
    expect(stderr.match(/chosen by its rule/g)).toHaveLength(1);
    expect(stage.read('pick.lock.yaml')).toMatch(
      /choices of studio:\n {4}best:\n {6}chosen: still\[take=\d\]\n {6}by: rule\n/,
    );
  });

  test('a fresh clone with no terminal makes the same film, byte for byte, and leaves out what lost', async () => {
    const before = [digest('out/best.webp'), stage.read('pick.lock.yaml')];
    for (const place of ['.shotlist', 'out']) rmSync(join(stage.project, place), { recursive: true, force: true });
    const { exit, stderr } = await run('run', 'pick.yaml', '--ui', 'plain');
    expect(exit, stderr).toBe(0);
    expect(stderr).toMatch(/left out: lost the pick best/);
    expect([digest('out/best.webp'), stage.read('pick.lock.yaml').match(/chosen: .*/)?.[0]]).toEqual([
      before[0],
      before[1]?.match(/chosen: .*/)?.[0],
    ]);
  });

  test('without it a person is waited for: exit 5, and the command that decides', async () => {
    stage.write('asked.yaml', FILM.replace(/, rule: "[^"]*"/, '').replace('out/best', 'out/asked'));
    const { exit, stderr } = await run('run', 'asked.yaml', '--ui', 'plain');
    expect(exit, stderr).toBe(5);
    expect(stderr).toContain('best waits for a person: which one is best?');
    expect(stderr).toMatch(/^ +shotlist review asked\.yaml$/m);
    const plan = await run('plan', 'asked.yaml');
    expect(plan.stdout).toContain('to be chosen by a person, of 3');
  });
});
