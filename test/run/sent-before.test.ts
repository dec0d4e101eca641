/** What earlier runs left at the service: the plan of the next one says so before anything is sent, and so do its events and first words. */
import { writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Pricing } from '../../src/api/catalog.ts';
import { reduce } from '../../src/records/views/reduce.ts';
import { emptyRunView } from '../../src/records/views/run-view.ts';
import { formatPlan } from '../../src/show/plan/plan-text.ts';
import { plainReporter } from '../../src/show/reporters/plain.ts';
import { moneyTexts } from '../../src/show/text/opening-and-outcome.ts';
import { newestReport } from '../text/report/report-of.ts';
import { LOST_ANSWER } from './fake-service.ts';
import { ONE_SHOT, SHOT_REFRAMED, TWO_SHOTS } from './pipelines.ts';
import { beside, type RunRig, ran, rig, type StartedRun, withRig } from './rig.ts';

const PRICES: ReadonlyMap<string, Pricing> = new Map([
  ['V-T2V-A', { method: 'per_video_output_second', cost_per_second: 0.1 }],
  ['V-RF', { method: 'per_video_output_second', cost_per_second: 0.06 }],
]);

withRig(() => {
  rig.pricing = PRICES;
});

const told = ({ plan }: StartedRun) =>
  [...plan.instances].map(({ key, decision }) => `${key}: ${decision.is}, ${decision.why}`);
const firstEvent = ({ events }: StartedRun) => {
  const [event] = events;
  if (event?.type !== 'run_started') throw new Error('no run has started');
  return event;
};
/** The lines of plain text that it is told in. */
function plainLines({ events }: StartedRun): readonly string[] {
  const lines: string[] = [];
  const reporter = plainReporter(line => lines.push(line));
  for (const event of events) reporter.report(event);
  return lines.flatMap(line => line.split('\n'));
}

/** The film is planned anew when the service has taken its request, and the run before is killed. */
async function afterKill(text = ONE_SHOT): Promise<StartedRun> {
  await (await rig.start(text)).happened('submit_accepted');
  return rig.start(text);
}

describe('a run that was killed while the service was at work', () => {
  test('leaves what is under way, paid already: no price is added for it a second time', async () => {
    const again = await afterKill(SHOT_REFRAMED);
    expect(told(again)).toStrictEqual([
      'shot: sent, under way as gen-1: already paid ($0.50)',
      'framed: maybe, waits for shot',
    ]);
    expect(again.plan.totals).toMatchObject({ sent: 1, maybe: 1, usd: 0.3, paid: 0.5, perhaps: 0 });
    const { usd, paid, perhaps, instances } = firstEvent(again);
    expect({ usd, paid, perhaps }).toStrictEqual({ usd: 0.3, paid: { requests: 1, usd: 0.5 }, perhaps: undefined });
    expect(instances.map(({ key, at_service }) => [key, at_service])).toStrictEqual([
      ['shot', 'under_way'],
      ['framed', undefined],
    ]);
    await again.happened('taken_up');
    expect(moneyTexts(again.events.reduce(reduce, emptyRunView()))[0]).toBe(
      'spent $0.00 · in flight $0.50 · to come up to $0.30',
    );
    expect(newestReport(rig).run).toMatchObject({ spent: 0, in_flight: { requests: 1, usd: 0.5 } });
    rig.service.finish('gen-1');
    await again.happened('submit_accepted', 'framed');
    rig.service.finish('gen-2');
    await rig.runToEnd(again);
    const lines = plainLines(again);
    expect(lines[0]).toBe('film: resumed, 2 instances on house, up to $0.30; 1 under way, already paid ($0.50)');
    expect(lines.at(-1)).toMatch(/2 made, about \$0\.80 spent, \$0\.50 of it sent by an earlier run$/);
    expect(rig.service.posts.length).toBe(2);
    expect(told(await rig.start(SHOT_REFRAMED))[0]).toBe('shot: hit, unchanged');
  });

  test('may have cost what it was sent at where the service lost sight of it: no line says that it cost nothing', async () => {
    const again = await afterKill();
    rig.service.denied.add('gen-1');
    await rig.runToEnd(again);
    const lines = plainLines(again);
    expect(lines.filter(line => line.includes('$'))).toEqual([
      expect.stringMatching(/nothing to pay; 1 under way, already paid \(\$0\.50\)$/),
      expect.stringMatching(/1 failed, nothing spent, \$0\.50 in flight for 1 request$/),
      expect.stringMatching(/^ {2}out of sight at house: .*; it may have cost \$0\.50$/),
    ]);
  });

  test('may have cost its price once, where two instances asked for the same', async () => {
    rig.service.listsHistory = false;
    rig.service.trouble.push({ answer: LOST_ANSWER, take: true });
    const { film } = await ran(TWO_SHOTS.replace(', seed: "${{ matrix.seed }}"', ', duration: 5'));
    const lines = plainLines(film).filter(line => /cost|more for/.test(line));
    expect(lines).toEqual([
      expect.stringMatching(
        /2 failed, nothing known to be spent, perhaps \$0\.50 more for a request whose answer was lost$/,
      ),
      expect.stringMatching(/; it may have cost \$0\.50$/),
      expect.stringMatching(/; it cost nothing$/),
    ]);
  });

  test('leaves what was made, and only has to be fetched', async () => {
    const first = await rig.start(ONE_SHOT);
    await first.happened('submit_accepted');
    rig.fetches.push('never');
    rig.service.finish('gen-1');
    await first.happened('generated');
    const again = await rig.start(ONE_SHOT);
    expect(told(again)).toStrictEqual(['shot: sent, made as gen-1, and not downloaded yet: already paid ($0.50)']);
    await rig.runToEnd(again);
    expect(plainLines(again)[0]).toBe(
      'film: resumed, 1 instance on house, nothing to pay; 1 made before and to be fetched',
    );
    expect(rig.service.posts.length).toBe(1);
  });

  test('leaves a request whose answer nobody heard: perhaps paid, and told as that', async () => {
    rig.service.trouble.push({ answer: 'never', take: true });
    const first = await rig.start(TWO_SHOTS);
    await first.happened('submit_accepted', 'shot[seed=2]');
    const again = await rig.start(TWO_SHOTS);
    expect(told(again)).toStrictEqual([
      'shot[seed=1]: sent, answer lost: perhaps paid ($0.50), looked for before it is sent again',
      'shot[seed=2]: sent, under way as gen-2: already paid ($0.50)',
    ]);
    expect(again.plan.totals).toMatchObject({ usd: 0, paid: 0.5, perhaps: 0.5 });
    expect(firstEvent(again)).toMatchObject({
      ...{ usd: 0, paid: { requests: 1, usd: 0.5 }, perhaps: { requests: 1, usd: 0.5 } },
    });
    expect(plainLines(again)[0]).toBe(
      'film: resumed, 2 instances on house, nothing to pay; 1 under way, already paid ($0.50); 1 answer lost, perhaps paid ($0.50)',
    );
    expect(formatPlan(again.plan, { width: 200 })).toContain(
      'total         2 sent: nothing to pay ($0.50 is paid already) ($0.50 is perhaps paid: the answers were lost)',
    );
    rig.service.isQuick = true;
    rig.service.finish('gen-1');
    rig.service.finish('gen-2');
    await rig.runToEnd(again);
    expect(rig.service.posts.length).toBe(2);
    // Also the one that this run has found.
    expect(plainLines(again).at(-1)).toMatch(/2 made, about \$1\.00 spent, sent by an earlier run$/);
  });

  test('leaves a chat whose answer was lost: no list shows it, so that no run looks for it', async () => {
    rig.service.chatAnswers.push({ is: 'unknown', message: 'house: reset' });
    const film = 'shotlist: 1\nname: film\nsteps: { say: { model: C-D, with: { prompt: hello, max_tokens: 5 } } }\n';
    await ran(film);
    const again = await rig.start(film);
    expect(told(again)).toStrictEqual([
      'say: sent, answer lost: perhaps paid, and a chat is listed nowhere: it is sent again only with --on-unknown resubmit',
    ]);
    await again.done;
    expect(rig.service.calls).toHaveLength(1);
  });

  test('leaves nothing where the request was refused', async () => {
    rig.service.trouble.push({ answer: { is: 'refused', status: 400, message: 'no' }, take: false });
    await ran(ONE_SHOT);
    expect(told(await rig.start(ONE_SHOT))[0]).toBe('shot: run, its last try failed');
  });

  test('is gone on with under --frozen: nothing of it is paid for again', async () => {
    await (await rig.start(ONE_SHOT)).happened('submit_accepted');
    rig.frozen = true;
    const again = await rig.start(ONE_SHOT);
    await again.happened('taken_up');
    rig.service.finish('gen-1');
    expect((await rig.runToEnd(again)).is).toBe('done');
  });
});

test('a request that was lost, and whose place is known to be empty, is run again with its price', async () => {
  rig.onUnknown = 'resubmit';
  rig.service.trouble.push({ answer: LOST_ANSWER, take: false });
  const first = await rig.start(ONE_SHOT);
  await first.happened('submit_unknown');
  const again = await rig.start(ONE_SHOT);
  expect(again.plan.totals).toMatchObject({ sent: 1, usd: 0, perhaps: 0.5 });
  rig.service.isQuick = true;
  await rig.runToEnd(again);
  expect(rig.service.posts.length).toBe(2);
});

describe('another film of the project', () => {
  let other: RunRig;
  beforeEach(() => {
    other = beside({ film: 'ads~trailer', pricing: PRICES });
  });

  test('that has sent the same is named, while it runs and when it was killed', async () => {
    const first = await rig.start(ONE_SHOT);
    await first.happened('submit_accepted');
    const said = ['shot: sent, under way as gen-1, for the film film: already paid ($0.50)'];
    const second = await other.start(ONE_SHOT);
    expect(told(second)).toStrictEqual(said);
    expect(firstEvent(second)).toMatchObject({ usd: 0, paid: { requests: 1, usd: 0.5 } });
    await other.kill();
    await rig.kill();
    expect(told(await other.start(ONE_SHOT))).toStrictEqual(said);
  });

  test('that waits for its answer at this moment has not lost it', async () => {
    rig.service.trouble.push({ answer: 'never', take: true });
    const first = await rig.start(ONE_SHOT);
    await first.happened('submit_intended');
    await rig.service.arrived(1);
    expect(told(await other.start(ONE_SHOT))).toStrictEqual([
      'shot: sent, under way, for the film film: already paid ($0.50)',
    ]);
    await rig.kill();
    expect(told(await other.start(ONE_SHOT))).toStrictEqual([
      'shot: sent, answer lost, for the film film: perhaps paid ($0.50), looked for before it is sent again',
    ]);
  });

  test('that has made the same is named where it is owned, until the film has it in its own lock', async () => {
    rig.service.isQuick = true;
    await other.runToEnd(await other.start(ONE_SHOT));
    const first = await rig.start(ONE_SHOT);
    expect(told(first)).toStrictEqual(['shot: hit, the same request was made for the film ads/trailer']);
    await rig.runToEnd(first);
    expect(told(await rig.start(ONE_SHOT))).toStrictEqual(['shot: hit, unchanged']);
    expect(rig.service.posts.length).toBe(1);
  });

  test('on another account is nobody\u2019s business', async () => {
    const first = await rig.start(ONE_SHOT);
    await first.happened('submit_accepted');
    expect(told(await other.start(ONE_SHOT, {}, 'elsewhere'))[0]).toBe('shot: run, never run');
  });
});

test('what is fetched again is told as that, from the first line to the last', async () => {
  rig.service.isQuick = true;
  await ran(ONE_SHOT);
  await rig.cloneAfresh();
  const { film: again } = await ran(ONE_SHOT);
  expect(firstEvent(again).instances[0]).toMatchObject({ at_service: 'made' });
  expect(again.events.find(event => event.type === 'reused')).toMatchObject({ fetched: true });
  const lines = plainLines(again);
  expect(lines[0]).toBe('film: 1 instance on house, nothing to pay; 1 made before and to be fetched');
  expect(lines.join('\n')).toMatch(/shot {2}fetched again, /);
  expect(lines.at(-1)).toMatch(/1 fetched again, nothing spent$/);
});

test('what the service has no more is made, and told with its price', async () => {
  rig.service.isQuick = true;
  await ran(ONE_SHOT);
  await rig.cloneAfresh();
  rig.service.denied.add('gen-1');
  const { film: again } = await ran(ONE_SHOT);
  const lines = plainLines(again);
  expect(lines[0]).toBe('film: 1 instance on house, nothing to pay; 1 made before and to be fetched');
  expect(lines.join('\n')).toMatch(/shot {2}submitted {2}V-T2V-A {2}~\$0\.50/);
  expect(lines.at(-1)).toMatch(/1 made, about \$0\.50 spent$/);
});

describe('a fresh clone whose lock the built-in studio wrote', () => {
  const FILM = SHOT_REFRAMED;
  beforeEach(() => {
    rig.service.isQuick = true;
    rig.fileAt = (url, path) => writeFileSync(path, /gen-[135]/.test(url) ? 'the shot' : 'the reframed shot');
  });

  test('draws again, free, and leaves the lock as it is, byte for byte', async () => {
    await ran(FILM, {}, 'studio');
    const lock = rig.lockText;
    expect(lock).toMatch(/generation: null/);
    expect(lock).not.toMatch(/gen-/);
    await rig.cloneAfresh();
    const again = await rig.start(FILM, {}, 'studio');
    expect(told(again)).toStrictEqual(['shot: run, drawn again, free', 'framed: run, drawn again, free']);
    expect(again.plan.totals).toMatchObject({ run: 2, usd: 0.8 });
    expect((await rig.runToEnd(again)).is).toBe('done');
    expect(rig.lockText).toBe(lock);
    const lines = plainLines(again);
    expect(lines[0]).toBe('film: 2 instances on studio, free ($0.80 at list price); 2 drawn again, free');
    expect(lines.at(-1)).toMatch(/: 2 drawn again, free \(\$0\.80 at list price\)$/);
  });

  test('says so at its end also of what depended on results that were not here', async () => {
    const film = `${ONE_SHOT}  still:
    model: I-GEN-A
    with: { prompt: "\${{ steps.told.stdout }}" }
  told: { run: [sh, -c, "echo a fox > words.txt; cat words.txt"], creates: { words: words.txt } }
`;
    await ran(film, {}, 'studio');
    await rig.cloneAfresh();
    const again = await rig.start(film, {}, 'studio');
    expect(told(again)).toContain('still: maybe, waits for told');
    await rig.runToEnd(again);
    expect(plainLines(again).at(-1)).toMatch(/: 1 made, 2 drawn again, /);
  });

  test('is allowed by --frozen; what was never made is not', async () => {
    await ran(FILM, {}, 'studio');
    await rig.cloneAfresh();
    rig.frozen = true;
    expect((await ran(FILM, {}, 'studio')).outcome.is).toBe('done');
    expect((await ran(FILM.replace('snow', 'rain'), {}, 'studio')).outcome.is).toBe('frozen');
  });

  test('fits into a budget that the first run has used up', async () => {
    const limited = `${FILM}budget: { generations: 2 }
`;
    await ran(limited, {}, 'studio');
    await rig.cloneAfresh();
    expect((await ran(limited, {}, 'studio')).outcome.is).toBe('done');
  });
});

test('an id at a hosted service is replaced in the lock only when it is gone there', async () => {
  rig.service.isQuick = true;
  rig.fileAt = (_, path) => writeFileSync(path, 'a film');
  await ran(ONE_SHOT);
  const lock = rig.lockText;
  rig.selection = { redo: ['shot'] };
  await ran(ONE_SHOT);
  expect([rig.service.posts.length, rig.lockText]).toStrictEqual([2, lock]);
  rig.selection = undefined;
  await rig.cloneAfresh();
  rig.service.denied.add('gen-1');
  await ran(ONE_SHOT);
  expect([rig.service.posts.length, rig.lockText]).toStrictEqual([3, lock?.replace('gen-1', 'gen-3')]);
});
