/** What waits for what, where a condition decides: a side that is not taken is neither waited for nor needed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filmStatus } from '../../src/show/text/status/film-status.ts';
import { statusText } from '../../src/show/text/status/status-text.ts';
import { compiled, linesWith, planOf, shown } from '../plan/support.ts';
import { newestReport } from '../text/report/report-of.ts';
import { blocked, failures, ofType, ran, rig, skipped, stdoutOf, withQuickRig } from './rig.ts';

withQuickRig();

interface Ends {
  readonly is?: 'failed';
  /** What these commands printed; undefined: they printed nothing. */
  readonly says?: { readonly [key: string]: string | undefined };
  readonly skips?: readonly string[];
  readonly blocks?: readonly string[];
}
const CHECK = (json: string) => `check: { run: [echo, '${json}'] }`;
const BIG = 'params: { big: { type: boolean, default: false } }';
const EITHER = 'last: { run: [echo, "${{ steps.check.json.ok ? steps.good.stdout : steps.bad.stdout }}"] }';

test.each<readonly [what: string, film: string, Ends]>([
  [
    'a ternary is not skipped with the step on its dead side',
    `${BIG}
steps:
  small: { run: [echo, small] }
  large: { if: "\${{ params.big }}", run: [echo, large] }
  last: { run: [echo, "\${{ params.big ? steps.large.stdout : steps.small.stdout }}"] }`,
    { says: { last: 'small' }, skips: ['large: its condition is false'] },
  ],
  [
    'a side is chosen by what another step says, and only that side is needed: the other may fail',
    `steps:
  ${CHECK('{"ok": true}')}
  good: { run: [echo, good] }
  bad: { run: "exit 1" }
  ${EITHER}`,
    { is: 'failed', says: { last: 'good' } },
  ],
  [
    'the side that is taken fails: what needs it is blocked, though it was not known at the start that it would',
    `steps:
  ${CHECK('{"ok": false}')}
  good: { run: [echo, good] }
  bad: { run: "exit 1" }
  ${EITHER}`,
    { is: 'failed', blocks: ['last by bad'] },
  ],
  [
    'a condition is decided before what the step reads: what fails there is not missed',
    `steps:
  ${CHECK('{"ok": false}')}
  bad: { run: "exit 1" }
  last: { if: "\${{ steps.check.json.ok }}", run: [echo, "\${{ steps.bad.stdout }}"] }`,
    { is: 'failed', skips: ['last: its condition is false'] },
  ],
  [
    'has() asks whether a step was made',
    `${BIG}
steps:
  large: { if: "\${{ params.big }}", run: [echo, large] }
  last: { run: [echo, "\${{ has(steps.large.stdout) ? steps.large.stdout : 'none' }}"] }`,
    { says: { last: 'none' }, skips: ['large: its condition is false'] },
  ],
  [
    'a step that a param turns off waits for nothing that it would read, and is not blocked by it',
    `${BIG}
steps:
  bad: { run: "exit 1" }
  large: { if: "\${{ params.big }}", run: [echo, "\${{ steps.bad.stdout }}"] }
  last: { run: [echo, "\${{ has(steps.large.stdout) ? 'large' : 'small' }}"] }`,
    { is: 'failed', says: { last: 'small' }, skips: ['large: its condition is false'] },
  ],
  [
    'an index that is known is an edge to that one instance',
    `steps:
  shot: { matrix: { n: [1, 2, 3] }, run: "test $n != 3", env: { n: "\${{ matrix.n }}" } }
  second: { run: [echo, "\${{ steps.shot[1].stdout == '' }}"] }
  next: { matrix: { n: 1..2 }, run: [echo, "\${{ steps.shot[matrix.n].stdout == '' }}"] }`,
    { is: 'failed', says: { second: 'true', 'next[n=1]': 'true' }, blocks: ['next[n=2] by shot[n=3]'] },
  ],
  [
    'an index into a list of which others were skipped',
    `steps:
  shot: { matrix: { n: [1, 2] }, if: "\${{ matrix.n == 1 }}", run: [echo, shot] }
  first: { run: [echo, "\${{ steps.shot[0].stdout }}"] }`,
    { says: { first: 'shot' }, skips: ['shot[n=2]: its condition is false'] },
  ],
  [
    '`else: ${{ each }}`: each instance that is off is what it would have been made from',
    `steps:
  shot: { matrix: { n: [1, 2] }, run: [echo, "shot \${{ matrix.n }}"] }
  up: { each: "\${{ steps.shot }}", if: "\${{ matrix.n == 1 }}", else: "\${{ each }}", run: [echo, "up of \${{ each.stdout }}"] }
  last: { run: [echo, "\${{ steps.up.map(u, u.stdout).join(' ') }}"] }`,
    { says: { last: 'up of shot 1 shot 2' }, skips: ['up[n=2]: it is off; shot[n=2] replaces it'] },
  ],
  [
    'the instance before: a chain runs in order, and the first has none',
    `steps:
  walk: { matrix: { part: 1..3 }, run: [echo, "\${{ has(previous.stdout) ? previous.stdout + '>' : '' }}\${{ matrix.part }}"] }`,
    { says: { 'walk[part=3]': '1>2>3' } },
  ],
  [
    'members of a list carry their coordinates',
    `params: { cast: { type: array, items: { type: string }, default: [ada] } }
steps:
  still: { matrix: { who: [ada, bo] }, run: [echo, "\${{ matrix.who }}"] }
  last: { run: [echo, "\${{ steps.still.filter(s, s.matrix.who in params.cast).map(s, s.stdout).join('') }}"] }`,
    { says: { last: 'ada' } },
  ],
  [
    'what is made from something that was skipped is skipped at once, and waits for nothing else',
    `steps:
  ${CHECK('{"ok": false}')}
  shot: { matrix: { n: [1] }, if: "\${{ steps.check.json.ok }}", run: [echo, shot] }
  slow: { run: "until test -e \\"$SHOTLIST_PROJECT/go\\"; do sleep 0.02; done" }
  final: { each: "\${{ steps.shot }}", run: [echo, "\${{ each.stdout }}", "\${{ steps.slow.stdout }}"] }
  after: { needs: [final], run: "touch \\"$SHOTLIST_PROJECT/go\\"" }`,
    { skips: ['shot[n=1]: its condition is false', 'final[n=1]: shot[n=1] is skipped'] },
  ],
  [
    'something stands in for a step whose condition is still to come, also where what it is made from was skipped',
    `steps:
  ${CHECK('{"ok": false}')}
  plain: { run: [echo, plain] }
  shot: { matrix: { n: [1] }, if: "\${{ matrix.n == 2 }}", run: [echo, shot] }
  final: { each: "\${{ steps.shot }}", if: "\${{ steps.check.json.ok }}", else: "\${{ steps.plain }}", run: [echo, "\${{ each.stdout }}"] }
  last: { run: [echo, "\${{ steps.final[0].stdout }}"] }`,
    {
      says: { last: 'plain' },
      skips: ['shot[n=1]: its condition is false', 'final[n=1]: it is off; plain replaces it'],
    },
  ],
  [
    'an incomplete list is no mistake of a step whose condition is still to come',
    `steps:
  ${CHECK('{"ok": false}')}
  shot: { matrix: { n: [1, 2] }, if: "\${{ matrix.n == 1 }}", run: [echo, shot] }
  all: { needs: [shot], if: "\${{ steps.check.json.ok }}", run: [echo, "\${{ steps.shot.map(s, s.stdout).join() }}"] }`,
    { skips: ['shot[n=2]: its condition is false', 'all: its condition is false'] },
  ],
  [
    'how many there are waits for all of them, beside a choice too: a fan-out of which some were skipped has no length',
    `${BIG}
steps:
  ${CHECK('{"big": false}')}
  shot: { matrix: { n: [1, 2] }, if: "\${{ matrix.n == 1 || steps.check.json.big }}", run: [echo, shot] }
  none: { matrix: { n: [1, 2] }, if: "\${{ steps.check.json.big }}", run: [echo, shot] }
  count: { run: [echo, "\${{ string(size(steps.shot)) }}"] }
  perhaps: { run: [echo, "\${{ params.big ? 'big' : string(size(steps.shot)) }}"] }
  nothing: { run: [echo, "\${{ params.big ? 'big' : string(size(steps.none)) }}"] }`,
    {
      is: 'failed',
      says: { 'shot[n=1]': 'shot', count: undefined, perhaps: undefined, nothing: undefined },
      skips: ['none[n=1]', 'none[n=2]', 'nothing', 'shot[n=2]'].map(key =>
        key === 'nothing' ? 'nothing: none is skipped' : `${key}: its condition is false`,
      ),
    },
  ],
])('%s', async (_, steps, { is = 'done', says = {}, skips = [], blocks = [] }) => {
  const { film, outcome } = await ran(`${steps}\n`);
  const printed = Object.keys(says).map(key => [
    key,
    stdoutOf(outcome, key)
      ?.replaceAll(/\s+(?=>)/g, '')
      .replaceAll(/\s+/g, ' '),
  ]);
  expect([outcome.is, Object.fromEntries(printed)]).toEqual([is, says]);
  expect([skipped(film).sort(), blocked(film)]).toEqual([skips.toSorted(), blocks]);
});

test('a field whose value is nothing is left out', async () => {
  const { film } = await ran(`
params: { look: { type: boolean, default: false } }
steps:
  look: { if: "\${{ params.look }}", model: I-GEN-A, with: { prompt: look } }
  shot: { model: V-T2V-A, with: { prompt: a fox, seed: "\${{ has(steps.look.sha256) ? 7 : null }}" } }
`);
  const asked = ofType(film, 'submit_intended').map(({ request }) => request);
  expect(asked).toEqual([{ prompt: 'a fox' }]);
});

test('`else`: another step stands in where one is off, for what reads it and for its output', async () => {
  const film = (up: boolean) => `
params: { up: { type: boolean, default: ${up} } }
steps:
  master: { run: "echo master > a.txt", creates: { film: a.txt } }
  big: { if: "\${{ params.up }}", else: "\${{ steps.master }}", run: "echo big > a.txt", creates: { film: a.txt } }
  shown: { run: [cat, "\${{ steps.big.files.film.file }}"], files: { film: "\${{ steps.big.files.film }}" } }
outputs: { film: { from: "\${{ steps.big.files.film }}", to: out/film.txt } }
`;
  const off = await ran(film(false));
  expect([off.outcome.is, stdoutOf(off.outcome, 'shown')]).toEqual(['done', 'master']);
  expect(skipped(off.film)).toEqual(['big: it is off; master replaces it']);
  expect(readFileSync(join(rig.folder, 'out/film.txt'), 'utf8').trim()).toBe('master');
  const on = await ran(film(true));
  expect([on.outcome.is, stdoutOf(on.outcome, 'shown')]).toEqual(['done', 'big']);
});

test('an output that was asked for and not made is told, and is no success; one whose own step is off is', async () => {
  const film = `
params: { up: { type: boolean, default: false } }
steps:
  big: { if: "\${{ params.up }}", run: "echo big > a.txt", creates: { film: a.txt } }
  copy: { run: "cp $film b.txt", files: { film: "\${{ steps.big.files.film }}" }, creates: { film: b.txt } }
outputs:
  own: { from: "\${{ steps.big.files.film }}", to: out/own.txt }
  copied: { from: "\${{ steps.copy.files.film }}", to: out/copied.txt }
`;
  // A plan says so before anything is paid for.
  expect(linesWith(shown(film, { width: 100 }), 'out/')).toBe(
    [
      'films         out/own.txt ← big (film), skipped: its condition is false',
      'out/copied.txt ← copy (film), skipped: big is skipped',
    ].join(`\n${' '.repeat(14)}`),
  );
  const { film: run, outcome } = await ran(film);
  expect(outcome.is).toBe('failed');
  const status = statusText([filmStatus(newestReport(rig), [], '')], rig.clock.now(), 200);
  expect(status.split('\n').slice(1)).toEqual([
    '  0 of 2 there, 2 skipped; nothing spent',
    '  out/copied.txt  could not be written: it was not made, because big was skipped; give that step an `else`, or this one a condition of its own',
    '    shotlist run film.yaml',
    '',
  ]);
  expect(ofType(run, 'output_failed').map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
    'out/copied.txt: it was not made, because big was skipped; give that step an `else`, or this one a condition of its own',
  ]);
});

test('a step that is off is not priced, also before what stands in for it is made', () => {
  const made = planOf(`
params: { up: { type: boolean, default: false } }
steps:
  shot: { matrix: { n: [1, 2] }, model: V-T2V-A, with: { prompt: "shot \${{ matrix.n }}", duration: 5 } }
  up: { each: "\${{ steps.shot }}", if: "\${{ params.up }}", else: "\${{ each }}", model: V-UP, with: { input_video: "\${{ each.result_url }}" } }
  last: { each: "\${{ steps.up }}", model: V-RF, with: { input_video: "\${{ each.result_url }}", aspect_ratio: 9:16, prompt: snow } }
`);
  expect([...made.instances].map(({ key, decision, price }) => [key, decision.is, price])).toEqual([
    ['shot[n=1]', 'run', 0.75],
    ['shot[n=2]', 'run', 0.75],
    ['up[n=1]', 'skip', 0],
    ['up[n=2]', 'skip', 0],
    // By the length of what stands in.
    ['last[n=1]', 'maybe', 0.6],
    ['last[n=2]', 'maybe', 0.6],
  ]);
});

test('a list whose incompleteness shows in the run alone fails its reader, in the next run as in the first', async () => {
  const film = `
steps:
  check: { run: [echo, '{"ok": 1}'] }
  shot: { matrix: { n: [1, 2] }, if: "\${{ steps.check.json.ok == matrix.n }}", run: [echo, shot] }
  all: { run: [echo, "\${{ steps.shot.map(s, s.stdout).join() }}"] }
  late: { needs: [shot], cache: false, run: [echo, "\${{ steps.check.json.ok }}"] }
`;
  const told = 'all: `shot` is incomplete: shot[n=2] was skipped; leave it out with `exclude`, or make it too';
  const first = await ran(film);
  expect([first.outcome.is, failures(first.film), stdoutOf(first.outcome, 'late')]).toEqual(['failed', [told], '1']);
  const again = await ran(film);
  expect([again.outcome.is, failures(again.film), stdoutOf(again.outcome, 'late')]).toEqual(['failed', [told], '1']);
  const decided = [...again.film.plan.instances].find(({ key }) => key === 'all')?.decision;
  expect(decided).toEqual({ is: 'run', why: told.replace('all: ', 'it will fail: ') });
});

test('the same where it follows from something that was skipped, and where more of it is still to be made', async () => {
  const film = (more: string) => `
steps:
  check: { run: [echo, '{"ok": 1}'] }
  still: { matrix: { n: [1, 2] }, if: "\${{ steps.check.json.ok == matrix.n }}", run: [echo, still] }
  shot: { each: "\${{ steps.still }}", run: [echo, "\${{ each.stdout }}${more}"] }
  all: { run: [echo, "\${{ steps.shot.map(s, s.stdout).join() }}"] }
`;
  expect((await ran(film(''))).outcome.is).toBe('failed');
  const again = await ran(film('!'));
  expect([again.outcome.is, stdoutOf(again.outcome, 'shot[n=1]')]).toEqual(['failed', 'still!']);
});

test('an instance that is picked by its place has its media and its coordinates, though others before it are not there', async () => {
  const film = `
steps:
  still: { matrix: { hour: [dawn, day, night] }, model: V-T2V-A, with: { prompt: "a bay at \${{ matrix.hour }}" } }
  shot:
    model: V-RF
    with: { prompt: "\${{ steps.still[2].matrix.hour }} comes", input_video: "\${{ steps.still[2].result_url }}", aspect_ratio: "9:16" }
`;
  rig.service.isQuick = false;
  const first = await rig.start(compiled(film));
  await rig.service.arrived(3);
  for (const hour of ['dawn', 'day', 'night']) await first.happened('submit_accepted', `still[hour=${hour}]`);
  const night = `gen-${1 + rig.service.posts.findIndex(({ prompt }) => prompt === 'a bay at night')}`;
  rig.service.finish(night);
  // At the same time as the others are made.
  await rig.service.arrived(4);
  await first.happened('submit_accepted', 'shot');
  expect(rig.service.posts.at(-1)).toMatchObject({ prompt: 'night comes' });
  for (const id of ['gen-1', 'gen-2', 'gen-3', 'gen-4']) if (id !== night) rig.service.finish(id);
  expect((await first.done).is).toBe('done');
  expect((await ran(compiled(film))).outcome).toMatchObject({ is: 'done', counts: { reused: 4, succeeded: 0 } });
});
