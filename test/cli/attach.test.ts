/** What a service may say of a generation that somebody wants to attach. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { GenerationRecord, HistoryRow } from '../../src/api/queue.ts';
import type { Answer } from '../../src/api/service.ts';
import { attach } from '../../src/app/choices/attach.ts';
import type { Film } from '../../src/app/film/open-film.ts';
import type { GenerationId, InstanceKey, RunId } from '../../src/model/run/key.ts';
import { openJournal } from '../../src/records/journal/journal-file.ts';
import type { LocalJournal } from '../../src/records/journal/local-journal.ts';
import { contextOf, planOf } from '../plan/support.ts';
import { FakeService } from '../run/fake-service.ts';
import { FakeClock } from '../support/fake-clock.ts';

const FILM = `
steps:
  shot: { model: V-T2V-A, with: { prompt: a fox, duration: 5 } }
  words: { model: C-D, with: { prompt: hello, max_tokens: 10 } }
  local: { run: [ echo, x ] }
`;
const ID = 'gen_1' as GenerationId;

class OtherService extends FakeService {
  record: Answer<GenerationRecord> = { is: 'ok', value: { generation_id: ID, status: 'succeeded', result_url: 'x' } };
  rows: Answer<readonly HistoryRow[]> = { is: 'ok', value: [] };
  override async generation() {
    return this.record;
  }
  override async history() {
    return this.rows;
  }
}

const clock = new FakeClock();
let folder: string;
let journal: LocalJournal;
let service: OtherService;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shotlist-attach-'));
  journal = openJournal({ folder, film: 'film', clock, to: 'run' });
  service = new OtherService(clock);
});
afterEach(async () => {
  await journal.close();
  rmSync(folder, { recursive: true });
});

const film = () => ({ plan: planOf(FILM), context: contextOf(), journal }) as unknown as Film;
const attached = (key = 'shot', accept: 'same' | 'different' = 'same') =>
  attach(film(), { key: key as InstanceKey, id: ID, accept }, service, new AbortController().signal);
const status = (word: string, more: Partial<GenerationRecord> = {}) => {
  service.record = { is: 'ok', value: { generation_id: ID, status: word, ...more } };
};
const lists = (row: Record<string, unknown>) => {
  service.rows = {
    is: 'ok',
    value: [{ generation_id: ID, status: 'succeeded', model_name: 'V-T2V-A', ...row } as unknown as HistoryRow],
  };
};

test('what it was asked is compared, and it is journalled as found', async () => {
  lists({ prompt: 'a fox ', duration: 5, cost: '0.50' });
  expect(await attached()).toEqual({ is: 'attached', notes: [] });
  expect(journal.views.ledger.open).toMatchObject([{ key: 'shot', id: ID, state: 'accepted', price: 0.5 }]);
});

test.each(['-5', 'NaN', '1e308', '', 'about a dollar'])('a cost that is none, %j, is no price', async cost => {
  lists({ prompt: 'a fox', duration: 5, cost });
  await attached();
  expect(journal.views.ledger.open).toMatchObject([{ id: ID, price: null }]);
});

test('fields that are not shown are told', async () => {
  lists({ prompt: 'a fox' });
  expect(await attached()).toEqual({
    is: 'attached',
    notes: ['not compared, for the service does not show it: duration'],
  });
});

test('one that is not listed is taken by force alone', async () => {
  const refused = await attached();
  expect(refused).toMatchObject({
    is: 'refused',
    message: expect.stringContaining('does not tell what gen_1 was asked'),
  });
  service.rows = { is: 'absent', message: 'not offered' };
  expect((await attached()).is).toBe('refused');
  expect(journal.views.ledger.open).toEqual([]);
  expect((await attached('shot', 'different')).is).toBe('attached');
});

test('one that has failed, was cancelled or is nowhere has no result to take', async () => {
  status('failed', { error_message: 'nsfw' });
  expect(await attached('shot', 'different')).toEqual({
    is: 'refused',
    message: 'gen_1 has failed: nsfw; there is no result to take',
  });
  status('cancelled');
  expect(await attached()).toMatchObject({ message: 'gen_1 has been cancelled; there is no result to take' });
  service.record = { is: 'absent', message: '404' };
  expect(await attached()).toMatchObject({ is: 'refused', message: "house knows no generation gen_1 of this key's" });
  service.record = { is: 'unavailable', message: 'ECONNREFUSED' };
  expect(await attached()).toEqual({ is: 'unreachable', message: 'ECONNREFUSED' });
  expect(journal.views.ledger.open).toEqual([]);
});

test('one that is still made is waited for', async () => {
  lists({ prompt: 'a fox', duration: 5 });
  status('processing');
  expect(await attached()).toEqual({ is: 'attached', notes: ['gen_1 is processing: it is waited for'] });
});

test('the answer of its own request that was lost', async () => {
  lists({ prompt: 'a fox', duration: 5 });
  const { fingerprint = '' } = planOf(FILM).instances.get('shot' as InstanceKey) ?? {};
  const run = 'r1' as RunId;
  const request = { model: 'V-T2V-A', key: 'shot' as InstanceKey, fingerprint, price: 1, nonce: 'n1' };
  journal.append(run, [{ type: 'submit_intended', ...request, request: { prompt: 'a fox' } }]);
  journal.append(run, [{ type: 'submit_unknown', ...request, reason: 'lost' }]);
  expect((await attached()).is).toBe('attached');
  expect(journal.views.ledger.open).toMatchObject([{ nonce: 'n1', id: ID, state: 'accepted' }]);
  // From here on it is somebody's.
  expect(await attached()).toMatchObject({ is: 'refused', message: expect.stringContaining('another request') });
});

test('a chat, and a command, ask for nothing that a generation could be', async () => {
  expect(await attached('words')).toMatchObject({
    is: 'refused',
    message: expect.stringContaining('leaves no generation'),
  });
  expect(await attached('local')).toMatchObject({
    is: 'refused',
    message: expect.stringContaining('asks a service for nothing'),
  });
});
