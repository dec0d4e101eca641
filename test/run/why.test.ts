/** `shotlist why`: stories of a film that is edited, renamed, reformatted and run again, and what is told of each of its instances. */

import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Pricing } from '../../src/api/catalog.ts';
import { modelLibrary } from '../../src/api/model-library.ts';
import { compile } from '../../src/language/compile.ts';
import { formatDiagnostics } from '../../src/language/yaml/excerpt.ts';
import type { InstanceKey } from '../../src/model/run/key.ts';
import { type PlanContext, plan } from '../../src/plan/plan.ts';
import { whyOf } from '../../src/plan/why/explain.ts';
import { openJournal } from '../../src/records/journal/journal-file.ts';
import type { LocalJournal } from '../../src/records/journal/local-journal.ts';
import { LockFile } from '../../src/records/lock/lock-file.ts';
import { LocalStore } from '../../src/records/store/local-store.ts';
import { ownedBy } from '../../src/run/find-owned.ts';
import { historyOf } from '../../src/run/local/local-history.ts';
import { formatWhy, whyJson } from '../../src/show/plan/why-text.ts';
import { expectAgreement } from '../plan/agreement.ts';
import { ran, rig, withQuickRig } from './rig.ts';

const PRICES: ReadonlyMap<string, Pricing> = new Map([
  ['V-T2V-A', { method: 'per_video_output_second', cost_per_second: 0.1 }],
  ['V-RF', { method: 'per_video_output_second', cost_per_second: 0.06 }],
  ['V-UP', { method: 'per_video_output_second', cost_per_second: 0.05 }],
]);

const FILM = `shotlist: 1
name: fox
params:
  idea: { type: string, default: a red fox crosses the frozen river }
steps:
  clip:
    matrix: { beat: [1, 2] }
    model: V-T2V-A
    with:
      prompt: "\${{ params.idea }}, beat \${{ matrix.beat }}"
      duration: 5
      seed: 4
  shot:
    each: \${{ steps.clip }}
    model: V-RF
    with:
      prompt: slowly
      input_video: \${{ each.result_url }}
      aspect_ratio: "9:16"
`;
const BLUE = { idea: 'a blue fox crosses the frozen river' };

withQuickRig(() => {
  rig.pricing = PRICES;
});
/** Why something is owned is looked up when it is told. */
const journals: LocalJournal[] = [];
afterEach(async () => {
  for (const journal of journals.splice(0)) await journal.close();
});

interface Asking {
  readonly params?: Readonly<Record<string, string>>;
  readonly service?: string;
  readonly keys?: readonly string[];
}

/** What `why` knows of this text, as a command of its own would. */
async function asked(text: string, { params = {}, service = 'house', keys }: Asking = {}) {
  await rig.kill();
  const journal = openJournal({ folder: rig.folder, film: rig.film, clock: rig.clock, to: 'look' });
  journals.push(journal);
  const lock = LockFile.open(rig.lockText, service, 'film.lock.yaml', false);
  const { pipeline, diagnostics } = compile({ path: 'film.yaml', text }, modelLibrary);
  if (!pipeline) throw new Error(formatDiagnostics(diagnostics));
  const context: PlanContext = {
    ...{ params, library: modelLibrary, pricing: PRICES, service, env: {}, run: { id: 'run', name: 'fox' } },
    owned: ownedBy(journal, lock, await LocalStore.open(join(rig.folder, 'store'))),
    localMedia: () => undefined,
  };
  const planned = plan(pipeline, context);
  if (!planned.plan) throw new Error(formatDiagnostics(planned.diagnostics));
  const made = planned.plan;
  const history = historyOf(journal, lock, service, one => one);
  const all = (keys ?? [...made.instances].map(({ key }) => key)).map(key =>
    whyOf(key as InstanceKey, made, context, history),
  );
  return { all, plan: made };
}

const told = async (text: string, asking?: Asking, width = 80) => {
  const { all, plan } = await asked(text, asking);
  expectAgreement(all, plan);
  return `\n${formatWhy(all, plan, { width })}\n`;
};
const json = async (text: string, asking?: Asking) => {
  const { all, plan } = await asked(text, asking);
  return JSON.parse(JSON.stringify(whyJson(all, plan))).instances;
};

test('what only gathers other results says so: no run has made it', async () => {
  const film = `shotlist: 1
name: fox
steps:
  shot:
    until: { holds: "\${{ this.bytes > 0 }}", max: 2 }
    model: V-T2V-A
    with: { prompt: "\${{ has(previous.file) ? 'a bear' : 'a fox' }}", duration: 5, seed: 4 }
`;
  await ran(film);
  expect(await told(film, { keys: ['shot'] })).toBe(`
shot: owned
  round 1 holds
`);
});

test('what reads a result that stands in for a skipped step: the field that changed is named', async () => {
  const film = (ratio: string) => `shotlist: 1
name: fox
steps:
  plain: { model: V-T2V-A, with: { prompt: a fox, duration: 5, seed: 4 } }
  fancy:
    if: \${{ false }}
    else: \${{ steps.plain }}
    model: V-T2V-A
    with: { prompt: a fox in a hat, duration: 5, seed: 4 }
  shot: { model: V-RF, with: { prompt: slowly, input_video: "\${{ steps.fancy.result_url }}", aspect_ratio: "${ratio}" } }
`;
  await ran(film('9:16'));
  expect(await told(film('1:1'), { keys: ['shot'] })).toContain(
    '  `aspect_ratio` changed\n    was «9:16»\n    now «1:1»\n',
  );
});

test('several instances in one line: what it says holds for each of them, and its price is that of all', async () => {
  const film = `shotlist: 1
name: fox
steps:
  shot:
    matrix: { beat: [a, b], seconds: [5, 8] }
    model: V-T2V-A
    with: { prompt: "a fox, \${{ matrix.beat }}", duration: "\${{ matrix.seconds }}", seed: 4 }
  wide:
    each: \${{ steps.shot }}
    if: \${{ matrix.seconds > 5 }}
    else: \${{ each }}
    model: V-RF
    with: { prompt: slowly, input_video: "\${{ each.result_url }}", aspect_ratio: "9:16" }
  final:
    each: \${{ steps.wide }}
    model: V-UP
    with: { input_video: "\${{ each.result_url }}", resolution: 1080p }
`;
  const said = await told(film);
  expect(said).toContain('\nshot × 4: new, would be made: $2.60 (4 × $0.50 to $0.80)\n');
  expect(said).toContain('\nwide × 2: skipped: it is off; shot replaces it\n');
  // What is read of a step that is off is the result that replaces it.
  expect(said).toContain('  for example final[beat=a,seconds=5]:\n    it waits for shot[beat=a,seconds=5]\n');
});

test('of the built-in studio a price is a list price, and nothing was paid', async () => {
  expect(await told(FILM, { service: 'studio', keys: ['clip[beat=1]'] })).toBe(`
clip[beat=1]: new, would be made: $0.50 at list price (5 s × $0.10)
  neither the lock nor the journal has a result under this name
`);
  await ran(FILM, {}, 'studio');
  expect(await told(FILM, { service: 'studio', keys: ['clip[beat=1]'] })).toBe(`
clip[beat=1]: owned
  made on 2026-11-20 12:00 UTC in run id-1, free ($0.50 at list price); the lock
    has it too
`);
  expect(await told(FILM, { service: 'studio', params: BLUE, keys: ['clip[beat=1]'] })).toContain(
    'in run id-1, free ($0.50\n    at list price)\n',
  );
});

describe('a film that was made', () => {
  beforeEach(async () => {
    await ran(FILM);
  });

  test('is owned: which run, when, what it cost', async () => {
    expect(await told(FILM, { keys: ['shot[beat=2]'] })).toBe(`
shot[beat=2]: owned
  made on 2026-11-20 12:00 UTC in run id-1, for $0.30; the lock has it too
`);
    expect((await json(FILM, { keys: ['shot[beat=2]'] }))[0]).toMatchObject({
      key: 'shot[beat=2]',
      decision: 'hit',
      owned: {
        journal: { run: 'id-1', key: 'shot[beat=2]', how: 'made', film: null, cost_usd: 0.3 },
        lock: { generation: expect.stringMatching(/^gen-/), cost_usd: 0.3 },
        as: null,
      },
    });
  });

  test('and edited, tells the old words and the new, and what waits for that', async () => {
    expect(await told(FILM, { params: BLUE })).toBe(`
clip × 2: would be made again: $1.00 (2 × 5 s × $0.10)
  clip[beat=1], clip[beat=2]
  for example clip[beat=1]:
    \`prompt\` changed (it reads params.idea)
      was «a red fox crosses the frozen river, beat 1»
      now «a blue fox crosses the frozen river, beat 1»
    held against the lock: made on 2026-11-20 12:00 UTC in run id-1, for $0.50

shot × 2: may be made again: $0.60 (2 × 5 s × $0.06)
  shot[beat=1], shot[beat=2]
  for example shot[beat=1]:
    it stays owned if that gives the same bytes as before
    it waits for clip[beat=1]
      clip[beat=1]: would be made again: $0.50 (5 s × $0.10)
        \`prompt\` changed (it reads params.idea)
          was «a red fox crosses the frozen river, beat 1»
          now «a blue fox crosses the frozen river, beat 1»
    held against the lock: made on 2026-11-20 12:00 UTC in run id-1, for $0.30
`);
  });

  test('and edited in the middle: the picture is another one, because its prompt changed', async () => {
    await rig.clock.advance(60_000);
    await ran(FILM.replace('    model: V-RF', '    if: ${{ false }}\n    model: V-RF'), BLUE);
    const why = await told(FILM.replace('slowly', 'slowly, then fast'), { params: BLUE, keys: ['shot[beat=2]'] });
    expect(why).toBe(`
shot[beat=2]: would be made again: $0.30 (5 s × $0.06)
  \`prompt\` changed
    was «slowly»
    now «slowly, then fast»
  \`input_video\` is another video
    because clip[beat=2] was made again on 2026-11-20 12:01 UTC
      \`prompt\` changed (it reads params.idea)
        was «a red fox crosses the frozen river, beat 2»
        now «a blue fox crosses the frozen river, beat 2»
  held against the lock: made on 2026-11-20 12:00 UTC in run id-1, for $0.30
`);
  });

  test('a field that comes, goes, or is another model is told as that', async () => {
    const edited = FILM.replace('      seed: 4\n', '').replace('model: V-T2V-A', 'model: V-T2V-B');
    expect(await told(edited, { keys: ['clip[beat=1]'] })).toContain(`
  its model changed
    was «V-T2V-A»
    now «V-T2V-B»
  \`seed\` is asked for no more
    was 4
`);
    expect(
      await told(FILM.replace('aspect_ratio: "9:16"', 'aspect_ratio: "9:16"\n      resolution: 720p'), {
        keys: ['shot[beat=1]'],
      }),
    ).toContain('  `resolution` is new\n    now «720p»\n');
  });
});

describe('what changes nothing', () => {
  beforeEach(async () => {
    await ran(FILM);
  });
  const allOwned = async (text: string) => {
    const { plan } = await asked(text);
    expect([...plan.instances].map(({ decision }) => decision.is)).toEqual(['hit', 'hit', 'hit', 'hit']);
    const before = rig.lockText;
    expect((await ran(text)).outcome.counts).toMatchObject({ reused: 4, succeeded: 0 });
    return before;
  };

  test('a comment, reordered keys, a reformatted file', async () => {
    const reordered = `shotlist: 1
# the same film
steps:
  clip:
    with: { seed: 4, duration: 5, prompt: "\${{ params.idea }}, beat \${{ matrix.beat }}" }  # a comment
    model: "V-T2V-A"
    matrix:
      beat:
        - 1
        - 2
  shot:
    with: { "aspect_ratio": 9:16, input_video: "\${{each.result_url}}", prompt: 'slowly' }
    model: V-RF
    each: "\${{ steps.clip }}"
params:
  idea:
    default: >-
      a red fox crosses
      the frozen river
    type: string
name: fox
`;
    expect(await allOwned(reordered)).toBe(rig.lockText);
    expect(await told(reordered, { keys: ['clip[beat=1]'] })).toContain('clip[beat=1]: owned\n  made on ');
  });

  test('a new version of the tool: a lock from before it kept what was asked for is read, and not written anew', async () => {
    rig.lockText = withoutAsked(rig.lockText!);
    expect(await allOwned(FILM)).toBe(rig.lockText);
    expect(rig.lockText).not.toContain('asked:');
  });

  test('a renamed step: it is owned under its old name, until the lock has the new one', async () => {
    const renamed = FILM.replace('  shot:', '  take_one:');
    expect(await told(renamed, { keys: ['take_one[beat=1]'] })).toBe(`
take_one[beat=1]: owned
  made on 2026-11-20 12:00 UTC in run id-1, for $0.30; the lock has it too
  owned as shot[beat=1]
`);
    expect((await json(renamed, { keys: ['take_one[beat=1]'] }))[0].owned.as).toBe('shot[beat=1]');
    await allOwned(renamed);
    expect(rig.lockText).toContain('take_one[beat=1]:');
    expect(rig.lockText).not.toContain('shot[beat=1]:');
    expect(rig.lockText?.match(/asked:/g)?.length).toBe(4);
  });

  test('a renamed step in a fresh clone: the lock alone knows the old name', async () => {
    await rig.cloneAfresh();
    expect(await told(FILM.replaceAll('clip', 'frame'), { keys: ['frame[beat=1]'] })).toBe(
      `
frame[beat=1]: fetched again from the service; paid again only if gone there
($0.50)
  the lock has it as gen-1, for $0.50; it does not say when it was made, or in
    which run
  owned as clip[beat=1]
`,
    );
  });
});

test('a renamed step in a fresh clone keeps what it was asked for under its new name', async () => {
  await ran(FILM);
  await rig.cloneAfresh();
  await ran(FILM.replaceAll('clip', 'frame'));
  expect(rig.lockText).toMatch(/frame\[beat=1\]:(?:\n {6}.*)*\n {6}asked:\n(?: {8}.*\n)* {8}prompt: a red fox/);
  expect(rig.lockText?.match(/asked:/g)?.length).toBe(4);
});

/** As a lock was before it kept what was asked for. */
const withoutAsked = (text: string): string => text.replace(/^ {6}asked:\n(?: {8}.*\n)+/gm, '');

const CHAIN = `shotlist: 1
name: chain
params: { say: { type: string, default: one } }
steps:
  cut:
    run: [sh, -c, "printf fox > clip.mp4", "\${{ params.say }}"]
    creates: { clip: clip.mp4 }
  large:
    model: V-UP
    with: { input_video: "\${{ steps.cut.files.clip.file }}" }
`;

test('what came out byte-identical stops the rerun there, and why says so', async () => {
  await ran(CHAIN);
  await rig.clock.advance(60_000);
  expect(await told(CHAIN, { params: { say: 'two' } })).toContain(`
large: may be made again: $0.05 a second, length not known
  it stays owned if that gives the same bytes as before
  it waits for cut
`);
  expect((await ran(CHAIN, { say: 'two' })).outcome.counts).toMatchObject({ succeeded: 1, reused: 1 });
  expect(rig.service.posts.length).toBe(1);
  expect(await told(CHAIN, { params: { say: 'two' }, keys: ['large'] })).toMatch(
    /large: owned\n {2}made on 2026-11-20 12:00 UTC in run id-1, .*\n.*cut was made again on 2026-11-20 12:01 UTC, and gave the same bytes\n/s,
  );
  expect((await json(CHAIN, { params: { say: 'two' }, keys: ['large'] }))[0].owned).toMatchObject({
    made_again_with_the_same_bytes: [{ key: 'cut' }],
  });
});

describe('on another machine: the lock is all there is', () => {
  beforeEach(async () => {
    await ran(FILM);
    await rig.cloneAfresh();
  });

  test('it tells what changed by what it kept', async () => {
    expect(await told(FILM, { params: BLUE, keys: ['clip[beat=1]'] })).toBe(`
clip[beat=1]: would be made again: $0.50 (5 s × $0.10)
  \`prompt\` changed (it reads params.idea)
    was «a red fox crosses the frozen river, beat 1»
    now «a blue fox crosses the frozen river, beat 1»
  held against the lock, for $0.50
`);
  });

  test('and where the lock is from before anything was kept, that is said', async () => {
    rig.lockText = withoutAsked(rig.lockText!);
    const why = await told(FILM, { params: BLUE, keys: ['clip[beat=1]'] });
    expect(why).toContain(
      'something it asks for has changed; the lock and the journal are older than\n    records of requests, so what changed is unknown',
    );
    expect((await json(FILM, { params: BLUE, keys: ['clip[beat=1]'] }))[0]).toMatchObject({
      changes: [],
      cannot_tell: 'not_kept',
    });
  });
});

test('another service is another film: one never replaces the other', async () => {
  await ran(FILM);
  expect(await told(FILM, { service: 'studio-draft', keys: ['clip[beat=1]'] })).toBe(`
clip[beat=1]: new, would be made: $0.50 at list price (5 s × $0.10)
  it was made on house, and never on studio-draft: one never replaces the other
`);
});

test('another film of the project that made it is named', async () => {
  await ran(FILM);
  rig.film = 'ads~trailer';
  rig.lockText = undefined;
  expect(await told(FILM, { keys: ['clip[beat=1]'] })).toBe(`
clip[beat=1]: owned
  made for the film film on 2026-11-20 12:00 UTC in run id-1, for $0.50; not in
    the lock
`);
});

test('a try that failed is told beside what is held against', async () => {
  await ran(FILM);
  rig.service.trouble.push({ answer: { is: 'refused', status: 400, message: 'content refused' }, take: false });
  await ran(FILM, BLUE);
  expect(await told(FILM, { params: BLUE, keys: ['clip[beat=1]'] })).toContain(
    '\n  its last try failed on 2026-11-20 12:00 UTC: ',
  );
});

test('its bytes may be nowhere, though nothing has changed', async () => {
  const call = `shotlist: 1
name: cut
steps:
  cut: { run: [sh, -c, "printf fox > clip.mp4"], creates: { clip: clip.mp4 } }
`;
  await ran(call);
  await rig.cloneAfresh();
  expect(await told(call)).toContain('nothing it asks for has changed: its result is not on this machine');
  expect(await told(call.replace('creates:', 'cache: off, creates:'))).toContain('`cache: off` makes it in every run');
});

test('what acts outside behind an approval is told once what it waits for', async () => {
  const film = `shotlist: 1
name: post
steps:
  shot: { model: V-T2V-A, with: { prompt: a fox, duration: 5 } }
  ok: { approve: "\${{ steps.shot }}" }
  post: { needs: [ok], run: [echo, hi], effect: true }
`;
  await ran(film);
  expect((await told(film, { keys: ['post'] })).match(/if ok is approved/g)).toHaveLength(1);
});

test('a request that is under way is told as that', async () => {
  rig.service.isQuick = false;
  await (await rig.start(FILM)).happened('submit_accepted', 'clip[beat=2]');
  expect(await told(FILM, { keys: ['clip[beat=1]', 'clip[beat=2]'] })).toBe(`
clip × 2: under way: already paid ($0.50 each)
  clip[beat=1], clip[beat=2]
`);
});

test('a cut tells which clip has changed, and which of its options', async () => {
  rig.facts = { kind: 'video', width: 1280, height: 720, duration: 5, fps: 24, audio_codec: null };
  const CUT = `shotlist: 1
name: fox
steps:
  shot: { matrix: { n: [1, 2] }, model: V-T2V-A, with: { prompt: "a fox \${{ matrix.n }}", duration: 5 } }
  film:
    cut:
      clips: [ { title: The Fox, for: 2s }, { each: "\${{ steps.shot }}", out: 4s } ]
      join: { dissolve: 0.5s }
`;
  await ran(CUT);
  const edited = CUT.replace('out: 4s', "out: \"${{ matrix.n == 1 ? '4s' : '3s' }}\"").replace(
    'dissolve: 0.5s',
    'dissolve: 1s',
  );
  expect(await told(edited, { keys: ['film'] })).toContain(`
film: would be made again: free
  \`clip 3.out\` changed
    was «4s»
    now «3s»
  \`join.dissolve\` changed
    was «0.5s»
    now «1s»
  held against the lock`);
});

describe('a cut of many clips', () => {
  const CUT = `${FILM.replace('[1, 2]', '[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]')}  reel:
    cut:
      clips: [ { title: The Fox, for: 2s }, { each: "\${{ steps.shot }}", over: { text: "no. \${{ matrix.beat }}" } } ]
`;
  const SHOTS = `it waits for shot × 11: shot[beat=1], shot[beat=2], shot[beat=3],
    shot[beat=4], shot[beat=5] and 6 more
`;
  beforeEach(() => {
    rig.facts = { kind: 'video', width: 1280, height: 720, duration: 5, fps: 24, audio_codec: null };
  });

  test('waits for all of them in one line, in the order of the film, with one as an example', async () => {
    expect(await told(CUT, { keys: ['reel'] })).toBe(`
reel: new, may be made: free
  ${SHOTS}    for example shot[beat=1]: new, may be made: $0.30 (5 s × $0.06)
      it waits for clip[beat=1]
        clip[beat=1]: new, would be made: $0.50 (5 s × $0.10)
          neither the lock nor the journal has a result under this name
`);
    await ran(CUT);
    const edited = CUT.replace('for: 2s', 'for: 3s');
    expect(await told(edited, { params: BLUE, keys: ['reel'] })).toContain(`
    was «2s»
    now «3s»
  ${SHOTS}    for example shot[beat=1]: may be made again: $0.30 (5 s × $0.06)
      it stays owned if that gives the same bytes as before
`);
    const [reel] = await json(edited, { params: BLUE, keys: ['reel'] });
    expect(reel).toMatchObject({ decision: 'run', waits_for_instances: { length: 11 }, waits_for: { length: 11 } });
  });

  test('that changed in the same way are told as one, by the option', async () => {
    await ran(CUT);
    expect(await told(CUT.replace('no. ', 'beat '), { keys: ['reel'] })).toBe(`
reel: would be made again: free
  11 changes of one kind, in \`clip 2.over.text\`, \`clip 3.over.text\`, \`clip
    4.over.text\`, \`clip 5.over.text\`, \`clip 6.over.text\` and 6 more; for example:
    \`clip 2.over.text\` changed
      was «no. 1»
      now «beat 1»
  held against the lock: made on 2026-11-20 12:00 UTC in run id-1, for nothing
`);
  });

  test('whose number is not known yet says of none that it is asked for no more', async () => {
    const script = '  list: { run: [sh, -c, "echo \'[1, 2, 3]\'", "${{ params.idea }}"] }\n';
    const open = `${CUT.replace('[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] }', '"${{ steps.list.json }}" }\n    max: 4')
      .replace('steps:\n', `steps:\n${script}`)
      .replace(' } } ]', ' } }, { title: The End, for: 2s } ]')}`;
    await ran(open);
    expect(await told(open, { params: BLUE, keys: ['reel'] })).toBe(`
reel: may be made again: free
  it waits for shot: its instances are not known yet
  held against the lock: made on 2026-11-20 12:00 UTC in run id-1, for nothing
`);
  });
});

describe('a frame that is read', () => {
  const WALK = FILM.replace('model: V-RF', 'model: V-I2V-A')
    .replace('input_video: ${{ each.result_url }}', 'input_image: ${{ each.last_frame }}')
    .replace('      aspect_ratio: "9:16"\n', '');

  test('is told as that of another video, with why that is another one', async () => {
    await ran(WALK);
    await rig.clock.advance(60_000);
    await ran(WALK.replace('    model: V-I2V-A', '    if: ${{ false }}\n    model: V-I2V-A'), BLUE);
    const why = await told(WALK, { params: BLUE, keys: ['shot[beat=2]'] });
    expect(why).toContain(`
  \`input_image\` is last_frame of clip[beat=2], and that is another video
    because clip[beat=2] was made again on 2026-11-20 12:01 UTC
      \`prompt\` changed (it reads params.idea)
`);
  });

  test('may be another one of the same video', async () => {
    await ran(WALK);
    const why = await told(WALK.replace('each.last_frame', "each.frame_at('2.5s')"), { keys: ['shot[beat=2]'] });
    expect(why).toContain("`input_image` is frame_at('2.5s') of clip[beat=2] now\n");
  });
});
