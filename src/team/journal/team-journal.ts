/**
 * The journal that many machines share. The film's own rows are here, in memory, where the code of one machine reads and writes them; what
 * it wrote is kept in the team's database in the same order, in groups, each of them only while this process still leads the film. A decision
 * that others of the team take as well is made under a lock of the database, over rows that are read under it, and holds when they are kept.
 *
 *     append ──▶ the replica's group ──┐                        ┌─▶ durable: shown
 *     decide ──▶ lock, rows, decision ─┴─▶ outbox ─▶ keep_rows ─┴─▶ superseded: nothing more is written from here
 *
 * While the database is out of reach nothing is sent, and what is under way at the service goes on. A connection that breaks between a
 * decision and its being kept loses the decision: its caller is rejected, takes it back, and asks again.
 */

import type { Clock } from '../../machine/time/clock.ts';
import type { Event, RecordedEvent } from '../../model/run/event.ts';
import type { KeptPart } from '../../model/run/kept-plan.ts';
import type { InstanceKey, RunId } from '../../model/run/key.ts';
import { MAX_TOGETHER, type RowsFor } from '../../records/journal/admission-rows.ts';
import type { ChoiceRows } from '../../records/journal/choice-rows.ts';
import type { FilmJournal, FilmTeam, Notes } from '../../records/journal/film-journal.ts';
import {
  DecisionLost,
  type Journal,
  JournalFailed,
  type JournalListener,
  Superseded,
} from '../../records/journal/journal.ts';
import { LocalJournal } from '../../records/journal/local-journal.ts';
import type { LockedCharge } from '../../records/views/charges.ts';
import type { JournalViews } from '../../records/views/journal-views.ts';
import type { Submission } from '../../records/views/ledger.ts';
import { isConnectionLost, type Queries, type TeamDatabase } from '../database/team-database.ts';
import { type Reaching, whileReachable } from '../database/while-reachable.ts';
import { admissionRows, type FilmRead, filmTeam, OtherFilms, readable, readFilm } from './film-rows.ts';
import { KeptGroups } from './kept-groups.ts';
import { KeptRows, Replica, type Row, TAKEN_OVER } from './replica.ts';
import { NO_FACTS, type RateAsked, type TeamFacts, TeamRows, teamViews } from './team-rows.ts';
import { WantedPlaces } from './wanted-places.ts';

interface TeamJournalOptions {
  readonly team: TeamDatabase;
  readonly film: string;
  /** The row of `run` with this lead. Absent: a reader, or a person's choice. */
  readonly submitted?: string | undefined;
  /** Absent: a reader, which writes nothing but people's choices and rejections. */
  readonly epoch?: number | undefined;
  /** The row of `run` that is looked at: of others there are only results. Absent: all of the film. */
  readonly of?: string | undefined;
  readonly account: string;
  readonly rates?: readonly RateAsked[];
  readonly clock: Clock;
  readonly newId: () => string;
  /** Waits until so many places may have been left, for this many milliseconds at most. */
  readonly changed?: (ms: number, signal: AbortSignal, places?: number) => Promise<void>;
  /** The database is out of reach, with its own words; undefined: it is there again. */
  readonly trouble?: (message: string | undefined) => void;
  /** Called before each decision about a paid request, to renew the database's mark in the team's store. */
  readonly beforePaying?: (() => Promise<void>) | undefined;
  /** Runs this a moment later. Absent: by a timer, and the groups of a busy film lie apart. */
  readonly later?: (work: () => void) => void;
}

/** Milliseconds after which a decision is not acted on any more. */
const STANDSTILL = 5_000;
const STOOD_STILL = 'this machine stood still right after the decision, and others may have decided since';
const CONNECTION_LOST = "the connection to the team's database broke before the decision was kept";

export class TeamJournal implements FilmJournal {
  readonly views: JournalViews;
  readonly choices: ChoiceRows;
  readonly notes: Notes;
  readonly team: FilmTeam;
  readonly login: string | undefined;
  readonly #options: TeamJournalOptions;
  readonly #replica: Replica;
  readonly #own: LocalJournal;
  readonly #rows: TeamRows;
  readonly #listeners: JournalListener[] = [];
  readonly #closing = new AbortController();
  readonly #reaching: Reaching;
  /** One after the other, each from before its lock on. */
  #decisions: Promise<void> = Promise.resolve();
  /** Appended, and not kept for certain. */
  #pending: RecordedEvent[] = [];
  readonly #kept: KeptRows;
  readonly #groups: KeptGroups;
  readonly #places: WantedPlaces;
  readonly #others: OtherFilms;
  #superseded: Superseded | undefined;
  #lastChoice: number;
  /** Milliseconds that the database's clock is before that of this machine. */
  #ahead: number;
  /** Requests that wait for the next decision. */
  readonly #asking: Asked[] = [];
  /** Intents since the rows of the decision were read. */
  #intended = 0;

  /** Reads what the film's runs have left. @throws TeamRefused, and the database's error. */
  static async open(options: TeamJournalOptions): Promise<TeamJournal> {
    const replica = new Replica(options.film, options.newId);
    return new TeamJournal(options, replica, await readFilm(options, replica));
  }

  private constructor(options: TeamJournalOptions, replica: Replica, found: FilmRead) {
    this.#options = options;
    const { clock, trouble = () => {} } = options;
    this.#reaching = { clock, trouble, signal: this.#closing.signal };
    this.#ahead = found.now - options.clock.now();
    this.#replica = replica;
    this.login = found.login;
    this.#own = new LocalJournal({
      ...{ database: replica.database, film: options.film, path: "the team's journal", login: found.login },
      clock: { now: () => this.now() },
      // What is written when is decided here.
      later: () => {},
    });
    this.#rows = new TeamRows(options.film, this.#own.views);
    const { team, film, account } = options;
    this.#others = new OtherFilms(team, film, replica);
    this.#kept = new KeptRows({ replica, lead: options, left: places => this.#places.leave(places) });
    this.#groups = new KeptGroups({
      ...{ clock, later: options.later, keep: () => this.#keepAll() },
      waiting: () => (this.#own.pending.length === 0 && this.#kept.isEmpty ? undefined : this.#pending.length),
    });
    this.#places = new WantedPlaces({
      ...{ team, film, account, rows: this.#rows, signal: this.#closing.signal },
      clock: { now: () => this.now(), sleep: (ms, signal, where) => clock.sleep(ms, signal, where) },
    });
    this.views = teamViews(this.#own.views, this.#rows, {
      openOfOtherFilms: found.others,
      leads: options.epoch !== undefined,
      missed: fingerprint => this.#others.missed(fingerprint),
      query: (sql, values) => this.#asked<Row>(sql, values),
    });
    this.team = filmTeam(this.#rows, this.#places.line, this.#others, {
      ask: (sql, values) => this.#asked(sql, values),
      changed: options.changed ?? ((ms, signal) => clock.sleep(ms, signal)),
    });
    this.#lastChoice = found.lastChoice;
    this.choices = { ...this.#own.choices, newest: () => this.#lastChoice };
    this.notes = {
      get: this.#own.notes.get,
      set: (name, value) => this.decide({ fingerprint: '' }, () => this.#own.keepNote(name, value)),
    };
  }

  /** Unix milliseconds by the database's clock, not this machine's. */
  now(): number {
    return this.#options.clock.now() + this.#ahead;
  }
  get isSuperseded(): boolean {
    return this.#superseded !== undefined;
  }

  get pending(): readonly RecordedEvent[] {
    return this.#pending;
  }

  append(run: RunId, events: readonly (Event | RecordedEvent)[], plan: Iterable<KeptPart> = []): void {
    this.#own.append(run, events, plan);
    this.#pending.push(...this.#own.pending.slice(-events.length));
    this.#intended += events.filter(({ type }) => type === 'submit_intended').length;
    this.#groups.soon();
  }

  /** Shows these to watchers: they are written with the next group, and lost where another worker leads the run by then. */
  tell(events: readonly RecordedEvent[]): void {
    if (events.length === 0 || this.#superseded) return;
    this.#kept.tell(events);
    this.#groups.soon();
  }

  durable(): Promise<void> {
    return this.#groups.durable();
  }

  async #keepAll(): Promise<void> {
    await this.#whileReachable(async () => {
      this.#own.transact(() => {});
      await this.#kept.keep(this.#options.team);
      this.#sure();
    });
    this.#announceDurable();
  }

  read(run: RunId, key?: InstanceKey): ReturnType<Journal['read']> {
    return this.#own.read(run, key);
  }

  hiding(hide: <T>(value: T) => T): void {
    this.#own.hiding(hide);
  }

  listen(listener: JournalListener): void {
    this.#listeners.push(listener);
  }

  async look(at: RowsFor): Promise<void> {
    await this.#whileReachable(async () => {
      const [facts = NO_FACTS] = await this.#rowsFor([at], this.#options.team, false);
      this.#rows.become(facts, this.#options.rates ?? []);
      this.#apply(facts, at);
    });
  }

  decide<T>(on: RowsFor, decision: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const asked: Asked = {
        on,
        decide: () => {
          const value = this.#own.transact(decision);
          asked.decided = () => resolve(value);
        },
        reject,
      };
      if (on.model !== undefined) this.#asking.push(asked);
      const decided = this.#decisions.then(() => this.#decideTogether(on, asked));
      this.#decisions = decided;
    });
  }

  /** A choice, a note and an act are decided alone; with a request, all requests that ask until its lock is there. */
  #group(on: RowsFor, asked: Asked): readonly Asked[] {
    if (on.model === undefined) return [asked];
    const isAlone = this.#options.rates?.length || this.#rows.day !== undefined;
    return this.#asking.splice(0, isAlone ? 1 : MAX_TOGETHER);
  }

  /** Decides one after the other, in one transaction: each sees what those before it have sent. Never rejects. */
  async #decideTogether(on: RowsFor, asked: Asked): Promise<void> {
    // It was decided with one before it.
    if (on.model !== undefined && this.#asking.length === 0) return;
    const { account, film, team, beforePaying, clock, rates = [] } = this.#options;
    let all: readonly Asked[] = [];
    let began = 0;
    const lock = on.fingerprint === '' ? { of: film, space: 2 } : { of: account, space: 0 };
    try {
      await this.#whileReachable(
        async () => {
          if (on.model !== undefined) await beforePaying?.();
          let chosenBefore: number | undefined;
          // The lock may take long: meanwhile events are kept, and more requests join the group.
          let leave = () => {};
          try {
            await team.transaction(async queries => {
              leave = await this.#groups.enterTurn();
              if (all.length === 0) all = this.#group(on, asked);
              this.#places.forget();
              this.#intended = 0;
              const requests = all.map(one => one.on);
              const facts = await this.#rowsFor(requests, queries, true);
              // What a key may cost in a day is added up by the database, which knows nothing of this group yet: each has a turn of its own.
              if (facts[0]?.allowed?.usd_per_day != null) {
                this.#asking.unshift(...all.slice(1));
                all = all.slice(0, 1);
              }
              for (const [n, { on }] of all.entries()) this.#apply(facts[n] ?? NO_FACTS, on);
              began = clock.now();
              chosenBefore = this.#replica.newestChoice();
              for (const [n, { decide }] of all.entries()) {
                this.#rows.become(facts[n] ?? NO_FACTS, rates, this.#intended);
                decide();
              }
              await this.#kept.keep(queries);
              await this.#places.keep(queries);
            }, lock);
            this.#sure();
          } catch (error) {
            if (chosenBefore !== undefined) this.#kept.takeBackChoices(chosenBefore);
            throw error;
          } finally {
            leave();
          }
        },
        // A request was decided over rows that others may have changed since: its caller takes it back. A choice is undone, and decided once more.
        () => !isDecided(all) || all.every(({ on }) => on.fingerprint === ''),
      );
      this.#announceDurable();
      // A machine that stood still has slept through its lease: another process may lead the film by now, and have done what it was about to do.
      const isLate = clock.now() - began > STANDSTILL;
      for (const { on, decided, reject } of all) {
        if (isLate && on.fingerprint !== '') reject(new DecisionLost(STOOD_STILL));
        else decided?.();
      }
    } catch (error) {
      for (const { reject } of all.length > 0 ? all : this.#group(on, asked)) reject(error);
    }
  }

  takeOver(submission: Submission): boolean {
    return this.#own.takeOver(submission);
  }

  keepCharges(account: string, locked: readonly LockedCharge[]): void {
    this.#own.keepCharges(account, locked);
  }

  /** Keeps waiting events, unless another process leads the film by now or the database does not come back within `patience`. */
  async close(): Promise<void> {
    if (this.#groups.isClosed) return;
    this.#groups.isClosed = true;
    try {
      await this.durable();
    } catch (error) {
      if (!(error instanceof JournalFailed)) throw error;
    } finally {
      this.#closing.abort();
      await this.#decisions;
      await this.#groups.turn;
      await this.#places.announced();
      await this.#own.close();
    }
  }

  /** Ends every wait for the database: what is not kept is not. */
  giveUp(): void {
    this.#closing.abort();
  }

  /** Returns the facts of each request. What they share is read with the first of them, under its lock, before the others. */
  async #rowsFor(all: readonly RowsFor[], queries: Queries, waits: boolean): Promise<readonly TeamFacts[]> {
    const found = await admissionRows(all, queries, { ...this.#options, waits, lastChoice: this.#lastChoice });
    const [first] = found;
    if (!first) throw new Error('the database answered a question with nothing');
    if (found.some(({ rows }) => rows.superseded)) throw new Superseded(TAKEN_OVER);
    this.#ahead = first.rows.now - this.#options.clock.now();
    for (const at of all) await this.#others.pullClosed(at.fingerprint, this.views.ledger.open, queries);
    return found.map(({ rows, was_refused }) => ({ ...first.rows, ...rows, was_refused }));
  }

  #apply(facts: TeamFacts, at: RowsFor): void {
    const other = facts.open_elsewhere?.row;
    // Two simultaneous looks get the same answer.
    const choice = facts.choices
      .filter(({ id }) => id > this.#lastChoice)
      .map(row => ({ ...row, film: this.views.film }));
    if (other || choice.length > 0 || facts.events.length > 0)
      this.#replica.apply({
        ...(other && at.fingerprint !== '' && { submission: [other] }),
        ...{ choice: readable(choice, this.#options.team), event: this.#others.unknown(facts.events) },
      });
    this.#lastChoice = choice.at(-1)?.id ?? this.#lastChoice;
  }

  #sure(): void {
    const { batch, choice } = this.#kept.sure();
    if (batch !== undefined) this.#options.team.identity.addDurable(batch, this.now());
    const unwritten = new Set(this.#own.pending);
    this.#pending = this.#pending.filter(event => unwritten.has(event));
    this.#lastChoice = Math.max(this.#lastChoice, choice);
    this.#places.announce();
  }

  #announceDurable(): void {
    if (this.#pending.length > 0) return;
    for (const listener of this.#listeners) listener.durable();
  }

  /** Once more as soon as the database is back, for as long as `again` is true. @throws JournalFailed */
  async #whileReachable(work: () => Promise<void>, again?: () => boolean): Promise<void> {
    const unlessSuperseded = async () => {
      if (this.#superseded) throw this.#superseded;
      await work();
    };
    try {
      await whileReachable(unlessSuperseded, this.#reaching, again);
    } catch (error) {
      const isKnown = error === this.#superseded;
      if (error instanceof Superseded) this.#superseded = error;
      if (error instanceof JournalFailed && !isKnown) for (const listener of this.#listeners) listener.failed(error);
      if (!isConnectionLost(error)) throw error;
      const isRefused = again !== undefined && !again();
      throw isRefused ? new DecisionLost(CONNECTION_LOST) : new JournalFailed(CONNECTION_LOST);
    }
  }

  async #asked<R>(sql: string, values: readonly unknown[]): Promise<readonly R[]> {
    let found: readonly R[] = [];
    await this.#whileReachable(async () => {
      found = await this.#options.team.query<R>(sql, values);
    });
    return found;
  }
}

interface Asked {
  readonly on: RowsFor;
  decide(): void;
  /** Passes the decision on, once it is kept. Absent: none was made. */
  decided?: () => void;
  readonly reject: (error: unknown) => void;
}

const isDecided = (all: readonly Asked[]): boolean => all.some(({ decided }) => decided !== undefined);
