import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { compile } from '../../src/language/compile.ts';
import type { Span } from '../../src/model/diagnostic.ts';
import type { Pipeline } from '../../src/model/pipeline.ts';
import { compiled, film } from './said.ts';

/** A pipeline with every place replaced by the text that stands there. */
function quoting(pipeline: Pipeline): string {
  const quote = ({ start, end }: Span): string => pipeline.source.text.slice(start, end);
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    if ('start' in value && 'end' in value) return quote(value as Span);
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, walk(inner)]));
  };
  const { source: _, ...rest } = pipeline;
  return inspect(walk(rest), { depth: null, breakLength: 140, compact: 8, sorted: true });
}

describe('what the rest of the house gets', () => {
  it('every value with its place, references as edges, names looked up, defaults filled in', () => {
    const pipeline = compiled(
      film(`
        description: A fox.
        params:
          idea: { type: string, default: a red fox }
          speed: { type: number, default: 1 }
        env: [HOME]
        models: { film: V-T2V-A }
        defaults:
          with: { resolution: 720P, details: 0.4 }
          timeout: { queue: 10m, run: 1.5h }
          cache: off
        steps:
          shot:
            model: film
            matrix: { seed: [11, 22] }
            with: { prompt: "\${{ params.idea }}, at dawn", seed: "\${{ matrix.seed }}" }
          final:
            description: Larger.
            each: \${{ steps.shot }}
            needs: shot
            if: \${{ params.speed / 2 > 0.1 }}
            model: V-UP
            timeout: 90s
            cache: on
            with: { input_video: "\${{ each.result_url }}", details: 0 }
        outputs:
          film: { from: "\${{ steps.final }}", to: "out/{seed}.mp4" }
      `),
    );
    expect(quoting(pipeline)).toMatchInlineSnapshot(`
      "{
        data: [],
        deployments: [],
        description: 'A fox.',
        env: [ 'HOME' ],
        name: 'film',
        outputs: [ { at: 'film', from: 'final', name: 'film', to: 'out/{seed}.mp4', toAt: '"out/{seed}.mp4"' } ],
        params: [
          { at: 'idea', name: 'idea', schema: { default: 'a red fox', type: 'string' } },
          { at: 'speed', name: 'speed', schema: { default: 1, type: 'number' } }
        ],
        profiles: [],
        steps: [
          {
            at: 'shot',
            cache: false,
            fanOut: {
              each: [],
              exclude: [],
              include: [],
              matrix: [
                {
                  at: 'seed',
                  name: 'seed',
                  values: {
                    at: '[11, 22]',
                    is: 'list',
                    items: [ { at: '11', is: 'literal', value: 11 }, { at: '22', is: 'literal', value: 22 } ]
                  }
                }
              ]
            },
            kind: 'generate',
            model: 'V-T2V-A',
            modelAt: 'film',
            name: 'shot',
            needs: [],
            timeout: { queue: 600000, run: 5400000 },
            upstream: [],
            with: {
              at: '{ prompt: "\${{ params.idea }}, at dawn", seed: "\${{ matrix.seed }}" }',
              entries: [
                {
                  name: 'prompt',
                  nameAt: 'prompt',
                  value: {
                    at: '"\${{ params.idea }}, at dawn"',
                    is: 'text',
                    parts: [
                      {
                        at: '\${{ params.idea }}',
                        code: 'params.idea',
                        codeAt: 'params.idea',
                        is: 'expression',
                        reads: [ { path: [ 'idea' ], root: 'params' } ]
                      },
                      ', at dawn'
                    ]
                  }
                },
                {
                  name: 'seed',
                  nameAt: 'seed',
                  value: {
                    at: '"\${{ matrix.seed }}"',
                    code: 'matrix.seed',
                    codeAt: 'matrix.seed',
                    is: 'expression',
                    reads: [ { path: [ 'seed' ], root: 'matrix' } ]
                  }
                },
                { name: 'resolution', nameAt: 'resolution', value: { at: '720P', is: 'literal', value: '720P' } }
              ],
              is: 'map'
            }
          },
          {
            at: 'final',
            cache: true,
            description: 'Larger.',
            fanOut: { each: [ { step: 'shot' } ], exclude: [], include: [], matrix: [] },
            if: {
              at: '\${{ params.speed / 2 > 0.1 }}',
              code: 'params.speed / 2 > 0.1',
              codeAt: 'params.speed / 2 > 0.1',
              is: 'expression',
              reads: [ { path: [ 'speed' ], real: true, root: 'params' } ]
            },
            kind: 'generate',
            model: 'V-UP',
            modelAt: 'V-UP',
            name: 'final',
            needs: [ 'shot' ],
            timeout: { total: 90000 },
            upstream: [ 'shot' ],
            with: {
              at: '{ input_video: "\${{ each.result_url }}", details: 0 }',
              entries: [
                {
                  name: 'input_video',
                  nameAt: 'input_video',
                  value: {
                    at: '"\${{ each.result_url }}"',
                    code: 'each.result_url',
                    codeAt: 'each.result_url',
                    is: 'expression',
                    reads: [ { path: [ 'result_url' ], root: 'each' } ]
                  }
                },
                { name: 'details', nameAt: 'details', value: { at: '0', is: 'literal', value: 0 } },
                { name: 'resolution', nameAt: 'resolution', value: { at: '720P', is: 'literal', value: '720P' } }
              ],
              is: 'map'
            }
          }
        ]
      }"
    `);
  });

  it('commands', () => {
    const [, argv, script] = compiled(
      film(`
        steps:
          shot: { model: V-T2V-A, with: { prompt: x } }
          a: { run: [echo, 3, "\${{ steps.shot.file }}"] }
          b: { run: echo $clip, files: { clip: "\${{ steps.shot }}" }, creates: { out: out.mp4 }, needs: [a] }
      `),
    ).steps;
    const read = (...path: readonly string[]) => ({ is: 'expression', reads: [{ path, root: 'steps' }] });
    const nothing = { entries: [], is: 'map' };
    expect(argv).toMatchObject({
      ...{ kind: 'run', name: 'a', cache: true, effect: false, lists: [], needs: [], upstream: ['shot'] },
      command: { argv: [{ is: 'literal', value: 'echo' }, { value: 3 }, read('shot', 'file')] },
      ...{ creates: nothing, env: nothing, files: nothing },
    });
    expect(script).toMatchObject({
      ...{ kind: 'run', name: 'b', lists: [], needs: ['a'], upstream: ['a', 'shot'], env: nothing },
      command: { script: 'echo $clip', shell: 'sh' },
      creates: { entries: [{ name: 'out', value: { is: 'literal', value: 'out.mp4' } }] },
      files: { entries: [{ name: 'clip', value: read('shot') }] },
    });
  });

  it('a warning leaves the pipeline standing, an error does not', () => {
    const reframe = (field: string) =>
      compile(
        {
          path: 'film.yaml',
          text: film(
            `steps:\n  a: { model: V-RF, with: { input_video: a.mp4, prompt: x, aspect_ratio: 1:1, ${field} } }\n`,
          ),
        },
        modelLibrary,
      );
    expect([
      reframe('anchor: left').pipeline?.name,
      reframe('anchor: left').diagnostics.map(found => found.severity),
    ]).toEqual(['film', ['warning']]);
    expect([
      reframe('resolution: 3').pipeline,
      reframe('resolution: 3').diagnostics.map(found => found.severity),
    ]).toEqual([undefined, ['error']]);
  });
});
