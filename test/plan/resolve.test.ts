/** The same code resolves an instance while planning (with what is owned) and while running (with what is finished). */
import { expect, test } from 'vitest';
import type { InstanceKey } from '../../src/model/run/key.ts';
import type { Result } from '../../src/model/run/result.ts';
import { resolve } from '../../src/plan/values/resolve.ts';
import type { Resolved } from '../../src/plan/values/resolved.ts';
import { clip, contextOf, decisions, linesWith, media, planOf, Shelf, shown, type World } from './support.ts';

const FILM = `
steps:
  shot:
    model: V-T2V-A
    matrix: { seed: [1, 2] }
    with: { prompt: a fox, seed: "\${{ matrix.seed }}", duration: 4 }
  mood:
    model: I-EDIT-A
    with:
      prompt: a poster of both
      input_image: \${{ steps.shot.map(s, s.result_url) }}
  sheet:
    run: [montage, "\${{ steps.shot.map(s, s.file).join(':') }}", "\${{ size(steps.shot) }}"]
    env: { SECONDS: "\${{ steps.shot[0].media.duration }}" }
    files: { first: "\${{ steps.shot[0] }}" }
    creates: { sheet: sheet.png }
`.replace(/ {2}mood[\s\S]*?\n {2}sheet/, '  sheet');

type Finished = { readonly [key: string]: Result | 'skipped' };
function resolved(film: string, key: string, finished: Finished, world: World = {}): Resolved {
  const plan = planOf(film, world);
  const instance = plan.instances.get(key as InstanceKey);
  if (!instance) throw new Error(`no ${key} among ${[...plan.instances].map(({ key }) => key).join(', ')}`);
  return resolve(plan, instance, need => finished[need], contextOf(world));
}

const one = media('one', { kind: 'video', duration: 4 });
const two = media('two', { kind: 'video', duration: 4 });

test('a bare reference to a fan-out is the ordered list of all results', () => {
  const done = resolved(FILM, 'sheet', { 'shot[seed=2]': two, 'shot[seed=1]': one });
  expect(done).toMatchObject({
    is: 'command',
    command: { argv: ['montage', '/content/6f6e65:/content/74776f', '2'] },
    env: { SECONDS: '4' },
    files: { first: '/content/6f6e65' },
    creates: { sheet: 'sheet.png' },
  });
});

test('…and waits for all of them', () => {
  expect(resolved(FILM, 'sheet', { 'shot[seed=1]': one })).toMatchObject({
    is: 'pending',
    on: ['shot[seed=2]'],
    why: 'waits for shot',
  });
});

test('…and refuses an incomplete set', () => {
  expect(resolved(FILM, 'sheet', { 'shot[seed=1]': one, 'shot[seed=2]': 'skipped' })).toMatchObject({
    is: 'invalid',
    failure: {
      code: 'expression_failed',
      message: '`shot` is incomplete: shot[seed=2] was skipped; leave it out with `exclude`, or make it too',
    },
  });
});

test('…and is skipped when there is nothing left of it', () => {
  expect(resolved(FILM, 'sheet', { 'shot[seed=1]': 'skipped', 'shot[seed=2]': 'skipped' })).toStrictEqual({
    is: 'skip',
    why: 'shot is skipped',
    by: 'shot',
  });
});

test('a star stands for 1,000 files, or for as many as `max` says or computes', () => {
  const film = (max: string) =>
    `\nparams: { n: { type: integer, default: 40 } }\nsteps:\n  parts: { run: [ls], creates: { clips: "*.mp4" }${max} }\n`;
  expect(resolved(film(''), 'parts', {})).toMatchObject({ mostFiles: 1_000 });
  expect(resolved(film(', max: 7'), 'parts', {})).toMatchObject({ mostFiles: 7 });
  expect(resolved(film(', max: "${{ params.n + 1 }}"'), 'parts', {})).toMatchObject({ mostFiles: 41 });
});

test('a command is the same when its inputs are the same, wherever they are kept', () => {
  const fingerprint = (finished: Finished) => {
    const command = resolved(FILM, 'sheet', finished);
    return command.is === 'command' ? command.fingerprint : command.is;
  };
  const here = { 'shot[seed=1]': one, 'shot[seed=2]': two };
  const elsewhere = { ...one, file: '/other/disk/one', result_url: 'https://elsewhere.example/1' } as Result;
  const changed = { ...one, sha256: 'ffff' } as Result;
  expect(fingerprint({ ...here, 'shot[seed=1]': elsewhere })).toBe(fingerprint(here));
  expect(fingerprint({ ...here, 'shot[seed=1]': changed })).not.toBe(fingerprint(here));
});

const REFRAME = `
steps:
  framed:
    model: V-RF
    with: { input_video: clips/a.mp4, aspect_ratio: "9:16", prompt: forest }
`;

test('an author’s file reaches the service by its address and the fingerprint by its content', () => {
  const at = (file: ReturnType<typeof clip>) => {
    const request = resolved(REFRAME, 'framed', {}, { files: { 'clips/a.mp4': file } });
    if (request.is !== 'request') throw new Error(request.is);
    return request;
  };
  const here = at(clip(8));
  expect(here.request).toStrictEqual({
    input_video: 'file:///film/clip-8.mp4',
    aspect_ratio: '9:16',
    prompt: 'forest',
  });
  expect(at({ ...clip(8), url: 'file:///moved.mp4' }).fingerprint).toBe(here.fingerprint);
  expect(at({ ...clip(8), sha256: 'edited' }).fingerprint).not.toBe(here.fingerprint);
});

test('an edited file runs its step again, and the plan names the file', () => {
  const owned = new Shelf();
  const before = { files: { 'clips/a.mp4': clip(8) } };
  owned.make(planOf(REFRAME, before), before);
  const edited = { files: { 'clips/a.mp4': { ...clip(8), sha256: 'edited' } } };
  expect(decisions(planOf(REFRAME, { ...edited, owned }))).toStrictEqual(['framed: run, its file clips/a.mp4 changed']);
});

test('an address that is not ours stays an address', () => {
  const request = resolved(REFRAME.replace('clips/a.mp4', '"https://clips.example/a.mp4"'), 'framed', {});
  expect(request).toMatchObject({ is: 'request', request: { input_video: 'https://clips.example/a.mp4' } });
});

const IF = `
params:
  wide: { type: boolean, default: false }
steps:
  shot:
    model: V-T2V-A
    with: { prompt: a fox, duration: 4 }
  framed:
    if: \${{ params.wide || matrix.ratio != '21:9' }}
    model: V-RF
    matrix: { ratio: ["9:16", "21:9"] }
    with: { input_video: "\${{ steps.shot.result_url }}", aspect_ratio: "\${{ matrix.ratio }}", prompt: forest }
  final:
    each: \${{ steps.framed }}
    model: V-UP
    with: { input_video: "\${{ each.result_url }}" }
`;

test('a false condition skips, and so does everything made from it by `each`', () => {
  expect(linesWith(shown(IF), 'skip', '1 maybe')).toMatchInlineSnapshot(`
    "maybe  framed × 2  1 maybe, 1 skip                            $0.48  4 s × $0.12
           1 maybe  waits for shot (ratio=9:16)
           1 skip   its condition is false (ratio=21:9)
    maybe  final × 2  1 maybe, 1 skip                             $0.40  4 s × $0.10
           1 maybe  waits for framed (ratio=9:16)
           1 skip   framed is skipped (ratio=21:9)
    total         1 run, 2 maybe, 2 skip: free (up to $1.48 at list price)"
  `);
  expect(planOf(IF, { params: { wide: 'true' } }).totals).toMatchObject({ run: 1, maybe: 4, skip: 0 });
});

test('a condition on a result waits for it', () => {
  const film = IF.replace(/if: .*/, 'if: ${{ steps.shot.media.duration > 3.0 }}');
  expect(decisions(planOf(film))[1]).toBe('framed[ratio=9:16]: maybe, waits for shot');
  expect(resolved(film, 'framed[ratio=9:16]', { shot: one })).toMatchObject({ is: 'request' });
  const short = media('short', { kind: 'video', duration: 2 });
  expect(resolved(film, 'framed[ratio=9:16]', { shot: short })).toStrictEqual({
    is: 'skip',
    why: 'its condition is false',
  });
});

test('an expression that fails on the real values fails its instance, with the reason', () => {
  const film = `
steps:
  ask:
    run: [echo, "{}"]
  shot:
    model: V-T2V-A
    with: { prompt: "\${{ steps.ask.json.prompt }}" }
`;
  const answer = (json: Result & { is: 'command' }) => resolved(film, 'shot', { ask: json });
  const said = { is: 'command', stdout: '', files: {} } as const;
  expect(answer({ ...said, json: { prompt: 'a fox' } })).toMatchObject({ is: 'request', request: { prompt: 'a fox' } });
  const failed = answer({ ...said, json: {} });
  expect(failed).toMatchObject({ is: 'invalid', failure: { code: 'expression_failed' } });
  const long = answer({ ...said, json: { prompt: 'x'.repeat(501) } });
  expect(long).toMatchObject({
    is: 'invalid',
    failure: { code: 'request_invalid', message: 'prompt must have at most 500 characters, it has 501' },
  });
});

test('what is known of a text is shown around what is not', () => {
  const plan = planOf(`
steps:
  ask:
    run: [echo, blue]
  shot:
    model: V-T2V-A
    with: { prompt: "a \${{ steps.ask.stdout }} fox, \${{ run.name }}" }
`);
  expect([...plan.instances][1]?.request).toStrictEqual({ prompt: { $pending: 'a ‹steps.ask.stdout› fox, film' } });
});

test('what was planned is what is sent', () => {
  const owned = new Shelf();
  const plan = planOf(IF);
  const sent = owned.make(plan);
  for (const instance of planOf(IF, { owned }).instances) {
    const outcome = sent.get(instance.key);
    if (outcome?.is === 'request')
      expect([instance.request, instance.fingerprint]).toStrictEqual([outcome.request, outcome.fingerprint]);
    else expect([outcome?.is, instance.decision.is]).toStrictEqual(['skip', 'skip']);
  }
});
