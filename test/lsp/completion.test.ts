/** What an author is offered while a file is half written. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { Editor, HEAD } from './editor.ts';

let editor: Editor;
beforeAll(async () => {
  editor = await Editor.start();
});
afterAll(() => editor[Symbol.asyncDispose]());

const SHOTS = `params:
  idea: { type: string, default: a fox }
  takes: { type: integer, default: 2 }
models: { film: V-T2V-A }
steps:
  script:
    model: C-D
    with: { prompt: beats }
    schema: { type: object, required: [beats], properties: { beats: { type: array, maxItems: 3, items: { type: object, required: [look], properties: { look: { type: string } } } } } }
  still:
    model: I-GEN-A
    with: { prompt: a fox }
  shot:
    matrix: { seed: [11, 22], light: [dawn, noon] }
    model: film
    with: { prompt: "\${{ params.idea }}", seed: "\${{ matrix.seed }}" }
`;
const film = (more: string): string => `${HEAD}${SHOTS}${more}`;
const labels = (more: string) => editor.labels(film(more));

describe('inside an expression', () => {
  test('the roots that mean something there, then functions', async () => {
    const offered = await labels('  next:\n    model: V-T2V-A\n    with: { prompt: "${{ ‸ }}" }\n');
    expect(offered.slice(0, 3)).toEqual(['params', 'steps', 'run']);
    expect(offered).toContain('size');
    expect(offered).not.toContain('matrix');
    const inFan = await labels(
      '  next:\n    each: ${{ steps.shot }}\n    model: V-UP\n    with: { input_video: "${{ ‸ }}" }\n',
    );
    expect(inFan.slice(0, 6)).toEqual(['params', 'steps', 'matrix', 'each', 'previous', 'run']);
  });

  test('the other steps, each with what it gives', async () => {
    const offered = await editor.complete(film('  next:\n    model: V-T2V-A\n    with:\n      prompt: ${{ steps.‸\n'));
    expect(offered.map(({ label, detail }) => `${label}: ${detail}`)).toEqual([
      'script: a text result',
      'still: an image result',
      'shot: a list of video results (seed, light)',
    ]);
  });

  test('the fields of a result by its type, and of an answer by its schema', async () => {
    expect(await labels('  next:\n    model: V-I2V-A\n    with: { input_image: "${{ steps.still.‸" }\n')).toEqual([
      'result_url',
      'file',
      'sha256',
      'bytes',
      'generation_id',
      'request',
      'cost',
      'media',
    ]);
    expect(await labels('  next:\n    run: [echo, "${{ steps.script.json.beats[0].‸ }}"]\n')).toEqual(['look']);
    expect(await labels('  next:\n    run: [echo, "${{ steps.still.media.wi‸ }}"]\n')).toContain('width');
  });

  test('the axes of the step, its own and inherited', async () => {
    expect(
      await labels(
        '  next:\n    each: ${{ steps.shot }}\n    matrix: { ratio: ["16:9"] }\n    run: [echo, "${{ matrix.‸ }}"]\n',
      ),
    ).toEqual(['seed', 'light', 'ratio']);
  });

  test('params with their types, and functions with what they do', async () => {
    const offered = await editor.complete(film('  next:\n    run: [echo, "${{ params.‸"]\n'));
    expect(offered.map(({ label, detail }) => [label, detail])).toEqual([
      ['idea', 'a text'],
      ['takes', 'a whole number'],
    ]);
    const functions = await editor.complete(film('  next:\n    run: [echo, "${{ params.idea.‸ }}"]\n'));
    const split = functions.find(({ label }) => label === 'split');
    expect(split?.detail).toBe('text.split(separator)');
    expect((split!.documentation as { value: string }).value).toContain('→');
    expect(functions.map(({ label }) => label)).not.toContain('filter');
  });

  test('what a loop runs through is typed', async () => {
    const offered = await labels('  next:\n    run: [echo, "${{ steps.shot.filter(s, s.‸) }}"]\n');
    expect(offered).toEqual(expect.arrayContaining(['result_url', 'media', 'matrix']));
    expect(await labels('  next:\n    run: [echo, "${{ steps.shot.map(s, s.matrix.‸) }}"]\n')).toEqual([
      'seed',
      'light',
    ]);
    expect((await labels('  next:\n    run: [echo, "${{ steps.shot.map(s, ‸) }}"]\n'))[0]).toBe('s');
    expect(
      await labels(
        '  next:\n    each: ${{ steps.shot }}\n    model: V-UP\n    with: { input_video: "${{ has(previous.‸) }}" }\n',
      ),
    ).toContain('note');
    const best = '  best: { pick: "${{ steps.shot }}" }\n  next:\n    run: [echo, "${{ steps.best.‸ }}"]\n';
    expect((await labels(best)).slice(-3)).toEqual(['choice', 'matrix', 'frame_at']);
    expect(await labels(best.replace('‸', 'matrix.‸'))).toEqual(['seed', 'light']);
  });

  test('nothing inside of a quoted text', async () => {
    expect(await labels(`  next:\n    run: [echo, "\${{ params.idea + ' and ‸' }}"]\n`)).toEqual([]);
  });

  test('also where the line, the quotes and the rest of the file are open', async () => {
    const tail = '\n  after:\n    model: V-UP\n    with: { input_video: x.mp4 }\n';
    for (const open of [
      '      prompt: "${{ params.‸',
      '      prompt: ${{ params.‸',
      '      prompt: "a ${{ params.idea }} by ${{ params.‸',
    ])
      expect(await labels(`  next:\n    model: V-T2V-A\n    with:\n${open}${tail}`), open).toEqual(['idea', 'takes']);
    expect(await labels(`  broken:\n    model V-UP\n  next: { run: [echo, "\${{ params.‸`)).toEqual(['idea', 'takes']);
  });

  test('what is taken goes in place of what was written', async () => {
    const more = '  next:\n    model: V-I2V-A\n    with: { prompt: x, input_image: "${{ steps.still.res‸ult }}" }\n';
    expect(await editor.taken(film(more), 'result_url')).toBe(film(more.replace('res‸ult', 'result_url')));
  });
});

describe('keys and values', () => {
  test('of an empty file', async () => {
    expect(await editor.labels('‸', 'new.yaml')).toEqual(
      expect.arrayContaining(['shotlist', 'name', 'steps', 'outputs']),
    );
  });

  test('the keys of every kind for an empty step, those of its kind for another', async () => {
    const empty = await labels('  next:\n    ‸\n');
    expect(empty).toEqual(expect.arrayContaining(['model', 'run', 'uses', 'matrix', 'each']));
    const command = await labels('  next:\n    run: ls\n    ‸\n');
    expect(command).toEqual(expect.arrayContaining(['env', 'files', 'creates', 'matrix']));
    expect(command).not.toContain('with');
    expect(command).not.toContain('run');
  });

  test('a model’s own fields under `with`, the ones it needs first, also by the file’s name for it', async () => {
    const fields = Object.keys(modelLibrary.get('V-T2V-A')!.request.properties);
    const byName = await editor.complete(film('  next:\n    model: film\n    with:\n      ‸\n'));
    expect(byName.map(({ label }) => label).toSorted()).toEqual(fields.toSorted());
    expect(byName[0]?.label).toBe('prompt');
    const duration = byName.find(({ label }) => label === 'duration');
    expect((duration!.documentation as { value: string }).value).toBe('whole number, 2 to 15, default 5. Seconds.');
    expect(await labels('  next: { model: V-RT, with: { ‸ } }\n')).toEqual(
      expect.arrayContaining(['input_video', 'retake_start_time']),
    );
    expect(await labels('  next: { model: V-RT, with: { input_video: a.mp4, ret‸')).not.toContain('input_video');
  });

  test('the values of a field, its default first', async () => {
    expect(await labels('  next:\n    model: V-T2V-A\n    with:\n      resolution: ‸\n')).toEqual(['1080P', '720P']);
    expect(await labels('  next:\n    model: V-T2V-A\n    with:\n      watermark: ‸\n')).toEqual(
      expect.arrayContaining(['true', 'false']),
    );
  });

  test('models by the file’s own names and by label, and none that only tests need', async () => {
    const offered = await editor.complete(film('  next:\n    model: ‸\n'));
    expect(offered[0]?.label).toBe('film');
    expect(offered.map(({ label }) => label)).toEqual(expect.arrayContaining([...modelLibrary.labels, 'fox-look']));
    expect(offered.filter(({ label }) => /^(storm|river)-look$/.test(label))).toEqual([]);
    expect((offered.find(({ label }) => label === 'V-UP')!.documentation as { value: string }).value).toMatch(
      /\$[\d.]+/,
    );
  });

  test('results of the right kind for a media field, and files', async () => {
    editor.write('media/clip.mp4', 'x');
    editor.write('media/still.png', 'x');
    const offered = await labels('  next:\n    model: V-I2V-A\n    with:\n      input_image: ‸\n');
    expect(offered).toEqual(expect.arrayContaining(['${{ steps.still.result_url }}', 'media/']));
    expect(await labels('  next:\n    model: V-I2V-A\n    with:\n      input_image: media/‸\n')).toEqual([
      'media/still.png',
    ]);
  });

  test('files for `uses`, and the params of the one that is used', async () => {
    editor.write(
      'parts/clean.yaml',
      `${HEAD}params: { clip: { type: string }, strength: { type: number, default: 0.5, description: How much. } }
steps: { up: { model: V-UP, with: { input_video: "\${{ params.clip }}" } } }
outputs: { film: { from: "\${{ steps.up }}", to: out/up.mp4 } }
`,
    );
    expect(await labels('  next:\n    uses: parts/‸\n')).toEqual(['parts/clean.yaml']);
    expect(await labels('  next:\n    uses: parts/clean.yaml\n    with:\n      ‸\n')).toEqual(['clip', 'strength']);
    expect(
      await labels(
        '  next:\n    run: [echo, "${{ steps.cleaned.outputs.‸ }}"]\n  cleaned: { uses: parts/clean.yaml, with: { clip: media/clip.mp4 } }\n',
      ),
    ).toEqual(['film']);
  });

  test('steps under `needs`, options of a cut', async () => {
    expect(await labels('  next:\n    run: ls\n    needs: [‸]\n')).toEqual(['script', 'still', 'shot']);
    expect(await labels('  next:\n    run: ls\n    needs:\n      - script\n      - ‸\n')).toEqual(['still', 'shot']);
    expect(await labels('  next:\n    cut:\n      ‸\n')).toEqual(
      expect.arrayContaining(['clips', 'music', 'loudness', 'codec']),
    );
  });

  test('in comments and in other YAML files, nothing', async () => {
    expect(await labels('  # mo‸\n')).toEqual([]);
    expect(await editor.labels('version: 3\nservices:\n  ‸\n', 'compose.yaml')).toEqual([]);
  });
});
