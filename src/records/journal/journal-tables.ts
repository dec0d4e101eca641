/** The journal's tables in SQLite, and the messages when they cannot be used. */
import type { DatabaseSpec } from '../../machine/files/database.ts';

/** Each entry takes the tables one version further; entries are never edited once released. */
const MIGRATIONS = [
  `CREATE TABLE event (
     id INTEGER PRIMARY KEY, film TEXT NOT NULL, run TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL,
     type TEXT NOT NULL, key TEXT, fingerprint TEXT, body TEXT NOT NULL
   ) STRICT;
   CREATE INDEX event_by_fingerprint ON event (fingerprint, type) WHERE fingerprint IS NOT NULL;
   CREATE INDEX event_by_key ON event (film, key, type) WHERE key IS NOT NULL;
   CREATE INDEX event_by_run ON event (run, key);
   CREATE INDEX activation ON event (film, type) WHERE type IN ('activation_intended', 'activation_closed');
   CREATE TABLE submission (
     nonce TEXT PRIMARY KEY, film TEXT NOT NULL, fingerprint TEXT NOT NULL, account TEXT NOT NULL, model TEXT NOT NULL,
     state TEXT NOT NULL, ending TEXT, generation_id TEXT, at INTEGER NOT NULL, body TEXT NOT NULL
   ) STRICT;
   CREATE INDEX submission_by_fingerprint ON submission (fingerprint, state);
   CREATE INDEX submission_open ON submission (film) WHERE state <> 'closed';
   CREATE INDEX submission_by_account ON submission (account, at);
   CREATE INDEX submission_by_generation ON submission (generation_id) WHERE generation_id IS NOT NULL;
   CREATE TABLE note (film TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (film, name)) STRICT;`,
  // Who has a film: see `film-lease.ts`.
  'CREATE TABLE lease (film TEXT PRIMARY KEY, token INTEGER NOT NULL) STRICT;',
  // Only `why` reads the request, and no run: it moves out of the body. A damaged body is left to its readers.
  `ALTER TABLE event ADD COLUMN asked TEXT;
   UPDATE event SET asked = body -> '$.asked', body = json_remove(body, '$.asked')
   WHERE type = 'succeeded' AND CASE WHEN json_valid(body) THEN body -> '$.asked' END IS NOT NULL;`,
  // What budgets count: a row for each submission that costs something, or may; null is an unknown amount. `is_open`: not at its end. Until now
  // only prices and results were kept of them, and a film that was paid for has spent what it has spent.
  `CREATE TABLE charge (
     seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, film TEXT NOT NULL, account TEXT NOT NULL,
     is_open INTEGER NOT NULL, usd REAL, video_seconds REAL, images INTEGER, generations INTEGER NOT NULL, tokens INTEGER
   ) STRICT;
   INSERT INTO charge (id, film, account, is_open, usd, video_seconds, images, generations, tokens)
     SELECT nonce, s.film, account, state <> 'closed',
       coalesce(
         (SELECT body ->> '$.cost' FROM event WHERE type = 'billed' AND fingerprint = s.fingerprint AND json_valid(body)
            AND body ->> '$.generation_id' = s.generation_id ORDER BY id DESC LIMIT 1),
         made.body ->> '$.result.cost', CASE WHEN json_valid(s.body) THEN s.body ->> '$.price' END),
       CASE coalesce(made.body ->> '$.result.media.kind', made.body ->> '$.result.is')
         WHEN 'video' THEN made.body ->> '$.result.media.duration' WHEN 'image' THEN 0 WHEN 'text' THEN 0 END,
       CASE coalesce(made.body ->> '$.result.media.kind', made.body ->> '$.result.is')
         WHEN 'video' THEN 0 WHEN 'image' THEN 1 WHEN 'text' THEN 0 END,
       1,
       CASE made.body ->> '$.result.is' WHEN 'media' THEN 0 WHEN 'text' THEN made.body ->> '$.result.usage.total_tokens' END
     FROM submission s LEFT JOIN event made ON made.id =
       (SELECT max(id) FROM event WHERE type = 'succeeded' AND fingerprint = s.fingerprint AND s.ending = 'made'
          AND CASE WHEN json_valid(body) THEN s.generation_id IS NULL OR body ->> '$.result.generation_id' = s.generation_id END)
     WHERE ending IS NULL OR ending NOT IN ('refused', 'absent');
   CREATE INDEX charge_of ON charge (account, film, is_open, usd, video_seconds, images, generations, tokens);`,
  // Choices, in the order in which they were made: no clock shows which came last.
  `CREATE TABLE choice (id INTEGER PRIMARY KEY, film TEXT NOT NULL, key TEXT NOT NULL, body TEXT NOT NULL) STRICT;
   CREATE INDEX choice_of_film ON choice (film, id);`,
  // The plan of a run, part by part, packed: for later readers. `token`: of the lease that it was written under.
  `CREATE TABLE run_plan (id INTEGER PRIMARY KEY, run TEXT NOT NULL, token INTEGER, body BLOB NOT NULL) STRICT;
   CREATE INDEX plan_of_run ON run_plan (run, id);
   CREATE INDEX run_of_film ON event (film, id) WHERE type = 'run_started';`,
] as const;

export const JOURNAL: DatabaseSpec = {
  path: 'journal.db',
  migrations: MIGRATIONS,
  hold: 'together',
  words: {
    what: 'the journal',
    busy: 'another shotlist has been writing to the journal for too long; wait for it to end, or stop it first',
    damaged:
      'it records what was paid for, so it is not started over: restore it from a backup; with its lock file a film still knows what it owns',
  },
};

/** Until version 1 each film had a file of its own: as it was released. */
export const JOURNAL_OF_ONE_FILM = `
  CREATE TABLE event (
    id INTEGER PRIMARY KEY, run TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL,
    type TEXT NOT NULL, key TEXT, fingerprint TEXT, body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX event_by_fingerprint ON event (fingerprint, type) WHERE fingerprint IS NOT NULL;
  CREATE INDEX event_by_key ON event (key, type) WHERE key IS NOT NULL;
  CREATE INDEX event_by_run ON event (run, key);
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;`;
