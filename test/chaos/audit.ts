/**
 * Looks at a film from outside, when everything that made it is dead or done: what the studio was really given, what the disk really
 * holds, what the lock says. Nothing is asked of the program under trial.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parse } from 'yaml';
import { probe } from '../../src/media/probe.ts';
import { check, type DoorRow } from '../checker/check.ts';
import { isPlacedFrom } from '../support/placed.ts';
import { PLACES, promptsOf } from './crash-film.ts';

export interface Fault {
  readonly is: 'double' | 'lost' | 'corrupt' | 'stuck';
  readonly what: string;
}

/** One request that the studio took. */
export interface Accepted {
  readonly id: string;
  readonly model: string;
  readonly prompt: string;
  readonly status: string;
  /** Unix milliseconds; `end` is null while it is at work on it. */
  readonly at: number;
  readonly end: number | null;
}

/** Everything a studio ever took, read from a copy of its own file: its answers may be told to lie. */
export const acceptedBy = (folder: string): readonly Accepted[] =>
  inCopy(
    join(folder, 'studio.sqlite'),
    database =>
      database
        .prepare(
          `SELECT id, model, status, request ->> '$.prompt' AS prompt, enqueued_at AS at, completed_at AS "end"
           FROM generations ORDER BY seq`,
        )
        .all() as unknown as readonly Accepted[],
  );

/** Every journal of a project, as the next start would find it after a death. */
export function damagedJournals(project: string): readonly Fault[] {
  return globSync(join(project, '.shotlist/**/journal.db')).flatMap(path => {
    try {
      const found = inCopy(path, database =>
        database
          .prepare('PRAGMA integrity_check')
          .all()
          .map(row => String(Object.values(row)[0]))
          .join('; '),
      );
      return found === 'ok' ? [] : [{ is: 'corrupt' as const, what: `${basename(path)}: ${found}` }];
    } catch (error) {
      return [{ is: 'corrupt' as const, what: `${basename(path)} does not open: ${(error as Error).message}` }];
    }
  });
}

/** What the checker sees of one film at the studio's door: a request that was taken more than once was paid for more than once. */
export function paidTwice(number: number, accepted: readonly Accepted[]): readonly Fault[] {
  const prompts = promptsOf(number);
  const rows = accepted
    .filter(({ prompt }) => prompts.includes(prompt))
    .flatMap(({ id, model, prompt, status, at, end }): readonly DoorRow[] => [
      { is: 'taken', at, id, from: 'us', model, content: prompt },
      ...(end === null
        ? []
        : [{ is: 'ended', at: end, id, gave: status === 'succeeded' ? 'a result' : 'nothing' } as const]),
    ])
    .sort((a, b) => a.at - b.at);
  return check(rows, {}).map(({ what }) => ({ is: 'double', what }));
}

/** What was taken must be in the lock and in the store, or be named by the last run's own words. */
export function lostResults(
  number: number,
  accepted: readonly Accepted[],
  project: string,
  lastWords: string,
): readonly Fault[] {
  const locked = new Map(Object.values(lockIn(project)).map(entry => [entry.generation, entry.sha256]));
  return accepted
    .filter(({ prompt }) => promptsOf(number).includes(prompt))
    .flatMap(({ id, prompt, status }) => {
      const sha256 = locked.get(id);
      if (sha256 !== undefined && isStored(project, sha256)) return [];
      if (lastWords.includes(id) || isToldAsUnknown(prompt, number, lastWords)) return [];
      return [
        { is: 'lost' as const, what: `“${prompt}” (${id}, ${status}) is neither on the disk nor told of as open` },
      ];
    });
}

/** Whose answer was lost has no id to be named by: its instance is, with what may have become of it. */
function isToldAsUnknown(prompt: string, number: number, lastWords: string): boolean {
  const key = Object.keys(PLACES)[promptsOf(number).indexOf(prompt)];
  return lastWords
    .split('\n')
    .some(line => key !== undefined && line.includes(` ${key} `) && line.includes('may have been taken and paid for'));
}

/** Of a film that is finished: every instance in the lock, every output whole, a picture, and what the lock says it is. */
export async function damagedResults(project: string): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  let lock: Lock;
  try {
    lock = lockIn(project);
  } catch (error) {
    return [{ is: 'corrupt', what: `the lock cannot be read: ${(error as Error).message}` }];
  }
  for (const [key, place] of Object.entries(PLACES)) {
    const entry = lock[key];
    const path = join(project, place);
    if (entry === undefined) faults.push({ is: 'lost', what: `the lock does not name ${key}` });
    if (!existsSync(path)) faults.push({ is: 'lost', what: `${place} is not there` });
    if (entry === undefined || !existsSync(path)) continue;
    const { sha256 = '' } = entry;
    const [stored] = globSync(join(project, '.shotlist/store', sha256.slice(0, 2), `${sha256}-*`));
    const isRight = stored && (await isPlacedFrom(path, readFileSync(stored)));
    if (!isRight) faults.push({ is: 'corrupt', what: `${place} is not what the lock says` });
    const facts = await probe(path).catch(() => null);
    if (facts?.kind !== 'image') faults.push({ is: 'corrupt', what: `${place} is no picture` });
  }
  return faults;
}

/** Every file of the store is what its name says. */
export const falseNames = (project: string): readonly Fault[] =>
  globSync(join(project, '.shotlist/store/??/*'))
    .filter(path => digestOf(path) !== basename(path).split('-')[0])
    .map(path => ({ is: 'corrupt', what: `the store's ${basename(path)} holds other bytes` }));

type Lock = { readonly [key: string]: { readonly sha256?: string; readonly generation?: string } };

/** The section of whatever service there is: a stage has one. */
function lockIn(project: string): Lock {
  const path = join(project, 'crash.lock.yaml');
  if (!existsSync(path)) return {};
  const { services } = parse(readFileSync(path, 'utf8')) as { readonly services: { readonly [name: string]: Lock } };
  return Object.assign({}, ...Object.values(services));
}

const isStored = (project: string, sha256: string): boolean =>
  globSync(join(project, '.shotlist/store', sha256.slice(0, 2), `${sha256}-*`)).length > 0;

const digestOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

/** A copy, with the log beside it: whoever holds the file goes on holding it, and a look at it mends nothing. */
function inCopy<T>(path: string, look: (database: DatabaseSync) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'shotlist-copy-'));
  try {
    const copy = join(folder, basename(path));
    for (const end of ['', '-wal']) if (existsSync(path + end)) copyFileSync(path + end, copy + end);
    const database = new DatabaseSync(copy);
    try {
      return look(database);
    } finally {
      database.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
