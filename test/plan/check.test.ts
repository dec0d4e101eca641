/** What a check finds by planning: beside mistakes, without values that are not known, and each thing once. */
import { expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { compile } from '../../src/language/compile.ts';
import { findByPlanning } from '../../src/plan/check.ts';

function found(lines: string, env: { readonly [name: string]: string } = {}): readonly string[] {
  const text = `shotlist: 1\nname: film\n${lines.trimStart()}`;
  const { diagnostics, soundPart } = compile({ path: 'film.yaml', text }, modelLibrary);
  const planned = findByPlanning(soundPart, diagnostics, { library: modelLibrary, env, localMedia: () => undefined });
  return [...diagnostics, ...planned.diagnostics].map(
    ({ code, span }) => `${code} ${text.slice(span.start, span.end)}`,
  );
}

const LOST = 'model: V-UP, with: { input_video: lost.mp4 }';

test('a mistake in one step does not hide what planning finds in the next, nor is it found again', () => {
  expect(
    found(`
steps:
  a: { model: V-T2V-A, with: { promt: a fox } }
  b: { ${LOST} }
  c: { model: V-UP, with: { input_video: "\${{ steps.a.result_url }}" } }
`),
  ).toEqual(['unknown-field promt', 'no-such-file lost.mp4']);
});

test('one step that cannot be fanned out does not hide the next', () => {
  expect(
    found(`
steps:
  a: { matrix: { seed: [1], exclude: [{ seed: 1 }] }, model: V-T2V-A, with: { prompt: a fox, seed: "\${{ matrix.seed }}" } }
  b: { ${LOST} }
  c: { each: "\${{ steps.a }}", model: V-UP, with: { input_video: "\${{ each.result_url }}" } }
`),
  ).toEqual(['no-instances a', 'no-such-file lost.mp4']);
});

test('a param without a default, a variable that is not set, and a broken param are unknown, and no mistakes', () => {
  const film = (params: string, read: string) => `
params: ${params}
env: [PLACE]
steps:
  a: { model: V-UP, with: { input_video: "${read}" } }
  b: { ${LOST} }
`;
  const lost = 'no-such-file lost.mp4';
  expect(found(film('{ clip: { type: string } }', '${{ params.clip }}'))).toEqual([lost]);
  expect(found(film('{ clip: { type: string } }', '${{ env.PLACE }}'))).toEqual([lost]);
  expect(found(film('{ clip: a.mp4 }', '${{ params.clip }}'))).toEqual(['wrong-type a.mp4', lost]);
  expect(found(film('{ clip: { type: string, default: a.mp4 } }', '${{ params.clip }}'))).toEqual([
    'no-such-file "${{ params.clip }}"',
    lost,
  ]);
});

test('a mistake in an anchor is not found again in each step that has it', () => {
  expect(
    found(`
steps:
  a: { model: V-UP, with: &same { input_video: lost.mp4, grain: much } }
  b: { model: V-UP, with: *same }
`),
  ).toEqual(['wrong-type much']);
});

test('data that cannot be read leaves out what reads it', () => {
  expect(
    found(`
data: { scenes: scenes.csv }
steps:
  a: { matrix: { scene: "\${{ data.scenes }}" }, model: V-T2V-A, with: { prompt: "\${{ matrix.scene.look }}" } }
  b: { ${LOST} }
`),
  ).toEqual(['data-file scenes.csv', 'no-such-file lost.mp4']);
});

test('where every step may feel the mistake, nothing is planned', () => {
  expect(
    found(`defaults: { with: { seed: x } }\nsteps:\n  a: { ${LOST} }\n  b: { model: V-T2V-A, with: { prompt: x } }`),
  ).toEqual(['wrong-type x']);
});
