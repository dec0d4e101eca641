/**
 * The journal on this machine: one SQLite file for all films of a project, so that what one has paid for all of them own, and two runs
 * at once see each other's requests. Each film is run by one process at a time, which holds a lock of the operating system's.
 *
 * `append` puts an event into the waiting group; `commit` makes the group durable (one fsync, about 0.1 ms) and is shared by all who
 * ask in one turn of the loop. Without a wait it is durable a moment later. A group that could not be written is kept and
 * tried again with the next: an id that was paid for is never lost.
 *
 * The table `submission` holds the ledger's entries as the events left them, in the same transaction: what is open is one look.
 */
import type { DatabaseSync } from 'node:sqlite';
import { type DatabaseSpec, inOneTransaction, statementsOf } from '../../machine/files/database.ts';
import { DatabaseBusy, refusalOf } from '../../machine/files/database-error.ts';
import type { Clock } from '../../machine/time/clock.ts';
import type { Event, RecordedEvent } from '../../model/run/event.ts';
import type { KeptPart } from '../../model/run/kept-plan.ts';
import type { InstanceKey, RunId } from '../../model/run/key.ts';
import { chargeOf, type LockedCharge } from '../views/charges.ts';
import type { JournalViews } from '../views/journal-views.ts';
import type { Submission } from '../views/ledger.ts';
import type { RowsFor } from './admission-rows.ts';
import { type ChargeRows, chargeRows } from './charge-rows.ts';
import { type ChoiceRows, choiceRows } from './choice-rows.ts';
import type { FilmJournal, Notes } from './film-journal.ts';
import { type Journal, JournalFailed, type JournalListener, type Lease, Superseded } from './journal.ts';
import type { JournalPlace } from './journal-place.ts';
import type { JournalRoom } from './journal-room.ts';
import { partedOf, type Rows, readableIn, withAsked } from './journal-row.ts';
import { JOURNAL } from './journal-tables.ts';
import { addPlan } from './past-runs.ts';
import { viewsIn } from './views-in.ts';

interface LocalJournalOptions {
  readonly database: DatabaseSync;
  /** Which film of the project. */
  readonly film: string;
  readonly clock: Pick<Clock, 'now'>;
  /** For messages. */
  readonly path?: string;
  /** The login, at a team's database, of the person who decides here. */
  readonly login?: string | undefined;
  /** Runs this a moment later; see `MOMENT`. */
  readonly later?: (work: () => void) => void;
  /** A reader has none. It is released when the journal is closed. */
  readonly lease?: Lease;
  /** Closed with the journal. Absent: a full disk may lose ids of requests that are being sent. */
  readonly room?: JournalRoom;
  /** Absent: a file that is deleted or replaced during a run is not noticed. */
  readonly place?: JournalPlace;
  /** A group is written, and its transaction is open. */
  readonly committing?: () => void;
}

interface Waiting {
  readonly run: RunId;
  readonly event: RecordedEvent;
  readonly submission: Submission | undefined;
  readonly plan: Iterable<KeptPart>;
}

/** Milliseconds that an event waits for others to share a sync with, when no caller waits for it. */
const MOMENT = 20;
/** The process is blocked for as long as a sync takes: where that is long, the next one waits this many times as long. */
const REST = 10;
/** Milliseconds; what is shown is durable first, and a person is waiting for it. */
const LONGEST_MOMENT = 200;
const TAKEN_OVER =
  'another shotlist has taken over this pipeline meanwhile: nothing more is written or sent from here; let it go on there';

export class LocalJournal implements FilmJournal {
  readonly views: JournalViews;
  readonly choices: ChoiceRows;
  readonly notes: Notes;
  readonly lease: Lease | undefined;
  readonly #given: LocalJournalOptions;
  readonly #rows: Rows;
  readonly #charges: ChargeRows;
  readonly #file: DatabaseSpec;
  readonly #later: (work: () => void) => void;
  readonly #listeners: JournalListener[] = [];
  #waiting: Waiting[] = [];
  #shared: Promise<void> | undefined;
  #isDue = false;
  #isOpen = true;
  /** Length of the texts in this transaction. Nearly all are ASCII, and the room is for twice as many bytes. */
  #textBytes = 0;
  #moment = MOMENT;
  #seq = 0;
  #hide: <T>(value: T) => T = value => value;

  constructor(given: LocalJournalOptions) {
    const { database, film, path = 'the journal', login } = given;
    this.#given = given;
    this.#rows = { sql: statementsOf(database), film, path };
    this.#file = { ...JOURNAL, path };
    this.#charges = chargeRows(this.#rows);
    this.views = viewsIn(this.#rows, this.#charges, () => this.now());
    this.choices = choiceRows(this.#rows, login);
    this.notes = {
      get: (name, of = film) => {
        const row = this.#rows.sql('SELECT value FROM note WHERE film = ? AND name = ?').get(of, name);
        return row && String(row.value);
      },
      set: async (name, value) => this.transact(() => this.keepNote(name, value)),
    };
    this.#later = given.later ?? (work => void setTimeout(work, this.#moment));
    this.lease = given.lease;
  }

  get pending(): readonly RecordedEvent[] {
    return this.#waiting.map(({ event }) => event);
  }

  now(): number {
    return this.#given.clock.now();
  }

  append(run: RunId, events: readonly (Event | RecordedEvent)[], plan: Iterable<KeptPart> = []): void {
    for (const [n, event] of events.entries()) {
      const recorded = 'seq' in event ? event : { ...event, seq: ++this.#seq, at: this.now() };
      const submission = this.views.ledger.apply(run, recorded);
      this.#waiting.push({ run, event: recorded, submission, plan: n === 0 ? plan : [] });
    }
    if (this.#isDue) return;
    this.#isDue = true;
    this.#later(() => {
      this.#isDue = false;
      // Callers that wait for it hear of the failure; here the listeners do.
      if (this.#isOpen) void this.durable().catch(() => {});
    });
  }

  durable(): Promise<void> {
    this.#shared ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        this.#shared = undefined;
        try {
          if (this.#waiting.length > 0) this.transact(() => {});
          resolve();
        } catch (error) {
          reject(error);
        }
      });
    });
    return this.#shared;
  }

  /** From now on nothing is written that this takes out. What was sent is still known in full to this process. */
  hiding(hide: <T>(value: T) => T): void {
    this.#hide = hide;
  }

  listen(listener: JournalListener): void {
    this.#listeners.push(listener);
  }

  /**
   * Decides while no other process of the project can, with all that was kept written, and makes durable what the decision keeps. @throws
   * JournalFailed with nothing of it written; what was kept waits for the next try.
   */
  transact<T>(decide: () => T): T {
    let decided: T;
    let written = 0;
    const began = this.#given.clock.now();
    try {
      if (this.#given.place?.isLost) throw new JournalFailed();
      decided = inOneTransaction(this.#given.database, () => {
        this.#stillOurs();
        this.#textBytes = 0;
        for (const waiting of this.#waiting) this.#flush(waiting);
        written = this.#waiting.length;
        const decision = decide();
        for (const waiting of this.#waiting.slice(written)) this.#flush(waiting);
        written = this.#waiting.length;
        this.#given.committing?.();
        this.#given.room?.ensure({ rows: 2 * written + 1, bytes: this.#textBytes });
        return decision;
      });
    } catch (error) {
      const failure = this.#failed(error);
      for (const listener of this.#listeners) listener.failed(failure);
      throw failure;
    }
    this.#waiting = this.#waiting.slice(written);
    this.#moment = Math.min(LONGEST_MOMENT, Math.max(MOMENT, REST * (this.#given.clock.now() - began)));
    for (const listener of this.#listeners) listener.durable();
    return decided;
  }

  /** Saves the answers of the group, and returns why the rest is not written. @throws an error that is not the journal's. */
  #failed(error: unknown): JournalFailed {
    const refused = refusalOf(error, this.#file);
    if (refused === undefined && !(error instanceof JournalFailed)) throw error;
    if (!(error instanceof Superseded || refused instanceof DatabaseBusy)) this.#saveAnswers();
    if (this.#given.place?.isLost) return new JournalFailed(this.#writeBack(this.#given.place));
    return error instanceof JournalFailed ? error : new JournalFailed(refused?.message);
  }

  /** Writes the journal back. Returns a message: what happened to the file, and where its content is now. */
  #writeBack(place: JournalPlace): string {
    const { path } = this.#file;
    const what = `the journal at ${path} was deleted or replaced during this run, so nothing more is sent`;
    try {
      const to = place.writeBack();
      if (to === path) return `${what}; it was written back: run again`;
      return `${what}; all that it held is in ${to}: end the other run, put that file in place of the journal, then run again`;
    } catch (error) {
      const refused = refusalOf(error, { ...this.#file, path: undefined });
      if (refused === undefined) throw error;
      return `${what}, and it could not be written back: ${refused.message}`;
    }
  }

  /**
   * Writes the waiting answers into the room that was allocated for them, if the whole group does not fit. An intent that is not written
   * was never sent. All other events stay in the group.
   */
  #saveAnswers(): void {
    const unsent = new Set(
      this.#waiting.flatMap(({ event }) => (event.type === 'submit_intended' ? [event.nonce] : [])),
    );
    const answers = this.#waiting.filter(({ event, submission }) => {
      if (submission === undefined || unsent.has(submission.nonce)) return false;
      return event.type === 'submit_accepted' || submission.id === undefined;
    });
    if (answers.length === 0) return;
    try {
      inOneTransaction(this.#given.database, () => {
        this.#stillOurs();
        for (const waiting of answers) this.#flush(waiting);
        this.#given.committing?.();
      });
    } catch (error) {
      if (refusalOf(error, this.#file) === undefined && !(error instanceof JournalFailed)) throw error;
      return;
    }
    this.#waiting = this.#waiting.filter(waiting => !answers.includes(waiting));
  }

  /** The rows are read where they stand. */
  async look(): Promise<void> {}

  async decide<T>(_: RowsFor, decision: () => T): Promise<T> {
    return this.transact(decision);
  }

  read(run: RunId, key?: InstanceKey): ReturnType<Journal['read']> {
    const rows = this.#rows.sql(
      `SELECT body, asked FROM event WHERE run = ?1 ${key === undefined ? '' : 'AND key = ?2 '}ORDER BY id`,
    );
    const events: RecordedEvent[] = [];
    let damaged = 0;
    for (const row of rows.iterate(...(key === undefined ? [run] : [run, key]))) {
      const event = readableIn<RecordedEvent>(row, this.#rows.path);
      if (event) events.push(withAsked(event, row));
      else damaged += 1;
    }
    return { events, damaged };
  }

  /** What another film's runs left behind is waited for by this one from now on; it stays that one's expense. Within `transact`. */
  takeOver(submission: Submission): boolean {
    const { changes } = this.#rows
      .sql(
        "UPDATE submission SET film = ?, body = json_set(body, '$.idle', json('false')) WHERE nonce = ? AND state <> 'closed'",
      )
      .run(this.#rows.film, submission.nonce);
    if (Number(changes) > 0) this.views.ledger.adopt({ ...submission, idle: false });
    return Number(changes) > 0;
  }

  keepCharges(account: string, locked: readonly LockedCharge[]): void {
    this.#charges.keep(account, locked);
  }

  /** Within `transact`. */
  keepNote(name: string, value: string): void {
    this.#rows
      .sql('INSERT OR REPLACE INTO note (film, name, value) VALUES (?, ?, ?)')
      .run(this.#rows.film, name, value);
  }

  /** @throws JournalFailed when something could not be written; it is closed all the same. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    try {
      if (this.#waiting.length > 0) this.transact(() => {});
    } catch (error) {
      // The listeners have heard of it, and of what stays unwritten: an orderly end is not made into another.
      if (!(error instanceof JournalFailed)) throw error;
    } finally {
      this.#isOpen = false;
      this.#given.room?.close();
      this.#given.database.close();
      this.lease?.release();
    }
  }

  /** @throws Superseded when another holder has taken the film since. */
  #stillOurs(): void {
    if (!this.lease) return;
    const row = this.#rows.sql('SELECT token FROM lease WHERE film = ?').get(this.#rows.film);
    if (row?.token !== this.lease.token) throw new Superseded(TAKEN_OVER);
  }

  /** Within a transaction. */
  #flush({ run, event, submission, plan }: Waiting): void {
    this.#write(run, event);
    for (const part of asFarAsTold(plan))
      this.#textBytes += addPlan(this.#rows, run, this.#hide(part), this.lease?.token);
    if (submission) this.write(submission);
    else if (event.type === 'run_started') this.#leaveIdle();
    else if (event.type === 'billed') this.#charges.billed(event);
    // One that was closed already counts no more against its request.
    else if (event.type === 'submission_forgotten')
      this.#rows.sql("UPDATE submission SET ending = 'forgotten' WHERE nonce = ?").run(event.nonce);
  }

  /** A row that is idle already may have been taken over by another film meanwhile: it is not written again. */
  #leaveIdle(): void {
    this.#rows
      .sql(
        `UPDATE submission SET body = json_set(body, '$.idle', json('true'))
       WHERE film = ? AND state <> 'closed' AND body ->> '$.idle' IS NOT 1`,
      )
      .run(this.#rows.film);
  }

  #write(run: RunId, event: RecordedEvent): void {
    const key = 'key' in event ? event.key : null;
    const fingerprint = 'fingerprint' in event ? event.fingerprint : null;
    // What the screen needs of them is in the plan that is kept beside it.
    const whole = event.type === 'run_started' || event.type === 'expanded' ? { ...event, instances: [] } : event;
    const { body, asked } = partedOf(this.#hide(whole));
    this.#textBytes += body.length + (asked?.length ?? 0);
    this.#rows
      .sql(
        'INSERT INTO event (film, run, seq, at, type, key, fingerprint, body, asked) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      )
      .run(...[this.#rows.film, run, event.seq, event.at, event.type, key, fingerprint, body, asked]);
  }

  /** Puts an entry of the ledger where the next start finds it. Within `transact`. */
  write(submission: Submission): void {
    const whole = JSON.stringify(submission);
    const shown = JSON.stringify(this.#hide(submission));
    const body = shown === whole ? whole : JSON.stringify({ ...JSON.parse(shown), masked: true });
    this.#textBytes += body.length;
    const { nonce, fingerprint, account = '', model, state, end = null, id = null, at } = submission;
    this.#rows
      .sql(
        `INSERT INTO submission (nonce, film, fingerprint, account, model, state, ending, generation_id, at, body)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (nonce) DO UPDATE SET
         state = excluded.state, ending = excluded.ending, generation_id = excluded.generation_id, body = excluded.body`,
      )
      .run(nonce, this.#rows.film, fingerprint, account, model, state, end, id, at, body);
    const charge = chargeOf(submission);
    if (charge) this.#charges.put(nonce, account, charge);
    else this.#charges.drop(nonce);
  }
}

/** What is kept to be looked at later changes no run's outcome: a part that cannot be put together is left out, and all behind it. */
function* asFarAsTold(parts: Iterable<KeptPart>): Iterable<KeptPart> {
  try {
    yield* parts;
  } catch {
    // A report shows the events then.
  }
}
