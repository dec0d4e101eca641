import { describe, expect, test } from 'vitest';
import { filmStatus } from '../../src/show/text/status/film-status.ts';
import { statusText } from '../../src/show/text/status/status-text.ts';
import { newestReport } from '../text/report/report-of.ts';
import { offerCancelling } from './custom-service.ts';
import { TWO_SHOTS_REFRAMED } from './pipelines.ts';
import { ending, eventLines, rig, type StartedRun, withRig } from './rig.ts';

withRig(() => {
  rig.settings = { onInterrupt: 'cancel' };
});

const again = ['to go on (what is done is kept, and not paid for again):', 'shotlist run film.yaml'];

/** Two shots are under way. */
async function underWay(text = TWO_SHOTS_REFRAMED, service?: string): Promise<StartedRun> {
  const film = await rig.start(text, {}, service);
  for (const seed of [1, 2]) await film.happened('submit_accepted', `shot[seed=${seed}]`);
  return film;
}
const interrupted = (film: StartedRun) => {
  film.run.detach();
  return film.done;
};

test('what is under way is cancelled, and the next run sends it anew', async () => {
  const asked = offerCancelling(rig);
  const film = await underWay();
  expect(await interrupted(film)).toMatchObject({ is: 'interrupted', counts: { failed: 2, unfinished: 2 } });
  expect(asked).toEqual(['gen-1', 'gen-2']);
  expect(eventLines(film.events).slice(-6, -2)).toEqual([
    ...['shot[seed=1] cancel_asked', 'shot[seed=2] cancel_asked', 'shot[seed=1] failed', 'shot[seed=2] failed'],
  ]);
  expect(ending(film)).toEqual([
    'film was interrupted after …s: 2 cancelled, 2 not finished, nothing known to be spent',
    'shot ×2',
    'shot[seed=1] (generation gen-1), shot[seed=2] (generation gen-2)',
    'cancelled at house: cancelled on request; whether it cost anything is not known',
    'nothing is left running at the service',
    ...again,
  ]);
  const status = statusText([filmStatus(newestReport(rig), [], '')], rig.clock.now(), 100);
  expect(status).toContain(
    '0 of 4 there, 2 cancelled; nothing known to be spent\n  shot[seed=1]  cancelled: cancelled on request\n',
  );
  const next = await underWay();
  expect([...next.plan.instances].map(({ decision }) => decision.why).slice(0, 2)).toEqual([
    'its last try was cancelled',
    'its last try was cancelled',
  ]);
  expect(rig.service.posts).toHaveLength(4);
  expect(next.events.some(event => event.type === 'taken_up')).toBe(false);
  await interrupted(next);
});

test('where nothing can be cancelled it is said what goes on and is billed; the next run takes it up', async () => {
  const film = await underWay();
  await interrupted(film);
  expect(ending(film)).toEqual([
    'film was interrupted after …s: 4 not finished, nothing spent, 2 requests in flight',
    'shot[seed=1] (generation gen-1) goes on at house, which offers no cancelling, and is billed; the next run takes it up',
    'shot[seed=2] (generation gen-2) goes on at house, which offers no cancelling, and is billed; the next run takes it up',
    ...again,
  ]);
  const next = await rig.start(TWO_SHOTS_REFRAMED);
  await next.happened('taken_up', 'shot[seed=1]');
  await next.happened('taken_up', 'shot[seed=2]');
  expect(rig.service.posts).toHaveLength(2);
  await interrupted(next);
});

test('one that had finished meanwhile stays owned', async () => {
  offerCancelling(rig);
  const film = await underWay();
  rig.service.finish('gen-1', { silently: true });
  await interrupted(film);
  expect(ending(film).slice(0, -2)).toEqual([
    'film was interrupted after …s: 1 cancelled, 3 not finished, nothing known to be spent, 1 request in flight',
    'shot[seed=2]',
    'cancelled at house: cancelled on request (generation gen-2); whether it cost anything is not known',
    'shot[seed=1] (generation gen-1) had finished already: it is yours, and the next run fetches it',
  ]);
  const next = await rig.start(TWO_SHOTS_REFRAMED);
  await next.happened('taken_up', 'shot[seed=1]');
  await next.happened('submit_accepted', 'shot[seed=2]');
  expect(rig.service.posts.map(post => post.seed)).toEqual([1, 2, 2]);
  await interrupted(next);
});

test('a service that says yes and takes its time is looked at again', async () => {
  offerCancelling(rig, { stops: false });
  const film = await underWay();
  rig.service.finish('gen-2', { silently: true });
  film.run.detach();
  await rig.clock.asleep();
  await rig.clock.advance(250);
  const record = rig.service.records.get('gen-1')!;
  rig.service.records.set('gen-1', { ...record, status: 'cancelled', error_message: null });
  await rig.clock.asleep();
  await rig.clock.advance(500);
  await film.done;
  expect(film.events.filter(event => event.type === 'failed')).toMatchObject([
    { key: 'shot[seed=1]', failure: { code: 'generation_cancelled', message: 'the service gave no reason' } },
  ]);
});

test('a service that says yes and does nothing is not believed', async () => {
  offerCancelling(rig, { stops: false });
  const film = await underWay();
  rig.service.finish('gen-2', { silently: true });
  film.run.detach();
  await rig.runToEnd(film);
  expect(ending(film).slice(1, 3)).toEqual([
    'shot[seed=1] (generation gen-1) may go on and be billed: the service has not stopped it yet; `shotlist cancel film.yaml` asks again',
    'shot[seed=2] (generation gen-2) had finished already: it is yours, and the next run fetches it',
  ]);
});

test('a service that is too busy is asked again when it says', async () => {
  const asked = offerCancelling(rig);
  const film = await underWay();
  const cancel = rig.service.cancel.bind(rig.service) as (id: string) => ReturnType<typeof rig.service.cancel>;
  let busy = 2;
  Object.assign(rig.service, {
    cancel: async (id: string) =>
      busy-- > 0 ? { is: 'unavailable', message: 'slow down (429)', retryAfter: 7_000 } : cancel(id),
  });
  film.run.detach();
  await rig.clock.asleep(ms => ms === 7_000);
  await rig.clock.advance(7_000);
  await film.done;
  expect(asked).toEqual(['gen-1', 'gen-2']);
});

describe('what earlier runs left', () => {
  test('is cancelled too, though the film was edited since', async () => {
    rig.settings = {};
    await interrupted(await underWay());
    rig.settings = { onInterrupt: 'cancel' };
    const asked = offerCancelling(rig);
    await interrupted(await underWay(TWO_SHOTS_REFRAMED.replace('a fox', 'a hare')));
    expect(asked.toSorted()).toEqual(['gen-1', 'gen-2', 'gen-3', 'gen-4']);
    const back = await rig.start(TWO_SHOTS_REFRAMED);
    await back.happened('submit_accepted', 'shot[seed=1]');
    expect(back.events.some(event => event.type === 'taken_up')).toBe(false);
    await interrupted(back);
  });

  test('at another service is not asked about here', async () => {
    rig.settings = {};
    await interrupted(await underWay(TWO_SHOTS_REFRAMED, 'barn'));
    rig.settings = { onInterrupt: 'cancel' };
    const asked = offerCancelling(rig);
    await interrupted(await underWay());
    expect(asked.toSorted()).toEqual(['gen-3', 'gen-4']);
  });

  test('without an id can only be told', async () => {
    rig.service.listsHistory = false;
    rig.service.trouble.push({ answer: { is: 'unknown', message: 'reset' }, take: true });
    offerCancelling(rig);
    const film = await rig.start(TWO_SHOTS_REFRAMED);
    await film.happened('failed', 'shot[seed=1]');
    await film.happened('submit_accepted', 'shot[seed=2]');
    await interrupted(film);
    expect(ending(film).at(-3)).toBe(
      'shot[seed=1] may go on and be billed: its request may have arrived, and the service never answered with an id for it; the next run looks for it',
    );
  });
});

test('what a call had made is owned, and nobody is asked to cancel it', async () => {
  const asked = offerCancelling(rig);
  rig.service.madeNow.push({ is: 'made', urls: ['https://house.test/still.webp'] });
  rig.fetches.push({ is: 'failed', message: 'reset' });
  const film = await rig.start('steps:\n  still: { model: I-GEN-A, via: sync, with: { prompt: a fox } }\n');
  await rig.clock.asleep();
  film.run.detach();
  expect((await film.done).is).toBe('interrupted');
  expect(asked).toEqual([]);
  expect(ending(film).slice(1)).toEqual(['still goes on at the service, to be resumed', ...again]);
});

test('by default Ctrl-C cancels nothing', async () => {
  rig.settings = {};
  const asked = offerCancelling(rig);
  const film = await underWay();
  await interrupted(film);
  expect(asked).toEqual([]);
});
