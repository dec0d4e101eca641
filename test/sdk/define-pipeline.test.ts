/** What the compiler says of a pipeline that is an object; each wrong line is one that it must refuse. */
import { expect, test } from 'vitest';
import { definePipeline } from '../../src/sdk/index.ts';

test('keys, labels, fields and their values are known to the compiler', () => {
  const film = definePipeline({
    shotlist: 1,
    name: 'fox',
    params: { idea: { type: 'string', default: 'a fox' }, token: { type: 'string', secret: true } },
    env: ['CDN'],
    models: { film: 'V-T2V-A', look: { id: 'me/look', activate: true } },
    steps: {
      shot: { model: 'film', takes: 2, with: { prompt: '${{ params.idea }}', aspect_ratio: '16:9', duration: 5 } },
      still: { model: 'I-GEN-A', timeout: { total: '10m' }, with: { prompt: 'a fox', seed: '${{ 7 }}' } },
      tall: {
        each: '${{ steps.shot }}',
        model: 'V-RF',
        with: { input_video: '${{ each.result_url }}', aspect_ratio: '9:16', prompt: 'snow' },
      },
      custom: { model: 'look', with: { anything: [1, { goes: true }] } },
      catalog: { model: 'vendor/name', with: { anything: 1 } },
      words: { model: 'C-D', with: { prompt: 'beats' }, schema: { type: 'object' } },
      told: { run: ['echo', 1, true], env: { A: 'b' }, creates: { film: 'film.mp4' } },
      tuned: { tokenize: { repository: 'film-house/looks', fine_tune: 'ft-harbour' } },
    },
    outputs: { film: { from: '${{ steps.tall }}', to: 'out/{take}.mp4' } },
  });
  expect(film.steps.still?.model).toBe('I-GEN-A');
});

test('mistakes are refused where they stand', () => {
  const wrong = [
    definePipeline({
      shotlist: 1,
      name: 'a',
      // @ts-expect-error: there is no such field
      steps: { shot: { model: 'V-T2V-A', with: { promt: 'a fox' } } },
    }),
    definePipeline({
      shotlist: 1,
      name: 'b',
      // @ts-expect-error: no model is called so
      steps: { shot: { model: 'V-T2V-Z', with: { prompt: 'a fox' } } },
    }),
    definePipeline({
      shotlist: 1,
      name: 'c',
      // @ts-expect-error: not one of its ratios
      steps: { shot: { model: 'V-T2V-A', with: { prompt: 'a fox', aspect_ratio: '99:1' } } },
    }),
    definePipeline({
      shotlist: 1,
      name: 'd',
      models: { film: 'V-T2V-A' },
      // @ts-expect-error: nor by the file's own name for it
      steps: { shot: { model: 'film', with: { promt: 'a fox' } } },
    }),
    definePipeline({
      shotlist: 1,
      name: 'e',
      // @ts-expect-error: a command has no request
      steps: { shot: { run: ['true'], with: { prompt: 'a fox' } } },
    }),
    // @ts-expect-error: it has no name
    definePipeline({ shotlist: 1, steps: { shot: { run: ['true'] } } }),
    definePipeline({
      shotlist: 1,
      name: 'f',
      // @ts-expect-error: there is no such key
      stepz: {},
      steps: { shot: { run: ['true'] } },
    }),
  ];
  expect(wrong).toHaveLength(7);
});
