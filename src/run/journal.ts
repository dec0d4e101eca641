/**
 * The journal: every event that stands for money or for work done, in SQLite, one file for each pipeline.
 *
 * `record` stamps an event and puts it in the waiting group; `commit` makes the group durable now (one fsync, about 0.1 ms);
 * `committed` lets everything said in this turn of the loop share one. Only an intent has to be durable *before* acting,
 * so that is the only place that waits; a generation's id is committed in the same tick as it is read.
 *
 * The file is locked for as long as it is open: two runners of one pipeline would each pay. A file we cannot read is
 * refused with the reason and never started over, because it stands for money.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Event, EventType, Stamped } from '../domain/event.ts';
import type { InstanceKey, RunId } from '../domain/key.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Clock } from '../host/clock.ts';

const VERSION = 1;
/** Milliseconds that an event may wait for others to share a sync with, when nobody waits for it. */
const LATEST = 20;

/** What replay needs. The rest is told to whoever is watching and can be asked of the service again. */
const JOURNALLED: Record<EventType, boolean> = {
  run_started: true,
  stream_changed: false,
  service_changed: false,
  output_written: true,
  run_detached: true,
  activation_intended: true,
  deployment_changed: false,
  activation_closed: true,
  still_billing: false,
  run_finished: true,
  reused: true,
  skipped: true,
  blocked: true,
  command_started: true,
  submit_intended: true,
  submit_accepted: true,
  submit_refused: true,
  submit_unknown: true,
  submit_absent: true,
  taken_up: true,
  text_written: false,
  answer_unfit: true,
  progress: false,
  generated: true,
  download_started: false,
  succeeded: true,
  failed: true,
  cancel_asked: false,
  cancel_failed: false,
  billed: true,
};

export const isJournalled = (event: Event): boolean => JOURNALLED[event.type];

/** The journal cannot be used; the message says why and what to do. Never a reason to start over silently. */
export class JournalRefused extends Refusal {}
/** Another process holds it: a run of this pipeline is going on. */
export class JournalBusy extends JournalRefused {}

export type JournalRow = { readonly run: RunId; readonly event: Stamped };

export class Journal {
  readonly #database: DatabaseSync;
  readonly #clock: Clock;
  readonly #insert: StatementSync;
  #waiting: { run: RunId; event: Stamped }[] = [];
  #shared: Promise<void> | undefined;
  #moment: NodeJS.Timeout | undefined;
  #seq = 0;

  private constructor(database: DatabaseSync, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#insert = database.prepare(
      'INSERT INTO event (run, seq, at, type, key, fingerprint, body) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
  }

  /** @throws JournalRefused when another runner holds it, or it is damaged, or a newer version wrote it. */
  static open(path: string, clock: Clock): Journal {
    const fresh = !existsSync(path);
    mkdirSync(dirname(path), { recursive: true });
    let database: DatabaseSync | undefined;
    try {
      database = new DatabaseSync(path);
      // Exclusive locking keeps a second runner out and saves the shared-memory file; the lock dies with the process.
      database.exec('PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;');
      database.exec('BEGIN EXCLUSIVE; COMMIT');
      prepareTables(database, path, fresh);
      return new Journal(database, clock);
    } catch (error) {
      database?.close();
      throw error instanceof JournalRefused ? error : refusal(path, error);
    }
  }

  /** Gives an event its number in this run and the time. */
  stamp(event: Event): Stamped {
    this.#seq += 1;
    return { ...event, seq: this.#seq, at: this.#clock.now() };
  }

  /** Durable with the next commit, at the latest a moment from now: losing it in between only means asking again. */
  keep(run: RunId, event: Stamped): void {
    this.#waiting.push({ run, event });
    this.#moment ??= setTimeout(() => this.commit(), LATEST);
  }

  /** Everything recorded so far is on disk when this returns. */
  commit(): void {
    clearTimeout(this.#moment);
    this.#moment = undefined;
    if (this.#waiting.length === 0) return;
    const group = this.#waiting;
    this.#waiting = [];
    this.#database.exec('BEGIN');
    for (const { run, event } of group) this.#write(run, event);
    this.#database.exec('COMMIT');
  }

  /** Resolves when everything recorded in this turn of the loop is on disk; all who ask share one sync. */
  committed(): Promise<void> {
    this.#shared ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        this.#shared = undefined;
        try {
          this.commit();
          resolve();
        } catch (error) {
          reject(error);
        }
      });
    });
    return this.#shared;
  }

  /** Rows that decide what is open: all submissions and their ends since everything was last settled. */
  *submissions(): Iterable<JournalRow> {
    const types =
      "'submit_intended','submit_accepted','submit_refused','submit_unknown','submit_absent','taken_up','answer_unfit','generated','succeeded','failed'";
    const rows = this.#database
      .prepare(`SELECT run, body FROM event WHERE id > ? AND type IN (${types}) ORDER BY id`)
      .iterate(this.#settledUpTo());
    for (const row of rows) yield { run: String(row.run) as RunId, event: JSON.parse(String(row.body)) };
  }

  /** What was activated and ended since everything was last settled. */
  *activations(): Iterable<JournalRow> {
    const rows = this.#database
      .prepare(
        "SELECT run, body FROM event WHERE id > ? AND type IN ('activation_intended','activation_closed') ORDER BY id",
      )
      .all(this.#settledUpTo());
    for (const row of rows) yield { run: String(row.run) as RunId, event: JSON.parse(String(row.body)) };
  }

  /** The service a run was on; undefined for one that left no first word. */
  serviceOf(run: RunId): string | undefined {
    const row = this.#database
      .prepare("SELECT body ->> '$.service' AS service FROM event WHERE run = ? AND type = 'run_started'")
      .get(run);
    return row && String(row.service);
  }

  /** Nothing is open: the next start need not read what came before. */
  markSettled(): void {
    this.commit();
    this.#database.exec("INSERT OR REPLACE INTO meta VALUES ('settled', (SELECT coalesce(max(id), 0) FROM event))");
  }

  /** The newest success with this fingerprint, with its real cost where the service has told it. */
  succeeded(fingerprint: string): (Stamped & { type: 'succeeded' }) | undefined {
    const success = this.#success(fingerprint);
    if (success?.result.is !== 'media') return success;
    this.#billed ??= this.#database.prepare(
      "SELECT body FROM event WHERE fingerprint = ? AND type = 'billed' ORDER BY id DESC LIMIT 1",
    );
    const row = this.#billed.get(fingerprint);
    const bill: (Stamped & { type: 'billed' }) | undefined = row && JSON.parse(String(row.body));
    if (bill?.generation_id !== success.result.generation_id) return success;
    return { ...success, result: { ...success.result, cost: bill.cost } };
  }
  #billed: StatementSync | undefined;

  #success(fingerprint: string): (Stamped & { type: 'succeeded' }) | undefined {
    this.#succeeded ??= this.#database.prepare(
      "SELECT body FROM event WHERE fingerprint = ? AND type = 'succeeded' ORDER BY id DESC LIMIT 1",
    );
    const row = this.#succeeded.get(fingerprint);
    return row && JSON.parse(String(row.body));
  }
  #succeeded: StatementSync | undefined;

  /** The newest submission of this instance, to say what changed since. */
  lastIntent(key: InstanceKey): (Stamped & { type: 'submit_intended' }) | undefined {
    const row = this.#database
      .prepare("SELECT body FROM event WHERE key = ? AND type = 'submit_intended' ORDER BY id DESC LIMIT 1")
      .get(key);
    return row && JSON.parse(String(row.body));
  }

  /** Whether an earlier run began this work, and ended before it heard what became of it. */
  wasCutOff(fingerprint: string): boolean {
    const row = this.#database
      .prepare(
        `SELECT 1 FROM event s WHERE s.fingerprint = ? AND s.type = 'command_started' AND NOT EXISTS
           (SELECT 1 FROM event e WHERE e.run = s.run AND e.key = s.key AND e.id > s.id AND e.type IN ('succeeded', 'failed'))`,
      )
      .get(fingerprint);
    return row !== undefined;
  }

  /** Milliseconds each finished generation of each model took, newest 200: what the next ones are expected to take. */
  durations(): ReadonlyMap<string, readonly number[]> {
    const rows = this.#database
      .prepare(
        `SELECT i.body ->> '$.model' AS model, g.at - a.at AS took
         FROM event g
         JOIN event a ON a.run = g.run AND a.key = g.key AND a.type = 'submit_accepted'
         JOIN event i ON i.run = g.run AND i.key = g.key AND i.type = 'submit_intended'
         WHERE g.type = 'generated' ORDER BY g.id DESC LIMIT 200`,
      )
      .all();
    const byModel = new Map<string, number[]>();
    for (const row of rows) {
      const model = String(row.model);
      byModel.set(model, [...(byModel.get(model) ?? []), Number(row.took)]);
    }
    return byModel;
  }

  /** Every event of one run, in order. */
  *events(run: RunId): Iterable<Stamped> {
    for (const row of this.#database.prepare('SELECT body FROM event WHERE run = ? ORDER BY id').iterate(run)) {
      yield JSON.parse(String(row.body));
    }
  }

  /** A remark beside the events, such as the digest of the lock file we last wrote. */
  note(name: string): string | undefined {
    const row = this.#database.prepare('SELECT value FROM meta WHERE name = ?').get(name);
    return row && String(row.value);
  }
  setNote(name: string, value: string): void {
    this.#database.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(name, value);
  }

  close(): void {
    this.commit();
    this.#database.close();
  }

  #settledUpTo(): number {
    return Number(this.note('settled') ?? 0);
  }

  #write(run: RunId, event: Stamped): void {
    const key = 'key' in event ? event.key : null;
    const fingerprint = 'fingerprint' in event ? event.fingerprint : null;
    // What the screen needs at the start is in the file and the plan: it is not kept a second time.
    const body = event.type === 'run_started' ? { ...event, instances: [] } : event;
    this.#insert.run(run, event.seq, event.at, event.type, key, fingerprint, JSON.stringify(body));
  }
}

function prepareTables(database: DatabaseSync, path: string, fresh: boolean): void {
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
  if (version > VERSION) {
    throw new JournalRefused(
      `${path} was written by a newer shotlist (journal version ${version}, this one reads ${VERSION}); it stands for money already spent, so use that newer version`,
    );
  }
  if (version === VERSION) return;
  const tables = Number(database.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE type = 'table'").get()?.n ?? 0);
  if (!fresh && tables > 0) {
    throw new JournalRefused(
      `${path} is an SQLite file but not a journal of shotlist; move it away, nothing was changed in it`,
    );
  }
  database.exec(`
    BEGIN;
    CREATE TABLE event (
      id INTEGER PRIMARY KEY, run TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL,
      type TEXT NOT NULL, key TEXT, fingerprint TEXT, body TEXT NOT NULL
    ) STRICT;
    CREATE INDEX event_by_fingerprint ON event (fingerprint, type) WHERE fingerprint IS NOT NULL;
    CREATE INDEX event_by_key ON event (key, type) WHERE key IS NOT NULL;
    CREATE INDEX event_by_run ON event (run, key);
    CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    PRAGMA user_version = ${VERSION};
    COMMIT;
  `);
}

function refusal(path: string, cause: unknown): JournalRefused {
  const reason = cause instanceof Error ? cause.message : String(cause);
  if (/locked|busy/i.test(reason)) {
    return new JournalBusy(
      `another shotlist is running this pipeline: it holds ${path}; wait for it to end, or stop it first`,
    );
  }
  return new JournalRefused(
    `${path} cannot be read (${reason}); it records what was paid for, so it is not started over: restore it from a backup, or move it away to begin anew and pay again`,
  );
}
