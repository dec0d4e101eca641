/** A `tokenize` step: begun once, waited for where the service tells how it goes, and told where it does not. */
import { describe, expect, test } from 'vitest';
import type { FineTune } from '../../src/api/fine-tunes.ts';
import type { Answer, Changed } from '../../src/api/service.ts';
import { eventLines, failureOf, ran, rig, type StartedRun, withRig } from './rig.ts';

const ALONE = `
steps:
  tuned: { tokenize: { repository: film-house/looks, fine_tune: ft-1 } }
`;
const TUNED = `${ALONE}  used:
    if: \${{ steps.tuned.status == 'tokenized' }}
    run: [echo, "\${{ steps.tuned.status }}"]
`;

withRig();

const is = (status: string, more: object = {}): Answer<FineTune> => ({
  is: 'ok',
  value: { id: 'ft-1', status, ...more } as FineTune,
});
const ABSENT: Answer<FineTune> = { is: 'absent', message: 'no such path' };
const LOST = { is: 'unavailable', message: 'reset' } as const;
const BEGUN = { is: 'ok', value: { id: 'ft-1', status: 'tokenizing' } } as const;

/** Reads, one after the other; the last one again and again. */
function reads(...answers: readonly Answer<FineTune>[]): void {
  let next = 0;
  rig.service.tuning = () => answers[Math.min(next++, answers.length - 1)];
}

const result = (film: StartedRun) =>
  film.events.flatMap(event => (event.type === 'succeeded' && event.key === 'tuned' ? [event.result] : []))[0];
const statuses = (film: StartedRun) =>
  film.events.flatMap(event => (event.type === 'progress' ? [[event.status, event.fraction]] : []));

describe('where the service tells how it goes', () => {
  test('it is waited for until it is ready, and what follows reads that', async () => {
    rig.service.tokenized.push(BEGUN);
    reads(is('created'), is('tokenizing', { progress: 0.2 }), is('tokenizing', { progress: 0.7 }), is('tokenized'));
    const { film, outcome } = await ran(TUNED);
    expect(outcome).toMatchObject({ is: 'done', usd: 0, counts: { succeeded: 2, skipped: 0 } });
    expect(statuses(film)).toEqual([
      ['tokenizing', null],
      ['tokenizing', 0.2],
      ['tokenizing', 0.7],
    ]);
    expect(result(film)).toEqual({ is: 'fine_tune', fine_tune: { id: 'ft-1', status: 'tokenized' } });
    expect(rig.lockText).toContain('fine_tune:\n        id: ft-1\n        status: tokenized\n');
    // Made once: a later run asks for nothing.
    expect((await (await rig.start(TUNED)).done).counts.reused).toBe(2);
    expect(rig.service.tokenizations).toBe(1);
  });

  test.each<
    readonly [what: string, posted: readonly Changed<FineTune>[], read: readonly Answer<FineTune>[], begun: number]
  >([
    ['one that is under way already is not begun again', [], [is('tokenizing'), is('tokenizing'), is('succeeded')], 0],
    [
      'a word that nobody knows ends nothing, and one that went back from ready is ready',
      [BEGUN],
      [is('created'), is('WARMING_UP'), is('created'), is('in_review'), is('tokenized'), is('tokenizing')],
      1,
    ],
    [
      'after an answer that was lost it is read, not asked for again',
      [LOST],
      [is('created'), is('tokenizing'), is('tokenized')],
      1,
    ],
    [
      'one that the service has forgotten for a moment comes back',
      [BEGUN],
      [is('created'), is('tokenizing'), ABSENT, ABSENT, { is: 'unavailable', message: '502' }, is('tokenized')],
      1,
    ],
  ])('%s', async (_, posted, read, begun) => {
    rig.service.tokenized.push(...posted);
    reads(...read);
    const film = await rig.start(ALONE);
    expect((await rig.runToEnd(film)).is).toBe('done');
    expect(rig.service.tokenizations).toBe(begun);
    expect(result(film)).toMatchObject({ fine_tune: { status: expect.stringMatching(/^(succeeded|tokenized)$/) } });
  });

  test.each([
    [
      is('failed', { error_message: 'the third picture cannot be read' }),
      'the fine-tune is failed: the third picture cannot be read',
    ],
    [is('tokenization_failed'), 'the fine-tune is tokenization_failed; the service gave no reason'],
    [is('Error', { error: 'out of room' }), 'the fine-tune is Error: out of room'],
    [is('cancelled', { message: 'by its owner' }), 'the fine-tune is cancelled: by its owner'],
  ])("one that fails fails the step in the service's words (%#)", async (end, message) => {
    rig.service.tokenized.push(BEGUN);
    reads(is('created'), is('tokenizing'), end);
    const film = await rig.start(TUNED);
    expect((await rig.runToEnd(film)).is).toBe('failed');
    expect(failureOf(film)).toEqual({ code: 'tokenize_failed', message });
    // The next run does not take the old failure for an answer: it asks for it anew, and is told.
    rig.service.tokenized.push({ is: 'refused', status: 409, message: 'only one that is created can be tokenized' });
    const { film: again } = await ran(TUNED);
    expect(failureOf(again)?.message).toBe('only one that is created can be tokenized');
  });

  test('the time that its author gives bounds the wait, and the next run waits on', async () => {
    rig.service.tokenized.push(BEGUN);
    reads(is('created'), is('tokenizing'));
    const film = await rig.start(ALONE.replace(' }\n', ' }, timeout: 10m }\n').replace('} }, timeout', '}, timeout'));
    expect((await rig.runToEnd(film)).is).toBe('failed');
    expect(failureOf(film)).toEqual({
      code: 'timed_out',
      goes_on: true,
      message:
        'not ready after 600000 ms; the tokenization of ft-1 goes on at the service, and the next run waits for it',
    });
    reads(is('tokenizing'), is('tokenized'));
    expect((await ran(ALONE)).outcome.is).toBe('done');
    expect(rig.service.tokenizations).toBe(1);
  });

  test('Ctrl-C ends the wait at once, and the next run waits on without asking for it again', async () => {
    rig.service.tokenized.push(BEGUN);
    reads(is('created'), is('tokenizing'));
    const film = await rig.start(ALONE);
    await film.happened('progress');
    film.run.detach();
    expect((await film.done).is).toBe('interrupted');
    reads(is('tokenizing'), is('tokenized'));
    expect((await ran(ALONE)).outcome.is).toBe('done');
    expect(rig.service.tokenizations).toBe(1);
  });

  test.each(['before the POST is answered', 'while it is waited for'])('so does a kill %s', async when => {
    const early = when === 'before the POST is answered';
    rig.service.tokenized.push(early ? LOST : BEGUN);
    reads(is('created'), is('tokenizing'));
    const film = await rig.start(ALONE);
    if (early) await rig.clock.asleep();
    else await film.happened('progress');
    await rig.kill();
    reads(is('tokenizing'), is('tokenized'));
    expect((await ran(ALONE)).outcome.is).toBe('done');
    expect(rig.service.tokenizations).toBe(1);
  });

  test('one that it has forgotten for good is told as lost, and looked for by the next run', async () => {
    rig.service.tokenized.push(BEGUN);
    reads(is('created'), is('tokenizing'), ABSENT);
    const film = await rig.start(ALONE);
    expect((await rig.runToEnd(film)).is).toBe('failed');
    expect(failureOf(film)).toEqual({
      code: 'tokenize_failed',
      message:
        'the service took ft-1, and says now that it has no such fine-tune (no such path); look at it there, then run again',
    });
  });

  test('a service that cannot be reached is waited for, and given up in the end', async () => {
    rig.service.tokenized.push(BEGUN);
    reads(is('created'), { is: 'unavailable', message: 'refused' });
    const film = await rig.start(ALONE);
    expect((await rig.runToEnd(film)).is).toBe('unreachable');
    expect(eventLines(film.events)).toContain('service_changed');
  });
});

describe('where the service does not tell', () => {
  test('it is done when the service has taken it, and says so', async () => {
    rig.service.tokenized.push(BEGUN);
    const film = await rig.start(ALONE);
    expect((await rig.runToEnd(film)).is).toBe('done');
    expect(result(film)).toEqual({ is: 'fine_tune', fine_tune: { id: 'ft-1', status: 'tokenizing' }, ready: false });
    expect(rig.lockText).toContain('ready: false');
    // From the lock alone it is the same.
    await rig.cloneAfresh();
    const elsewhere = await (await rig.start(ALONE)).done;
    expect([...elsewhere.results.values()].map(({ result }) => result)).toEqual([
      { is: 'fine_tune', fine_tune: { id: 'ft-1', status: 'tokenizing' }, ready: false },
    ]);
  });

  test.each<
    readonly [what: string, posted: readonly Changed<FineTune>[], given: object, read: Answer<FineTune> | undefined]
  >([
    [
      'so it is where a record tells no status',
      [{ is: 'ok', value: { id: 'ft-1' } }],
      { fine_tune: { id: 'ft-1', base: 'V-T2V-A' }, ready: false },
      { is: 'ok', value: { id: 'ft-1', base: 'V-T2V-A' } },
    ],
    [
      'the answer to the POST may tell all of it',
      [{ is: 'ok', value: { id: 'ft-1', status: 'tokenized' } }],
      { fine_tune: { id: 'ft-1', status: 'tokenized' } },
      undefined,
    ],
    [
      'after an answer that was lost, a refusal by its state says that it had begun',
      [LOST, { is: 'refused', status: 409, message: 'ft-1 is tokenizing' }],
      { fine_tune: { id: 'ft-1' }, ready: false },
      undefined,
    ],
  ])('%s', async (_, posted, given, read) => {
    rig.service.tokenized.push(...posted);
    if (read) reads(read);
    const { film, outcome } = await ran(ALONE);
    expect([outcome.is, result(film)]).toEqual(['done', { is: 'fine_tune', ...given }]);
  });

  test('killed before it heard, the next run takes the same refusal for the answer', async () => {
    rig.service.tokenized.push(LOST);
    const film = await rig.start(ALONE);
    await film.happened('command_started');
    await rig.clock.asleep();
    rig.service.tokenized.push({ is: 'refused', status: 409, message: 'ft-1 is tokenizing' });
    expect((await ran(ALONE)).outcome.is).toBe('done');
  });

  test('a service that says no is not asked again', async () => {
    rig.service.tokenized.push({ is: 'refused', status: 409, message: 'ft-1 is tokenized already' });
    const film = await rig.start(TUNED);
    await film.done;
    expect(failureOf(film)).toEqual({ code: 'tokenize_failed', message: 'ft-1 is tokenized already' });
    expect(rig.service.tokenizations).toBe(1);
  });
});
