/**
 * Two films of one project that ask for the same thing: one POST, and both have it. Whole processes, one service, the project's own
 * journal.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KEY, type TestStudio, testStudio } from '../studio/fake-studio.ts';
import { ends } from './ended.ts';
import { Stage } from './stage.ts';

/** The same request in other words: names of steps and of films, order and layout differ. */
const TEASER = `shotlist: 1
name: teaser
steps:
  still: { model: I-GEN-A, with: { prompt: a red fox, seed: 4 } }
outputs:
  film: { from: "\${{ steps.still }}", to: out/teaser.webp }
`;
const TRAILER = `shotlist: 1
name: trailer
params: { animal: { type: string, default: fox } }
steps:
  opening:
    model: I-GEN-A
    with:
      seed: 4
      prompt: a red \${{ params.animal }}
outputs:
  film: { from: "\${{ steps.opening }}", to: out/trailer.webp }
`;

let stage: Stage;
let studio: TestStudio;
beforeEach(async () => {
  stage = new Stage();
  mkdirSync(stage.at('.shotlist'));
  stage.write('teaser.yaml', TEASER);
  stage.write('ads/trailer.yaml', TRAILER);
  studio = await testStudio();
  stage.env = { SHOTLIST_BASE_URL: studio.url, SHOTLIST_API_KEY: KEY };
});
afterEach(async () => {
  stage.killAll();
  await studio[Symbol.asyncDispose]();
  stage.dispose();
});

const start = (...args: readonly string[]) => stage.start(...args);

const made = () => studio.renderer.begun.length;
const finish = async () => (await studio.renderer.next()).finish();
/** The lock's entry of a film, without the name of its step. */
const lockOf = (file: string) => stage.read(file).replace(/^ {4}\w+:$/m, '    step:');

async function bothHaveIt(): Promise<void> {
  expect(readFileSync(stage.at('out/trailer.webp'))).toEqual(readFileSync(stage.at('out/teaser.webp')));
  expect(lockOf('ads/trailer.lock.yaml')).toBe(lockOf('teaser.lock.yaml'));
  expect(lockOf('teaser.lock.yaml')).toMatch(/generation: \S+/);
  expect(made()).toBe(1);
}

test('both started at once: whoever is first sends it', async () => {
  const both = [start('run', 'teaser.yaml'), start('run', 'ads/trailer.yaml')];
  await finish();
  for (const { ended } of both) expect((await ended).exit).toBe(0);
  await bothHaveIt();
});

test('the first is killed while the service is at work: the second takes it up', async () => {
  const first = start('run', 'teaser.yaml');
  await first.line(/submitted/);
  first.kill();
  await first.ended;
  const second = start('run', 'ads/trailer.yaml');
  await second.line(/resumed/);
  await finish();
  expect((await second.ended).exit).toBe(0);
  expect(stage.has('out/teaser.webp')).toBe(false);
  expect((await stage.run('why', 'teaser.yaml')).stdout).toContain('made for the film ads/trailer on ');
  await ends(stage.run('run', 'teaser.yaml'), 0);
  await bothHaveIt();
});
