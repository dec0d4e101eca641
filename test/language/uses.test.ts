/** Files that use other files: what is given is checked by the other's params, what comes back is typed by its outputs, and mistakes stand where they are made. */
import { describe, expect, test } from 'vitest';
import { compiledProject, compileProject, type Texts } from '../support/project-files.ts';
import { excerptsOf } from './said.ts';

const CLEAN = `shotlist: 1
name: clean
params:
  clip: { type: string }
  ratios: { type: array, items: { type: string }, default: [9:16] }
  strength: { type: integer, minimum: 1, maximum: 5, default: 3 }
  look: { type: string, enum: [snow, sand], default: snow }
steps:
  repair:
    model: V-RF
    matrix: { ratio: "\${{ params.ratios }}" }
    with: { input_video: "\${{ params.clip }}", aspect_ratio: "\${{ matrix.ratio }}", prompt: "\${{ params.look }}" }
  poster: { model: I-GEN-A, with: { prompt: a poster } }
  notes: { run: [echo, hi], creates: { notes: notes.txt } }
outputs:
  films: { from: "\${{ steps.repair }}", to: "out/{ratio}.mp4" }
  poster: { from: "\${{ steps.poster }}", to: out/poster.png }
  notes: { from: "\${{ steps.notes.files.notes }}", to: out/notes.txt }
`;
const film = (lines: string) => `shotlist: 1
name: film
steps:
  shot: { matrix: { seed: [1, 2] }, model: V-T2V-A, with: { prompt: a fox, seed: "\${{ matrix.seed }}" } }
${lines}`;
const said = (texts: Texts) => excerptsOf(compileProject(texts).diagnostics);
/** What is said of a film that uses `parts/clean.yaml`. */
const saidOf = (lines: string, clean = CLEAN) => said({ 'film.yaml': film(lines), 'parts/clean.yaml': clean });
/** The first lines of what is said: one a mistake. */
const mistakes = (text: string) => text.split('\n').filter(line => /: (error|warning):/.test(line));

const USE =
  '  cleaned: { each: "${{ steps.shot }}", uses: ./parts/clean.yaml, with: { clip: "${{ each.result_url }}" } }\n';

describe('a file that uses another', () => {
  test('has its steps among its own, by their whole way', () => {
    const { steps, outputs } = compiledProject({
      'film.yaml': film(
        `${USE}outputs: { film: { from: "\${{ steps.cleaned.outputs.films }}", to: "out/{seed}-{ratio}.mp4" } }\n`,
      ),
      'parts/clean.yaml': CLEAN,
    });
    expect(steps.map(({ name, inside }) => [name, inside?.by, inside?.file.folder])).toEqual([
      ['shot', undefined, undefined],
      ['cleaned', undefined, undefined],
      ['cleaned/repair', 'cleaned', 'parts'],
      ['cleaned/poster', 'cleaned', 'parts'],
      ['cleaned/notes', 'cleaned', 'parts'],
    ]);
    expect(outputs).toMatchObject([{ name: 'film', from: 'cleaned/repair', to: 'out/{seed}-{ratio}.mp4' }]);
  });

  test('reads its outputs by their types: one result, the ordered list of a fan-out, a file of a command', () => {
    expect(
      saidOf(`${USE}
  a: { each: "\${{ steps.cleaned }}", model: V-UP, with: { input_video: "\${{ each.outputs.films[0].result_url }}" } }
  b: { each: "\${{ steps.cleaned }}", model: I-EDIT-C, with: { prompt: x, input_image: ["\${{ each.outputs.poster.result_url }}"] } }
  c: { run: [cat, "\${{ steps.cleaned.map(c, c.outputs.notes.file).join(' ') }}"] }
`),
    ).toBe('');
    expect(
      saidOf(`${USE}
  a: { each: "\${{ steps.cleaned }}", model: V-UP, with: { input_video: "\${{ each.outputs.poster.result_url }}" } }
  b: { each: "\${{ steps.cleaned }}", model: V-UP, with: { input_video: "\${{ each.outputs.film.result_url }}" } }
  c: { each: "\${{ steps.cleaned }}", model: V-UP, with: { input_video: "\${{ each.result_url }}" } }
  d: { run: [echo, "\${{ steps.cleaned.outputs.poster.file }}"] }
`),
    ).toMatchInlineSnapshot(`
      "film.yaml:7:72: error: \`input_video\` of V-UP takes a video, but this is an image; give it a step that makes a video
        7 | …l: V-UP, with: { input_video: "\${{ each.outputs.poster.result_url }}" } }
          |                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

      film.yaml:8:90: error: \`each.outputs\` (the outputs of \`uses\`) has no \`film\`; did you mean \`films\`?
        8 | …nput_video: "\${{ each.outputs.film.result_url }}" } }
          |                                ^^^^

      film.yaml:9:82: error: \`each\` (the result of \`parts/clean.yaml\`) has no \`result_url\`; it has \`outputs\`
        9 |   c: { each: "\${{ steps.cleaned }}", model: V-UP, with: { input_video: "\${{ each.result_url }}" } }
          |                                                                                  ^^^^^^^^^^

      film.yaml:10:39: error: step \`cleaned\` is fanned out (seed), so it gives a list; use \`each: \${{ steps.cleaned }}\` and \`each.outputs\`, or \`steps.cleaned.map(s, s.outputs)\` for all of them
       10 |   d: { run: [echo, "\${{ steps.cleaned.outputs.poster.file }}"] }
          |                                       ^^^^^^^"
    `);
  });

  test('gives what the params take', () => {
    expect(
      saidOf(`  a: { uses: ./parts/clean.yaml, with: { klip: x } }
  b: { uses: ./parts/clean.yaml }
  c: { uses: ./parts/clean.yaml, with: { clip: x, strength: 9, look: mud, ratios: 9:16 } }
  d: { uses: ./parts/clean.yaml, with: { clip: "\${{ size(steps.shot) }}", wrong_thing: 1 } }
`),
    ).toMatchInlineSnapshot(`
      "film.yaml:5:42: error: \`./parts/clean.yaml\` has no param \`klip\`; did you mean \`clip\`?
        5 |   a: { uses: ./parts/clean.yaml, with: { klip: x } }
          |                                          ^^^^

      film.yaml:6:14: error: \`./parts/clean.yaml\` needs \`clip\`; write \`with: { clip: … }\`
        6 |   b: { uses: ./parts/clean.yaml }
          |              ^^^^^^^^^^^^^^^^^^

      film.yaml:7:61: error: \`strength\` of ./parts/clean.yaml is 9; it must be 1 to 5
        7 |   c: { uses: ./parts/clean.yaml, with: { clip: x, strength: 9, look: mud, ratios: 9:16 } }
          |                                                             ^

      film.yaml:7:70: error: \`look\` of ./parts/clean.yaml cannot be \`mud\`; it takes \`snow\` or \`sand\`
        7 |   c: { uses: ./parts/clean.yaml, with: { clip: x, strength: 9, look: mud, ratios: 9:16 } }
          |                                                                      ^^^

      film.yaml:7:83: error: \`ratios\` of ./parts/clean.yaml takes a list of texts, not \`9:16\`; write \`[9:16]\`
        7 |   c: { uses: ./parts/clean.yaml, with: { clip: x, strength: 9, look: mud, ratios: 9:16 } }
          |                                                                                   ^^^^

      film.yaml:8:48: error: \`clip\` of ./parts/clean.yaml takes a text, but this is a whole number; write \`string(…)\` around it
        8 |   d: { uses: ./parts/clean.yaml, with: { clip: "\${{ size(steps.shot) }}", wrong_thing: 1 } }
          |                                                ^^^^^^^^^^^^^^^^^^^^^^^^^

      film.yaml:8:75: error: \`./parts/clean.yaml\` has no param \`wrong_thing\`; it has \`clip\`, \`ratios\`, \`strength\` and \`look\`
        8 |   d: { uses: ./parts/clean.yaml, with: { clip: "\${{ size(steps.shot) }}", wrong_thing: 1 } }
          |                                                                           ^^^^^^^^^^^"
    `);
  });

  test('keeps its own models, defaults, params and variables to itself', () => {
    const texts = {
      'film.yaml': `shotlist: 1
name: film
params: { idea: { type: string, default: x } }
models: { hero: V-T2V-A }
env: [TOKEN]
defaults: { with: { resolution: 720P } }
steps:
  a: { model: hero, with: { prompt: x } }
  b: { uses: ./one.yaml }
`,
      'one.yaml': `shotlist: 1
name: one
steps:
  shot: { model: hero, with: { prompt: "\${{ params.idea }} \${{ env.TOKEN }} \${{ steps.a.result_url }}" } }
`,
    };
    expect(mistakes(said(texts))).toMatchInlineSnapshot(`
      [
        "one.yaml:4:18: error: no model is called \`hero\`; use a label (\`V-T2V-A\`), a name from \`models:\`, or an id of the catalog (\`vendor/name\`)",
        "one.yaml:4:52: error: no param is called \`idea\`; declare it under \`params:\`",
        "one.yaml:4:68: error: the file does not declare the variable \`TOKEN\`; add it: \`env: [TOKEN]\`",
        "one.yaml:4:87: error: step \`shot\` reads \`steps.a\`, which no step provides; check the name",
      ]
    `);
  });
});

describe('mistakes', () => {
  test('inside a used file are told with its own place, and once', () => {
    const clean = CLEAN.replace('model: V-RF', 'model: V-RFF');
    expect(
      saidOf(
        `${USE}  again: { uses: ./parts/clean.yaml, with: { clip: a.mp4 } }
  of_it: { each: "\${{ steps.cleaned }}", model: V-UP, with: { input_video: "\${{ each.outputs.nothing }}" } }
`,
        clean,
      ),
    ).toMatchInlineSnapshot(`
      "parts/clean.yaml:10:12: error: no model is called \`V-RFF\`; did you mean \`V-RF\`?
       10 |     model: V-RFF
          |            ^^^^^"
    `);
  });

  test('a file that is not there, or named in a way nobody can read beforehand', () => {
    expect(
      saidOf(
        '  a: { uses: ./clean.yaml }\n  b: { uses: "${{ steps.shot }}" }\n  c: { uses: 7 }\n  d: { uses: ./parts/clean.yaml, model: V-UP, timeout: 5m }\n',
      ),
    ).toMatchInlineSnapshot(`
      "film.yaml:5:14: error: \`./clean.yaml\` does not exist
        5 |   a: { uses: ./clean.yaml }
          |              ^^^^^^^^^^^^

      film.yaml:6:14: error: a file is named, not computed; write its path: \`uses: ./clean.yaml\`
        6 |   b: { uses: "\${{ steps.shot }}" }
          |              ^^^^^^^^^^^^^^^^^^^

      film.yaml:7:14: error: \`steps.c.uses\` is 7; it must be a text
        7 |   c: { uses: 7 }
          |              ^

      film.yaml:8:14: error: \`./parts/clean.yaml\` needs \`clip\`; write \`with: { clip: … }\`
        8 |   d: { uses: ./parts/clean.yaml, model: V-UP, timeout: 5m }
          |              ^^^^^^^^^^^^^^^^^^

      film.yaml:8:34: error: step \`d\` has \`model\` and \`uses\`; a step is one request or another file, so keep one
        8 |   d: { uses: ./parts/clean.yaml, model: V-UP, timeout: 5m }
          |                                  ^^^^^

      film.yaml:8:47: error: step \`d\` has no key \`timeout\`; it can have \`with\`, \`description\`, \`needs\`, \`if\`, \`each\`, \`matrix\`, \`takes\`, \`until\`, \`max\`, \`key\` and \`cache\`
        8 |   d: { uses: ./parts/clean.yaml, model: V-UP, timeout: 5m }
          |                                               ^^^^^^^"
    `);
  });

  test('a file that is no YAML, or no Shotlist file', () => {
    expect(
      mistakes(said({ 'film.yaml': film('  a: { uses: b.yaml }\n'), 'b.yaml': 'a: [1\n' })),
    ).toMatchInlineSnapshot(`
      [
        "b.yaml:1:4: error: a \`[\` is never closed; add \`]\`, and indent what stands between them",
      ]
    `);
    expect(mistakes(said({ 'film.yaml': film('  a: { uses: b.yaml }\n'), 'b.yaml': 'a: 1\n' }))).toMatchInlineSnapshot(`
      [
        "b.yaml:1:1: error: the file does not say which version of the language it is in; start it with \`shotlist: 1\`",
        "b.yaml:1:1: error: the file needs \`name\`; write \`name: my film\`",
        "b.yaml:1:1: error: the file needs \`steps\`; write \`steps: { shot: { model: V-T2V-A, with: { … } } }\`",
        "b.yaml:1:1: error: the file has no key \`a\`; it can have \`shotlist\`, \`name\`, \`description\`, \`params\`, \`env\`, \`data\`, \`budget\`, \`models\`, \`defaults\`, \`concurrency\`, \`profiles\`, \`steps\` and \`outputs\`",
      ]
    `);
  });

  test('files that would use themselves are refused with every place on the way', () => {
    expect(
      said({
        'film.yaml': film('  a: { uses: parts/b.yaml }\n'),
        'parts/b.yaml': 'shotlist: 1\nname: b\nsteps:\n  c: { uses: ../c.yaml }\n',
        'c.yaml': 'shotlist: 1\nname: c\nsteps:\n  back: { uses: ./parts/b.yaml }\n',
      }),
    ).toMatchInlineSnapshot(`
      "c.yaml:4:17: error: \`./parts/b.yaml\` cannot be used here, for it would use itself: film.yaml uses parts/b.yaml, and parts/b.yaml uses c.yaml, and c.yaml uses parts/b.yaml; take one of these out
        4 |   back: { uses: ./parts/b.yaml }
          |                 ^^^^^^^^^^^^^^
          note: film.yaml:5:14: uses parts/b.yaml
        5 |   a: { uses: parts/b.yaml }
          |              ^^^^^^^^^^^^
          note: parts/b.yaml:4:14: uses c.yaml
        4 |   c: { uses: ../c.yaml }
          |              ^^^^^^^^^"
    `);
    expect(said({ 'film.yaml': film('  a: { uses: ./film.yaml }\n') })).toMatchInlineSnapshot(`
      "film.yaml:5:14: error: \`./film.yaml\` cannot be used here, for it would use itself: film.yaml uses film.yaml; take one of these out
        5 |   a: { uses: ./film.yaml }
          |              ^^^^^^^^^^^"
    `);
  });

  test('eight files deep is deep enough', () => {
    const deep = (last: number) =>
      Object.fromEntries(
        Array.from({ length: last + 1 }, (_, level) => [
          level === 0 ? 'film.yaml' : `f${level}.yaml`,
          `shotlist: 1\nname: f\nsteps:\n  a: ${level === last ? '{ run: [echo] }' : `{ uses: f${level + 1}.yaml }`}\n`,
        ]),
      );
    expect(said(deep(8))).toBe('');
    expect(compiledProject(deep(8)).steps.at(-1)?.name).toBe('a/a/a/a/a/a/a/a/a');
    expect(mistakes(said(deep(9)))).toMatchInlineSnapshot(`
      [
        "f8.yaml:4:14: error: \`f9.yaml\` is used too deep: at most 8 files may use one another in a row",
      ]
    `);
  });

  test('more steps than any machine can hold are counted before they are made', () => {
    const many = (next: string) =>
      `shotlist: 1\nname: f\nsteps:\n${Array.from({ length: 40 }, (_, n) => `  s${n}: ${next}\n`).join('')}`;
    const text = said({
      'film.yaml': many('{ uses: a.yaml }'),
      'a.yaml': many('{ uses: b.yaml }'),
      'b.yaml': many('{ uses: c.yaml }'),
      'c.yaml': many('{ run: [echo] }'),
    });
    expect(mistakes(text)[0]).toMatchInlineSnapshot(
      `"film.yaml:5:15: error: with \`a.yaml\` the film has 131,280 steps; at most 100,000 are planned, so make it several films"`,
    );
  });

  test('lists and takes inside that another step decides', () => {
    const clean = CLEAN.replace(
      'steps:',
      '  n: { type: integer, default: 1 }\nsteps:\n  more: { takes: "${{ params.n }}", model: I-GEN-A, with: { prompt: x } }',
    );
    expect(
      mistakes(
        saidOf(
          `  script: { model: C-D, with: { prompt: x }, schema: { type: object, properties: { r: { type: array, items: { type: string } }, n: { type: integer } } } }
  a: { uses: ./parts/clean.yaml, with: { clip: x, ratios: "\${{ steps.script.json.r }}", n: "\${{ steps.script.json.n }}" } }
`,
          clean,
        ),
      ),
    ).toMatchInlineSnapshot(`
      [
        "film.yaml:6:59: error: another step writes \`ratios\`, and step \`repair\` of \`./parts/clean.yaml\` makes one instance for each of its entries; give that step \`max\`, so that the cost can be told beforehand",
        "film.yaml:6:92: error: \`n\` decides how many takes step \`more\` of \`./parts/clean.yaml\` has, which must be known before the run; give a number or a param",
      ]
    `);
    const bounded = CLEAN.replace('matrix: { ratio', 'max: 3\n    matrix: { ratio');
    expect(
      saidOf(
        `  script: { model: C-D, with: { prompt: x }, schema: { type: object, properties: { r: { type: array, items: { type: string } } } } }
  a: { uses: ./parts/clean.yaml, with: { clip: x, ratios: "\${{ steps.script.json.r }}" } }
`,
        bounded,
      ),
    ).toBe('');
  });

  test('a secret goes into a secret alone', () => {
    const texts = (secret: string, given: string) => ({
      'film.yaml': `shotlist: 1
name: film
params: { token: { type: string, secret: true } }
steps: { a: { uses: b.yaml, with: { key: ${given} } } }
`,
      'b.yaml': `shotlist: 1\nname: b\nparams: { key: { type: string${secret} } }\nsteps: { a: { run: [curl], env: { KEY: "\${{ params.key }}" } } }\n`,
    });
    expect(said(texts(', secret: true', '"${{ params.token }}"'))).toBe('');
    expect(mistakes(said(texts('', '"${{ params.token }}"')))).toMatchInlineSnapshot(`
      [
        "film.yaml:4:42: error: a secret is given to \`key\`, which \`b.yaml\` would show; write \`secret: true\` at that param there",
      ]
    `);
    expect(mistakes(said(texts(', secret: true', 'hunter2hunter2')))).toMatchInlineSnapshot(`
      [
        "film.yaml:4:42: error: \`key\` is a secret and must not stand in the file; hand on a secret param or a variable",
      ]
    `);
  });

  test('outputs: which of them, and where', () => {
    expect(
      mistakes(
        saidOf(`${USE}outputs:
  a: { from: "\${{ steps.cleaned }}", to: "out/a-{seed}.mp4" }
  b: { from: "\${{ steps.cleaned.outputs.filmz }}", to: "out/b-{seed}-{ratio}.mp4" }
  c: { from: "\${{ steps.cleaned.outputs.films }}", to: "out/c-{ratio}.mp4" }
  d: { from: "\${{ steps.cleaned.outputs.poster }}", to: "out/d-{seed}.mp4" }
  e: { from: "\${{ steps.cleaned.outputs.notes }}", to: "out/e-{seed}.txt" }
`),
      ),
    ).toMatchInlineSnapshot(`
      [
        "film.yaml:7:14: error: which output of \`cleaned\`? Write \`\${{ steps.cleaned.outputs.films }}\` or \`\${{ steps.cleaned.outputs.poster }}\` or \`\${{ steps.cleaned.outputs.notes }}\`",
        "film.yaml:8:41: error: \`steps.cleaned.outputs\` (the outputs of \`uses\`) has no \`filmz\`; did you mean \`films\`?",
        "film.yaml:9:56: error: step \`cleaned\` has one result for each \`seed\`, and all would be written to one path; add \`{seed}\`",
        "film.yaml:10:57: error: \`out/d-{seed}.mp4\` ends like a video, and this is an image; give it the ending of an image, like \`.png\`",
      ]
    `);
  });
});
