/** The auditor sees what it is there to see: a proof that could not fail would prove nothing. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { WEBP } from '../studio/fake-studio.ts';
import { temporaryFolder } from '../support/temp.ts';
import {
  type Accepted,
  acceptedBy,
  damagedJournals,
  damagedResults,
  falseNames,
  lostResults,
  paidTwice,
} from './audit.ts';
import { deathsOf, PLACES, promptsOf } from './crash-film.ts';

let clock = 0;
const took = (id: string, prompt: string): Accepted => {
  const at = ++clock;
  return { id, prompt, status: 'succeeded', model: 'I-GEN-A', at, end: at + 1 };
};
const [first = '', second = '', third = ''] = promptsOf(3);
const WHOLE = createHash('sha256').update(WEBP).digest('hex');

function put(project: string, path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), content);
}

/** A finished film number 3, as the auditor wants it. */
async function finished(): Promise<string> {
  const project = await temporaryFolder();
  const ids = ['a', 'b', 'c'];
  const entries = Object.keys(PLACES).map((key, at) => `    ${key}: { sha256: ${WHOLE}, generation: ${ids[at]} }\n`);
  put(project, 'crash.lock.yaml', `shotlist: 1\nservices:\n  studio:\n${entries.join('')}`);
  for (const place of Object.values(PLACES)) put(project, place, WEBP);
  put(project, `.shotlist/store/${WHOLE.slice(0, 2)}/${WHOLE}-${WEBP.length}.webp`, WEBP);
  return project;
}
const ALL = [took('a', first), took('b', second), took('c', third)];

test('a film that is as it should be', async () => {
  const project = await finished();
  expect([...paidTwice(3, ALL), ...lostResults(3, ALL, project, ''), ...falseNames(project)]).toEqual([]);
  expect(await damagedResults(project)).toEqual([]);
});

test('taken twice', () => {
  expect(paidTwice(3, [...ALL, took('gen-d', second), took('e', 'film 4, relit')])).toEqual([
    { is: 'double', what: `${second} was taken 2 times: b, gen-d` },
  ]);
});

test('taken, and neither kept nor told of', async () => {
  const project = await finished();
  const more = [...ALL, took('gen-d', second)];
  expect(lostResults(3, more, project, '')).toEqual([
    { is: 'lost', what: `“${second}” (gen-d, succeeded) is neither on the disk nor told of as open` },
  ]);
  expect(lostResults(3, more, project, 'still[shot=2]  generation gen-d is open')).toEqual([]);
  const unknown = '  +0.0s  still[shot=2]  failed: its answer was lost: it may have been taken and paid for';
  expect(lostResults(3, more, project, unknown)).toEqual([]);
  expect(lostResults(3, more, project, unknown.replace('shot=2', 'shot=1'))).toHaveLength(1);
  put(project, 'crash.lock.yaml', 'shotlist: 1\nservices: {}\n');
  expect(lostResults(3, ALL, project, '')).toHaveLength(3);
});

test('what lies on the disk is not what it should be', async () => {
  const project = await finished();
  put(project, 'out/still-1.png', '<!doctype html>');
  put(project, `.shotlist/store/${WHOLE.slice(0, 2)}/${WHOLE}-9.webp`, 'other bytes');
  expect((await damagedResults(project)).map(({ what }) => what)).toEqual([
    'out/still-1.png is not what the lock says',
    'out/still-1.png is no picture',
  ]);
  expect(falseNames(project)).toHaveLength(1);
  put(project, 'crash.lock.yaml', 'shotlist: 1\nservices: {');
  expect((await damagedResults(project))[0]?.what).toMatch(/^the lock cannot be read/);
});

test('a studio’s own file and a journal are read beside whoever holds them; a torn one is seen', async () => {
  const folder = await temporaryFolder();
  const database = new DatabaseSync(join(folder, 'studio.sqlite'));
  database.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;
    CREATE TABLE generations (seq INTEGER PRIMARY KEY, id TEXT, model TEXT, status TEXT, request TEXT, enqueued_at INTEGER,
      completed_at INTEGER);
    INSERT INTO generations VALUES (1, 'a', 'I-GEN-A', 'queued', '{"prompt":"a fox"}', 5, NULL)`);
  expect(acceptedBy(folder)).toEqual([
    { id: 'a', model: 'I-GEN-A', prompt: 'a fox', status: 'queued', at: 5, end: null },
  ]);
  database.close();

  const journal = join(folder, '.shotlist', 'journal.db');
  mkdirSync(dirname(journal));
  const rows = new DatabaseSync(journal);
  rows.exec('CREATE TABLE event (body TEXT); CREATE INDEX bodies ON event (body)');
  rows.exec('BEGIN');
  for (let row = 0; row < 500; row++) rows.prepare('INSERT INTO event VALUES (?)').run(`event ${row}`.repeat(9));
  rows.exec('COMMIT');
  rows.close();
  expect(damagedJournals(folder)).toEqual([]);
  writeFileSync(journal, readFileSync(journal).fill(0, 3 * 4096, 4 * 4096));
  expect(damagedJournals(folder)).toHaveLength(1);
  writeFileSync(journal, 'not a journal');
  expect(damagedJournals(folder)[0]?.what).toMatch(/^journal.db does not open/);
});

test('the same seed and film: the same deaths', () => {
  expect(deathsOf(8, 5, 'runner')).toEqual(deathsOf(8, 5, 'runner'));
  expect(deathsOf(8, 5, 'runner')).not.toEqual(deathsOf(9, 5, 'runner'));
  expect(deathsOf(8, 5, 'studio').every(death => 'after' in death)).toBe(true);
});
