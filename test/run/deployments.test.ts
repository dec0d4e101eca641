import { describe, expect, test } from 'vitest';
import type { RecordedEvent } from '../../src/model/run/event.ts';
import { settled } from '../support/settled.ts';
import { comingUp, Deployments, offerCancelling } from './custom-service.ts';
import { ending, eventLines, failureOf, rig, type StartedRun, withRig } from './rig.ts';

/** Two shots of the look, and a frame around the first, which needs the look no more. */
const LOOK = `
models:
  look: { id: fox-look, activate: true }
steps:
  shot:
    model: look
    matrix: { seed: [1, 2] }
    with: { prompt: a fox, seed: "\${{ matrix.seed }}" }
  framed:
    each: \${{ steps.shot }}
    model: V-RF
    with: { input_video: "\${{ each.result_url }}", aspect_ratio: "9:16", prompt: snow }
`;
const ONE = `
models:
  look: { id: fox-look, activate: true }
steps:
  shot: { model: look, with: { prompt: a fox } }
`;
const WITHOUT = `
steps:
  noted: { run: echo a fox }
`;

withRig();

const deploying = (events: readonly RecordedEvent[]) =>
  events.flatMap(event => {
    if (event.type === 'activation_intended') return [`intended ${event.model}`];
    if (event.type === 'deployment_changed') return [`${event.status}${event.ours ? ', ours' : ''}`];
    if (event.type === 'activation_closed') return [event.how];
    return event.type === 'still_billing' ? [`still billing: ${event.reason}`] : [];
  });

/** The only shot is sent and made, and the run comes to its end. */
async function shotIsMade(film: StartedRun) {
  await film.happened('submit_accepted', 'shot');
  rig.service.finish('gen-1');
  return film.done;
}

describe('a film that needs a look', () => {
  test('brings it up before the first shot, waits until it is active, and down after the last while other work goes on', async () => {
    const models = new Deployments(rig, { 'fox-look': 'inactive' });
    const film = await rig.start(LOOK);
    await film.happened('deployment_changed');
    await rig.clock.asleep();
    expect(rig.service.posts).toEqual([]);
    await rig.clock.advance(10_000);
    expect(rig.service.posts).toEqual([]);
    models.status.set('fox-look', 'active');
    await rig.clock.advance(5_000);
    await rig.service.arrived(2);
    await film.happened('submit_accepted', 'shot[seed=2]');
    rig.service.finish('gen-1');
    await rig.service.arrived(3);
    expect(models.status.get('fox-look')).toBe('active');
    rig.service.finish('gen-2');
    await film.happened('activation_closed');
    expect(models.status.get('fox-look')).toBe('inactive');
    await rig.service.arrived(4);
    await film.happened('submit_accepted', 'framed[seed=2]');
    rig.service.finish('gen-3');
    rig.service.finish('gen-4');
    expect((await film.done).is).toBe('done');
    expect(deploying(film.events)).toEqual([
      'inactive',
      'intended fox-look',
      'deploying, ours',
      'active, ours',
      'deactivated',
    ]);
    expect(models.moves).toEqual(['activate fox-look', 'deactivate fox-look']);
    expect(ending(film).slice(1)).toEqual([]);
  });

  test('finds it active, leaves it alone, and says that it bills', async () => {
    const models = new Deployments(rig, { 'fox-look': 'active' });
    const film = await rig.start(ONE);
    expect((await shotIsMade(film)).is).toBe('done');
    expect(models.asked).toEqual(['look at fox-look']);
    expect(deploying(film.events)).toEqual(['active']);
    expect(ending(film).slice(1)).toEqual([
      'fox-look was active before this run, and still is: it bills until `shotlist models deactivate fox-look`',
    ]);
  });

  test('finds it on its way up by somebody else, waits, and leaves it alone', async () => {
    const models = new Deployments(rig, { 'fox-look': 'deploying' });
    const film = await rig.start(ONE);
    await rig.clock.asleep();
    models.status.set('fox-look', 'active');
    await rig.clock.advance(250);
    await shotIsMade(film);
    expect(models.moves).toEqual([]);
  });

  test('loses the race for it: who brought it up ends it', async () => {
    const models = new Deployments(rig, { 'fox-look': 'inactive' });
    models.trouble.push({ answer: { is: 'refused', status: 409, message: 'it is active' }, take: true });
    models.becomes = 'active';
    const film = await rig.start(ONE);
    await film.happened('activation_closed');
    await rig.clock.asleep();
    await rig.clock.advance(250);
    await shotIsMade(film);
    expect(deploying(film.events)).toEqual(['inactive', 'intended fox-look', 'already_active', 'active']);
    expect(models.status.get('fox-look')).toBe('active');
  });
});

async function untilAccepted(film: StartedRun, key = 'shot'): Promise<void> {
  await rig.clock.asleep();
  await rig.clock.advance(250);
  await film.happened('submit_accepted', key);
}

describe('a look that does not come up', () => {
  test('fails its shots with a sentence, and bills nothing', async () => {
    const models = new Deployments(rig, { 'fox-look': 'inactive' });
    models.becomes = 'error';
    const film = await rig.start(LOOK);
    await rig.clock.asleep();
    await rig.clock.advance(250);
    const outcome = await film.done;
    expect(outcome).toMatchObject({ is: 'failed', counts: { failed: 2, blocked: 2 } });
    expect(failureOf(film)).toMatchObject({
      code: 'deployment_failed',
      model: 'fox-look',
      message: 'its deployment ended in an error; ask the service why',
    });
    expect(deploying(film.events)).toEqual(['inactive', 'intended fox-look', 'error, ours', 'not_up']);
    expect(rig.service.posts).toEqual([]);
    expect(ending(film)[3]).toBe(
      'fox-look could not be brought up: its deployment ended in an error; ask the service why; nothing was sent to it',
    );
  });

  test('is one that nobody knows, or that may not be activated', async () => {
    new Deployments(rig, {});
    const nobody = await rig.start(ONE);
    expect((await nobody.done).is).toBe('failed');
    expect(failureOf(nobody)).toMatchObject({ code: 'deployment_failed', message: 'Model not found: fox-look' });
    const models = new Deployments(rig, { 'fox-look': 'unknown' });
    models.trouble.push({ answer: { is: 'refused', status: 400, message: 'it is a base model' }, take: false });
    const base = await rig.start(ONE);
    expect((await base.done).is).toBe('failed');
    expect(failureOf(base)).toMatchObject({ code: 'deployment_failed', message: 'it is a base model' });
    expect(deploying(base.events)).toEqual(['unknown', 'intended fox-look', 'not_up']);
  });

  test('is not waited for without end, and is brought down when it is there at last', async () => {
    const models = new Deployments(rig, { 'fox-look': 'inactive' });
    const film = await rig.start(ONE);
    await film.happened('activation_intended');
    await Promise.all([rig.clock.asleep(), models.heard('activate fox-look')]).then(() => rig.clock.asleep());
    while (!film.events.some(event => event.type === 'failed')) await rig.clock.advance(60_000);
    expect(failureOf(film)).toMatchObject({
      message: 'it was not active after 30m 00s, but deploying; run again to go on',
    });
    models.status.set('fox-look', 'active');
    await rig.runToEnd(film);
    expect(models.status.get('fox-look')).toBe('inactive');
    expect(deploying(film.events).at(-1)).toBe('deactivated');
  });

  test('is asked for again when the answer was lost', async () => {
    const models = new Deployments(rig, { 'fox-look': 'inactive' });
    models.trouble.push({ answer: { is: 'unavailable', message: 'reset' }, take: false });
    models.becomes = 'active';
    const film = await rig.start(ONE);
    await rig.clock.asleep();
    await rig.clock.advance(250);
    await rig.clock.asleep();
    await rig.clock.advance(500);
    await shotIsMade(film);
    expect(models.moves).toEqual(['activate fox-look', 'activate fox-look', 'deactivate fox-look']);
    expect(film.events.filter(event => event.type === 'activation_intended')).toHaveLength(1);
  });
});

test('a look that nobody needs is brought down a minute later, also where nobody can tell whether another runs the film', async () => {
  const models = new Deployments(rig, { 'fox-look': 'inactive' });
  const film = await rig.start(ONE);
  await film.happened('deployment_changed');
  await rig.clock.asleep();
  models.status.set('fox-look', 'active');
  await rig.clock.advance(10_000);
  await film.happened('submit_accepted', 'shot');
  // The journal is out of reach from now on.
  rig.journal.look = () => new Promise(() => {});
  rig.service.finish('gen-1');
  await film.happened('succeeded', 'shot');
  await settled();
  await rig.clock.advance(59_000);
  expect(models.status.get('fox-look')).toBe('active');
  await rig.clock.advance(1_000);
  expect((await film.done).is).toBe('done');
  expect(models.status.get('fox-look')).toBe('inactive');
  expect(deploying(film.events).at(-1)).toBe('deactivated');
});

describe('killed while a look is up', () => {
  test('the next run uses it and ends it', async () => {
    const models = comingUp(rig);
    const killed = await rig.start(ONE);
    await untilAccepted(killed);
    rig.service.fail('gen-1', 'out of paint', { silently: true });
    const edited = await rig.start(ONE.replace('a fox', 'a hare'));
    await edited.happened('submit_accepted', 'shot');
    rig.service.finish('gen-2');
    expect((await edited.done).is).toBe('done');
    expect(deploying(edited.events)).toEqual(['active, ours', 'deactivated']);
    expect(models.status.get('fox-look')).toBe('inactive');
  });

  test('the next run ends it though it has nothing else to do, and so does one of another film in the same file', async () => {
    const models = comingUp(rig);
    models.trouble.push(
      { answer: { is: 'ok', value: { deployments: [{ status: 'active' }] } as never }, take: true },
      { answer: 'never', take: false },
    );
    const killed = await rig.start(ONE);
    await untilAccepted(killed);
    const unanswered = models.heard('deactivate fox-look');
    rig.service.finish('gen-1');
    await Promise.all([killed.happened('succeeded', 'shot'), unanswered]);
    const again = await rig.start(ONE);
    expect((await again.done).counts.reused).toBe(1);
    expect(eventLines(again.events)).toEqual(['shot reused', 'activation_closed', 'run_finished']);
    expect(models.status.get('fox-look')).toBe('inactive');
    models.asked.length = 0;
    await (await rig.start(WITHOUT)).done;
    expect(models.asked).toEqual([]);
  });

  test.each([
    ['before anybody was asked: there is nothing to end', 'inactive', 'not_up'],
    ['before the request had arrived: it is brought down when it has', 'active', 'deactivated'],
  ] as const)('%s', async (_, then, how) => {
    const models = new Deployments(rig, { 'fox-look': 'inactive' });
    models.trouble.push({ answer: 'never', take: false });
    const killed = await rig.start(ONE);
    await killed.happened('activation_intended');
    await models.heard('activate fox-look');
    const next = await rig.start(WITHOUT);
    // Its request may still be on the way: "inactive" is not believed at once.
    await rig.clock.asleep(ms => ms === 2_000);
    models.status.set('fox-look', then);
    await rig.clock.advance(2_000);
    expect((await next.done).is).toBe('done');
    expect(deploying(next.events)).toEqual([how]);
    expect(models.asked.slice(-2)).toEqual(['deactivate fox-look', 'look at fox-look']);
    expect(models.status.get('fox-look')).toBe('inactive');
  });

  test('a film on another service leaves it as it is', async () => {
    const models = comingUp(rig);
    const killed = await rig.start(ONE);
    await untilAccepted(killed);
    models.asked.length = 0;
    const elsewhere = await rig.start(WITHOUT, {}, 'barn');
    expect((await elsewhere.done).is).toBe('done');
    expect(models.asked).toEqual([]);
    const back = await rig.start(WITHOUT);
    await back.done;
    expect(models.asked).toEqual(['deactivate fox-look', 'look at fox-look']);
  });
});

describe('Ctrl-C while a look is up', () => {
  test('cancels what is open on it, then brings it down; other generations go on', async () => {
    const models = comingUp(rig);
    const cancelled = offerCancelling(rig);
    const film = await rig.start(LOOK);
    await untilAccepted(film, 'shot[seed=2]');
    rig.service.finish('gen-1');
    await film.happened('submit_accepted', 'framed[seed=1]');
    film.run.detach();
    expect((await film.done).is).toBe('interrupted');
    expect(cancelled).toEqual(['gen-2']);
    expect(models.status.get('fox-look')).toBe('inactive');
    expect(ending(film)).toContain('framed[seed=1] goes on at the service, to be resumed');
  });

  test('brings it down all the same where nothing can be cancelled, and says what goes on', async () => {
    const models = comingUp(rig);
    const film = await rig.start(ONE);
    await untilAccepted(film);
    film.run.detach();
    await film.done;
    expect(models.status.get('fox-look')).toBe('inactive');
    expect(ending(film)[1]).toMatch(
      /^shot \(generation gen-1\) goes on at house, which offers no cancelling, and is billed/,
    );
    models.asked.length = 0;
    rig.service.finish('gen-1', { silently: true });
    const next = await rig.start(ONE);
    await next.happened('taken_up', 'shot');
    expect((await rig.runToEnd(next)).is).toBe('done');
    expect(models.asked).toEqual([]);
  });

  test('the next run brings it up again before it tries again what was cancelled with it', async () => {
    const models = comingUp(rig);
    const again = ONE.replace('model: look', 'model: look, retry: { attempts: 2, on: [cancelled] }');
    const film = await rig.start(again);
    await untilAccepted(film);
    film.run.detach();
    await film.done;
    expect([models.status.get('fox-look'), rig.service.posts.length]).toEqual(['inactive', 1]);
    const record = rig.service.records.get('gen-1');
    if (record) rig.service.records.set('gen-1', { ...record, status: 'cancelled' });
    await rig.start(again);
    while (rig.service.posts.length < 2) {
      await rig.clock.asleep();
      await rig.clock.advance(5_000);
    }
    expect(models.status.get('fox-look')).toBe('active');
  });

  test('waits for one that is on its way up, since only then it can be brought down', async () => {
    const models = new Deployments(rig, { 'fox-look': 'inactive' });
    const film = await rig.start(ONE);
    await models.heard('activate fox-look').then(() => rig.clock.asleep());
    film.run.detach();
    await rig.clock.asleep();
    await rig.clock.advance(5_000);
    models.status.set('fox-look', 'active');
    await rig.runToEnd(film);
    expect(models.status.get('fox-look')).toBe('inactive');
    expect(deploying(film.events).at(-1)).toBe('deactivated');
    expect(rig.service.posts).toEqual([]);
  });

  test('ends one that came up between the answer that it cannot be ended yet and the look at it', async () => {
    const models = new Deployments(rig, { 'fox-look': 'inactive' });
    const film = await rig.start(ONE);
    await models.heard('activate fox-look').then(() => rig.clock.asleep());
    void models.heard('deactivate fox-look').then(() => models.status.set('fox-look', 'active'));
    film.run.detach();
    await rig.runToEnd(film);
    expect(models.asked.filter(what => what === 'deactivate fox-look')).toHaveLength(2);
    expect(models.status.get('fox-look')).toBe('inactive');
  });

  test('says what bills on when the service does not answer; the next run ends it', async () => {
    const models = comingUp(rig);
    offerCancelling(rig);
    const film = await rig.start(ONE);
    await untilAccepted(film);
    models.down = true;
    film.run.detach();
    await rig.runToEnd(film);
    expect(deploying(film.events).at(-1)).toBe('still billing: house does not answer');
    expect(ending(film).slice(4, 5)).toEqual([
      'fox-look is still active and bills on (house does not answer): `shotlist models deactivate fox-look` ends it, and so does the next run of this film',
    ]);
    models.down = false;
    const next = await rig.start(WITHOUT);
    await next.done;
    expect(deploying(next.events)).toEqual(['deactivated']);
    expect(models.status.get('fox-look')).toBe('inactive');
  });
});

test('nothing is brought up when nothing may be paid for', async () => {
  const models = new Deployments(rig, { 'fox-look': 'inactive' });
  rig.frozen = true;
  const film = await rig.start(ONE);
  expect((await rig.runToEnd(film)).is).toBe('frozen');
  expect([deploying(film.events), models.asked]).toEqual([[], []]);
});
