import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Event } from '../../src/domain/event.ts';
import type { GenerationId, InstanceKey, RunId } from '../../src/domain/key.ts';
import { isJournalled, Journal } from '../../src/run/journal.ts';
import { Ledger } from '../../src/run/ledger.ts';
import { FakeClock } from '../support/fake-clock.ts';

const RUN = 'run-1' as RunId;
const SHOT = 'shot' as InstanceKey;
const GENERATION = 'gen-1' as GenerationId;
const intent = {
  type: 'submit_intended',
  key: SHOT,
  nonce: 'n1',
  fingerprint: 'f1',
  model: 'V-T2V-A',
  request: { prompt: 'a fox' },
  price: 0.5,
} as const;

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shotlist-journal-'));
  path = join(folder, 'journal.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = () => Journal.open(path, new FakeClock());
const record = (journal: Journal, event: Event) => journal.keep(RUN, journal.stamp(event));

test('what was committed is there after the process is gone, in order, and open until its end is known', () => {
  const first = open();
  record(first, intent);
  record(first, { type: 'submit_accepted', key: SHOT, nonce: 'n1', generation_id: GENERATION, found: false });
  first.commit();
  first.close();
  const second = open();
  expect([...second.events(RUN)].map(event => event.type)).toEqual(['submit_intended', 'submit_accepted']);
  expect(Ledger.from(second.submissions()).open).toMatchObject([{ nonce: 'n1', fingerprint: 'f1', id: 'gen-1' }]);
  second.close();
});

test('everything said in one turn of the loop shares one commit', async () => {
  const journal = open();
  record(journal, intent);
  const shared = journal.committed();
  record(journal, { ...intent, key: 'other' as InstanceKey, nonce: 'n2' });
  expect(journal.committed()).toBe(shared);
  await shared;
  expect([...journal.events(RUN)]).toHaveLength(2);
  journal.close();
});

test('progress is told, not kept', () => {
  expect(isJournalled({ type: 'progress', key: SHOT, status: 'processing', position: null, fraction: 0.5 })).toBe(
    false,
  );
  expect(isJournalled(intent)).toBe(true);
});

test('once everything is settled the next start does not read what came before', () => {
  const journal = open();
  record(journal, intent);
  record(journal, { type: 'submit_refused', key: SHOT, nonce: 'n1', reason: 'no', retry_at: null });
  journal.markSettled();
  expect([...journal.submissions()]).toEqual([]);
  record(journal, { ...intent, nonce: 'n2' });
  journal.commit();
  expect(Ledger.from(journal.submissions()).open.map(open => open.nonce)).toEqual(['n2']);
  journal.close();
});

test('a second runner of the same pipeline is refused', () => {
  const first = open();
  expect(open).toThrow(
    `another shotlist is running this pipeline: it holds ${path}; wait for it to end, or stop it first`,
  );
  first.close();
});

test('a damaged journal is refused, and left as it is', () => {
  writeFileSync(path, 'this is no database, but it stands for money');
  expect(open).toThrow(
    `${path} cannot be read (file is not a database); it records what was paid for, so it is not started over: restore it from a backup, or move it away to begin anew and pay again`,
  );
});

test('a journal of a newer version is refused', () => {
  open().close();
  const database = new DatabaseSync(path);
  database.exec('PRAGMA user_version = 7');
  database.close();
  expect(open).toThrow(
    `${path} was written by a newer shotlist (journal version 7, this one reads 1); it stands for money already spent, so use that newer version`,
  );
});

test("somebody else's database is refused", () => {
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE recipes (name TEXT)');
  database.close();
  expect(open).toThrow(
    `${path} is an SQLite file but not a journal of shotlist; move it away, nothing was changed in it`,
  );
});

test('a lost download, a deadline and a lost answer leave a submission open; a failed generation ends it', () => {
  const failures = [
    [{ code: 'download_failed', generation_id: GENERATION, message: '' }, 1],
    [{ code: 'timed_out', message: '' }, 1],
    [{ code: 'submit_unknown', message: '' }, 1],
    [{ code: 'generation_failed', generation_id: GENERATION, message: '' }, 0],
  ] as const;
  for (const [failure, open] of failures) {
    const ledger = new Ledger();
    ledger.apply(RUN, { ...intent, seq: 1, at: 1 });
    ledger.apply(RUN, { type: 'failed', key: SHOT, failure, seq: 2, at: 2 });
    expect(ledger.open, failure.code).toHaveLength(open);
  }
});
