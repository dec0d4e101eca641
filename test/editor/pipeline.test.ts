/** What an author sees in an editor, through the language server that editors use for YAML. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { pipelineFiles } from '../support/pipelines.ts';
import { YamlLanguageServer } from './language-server.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
let editor: YamlLanguageServer;
beforeAll(async () => {
  editor = await YamlLanguageServer.start(join(ROOT, 'pipelines'));
});
afterAll(() => editor[Symbol.asyncDispose]());

const HEAD = '# yaml-language-server: $schema=../schema/editor.schema.json\nshotlist: 1\nname: film\n';
/** The lines of a file below its name. */
const film = (lines: string): string => `${HEAD}${lines}`;
const underlined = (lines: string) => editor.diagnostics(film(lines));
const labels = async (lines: string) => (await editor.completions(film(lines))).map(({ label }) => label);

describe('nothing is underlined', () => {
  test.each(pipelineFiles())('in pipelines/$name', async ({ text }) => {
    expect(text).toMatch(/^# yaml-language-server: \$schema=\.\.\/schema\/editor\.schema\.json\n/);
    expect(await editor.diagnostics(text)).toEqual([]);
  });

  test('where a name is the file’s own, an id of a catalog, or an expression', async () => {
    const lines = `models: { film: V-T2V-A, other: vendor/name, look: { id: fox-look, activate: true } }
steps:
  a: { model: film, with: { prompt: x, whatever: 1 } }
  b: { model: vendor/name, with: { some: { thing: [1] } } }
  c: { model: fox-look, with: {} }
  d: { model: "\${{ matrix.by }}", with: { input_video: a.mp4 } }
  e: { model: other }
`;
    expect(await underlined(lines)).toEqual([]);
  });

  test('where an expression stands in a field of any type', async () => {
    const lines = `steps:
  a:
    model: V-T2V-A
    matrix: { seed: [1, 2], ratio: ["16:9", "1:1"] }
    with:
      prompt: "\${{ params.idea }}, one shot"
      seed: \${{ matrix.seed }}
      aspect_ratio: \${{ matrix.ratio }}
      watermark: \${{ params.draft }}
  b: { model: V-REF, with: { prompt: x, input_images: "\${{ steps.x }}", input_videos: ["\${{ steps.a.result_url }}"] } }
  c: { model: C-A, with: { messages: "\${{ steps.d.json.messages }}", temperature: "\${{ 0.5 }}" } }
  d: { model: C-B, with: { messages: [ { role: user, content: "\${{ params.idea }}" } ] } }
`;
    expect(await underlined(lines)).toEqual([]);
  });

  test('where `defaults` may give what a model needs', async () => {
    expect(
      await underlined('defaults: { with: { input_video: a.mp4 } }\nsteps:\n  a: { model: V-UP, with: {} }\n'),
    ).toEqual([]);
  });
});

describe('what is underlined', () => {
  test('a field that the model does not have', async () => {
    expect(await underlined('steps:\n  a:\n    model: V-RT\n    with: { input_video: a.mp4, promt: x }\n')).toEqual([
      '7:33 Property promt is not allowed.',
    ]);
  });

  test('a value that a field does not take', async () => {
    const lines =
      'steps:\n  a: { model: V-T2V-A, with: { prompt: x, aspect_ratio: "2:1", duration: 100, seed: [1] } }\n';
    expect(await underlined(lines)).toEqual([
      '5:57 Value is not accepted. Valid values: "16:9", "9:16", "1:1", "4:3", "3:4".',
      '5:74 Value is above the maximum of 15.',
      '5:85 Incorrect type. Expected "integer | string".',
    ]);
  });

  test('a label that there is not, in a step and under `models`', async () => {
    const [inStep = '', ...more] = await underlined('steps:\n  a: { model: V-RTX }\n');
    expect(inStep).toMatch(/^5:15 Value is not accepted. Valid values: .*"V-RT"/);
    expect(more).toEqual([]);
    expect(await underlined('models: { film: I2V-A }\nsteps:\n  a: { model: film }\n')).toEqual([
      expect.stringMatching(/^4:17 Value is not accepted. Valid values: .*"V-I2V-A"/),
    ]);
  });

  test('what a model needs and nothing gives', async () => {
    expect(await underlined('steps:\n  a: { model: V-RF, with: { prompt: x } }\n')).toEqual([
      '5:21 Missing property "input_video".',
      '5:21 Missing property "aspect_ratio".',
    ]);
    expect(await underlined('steps:\n  a: { model: C-A, with: { system: x } }\n')).toEqual([
      '5:20 Missing property "prompt".',
    ]);
  });

  test('a field that one model of an axis does not have', async () => {
    const by = 'matrix: { by: [V-UP, V-V2V] }, model: "${{ matrix.by }}", with: { input_video: a.mp4 }';
    expect(await underlined(`steps:\n  a: { ${by}, only: { V-UP: { grain: 0.05 } } }\n`)).toEqual([]);
    expect(await underlined(`steps:\n  a: { ${by}, only: { V-UP: { grian: 0.05 } } }\n`)).toEqual([
      '5:112 Property grian is not allowed.',
    ]);
  });

  test('a misspelt key of a step', async () => {
    expect(await underlined('steps:\n  a: { model: C-A, with: { prompt: x }, matrx: { a: [1] } }\n')).toEqual([
      '5:41 Property matrx is not allowed.',
    ]);
  });
});

describe('what is offered', () => {
  test('the labels for `model`, each with a sentence', async () => {
    const offered = await editor.completions(film('steps:\n  a:\n    model: ‸\n'));
    expect(offered.map(({ label }) => label)).toEqual(modelLibrary.labels);
    expect(offered.find(({ label }) => label === 'V-UP')?.about).toBe(modelLibrary.get('V-UP')?.summary);
    expect(await labels('models:\n  film: ‸\n')).toEqual(expect.arrayContaining(['V-RT']));
  });

  test('the fields of the label, with what each takes', async () => {
    const offered = await editor.completions(film('steps:\n  a:\n    model: V-RT\n    with:\n      ‸\n'));
    expect(offered.map(({ label }) => label)).toEqual(Object.keys(modelLibrary.get('V-RT')!.request.properties));
    expect(offered[0]?.about).toBe(
      'Required: video URL, at least 3 s, longer side at most 4096 pixels. Inputs up to 4K; output is 1080p.',
    );
  });

  test('a field’s default, and its values', async () => {
    const fields = await editor.completions(film('steps:\n  a:\n    model: V-T2V-A\n    with:\n      ‸\n'));
    expect(fields.find(({ label }) => label === 'duration')).toEqual({
      label: 'duration',
      about: 'whole number, 2 to 15, default 5. Seconds.',
      text: 'duration: ${1:5}',
    });
    expect(await labels('steps:\n  a:\n    model: V-T2V-A\n    with:\n      resolution: ‸\n')).toEqual([
      '1080P',
      '720P',
    ]);
  });

  test('what a chat step writes in the place of its messages', async () => {
    expect(await labels('steps:\n  a:\n    model: C-A\n    with:\n      ‸\n')).toEqual(
      expect.arrayContaining(['prompt', 'system', 'messages', 'temperature']),
    );
    expect(await labels('steps:\n  a:\n    model: C-B\n    with:\n      ‸\n')).toContain('images');
  });

  test('the keys of every kind for an empty step, those of its kind for another', async () => {
    const empty = await labels('steps:\n  a:\n    ‸\n');
    expect(empty).toEqual(expect.arrayContaining(['model', 'run', 'tokenize', 'matrix', 'each', 'if']));
    expect(empty[0]).toBe('model');
    const command = await labels('steps:\n  a:\n    run: ls\n    ‸\n');
    expect(command).toEqual(expect.arrayContaining(['env', 'files', 'creates', 'matrix']));
    expect(command).not.toContain('with');
    // An example is shown, not typed into the file.
    const offered = await editor.completions(film('steps:\n  a:\n    run: ls\n    ‸\n'));
    expect(offered.find(({ label }) => label === 'if')?.text).toBe('if: ');
  });

  test('the fields that models have, under `defaults.with`', async () => {
    expect(await labels('defaults:\n  with:\n    ‸\n')).toEqual(expect.arrayContaining(['resolution', 'seed']));
  });
});

describe('what is told under the pointer', () => {
  const hover = (lines: string) => editor.hover(film(lines));

  test('a key, with its examples', async () => {
    expect(await hover('steps:\n  a:\n    run: ls\n    ca‸che: off\n')).toContain(
      '`off` runs the step again every time.\n\n```yaml\ncache: off\n```',
    );
  });

  test('a model', async () => {
    expect(await hover('steps:\n  a:\n    model: V-‸UP\n')).toContain(`\`V-UP\`: ${modelLibrary.get('V-UP')?.summary}`);
    expect(await hover('steps:\n  a:\n    model: V-UP\n    wi‸th: {}\n')).toContain(
      'V-UP: detail-enhancing video upscaler',
    );
  });

  test('a field of a request', async () => {
    expect(await hover('steps:\n  a:\n    model: V-T2V-A\n    with:\n      du‸ration: 5\n')).toContain(
      'whole number, 2 to 15, default 5. Seconds.',
    );
  });
});
