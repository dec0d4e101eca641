/** What every implementation of `Admission` must do about budgets: in the one decision before money moves, over all runs, films and processes. */
import { describe, expect, test } from 'vitest';
import { type AppliedBudget, type Budget, type Demand, NO_DEMAND, UNKNOWN_DEMAND } from '../../../src/model/budget.ts';
import type { Event } from '../../../src/model/run/event.ts';
import type { GenerationId, InstanceKey } from '../../../src/model/run/key.ts';
import type { Result } from '../../../src/model/run/result.ts';
import type { LockedCharge } from '../../../src/records/views/charges.ts';
import { JournalAdmission } from '../../../src/run/admission/journal-admission.ts';
import { JournalBudgets } from '../../../src/run/admission/journal-budgets.ts';
import { DEFAULT_LIMITS } from '../../../src/run/engine/limits.ts';
import { admitted } from '../../support/admitted.ts';
import type { FilmWorld } from './film-world.ts';

const never = new AbortController().signal;

export const video = (usd: number, seconds = 5): Demand => ({
  ...{ ...NO_DEMAND, usd, video_seconds: seconds, generations: 1 },
});
export const ofFilm = (budget: Budget): AppliedBudget => ({ of: 'film', budget });
const ofProject = (budget: Budget): AppliedBudget => ({ of: 'project', budget });

/** One process that runs a film. */
export async function budgeted(
  world: FilmWorld,
  name: string,
  budgets: readonly AppliedBudget[],
  locked: readonly LockedCharge[] = [],
  at = 'house',
) {
  const { journal, run, account, isRunning, dies } = await world.process(name, { account: at });
  const bounds = new JournalBudgets({ journal, account, budgets, locked: () => locked });
  const admission = new JournalAdmission({
    ...{ journal, clock: world.clock, account, limits: DEFAULT_LIMITS, owned: () => undefined, budgets: bounds },
    isRunning,
  });
  const key = (fingerprint: string) => `shot ${fingerprint}` as InstanceKey;
  const record = async (event: Event) => {
    journal.append(run, [event]);
    await journal.durable();
  };
  return {
    ...{ journal, admission, bounds, dies },
    /** What has been spent and what is in flight, of each number. */
    spent: async () => {
      await journal.look({ fingerprint: '' });
      return admission.budget().map(({ spent, in_flight }) => [spent, in_flight]);
    },
    ask: (fingerprint: string, demand: Demand) =>
      admitted(
        admission,
        {
          ...{ key: key(fingerprint), fingerprint, model: 'm', demand, shared: true },
          intend: () => {
            const nonce = `${run} ${fingerprint}`;
            const work = { key: key(fingerprint), nonce, fingerprint, model: 'm', request: {}, price: demand.usd };
            journal.append(run, [{ type: 'submit_intended', ...work, demand, account }]);
            return nonce;
          },
        },
        never,
      ),
    record: (fingerprint: string, event: { readonly type: Event['type']; readonly [name: string]: unknown }) =>
      record({ key: key(fingerprint), nonce: `${run} ${fingerprint}`, fingerprint, ...event } as Event),
    accepted: (fingerprint: string, id = `gen ${fingerprint}`) =>
      record({
        ...{ type: 'submit_accepted', key: key(fingerprint), nonce: `${run} ${fingerprint}` },
        ...{ generation_id: id as GenerationId, found: false },
      }),
    made: (fingerprint: string, cost: number | null, seconds = 5) =>
      record({
        ...{ type: 'succeeded', key: key(fingerprint), fingerprint },
        result: madeResult(fingerprint, cost, seconds),
      }),
  };
}

export const madeResult = (fingerprint: string, cost: number | null, duration: number): Result => ({
  ...{ is: 'media', result_url: 'https://house.test/a.mp4', sha256: 'ab'.repeat(32), extension: '.mp4', bytes: 9 },
  ...{ generation_id: `gen ${fingerprint}` as GenerationId, request: {}, cost, media: { kind: 'video', duration } },
});

const OVER = { is: 'over_budget' } as const;

export function budgetCases(open: () => FilmWorld | Promise<FilmWorld>): void {
  const opened = async (budgets: readonly AppliedBudget[], locked?: readonly LockedCharge[]) => {
    const world = await open();
    return { world, fox: await budgeted(world, 'fox', budgets, locked) };
  };
  describe('a film', () => {
    test('sends what fits, and holds back what does not; a cheaper one goes', async () => {
      const { fox } = await opened([ofFilm({ usd: 1 })]);
      expect(await fox.ask('a', video(0.7))).toMatchObject({ is: 'go' });
      await fox.accepted('a');
      await fox.made('a', 0.7);
      expect(await fox.ask('b', video(0.4))).toMatchObject({
        ...OVER,
        stop: { of: 'film', measure: 'usd', why: 'exceeds', limit: 1, spent: 0.7, in_flight: 0, next: 0.4 },
      });
      expect(await fox.ask('c', video(0.3))).toMatchObject({ is: 'go' });
      expect(await fox.spent()).toEqual([[0.7, 0.3]]);
    });

    test('has spent what its earlier runs have, killed or not', async () => {
      const world = await open();
      await (await budgeted(world, 'fox', [ofFilm({ usd: 1 })])).ask('a', video(0.7));
      // It was killed between the intent and the answer: nobody knows whether it was taken.
      const again = await budgeted(world, 'fox', [ofFilm({ usd: 1 })]);
      expect(await again.spent()).toEqual([[0, 0.7]]);
      expect(await again.ask('b', video(0.4))).toMatchObject(OVER);
    });

    test('has spent what is made, though its result is not here: what may turn out to be less makes others wait, and a kill changes nothing', async () => {
      const world = await open();
      const budgets = [ofFilm({ usd: 1, video_seconds: 40 })];
      const generated = { type: 'generated', result_url: 'https://house.test/a.mp4' } as const;
      const fox = await budgeted(world, 'fox', budgets);
      await fox.ask('a', video(0.7, 30));
      await fox.accepted('a');
      await fox.record('a', { ...generated, generation_id: 'gen a', cost: 0.7 });
      expect(await fox.spent()).toEqual([
        [0.7, 0],
        [30, 0],
      ]);
      const next = fox.ask('b', video(0.1, 30));
      await world.clock.asleep();
      await fox.made('a', 0.7, 8);
      await world.passes(1_000);
      expect(await next).toMatchObject({ is: 'go' });

      const owl = await budgeted(world, 'owl', budgets);
      await owl.ask('c', video(0.7, 30));
      await owl.accepted('c');
      // A call that answers at once says what it cost.
      await owl.record('c', { ...generated, generation_id: null, cost: 0.6 });
      await owl.dies();
      const again = await budgeted(world, 'owl', budgets);
      expect(await again.spent()).toEqual([
        [0.6, 0],
        [30, 0],
      ]);
      expect(await again.ask('d', video(0.5))).toMatchObject({ ...OVER, stop: { spent: 0.6, in_flight: 0 } });
      // Another film of the project sees the same.
      const hen = await budgeted(world, 'hen', [ofProject({ usd: 1.45 })]);
      expect(await hen.ask('e', video(0.1))).toMatchObject({ ...OVER, stop: { spent: 1.3, in_flight: 0.1 } });
    });

    test('counts a lost answer in full, until it is proven absent', async () => {
      const { fox } = await opened([ofFilm({ usd: 1 })]);
      await fox.ask('a', video(0.7));
      await fox.record('a', { type: 'submit_unknown', reason: 'cut off' });
      await fox.record('a', { type: 'failed', failure: { code: 'submit_unknown', message: 'nobody can tell' } });
      expect(await fox.ask('b', video(0.4))).toMatchObject(OVER);
      await fox.record('a', { type: 'submit_absent', reason: 'the whole history does not have it' });
      expect(await fox.spent()).toEqual([[0, 0]]);
      expect(await fox.ask('b', video(0.4))).toMatchObject({ is: 'go' });
    });

    test('counts both where a lost one is sent again without proof, and one that was given up', async () => {
      const { fox } = await opened([ofFilm({ usd: 3 })]);
      await fox.ask('a', video(0.7));
      await fox.record('a', { type: 'submit_unknown', reason: 'cut off' });
      await fox.record('a', { type: 'submit_absent', reason: 'asked for', asked: true });
      expect(await fox.spent()).toEqual([[0.7, 0]]);
      await fox.ask('b', video(0.4));
      await fox.record('b', { type: 'submission_forgotten' });
      expect(await fox.spent()).toEqual([[1.1, 0]]);
    });

    test('counts nothing of what was refused', async () => {
      const { fox } = await opened([ofFilm({ usd: 1 })]);
      await fox.ask('a', video(0.7));
      await fox.record('a', { type: 'submit_refused', reason: 'no', retry_at: null });
      expect(await fox.spent()).toEqual([[0, 0]]);
    });

    test('counts a failed one in full, until the service tells what it billed', async () => {
      const { fox } = await opened([ofFilm({ usd: 1 })]);
      await fox.ask('a', video(0.7));
      await fox.accepted('a');
      const failure = { code: 'generation_failed', generation_id: 'gen a', message: 'refused' };
      await fox.record('a', { type: 'failed', failure });
      expect(await fox.spent()).toEqual([[0.7, 0]]);
      await fox.record('a', { type: 'billed', generation_id: 'gen a', cost: 0, estimate: null });
      expect(await fox.spent()).toEqual([[0, 0]]);
    });

    test('counts what its own service billed: another one gives the same ids', async () => {
      const world = await open();
      const other = await budgeted(world, 'fox', [ofFilm({ usd: 9 })], [], 'garden');
      await other.ask('b', video(0.5));
      await other.accepted('b', 'gen 1');
      const fox = await budgeted(world, 'fox', [ofFilm({ usd: 9 })]);
      await fox.ask('a', video(0.7));
      await fox.accepted('a', 'gen 1');
      await fox.record('a', { type: 'billed', generation_id: 'gen 1', cost: 2, estimate: null, account: 'house' });
      expect(await fox.spent()).toEqual([[0, 2]]);
      expect(await (await budgeted(world, 'fox', [ofFilm({ usd: 9 })], [], 'garden')).spent()).toEqual([[0, 0.5]]);
    });

    test('sends nothing more where the service billed more than it was expected to', async () => {
      const { fox } = await opened([ofFilm({ usd: 1 })]);
      await fox.ask('a', video(0.7));
      await fox.accepted('a');
      await fox.made('a', 0.7);
      await fox.record('a', { type: 'billed', generation_id: 'gen a', cost: 1.4, estimate: 0.7 });
      expect(await fox.spent()).toEqual([[1.4, 0]]);
      expect(await fox.ask('b', video(0.01))).toMatchObject({ ...OVER, stop: { spent: 1.4 } });
    });

    test('counts what a result really came to: a shorter video leaves room', async () => {
      const { fox } = await opened([ofFilm({ video_seconds: 40 })]);
      await fox.ask('a', video(3, 30));
      await fox.accepted('a');
      await fox.made('a', 0.8, 8);
      expect(await fox.spent()).toEqual([[8, 0]]);
      expect(await fox.ask('b', video(3, 30))).toMatchObject({ is: 'go' });
    });

    test('waits while something of its own is in flight that may turn out to be less, and is told when it does not', async () => {
      const { world, fox } = await opened([ofFilm({ usd: 1 })]);
      await fox.ask('a', video(0.9));
      await fox.accepted('a');
      const next = fox.ask('b', video(0.8));
      await world.clock.asleep();
      await fox.made('a', 0.1);
      await world.passes(1_000);
      expect(await next).toMatchObject({ is: 'go' });
      const last = fox.ask('c', video(0.5));
      await world.clock.asleep();
      await fox.accepted('b');
      await fox.made('b', 0.8);
      await world.passes(1_000);
      expect(await last).toMatchObject({ ...OVER, stop: { spent: 0.9 } });
    });

    test('waits for nothing where it would not fit either way', async () => {
      const { fox } = await opened([ofFilm({ usd: 1 })]);
      await fox.ask('a', video(0.5));
      expect(await fox.ask('b', video(1.5))).toMatchObject(OVER);
    });

    test('is not misled by a clock that goes back', async () => {
      const { world, fox } = await opened([ofFilm({ usd: 1 })]);
      await fox.ask('a', video(0.7));
      await world.setClock(-86_400_000);
      const again = await budgeted(world, 'fox', [ofFilm({ usd: 1 })]);
      expect(await again.ask('b', video(0.4))).toMatchObject(OVER);
    });

    test('needs leave for what has no price, also to bring a model up', async () => {
      const { world, fox } = await opened([ofFilm({ usd: 1 })]);
      expect(await fox.ask('a', UNKNOWN_DEMAND)).toMatchObject({ ...OVER, stop: { why: 'unpriced' } });
      expect(await fox.admission.stopsActivation()).toMatchObject({ why: 'unpriced', measure: 'usd' });
      const allowing = await budgeted(world, 'fox', [ofFilm({ usd: 1, unpriced: 'allow' })]);
      expect(await allowing.admission.stopsActivation()).toBeUndefined();
      expect(await allowing.ask('a', UNKNOWN_DEMAND)).toMatchObject({ is: 'go' });
      expect(await (await budgeted(world, 'fox', [ofFilm({ images: 1 })])).admission.stopsActivation()).toBeUndefined();
    });

    test('pays nothing for what another film of the project has sent', async () => {
      const world = await open();
      const owl = await budgeted(world, 'owl', []);
      await owl.ask('a', video(0.7));
      await owl.dies();
      const fox = await budgeted(world, 'fox', [ofFilm({ usd: 0.1 })]);
      expect(await fox.ask('a', video(0.7))).toMatchObject({ is: 'mine' });
      expect(await fox.spent()).toEqual([[0, 0]]);
      // It stays the expense of the film that sent it.
      expect(await (await budgeted(world, 'owl', [ofFilm({ usd: 1 })])).spent()).toEqual([[0, 0.7]]);
    });
  });

  test('two processes at once on one journal never both pass: each sees what the other has sent', async () => {
    const world = await open();
    const both = [
      await budgeted(world, 'fox', [ofProject({ usd: 1 })]),
      await budgeted(world, 'owl', [ofProject({ usd: 1 })]),
    ] as const;
    const answers = await Promise.all([both[0].ask('a', video(0.7)), both[1].ask('b', video(0.7))]);
    expect(answers.map(({ is }) => is).sort()).toEqual(['go', 'over_budget']);
  });

  test('in another profile it is the same film, and another profile; by another name it is another film', async () => {
    const world = await open();
    await (await budgeted(world, 'fox/@draft', [])).ask('a', video(0.7));
    await (await budgeted(world, 'foxes', [])).ask('b', video(5));
    const fox = await budgeted(world, 'fox', [ofFilm({ usd: 1 })]);
    expect(await fox.ask('c', video(0.4))).toMatchObject({ ...OVER, stop: { of: 'film', in_flight: 0.7 } });
    const real = await budgeted(world, 'fox', [{ of: 'profile', budget: { usd: 1 } }]);
    expect(await real.ask('c', video(0.4))).toMatchObject({ is: 'go' });
    const all = await budgeted(world, 'owl', [ofProject({ usd: 9 })]);
    expect(await all.ask('d', video(3))).toMatchObject({ ...OVER, stop: { of: 'project', in_flight: 6.1 } });
  });

  test('what one run alone may spend begins with it', async () => {
    const world = await open();
    await (await budgeted(world, 'fox', [])).ask('a', video(5));
    const fox = await budgeted(world, 'fox', [{ of: 'run', budget: { usd: 1 } }]);
    expect(await fox.spent()).toEqual([[0, 0]]);
    expect(await fox.ask('b', video(0.7))).toMatchObject({ is: 'go' });
    await fox.accepted('b');
    await fox.made('b', 0.7);
    expect(await fox.ask('c', video(0.7))).toMatchObject({ ...OVER, stop: { of: 'run', limit: 1, spent: 0.7 } });
  });

  describe('what the lock names', () => {
    const locked = (generation: string | null, fingerprint: string, usd: number | null): LockedCharge => ({
      ...{ generation, fingerprint },
      charge: { ...video(0), usd, isOpen: false },
    });

    test('was spent, though this machine knows nothing of it', async () => {
      const { fox } = await opened([ofFilm({ usd: 1 })], [locked('gen x', 'x', 0.6), locked(null, 'y', 0.3)]);
      expect(await fox.spent()).toEqual([[0.9, 0]]);
      expect(await fox.ask('a', video(0.2))).toMatchObject({ ...OVER, stop: { spent: 0.9 } });
    });

    test('is unknown where another service alone has taken an equal id or an equal request', async () => {
      const world = await open();
      const other = await budgeted(world, 'fox', [ofFilm({ usd: 1 })], [locked('gen z', 'z', 0.1)], 'garden');
      for (const fingerprint of ['x', 'y']) await other.ask(fingerprint, video(0.2));
      await other.accepted('x');
      const named = [locked('gen x', 'x', 0.6), locked(null, 'y', 0.2), locked('gen z', 'z', 0.1)];
      const fox = await budgeted(world, 'fox', [ofFilm({ usd: 1 })], named);
      expect(await fox.spent()).toEqual([[0.9, 0]]);
      await fox.ask('a', video(0.1));
      expect(await fox.spent()).toEqual([[0.9, 0.1]]);
      expect(await (await budgeted(world, 'fox', [ofFilm({ usd: 1 })], [], 'garden')).spent()).toEqual([[0.1, 0.4]]);
    });

    test('is counted once: by its generation, or by what was asked', async () => {
      const world = await open();
      const first = await budgeted(world, 'fox', []);
      await first.ask('x', video(0.6));
      await first.accepted('x');
      await first.made('x', 0.6);
      const fox = await budgeted(
        world,
        'fox',
        [ofFilm({ usd: 1 })],
        [locked('gen x', 'x', 0.6), locked('gen x', 'x', 0.6)],
      );
      expect(await fox.spent()).toEqual([[0.6, 0]]);
    });

    test('stays spent when it names something else in its place, and is no expense of the run that keeps it', async () => {
      const { world, fox } = await opened(
        [ofFilm({ usd: 1 }), { of: 'run', budget: { usd: 1 } }],
        [locked('gen x', 'x', 0.6)],
      );
      expect(await fox.ask('a', video(0.3))).toMatchObject({ is: 'go' });
      expect(await fox.spent()).toEqual([
        [0.6, 0.3],
        [0, 0.3],
      ]);
      expect(await (await budgeted(world, 'fox', [ofFilm({ usd: 1 })])).spent()).toEqual([[0.6, 0.3]]);
    });

    test('without a cost is nothing that anybody could count', async () => {
      const world = await open();
      const fox = await budgeted(world, 'fox', [ofFilm({ usd: 1 })], [locked('gen x', 'x', null)]);
      expect(await fox.ask('a', video(0.3))).toMatchObject({ ...OVER, stop: { why: 'unpriced_before', unknown: 1 } });
    });
  });

  test('a chat whose answer did not fit has spent both calls, and each once', async () => {
    const world = await open();
    const chat: Demand = { ...NO_DEMAND, usd: 0.5, tokens: 1_000, generations: 1, atMost: ['usd', 'tokens'] };
    const fox = await budgeted(world, 'fox', [ofFilm({ usd: 9, tokens: 9_999, generations: 9 })]);
    await fox.ask('a', chat);
    await fox.record('a', { type: 'answer_unfit', reason: 'no JSON', cost: 0.125, tokens: 300 });
    expect(await fox.spent()).toEqual([
      [0.125, 0],
      [1, 0],
      [300, 0],
    ]);
  });
}
