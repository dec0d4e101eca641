/**
 * What must hold, whatever happened. The judge sees what nobody else does: the service from inside, the disk as it is, every life of
 * every runner. It looks at a request when it is taken, and at everything when a runner has ended.
 */

import { parse } from 'yaml';
import type { AppliedBudget } from '../../src/model/budget.ts';
import type { Step } from '../../src/model/pipeline.ts';
import type { Plan } from '../../src/model/plan.ts';
import { RATE_WINDOWS, type ServiceRates, statedRates } from '../../src/model/request-rates.ts';
import type { RecordedEvent } from '../../src/model/run/event.ts';
import type { Failure } from '../../src/model/run/failure.ts';
import { type InstanceKey, stepOf } from '../../src/model/run/key.ts';
import { isStored } from '../../src/model/run/result.ts';
import { retryClassOf } from '../../src/model/run/retry-policy.ts';
import type { JsonObject } from '../../src/model/text/json.ts';
import type { Outcome } from '../../src/run/engine/run.ts';
import { USD } from './films.ts';
import type { Disk } from './machine.ts';
import type { Generation, Provider } from './provider.ts';
import type { Time } from './time.ts';

export const INVARIANTS = [
  'no request is paid twice',
  'what is sent is on the disk first',
  'what was taken is not written off',
  'an id belongs to one submission',
  'a success is what was asked for, and on the disk',
  'the lock knows every success',
  'no storm of requests',
  'rates are never exceeded',
  'attempts are bounded',
  'a failure is tried again as often as `retry` allows',
  'a group has no more at work than it allows',
  'the run ends once the faults stop',
  'it ends well, or in a failure that had to be',
  'one go and any resumed way give the same',
  'what is owned costs nothing again',
  'what is spent and in flight stays within the budget',
  'the checker finds nothing at the door of the service',
  'no bug of ours surfaces',
] as const;
type Invariant = (typeof INVARIANTS)[number];

export class Broken extends Error {
  readonly invariant: Invariant;
  constructor(invariant: Invariant, what: string) {
    super(`${invariant}: ${what}`);
    this.invariant = invariant;
  }
}

/** `at`: milliseconds of the true time. */
export interface TimedFailure {
  readonly failure: Failure;
  readonly at: number;
}

interface Submission {
  readonly nonce: string;
  readonly film: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly state: string;
  readonly ending: string | null;
  /** 1 where it was refused for being asked too often. */
  readonly busy: number | null;
  readonly generation: string | null;
}

/** A request of a member of a group, from its POST to its end at the service; or a command of one, whose nonce is null. */
interface Work {
  readonly film: string;
  readonly key: string;
  readonly nonce: string | null;
  readonly from: number;
  to?: number;
}

/** Times that a request may be sent in its life, where it was lost each time. */
export const ATTEMPTS = 3;
/** Milliseconds for which a run may go on with what it saw before the service got well. */
const SOON = 60_000;
/** Milliseconds by which a request may leave after its intent. */
const MOMENT = 100;
const TRIED_AGAIN = 'a failure is tried again as often as `retry` allows';
const IS_AT_IT_NO_MORE: ReadonlySet<string> = new Set([
  ...['generated', 'succeeded', 'reused', 'failed', 'retrying', 'left_out', 'submit_refused', 'submit_absent'],
]);
/** How a request ends of which it is known what became of it. */
const KNOWN_ENDS: ReadonlySet<string> = new Set(['made', 'failed', 'forgotten']);
/** POSTs of one request in any one second. */
const STORM = 5;

export class Judge {
  readonly #provider: Provider;
  readonly #disk: Disk;
  readonly #time: Time;
  /** Keys of instances that want an answer of their own, by film. */
  readonly #unshared = new Set<string>();
  readonly #sent = new Map<string, number[]>();
  readonly #intended = new Map<string, { readonly film: string; readonly model: string }>();
  /** By film and step. */
  readonly #steps = new Map<string, Step>();
  /** What members of groups were at, in the order in which they began. */
  #work: Work[] = [];
  /** What bounds the films while there is trouble. */
  budgets: readonly AppliedBudget[] = [];
  /** What the settings say that the service allows. */
  rates: ServiceRates = {};
  /** Every POST: when, and to which model. */
  readonly #posts: { readonly at: number; readonly model: string }[] = [];
  /** The first thing that was found wrong. */
  broken: Broken | undefined;

  constructor(provider: Provider, disk: Disk, time: Time) {
    this.#provider = provider;
    this.#disk = disk;
    this.#time = time;
  }

  /** A runner has planned. */
  knows(film: string, plan: Plan): void {
    for (const { key, step } of plan.instances) if (!step.cache) this.#unshared.add(`${film} ${key}`);
    for (const step of plan.pipeline.steps) this.#steps.set(`${film} ${step.name}`, step);
    // Whoever ran it before is dead, and at nothing any more.
    for (const one of this.#work) if (one.film === film) one.to ??= this.#time.now;
  }

  /** What a run of this film says, and when it was so. */
  hears(film: string, event: RecordedEvent, at: number): void {
    if (!('key' in event)) return;
    if (event.type === 'command_started') this.#begins({ film, key: event.key, nonce: null, from: at });
    if (event.type === 'taken_up') this.#begins({ film, key: event.key, nonce: event.nonce, from: at });
    if (IS_AT_IT_NO_MORE.has(event.type))
      for (const one of this.#work) if (one.film === film && one.key === event.key) one.to ??= at;
    if (event.type === 'retrying') this.#isToldToRetry(film, event);
  }

  #begins(work: Work): void {
    if (this.#stepOf(work.film, work.key)?.concurrency) this.#work.push(work);
  }

  breaks(invariant: Invariant, what: string): undefined {
    this.broken ??= new Broken(invariant, what);
  }

  /** A POST goes out. */
  posted(nonce: string): undefined {
    const now = this.#time.now;
    const of = this.#submission(nonce);
    if (!of)
      return this.breaks('what is sent is on the disk first', `a POST with nonce ${nonce}, which no journal holds`);
    this.#keepsToRates(this.#modelOf(nonce));
    this.#isSentAsOftenAsMayBe(of);
    this.#begins({ film: of.film, key: of.key, nonce, from: now });
    const recent = (this.#sent.get(of.fingerprint) ?? []).filter(at => at > now - 1_000);
    recent.push(now);
    this.#sent.set(of.fingerprint, recent);
    // Each of those that want an answer of their own has a rhythm of its own.
    const own = this.#unshared.has(`${of.film} ${of.key}`) ? this.#unshared.size : 1;
    if (recent.length > STORM * own)
      this.breaks('no storm of requests', `${of.key} was sent ${recent.length} times in a second`);
  }

  /** What was lost each time is sent a few times, and no more until the same request has come to an end that is known. */
  #isSentAsOftenAsMayBe({ film, key, nonce, fingerprint }: Submission): void {
    const before = this.#all('WHERE fingerprint = ? ORDER BY at', fingerprint).filter(other => other.nonce !== nonce);
    const known = before.findLastIndex(({ ending }) => KNOWN_ENDS.has(ending ?? ''));
    const lost = before.slice(known + 1).filter(({ ending }) => ending === 'absent').length;
    if (lost >= ATTEMPTS)
      this.breaks('attempts are bounded', `${film} ${key} is sent though it was lost ${lost} times`);
  }

  /** One more is sent to this model. */
  #keepsToRates(model: string): void {
    const { now } = this.#time;
    this.#posts.push({ at: now, model });
    for (const { rate, limit, model: own } of statedRates(this.rates)) {
      if (own !== undefined && own !== model) continue;
      const many =
        rate === 'in_flight'
          ? this.#underWay(own) + 1
          : this.#posts.filter(
              ({ at, model: of }) => at > now - RATE_WINDOWS[rate] + MOMENT && (own === undefined || of === own),
            ).length;
      if (many > limit)
        this.breaks('rates are never exceeded', `${many} ${rate} of ${own ?? 'all'}, and ${limit} are allowed`);
    }
  }

  /** What the service is at, and no run has given up. */
  #underWay(model: string | undefined): number {
    return this.#provider.generations.filter(made => {
      const status = this.#provider.statusOf(made);
      if (status !== 'queued' && status !== 'processing') return false;
      if (model !== undefined && this.#modelOf(made.nonce) !== model) return false;
      const { state } = this.#submission(made.nonce) ?? {};
      return state === 'intended' || state === 'accepted';
    }).length;
  }

  /** A run is over: of no group were more at work at once than may be. Those whose work was over at the service had left it. */
  #groupsWereKept(): void {
    const groupOf = ({ film, key }: Work) => this.#stepOf(film, key)?.concurrency;
    for (const one of this.#work) {
      const group = groupOf(one);
      const beside = this.#work.filter(
        other =>
          other.film === one.film &&
          other.key !== one.key &&
          groupOf(other)?.name === group?.name &&
          other.from <= one.from &&
          one.from < this.#endOf(other),
      );
      const keys = new Set(beside.map(({ key }) => key));
      if (group && keys.size >= group.limit)
        this.breaks(
          'a group has no more at work than it allows',
          `${one.film} ${one.key} begins beside ${[...keys].join(', ')}, and ${group.limit} of ${group.name} may`,
        );
    }
    this.#work = this.#work.filter(({ to }) => to === undefined);
  }

  #endOf({ nonce, to = Number.POSITIVE_INFINITY }: Work): number {
    const made = this.#provider.generations.find(one => nonce !== null && one.nonce === nonce);
    return made?.via === 'queue' ? Math.min(made.ends, to) : to;
  }

  #stepOf(film: string, key: string): Step | undefined {
    return this.#steps.get(`${film} ${stepOf(key as InstanceKey)}`);
  }

  /** Counted as the service knows it: what it failed since the instance was last at its end. */
  #isTriedAsOftenAsSaid(own: Submission): void {
    const { retry } = this.#stepOf(own.film, own.key) ?? {};
    const sql = `SELECT body ->> '$.nonce' AS nonce FROM event WHERE film = ?1 AND key = ?2 AND type = 'submit_intended' AND id >
      (SELECT ifnull(max(id), 0) FROM event WHERE film = ?1 AND key = ?2 AND type IN ('failed', 'succeeded', 'reused'))`;
    const sent = new Set(
      this.#disk.database
        .prepare(sql)
        .all(own.film, own.key)
        .map(row => String(row.nonce)),
    );
    const failed = this.#provider.generations.filter(
      made => sent.has(made.nonce) && made.nonce !== own.nonce && this.#hasFailedFor(own, made.nonce),
    );
    const allowed = retry ? retry.attempts - 1 : 0;
    for (const made of failed) {
      const one = this.#provider.statusOf(made) === 'cancelled' ? 'cancelled' : 'failed';
      if (!retry?.on.includes(one))
        this.breaks(TRIED_AGAIN, `${own.film} ${own.key} is asked for again after ${made.id}, which was ${one}`);
    }
    if (failed.length > allowed)
      this.breaks(
        TRIED_AGAIN,
        `${own.film} ${own.key} had failed ${failed.length} times, and ${allowed} may be mended`,
      );
  }

  /** A submission that another instance took up has failed for that one. */
  #hasFailedFor({ film, key }: Submission, nonce: string): boolean {
    const sql = "SELECT film, key FROM event WHERE body ->> '$.nonce' = ? ORDER BY id DESC LIMIT 1";
    const last = this.#disk.database.prepare(sql).get(nonce);
    return last?.film === film && last.key === key && this.#submission(nonce)?.ending === 'failed';
  }

  #isToldToRetry(film: string, event: Extract<RecordedEvent, { readonly type: 'retrying' }>): void {
    const { key, failure, attempt, of } = event;
    const { retry } = this.#stepOf(film, key) ?? {};
    const one = retryClassOf(failure);
    const sql = `SELECT count(*) AS n FROM event WHERE film = ?1 AND key = ?2 AND type = 'retrying' AND id >
      (SELECT ifnull(max(id), 0) FROM event WHERE film = ?1 AND key = ?2 AND type IN ('failed', 'succeeded', 'reused'))`;
    const times = Number(this.#disk.database.prepare(sql).get(film, key)?.n);
    if (!retry || !one || !retry.on.includes(one) || attempt > of || times > retry.attempts - 1)
      this.breaks(
        TRIED_AGAIN,
        `${film} ${key} is tried again (${failure.code}), ${times} times, attempt ${attempt} of ${of}`,
      );
  }

  /** The service has taken one more. */
  took(made: Generation): undefined {
    const own = this.#submission(made.nonce);
    // It comes late, and was sent again meanwhile because a person wanted it so.
    if (!own || (own.ending === 'absent' && this.#wasAskedFor(own.nonce))) return;
    this.#staysWithinBudget(own);
    this.#isTriedAsOftenAsSaid(own);
    const twice = this.#provider.generations.find(({ nonce, id }) => nonce === made.nonce && id !== made.id);
    if (twice)
      return this.breaks(
        'no request is paid twice',
        `${own.key} was taken as ${twice.id} and ${made.id}, of one intent`,
      );
    const same = this.#all().filter(other => other.fingerprint === own.fingerprint && other.nonce !== own.nonce);
    const byNonce = new Map(same.map(other => [other.nonce, other]));
    for (const before of this.#provider.generations) {
      const other = byNonce.get(before.nonce);
      if (!other || this.#provider.gaveNothing(before) || this.#mayBeAskedAgain(before.id, other, own)) continue;
      const when = Math.round((made.at - before.at) / 100) / 10;
      return this.breaks(
        'no request is paid twice',
        `${own.film} ${own.key} was taken as ${made.id} though ${other.film} ${other.key} had been as ${before.id} ${when} s before (${other.state} ${other.ending ?? ''})`,
      );
    }
    const alive = this.#provider.generations.filter(
      before => byNonce.get(before.nonce) && !this.#provider.gaveNothing(before),
    );
    const lost = alive.filter(({ nonce }) => byNonce.get(nonce)?.ending === 'absent');
    if (lost.length >= ATTEMPTS && !this.#unshared.has(`${own.film} ${own.key}`))
      this.breaks('attempts are bounded', `${own.key} was taken ${lost.length + 1} times`);
  }

  /** What the service has taken until now, whatever became of it and whatever the journal says of it. */
  #staysWithinBudget({ nonce }: Submission): void {
    const film = this.#sentBy(nonce);
    for (const { of, budget } of this.budgets) {
      const mine = this.#provider.generations.filter(
        ({ id, nonce: other }) => !this.#provider.hasLost(id) && (of === 'project' || this.#sentBy(other) === film),
      );
      const spent = {
        generations: mine.length,
        usd: mine.reduce((sum, { nonce: other }) => sum + (USD[this.#modelOf(other)] ?? 0), 0),
      };
      for (const measure of ['generations', 'usd'] as const)
        if (spent[measure] > (budget[measure] ?? Number.POSITIVE_INFINITY) + 1e-6)
          this.breaks(
            'what is spent and in flight stays within the budget',
            `${spent[measure]} ${measure} of the ${of}'s ${budget[measure]} were taken, with ${nonce} of ${film}`,
          );
    }
  }

  /** The film whose run sent it: another one may have taken it up since. */
  #sentBy(nonce: string): string | undefined {
    return this.#intents(nonce)?.film;
  }

  #modelOf(nonce: string): string {
    return this.#intents(nonce)?.model ?? '';
  }

  #intents(nonce: string): { readonly film: string; readonly model: string } | undefined {
    const known = this.#intended.get(nonce);
    if (known) return known;
    const sql = `SELECT film, body ->> '$.model' AS model FROM event WHERE type = 'submit_intended' AND body ->> '$.nonce' = ?`;
    const row = this.#disk.database.prepare(sql).get(nonce);
    const intent = row && { film: String(row.film), model: String(row.model) };
    if (intent) this.#intended.set(nonce, intent);
    return intent;
  }

  #mayBeAskedAgain(id: string, before: Submission, now: Submission): boolean {
    // A text that did not fit is asked for again; a person may give one up, or have it sent again unseen.
    if (this.#provider.hasLost(id)) return true;
    if (before.ending === 'unfit' || before.ending === 'forgotten') return true;
    if (before.ending === 'absent' && this.#wasAskedFor(before.nonce)) return true;
    if (!this.#unshared.has(`${now.film} ${now.key}`)) return false;
    // Each instance wants an answer of its own, and one that is left over is any of theirs.
    if (before.ending === 'absent') return this.#isClaimed(id);
    return (
      before.ending === 'made' ||
      this.#all("WHERE fingerprint = ? AND state <> 'closed'", now.fingerprint).length <= this.#unshared.size
    );
  }

  /** Of equal requests that each want an answer of their own, any may have been given any of the answers. */
  #isClaimed(id: string): boolean {
    return this.#all('WHERE generation_id = ?', id).length > 0;
  }

  #wasAskedFor(nonce: string): boolean {
    const row = this.#disk.database
      .prepare(
        "SELECT body FROM event WHERE type = 'submit_absent' AND body ->> '$.nonce' = ? ORDER BY id DESC LIMIT 1",
      )
      .get(nonce);
    return row !== undefined && JSON.parse(String(row.body)).asked === true;
  }

  /** A runner has ended, one way or another. */
  looks(): void {
    this.#groupsWereKept();
    const ids = new Map<string, Submission>();
    const rows = new Map<string, Submission>();
    for (const one of this.#all()) {
      rows.set(one.nonce, one);
      if (one.generation === null) continue;
      const other = ids.get(one.generation);
      if (other)
        this.breaks(
          'an id belongs to one submission',
          `${one.generation} is ${other.key}'s (${other.nonce}) and ${one.key}'s (${one.nonce})`,
        );
      ids.set(one.generation, one);
    }
    for (const made of this.#provider.generations) {
      if (this.#provider.gaveNothing(made) || this.#provider.hasLost(made.id)) continue;
      const row = rows.get(made.nonce);
      if (!row) {
        this.breaks('what was taken is not written off', `${made.id} was taken, and no journal knows of it`);
        continue;
      }
      const writtenOff =
        // Of a service that is asked too often it is looked for before it is sent again, and is then the next intent's.
        (row.ending === 'refused' && row.busy === null) ||
        row.ending === 'failed' ||
        (row.ending === 'absent' && !this.#wasAskedFor(row.nonce));
      if (writtenOff && !(ids.has(made.id) && this.isUnshared(made.nonce)))
        this.breaks(
          'what was taken is not written off',
          `${made.id} of ${row.film} ${row.key} is closed as ${row.ending}`,
        );
    }
  }

  /** What a run says it has. */
  checks(film: string, plan: Plan, { results }: Outcome, lockProblem: string | undefined): void {
    for (const [key, { result }] of results) {
      if (result.is !== 'media') continue;
      if (!this.#disk.store.has(result.sha256))
        this.breaks(
          'a success is what was asked for, and on the disk',
          `${film} ${key}: the store has no ${result.sha256}`,
        );
      const { step } = plan.instances.get(key) ?? {};
      if (step?.kind !== 'generate' || Object.keys(result.request).length === 0) continue;
      if (this.#provider.contentOf(step.model, result.request) !== result.sha256)
        this.breaks(
          'a success is what was asked for, and on the disk',
          `${film} ${key} holds what another request gave`,
        );
    }
    // It was told, and the next run writes it.
    if (lockProblem !== undefined) return;
    const locked = lockedIn(this.#disk.locks.get(film));
    for (const [key, { fingerprint, result }] of results) {
      // What is gathered from others is kept as those.
      if (!isStored(result)) continue;
      const entry = locked[key];
      const same = entry?.fingerprint === fingerprint && (result.is !== 'media' || entry.sha256 === result.sha256);
      if (!same)
        this.breaks('the lock knows every success', `${film} ${key} is ${entry ? 'another' : 'not'} in the lock`);
    }
  }

  isUnshared(nonce: string): boolean {
    const of = this.#submission(nonce);
    return of !== undefined && this.#unshared.has(`${of.film} ${of.key}`);
  }

  /** Why this failure need not have been, once the faults have stopped; undefined where it had to be. */
  mustFail(
    fingerprint: string,
    { failure, at }: TimedFailure,
    onUnknown: 'fail' | 'resubmit',
    isAtOnce: boolean,
  ): string | undefined {
    const own = this.#all('WHERE fingerprint = ?', fingerprint);
    const nonces = new Set(own.map(({ nonce }) => nonce));
    const made = this.#provider.generations.filter(one => nonces.has(one.nonce));
    switch (failure.code) {
      case 'submit_unknown': {
        if (own.length === 0) return 'nothing was ever sent for it';
        if (own.filter(({ ending }) => ending === 'absent').length >= ATTEMPTS) return undefined;
        if (onUnknown === 'resubmit') return 'it was to be sent again';
        if (this.#provider.isStudio && !isAtOnce) return 'our own studio tells all that was sent';
        // Where rates count what is sent, nothing is sent again under its key.
        return this.#provider.isIdempotent && Object.keys(this.rates).length === 0
          ? 'the service makes one of all that come under one key'
          : undefined;
      }
      case 'download_failed':
        // The address of what a call made cannot be asked for again.
        if (isAtOnce && this.#provider.manners.has('results-expire')) return undefined;
        return made.some(({ spoilt }) => spoilt && at < spoilt.until + SOON) ? undefined : 'its result can be fetched';
      case 'generation_lost':
        return made.some(({ forgottenUntil = 0 }) => at < forgottenUntil + SOON) ? undefined : 'the service knows it';
      case 'generation_failed':
      case 'generation_cancelled':
        return made.some(one => this.#provider.gaveNothing(one)) ? undefined : 'the service never failed it';
      default:
        return 'nothing is known that would make it fail';
    }
  }

  #submission(nonce: string): Submission | undefined {
    return this.#all('WHERE nonce = ?', nonce)[0];
  }

  #all(where = '', ...given: string[]): Submission[] {
    const sql = `SELECT nonce, film, body ->> '$.key' AS key, fingerprint, state, ending, generation_id AS generation,
      body ->> '$.busy' AS busy FROM submission ${where}`;
    return this.#disk.database.prepare(sql).all(...given) as unknown as Submission[];
  }
}

/** What the lock says of each instance, as far as any way through the film must say the same: whose generation it was may differ. */
export function lockedIn(text: string | undefined): { readonly [key: string]: JsonObject } {
  const services = text === undefined ? {} : (parse(text).services ?? {});
  const section: { readonly [key: string]: JsonObject } = services.house ?? {};
  return Object.fromEntries(Object.entries(section).map(([key, { generation: _, ...entry }]) => [key, entry]));
}
