/** What every implementation of `Admission` must do about two films of a project, run at once, that want the same request. */
import { expect, test } from 'vitest';
import { NO_DEMAND } from '../../../src/model/budget.ts';
import type { Event } from '../../../src/model/run/event.ts';
import type { GenerationId, InstanceKey, RunId } from '../../../src/model/run/key.ts';
import type { Result } from '../../../src/model/run/result.ts';
import { JournalAdmission } from '../../../src/run/admission/journal-admission.ts';
import { LONGEST_GENERATION } from '../../../src/run/admission/under-way.ts';
import { DEFAULT_LIMITS } from '../../../src/run/engine/limits.ts';
import { admitted } from '../../support/admitted.ts';
import type { FilmWorld } from './film-world.ts';

const SHOT = 'shot' as InstanceKey;
const GEN = 'gen-1' as GenerationId;
const MADE: Result = { is: 'command', stdout: '', json: null, files: {} };
const STARTED: Event = {
  ...{ type: 'run_started', run: 'r' as RunId, pipeline: 'fox.yaml', name: 'fox', service: 'house', resumed: false },
  ...{ instances: [], usd: null },
};
const never = new AbortController().signal;

export function twoFilmsCases(open: () => FilmWorld | Promise<FilmWorld>): void {
  async function film(
    world: FilmWorld,
    name: string,
    wants = 'f',
    limits = DEFAULT_LIMITS,
    more: Partial<Pick<ConstructorParameters<typeof JournalAdmission>[0], 'owned' | 'madeElsewhere'>> = {},
  ) {
    const process = await world.process(name);
    const { journal, run, account, isRunning } = process;
    const admission = new JournalAdmission({
      ...{ journal, clock: world.clock, account, limits, owned: () => undefined, isRunning, ...more },
    });
    let sent = 0;
    const intend = () => {
      const nonce = `${name} ${++sent}`;
      const work = { key: SHOT, nonce, fingerprint: wants, model: 'm', request: {}, price: 1, account };
      journal.append(run, [{ type: 'submit_intended', ...work }]);
      return nonce;
    };
    const asked = { key: SHOT, fingerprint: wants, model: 'm', demand: NO_DEMAND, shared: true, intend };
    return {
      ...{ admission, asked, journal, dies: process.dies },
      ask: (again = false) => admitted(admission, { ...asked, again, hasLooked: true }, never),
      record: async (event: Event) => {
        journal.append(run, [event]);
        await journal.durable();
      },
    };
  }
  const absent = (nonce: string): Event => ({
    ...{ type: 'submit_absent', key: SHOT, nonce, reason: 'asked for', asked: true },
  });

  test('what one gave up is not sent by both: whoever asks again sees that the other has begun', async () => {
    const world = await open();
    const [fox, owl] = [await film(world, 'fox'), await film(world, 'owl')];
    expect(await fox.ask()).toEqual({ is: 'go', nonce: 'fox 1' });
    await fox.record(absent('fox 1'));
    expect(await owl.ask()).toEqual({ is: 'go', nonce: 'owl 1' });
    const again = fox.ask(true);
    await world.clock.asleep();
    // The other's run was killed: what it sent is taken up, and nothing is sent a second time.
    await owl.dies();
    await world.passes(1_000);
    expect(await again).toMatchObject({ is: 'mine', open: { nonce: 'owl 1' } });
  });

  test('what one is at is waited for by the other, however long, and sent by it where it was refused', async () => {
    const world = await open();
    const [fox, owl] = [await film(world, 'fox'), await film(world, 'owl')];
    await fox.ask();
    const waiting = owl.ask();
    for (let n = 0; n < 3; n++) {
      await world.clock.asleep();
      await world.passes(1_000);
    }
    await world.clock.asleep();
    await fox.record({ type: 'submit_refused', key: SHOT, nonce: 'fox 1', reason: 'no', retry_at: null });
    await world.passes(1_000);
    // It was refused, and may have been taken all the same: that is looked at before.
    expect(await waiting).toEqual({ is: 'elsewhere' });
    expect(await owl.ask()).toEqual({ is: 'go', nonce: 'owl 1' });
  });

  test.each([
    ['its own film', 'fox', 'owl'],
    ['another film', 'owl', 'fox'],
  ])('what a run gave up, and two ask for at once, is taken up by one: %s', async (_, first, second) => {
    const world = await open();
    const before = await film(world, 'fox');
    await before.ask();
    await before.record({ type: 'submit_unknown', key: SHOT, nonce: 'fox 1', fingerprint: 'f', reason: 'cut off' });
    const failure = { code: 'submit_unknown', message: 'nobody can tell' } as const;
    await before.record({ type: 'failed', key: SHOT, failure });
    await before.dies();
    const films = { fox: await film(world, 'fox'), owl: await film(world, 'owl') };
    const [one, two] = [films[first as 'fox'], films[second as 'fox']];
    expect(await one.ask()).toMatchObject({ is: 'mine', open: { nonce: 'fox 1' } });
    const waiting = two.ask();
    await world.clock.asleep();
    await one.record({ type: 'submit_absent', key: SHOT, nonce: 'fox 1', reason: 'not listed' });
    await world.passes(1_000);
    expect(await waiting).toEqual({ is: 'elsewhere' });
    expect(await two.ask()).toEqual({ is: 'go', nonce: `${second} 1` });
  });

  test.each([
    ['of all', { in_flight: 1 }],
    ['of its model', { per_model: 1 }],
  ])('what nobody knows the end of holds its place %s, as long as it may run', async (_, limit) => {
    const world = await open();
    const limits = { ...DEFAULT_LIMITS, ...limit };
    const [fox, owl] = [await film(world, 'fox', 'f', limits), await film(world, 'owl', 'g', limits)];
    await fox.ask();
    await fox.record({ type: 'submit_unknown', key: SHOT, nonce: 'fox 1', fingerprint: 'f', reason: 'cut off' });
    const waiting = owl.ask();
    let answered = false;
    void waiting.then(() => {
      answered = true;
    });
    await world.clock.asleep();
    const failure = { code: 'submit_unknown', message: 'nobody can tell' } as const;
    await fox.record({ type: 'failed', key: SHOT, failure });
    await fox.dies();
    for (let minute = 0; minute < 14; minute++) {
      await world.passes(60_000);
      await world.clock.asleep();
    }
    expect(answered).toBe(false);
    await world.passes(60_001);
    expect(await waiting).toEqual({ is: 'go', nonce: 'owl 1' });
  });

  test('what an earlier run was at holds its place no longer than it may run, though the film runs again without it', async () => {
    const world = await open();
    const limits = { ...DEFAULT_LIMITS, in_flight: 1 };
    const [before, owl] = [await film(world, 'fox'), await film(world, 'owl', 'g', limits)];
    await before.record(STARTED);
    await before.ask();
    await before.record({ type: 'submit_accepted', key: SHOT, nonce: 'fox 1', generation_id: GEN, found: false });
    await before.dies();
    const fox = await film(world, 'fox');
    await fox.record(STARTED);
    const waiting = owl.ask();
    await world.clock.asleep();
    await world.passes(LONGEST_GENERATION + 1);
    expect(await waiting).toEqual({ is: 'go', nonce: 'owl 1' });
  });

  test('what another film took over and finished is owned, though this film still has it as open', async () => {
    const world = await open();
    const before = await film(world, 'fox');
    await before.ask();
    await before.dies();
    // The rows of the decision tell of the result.
    let asked = 0;
    const owned = () => (asked++ > 0 ? MADE : undefined);
    const fox = await film(world, 'fox', 'f', DEFAULT_LIMITS, { owned });
    await fox.record(STARTED);
    const owl = await film(world, 'owl');
    expect(await owl.ask()).toMatchObject({ is: 'mine', open: { nonce: 'fox 1' } });
    await owl.record({ type: 'submit_absent', key: SHOT, nonce: 'fox 1', reason: 'not listed' });
    expect(await fox.ask()).toEqual({ is: 'owned', result: MADE });
  });

  test('what another film took over and closed is not resumed, though this film still has it as open', async () => {
    const world = await open();
    const before = await film(world, 'fox');
    await before.ask();
    await before.dies();
    const fox = await film(world, 'fox');
    await fox.record(STARTED);
    const owl = await film(world, 'owl');
    expect(await owl.ask()).toMatchObject({ is: 'mine', open: { nonce: 'fox 1' } });
    await owl.record({ type: 'submit_absent', key: SHOT, nonce: 'fox 1', reason: 'not listed' });
    expect(await fox.ask()).toMatchObject({ is: 'go' });
  });

  test('what another film has made on another machine meanwhile is fetched from there, and not sent again', async () => {
    const world = await open();
    let made: string | undefined;
    const fox = await film(world, 'fox');
    const owl = await film(world, 'owl', 'f', DEFAULT_LIMITS, { madeElsewhere: () => made });
    await fox.ask();
    const waiting = owl.ask();
    await world.clock.asleep();
    // The rows of the next decision tell of it.
    const { journal } = owl;
    const decide = journal.decide.bind(journal);
    journal.decide = (on, decision) =>
      decide(on, () => {
        made = 'digest';
        return decision();
      });
    await fox.record({ type: 'submit_refused', key: SHOT, nonce: 'fox 1', reason: 'no', retry_at: null });
    await world.passes(1_000);
    expect(await waiting).toEqual({ is: 'elsewhere' });
    // Where it is not to be had, it is sent.
    expect(await owl.ask()).toEqual({ is: 'go', nonce: 'owl 1' });
  });

  test('of ten who ask at once for the same, one goes', async () => {
    const world = await open();
    const films = await Promise.all([...Array(10).keys()].map(n => film(world, `film ${n}`)));
    const stop = new AbortController();
    const answers = films.map(({ admission, asked }) => admitted(admission, asked, stop.signal));
    const first = await Promise.race(answers);
    expect(first).toMatchObject({ is: 'go' });
    stop.abort();
    const all = await Promise.all(answers);
    expect(all.filter(({ is }) => is === 'go')).toHaveLength(1);
  });

  test('what was lost and proven absent too often is not sent by another film either', async () => {
    const world = await open();
    const [fox, owl] = [await film(world, 'fox'), await film(world, 'owl')];
    for (let n = 1; n <= DEFAULT_LIMITS.attempts; n++) {
      expect(await fox.ask(n > 1)).toMatchObject({ is: 'go' });
      await world.passes(2_000);
      await fox.record({ type: 'submit_unknown', key: SHOT, nonce: `fox ${n}`, fingerprint: 'f', reason: 'cut off' });
      await fox.record({ type: 'submit_absent', key: SHOT, nonce: `fox ${n}`, reason: 'not listed' });
    }
    expect(await owl.ask()).toMatchObject({ is: 'spent', times: DEFAULT_LIMITS.attempts });
  });
}
