/** Hints: what is no mistake, and yet seldom meant. */
import { expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { hintsFor } from '../../src/language/checks/hints.ts';
import { compile } from '../../src/language/compile.ts';

function hints(steps: string): readonly string[] {
  const text = `shotlist: 1\nname: film\nparams: { n: { type: integer, default: 2 } }\nsteps:\n${steps}`;
  const { pipeline, diagnostics } = compile({ path: 'film.yaml', text }, modelLibrary);
  expect(diagnostics).toEqual([]);
  return hintsFor(pipeline!, modelLibrary).map(
    ({ severity, message, span }) => `${severity} at ${text.slice(span.start, span.end)}: ${message}`,
  );
}

const film = (takes: string, prompt = 'a fox', model = 'V-T2V-B') =>
  `  shot: { model: ${model}, takes: ${takes}, with: { prompt: "${prompt}" }, save: "out/shot-{take}.mp4" }\n`;
const ALIKE =
  'V-T2V-B has no seed: takes differ only on a service that draws without one, and the built-in studio draws all of them alike; to tell them apart everywhere, let the prompt read `${{ take.number }}`';

test('takes of a model without a seed may all be the same', () => {
  expect(hints(film('3'))).toEqual([`hint at 3: ${ALIKE}`]);
  expect(hints(film('"${{ params.n }}"'))).toEqual([`hint at "\${{ params.n }}": ${ALIKE}`]);
});

test('nothing is said of takes that differ in what they ask for, or of one alone', () => {
  expect(hints(film('3', 'a fox', 'V-T2V-A'))).toEqual([]);
  expect(hints(film('3', 'a fox, camera ${{ take.number }}'))).toEqual([]);
  expect(hints(film('1'))).toEqual([]);
});

test('a path that is proposed holds all that distinguishes the results: what it is made for, axes, takes, and not the takes that were chosen from', () => {
  const shot = 'shot: { matrix: { n: [1, 2] }, takes: 2, model: V-T2V-A, with: { prompt: "shot ${{ matrix.n }}" } }';
  const up = (each: string) =>
    `up: { each: "\${{ steps.${each} }}", model: V-UP, with: { input_video: "\${{ each.result_url }}" } }`;
  const proposed = (...steps: readonly string[]) =>
    hints(steps.map(step => `  ${step}\n`).join('')).map(hint => /save: \S+?(?=`)/.exec(hint)?.[0]);
  expect(proposed(shot)).toEqual(['save: out/shot-{n}-{take}.mp4']);
  expect(proposed(shot, up('shot'))).toEqual(['save: out/up-{n}-{take}.mp4']);
  const best = 'best: { each: "${{ steps.shot }}", pick: takes }';
  expect(proposed(shot, best, up('best'))).toEqual(['save: out/up-{n}.mp4']);
});
