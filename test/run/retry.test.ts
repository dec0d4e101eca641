/** `retry`: what has failed is tried again by itself, as often as its author says, paid for each time, and never where nobody knows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { reduce } from '../../src/records/views/reduce.ts';
import { emptyRunView } from '../../src/records/views/run-view.ts';
import { summaryLines } from '../../src/show/text/run-summary.ts';
import { filmStatus } from '../../src/show/text/status/film-status.ts';
import { statusText } from '../../src/show/text/status/status-text.ts';
import { settled } from '../support/settled.ts';
import { newestReport } from '../text/report/report-of.ts';
import { chatAnswer, LOST_ANSWER } from './fake-service.ts';
import { eventLines, ofType, type RunRig, ran, rig, type StartedRun, withRig } from './rig.ts';

withRig();

const film = (step: string, more = '') => `shotlist: 1\nname: x\n${more}steps:\n  ${step}\n`;
const shot = (retry: string, more = '') =>
  film(`shot: { model: V-T2V-A, retry: ${retry}${more}, with: { prompt: a fox, seed: 7 } }`);

/** Each generation fails as soon as the service has it. */
async function failing(run: StartedRun, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await rig.service.arrived(Number(id.split('-')[1]));
    await settled();
    rig.service.fail(id, 'out of memory');
    await settled();
    if (run.events.at(-1)?.type === 'retrying') await rig.clock.advance(rig.clock.sleeping[0] ?? 0);
  }
}

/** The first generation has failed, and its retry waits. */
async function failedOnce(run: StartedRun): Promise<void> {
  await rig.service.arrived(1);
  await settled();
  rig.service.fail('gen-1', 'out of memory');
  await run.happened('retrying');
}
/** A later one succeeds. */
async function finished(run: StartedRun, id: string) {
  await rig.service.arrived(Number(id.split('-')[1]));
  await settled();
  rig.service.finish(id);
  return run.done;
}

describe('a generation that fails', () => {
  test('is asked for again, the same request with a new intent, after a wait that doubles; the last failure stands', async () => {
    const run = await rig.start(shot('{ attempts: 3, backoff: 20s }'));
    await failing(run, ['gen-1', 'gen-2', 'gen-3']);
    expect(await run.done).toMatchObject({ is: 'failed' });
    const waits = ofType(run, 'retrying').map(({ attempt, of, until, at }) => [attempt, of, until - at]);
    expect(waits).toEqual([
      [2, 3, 20_000],
      [3, 3, 40_000],
    ]);
    expect(rig.service.posts).toEqual(Array(3).fill({ model: 'V-T2V-A', prompt: 'a fox', seed: 7 }));
    const intents = ofType(run, 'submit_intended');
    expect(new Set(intents.map(({ nonce }) => nonce)).size).toBe(3);
    expect(new Set(intents.map(({ fingerprint }) => fingerprint)).size).toBe(1);
    // Nothing is left open: each was closed by its own failure.
    expect(rig.journal.views.ledger.open).toEqual([]);
  });

  describe('counts in the budget, as the service may bill it', () => {
    const priced = (usd: number) =>
      shot('{ attempts: 2 }').replace('seed: 7', 'duration: 5').replace('steps:', `budget: { usd: ${usd} }\nsteps:`);
    const words = (run: StartedRun) => summaryLines(run.events.reduce(reduce, emptyRunView())).map(({ text }) => text);
    beforeEach(() => {
      rig.pricing = new Map([['V-T2V-A', { method: 'per_video_output_second', cost_per_second: 0.1 }]]);
    });

    test('and the last words say why it holds more than the run has spent', async () => {
      const run = await rig.start(priced(9));
      await failing(run, ['gen-1']);
      await rig.service.arrived(2);
      await settled();
      rig.service.finish('gen-2');
      await run.done;
      expect(words(run).filter(text => text.includes('$'))).toEqual([
        expect.stringMatching(/: 1 made, about \$0\.50 spent$/),
        'budget: $1.00 of $9.00 spent',
        '$0.50 of that is for a request without a result: the service may bill it',
      ]);
    });

    test('and where nothing is left for the next try, no line says that nothing was spent; status says why it stopped', async () => {
      const run = await rig.start(priced(0.9));
      await failing(run, ['gen-1']);
      expect(await run.done).toMatchObject({ is: 'budget' });
      expect(words(run)[0]).toMatch(/^x stopped at its budget after .*: 1 not finished, nothing known to be spent$/);
      const [head, why, money] = statusText([filmStatus(newestReport(rig), [], '')], rig.clock.now(), 200).split('\n');
      expect(head).toMatch(/^film\.yaml on house: stopped at its budget, /);
      expect(money).toBe('  0 of 1 there; nothing known to be spent, budget $0.90');
      expect(why).toMatch(
        /^ {2}shot is not sent: it comes to \$0\.50, and the film's budget of \$0\.90 leaves \$0\.40/,
      );
    });
  });

  test('and is not asked for again before the run ends, is open nowhere: its report does not say that the next run takes it up', async () => {
    const run = await rig.start(shot('{ attempts: 3 }'));
    await rig.service.arrived(1);
    await settled();
    rig.service.fail('gen-1', 'out of memory');
    await run.happened('retrying');
    await rig.kill();
    await rig.start(shot('{ attempts: 3 }'));
    expect(newestReport(rig, undefined, 0).instances).toMatchObject([
      { state: 'not_run', why: { verdict: 'the run ended before its next try' } },
    ]);
  });

  test('and then does not, is a success like any other', async () => {
    const run = await rig.start(shot('{ attempts: 3 }'));
    await failing(run, ['gen-1']);
    expect(await finished(run, 'gen-2')).toMatchObject({ is: 'done' });
    expect(eventLines(run.events).slice(-5, -1)).toEqual([
      ...['shot submit_intended', 'shot submit_accepted', 'shot generated', 'shot succeeded'],
    ]);
  });

  test('is final without `retry`, with one attempt, and where its kind is not named', async () => {
    for (const retry of ['{ attempts: 1 }', '{ attempts: 3, on: [download, refused] }']) {
      const before = rig.service.posts.length;
      const run = await rig.start(shot(retry));
      await failing(run, [`gen-${before + 1}`]);
      expect(await run.done).toMatchObject({ is: 'failed' });
      expect(rig.service.posts.length).toBe(before + 1);
    }
  });

  test('killed while it waits, the next run goes on with the count, and waits out what is left', async () => {
    const run = await rig.start(shot('{ attempts: 3, backoff: 60s }'));
    await failedOnce(run);
    await settled();
    await rig.clock.advance(20_000);
    const next = await rig.start(shot('{ attempts: 3, backoff: 60s }'));
    await settled();
    expect(rig.service.posts.length).toBe(1);
    await rig.clock.advance(39_000);
    expect(rig.service.posts.length).toBe(1);
    await rig.clock.advance(2_000);
    await failing(next, ['gen-2', 'gen-3']);
    expect(await next.done).toMatchObject({ is: 'failed' });
    expect(ofType(next, 'retrying').map(({ attempt }) => attempt)).toEqual([3]);
    // A person who runs it again begins anew.
    const anew = await rig.start(shot('{ attempts: 3, backoff: 60s }'));
    await failing(anew, ['gen-4', 'gen-5', 'gen-6']);
    expect(await anew.done).toMatchObject({ is: 'failed' });
    expect(rig.service.posts.length).toBe(6);
  });

  test('whose clock was set back by a year while nobody ran it does not wait for a year', async () => {
    const run = await rig.start(shot('{ attempts: 2, backoff: 60s }'));
    await failedOnce(run);
    await rig.kill();
    rig.clock.tick(-365 * 24 * 3_600_000);
    const next = await rig.start(shot('{ attempts: 2, backoff: 60s }'));
    await settled();
    await rig.clock.advance(13 * 60_000);
    expect(await finished(next, 'gen-2')).toMatchObject({ is: 'done' });
  });

  test('twins share the attempts: each further one is asked for once', async () => {
    const run = await rig.start(
      film(
        'a: { model: V-T2V-B, retry: { attempts: 2 }, with: { prompt: x } }\n  b: { model: V-T2V-B, retry: { attempts: 2 }, with: { prompt: x } }',
      ),
    );
    await failing(run, ['gen-1']);
    expect((await finished(run, 'gen-2')).counts).toMatchObject({ succeeded: 1, reused: 1 });
    expect(rig.service.posts.length).toBe(2);
  });
});

test('what is not asked for again: a refusal, unless it is named', async () => {
  const no = { is: 'refused', status: 422, message: 'the prompt is not allowed' } as const;
  rig.service.trouble.push({ answer: no, take: false });
  expect((await ran(shot('{ attempts: 3 }'))).outcome).toMatchObject({ is: 'failed' });
  expect(rig.service.posts.length).toBe(1);
  rig.service.trouble.push({ answer: no, take: false });
  rig.service.isQuick = true;
  expect((await ran(shot('{ attempts: 3, on: [refused] }'))).outcome).toMatchObject({ is: 'done' });
  expect(rig.service.posts.length).toBe(3);
});

/** Each vice, by the name that the studio and the simulation have for it, and how the generation's own run ends on such a day. */
const ON_A_BAD_DAY: Readonly<Record<string, { readonly begins: (house: RunRig) => void; readonly ends: string }>> = {
  'succeeds-without-url': {
    begins: ({ service }) => service.finish('gen-1', { withoutUrl: true }),
    ends: 'download_failed',
  },
  'forgets-for-good': { begins: ({ service }) => service.denied.add('gen-1'), ends: 'generation_lost' },
  'results-gone': { begins: house => spoils(house, { is: 'gone', message: '404' }), ends: 'download_failed' },
  'results-lie': { begins: house => spoils(house, { is: 'misfit', message: 'a web page' }), ends: 'download_failed' },
  'results-short': { begins: house => spoils(house, { is: 'failed', message: 'cut off' }), ends: 'download_failed' },
  'status-unknown': { begins: ({ service }) => service.says('gen-1', 'warming_up'), ends: 'timed_out' },
  'status-goes-back': { begins: ({ service }) => service.says('gen-1', 'queued'), ends: 'timed_out' },
};
const spoils = ({ service, fetches }: RunRig, fetched: RunRig['fetches'][number]) => {
  fetches.push(...Array.from({ length: 40 }, () => fetched));
  service.finish('gen-1');
};
/** It would be asked for anew after anything; and cancelled when it takes too long, which this service does not offer. */
const EVERYTHING =
  '{ attempts: 3, backoff: 1s, on: [failed, download, timed_out, cancelled, refused] }, on_timeout: cancel, timeout: 40m';

describe('what is not over at the service is asked for by no other request, whatever `on` says', () => {
  test.each(Object.entries(ON_A_BAD_DAY))('%s: it is left to the next run, which brings it home', async (_, day) => {
    const film = shot(EVERYTHING);
    const run = await rig.start(film);
    await rig.service.arrived(1);
    await settled();
    day.begins(rig);
    expect(await rig.runToEnd(run)).toMatchObject({ is: 'failed' });
    expect(ofType(run, 'failed').map(({ failure }) => failure.code)).toEqual([day.ends]);
    expect(ofType(run, 'retrying').filter(({ failure }) => failure.code !== 'download_failed')).toEqual([]);
    expect(rig.service.posts.length).toBe(1);
    // It stays ours, and open.
    expect(rig.journal.views.ledger.open.map(({ id }) => id)).toEqual(['gen-1']);

    rig.fetches.length = 0;
    rig.service.denied.clear();
    rig.service.finish('gen-1');
    expect((await ran(film)).outcome).toMatchObject({ is: 'done' });
    expect(rig.service.posts.length).toBe(1);
  });

  test.each([
    ['drops-answers', LOST_ANSWER],
    ['answers-504', { is: 'unknown', message: 'house answered 504', gateway: true } as const],
  ])('%s: a lost answer is looked for, and where nobody can tell a person is', async (_, answer) => {
    rig.service.listsHistory = false;
    rig.service.trouble.push({ answer, take: true });
    const run = await rig.start(shot(EVERYTHING));
    expect(await rig.runToEnd(run)).toMatchObject({ is: 'failed' });
    expect(ofType(run, 'retrying')).toEqual([]);
    expect(rig.service.posts.length).toBe(1);
    // Found later, it is taken up as it was sent.
    rig.service.listsHistory = true;
    rig.service.finish('gen-1');
    expect((await ran(shot(EVERYTHING))).outcome).toMatchObject({ is: 'done' });
    expect(rig.service.posts.length).toBe(1);
  });
});

describe('an answer that does not fit', () => {
  const ask = (retry: string) =>
    film(
      `script: { model: C-D, ${retry}with: { prompt: x }, schema: { type: object, required: [title], properties: { title: { type: string } } } }`,
    );

  test('is sent back as often as `retry` allows, at once; without it once; with one attempt never', async () => {
    const calls = async (retry: string) => {
      const before = rig.service.calls.length;
      rig.service.chatAnswers.length = 0;
      rig.service.chatAnswers.push(...Array.from({ length: 9 }, () => chatAnswer('no JSON')));
      expect((await ran(ask(retry))).outcome).toMatchObject({ is: 'failed' });
      return rig.service.calls.length - before;
    };
    expect(await calls('')).toBe(2);
    expect(await calls('retry: { attempts: 4 }, ')).toBe(4);
    expect(await calls('retry: { attempts: 1 }, ')).toBe(1);
    expect(await calls('retry: { attempts: 3, on: [failed] }, ')).toBe(2);
  });

  test('killed between two of them, the next run counts those that were paid for', async () => {
    rig.service.chatAnswers.push(chatAnswer('no JSON'), chatAnswer('no JSON'), 'never');
    const run = await rig.start(ask('retry: { attempts: 3 }, '));
    while (ofType(run, 'answer_unfit').length < 2) await settled();
    rig.service.chatAnswers.push(...Array.from({ length: 5 }, () => chatAnswer('no JSON')));
    // The third was on its way: nobody knows whether it was answered, so a person has to give it up.
    rig.onUnknown = 'resubmit';
    const next = await rig.start(ask('retry: { attempts: 3 }, '));
    expect(await rig.runToEnd(next)).toMatchObject({ is: 'failed' });
    expect(ofType(next, 'answer_unfit').length).toBe(1);
  });
});

describe('a command', () => {
  const counting = (step: string, until: number) => {
    const file = JSON.stringify(join(rig.folder, 'times'));
    return film(
      `count: { ${step}, run: [sh, -c, "printf x >> \\"$0\\"; [ $(wc -c < \\"$0\\") -ge ${until} ]", ${file}] }`,
    );
  };
  const times = () => readFileSync(join(rig.folder, 'times'), 'utf8').length;

  test('that fails is run again, and gives what its last run gives', async () => {
    const run = await rig.start(counting('retry: { attempts: 4 }', 3));
    const over = run.done;
    while (ofType(run, 'retrying').length < 1) await settled();
    await settled();
    await rig.clock.advance(10_000);
    while (ofType(run, 'retrying').length < 2) await settled();
    await settled();
    await rig.clock.advance(20_000);
    expect(await over).toMatchObject({ is: 'done' });
    expect(times()).toBe(3);
  });

  test('that acts outside is run again only where it said itself that it had failed', async () => {
    const run = await rig.start(counting('effect: true, retry: { attempts: 2 }', 2));
    while (ofType(run, 'retrying').length < 1) await settled();
    // Killed while it waits: it is known to have failed, and no person is asked.
    const next = await rig.start(counting('effect: true, retry: { attempts: 2 }', 2));
    await settled();
    await rig.clock.advance(15_000);
    expect(await next.done).toMatchObject({ is: 'done' });
    expect(times()).toBe(2);
  });
});

test('a retry comes from `defaults`, and a step says its own', async () => {
  const run = await rig.start(
    film(
      'a: { model: V-T2V-B, with: { prompt: x } }\n  b: { model: V-T2V-B, retry: { attempts: 1 }, with: { prompt: y } }',
      'defaults: { retry: { attempts: 2 } }\n',
    ),
  );
  await rig.service.arrived(2);
  await settled();
  rig.service.fail('gen-1', 'no');
  rig.service.fail('gen-2', 'no');
  await run.happened('retrying');
  await settled();
  await rig.clock.advance(10_000);
  await finished(run, 'gen-3');
  expect(ofType(run, 'retrying').map(({ key }) => key)).toEqual(['a']);
});

test('a run that starts nothing new any more does not try again either, and the next run does', async () => {
  rig.settings = { onFailure: 'hold' };
  const text = film(
    'a: { model: V-T2V-B, retry: { attempts: 2 }, with: { prompt: x } }\n  b: { model: V-T2V-A, with: { prompt: y } }',
  );
  const run = await rig.start(text);
  await rig.service.arrived(2);
  await settled();
  rig.service.fail('gen-1', 'no');
  await run.happened('retrying');
  rig.service.fail('gen-2', 'no');
  expect((await run.done).counts).toMatchObject({ failed: 1, unfinished: 1 });
  const next = await rig.start(text);
  await settled();
  await rig.clock.advance(10_000);
  await rig.service.arrived(4);
  expect(
    ofType(next, 'submit_intended')
      .map(({ key }) => key)
      .sort(),
  ).toEqual(['a', 'b']);
});
