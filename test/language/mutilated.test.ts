/** Whatever a file holds, the compiler answers with a pipeline or with errors that have a place in it, and so does planning; they never throw. */
import { expect, it } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { compile } from '../../src/language/compile.ts';
import { formatDiagnostics } from '../../src/language/yaml/excerpt.ts';
import { isError } from '../../src/model/diagnostic.ts';
import { findByPlanning } from '../../src/plan/check.ts';
import { compiled, dedent } from './said.ts';

const SAMPLE = dedent(`
  shotlist: 1
  name: film
  params:
    idea: { type: string, default: a red fox }
    speed: { type: number, default: 1, minimum: 0 }
    words: { type: array, items: { type: string }, default: [a] }
  env: [HOME]
  models: { film: V-T2V-A }
  defaults:
    with: { resolution: 720P, details: 0.4 }
    timeout: { queue: 10m, run: 1.5h }
  steps:
    shot:
      model: film
      matrix: { seed: [11, 22], include: [{ seed: 3 }], exclude: [{ seed: 11 }] }
      with: { prompt: "\${{ params.idea }}, at dawn", seed: "\${{ matrix.seed }}" }
    other: { model: film, with: &w { prompt: x } }
    more: { model: film, with: *w }
    final:
      each: \${{ steps.shot }}
      needs: [cmd]
      if: \${{ params.speed / 2 > 0.1 && steps.shot.all(s, s.bytes > 3) }}
      model: V-UP
      with:
        input_video: \${{ each.result_url }}
    cmd:
      run: |
        echo "$x"
      env: { x: "\${{ params.words.join(',') }}" }
      files: { clip: a.mp4, other: "\${{ steps.other }}" }
      creates: { out: out.mp4 }
      save: out/x.mp4
  outputs:
    film: { from: "\${{ steps.final }}", to: "out/{seed}.mp4" }
`);
const PIECES = [
  ...' \n\t\u0000:#-,[]{}()"\'&*!|>%@`?~$x1.\\',
  ...[
    ': ',
    ' #',
    '\n  ',
    '\r\n',
    '- ',
    '${{',
    '}}',
    '${{ x }}',
    'null',
    'true',
    '1.5',
    '狐',
    '🦊',
    '[0]',
    '.map(a, a)',
    '*w',
  ],
  ...['steps', 'params', 'each', 'matrix', 'with', 'shot', 'film', 'run', '{seed}', '../', '__proto__', 'constructor'],
];

it('eight hundred mutilated files', () => {
  expect(compiled(SAMPLE).steps).toHaveLength(5);
  let seed = 4;
  const random = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * below);
  };
  const outcomes = { good: 0, bad: 0 };
  for (let round = 0; round < 800; round++) {
    let text = SAMPLE;
    for (let i = random(3); i >= 0; i--) {
      const at = random(text.length + 1);
      text = text.slice(0, at) + PIECES[random(PIECES.length)]! + text.slice(at + random(6));
    }
    const { pipeline, diagnostics, ...film } = compile({ path: 'film.yaml', text }, modelLibrary);
    const context = { library: modelLibrary, env: {}, localMedia: () => undefined };
    const planned = findByPlanning(film, diagnostics, context).diagnostics;
    const astray = [...diagnostics, ...planned].filter(
      ({ span }) => span.start < 0 || span.end < span.start || span.end > text.length,
    );
    expect({ text, whole: pipeline !== undefined, astray }).toEqual({
      text,
      whole: !diagnostics.some(isError),
      astray: [],
    });
    expect(formatDiagnostics([...diagnostics, ...planned])).not.toMatch(/undefined|NaN|\[object/);
    outcomes[pipeline ? 'good' : 'bad']++;
  }
  expect(Math.min(outcomes.good, outcomes.bad)).toBeGreaterThan(10);
});
