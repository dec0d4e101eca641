/**
 * The journal on this machine: one SQLite file for all films of a project, so that what one has paid for all of them own, and two runs
 * at once see each other's requests. Each film is run by one process at a time, which holds a lock of the operating system's.
 *
 * `append` puts an event into the waiting group; `commit` makes the group durable (one fsync, about 0.1 ms) and is shared by all who
 * ask in one turn of the loop. Whoever does not wait has it durable a moment later. A group that could not be written is kept and
 * tried again with the next: an id that was paid for is never let go of.
 *
 * The table `submission` holds the ledger's entries as the events left them, in the same transaction: what is open is one look.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Event, EventType, RecordedEvent } from '../../domain/event.ts';
import type { KeptPart, KeptPlan } from '../../domain/kept-plan.ts';
import type { GenerationId, InstanceKey, RunId } from '../../domain/key.ts';
import type { Clock } from '../../host/clock.ts';
import { type DatabaseSpec, inOneTransaction, statementsOf } from '../../host/database.ts';
import { DatabaseBusy, refusalOf } from '../../host/database-error.ts';
import { chargeOf } from '../../records/views/charges.ts';
import { isAt, Ledger, type Submission } from '../../records/views/ledger.ts';
import type { AdmissionRows, RowsFor } from '../admission/admission-rows.ts';
import {
  type ActLeftOpen,
  type Journal,
  JournalFailed,
  type JournalListener,
  type JournalRow,
  Superseded,
  type Witness,
} from '../ports/journal.ts';
import type { Lease } from '../ports/lease.ts';
import { ChargeRows } from './charge-rows.ts';
import { ChoiceRows } from './choice-rows.ts';
import type { JournalPlace } from './journal-place.ts';
import type { JournalRoom } from './journal-room.ts';
import { bodyOf, partedOf, withAsked } from './journal-row.ts';
import { JOURNAL } from './journal-tables.ts';
import { PastResults } from './past-results.ts';
import { PastRuns } from './past-runs.ts';
import { PlanRows } from './plan-rows.ts';
import { SubmissionRows } from './submission-rows.ts';

export interface LocalJournalOptions {
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
  /** Whoever only looks has none. It is released when the journal is closed. */
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
  readonly beside: Iterable<KeptPart>;
}

/** Milliseconds that an event waits for others to share a sync with, when nobody waits for it. */
const MOMENT = 20;
/** The process stands still for as long as a sync takes: where that is long, the next one waits this many times as long. */
const REST = 10;
/** Milliseconds; what is shown is durable first, and a person is waiting for it. */
const LONGEST_MOMENT = 200;
const TAKEN_OVER =
  'another shotlist has taken over this pipeline meanwhile: nothing more is written or sent from here; let it go on there';
/** Milliseconds. */
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Generations that a complete history is held against. */
const WITNESSES = 200;

export class LocalJournal implements Journal, AdmissionRows {
  readonly ledger: Ledger;
  readonly film: string;
  readonly lease: Lease | undefined;
  /** What instances once gave, and what they were asked for: for whoever looks back. */
  readonly past: PastResults;
  /** Whole runs, of any film of the project. */
  readonly runs: PastRuns;
  /** What was decided for this film. */
  readonly choices: ChoiceRows;
  /** What was sent of late, and what is under way: what limits and rates count. */
  readonly submissions: SubmissionRows;
  /** What submissions come to: what budgets count. */
  readonly charges: ChargeRows;
  /** What was planned. */
  readonly #plans: PlanRows;
  readonly #database: DatabaseSync;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #file: DatabaseSpec;
  readonly #later: (work: () => void) => void;
  readonly #committing: (() => void) | undefined;
  readonly #sql: (text: string) => StatementSync;
  readonly #room: JournalRoom | undefined;
  readonly #place: JournalPlace | undefined;
  readonly #listeners: JournalListener[] = [];
  /** Fingerprints that were found to have a result. Nothing is ever taken out of the journal, so they stay so. */
  readonly #found = new Set<string>();
  #waiting: Waiting[] = [];
  #shared: Promise<void> | undefined;
  #isDue = false;
  #isOpen = true;
  /** Length of the texts in this transaction. Nearly all are ASCII, and the room is for twice as many bytes. */
  #textBytes = 0;
  #moment = MOMENT;
  #seq = 0;
  #hide: <T>(value: T) => T = value => value;

  constructor({
    database,
    film,
    clock,
    path = 'the journal',
    login,
    later,
    lease,
    room,
    place,
    committing,
  }: LocalJournalOptions) {
    this.#database = database;
    this.#sql = statementsOf(database);
    this.#room = room;
    this.#place = place;
    this.film = film;
    this.#clock = clock;
    this.#file = { ...JOURNAL, path };
    this.past = new PastResults(this.#sql, { film, path });
    this.runs = new PastRuns(this.#sql, path);
    this.choices = new ChoiceRows(this.#sql, { film, path, login });
    this.submissions = new SubmissionRows(this.#sql);
    this.charges = new ChargeRows(this.#sql, film);
    this.#plans = new PlanRows(this.#sql);
    this.#later = later ?? (work => void setTimeout(work, this.#moment));
    this.lease = lease;
    this.#committing = committing;
    const open = this.#sql("SELECT body FROM submission WHERE film = ? AND state <> 'closed' ORDER BY rowid").all(film);
    this.ledger = new Ledger(open.map(row => bodyOf<Submission>(row, path)));
  }

  /** The place of the newest choice of this film; 0 where there is none. */
  get lastChoice(): number {
    return this.choices.newest();
  }
  get isSettled(): boolean {
    return this.#waiting.length === 0;
  }
  get waiting(): readonly RecordedEvent[] {
    return this.#waiting.map(({ event }) => event);
  }

  numbered(event: Event): RecordedEvent {
    this.#seq += 1;
    return { ...event, seq: this.#seq, at: this.#clock.now() };
  }

  append(run: RunId, event: RecordedEvent, beside: Iterable<KeptPart> = []): void {
    this.#waiting.push({ run, event, submission: this.ledger.apply(run, event), beside });
    if (this.#isDue) return;
    this.#isDue = true;
    this.#later(() => {
      this.#isDue = false;
      // Whoever waits for it hears of the failure; here it is told to those who listen.
      if (this.#isOpen) void this.commit().catch(() => {});
    });
  }

  commit(): Promise<void> {
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
   * Decides while nobody else of the project can, with all that was kept written, and makes durable what the decision keeps.
   * @throws JournalFailed with nothing of it written; what was kept waits for the next try.
   */
  transact<T>(decide: () => T): T {
    let decided: T;
    let written = 0;
    const began = this.#clock.now();
    try {
      if (this.#place?.isLost) throw new JournalFailed();
      decided = inOneTransaction(this.#database, () => {
        this.#stillOurs();
        this.#textBytes = 0;
        for (const waiting of this.#waiting) this.#flush(waiting);
        written = this.#waiting.length;
        const decision = decide();
        for (const waiting of this.#waiting.slice(written)) this.#flush(waiting);
        written = this.#waiting.length;
        this.#committing?.();
        this.#room?.ensure({ rows: 2 * written + 1, bytes: this.#textBytes });
        return decision;
      });
    } catch (error) {
      const failure = this.#failed(error);
      for (const listener of this.#listeners) listener.failed(failure);
      throw failure;
    }
    this.#waiting = this.#waiting.slice(written);
    this.#moment = Math.min(LONGEST_MOMENT, Math.max(MOMENT, REST * (this.#clock.now() - began)));
    for (const listener of this.#listeners) listener.durable();
    return decided;
  }

  /** Saves the answers of the group, and returns why the rest is not written. @throws an error that is not the journal's. */
  #failed(error: unknown): JournalFailed {
    const refused = refusalOf(error, this.#file);
    if (refused === undefined && !(error instanceof JournalFailed)) throw error;
    if (!(error instanceof Superseded || refused instanceof DatabaseBusy)) this.#saveAnswers();
    if (this.#place?.isLost) return new JournalFailed(this.#writeBack(this.#place));
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
      inOneTransaction(this.#database, () => {
        this.#stillOurs();
        for (const waiting of answers) this.#flush(waiting);
        this.#committing?.();
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

  /** Without what was asked for: a rerun reads ten thousand of them, and asks for none. */
  succeeded(fingerprint: string): (RecordedEvent & { type: 'succeeded' | 'reused' }) | undefined {
    const row = this.#sql(
      `SELECT coalesce(${newest('succeeded')}, ${newest('reused')}) AS body, ${newest('billed')} AS bill`,
    ).get(fingerprint);
    if (row === undefined || row.body === null) return undefined;
    const { path } = this.#file;
    const success = bodyOf<RecordedEvent & { type: 'succeeded' | 'reused' }>(row, path, 'succeeded', 'reused');
    this.#found.add(fingerprint);
    if (success.result.is !== 'media' || row.bill === null) return success;
    const bill = bodyOf<RecordedEvent & { type: 'billed' }>({ body: row.bill }, path, 'billed');
    if (bill.generation_id !== success.result.generation_id) return success;
    return { ...success, result: { ...success.result, cost: bill.cost } };
  }

  filmOf(fingerprint: string): string | undefined {
    const film = (type: EventType) => newest(type, 'film');
    const row = this.#sql(`SELECT coalesce(${film('succeeded')}, ${film('reused')}) AS film`).get(fingerprint);
    return typeof row?.film === 'string' ? row.film : undefined;
  }

  knows(fingerprint: string): boolean {
    if (this.#found.has(fingerprint)) return true;
    const has = (type: EventType) => `EXISTS (SELECT 1 FROM event WHERE fingerprint = ?1 AND type = '${type}')`;
    return this.#sql(`SELECT ${has('succeeded')} OR ${has('reused')} AS known`).get(fingerprint)?.known === 1;
  }

  lastIntent(key: InstanceKey): (RecordedEvent & { type: 'submit_intended' }) | undefined {
    const row = this.#sql(
      "SELECT body FROM event WHERE film = ? AND key = ? AND type = 'submit_intended' ORDER BY id DESC LIMIT 1",
    ).get(this.film, key);
    return row && bodyOf(row, this.#file.path, 'submit_intended');
  }

  unbilled(): ReadonlySet<GenerationId> {
    const now = this.#clock.now();
    const rows = this.#sql(
      `SELECT DISTINCT body ->> '$.result.generation_id' AS id FROM event made
       WHERE film = ?1 AND type = 'succeeded' AND at > ?2 AND key IS NOT NULL
         AND CASE WHEN json_valid(body) THEN body ->> '$.result.is' = 'media' AND body ->> '$.result.generation_id' IS NOT NULL
           AND (at > ?3 AND body ->> '$.result.cost' IS NULL
             OR NOT EXISTS (SELECT 1 FROM event WHERE run = made.run AND key IS NULL AND type = 'run_finished'))
           AND NOT EXISTS (SELECT 1 FROM event bill WHERE fingerprint = made.fingerprint AND type = 'billed' AND json_valid(bill.body)
             AND bill.body ->> '$.generation_id' = made.body ->> '$.result.generation_id') END`,
    ).all(this.film, now - DAY, now - HOUR);
    return new Set(rows.map(({ id }) => String(id) as GenerationId));
  }

  isClaimed(id: string, account: string): boolean {
    if (this.ledger.open.some(open => open.id === id && isAt(open, { account }))) return true;
    const rows = this.#sql('SELECT account FROM submission WHERE generation_id = ?').all(id);
    return rows.some(row => isAt({ account: String(row.account) }, { account }));
  }

  async claimedAmong(ids: readonly string[], account: string): Promise<ReadonlySet<string>> {
    return new Set(ids.filter(id => this.isClaimed(id, account)));
  }

  async accepted(account: string, since: number, than: string): Promise<readonly Witness[]> {
    return this.#sql(
      `SELECT generation_id AS id, body, rowid < (SELECT rowid FROM submission WHERE nonce = ?) AS earlier FROM submission
       WHERE account = ? AND at >= ? AND generation_id IS NOT NULL ORDER BY at DESC LIMIT ${WITNESSES}`,
    )
      .all(than, account, since)
      .map(row => ({
        ...bodyOf<Submission>(row, this.#file.path),
        id: String(row.id),
        isEarlier: row.earlier === 1,
      }))
      .reverse();
  }

  async unaccountedFor(account: string, since: number): Promise<readonly Submission[]> {
    const mine = this.ledger.open.filter(({ id, url }) => id === undefined && url === undefined);
    // Of other films, and those that were given up: sent again unseen, or forgotten, they may be there all the same.
    const others = this.#sql(
      `SELECT body FROM submission WHERE account = ? AND at >= ? AND generation_id IS NULL
       AND (film <> ? AND state IN ('intended', 'unknown') OR ending IN ('absent', 'forgotten'))`,
    ).all(account, since, this.film);
    return [...mine, ...others.map(row => bodyOf<Submission>(row, this.#file.path))];
  }

  async refusedAsBusy(
    { fingerprint, account }: Pick<Submission, 'fingerprint' | 'account'>,
    since: number,
  ): Promise<readonly Submission[]> {
    const rows = this.#sql(
      `SELECT body FROM submission s WHERE fingerprint = ?1 AND account = ?2 AND ending = 'refused' AND at >= ?3 AND s.body ->> '$.busy' = 1
       AND NOT EXISTS (SELECT 1 FROM submission l WHERE l.fingerprint = s.fingerprint AND l.film = s.film AND l.at > s.at
         AND l.body ->> '$.key' = s.body ->> '$.key' AND l.ending IN ('made', 'failed', 'forgotten')) ORDER BY at`,
    ).all(fingerprint, account ?? null, since);
    return rows.map(row => bodyOf<Submission>(row, this.#file.path));
  }

  *activations(): Iterable<JournalRow> {
    const rows = this.#sql(
      `SELECT run, body FROM event
       WHERE film = ? AND type IN ('activation_intended','activation_closed') ORDER BY id`,
    ).all(this.film);
    for (const row of rows) yield { run: String(row.run) as RunId, event: bodyOf(row, this.#file.path) };
  }

  serviceOf(run: RunId): string | undefined {
    const row = this.#sql(
      "SELECT body ->> '$.service' AS service FROM event WHERE run = ? AND type = 'run_started'",
    ).get(run);
    return row && String(row.service);
  }

  wasCutOff(fingerprint: string): boolean {
    const row = this.#sql(
      `SELECT 1 FROM event s WHERE s.film = ? AND s.fingerprint = ? AND s.type = 'command_started' AND NOT EXISTS
         (SELECT 1 FROM event e WHERE e.run = s.run AND e.key = s.key AND e.id > s.id AND e.type IN ('succeeded', 'failed'))`,
    ).get(this.film, fingerprint);
    return row !== undefined;
  }

  attempts(fingerprint: string): { readonly retried: number; readonly unfit: number; readonly until: number } {
    const rows = this.#sql(
      `SELECT type, count(*) AS n, max(body ->> '$.until') AS until FROM event s
       WHERE fingerprint = ?1 AND film = ?2 AND type IN ('retrying', 'answer_unfit') AND NOT EXISTS
         (SELECT 1 FROM event e WHERE e.film = s.film AND e.key = s.key AND e.id > s.id AND e.type IN ('succeeded', 'reused', 'failed'))
       GROUP BY type`,
    ).all(fingerprint, this.film);
    const of = (type: EventType) => rows.find(row => row.type === type);
    const [retrying, unfit] = [of('retrying'), of('answer_unfit')];
    return { retried: Number(retrying?.n ?? 0), unfit: Number(unfit?.n ?? 0), until: Number(retrying?.until ?? 0) };
  }

  actLeftOpen(fingerprint: string): ActLeftOpen | undefined {
    const row = this.#sql(
      `SELECT film, run, at, NOT EXISTS
         (SELECT 1 FROM event e WHERE e.film = s.film AND e.run <> s.run AND e.id > s.id) AS newest
       FROM event s WHERE fingerprint = ?1 AND type = 'command_started' AND NOT EXISTS
         (SELECT 1 FROM event e WHERE e.run = s.run AND e.key = s.key AND e.id > s.id AND
            (e.type IN ('succeeded', 'retrying') OR e.type = 'failed' AND e.body ->> '$.failure.code' <> 'effect_unknown'))
       AND id = (SELECT max(id) FROM event WHERE fingerprint = ?1 AND type = 'command_started')`,
    ).get(fingerprint);
    return row && { film: String(row.film), at: Number(row.at), isNewest: row.newest === 1 };
  }

  durations(): ReadonlyMap<string, readonly number[]> {
    const rows = this.#sql(
      `SELECT i.body ->> '$.model' AS model, g.at - a.at AS took
       FROM event g
       JOIN event a ON a.run = g.run AND a.key = g.key AND a.type = 'submit_accepted'
       JOIN event i ON i.run = g.run AND i.key = g.key AND i.type = 'submit_intended'
       WHERE g.type = 'generated' ORDER BY g.id DESC LIMIT 200`,
    ).all();
    const byModel = new Map<string, number[]>();
    for (const row of rows) {
      const model = String(row.model);
      byModel.set(model, [...(byModel.get(model) ?? []), Number(row.took)]);
    }
    return byModel;
  }

  *events(run: RunId): Iterable<RecordedEvent> {
    for (const row of this.#database.prepare('SELECT body, asked FROM event WHERE run = ? ORDER BY id').iterate(run)) {
      yield withAsked(bodyOf<RecordedEvent>(row, this.#file.path), row);
    }
  }

  planOf(run: RunId): KeptPlan | undefined {
    return this.#plans.of(run);
  }

  getNote(name: string): string | undefined {
    const row = this.#sql('SELECT value FROM note WHERE film = ? AND name = ?').get(this.film, name);
    return row && String(row.value);
  }

  async setNote(name: string, value: string): Promise<void> {
    this.transact(() => this.keepNote(name, value));
  }

  /** Within `transact`. */
  keepNote(name: string, value: string): void {
    this.#sql('INSERT OR REPLACE INTO note (film, name, value) VALUES (?, ?, ?)').run(this.film, name, value);
  }

  /** Of other films: requests with this fingerprint that this account is waiting for. */
  openElsewhere(
    fingerprint: string,
    account: string,
  ): { readonly film: string; readonly submission: Submission } | undefined {
    // Few have this fingerprint, and an account may have all there are: `+` keeps SQLite from going through those.
    const row = this.#sql(
      "SELECT film, body FROM submission WHERE fingerprint = ? AND +account = ? AND film <> ? AND state <> 'closed' LIMIT 1",
    ).get(fingerprint, account, this.film);
    return row && { film: String(row.film), submission: bodyOf<Submission>(row, this.#file.path) };
  }

  openOfOtherFilms(account: string): readonly { readonly film: string; readonly submission: Submission }[] {
    return this.#sql(
      `SELECT film, body FROM submission INDEXED BY submission_open
       WHERE account = ? AND film <> ? AND state <> 'closed' ORDER BY rowid`,
    )
      .all(account, this.film)
      .map(row => ({ film: String(row.film), submission: bodyOf<Submission>(row, this.#file.path) }));
  }

  /** What another film's runs left behind is waited for by this one from now on; it stays that one's expense. Within `transact`. */
  takeOver(submission: Submission): boolean {
    const { changes } = this.#sql(
      "UPDATE submission SET film = ?, body = json_set(body, '$.idle', json('false')) WHERE nonce = ? AND state <> 'closed'",
    ).run(this.film, submission.nonce);
    if (Number(changes) > 0) this.ledger.adopt({ ...submission, idle: false });
    return Number(changes) > 0;
  }

  /** What this film sent in vain, since it last came to a good end: each was proven absent, and is not sent for ever. */
  lost(): readonly Submission[] {
    const rows = this.#sql("SELECT body FROM submission WHERE film = ? AND ending = 'absent' ORDER BY at").all(
      this.film,
    );
    return rows
      .map(row => bodyOf<Submission>(row, this.#file.path))
      .filter(({ fingerprint }) => this.timesLost(fingerprint) > 0);
  }

  /** How often a request with this fingerprint was sent and lost, since it last came to a good end. */
  timesLost(fingerprint: string): number {
    const row = this.#sql(
      `SELECT count(*) AS n FROM submission WHERE fingerprint = ?1 AND ending = 'absent' AND at >
         (SELECT coalesce(max(at), 0) FROM submission WHERE fingerprint = ?1 AND ending IN ('made', 'failed', 'forgotten'))`,
    ).get(fingerprint);
    return Number(row?.n ?? 0);
  }

  /** @throws JournalFailed when something could not be written; it is closed all the same. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    try {
      if (this.#waiting.length > 0) this.transact(() => {});
    } catch (error) {
      // Those who listen were told, and of what stays unwritten: an end that was said in order is not made into another.
      if (!(error instanceof JournalFailed)) throw error;
    } finally {
      this.#isOpen = false;
      this.#room?.close();
      this.#database.close();
      this.lease?.release();
    }
  }

  /** @throws Superseded when another holder has taken the film since. */
  #stillOurs(): void {
    if (!this.lease) return;
    const row = this.#sql('SELECT token FROM lease WHERE film = ?').get(this.film);
    if (row?.token !== this.lease.token) throw new Superseded(TAKEN_OVER);
  }

  /** Within a transaction. */
  #flush({ run, event, submission, beside }: Waiting): void {
    this.#write(run, event);
    for (const part of asFarAsTold(beside))
      this.#textBytes += this.#plans.add(run, this.#hide(part), this.lease?.token);
    if (submission) this.write(submission);
    else if (event.type === 'run_started') this.#leaveIdle();
    else if (event.type === 'billed') this.charges.billed(event.generation_id, event.cost);
    // One that was closed already counts no more against its request.
    else if (event.type === 'submission_forgotten')
      this.#sql("UPDATE submission SET ending = 'forgotten' WHERE nonce = ?").run(event.nonce);
  }

  /** A row that is idle already may have been taken over by another film meanwhile: it is not written again. */
  #leaveIdle(): void {
    this.#sql(
      `UPDATE submission SET body = json_set(body, '$.idle', json('true'))
       WHERE film = ? AND state <> 'closed' AND body ->> '$.idle' IS NOT 1`,
    ).run(this.film);
  }

  #write(run: RunId, event: RecordedEvent): void {
    const key = 'key' in event ? event.key : null;
    const fingerprint = 'fingerprint' in event ? event.fingerprint : null;
    // What the screen needs of them stands in the plan that is kept beside it.
    const whole = event.type === 'run_started' || event.type === 'expanded' ? { ...event, instances: [] } : event;
    const { body, asked } = partedOf(this.#hide(whole));
    this.#textBytes += body.length + (asked?.length ?? 0);
    this.#sql(
      'INSERT INTO event (film, run, seq, at, type, key, fingerprint, body, asked) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ).run(...[this.film, run, event.seq, event.at, event.type, key, fingerprint, body, asked]);
  }

  /** Puts an entry of the ledger where the next start finds it. Within `transact`. */
  write(submission: Submission): void {
    const whole = JSON.stringify(submission);
    const shown = JSON.stringify(this.#hide(submission));
    const body = shown === whole ? whole : JSON.stringify({ ...JSON.parse(shown), masked: true });
    this.#textBytes += body.length;
    const { nonce, fingerprint, account = '', model, state, end = null, id = null, at } = submission;
    this.#sql(
      `INSERT INTO submission (nonce, film, fingerprint, account, model, state, ending, generation_id, at, body)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (nonce) DO UPDATE SET
         state = excluded.state, ending = excluded.ending, generation_id = excluded.generation_id, body = excluded.body`,
    ).run(nonce, this.film, fingerprint, account, model, state, end, id, at, body);
    const charge = chargeOf(submission);
    if (charge) this.charges.put(nonce, account, charge);
    else this.charges.drop(nonce);
  }
}

/** What is kept to be looked at later changes no run's outcome: a part that cannot be put together is left out, and all behind it. */
function* asFarAsTold(parts: Iterable<KeptPart>): Iterable<KeptPart> {
  try {
    yield* parts;
  } catch {
    // A report tells then what the events tell.
  }
}

/** A subquery: the newest event of this type with the fingerprint `?1`, null where there is none. */
const newest = (type: EventType, column: 'body' | 'film' = 'body'): string =>
  `(SELECT ${column} FROM event WHERE fingerprint = ?1 AND type = '${type}' ORDER BY id DESC LIMIT 1)`;
