/** A service that answers "too many requests", and has taken what it refused. */
import { describe, expect, test } from 'vitest';
import { HOSTED_PROOF } from '../../src/run/requests/proof-of-absence.ts';
import { posts, ran, rig, type StartedRun, withQuickRig } from './rig.ts';

const REFUSED = { is: 'refused', status: 429, message: 'too many requests', retryAfter: 1_000 } as const;
const TAKEN = { answer: REFUSED, take: true };
const NOT_TAKEN = { answer: REFUSED, take: false };

const shots = (copies: number, more = '', prompt = 'a fox in scene ${{ matrix.scene }}') => `
steps:
  shot:
    matrix: { scene: ${JSON.stringify(Array.from({ length: copies }, (_, n) => n))} }
    ${more}
    model: V-T2V-A
    with: { prompt: "${prompt}", duration: 5 }
`;

withQuickRig(() => {
  rig.settings = { proof: HOSTED_PROOF };
});

const made = () => rig.service.records.size;
const ids = ({ events }: StartedRun) =>
  new Set(events.flatMap(event => (event.type === 'submit_accepted' ? [event.generation_id] : [])));

describe('what a service has taken and refused', () => {
  test('is found in its list before it is sent again: 20 for 20', async () => {
    rig.service.trouble.push(...Array.from({ length: 5 }, () => TAKEN));
    const film = await rig.start(shots(20));
    expect((await rig.runToEnd(film)).is).toBe('done');
    expect([made(), posts(), ids(film).size]).toStrictEqual([20, 20, 20]);
  });

  test('is found by the next run where the first was killed before it looked', async () => {
    rig.service.trouble.push(TAKEN);
    const first = await rig.start(shots(1));
    await first.happened('submit_refused');
    expect((await ran(shots(1))).outcome.is).toBe('done');
    expect([made(), posts()]).toStrictEqual([1, 1]);
  });

  test('is claimed by the next run where the first was killed before it kept the id, and not sent under a new key', async () => {
    rig.service.honoursKeys = true;
    rig.settings = { proof: HOSTED_PROOF, idempotent: true };
    rig.service.trouble.push(TAKEN);
    const first = await rig.start(shots(1));
    await first.happened('submit_refused');
    const { journal, clock } = rig;
    const { sent } = journal.views;
    const { claimedAmong } = sent;
    // The process ends right after its second intent, which is for the listed generation.
    const killed = new Promise<void>(resolve => {
      sent.claimedAmong = (ids, account) => {
        if (journal.views.ledger.open.length === 0) return claimedAmong(ids, account);
        resolve();
        return new Promise(() => {});
      };
    });
    await clock.advance(5_000);
    await killed;
    const again = await rig.start(shots(1));
    expect((await rig.runToEnd(again)).is).toBe('done');
    expect([made(), posts(), [...ids(again)]]).toStrictEqual([1, 1, ['gen-1']]);
  });

  test('is not sent again by a run whose key may not read the list: the next run looks first', async () => {
    rig.service.trouble.push(TAKEN);
    rig.service.historyTrouble.push({ is: 'unauthenticated', message: 'the key is not valid' });
    expect((await ran(shots(1))).outcome.is).toBe('unreachable');
    expect((await ran(shots(1))).outcome.is).toBe('done');
    expect([made(), posts()]).toStrictEqual([1, 1]);
  });

  test('of equal requests each takes one', async () => {
    rig.service.trouble.push(TAKEN, TAKEN, TAKEN);
    const film = await rig.start(shots(3, 'cache: false', 'a fox crosses a river'));
    expect((await rig.runToEnd(film)).is).toBe('done');
    expect([made(), posts(), ids(film).size]).toStrictEqual([3, 3, 3]);
  });
});

describe('what a service has refused, and not taken', () => {
  test('is sent again, and one look serves all that were refused together', async () => {
    rig.service.trouble.push(...Array.from({ length: 8 }, () => NOT_TAKEN));
    const film = await rig.start(shots(8));
    let looks = 0;
    const { lists } = rig.service;
    rig.service.lists = rows => {
      if (rows.length < 8) looks += 1;
      return lists(rows);
    };
    expect((await rig.runToEnd(film)).is).toBe('done');
    expect([made(), posts(), looks]).toStrictEqual([8, 16, 1]);
  });

  test.each([
    [
      'it lists nothing',
      () => {
        rig.service.listsHistory = false;
      },
    ],
    [
      'its rows do not say what they are of',
      () => {
        rig.service.lists = rows => rows.map(({ generation_id, status }) => ({ generation_id, status }));
      },
    ],
    [
      'its list cannot be read',
      () => {
        const broken = { is: 'unavailable', message: 'answered 500' } as const;
        rig.service.historyTrouble.push(...Array.from({ length: 5 }, () => broken));
      },
    ],
  ])('%s: it is sent again, as a refusal says', async (_, make) => {
    make();
    rig.service.trouble.push({ answer: { is: 'accepted', id: 'gen-1' }, take: true }, NOT_TAKEN);
    expect((await ran(shots(2))).outcome.is).toBe('done');
    expect([made(), posts()]).toStrictEqual([2, 3]);
  });
});

test('a run that is stopped while it looks has sent nothing, and the next one begins anew', async () => {
  rig.service.trouble.push(NOT_TAKEN);
  const film = await rig.start(shots(1));
  await film.happened('submit_refused');
  rig.service.history = () => new Promise(resolve => setImmediate(() => resolve({ is: 'ok', value: [] })));
  film.run.detach();
  expect((await rig.runToEnd(film)).is).toBe('interrupted');
  expect((await ran(shots(1))).outcome.is).toBe('done');
  expect([made(), posts()]).toStrictEqual([1, 2]);
});
