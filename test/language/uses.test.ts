/** Files that use other files: what is given is checked by the other's params, what comes back is typed by its outputs, and mistakes stand where they are made. */
import { describe, expect, test } from 'vitest';
import { compiledProject, compileProject, type Texts } from '../support/project-files.ts';
import { linesOf } from './said.ts';

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
const said = (texts: Texts) => linesOf(compileProject(texts).diagnostics);
/** What is said of a film that uses `parts/clean.yaml`. */
const saidOf = (lines: string, clean = CLEAN) => said({ 'film.yaml': film(lines), 'parts/clean.yaml': clean });

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
      "7:72 ‹"\${{ each.outputs.poster.result_url }}"› \`input_video\` of V-UP takes a video, but this is an image; give it a step that makes a video
      8:90 ‹film› \`each.outputs\` (the outputs of \`uses\`) has no \`film\`; did you mean \`films\`?
      9:82 ‹result_url› \`each\` (the result of \`parts/clean.yaml\`) has no \`result_url\`; it has \`outputs\`
      10:39 ‹outputs› step \`cleaned\` is fanned out (seed), so it gives a list; use \`each: \${{ steps.cleaned }}\` and \`each.outputs\`, or \`steps.cleaned.map(s, s.outputs)\` for all of them"
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
      "5:42 ‹klip› \`./parts/clean.yaml\` has no param \`klip\`; did you mean \`clip\`?
      6:14 ‹./parts/clean.yaml› \`./parts/clean.yaml\` needs \`clip\`; write \`with: { clip: … }\`
      7:61 ‹9› \`strength\` of ./parts/clean.yaml is 9; it must be 1 to 5
      7:70 ‹mud› \`look\` of ./parts/clean.yaml cannot be \`mud\`; it takes \`snow\` or \`sand\`
      7:83 ‹9:16› \`ratios\` of ./parts/clean.yaml takes a list of texts, not \`9:16\`; write \`[9:16]\`
      8:48 ‹"\${{ size(steps.shot) }}"› \`clip\` of ./parts/clean.yaml takes a text, but this is a whole number; write \`string(…)\` around it
      8:75 ‹wrong_thing› \`./parts/clean.yaml\` has no param \`wrong_thing\`; it has \`clip\`, \`ratios\`, \`strength\` and \`look\`"
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
    expect(said(texts)).toMatchInlineSnapshot(`
      "one.yaml:4:18 ‹hero› no model is called \`hero\`; use a label (\`V-T2V-A\`), a name from \`models:\`, or an id of the catalog (\`vendor/name\`)
      one.yaml:4:52 ‹idea› no param is called \`idea\`; declare it under \`params:\`
      one.yaml:4:68 ‹TOKEN› the file does not declare the variable \`TOKEN\`; add it: \`env: [TOKEN]\`
      one.yaml:4:87 ‹a› step \`shot\` reads \`steps.a\`, which no step provides; check the name"
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
    ).toMatchInlineSnapshot(`"parts/clean.yaml:10:12 ‹V-RFF› no model is called \`V-RFF\`; did you mean \`V-RF\`?"`);
  });

  test('a file that is not there, or named in a way nobody can read beforehand', () => {
    expect(
      saidOf(
        '  a: { uses: ./clean.yaml }\n  b: { uses: "${{ steps.shot }}" }\n  c: { uses: 7 }\n  d: { uses: ./parts/clean.yaml, model: V-UP, timeout: 5m }\n',
      ),
    ).toMatchInlineSnapshot(`
      "5:14 ‹./clean.yaml› \`./clean.yaml\` does not exist
      6:14 ‹"\${{ steps.shot }}"› a file is named, not computed; write its path: \`uses: ./clean.yaml\`
      7:14 ‹7› \`steps.c.uses\` is 7; it must be a text
      8:14 ‹./parts/clean.yaml› \`./parts/clean.yaml\` needs \`clip\`; write \`with: { clip: … }\`
      8:34 ‹model› step \`d\` has \`model\` and \`uses\`; a step is one request or another file, so keep one
      8:47 ‹timeout› step \`d\` has no key \`timeout\`; it can have \`with\`, \`description\`, \`needs\`, \`if\`, \`each\`, \`matrix\`, \`takes\`, \`until\`, \`max\`, \`key\` and \`cache\`"
    `);
  });

  test('a file that is no YAML, or no Shotlist file', () => {
    expect(said({ 'film.yaml': film('  a: { uses: b.yaml }\n'), 'b.yaml': 'a: [1\n' })).toMatchInlineSnapshot(
      `"b.yaml:1:4 ‹[› a \`[\` is never closed; add \`]\`, and indent what stands between them"`,
    );
    expect(said({ 'film.yaml': film('  a: { uses: b.yaml }\n'), 'b.yaml': 'a: 1\n' })).toMatchInlineSnapshot(`
      "b.yaml:1:1 ‹› the file does not say which version of the language it is in; start it with \`shotlist: 1\`
      b.yaml:1:1 ‹› the file needs \`name\`; write \`name: my film\`
      b.yaml:1:1 ‹› the file needs \`steps\`; write \`steps: { shot: { model: V-T2V-A, with: { … } } }\`
      b.yaml:1:1 ‹a› the file has no key \`a\`; it can have \`shotlist\`, \`name\`, \`description\`, \`params\`, \`env\`, \`data\`, \`budget\`, \`models\`, \`defaults\`, \`concurrency\`, \`profiles\`, \`steps\` and \`outputs\`"
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
      "c.yaml:4:17 ‹./parts/b.yaml› \`./parts/b.yaml\` cannot be used here, for it would use itself: film.yaml uses parts/b.yaml, and parts/b.yaml uses c.yaml, and c.yaml uses parts/b.yaml; take one of these out
        note 5:14 ‹parts/b.yaml› uses parts/b.yaml
        note parts/b.yaml:4:14 ‹../c.yaml› uses c.yaml"
    `);
    expect(said({ 'film.yaml': film('  a: { uses: ./film.yaml }\n') })).toMatchInlineSnapshot(
      `"5:14 ‹./film.yaml› \`./film.yaml\` cannot be used here, for it would use itself: film.yaml uses film.yaml; take one of these out"`,
    );
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
    expect(said(deep(9))).toMatchInlineSnapshot(
      `"f8.yaml:4:14 ‹f9.yaml› \`f9.yaml\` is used too deep: at most 8 files may use one another in a row"`,
    );
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
    const lines = text.split('\n');
    // The first step of the film has as many as may be.
    expect([lines.length, lines[0]]).toEqual([
      39,
      '5:15 ‹a.yaml› with `a.yaml` the film has 131,280 steps; at most 100,000 are planned, so make it several films',
    ]);
  });

  test('lists and takes inside that another step decides', () => {
    const clean = CLEAN.replace(
      'steps:',
      '  n: { type: integer, default: 1 }\nsteps:\n  more: { takes: "${{ params.n }}", model: I-GEN-A, with: { prompt: x } }',
    );
    expect(
      saidOf(
        `  script: { model: C-D, with: { prompt: x }, schema: { type: object, properties: { r: { type: array, items: { type: string } }, n: { type: integer } } } }
  a: { uses: ./parts/clean.yaml, with: { clip: x, ratios: "\${{ steps.script.json.r }}", n: "\${{ steps.script.json.n }}" } }
`,
        clean,
      ),
    ).toMatchInlineSnapshot(`
      "6:59 ‹"\${{ steps.script.json.r }}"› another step writes \`ratios\`, and step \`repair\` of \`./parts/clean.yaml\` makes one instance for each of its entries; give that step \`max\`, so that the cost is known before the run
      6:92 ‹"\${{ steps.script.json.n }}"› \`n\` decides how many takes step \`more\` of \`./parts/clean.yaml\` has, which must be known before the run; give a number or a param"
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
    expect(said(texts('', '"${{ params.token }}"'))).toMatchInlineSnapshot(
      `"4:42 ‹"\${{ params.token }}"› a secret is given to \`key\`, which \`b.yaml\` would show; write \`secret: true\` at that param there"`,
    );
    expect(said(texts(', secret: true', 'hunter2hunter2'))).toMatchInlineSnapshot(
      `"4:42 ‹hunter2hunter2› \`key\` is a secret and must not stand in the file; hand on a secret param or a variable"`,
    );
  });

  test('outputs: which of them, and where', () => {
    expect(
      saidOf(`${USE}outputs:
  a: { from: "\${{ steps.cleaned }}", to: "out/a-{seed}.mp4" }
  b: { from: "\${{ steps.cleaned.outputs.filmz }}", to: "out/b-{seed}-{ratio}.mp4" }
  c: { from: "\${{ steps.cleaned.outputs.films }}", to: "out/c-{ratio}.mp4" }
  d: { from: "\${{ steps.cleaned.outputs.poster }}", to: "out/d-{seed}.mp4" }
  e: { from: "\${{ steps.cleaned.outputs.notes }}", to: "out/e-{seed}.txt" }
`),
    ).toMatchInlineSnapshot(`
      "7:14 ‹"\${{ steps.cleaned }}"› which output of \`cleaned\`? Write \`\${{ steps.cleaned.outputs.films }}\` or \`\${{ steps.cleaned.outputs.poster }}\` or \`\${{ steps.cleaned.outputs.notes }}\`
      8:41 ‹filmz› \`steps.cleaned.outputs\` (the outputs of \`uses\`) has no \`filmz\`; did you mean \`films\`?
      9:56 ‹"out/c-{ratio}.mp4"› step \`cleaned\` has one result for each \`seed\`, and all would be written to one path; add \`{seed}\`
      10:57 ‹"out/d-{seed}.mp4"› \`out/d-{seed}.mp4\` ends like a video, and this is an image; give it the ending of an image, like \`.png\`"
    `);
  });
});
