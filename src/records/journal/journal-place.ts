/**
 * Watches the journal's path. If its file is deleted or replaced while a run has it open, later writes go to a file that no later run
 * finds: the next run would not know what was sent.
 */
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { draftOf } from '../../machine/files/database.ts';

export class JournalPlace {
  readonly #database: DatabaseSync;
  readonly #path: string;
  readonly #identity: string | undefined;
  /** The version of the copy that was written back. */
  #copy: string | undefined;

  /** @param path where the database is now. */
  constructor(database: DatabaseSync, path: string) {
    this.#database = database;
    this.#path = path;
    this.#identity = identityOf(path);
  }

  /** The file at the path is not the one that was opened. */
  get isLost(): boolean {
    return identityOf(this.#path) !== this.#identity;
  }

  /**
   * Writes the whole journal back to its path, or beside it if another file is there. Returns the path written to.
   * @throws errors of SQLite and of the disk.
   */
  writeBack(): string {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const draft = draftOf(this.#path);
    try {
      this.#database.prepare('VACUUM INTO ?').run(draft);
      const isFree = !existsSync(`${this.#path}-wal`) && [undefined, this.#copy].includes(versionOf(this.#path));
      const to = isFree ? this.#path : `${this.#path}.rescued`;
      renameSync(draft, to);
      if (isFree) this.#copy = versionOf(to);
      return to;
    } finally {
      rmSync(draft, { force: true });
    }
  }
}

/** Undefined where no file is at the path. */
function identityOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev} ${stats.ino}`;
}

function versionOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeNs}`;
}
