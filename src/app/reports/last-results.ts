/**
 * The last result of each instance of a film, from the journal, for a glance: nothing is written, no lease is taken, and a fault gives an empty
 * answer. The journal itself is opened in `run/local/`.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

export interface LastResult {
  readonly key: string;
  /** Unix milliseconds. */
  readonly at: number;
  /** US dollars; null where it is unknown. */
  readonly cost: number | null;
  /** Of a medium: its content. */
  readonly content?: { readonly sha256: string; readonly format: string };
}

/** Instances of one film that anybody would look through. */
const MOST = 20_000;

const NEWEST = `
  SELECT e.key AS key, max(e.id), e.at AS at,
    coalesce(
      (SELECT json_extract(b.body, '$.cost') FROM event b
        WHERE b.fingerprint = e.fingerprint AND b.type = 'billed' ORDER BY b.id DESC LIMIT 1),
      json_extract(e.body, '$.result.cost')) AS cost,
    json_extract(e.body, '$.result.sha256') AS sha256, json_extract(e.body, '$.result.media.format') AS format
  FROM event e WHERE e.film = ? AND e.key IS NOT NULL AND e.type = 'succeeded' GROUP BY e.key LIMIT ${MOST}`;

/** @param stateFolder the project's `.shotlist`. @param film see `filmOf`. */
export function lastResults(stateFolder: string, film: string): readonly LastResult[] {
  const path = join(stateFolder, 'journal.db');
  if (!existsSync(path)) return [];
  try {
    using database = openedToLook(path);
    return database.prepare(NEWEST).all(film).map(resultOf);
  } catch {
    // A journal of another version, a damaged one, or a disk error: the next run of the film reports it.
    return [];
  }
}

/**
 * SQLite makes two files beside a journal that no process has open, even to read it. Where they are missing, the journal is complete in its own
 * file, and is read as one that does not change.
 */
function openedToLook(path: string): DatabaseSync {
  const isInUse = existsSync(`${path}-wal`) && existsSync(`${path}-shm`);
  if (isInUse) return new DatabaseSync(path, { readOnly: true, timeout: 0 });
  const still = pathToFileURL(path);
  still.searchParams.set('immutable', '1');
  return new DatabaseSync(still, { readOnly: true });
}

const resultOf = (row: Readonly<Record<string, unknown>>): LastResult => ({
  key: String(row.key),
  at: Number(row.at),
  cost: typeof row.cost === 'number' ? row.cost : null,
  ...(typeof row.sha256 === 'string' && { content: { sha256: row.sha256, format: String(row.format ?? '') } }),
});
