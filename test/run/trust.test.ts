/** POSTs whose answers are lost, on services whose history is not the kindest: nothing is sent twice without proof. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { HistoryRow } from '../../src/api/queue.ts';
import { examine } from '../../src/app/results/doctor.ts';
import { DEFAULT_LIMITS } from '../../src/run/engine/limits.ts';
import type { Outcome } from '../../src/run/engine/run.ts';
import { HOSTED_PROOF } from '../../src/run/requests/proof-of-absence.ts';
import { LOST_ANSWER } from './fake-service.ts';
import { ONE_SHOT } from './pipelines.ts';
import { eventLines, ofType, posts, ran, rig, type StartedRun, withQuickRig } from './rig.ts';

/** The second shot is sent when the first is made: the service is known to have taken one of ours. */
const TWO_IN_A_ROW = `
steps:
  first:
    model: V-T2V-A
    with: { prompt: a hare sleeps under a tree, duration: 5 }
  second:
    model: V-RF
    with:
      input_video: \${{ steps.first.result_url }}
      aspect_ratio: "9:16"
      prompt: snow falls on the river
`;
const THREE_ALIKE = `
steps:
  shot:
    matrix: { copy: [1, 2, 3] }
    model: V-T2V-A
    with: { prompt: a fox crosses a river }
`;
const TWO_OF_THEIR_OWN = `
steps:
  shot:
    matrix: { copy: [1, 2] }
    cache: false
    model: V-T2V-A
    with: { prompt: a fox crosses a river }
`;
const GATEWAY = { is: 'unknown', message: 'answered 504', gateway: true } as const;

withQuickRig(() => {
  rig.settings = { proof: HOSTED_PROOF };
});

const failures = (film: StartedRun) => ofType(film, 'failed').map(({ key, failure }) => `${key} ${failure.code}`);
const finish = (film: StartedRun) => film.events.find(event => event.type === 'run_finished');
const whyFailed = (film: StartedRun) =>
  ofType(film, 'failed')
    .map(({ failure }) => failure.message)
    .join('\n');
/** The ids that the service has answered, or listed. */
const idsOf = (film: StartedRun) =>
  ofType(film, 'submit_accepted')
    .map(({ generation_id }) => generation_id)
    .sort();

/** The first shot is taken and answered; the second is taken, and its answer lost. */
function loseTheSecond(): void {
  rig.service.trouble.push(
    { answer: { is: 'accepted', id: 'gen-1' }, take: true },
    { answer: LOST_ANSWER, take: true },
  );
}

test('a service that gives ids which another service gave as well is believed: its list shows the lost request, and nothing is sent again', async () => {
  await ran(TWO_IN_A_ROW);
  rig.service.records.clear();
  rig.settings = { proof: { ...HOSTED_PROOF, trusted: true } };
  rig.film = 'other';
  rig.service.trouble.push({ answer: LOST_ANSWER, take: true });
  const film = await rig.start(THREE_ALIKE, {}, 'annex');
  expect((await rig.runToEnd(film)).is).toBe('done');
  expect([posts(), failures(film)]).toStrictEqual([3, []]);
});

test('a lost request of a step that was renamed is given up by the name that the failure shows', async () => {
  rig.service.listsHistory = false;
  rig.settings = { proof: HOSTED_PROOF, cancel: 'shotlist cancel film.yaml' };
  rig.service.trouble.push({ answer: 'never', take: true });
  await rig.start(ONE_SHOT);
  await rig.service.arrived(1);
  const { film: renamed } = await ran(ONE_SHOT.replace('  shot:', '  take:'));
  expect(whyFailed(renamed)).toContain('`shotlist cancel film.yaml take --forget`');
  expect(rig.journal.views.ledger.open).toMatchObject([{ key: 'take', state: 'unknown' }]);
});

describe('a history that does not show what was sent exactly as it was sent', () => {
  const each = (change: (row: HistoryRow) => HistoryRow) => (rows: readonly HistoryRow[]) => rows.map(change);
  const without = (field: string) => (row: HistoryRow) => {
    const { [field]: _, ...rest } = row;
    return rest as HistoryRow;
  };
  const untold: Record<string, (rows: readonly HistoryRow[]) => readonly HistoryRow[]> = {
    'a field that no row of ours shows': each(without('aspect_ratio')),
    'no word of what was asked for': each(({ generation_id, status }) => ({ generation_id, status })),
    'all but the prompt, which is written anew': each(row => ({ ...row, prompt: 'cinematic masterpiece, 8k' })),
  };
  test.each(Object.entries(untold))(
    '%s: nobody can tell, it is told as perhaps spent and never sent again',
    async (_name, lists) => {
      loseTheSecond();
      rig.service.lists = lists;
      const film = await rig.start(TWO_IN_A_ROW);
      expect((await rig.runToEnd(film)).is).toBe('failed');
      expect(failures(film)).toEqual(['second submit_unknown']);
      expect(finish(film)).toMatchObject({ perhaps: { requests: 1, usd: [...film.plan.instances][1]?.price } });
      const again = await rig.start(TWO_IN_A_ROW);
      expect((await rig.runToEnd(again)).is).toBe('failed');
      expect(finish(again)).toMatchObject({ perhaps: { requests: 1 } });
      expect(posts()).toBe(2);
      // Once the service shows what it has, it is taken up.
      rig.service.lists = rows => rows;
      expect((await ran(TWO_IN_A_ROW)).outcome.is).toBe('done');
      expect(posts()).toBe(2);
    },
  );
});

describe('a request that never arrives', () => {
  /** The first shot arrives; the second never does. */
  function neverTheSecond(): void {
    rig.service.trouble.push({ answer: { is: 'accepted', id: 'gen-1' }, take: true });
    for (let time = 0; time < 20; time++) rig.service.trouble.push({ answer: LOST_ANSWER, take: false });
  }
  const sentAt = (film: StartedRun) =>
    ofType(film, 'submit_intended')
      .filter(({ key }) => key === 'second')
      .map(({ at }) => at);
  /** Somebody else's generations, one of which is begun every ten seconds, in a list that knows nothing of the lost one. */
  function othersAtWork(): void {
    const began = rig.clock.now();
    const other = (n: number): HistoryRow => ({
      ...{ generation_id: `theirs-${n}`, status: 'succeeded', model_name: 'V-T2V-B', prompt: `somebody's film ${n}` },
      enqueued_at: Math.floor((began + n * 10_000) / 1000),
    });
    const soFar = () => Math.floor((rig.clock.now() - began) / 10_000);
    rig.service.lists = rows => [...rows, ...Array.from({ length: soFar() + 1 }, (_, n) => other(n))];
  }
  const SPENT =
    'the request was sent 3 times and its answer was lost each time, though the service lists none of them: it is not sent again; look at the service, then `shotlist cancel film.yaml second --forget` and run again';

  test('of a film that has nothing else to do: a person is asked, for it may be listed minutes late', async () => {
    neverTheSecond();
    const film = await rig.start(TWO_IN_A_ROW);
    expect((await rig.runToEnd(film)).is).toBe('failed');
    expect(whyFailed(film)).toContain(
      'its answer was lost, and nothing that was made long after it is listed: it may still be carried out, or listed late: it may have been taken and paid for',
    );
    expect(posts()).toBe(2);
  });

  test('is proven absent by what is made five minutes later, in two looks 30 s apart, and sent three times in all', async () => {
    neverTheSecond();
    othersAtWork();
    const film = await rig.start(TWO_IN_A_ROW);
    expect((await rig.runToEnd(film)).is).toBe('failed');
    expect(whyFailed(film)).toContain(SPENT);
    expect(posts()).toBe(4);
    const [first = 0, second = 0, third = 0] = sentAt(film);
    expect(second - first).toBeGreaterThanOrEqual(330_000);
    expect(third - second).toBeGreaterThan(second - first);
    const again = await rig.start(TWO_IN_A_ROW);
    expect([...again.plan.instances][1]).toMatchObject({
      ...{ decision: { is: 'run', why: expect.stringMatching(/^sent 3 times, .*: not sent again until/) } },
      ...{ price: 0, demand: { usd: 0, generations: 0 } },
    });
    expect((await rig.runToEnd(again)).is).toBe('failed');
    expect(whyFailed(again)).toContain(SPENT);
    expect(posts()).toBe(4);
    await rig.kill();
    const { folder: root } = rig;
    const project = { root, pipelineFile: join(root, 'film.yaml'), settingsFile: '', stateFolder: root };
    writeFileSync(project.pipelineFile, '');
    const { findings } = await examine({
      ...{ file: 'film.yaml', flags: [], project, serviceName: 'house', hosted: undefined, attempts: 3, deep: false },
      ...{ open: async () => ({ is: 'wrong' }) as never, signal: new AbortController().signal },
    });
    expect(findings).toMatchObject([
      { is: 'unknown', key: 'second', command: 'shotlist cancel film.yaml second --forget' },
    ]);
  });

  test('is looked for as long as the run has other work, and proven absent by what that brings', async () => {
    const [first, long] = ['gen-1', 'gen-2'].map(id => ({ answer: { is: 'accepted', id } as const, take: true }));
    rig.service.trouble.push(first!, long!, { answer: LOST_ANSWER, take: false });
    rig.service.isQuick = false;
    const film = await rig.start(`${TWO_IN_A_ROW}  long: { model: V-T2V-B, with: { prompt: a glacier moves } }
  longer: { needs: [long], model: V-T2V-B, with: { prompt: the glacier has moved } }
`);
    await film.happened('submit_accepted', 'long');
    rig.service.finish('gen-1');
    await film.happened('submit_unknown', 'second');
    await rig.clock.advance(1_200_000);
    expect([posts(), failures(film)]).toEqual([3, []]);
    rig.service.finish('gen-2');
    await film.happened('submit_accepted', 'longer');
    rig.service.isQuick = true;
    await rig.clock.advance(120_000);
    await film.happened('submit_accepted', 'second');
    expect(posts()).toBe(5);
  });

  test('as often as the settings say', async () => {
    neverTheSecond();
    othersAtWork();
    rig.settings = { proof: HOSTED_PROOF, limits: { ...DEFAULT_LIMITS, attempts: 1 } };
    const { film } = await ran(TWO_IN_A_ROW);
    expect(whyFailed(film)).toContain(
      'the request was sent once and its answer was lost, though the service does not list it: it is not sent again',
    );
    expect(posts()).toBe(2);
  });
});

test('behind a gateway that gives up the request is carried out minutes later: it is found, and not sent again', async () => {
  rig.service.trouble.push({ answer: { is: 'accepted', id: 'gen-1' }, take: true }, { answer: GATEWAY, take: 200_000 });
  const film = await rig.start(TWO_IN_A_ROW);
  expect((await rig.runToEnd(film)).is).toBe('done');
  expect(ofType(film, 'submit_unknown')[0]).toMatchObject({ gateway: true });
  expect(posts()).toBe(2);
});

describe('equal requests', () => {
  test('follow the first one, whose answer is lost and of which nobody can tell', async () => {
    rig.service.listsHistory = false;
    rig.service.trouble.push({ answer: LOST_ANSWER, take: true });
    const film = await rig.start(THREE_ALIKE);
    expect((await rig.runToEnd(film)).counts).toMatchObject({ failed: 3 });
    expect(new Set(failures(film).map(line => line.replace(/.* /, '')))).toEqual(new Set(['submit_unknown']));
    expect(finish(film)).toMatchObject({ perhaps: { requests: 1 } });
    expect(posts()).toBe(1);
  });

  test('follow the first one, which was not brought home; the next run brings it home for all', async () => {
    for (let time = 0; time < 4; time++) rig.fetches.push({ is: 'failed', message: 'the disk of the service is slow' });
    const film = await rig.start(THREE_ALIKE);
    expect((await rig.runToEnd(film)).counts).toMatchObject({ failed: 3 });
    expect(failures(film)).toContain('shot[copy=2] download_failed');
    expect((await ran(THREE_ALIKE)).outcome.counts).toMatchObject({ succeeded: 1, reused: 2 });
    expect(posts()).toBe(1);
  });

  test('follow the first one, whose time was over; the next run takes it up for all', async () => {
    rig.service.isQuick = false;
    const film = await rig.start(THREE_ALIKE.replace('    model:', '    timeout: 10m\n    model:'));
    expect((await rig.runToEnd(film)).counts).toMatchObject({ failed: 3 });
    expect(failures(film)).toContain('shot[copy=3] timed_out');
    rig.service.finish('gen-1', { silently: true });
    expect((await ran(THREE_ALIKE)).outcome.counts).toMatchObject({ succeeded: 1, reused: 2 });
    expect(posts()).toBe(1);
  });

  test('one lost, one still on the wire: nothing is adopted until that one is answered', async () => {
    const wire = Promise.withResolvers<{ is: 'accepted'; id: string }>();
    rig.service.trouble.push({ answer: LOST_ANSWER, take: true }, { answer: wire.promise, take: true });
    const film = await rig.start(TWO_OF_THEIR_OWN);
    await film.happened('submit_unknown');
    await rig.clock.asleep(ms => ms <= 2_000);
    await rig.clock.advance(200_000);
    expect(eventLines(film.events)).not.toContain('shot[copy=1] submit_accepted');
    wire.resolve({ is: 'accepted', id: 'gen-2' });
    expect((await rig.runToEnd(film)).counts).toMatchObject({ succeeded: 2 });
    expect(idsOf(film)).toEqual(['gen-1', 'gen-2']);
    expect(posts()).toBe(2);
  });

  test('all lost: each takes up one of its own, and never the same', async () => {
    rig.service.trouble.push({ answer: LOST_ANSWER, take: true }, { answer: LOST_ANSWER, take: true });
    const film = await rig.start(TWO_OF_THEIR_OWN);
    expect((await rig.runToEnd(film)).counts).toMatchObject({ succeeded: 2 });
    expect(idsOf(film)).toEqual(['gen-1', 'gen-2']);
    expect(posts()).toBe(2);
  });
});

describe('an id that is answered for a second request', () => {
  const again = { answer: { is: 'accepted', id: 'gen-1' }, take: true } as const;

  test('is refused, and its own is looked for and found', async () => {
    rig.service.trouble.push(again, again);
    const film = await rig.start(TWO_IN_A_ROW);
    const { results } = await rig.runToEnd(film);
    const made = [...results.values()].map(({ result }) => result.is === 'media' && result.generation_id);
    expect(made).toEqual(['gen-1', 'gen-2']);
    expect(ofType(film, 'submit_unknown')[0]).toMatchObject({
      reason: "the service answered with gen-1, which is another request's id",
    });
    expect(posts()).toBe(2);
  });

  test('is refused across runs, and where nothing is listed nobody can tell', async () => {
    rig.service.listsHistory = false;
    await ran(TWO_IN_A_ROW);
    rig.service.trouble.push(again);
    const { film } = await ran(TWO_IN_A_ROW.replace('snow falls', 'rain falls'));
    expect(failures(film)).toEqual(['second submit_unknown']);
    expect(posts()).toBe(3);
  });
});

test.each([
  ['behind a gateway', GATEWAY],
  ['cut', { is: 'unknown', message: 'the connection was cut' } as const],
])('a job of one minute that is repeated comes to an end: the answer was lost %s', async (_, answer) => {
  rig.service.trouble.push({ answer: { is: 'accepted', id: 'gen-1' }, take: true }, { answer, take: false });
  let how: string | undefined;
  let jobs = 0;
  for (; how === undefined && jobs < 12; jobs++) {
    const film = await rig.start(TWO_IN_A_ROW);
    const ended = (outcome?: Outcome) => {
      how = outcome?.is;
    };
    void film.done.then(ended, () => ended());
    for (let second = 0; second < 60 && how === undefined; second += 5) await rig.clock.advance(5_000);
    await rig.kill();
  }
  expect([how, posts()]).toEqual(['failed', 2]);
  expect(jobs).toBeLessThanOrEqual(10);
});

describe('a clock that jumps three days ahead after an answer was lost', () => {
  /** The history shows what was lost four minutes late. */
  async function jumped(lists: (rows: readonly HistoryRow[]) => readonly HistoryRow[], more = ''): Promise<StartedRun> {
    loseTheSecond();
    const shown = rig.clock.now() + 240_000 + 3 * 86_400_000;
    rig.service.lists = rows =>
      lists(rig.clock.now() < shown ? rows.filter(row => row.generation_id !== 'gen-2') : rows);
    const film = await rig.start(TWO_IN_A_ROW);
    await rig.runUntil(film, 'submit_unknown');
    await rig.kill();
    rig.clock.set(3 * 86_400_000);
    const { film: again } = await ran(TWO_IN_A_ROW + more);
    return again;
  }
  const undated = (rows: readonly HistoryRow[]) => rows.map(({ enqueued_at: _, ...row }) => row as HistoryRow);

  test('shows nothing made later: a person is asked', async () => {
    const film = await jumped(rows => rows);
    expect(whyFailed(film)).toContain('nothing that was made long after it is listed');
    expect(posts()).toBe(2);
  });

  test('and what is sent a moment later is no proof where the service shows no dates', async () => {
    const other = '  other: { model: V-T2V-B, with: { prompt: a glacier moves } }\n';
    const film = await jumped(undated, other);
    expect(failures(film)).toEqual([]);
    expect(posts()).toBe(3);
  });
});

test('a Retry-After of 0 again and again is asked less and less often', async () => {
  const busy = { is: 'refused', status: 429, message: 'slow down', retryAfter: 0 } as const;
  // Where there is a list, it is looked at before.
  rig.service.listsHistory = false;
  for (let time = 0; time < 6; time++) rig.service.trouble.push({ answer: busy, take: false });
  const film = await rig.start(TWO_IN_A_ROW);
  expect((await rig.runToEnd(film)).is).toBe('done');
  const sent = ofType(film, 'submit_intended').filter(({ key }) => key === 'first');
  const waits = sent.slice(1).map(({ at }, n) => at - (sent[n]?.at ?? 0));
  expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000]);
});
