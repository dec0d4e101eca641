/** What a history proves, and what it does not. */
import { expect, test } from 'vitest';
import type { HistoryRow } from '../../src/api/queue.ts';
import type { InstanceKey } from '../../src/model/run/key.ts';
import type { Submission } from '../../src/records/views/ledger.ts';
import type { Witness } from '../../src/records/views/sent.ts';
import { type Evidence, judge } from '../../src/run/requests/proof.ts';

/** Unix milliseconds. */
const NOON = Date.UTC(2026, 10, 20, 12);
const HOUR = 3_600_000;

const request = { prompt: 'a fox at the river', seed: 1001 };
const lost: Submission = {
  ...{ nonce: 'n', key: 'shot' as InstanceKey, fingerprint: 'f', model: 'V-T2V-A', request, price: 0.5 },
  ...{ at: NOON, lostAt: NOON + 1_000, state: 'unknown' },
};
const witness = (change: Partial<Witness>): Witness => ({
  ...{ id: 'gen-1', model: 'V-T2V-A', request: { prompt: 'an owl over the ice', seed: 7007 } },
  ...{ at: NOON - 60_000, acceptedAt: NOON - 59_000, isEarlier: true, ...change },
});
const row = (id: string, fields: object, at: number): HistoryRow =>
  ({ generation_id: id, status: 'processing', model_name: 'V-T2V-A', enqueued_at: at / 1000, ...fields }) as HistoryRow;
const look = (change: Partial<Evidence>) =>
  judge({
    ...{
      rows: [row('gen-1', witness({}).request, NOON - 60_000)],
      lost,
      rivals: [],
      witnesses: [witness({})],
    },
    ...{ isClaimed: id => id === 'gen-1', modelId: label => label, trusted: false },
    ...{ witnessAfter: Number.NEGATIVE_INFINITY, ...change },
  });

test('a list that shows what the service had before, and not this one, proves that it is not there', () => {
  expect(look({})).toMatchObject({ is: 'absent' });
});

test('of two on the wire the second may arrive first: a list that is cut off between them proves nothing', () => {
  const second = witness({ at: NOON - 10, acceptedAt: NOON + 500 });
  expect(look({ witnesses: [second] })).toMatchObject({ is: 'cannot tell' });
});

test('one that was written down later is no witness, whatever a clock said that was wrong', () => {
  expect(look({ witnesses: [witness({ isEarlier: false })] })).toMatchObject({ is: 'cannot tell' });
});

test('our clock was an hour ahead when it was sent: its row is no old one', () => {
  const ahead = { ...lost, at: NOON + HOUR, lostAt: NOON + HOUR };
  const rows = [row('gen-2', request, NOON), row('gen-1', witness({}).request, NOON - 60_000)];
  expect(look({ lost: ahead, rows })).toMatchObject({ is: 'found', row: { generation_id: 'gen-2' } });
});

test('one that was given up and sent again unseen may be behind a row that does not show what tells them apart', () => {
  const givenUp: Submission = {
    ...lost,
    nonce: 'o',
    request: { ...request, seed: 2002 },
    state: 'closed',
    end: 'absent',
  };
  const rows = [
    row('gen-2', { prompt: request.prompt }, NOON),
    row('gen-1', { prompt: 'an owl over the ice' }, NOON - 60_000),
  ];
  expect(look({ rows, rivals: [givenUp] })).toMatchObject({ is: 'cannot tell' });
});
