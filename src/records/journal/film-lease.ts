/** The lease of a film on this machine: a lock of the operating system's, which ends with the process, and a token in the journal. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type DatabaseSpec, inOneTransaction, openDatabase } from '../../machine/files/database.ts';
import { DatabaseBusy } from '../../machine/files/database-error.ts';
import { Refusal } from '../../model/run/decision-page.ts';
import type { Lease } from './journal.ts';

export class FilmBusy extends Refusal {
  override readonly page = 'already-running';
}

/** @throws {FilmBusy} while another process runs this film. */
export function lockFilm(folder: string, film: string, patience = PATIENCE): () => void {
  try {
    const lock = openDatabase(lockOf(folder, film, patience));
    return () => lock.close();
  } catch (error) {
    throw error instanceof DatabaseBusy ? new FilmBusy(error.message) : error;
  }
}

/** The film must be locked: `unlock` is called when the lease is released. */
export function takeLease(film: string, unlock: () => void, journal: DatabaseSync): Lease {
  const token = inOneTransaction(journal, () => {
    journal.prepare('INSERT INTO lease VALUES (?, 1) ON CONFLICT (film) DO UPDATE SET token = token + 1').run(film);
    return tokenOf(film, journal);
  });
  return { film, token, release: unlock };
}

/** The token of the film's last lease; 0 before the first. */
const tokenOf = (film: string, journal: DatabaseSync): number =>
  Number(journal.prepare('SELECT token FROM lease WHERE film = ?').get(film)?.token ?? 0);

/** Whether a process runs this film at the moment. */
export function isRunning(folder: string, film: string): boolean {
  if (!existsSync(lockOf(folder, film, 0).path)) return false;
  try {
    lockFilm(folder, film, 0)();
    return false;
  } catch (error) {
    if (error instanceof FilmBusy) return true;
    throw error;
  }
}

/** Milliseconds: another film's runner may just be looking whether this one is run. */
const PATIENCE = 500;

const lockOf = (folder: string, film: string, patience: number): DatabaseSpec => ({
  busyTimeout: patience,
  path: join(folder, 'runs', film, 'runner.db'),
  migrations: ['CREATE TABLE runner (nobody TEXT) STRICT'],
  hold: 'alone',
  words: {
    what: "the runner's lock",
    busy: `another shotlist is running this pipeline: it holds ${join(folder, 'runs', film)}; wait for it to end, or stop it first`,
    damaged: 'it holds nothing: delete it, and run again',
  },
});
