/** What a check finds by planning: beside mistakes, without values that are not known, and each thing once. */
import { expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { compile } from '../../src/language/compile.ts';
import { findByPlanning } from '../../src/plan/check.ts';

function found(lines: string, env: { readonly [name: string]: string } = {}): readonly string[] {
  const text = `shotlist: 1\nname: film\n${lines.trimStart()}`;
  const { diagnostics, ...film } = compile({ path: 'film.yaml', text }, modelLibrary);
  const planned = findByPlanning(film, diagnostics, { library: modelLibrary, env, localMedia: () => undefined });
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

test('what can be read of a step with a mistake is looked at: all that is wrong with it is told at once', () => {
  const lost = 'no-such-file lost.mp4';
  const step = (lines: string) => found(`steps:\n  a: ${lines}`);
  expect(step('{ model: V-UP, with: { input_video: lost.mp4, grain: much } }')).toEqual(['wrong-type much', lost]);
  expect(step('{ model: V-UP, with: { input_video: lost.mp4, grian: 1 } }')).toEqual(['unknown-field grian', lost]);
  expect(step('{ model: V-UP, with: { input_vidoe: lost.mp4 } }')).toEqual(['unknown-field input_vidoe', lost]);
  expect(step('{ model: V-UP, with: { input_video: lost.mp4 }, timeout: soon }')).toEqual([
    'not-a-duration soon',
    lost,
  ]);
  expect(step('{ model: V-UP, if: "${{ params.on }}", with: { input_video: lost.mp4 } }')).toEqual([
    'unknown-param on',
    lost,
  ]);
  expect(
    step('{ model: V-REF, with: { prompt: a fox, input_images: [lost.mp4, 3, gone.png], duration: long } }'),
  ).toEqual(['wrong-kind lost.mp4', 'wrong-type 3', 'wrong-type long', 'no-such-file gone.png']);
  expect(step('{ run: [ls, "${{ params.x }}"], files: { a: lost.mp4 } }')).toEqual(['unknown-param x', lost]);
  expect(
    step('{ model: V-T2V-A, matrix: { s: [1, 2] }, with: { prompt: a, ratio: 1, seed: "${{ matrix.s - 5 }}" } }'),
  ).toEqual(['unknown-field ratio', 'invalid-request "${{ matrix.s - 5 }}"']);
});

test('nothing is concluded from what could not be read, nor of what follows it', () => {
  expect(
    found(`
steps:
  long: { model: V-T2V-A, with: { prompt: a fox, duraton: 12 } }
  part: { model: V-RT, with: { input_video: "\${{ steps.long.result_url }}", retake_start_time: 9, retake_duration: 2 } }
  loop: { model: V-I2V-A, with: { prompt: a fox, input_image: "https://a.example/x.png", loop: true, length: 10s } }
  miss: { model: V-UP, with: { source: lost.mp4 } }
`),
  ).toEqual(['unknown-field duraton', 'unknown-field length', 'unknown-field source', 'missing-field V-UP']);
});

test('a mistake in an anchor is not found again in each step that has it', () => {
  expect(
    found(`
steps:
  a: { model: V-UP, with: &same { input_video: lost.mp4, grain: much } }
  b: { model: V-UP, with: *same }
`),
  ).toEqual(['wrong-type much', 'no-such-file lost.mp4']);
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
