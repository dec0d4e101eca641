/** Files that use other files, planned: their instances have names of their own, and everything flows through as if it stood in one file. */
import { describe, expect, test } from 'vitest';
import { formatDiagnostics } from '../../src/language/yaml/excerpt.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { JsonObject } from '../../src/model/text/json.ts';
import { plan } from '../../src/plan/plan.ts';
import { formatPlan, planJson } from '../../src/show/plan/plan-text.ts';
import { linesOf } from '../language/said.ts';
import { compiledProject, type Texts } from '../support/project-files.ts';
import { contextOf, decisions, linesWith, Shelf, type World } from './support.ts';

const head = (name: string, lines: string) => `shotlist: 1\nname: ${name}\n${lines}`;

function planned(texts: Texts, world: World = {}): Plan {
  const made = plan(compiledProject(texts), contextOf(world));
  if (!made.plan) throw new Error(formatDiagnostics(made.diagnostics));
  return made.plan;
}
const mistakes = (texts: Texts, world: World = {}) =>
  linesOf(plan(compiledProject(texts), contextOf(world)).diagnostics);
const requests = (made: Plan): { readonly [key: string]: JsonObject | undefined } =>
  Object.fromEntries([...made.instances].map(({ key, request }) => [key, request]));
const waits = (made: Plan) =>
  Object.fromEntries([...made.instances].map(({ key, needs, needsAll }) => [key, [...needs, ...needsAll].join(' ')]));

const CLEAN = head(
  'clean',
  `params: { clip: { type: string }, place: { type: string, default: the snow } }
steps:
  repair:
    matrix: { ratio: [9:16, 1:1] }
    model: V-RF
    with: { input_video: "\${{ params.clip }}", aspect_ratio: "\${{ matrix.ratio }}", prompt: "extend \${{ params.place }}" }
  best: { model: V-UP, with: { input_video: "\${{ steps.repair[0].result_url }}" } }
  poster: { model: I-GEN-A, with: { prompt: "a poster of \${{ params.place }}" } }
outputs:
  film: { from: "\${{ steps.best }}", to: out/clean.mp4 }
  poster: { from: "\${{ steps.poster }}", to: out/poster.png }
`,
);
const FILM = head(
  'film',
  `steps:
  shot: { matrix: { beat: [3, 4] }, model: V-T2V-A, with: { prompt: a fox, duration: 5 } }
  cleaned:
    each: \${{ steps.shot }}
    uses: ./parts/clean.yaml
    with: { clip: "\${{ each.result_url }}" }
  last: { each: "\${{ steps.cleaned }}", model: V-UP, with: { input_video: "\${{ each.outputs.film.result_url }}" } }
outputs:
  film: { from: "\${{ steps.cleaned.outputs.film }}", to: "out/{beat}.mp4" }
`,
);
const TEXTS = { 'film.yaml': FILM, 'parts/clean.yaml': CLEAN };

test('a list of a used file is bounded by its own param, at most by the maximum of that, and never by the params of the user', () => {
  const story = (with_: string) => ({
    'story.yaml': head(
      'story',
      `params: { n: { type: integer, default: 2, maximum: 6 } }
steps:
  script:
    model: C-D
    with: { prompt: beats, max_tokens: 9 }
    schema: { type: object, required: [beats], properties: { beats: { type: array, maxItems: "\${{ params.n }}", items: { type: string } } } }
  shot: { matrix: { beat: "\${{ steps.script.json.beats }}" }, model: I-GEN-A, with: { prompt: "\${{ matrix.beat }}" } }
outputs:
  script: { from: "\${{ steps.script }}", to: out/script.json }
`,
    ),
    'film.yaml': head(
      'film',
      `params: { n: { type: integer, default: 40 } }
steps:
  told: { uses: ./story.yaml, with: { n: 3 } }
  ${with_}
`,
    ),
  });
  expect(planned(story('end: { run: [echo, hi] }')).open.map(one => [one.step, one.most])).toEqual([['told/shot', 6]]);
});

describe('the plan of a film that uses another file', () => {
  test('names what is inside by the instance it belongs to, and tells the step before what is inside', () => {
    const text = formatPlan(planned(TEXTS), { width: 90, all: true });
    expect(linesWith(text, 'cleaned', 'shot[', 'total')).toMatchInlineSnapshot(`
      "run    shot[beat=3]  never run                                      $0.75  5 s × $0.15
      run    shot[beat=4]  the same request as shot[beat=3]: made once    $0.00
      maybe  cleaned[beat=3]                                               free
             waits for cleaned[beat=3]/best and cleaned[beat=3]/poster
      maybe  cleaned[beat=4]                                               free
             waits for cleaned[beat=4]/best and cleaned[beat=4]/poster
      maybe  cleaned[beat=3]/repair[ratio=9:16]  waits for shot[beat=3]   $0.60  5 s × $0.12
      maybe  cleaned[beat=3]/repair[ratio=1:1]  waits for shot[beat=3]    $0.60  5 s × $0.12
      maybe  cleaned[beat=4]/repair[ratio=9:16]  waits for shot[beat=4]   $0.60  5 s × $0.12
      maybe  cleaned[beat=4]/repair[ratio=1:1]  waits for shot[beat=4]    $0.60  5 s × $0.12
      maybe  cleaned[beat=3]/best                                         $0.50  5 s × $0.10
             waits for cleaned[beat=3]/repair[ratio=9:16]
      maybe  cleaned[beat=4]/best                                         $0.50  5 s × $0.10
             waits for cleaned[beat=4]/repair[ratio=9:16]
      maybe  cleaned[beat=3]/poster  waits for shot[beat=3]               $0.01  1 image × $0.01
      maybe  cleaned[beat=4]/poster  waits for shot[beat=4]               $0.01  1 image × $0.01
      maybe  last[beat=3]  waits for cleaned[beat=3]                      $0.50  5 s × $0.10
      maybe  last[beat=4]  waits for cleaned[beat=4]                      $0.50  5 s × $0.10
      longest path  about 20m 00s: shot[beat=3] → cleaned[beat=3]/repair[ratio=9:16] →
                    cleaned[beat=3]/best → last[beat=3]
      total         2 run, 12 maybe: free (up to $5.17 at list price)
      films         out/3.mp4 ← cleaned[beat=3]/best
                    out/4.mp4 ← cleaned[beat=4]/best"
    `);
  });

  test('as JSON says where each instance stands', () => {
    const { instances } = planJson(planned(TEXTS)) as { instances: readonly JsonObject[] };
    const repair = instances.find(({ key }) => key === 'cleaned[beat=4]/repair[ratio=9:16]');
    expect(repair).toMatchObject({
      step: 'cleaned/repair',
      coordinates: { ratio: '9:16' },
      inside: 'cleaned[beat=4]',
      price_usd: 0.6,
    });
    expect(instances.find(({ key }) => key === 'cleaned[beat=4]')).toMatchObject({
      kind: 'uses',
      uses: 'parts/clean.yaml',
      price_usd: 0,
    });
  });

  test('every instance waits for what it reads alone, and for what the step around it is made from', () => {
    expect(waits(planned(TEXTS))).toMatchInlineSnapshot(`
      {
        "cleaned[beat=3]": "shot[beat=3] cleaned[beat=3]/best cleaned[beat=3]/poster",
        "cleaned[beat=3]/best": "shot[beat=3] cleaned[beat=3]/repair[ratio=9:16]",
        "cleaned[beat=3]/poster": "shot[beat=3]",
        "cleaned[beat=3]/repair[ratio=1:1]": "shot[beat=3]",
        "cleaned[beat=3]/repair[ratio=9:16]": "shot[beat=3]",
        "cleaned[beat=4]": "shot[beat=4] cleaned[beat=4]/best cleaned[beat=4]/poster",
        "cleaned[beat=4]/best": "shot[beat=4] cleaned[beat=4]/repair[ratio=9:16]",
        "cleaned[beat=4]/poster": "shot[beat=4]",
        "cleaned[beat=4]/repair[ratio=1:1]": "shot[beat=4]",
        "cleaned[beat=4]/repair[ratio=9:16]": "shot[beat=4]",
        "last[beat=3]": "cleaned[beat=3]",
        "last[beat=4]": "cleaned[beat=4]",
        "shot[beat=3]": "",
        "shot[beat=4]": "",
      }
    `);
  });

  test('a step that is used once has plain names', () => {
    const text = FILM.replace('matrix: { beat: [3, 4] }, ', '')
      .replace('    each: ${{ steps.shot }}\n', '')
      .replace('each.result_url', 'steps.shot.result_url')
      .replace(/ {2}last:.*\n/, '')
      .replace('{beat}', 'x');
    expect([...planned({ ...TEXTS, 'film.yaml': text }).instances].map(({ key }) => key)).toEqual([
      'shot',
      'cleaned/repair[ratio=9:16]',
      'cleaned/repair[ratio=1:1]',
      'cleaned/best',
      'cleaned/poster',
      'cleaned',
    ]);
  });

  test('axes of one file are not seen in the other', () => {
    const texts = {
      ...TEXTS,
      'parts/clean.yaml': CLEAN.replace('ratio: [9:16, 1:1]', 'beat: [9:16, 1:1]').replaceAll(
        'matrix.ratio',
        'matrix.beat',
      ),
    };
    expect(Object.keys(requests(planned(texts)))).toContain('cleaned[beat=3]/repair[beat=9:16]');
  });
});

describe('what flows through', () => {
  test('facts: a clip that is too long inside is found before it exists, at the place that takes it', () => {
    const clean = CLEAN.replace('    matrix: { ratio: [9:16, 1:1] }\n', '')
      .replace('${{ matrix.ratio }}', '1:1')
      .replace('steps.repair[0]', 'steps.repair');
    const long = FILM.replace('duration: 5', 'duration: 12');
    const made = planned({ 'film.yaml': long, 'parts/clean.yaml': clean });
    const last = [...made.instances].find(({ key }) => key === 'last[beat=3]');
    expect([last?.facts?.duration, last?.priceBasis]).toEqual([12, '12 s × $0.10']);
    const retaken = clean.replace(
      'best: { model: V-UP, with: { input_video: "${{ steps.repair.result_url }}" } }',
      'best: { model: V-RT, with: { input_video: "${{ params.clip }}", prompt: x, retake_start_time: 30, retake_duration: 5 } }',
    );
    expect(mistakes({ 'film.yaml': long, 'parts/clean.yaml': retaken })).toMatchInlineSnapshot(
      `"parts/clean.yaml:8:97 ‹30› the section to retake is 30 s to 35 s, but the clip (from shot[beat=3]) is 12 s long; choose a section within it"`,
    );
  });

  test('what is owned is a hit after it moves into a file of its own, and gathered at once', () => {
    const shelf = new Shelf();
    const inPlace = head(
      'film',
      `steps:
  shot: { matrix: { beat: [3, 4] }, model: V-T2V-A, with: { prompt: a fox, duration: 5, seed: "\${{ matrix.beat }}" } }
  repair:
    each: "\${{ steps.shot }}"
    model: V-RF
    with: { input_video: "\${{ each.result_url }}", aspect_ratio: 1:1, prompt: extend the snow }
`,
    );
    shelf.make(planned({ 'film.yaml': inPlace }));
    const texts = { ...TEXTS, 'film.yaml': FILM.replace('duration: 5', 'duration: 5, seed: "${{ matrix.beat }}"') };
    const moved = decisions(planned(texts, { owned: shelf }));
    expect(
      moved.filter(line => /^(shot|cleaned[^/]*\/repair)\[/.test(line)).map(line => line.replace(/,.*/, '')),
    ).toEqual([
      'shot[beat=3]: hit',
      'shot[beat=4]: hit',
      'cleaned[beat=3]/repair[ratio=9:16]: run',
      'cleaned[beat=3]/repair[ratio=1:1]: hit',
      'cleaned[beat=4]/repair[ratio=9:16]: run',
      'cleaned[beat=4]/repair[ratio=1:1]: hit',
    ]);
    shelf.make(planned(texts, { owned: shelf }));
    const all = planned(texts, { owned: shelf });
    expect(all.totals).toMatchObject({ hit: 14, run: 0, maybe: 0, usd: 0 });
    expect(decisions(all)).toContain('cleaned[beat=3]: hit, all inside is here');
  });

  test('defaults, and what stands in a param, decide lists, conditions and takes inside', () => {
    const clean = head(
      'clean',
      `params:
  ratios: { type: array, items: { type: string }, default: [9:16] }
  up: { type: boolean, default: false }
  n: { type: integer, default: 1 }
steps:
  a: { matrix: { r: "\${{ params.ratios }}" }, model: I-GEN-A, with: { prompt: "x \${{ matrix.r }}" } }
  b: { if: "\${{ params.up }}", model: I-GEN-A, with: { prompt: b } }
  c: { takes: "\${{ params.n }}", model: I-GEN-A, with: { prompt: c } }
`,
    );
    const film = head(
      'film',
      `params: { many: { type: integer, default: 2 } }
steps:
  one: { uses: clean.yaml }
  two: { uses: clean.yaml, with: { ratios: [1:1, 4:3], up: true, n: "\${{ params.many }}" } }
`,
    );
    expect(decisions(planned({ 'film.yaml': film, 'clean.yaml': clean }))).toMatchInlineSnapshot(`
      [
        "one/a[r=9:16]: run, never run",
        "one/b: skip, its condition is false",
        "one/c[take=1]: run, never run",
        "one: maybe, waits for one/a[r=9:16] and one/c[take=1]",
        "two/a[r=1:1]: run, never run",
        "two/a[r=4:3]: run, never run",
        "two/b: run, never run",
        "two/c[take=1]: run, the same request as one/c[take=1]: made once",
        "two/c[take=2]: run, never run",
        "two: maybe, waits for two/a, two/b and two/c",
      ]
    `);
  });

  test('what is off inside is off in every round: its price counts nowhere, and nothing that it names is asked for', () => {
    const look = head(
      'look',
      `params: { note: { type: string, default: "" }, voice: { type: string, default: "" } }
steps:
  shot: { model: I-GEN-A, with: { prompt: "a fox \${{ params.note }}" } }
  big: { if: "\${{ params.voice != '' }}", model: V-I2V-B, with: { prompt: x, input_image: "\${{ steps.shot.result_url }}" } }
  said: { if: "\${{ params.voice != '' }}", run: cat, files: { v: "\${{ params.voice }}" } }
outputs: { film: { from: "\${{ steps.shot }}", to: out/look.png } }
`,
    );
    const film = head(
      'film',
      `steps:
  one:
    uses: look.yaml
    with: { voice: "", note: "\${{ has(previous.outputs) ? 'again' : '' }}" }
    until: { holds: "\${{ this.outputs.film.bytes > 5 }}", max: 2, otherwise: last }
`,
    );
    const made = planned(
      { 'film.yaml': film, 'look.yaml': look },
      { files: { '': { unusable: 'is a folder; name a file in it' } } },
    );
    expect(
      decisions(made)
        .filter(line => line.includes('condition'))
        .toSorted(),
    ).toEqual([
      'one[round=1]/big: skip, its condition is false',
      'one[round=1]/said: skip, its condition is false',
      'one[round=2]/big: skip, its condition is false',
      'one[round=2]/said: skip, its condition is false',
    ]);
    expect(made.totals).toMatchObject({ skip: 4, usd: 0.02 });
  });

  test('a value that does not fit its param is told where it is given', () => {
    const texts = {
      'film.yaml': head(
        'film',
        'params: { n: { type: integer, default: 9 } }\nsteps:\n  a: { uses: b.yaml, with: { n: "${{ params.n }}" } }\n',
      ),
      'b.yaml': head(
        'b',
        'params: { n: { type: integer, maximum: 3 } }\nsteps:\n  a: { run: [echo, "${{ params.n }}"] }\n',
      ),
    };
    expect(mistakes(texts)).toMatchInlineSnapshot(`"5:33 ‹"\${{ params.n }}"› param \`n\` must be at most 3, not 9"`);
  });

  test('takes of the whole file are paid for each by itself', () => {
    const texts = {
      'film.yaml': head('film', 'steps:\n  a: { takes: 2, uses: b.yaml }\n'),
      'b.yaml': head(
        'b',
        'steps:\n  shot: { takes: 2, model: V-T2V-A, with: { prompt: x, seed: 7 } }\n  say: { run: [date] }\n',
      ),
    };
    const made = planned(texts);
    expect(requests(made)).toMatchObject({
      'a[take=1]/shot[take=1]': { seed: 7 },
      'a[take=1]/shot[take=2]': { seed: 8 },
      'a[take=2]/shot[take=1]': { seed: 10_007 },
      'a[take=2]/shot[take=2]': { seed: 10_008 },
    });
    expect(new Set([...made.instances].map(({ fingerprint }) => fingerprint)).size).toBe(6 + 1);
  });

  test('`cache: off` is for everything inside; `needs` means all that is inside', () => {
    const text = FILM.replace('uses:', 'cache: off\n    uses:').replace(
      '  last:',
      '  after: { needs: [cleaned], run: [echo] }\n  last:',
    );
    const made = planned({ ...TEXTS, 'film.yaml': text });
    expect([...made.instances].filter(({ step }) => step.inside).every(({ step }) => !step.cache)).toBe(true);
    expect(waits(made).after?.split(' ').sort()).toEqual([
      'cleaned',
      'cleaned/repair',
      'cleaned[beat=3]/best',
      'cleaned[beat=3]/poster',
      'cleaned[beat=4]/best',
      'cleaned[beat=4]/poster',
    ]);
  });
});

describe('files of this machine', () => {
  const world = (paths: readonly string[]) => ({
    files: Object.fromEntries(
      paths.map(path => [
        path,
        {
          sha256: path.length.toString(16).padStart(64, 'a'),
          url: `file:///project/${path}`,
          bytes: 9,
          facts: { kind: 'video', duration: 4 } as const,
        },
      ]),
    ),
  });
  const clean = head(
    'clean',
    `params: { clip: { type: string, default: in/own.mp4 } }
steps:
  a: { model: V-UP, with: { input_video: "\${{ params.clip }}" } }
  b: { model: V-UP, with: { input_video: in/own.mp4 } }
  c: { run: [cat], files: { clip: "\${{ params.clip }}" } }
`,
  );

  test('are found beside the file that names them, whoever uses what', () => {
    const texts = {
      'film.yaml': head(
        'film',
        'steps:\n  x: { uses: parts/clean.yaml }\n  y: { uses: parts/clean.yaml, with: { clip: in/given.mp4 } }\n',
      ),
      'parts/clean.yaml': clean,
    };
    const made = requests(planned(texts, world(['in/given.mp4', 'parts/in/own.mp4', '/project/in/given.mp4'])));
    expect(made['x/a']).toEqual({ input_video: 'file:///project/parts/in/own.mp4' });
    expect(made['x/b']).toEqual({ input_video: 'file:///project/parts/in/own.mp4' });
    expect(made['y/b']).toEqual({ input_video: 'file:///project/parts/in/own.mp4' });
    expect(made['y/a']).toEqual({ input_video: expect.stringContaining('/project/in/given.mp4') });
    expect(made['y/c']).toMatchObject({ files: { clip: '/project/in/given.mp4' } });
  });

  test('one that is missing is told at the place that names it', () => {
    const texts = {
      'film.yaml': head('film', 'steps:\n  y: { uses: parts/clean.yaml, with: { clip: in/given.mp4 } }\n'),
      'parts/clean.yaml': clean,
    };
    expect(mistakes(texts)).toMatchInlineSnapshot(`
      "4:46 ‹in/given.mp4› clip names "in/given.mp4", which is not there; give a path from the pipeline file's folder, or an address with https://
      parts/clean.yaml:6:42 ‹in/own.mp4› input_video names "in/own.mp4", which is not there; give a path from the pipeline file's folder, or an address with https://"
    `);
  });

  test('the same content is the same request, wherever the file stands', () => {
    const one = planned(
      { 'film.yaml': head('film', 'steps:\n  a: { model: V-UP, with: { input_video: parts/in/own.mp4 } }\n') },
      world(['parts/in/own.mp4']),
    );
    const other = planned(
      { 'film.yaml': head('film', 'steps:\n  x: { uses: parts/clean.yaml }\n'), 'parts/clean.yaml': clean },
      world(['parts/in/own.mp4']),
    );
    const fingerprints = [...other.instances].map(({ fingerprint }) => fingerprint);
    expect(fingerprints).toContain([...one.instances][0]?.fingerprint);
  });

  test('data of a file is its own', () => {
    const texts = {
      'film.yaml': head(
        'film',
        'data: { rows: rows.json }\nsteps:\n  x: { uses: parts/b.yaml }\n  y: { run: [echo, "${{ data.rows[0] }}"] }\n',
      ),
      'rows.json': '["main"]',
      'parts/b.yaml': head('b', 'data: { rows: rows.json }\nsteps:\n  y: { run: [echo, "${{ data.rows[0] }}"] }\n'),
      'parts/rows.json': '["part"]',
    };
    expect(requests(planned(texts))).toMatchObject({ y: { run: ['echo', 'main'] }, 'x/y': { run: ['echo', 'part'] } });
  });
});

describe('files within files', () => {
  const texts = {
    'film.yaml': head(
      'film',
      `steps:
  outer:
    matrix: { who: [fox, owl] }
    uses: a/outer.yaml
    with: { who: "\${{ matrix.who }}" }
  of_all: { run: [echo, "\${{ steps.outer.map(o, o.outputs.clips[0].result_url).join(' ') }}"] }
outputs: { clips: { from: "\${{ steps.outer.outputs.clips }}", to: "out/{who}-{n}.mp4" } }
`,
    ),
    'a/outer.yaml': head(
      'outer',
      `params: { who: { type: string } }
steps:
  inner:
    matrix: { n: [1, 2] }
    uses: ../b/inner.yaml
    with: { prompt: "\${{ params.who }} \${{ string(matrix.n) }}" }
outputs: { clips: { from: "\${{ steps.inner.outputs.clip }}", to: "out/{n}.mp4" } }
`,
    ),
    'b/inner.yaml': head(
      'inner',
      `params: { prompt: { type: string } }
steps:
  still: { model: I-GEN-A, with: { prompt: "\${{ params.prompt }}" } }
  clip: { model: V-I2V-A, with: { input_image: "\${{ steps.still.result_url }}", prompt: "\${{ params.prompt }} moves" } }
outputs: { clip: { from: "\${{ steps.clip }}", to: out/clip.mp4 } }
`,
    ),
  };

  test('keep their names, their params and their order', () => {
    const made = planned(texts);
    const asked = requests(made);
    expect(asked['outer[who=owl]/inner[n=2]/still']).toMatchObject({ prompt: 'owl 2' });
    expect(waits(made)['outer[who=owl]/inner[n=2]/clip']).toBe('outer[who=owl]/inner[n=2]/still');
    expect(waits(made)['outer[who=owl]']).toBe('outer[who=owl]/inner');
    expect(made.outputs.map(({ instance, path }) => `${instance} ${path}`)).toEqual([
      'outer[who=fox]/inner[n=1]/clip out/fox-1.mp4',
      'outer[who=fox]/inner[n=2]/clip out/fox-2.mp4',
      'outer[who=owl]/inner[n=1]/clip out/owl-1.mp4',
      'outer[who=owl]/inner[n=2]/clip out/owl-2.mp4',
    ]);
  });
});
