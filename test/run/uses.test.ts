/** Files that use other files, in a run: what is inside runs like any other step, and what a `uses` step gives is gathered from it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compiledProject, type Texts } from '../support/project-files.ts';
import { chatAnswer } from './fake-service.ts';
import { eventLines, ran, rig, stdoutOf, withQuickRig } from './rig.ts';

const HEAD = 'shotlist: 1\nname: film\n';
const CLEAN = `shotlist: 1
name: clean
params:
  clip: { type: string }
  look: { type: string, default: snow }
  up: { type: boolean, default: true }
steps:
  repair:
    model: V-RF
    with: { input_video: "\${{ params.clip }}", aspect_ratio: 9:16, prompt: "\${{ params.look }}" }
  final:
    if: \${{ params.up }}
    model: V-UP
    with: { input_video: "\${{ steps.repair.result_url }}" }
outputs:
  film: { from: "\${{ steps.repair }}", to: out/clean.mp4 }
  large: { from: "\${{ steps.final }}", to: out/large.mp4 }
`;
const FILM = `${HEAD}steps:
  shot:
    model: V-T2V-A
    matrix: { seed: [1, 2] }
    with: { prompt: a fox, seed: "\${{ matrix.seed }}", duration: 5 }
  cleaned:
    each: \${{ steps.shot }}
    uses: ./parts/clean.yaml
    with: { clip: "\${{ each.result_url }}" }
  joined:
    run: [echo, "\${{ steps.cleaned.map(c, c.outputs.large.sha256).join(' ') }}"]
outputs:
  film: { from: "\${{ steps.cleaned.outputs.large }}", to: "out/{seed}.mp4" }
`;

/** Runs the film with these texts in place of its own. */
const made = (texts: Texts = {}) => ran(project(texts));
const project = (texts: Texts) => compiledProject({ 'film.yaml': FILM, 'parts/clean.yaml': CLEAN, ...texts });

withQuickRig();

const ended = (lines: readonly string[]) => lines.filter(line => /succeeded|reused|skipped|failed|blocked/.test(line));

describe('a film that uses another file', () => {
  test('runs what is inside, gathers what it gives, and places it where this file says', async () => {
    const { film, outcome } = await made({});
    expect([outcome.is, outcome.counts.succeeded]).toEqual(['done', 9]);
    expect(ended(eventLines(film.events)).sort()).toEqual([
      'cleaned[seed=1] succeeded',
      'cleaned[seed=1]/final succeeded',
      'cleaned[seed=1]/repair succeeded',
      'cleaned[seed=2] succeeded',
      'cleaned[seed=2]/final succeeded',
      'cleaned[seed=2]/repair succeeded',
      'joined succeeded',
      'shot[seed=1] succeeded',
      'shot[seed=2] succeeded',
    ]);
    expect(readFileSync(join(rig.folder, 'out/2.mp4'), 'utf8')).toMatch(/^the film at /);
    expect(existsSync(join(rig.folder, 'out/clean.mp4'))).toBe(false);
    const locked = new Set(rig.lockText!.match(/cleaned[^":]*/g));
    expect([...locked].sort()).toEqual([
      'cleaned[seed=1]/final',
      'cleaned[seed=1]/repair',
      'cleaned[seed=2]/final',
      'cleaned[seed=2]/repair',
    ]);
  });

  test('pays nothing and changes nothing the second time, and starts each branch as soon as its own clip is there', async () => {
    await made();
    const lock = rig.lockText;
    const { counts, usd } = (await made()).outcome;
    expect([counts.reused, counts.succeeded, usd]).toEqual([9, 0, 0]);
    expect(rig.lockText).toBe(lock);
    expect(rig.service.posts).toHaveLength(6);
  });

  test('steps that move into a file of their own are not made again', async () => {
    const inPlace = `${HEAD}steps:
  shot:
    model: V-T2V-A
    matrix: { seed: [1, 2] }
    with: { prompt: a fox, seed: "\${{ matrix.seed }}", duration: 5 }
  repair:
    each: \${{ steps.shot }}
    model: V-RF
    with: { input_video: "\${{ each.result_url }}", aspect_ratio: 9:16, prompt: snow }
  final: { each: "\${{ steps.repair }}", model: V-UP, with: { input_video: "\${{ each.result_url }}" } }
`;
    await ran(compiledProject({ 'film.yaml': inPlace }));
    expect(rig.service.posts).toHaveLength(6);
    const { counts, usd } = (await made()).outcome;
    expect([counts.reused, counts.succeeded, usd]).toEqual([8, 1, 0]);
    expect(rig.service.posts).toHaveLength(6);
  });
});

describe('what is not made', () => {
  test('an optional step inside is left out, and who reads it is skipped with it', async () => {
    const text = FILM.replace('clip: "${{ each.result_url }}"', 'clip: "${{ each.result_url }}", up: false')
      .replace('c.outputs.large', 'c.outputs.film')
      .replace('steps.cleaned.outputs.large', 'steps.cleaned.outputs.film');
    const more = text.replace(
      '  joined:',
      '  of_large: { each: "${{ steps.cleaned }}", model: V-UP, with: { input_video: "${{ each.outputs.large.result_url }}" } }\n  joined:',
    );
    const { film, outcome } = await made({ 'film.yaml': more });
    expect(outcome.is).toBe('done');
    expect(
      ended(eventLines(film.events))
        .filter(line => /skipped/.test(line))
        .sort(),
    ).toEqual([
      'cleaned[seed=1]/final skipped',
      'cleaned[seed=2]/final skipped',
      'of_large[seed=1] skipped',
      'of_large[seed=2] skipped',
    ]);
  });

  test('where the step that uses the file is off, all inside is skipped', async () => {
    const text = FILM.replace('uses:', 'if: ${{ matrix.seed == 1 }}\n    uses:').replace(
      / {2}joined:[\s\S]*(?=outputs:)/,
      '',
    );
    const { is, counts } = (await ran(project({ 'film.yaml': text }))).outcome;
    expect([is, counts.succeeded, counts.skipped]).toEqual(['done', 5, 3]);
    expect(rig.service.posts).toHaveLength(4);
  });

  test('a file without outputs may leave out some of what it makes: nobody reads it', async () => {
    const quiet = `${HEAD}steps:\n  said: { matrix: { at: [1, 2] }, if: "\${{ matrix.at == 1 }}", run: [echo, "\${{ string(matrix.at) }}"] }\n`;
    const film = await rig.start(
      project({ 'film.yaml': `${HEAD}steps:\n  whole: { uses: ./quiet.yaml }\n`, 'quiet.yaml': quiet }),
    );
    expect((await rig.runToEnd(film)).is).toBe('done');
    expect(ended(eventLines(film.events))).toEqual([
      'whole/said[at=2] skipped',
      'whole/said[at=1] succeeded',
      'whole succeeded',
    ]);
  });

  test('what fails inside blocks who reads it, and no other branch', async () => {
    rig.service.isQuick = false;
    const film = await rig.start(project({ 'film.yaml': FILM.replace(/ {2}joined:[\s\S]*(?=outputs:)/, '') }));
    await film.happened('submit_accepted', 'shot[seed=2]');
    rig.service.finish('gen-1');
    rig.service.finish('gen-2');
    await film.happened('submit_accepted', 'cleaned[seed=1]/repair');
    await film.happened('submit_accepted', 'cleaned[seed=2]/repair');
    const id = [...rig.service.records].find(([, { request }]) => /gen-1/.test(String(request.input_video)))?.[0];
    rig.service.fail(id!, 'no');
    rig.service.isQuick = true;
    rig.service.finish(id === 'gen-3' ? 'gen-4' : 'gen-3');
    const { counts } = await rig.runToEnd(film);
    expect(counts).toMatchObject({ succeeded: 5, failed: 1, blocked: 2 });
    expect(
      ended(eventLines(film.events))
        .filter(line => /blocked/.test(line))
        .sort(),
    ).toEqual(['cleaned[seed=1] blocked', 'cleaned[seed=1]/final blocked']);
  });
});

describe('lists that are written in the run', () => {
  const STORY = `shotlist: 1
name: story
params: { idea: { type: string } }
steps:
  script:
    model: C-D
    with: { prompt: "beats about \${{ params.idea }}", max_tokens: 100 }
    schema: { type: object, properties: { beats: { type: array, items: { type: string } } } }
  shot:
    matrix: { beat: "\${{ steps.script.json.beats }}" }
    max: 4
    model: V-T2V-A
    with: { prompt: "\${{ matrix.beat }}", duration: 5 }
  count: { run: [echo, "\${{ string(size(steps.shot)) }}"] }
outputs:
  shots: { from: "\${{ steps.shot }}", to: "out/{beat}.mp4" }
`;
  const saying = (...beats: readonly string[]) => chatAnswer(JSON.stringify({ beats }));

  test('inside: each use has the instances of its own list', async () => {
    rig.service.chatAnswers.push(saying('dawn', 'noon'), saying('dusk'));
    const film = await rig.start(
      compiledProject({
        'film.yaml': `${HEAD}steps:
  told:
    matrix: { idea: [fox, owl] }
    uses: ./story.yaml
    with: { idea: "\${{ matrix.idea }}" }
  first: { each: "\${{ steps.told }}", model: V-UP, with: { input_video: "\${{ each.outputs.shots[0].result_url }}" } }
outputs:
  shots: { from: "\${{ steps.told.outputs.shots }}", to: "out/{idea}-{beat}.mp4" }
`,
        'story.yaml': STORY,
      }),
    );
    const outcome = await rig.runToEnd(film);
    expect(outcome.is).toBe('done');
    const keys = [...outcome.results.keys()].filter(key => /shot|count/.test(key));
    expect(keys.sort()).toEqual([
      'told[idea=fox]/count',
      'told[idea=fox]/shot[beat=dawn]',
      'told[idea=fox]/shot[beat=noon]',
      'told[idea=owl]/count',
      'told[idea=owl]/shot[beat=dusk]',
    ]);
    const counts = ['fox', 'owl'].map(idea => stdoutOf(outcome, `told[idea=${idea}]/count`));
    expect(counts).toEqual(['2', '1']);
    expect(existsSync(join(rig.folder, 'out/owl-dusk.mp4'))).toBe(true);
  });

  test('outside: everything inside is open until the list is there', async () => {
    rig.service.chatAnswers.push(saying('dawn', 'noon'));
    const text = `${HEAD}steps:
  script:
    model: C-D
    with: { prompt: beats, max_tokens: 100 }
    schema: { type: object, properties: { beats: { type: array, items: { type: string } } } }
  part:
    matrix: { beat: "\${{ steps.script.json.beats }}" }
    max: 4
    uses: ./one.yaml
    with: { beat: "\${{ matrix.beat }}" }
  all: { run: [echo, "\${{ steps.part.map(p, p.outputs.clip.sha256).join(' ') }}"] }
`;
    const one = `${HEAD}params: { beat: { type: string } }
steps:
  shot: { model: V-T2V-A, with: { prompt: "\${{ params.beat }}", duration: 5 } }
  large: { model: V-UP, with: { input_video: "\${{ steps.shot.result_url }}" } }
outputs:
  clip: { from: "\${{ steps.large }}", to: out/clip.mp4 }
`;
    const film = await rig.start(compiledProject({ 'film.yaml': text, 'one.yaml': one }));
    expect(film.plan.open.map(({ step, most }) => [step, most])).toEqual([
      ['part/shot', 4],
      ['part/large', 4],
      ['part', 4],
    ]);
    const { is, results } = await rig.runToEnd(film);
    expect(is).toBe('done');
    expect([...results.keys()].sort()).toEqual([
      'all',
      'part[beat=dawn]',
      'part[beat=dawn]/large',
      'part[beat=dawn]/shot',
      'part[beat=noon]',
      'part[beat=noon]/large',
      'part[beat=noon]/shot',
      'script',
    ]);
  });
});

const WITH_POSTER = CLEAN.replace(
  'outputs:\n',
  'outputs:\n  poster: { from: "${{ steps.repair.last_frame }}", to: out/p.png }\n',
);
const READS = `${HEAD}steps:
  shot: { model: V-T2V-A, with: { prompt: a fox } }
  cleaned: { uses: ./parts/clean.yaml, with: { clip: "\${{ steps.shot.result_url }}", up: false } }
  more: { model: V-I2V-A, with: { prompt: on, input_image: "\${{ steps.cleaned.outputs.poster }}" } }
  next: { model: V-I2V-A, with: { prompt: on, input_image: "\${{ steps.cleaned.outputs.film.first_frame }}" } }
outputs:
  poster: { from: "\${{ steps.cleaned.outputs.poster }}", to: out/poster.png }
  other: { from: "\${{ steps.cleaned.outputs.film.frame_at(1) }}", to: out/other.png }
`;

test('a frame that a used file gives is read and placed like any other of its outputs', async () => {
  const film = await rig.start(compiledProject({ 'film.yaml': READS, 'parts/clean.yaml': WITH_POSTER }));
  const { is } = await rig.runToEnd(film);
  expect(is).toBe('done');
  expect(new Set(rig.taken)).toEqual(new Set(['last_frame', 'first_frame', 'frame_at']));
  expect(readFileSync(join(rig.folder, 'out/poster.png'), 'utf8')).toMatch(
    /^{"is":"last_frame"} of the film at .*gen-2/,
  );
  expect(readFileSync(join(rig.folder, 'out/other.png'), 'utf8')).toMatch(
    /^{"is":"frame_at","at":1} of the film at .*gen-2/,
  );
  const images = rig.service.posts.map(({ input_image: image }) => image).filter(image => image !== undefined);
  expect(images).toHaveLength(2);
  expect(images.every(image => /^file:.*\.png$/.test(String(image)))).toBe(true);
});

describe.each(['house', 'studio'])('a fresh clone on %s', service => {
  test.each([
    ['a used file', 'snow', ''],
    [
      'the rounds of a used file',
      "${{ has(previous.outputs) ? 'rain' : 'snow' }}",
      '    until: { holds: "${{ this.outputs.film.media.duration > 0 }}", max: 2 }\n',
    ],
  ])('hands on the result of %s only when it is here again', async (_, look, until) => {
    const film = (grain: number) =>
      project({
        'film.yaml': `${HEAD}steps:
  look:
    uses: ./parts/clean.yaml
    with: { clip: "https://films.test/a.mp4", up: false, look: "${look}" }
${until}  large:
    model: V-UP
    with: { input_video: "\${{ steps.look.outputs.film.result_url }}", grain: ${grain} }
`,
      });
    await ran(film(0.1), {}, service);
    await rig.cloneAfresh();
    rig.selection = { only: ['large'] };
    expect((await ran(film(0.2), {}, service)).outcome.is).toBe('done');
    expect(rig.service.posts.at(-1)).toMatchObject({
      grain: 0.2,
      input_video: expect.stringMatching(/^https:/),
    });
  });
});
