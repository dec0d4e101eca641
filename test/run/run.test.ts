import { describe, expect, test } from 'vitest';
import { newestReport } from '../text/report/report-of.ts';
import { LOST_ANSWER } from './fake-service.ts';
import { TEASER } from './pipelines.ts';
import { eventLines, failureOf, type RunRig, rig, withRig } from './rig.ts';

withRig();

/** Lets the film run to its end, the service finishing each generation as soon as it has it. */
async function finishAll(film: Awaited<ReturnType<RunRig['start']>>, from = 1, to = 3) {
  for (let number = from; number <= to; number++) {
    await rig.service.arrived(number);
    await film.happened('submit_accepted');
    rig.service.finish(`gen-${number}`);
  }
  return film.done;
}

describe('a film from start to end', () => {
  test('each step starts when its own input exists; each generation costs one POST and one read', async () => {
    const film = await rig.start(TEASER);
    const outcome = await finishAll(film);
    expect(outcome.is).toBe('done');
    expect(eventLines(film.events)).toEqual([
      'stream_changed',
      'shot submit_intended',
      'shot submit_accepted',
      'shot generated',
      'shot succeeded',
      'framed submit_intended',
      'framed submit_accepted',
      'framed generated',
      'framed succeeded',
      'final submit_intended',
      'final submit_accepted',
      'final generated',
      'final succeeded',
      'run_finished',
    ]);
    expect(rig.service.posts.map(post => post.input_video ?? null)).toEqual([
      null,
      'https://house.test/gen-1.mp4',
      'https://house.test/gen-2.mp4',
    ]);
    expect(rig.service.reads).toBe(3);
  });
});

describe('interrupted', () => {
  test('a detached run lets go at once, and the next one takes up what is open without a second POST', async () => {
    const first = await rig.start(TEASER);
    await first.happened('submit_accepted', 'shot');
    first.run.detach();
    const outcome = await first.done;
    expect(outcome.is).toBe('interrupted');
    expect(first.events.find(event => event.type === 'run_detached')).toMatchObject({
      running: ['shot'],
      resume: 'shotlist run film.yaml',
    });
    const second = await rig.start(TEASER);
    await second.happened('taken_up', 'shot');
    rig.service.finish('gen-1');
    expect((await finishAll(second, 2)).is).toBe('done');
    expect(rig.service.posts).toHaveLength(3);
  });

  test('killed between the POST and its answer: the next run finds the generation in the history', async () => {
    rig.service.trouble.push({ answer: 'never', take: true });
    const first = await rig.start(TEASER);
    await rig.service.arrived(1);
    expect(eventLines(first.events)).toEqual(['stream_changed', 'shot submit_intended']);
    const second = await rig.start(TEASER);
    const found = await second.happened('submit_accepted', 'shot');
    expect(found).toMatchObject({ generation_id: 'gen-1', found: true, price: null });
    rig.service.finish('gen-1');
    expect((await finishAll(second, 2)).is).toBe('done');
    expect(rig.service.posts).toHaveLength(3);
  });

  test('what was paid for and then edited away is still brought home', async () => {
    const first = await rig.start(TEASER);
    await first.happened('submit_accepted', 'shot');
    first.run.detach();
    await first.done;
    rig.service.finish('gen-1', { silently: true });
    const edited = await rig.start(TEASER.replace('a fox', 'a hare'));
    expect((await finishAll(edited, 2, 4)).is).toBe('done');
    // What came home is not what the film holds now.
    expect(newestReport(rig).instances[0]).toMatchObject({
      ...{ key: 'shot', state: 'made', generation: 'gen-2', request: expect.stringContaining('a hare') },
      attempts: [{ is: 'made', generation: 'gen-2' }],
    });
    const back = await rig.start(TEASER);
    expect([...back.plan.instances][0]?.decision.is).toBe('hit');
    back.run.detach();
    await back.done;
  });
});

test('a POST whose answer is lost fails where nobody can tell, stays open, and is sent again only when the author says so', async () => {
  rig.service.listsHistory = false;
  rig.service.trouble.push({ answer: LOST_ANSWER, take: true });
  const film = await rig.start(TEASER);
  expect((await film.done).is).toBe('failed');
  expect(failureOf(film)).toMatchObject({
    code: 'submit_unknown',
    message:
      'its answer was lost, and this service does not list what it was given: it may have been taken and paid for. ' +
      'Look at the service; to send it again, run with --on-unknown resubmit; to give it up, `shotlist cancel film.yaml shot --forget`',
  });
  const again = await rig.start(TEASER);
  expect((await again.done).is).toBe('failed');
  expect(rig.service.posts).toHaveLength(1);
  rig.onUnknown = 'resubmit';
  const resubmitted = await rig.start(TEASER);
  await resubmitted.happened('submit_absent', 'shot');
  await rig.clock.asleep();
  await rig.clock.advance(1_000);
  await resubmitted.happened('submit_accepted', 'shot');
  expect(rig.service.posts).toHaveLength(2);
  resubmitted.run.detach();
  await resubmitted.done;
});

describe('a service that says no', () => {
  test('401 ends the run: the key is refused', async () => {
    rig.service.trouble.push({ answer: { is: 'refused', status: 401, message: 'unauthenticated' }, take: false });
    const outcome = await (await rig.start(TEASER)).done;
    expect(outcome).toMatchObject({
      is: 'unreachable',
      reason: 'the key is refused (unauthenticated); give one that may do this',
    });
  });

  test('a refused connection is tried again, then given up', async () => {
    const unreached = { answer: { is: 'unreached', message: 'connection refused' }, take: false } as const;
    for (let times = 0; times < 30; times++) rig.service.trouble.push(unreached);
    const film = await rig.start(TEASER);
    expect(await rig.runToEnd(film)).toMatchObject({ is: 'unreachable', reason: 'connection refused' });
    expect(eventLines(film.events).slice(0, 4)).toEqual([
      'stream_changed',
      'shot submit_intended',
      'service_changed',
      'shot submit_refused',
    ]);
  });
});

test('the event stream says nothing: the slow beat finds the end, and the stream is not trusted again', async () => {
  const film = await rig.start(TEASER);
  await film.happened('submit_accepted', 'shot');
  rig.service.finish('gen-1', { silently: true });
  await rig.clock.asleep(ms => ms === 30_000);
  await rig.clock.advance(30_000);
  await film.happened('succeeded', 'shot');
  await film.happened('submit_accepted', 'framed');
  expect(await rig.clock.asleep()).toBe(1_500);
  film.run.detach();
  await film.done;
});
