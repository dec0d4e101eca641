/** Mistakes while one types, and everything else that an editor asks of its server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Editor, HEAD, shown } from './editor.ts';

let editor: Editor;
beforeAll(async () => {
  editor = await Editor.start();
});
afterEach(() => editor.clear());
afterAll(() => editor[Symbol.asyncDispose]());

const FILM = `${HEAD}params: { idea: { type: string, default: a fox } }
steps:
  shot:
    matrix: { seed: [1, 2] }
    model: V-T2V-A
    with: { prompt: "\${{ params.idea }}", seed: "\${{ matrix.seed }}", resolution: 720P }
  best: { pick: "\${{ steps.shot }}" }
  final:
    needs: [shot]
    model: V-UP
    with: { input_video: "\${{ steps.best.result_url }}", resolution: 1080p }
outputs:
  film: { from: "\${{ steps.final }}", to: out/film.mp4 }
`;

describe('mistakes', () => {
  test('all of them at once, each at its place', async () => {
    const wrong = FILM.replace('params.idea', 'params.idae')
      .replace('steps.best', 'steps.bets')
      .replace('720P', '720Q');
    expect((await editor.mistakes(wrong)).map(one => one.split(' ').slice(0, 2).join(' '))).toEqual([
      '8:33 unknown-param',
      '8:83 not-one-of',
      '13:37 unknown-step',
    ]);
    expect(await editor.mistakes(FILM)).toEqual([]);
  });

  test('as `check` finds them for the service that is set', async () => {
    editor.write(
      'hosted/shotlist.config.yaml',
      'service: far\nservices: { far: { url: "https://far.test", remote: true } }\n',
    );
    editor.write('hosted/fox.png', 'a picture');
    const film = `${HEAD}steps:\n  shot: { model: V-I2V-A, with: { prompt: it walks, input_image: fox.png } }\n`;
    await editor.type(film, 'hosted/film.yaml');
    const told = (await editor.told(all => all.length > 0, 'hosted/film.yaml')).map(shown);
    expect(told).toContainEqual(expect.stringMatching(/^4:\d+ file-out-of-reach/));
  });

  test('with the places that they are about', async () => {
    const twice = `${HEAD}steps:\n  a: { run: ls }\n  a: { run: ls }\n`;
    await editor.type(twice);
    const [found] = await editor.told(all => all.length > 0);
    expect(found?.relatedInformation?.map(({ message, location }) => [message, location.range.start.line])).toEqual([
      ['first declared here', 3],
    ]);
  });

  test.each([
    ['a step', FILM.replace('steps.best.', 'steps.bets.'), FILM],
    ['a param', FILM.replace('params.idea', 'params.idae'), FILM],
    ['a field of a result', FILM.replace('best.result_url', 'best.result_ulr'), FILM],
    ['a field of a model', FILM.replace('resolution:', 'resolutoin:'), FILM],
    ['a value', FILM.replace('720P', '720Q'), FILM],
    ['a key', FILM.replace('    matrix:', '    matrx:'), FILM],
    ['a model', FILM.replace('model: V-UP', 'model: V-IP'), FILM],
    ['a need', FILM.replace('needs: [shot]', 'needs: [shto]'), FILM],
    ['a root', FILM.replace('params.idea', 'param.idea'), FILM],
    ['a key of another system', FILM.replace('params: {', 'inputs: {'), FILM],
    ['braces of another system', FILM.replace('"${{ params.idea }}"', '"{{ params.idea }}"'), FILM],
  ])('%s is mended by one key', async (_, wrong, right) => {
    const { titles, text } = await editor.fixed(wrong);
    expect(text).toBe(right);
    expect(titles).toEqual([expect.stringMatching(/^replace .+ with .+$/)]);
  });

  test('a used file that has one shows it, as it stands in the editor and as it is saved', async () => {
    const part = (model: string) =>
      `${HEAD}steps: { a: { model: ${model}, with: { prompt: x } } }\noutputs: { o: { from: "\${{ steps.a }}", to: out/o.mp4 } }\n`;
    editor.write('part.yaml', part('V-T2V-A'));
    const user = `${HEAD}steps: { use: { uses: part.yaml } }\n`;
    expect(await editor.mistakes(user)).toEqual([]);
    // Saved by somebody else.
    editor.write('part.yaml', part('V-T2V-Z'));
    const found = await editor.told(all => all.length > 0, 'part.yaml');
    expect(found.map(shown)).toEqual([expect.stringContaining('unknown-model')]);
    // Mended in the editor, and not saved.
    await editor.type(part('V-T2V-B'), 'part.yaml');
    expect(await editor.told(all => all.length === 0, 'part.yaml')).toEqual([]);
  });

  test('an editor that watches files says when one has changed', async () => {
    await using watching = await Editor.start({ watches: true });
    const part = (param: string) =>
      `${HEAD}params: { ${param}: { type: string, default: x } }\nsteps: { a: { model: C-A, with: { prompt: x } } }\noutputs: { o: { from: "\${{ steps.a }}", to: out/o.txt } }\n`;
    watching.write('part.yaml', part('clip'));
    expect(await watching.mistakes(`${HEAD}steps: { use: { uses: part.yaml, with: { clip: a } } }\n`)).toEqual([]);
    watching.write('part.yaml', part('film'));
    await watching.changedOnDisk('part.yaml');
    expect((await watching.told(all => all.length > 0)).map(shown)).toEqual([expect.stringContaining('unknown-param')]);
  });

  test('other YAML files have none', async () => {
    await editor.type('services: { web: { image: x } }\n', 'compose.yaml');
    await editor.type('on: push\njobs: {}\n', 'ci.yaml');
    expect(await editor.mistakes(FILM)).toEqual([]);
    expect(await editor.hover('services: { we‸b: {} }\n')).toBe('');
  });

  test('whatever is typed, it answers', async () => {
    const texts = [
      '',
      '\u0000',
      '- - - -',
      '%YAML 1.1\n---\nshotlist: 1',
      `shotlist: 1\n${'['.repeat(3000)}`,
      'shotlist: 1\nsteps: *x',
      'shotlist: 1\nsteps:\n\ta: 1',
      `${FILM}\n---\nsecond: 1`,
    ];
    for (const text of texts) {
      await editor.type(text);
      expect(await editor.complete(`${text}‸`)).toBeDefined();
      expect(await editor.outline(text)).toBeDefined;
    }
    // At every place of a whole file.
    for (let at = HEAD.length; at < FILM.length; at += 7)
      await editor.complete(`${FILM.slice(0, at)}‸${FILM.slice(at)}`);
    for (let at = HEAD.length; at < FILM.length; at += 7) await editor.complete(`${FILM.slice(0, at)}‸`);
    expect(await editor.mistakes(FILM)).toEqual([]);
    expect(editor.stderr.join('')).toBe('');
  });
});

describe('what is told under the pointer', () => {
  test('a field with its limits', async () => {
    expect(await editor.hover(FILM.replace('resolution: 720P', 'res‸olution: 720P'))).toBe(
      '`V-T2V-A` · text, 720P, 1080P (default)',
    );
    expect(await editor.hover(FILM.replace('input_video', 'input‸_video'))).toMatch(/^`V-UP` · Required: video URL/);
  });
  test('a key', async () => {
    expect(await editor.hover(FILM.replace('needs:', 'ne‸eds:'))).toContain('```yaml\nneeds: ["voice","script"]\n```');
  });
  test('a model with its price', async () => {
    expect(await editor.hover(FILM.replace('V-T2V-A', 'V-T2‸V-A'))).toMatch(/`V-T2V-A`: .+\n\n\$[\d.]+.* a second/);
  });
  test('a step with what it gives and costs, where it stands and where it is read', async () => {
    const step = await editor.hover(FILM.replace('  shot:', '  sh‸ot:'));
    expect(step).toMatch(/^`steps\.shot` is a list of video results \(seed\)\n\n2 ×, \$[\d.]+/);
    expect(await editor.hover(FILM.replace('steps.shot }', 'steps.sh‸ot }'))).toBe(step);
  });
  test('names and functions of expressions', async () => {
    expect(await editor.hover(FILM.replace('params.idea', 'params.id‸ea'))).toBe('`params.idea` is a text');
    expect(await editor.hover(FILM.replace('result_url', 'result‸_url'))).toBe(
      '`steps.best.result_url` is the address of a video',
    );
    expect(await editor.hover(FILM.replace('params.idea', 'params.idea.spl‸it(" ")').replace('" "', "' '"))).toContain(
      'text.split(separator)',
    );
  });
});

describe('from name to name', () => {
  test('to a step, a param, an axis, a model of the file, a used file and its output', async () => {
    expect(await editor.definition(FILM.replace('steps.best', 'steps.be‸st'))).toEqual(['film.yaml:9:3']);
    expect(await editor.definition(FILM.replace('params.idea', 'params.id‸ea'))).toEqual(['film.yaml:3:11']);
    expect(await editor.definition(FILM.replace('[shot]', '[sh‸ot]'))).toEqual(['film.yaml:5:3']);
    expect(await editor.definition(FILM.replace('matrix.seed', 'matrix.se‸ed'))).toEqual(['film.yaml:6:15']);
    expect(
      await editor.definition(
        FILM.replace('params:', 'models: { film: V-UP }\nparams:').replace('model: V-UP', 'model: fi‸lm'),
      ),
    ).toEqual(['film.yaml:3:11']);
    editor.write(
      'part.yaml',
      `${HEAD}steps: { a: { model: C-A, with: { prompt: x } } }\noutputs:\n  o: { from: "\${{ steps.a }}", to: out/o.txt }\n`,
    );
    const user = `${HEAD}steps:\n  use: { uses: part.yaml }\n  say: { run: [echo, "\${{ steps.use.outputs.o.text }}"] }\n`;
    expect(await editor.definition(user.replace('part.yaml', 'pa‸rt.yaml'))).toEqual(['part.yaml:1:1']);
    expect(await editor.definition(user.replace('outputs.o.', 'outputs.o‸.'))).toEqual(['part.yaml:5:3']);
  });

  test('all that read a step, in a file that does not parse as well', async () => {
    expect(await editor.references(FILM.replace('  shot:', '  sh‸ot:'))).toEqual(['5:3', '9:28', '11:13']);
    const broken = `${FILM}  broken\n    more: [ "\${{ steps.shot.x\n`;
    expect(await editor.references(broken.replace('  shot:', '  sh‸ot:'))).toEqual(
      expect.arrayContaining(['5:3', '9:28', '11:13']),
    );
  });

  test('a step is renamed everywhere, and the lock’s part in it is told', async () => {
    editor.write(
      'film.lock.yaml',
      'shotlist: 1\nservices:\n  studio:\n    shot[seed=1]:\n      is: media\n    shot[seed=2]:\n      is: media\n    shots:\n      is: media\n',
    );
    const renamed = await editor.rename(FILM.replace('  shot:', '  sh‸ot:'), 'take_one');
    expect(renamed).toBe(FILM.replaceAll(/\bshot\b/g, 'take_one'));
    expect(await editor.mistakes(renamed)).toEqual([]);
    expect(editor.messages).toEqual([
      expect.stringMatching(
        /^film\.lock\.yaml names 2 instances of `shot` \(shot\[seed=1\], shot\[seed=2\]\)\. Results are known by their content/,
      ),
    ]);
    await expect(editor.rename(FILM.replace('  shot:', '  sh‸ot:'), 'best')).rejects.toThrow(
      'there is a step `best` already',
    );
    await expect(editor.rename(FILM.replace('  shot:', '  sh‸ot:'), 'Best Shot')).rejects.toThrow('cannot name a step');
    await expect(editor.rename(FILM.replace('idea:', 'id‸ea:'), 'x')).rejects.toThrow('only steps are renamed');
  });

  test('the outline', async () => {
    const outline = await editor.outline(FILM);
    expect(
      outline.map(({ name, children }) => [name, (children ?? []).map(one => `${one.name} ${one.detail}`.trim())]),
    ).toEqual([
      ['shotlist', []],
      ['name', []],
      ['params', ['idea']],
      ['steps', ['shot model: V-T2V-A', 'best pick: ${{ steps.shot }}', 'final model: V-UP']],
      ['outputs', ['film']],
    ]);
  });
});

test('over each step, its price', async () => {
  const lenses = await editor.lenses(FILM);
  expect(lenses.map(({ range, command }) => `${range.start.line + 1} ${command?.title}`)).toEqual([
    expect.stringMatching(/^5 2 ×, \$[\d.]+$/),
    '9 free',
    expect.stringMatching(/^10 (\$[\d.]+|price not known)$/),
  ]);
});

test('over each step, what it gave last, read of a journal that stays as it is', async () => {
  const film = `${HEAD}steps:\n  say: { run: [sh, -c, "printf hello > said.txt"], creates: { said: said.txt } }\n`;
  editor.write('film.yaml', film);
  const ran = spawn(process.execPath, [resolve('src/cli/entry.ts'), 'run', 'film.yaml', '--ui', 'quiet'], {
    cwd: editor.folder,
    env: { HOME: editor.folder, CI: 'true', PATH: process.env.PATH },
  });
  expect(await once(ran, 'close')).toEqual([0, null]);
  const state = join(editor.folder, '.shotlist');
  const before = readdirSync(state, { recursive: true });
  const lenses = await editor.lenses(film);
  expect(lenses.map(({ command }) => command?.title)).toEqual([
    'free',
    expect.stringMatching(/^made on \d{4}-\d\d-\d\d \d\d:\d\d UTC/),
  ]);
  expect(readdirSync(state, { recursive: true })).toEqual(before);
});

test('nothing is written, and no state is begun', async () => {
  await editor.lenses(FILM);
  await editor.hover(FILM.replace('  shot:', '  sh‸ot:'));
  expect(await editor.mistakes(FILM)).toEqual([]);
  expect(readdirSync(editor.folder)).toEqual([]);
});
