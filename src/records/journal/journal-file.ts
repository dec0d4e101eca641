/** The journal's file: who may have it open, and what journals of before are taken over into it. */
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../../machine/files/database.ts';
import type { Clock } from '../../machine/time/clock.ts';
import { Ledger } from '../views/ledger.ts';
import { lockFilm, takeLease } from './film-lease.ts';
import { JournalPlace } from './journal-place.ts';
import { JournalRoom } from './journal-room.ts';
import { bodyOf } from './journal-row.ts';
import { JOURNAL, JOURNAL_OF_ONE_FILM } from './journal-tables.ts';
import { LocalJournal } from './local-journal.ts';

interface Opening {
  /** The project's `.shotlist`. */
  readonly folder: string;
  /** Which film of the project: see `slugOf`. */
  readonly film: string;
  readonly clock: Clock;
  /** `run`: no other process may run this film meanwhile. `look`: only reads. */
  readonly to: 'run' | 'look';
  readonly later?: (work: () => void) => void;
  readonly committing?: (() => void) | undefined;
}

/** @throws {Refusal} when it cannot be used, or another process runs this film. */
export function openJournal({ folder, film, clock, to, later, committing }: Opening): LocalJournal {
  const path = join(folder, 'journal.db');
  const unlock = to === 'run' ? lockFilm(folder, film) : undefined;
  try {
    const database = openDatabase({ ...JOURNAL, path });
    takeOver(join(folder, 'runs', film, 'journal.db'), film, database, path);
    return new LocalJournal({
      database,
      film,
      clock,
      path,
      room: new JournalRoom(database, path),
      place: new JournalPlace(database, path),
      ...(unlock && { lease: takeLease(film, unlock, database) }),
      ...(later && { later }),
      ...(committing && { committing }),
    });
  } catch (error) {
    unlock?.();
    throw error;
  }
}

/** Whether the project has a journal at all. */
export const isThere = (folder: string, film: string): boolean =>
  existsSync(join(folder, 'journal.db')) || existsSync(join(folder, 'runs', film, 'journal.db'));

/** Until version 1 each film had a journal of its own. What it holds is written once, and its file is put aside. */
function takeOver(old: string, film: string, database: DatabaseSync, path: string): void {
  if (!existsSync(old)) return;
  const { path: _, ...rest } = JOURNAL;
  const source = openDatabase({
    ...rest,
    path: old,
    migrations: [JOURNAL_OF_ONE_FILM],
    hold: 'alone',
    words: {
      ...rest.words,
      busy: `an older shotlist is running this pipeline: it holds ${old}; wait for it to end, or stop it first`,
    },
  });
  try {
    const isDone =
      database.prepare("SELECT 1 FROM note WHERE film = ? AND name = 'taken over'").get(film) !== undefined;
    if (!isDone) copy(source, film, database, path);
  } finally {
    source.close();
  }
  renameSync(old, `${old}.taken-over`);
}

function copy(source: DatabaseSync, film: string, database: DatabaseSync, path: string): void {
  const ledger = new Ledger();
  const journal = new LocalJournal({ database, film, clock: { now: () => 0 }, path });
  journal.transact(() => {
    const insert = database.prepare(
      'INSERT INTO event (film, run, seq, at, type, key, fingerprint, body) SELECT ?, ?, ?, ?, ?, ?, ?, ?',
    );
    for (const row of source
      .prepare('SELECT run, seq, at, type, key, fingerprint, body FROM event ORDER BY id')
      .iterate()) {
      const { run, seq, at, type, key, fingerprint, body } = row as Record<string, string | number | null>;
      insert.run(film, run ?? '', seq ?? 0, at ?? 0, type ?? '', key ?? null, fingerprint ?? null, body ?? '');
      const changed = ledger.apply(String(run) as never, bodyOf(row, path));
      if (changed) journal.write(changed);
    }
    for (const { name, value } of source.prepare('SELECT name, value FROM meta').all()) {
      if (name !== 'settled')
        database.prepare('INSERT OR REPLACE INTO note VALUES (?, ?, ?)').run(film, String(name), String(value));
    }
    database.prepare("INSERT OR REPLACE INTO note VALUES (?, 'taken over', 'yes')").run(film);
  });
}
