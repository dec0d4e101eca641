/** Rebuilds the tables that a journal keeps of its views from its events, and compares. */
import { deepStrictEqual } from 'node:assert';
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { statementsOf } from '../../src/machine/files/database.ts';
import type { Measure } from '../../src/model/budget.ts';
import type { RecordedEvent } from '../../src/model/run/event.ts';
import type { InstanceKey, RunId } from '../../src/model/run/key.ts';
import { chargeRows } from '../../src/records/journal/charge-rows.ts';
import { withAsked } from '../../src/records/journal/journal-row.ts';
import { viewsIn } from '../../src/records/journal/views-in.ts';
import { chargeOf } from '../../src/records/views/charges.ts';
import { isAt, Ledger, type LogEntry, type Submission } from '../../src/records/views/ledger.ts';
import { type Activation, durationsIn, openActivations } from '../../src/records/views/model-durations.ts';
import {
  MOST_RESULTS,
  type OwnedView,
  type ResultRow,
  unbilledSince,
  withBill,
} from '../../src/records/views/owned.ts';
import { type WorkView, workOf } from '../../src/records/views/work.ts';
import { postgresSafeText } from '../../src/team/database/storable-text.ts';
import type { TeamDatabase } from '../../src/team/database/team-database.ts';

/** @throws where a row of the tables, or an answer of the queries over them, is not what the log gives. */
export function expectTablesOfLog(database: DatabaseSync): void {
  const log = [...logOf(database)];
  deepStrictEqual(tablesIn(database), tablesOf(log.map(asInColumns)));
  const sql = statementsOf(database);
  const runs = new Map(log.flatMap(({ run, event }) => (event.type === 'run_started' ? [[run, event.service]] : [])));
  const fingerprints = some(log.flatMap(({ event }) => ('fingerprint' in event ? [event.fingerprint] : [])));
  for (const film of new Set(log.map(one => one.film))) {
    const own = log.filter(one => one.film === film);
    const now = own.at(-1)?.event.at ?? 0;
    const rows = { sql, film, path: 'the journal' };
    const { owned, work, activations, durations } = viewsIn(rows, chargeRows(rows), () => now);
    const [ownedByLog, workByLog] = [ownedIn(film, log, now), workOf(film, log)];
    const answers = (of: OwnedView, tried: WorkView, fingerprint: string) => ({
      ...{ found: of.find(fingerprint), row: of.rowOf(fingerprint), has: of.has(fingerprint) },
      ...{ attempts: tried.attempts(fingerprint), cutOff: tried.wasCutOff(fingerprint) },
      left: tried.actLeftOpen(fingerprint),
    });
    for (const one of fingerprints)
      deepStrictEqual(answers(owned, work, one), answers(ownedByLog, workByLog, one), one);
    const together = viewsIn(rows, chargeRows(rows), () => now);
    const asked = () => ['a fingerprint of nothing', ...fingerprints];
    const isOwned = (of: OwnedView, one: string) => ({ has: of.has(one), found: of.find(one) });
    together.atOneMoment(() => {
      for (const one of [...asked(), 'one more'])
        deepStrictEqual(isOwned(together.owned, one), isOwned(ownedByLog, one), one);
    }, asked);
    for (const key of some(own.flatMap(({ event }) => ('key' in event ? [event.key] : [])))) {
      deepStrictEqual(owned.resultsOf(key), ownedByLog.resultsOf(key), key);
      deepStrictEqual(owned.lastFailure(key)?.failure, ownedByLog.lastFailure(key)?.failure, key);
    }
    deepStrictEqual([...owned.everFailed()].sort(), [...ownedByLog.everFailed()].sort());
    deepStrictEqual([...owned.unbilled()].sort(), [...ownedByLog.unbilled()].sort());
    deepStrictEqual(durations(), durationsIn(log));
    for (const service of new Set(runs.values())) {
      const here = own.filter(
        (one): one is LogEntry & Activation => isActivation(one) && runs.get(one.run) === service,
      );
      deepStrictEqual([...activations(service).keys()], [...openActivations(here, ({ event }) => event.model).keys()]);
    }
  }
}

/** A column cannot hold half of a pair. */
const asInColumns = (entry: LogEntry): LogEntry =>
  JSON.stringify(entry.event).includes('\\ud')
    ? { ...entry, event: soundEvent(entry.event, text => text.toWellFormed()) }
    : entry;

const isActivation = ({ event }: LogEntry): boolean =>
  event.type === 'activation_intended' || event.type === 'activation_closed';

/** Of ten thousand the first ones: each is asked about in the same way. */
const some = <T>(all: readonly T[]): readonly T[] => [...new Set(all)].slice(0, 100);

/** The same of a journal that no process has open. Without one there is nothing to compare. */
export function expectTablesInFile(path: string): void {
  if (!existsSync(path)) return;
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    expectTablesOfLog(database);
  } finally {
    database.close();
  }
}

/** The same of a team's tables at one moment, and of the sums that triggers keep of its charges. */
export function expectTablesOfTeam(team: Pick<TeamDatabase, 'transaction'>): Promise<void> {
  return team.transaction(async ({ query }) => {
    await query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    const log = await query<{ film: string; run: RunId; body: string }>(`SELECT ${LOG} FROM event ORDER BY id`);
    const submission = await query(`SELECT ${SUBMISSION} FROM submission ORDER BY nonce COLLATE "C"`);
    const charge = await query(`SELECT ${CHARGE.replace('is_open', 'is_open::int')} FROM charge
      WHERE id NOT LIKE 'locked %' ORDER BY id COLLATE "C"`);
    const events = log.map(({ body, ...of }) => ({ ...of, event: soundEvent(JSON.parse(body), postgresSafeText) }));
    deepStrictEqual({ submission, charge }, tablesOf(events));
    const sums = (rows: string) =>
      query(`SELECT film, account, is_open, sum(n)::int AS n, round(sum(usd)::numeric, 6)::float AS usd FROM ${rows}
        GROUP BY 1, 2, 3 HAVING sum(n) > 0 ORDER BY 1, 2, 3`);
    const ofCharges = '(SELECT film, account, is_open, 1 AS n, coalesce(usd, 0) AS usd FROM charge) one';
    deepStrictEqual(await sums('spent'), await sums(ofCharges));
  });
}

const LOG = 'film, run, body';
const SUBMISSION =
  "nonce, fingerprint, account, model, at, replace(state, 'intended', 'unknown') AS state, ending, generation_id";
const CHARGE = 'id, account, is_open, usd, video_seconds, images, generations, tokens';

function* logOf(database: DatabaseSync): Iterable<LogEntry> {
  for (const row of database.prepare(`SELECT ${LOG}, asked FROM event ORDER BY id`).iterate()) {
    const event = withAsked<RecordedEvent>(JSON.parse(String(row.body)), row);
    yield { film: String(row.film), run: String(row.run) as RunId, event };
  }
}

/** @param sound a column of a table cannot hold every text that the JSON of an event can: as it is written there. */
const soundEvent = (event: RecordedEvent, sound: (text: string) => string): RecordedEvent =>
  JSON.parse(JSON.stringify(event), (_, value: unknown) => (typeof value === 'string' ? sound(value) : value));

function tablesIn(database: DatabaseSync): Tables {
  const rows = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map(row => ({ ...row }));
  return {
    submission: rows(`SELECT ${SUBMISSION} FROM submission ORDER BY nonce`) as unknown as Tables['submission'],
    charge: rows(
      `SELECT ${CHARGE} FROM charge WHERE id NOT LIKE 'locked %' ORDER BY id`,
    ) as unknown as Tables['charge'],
  };
}

interface Tables {
  /** By nonce. An `intended` row of an earlier process counts as `unknown`, as it does for the next one. */
  readonly submission: readonly SubmissionRow[];
  /** By id, without the rows of results that only a lock file names: they were paid for elsewhere. */
  readonly charge: readonly ChargeRow[];
}

interface SubmissionRow extends Pick<Submission, 'nonce' | 'fingerprint' | 'model' | 'state' | 'at'> {
  readonly account: string;
  readonly ending: Submission['end'] | null;
  readonly generation_id: string | null;
}

interface ChargeRow extends Readonly<Record<Measure, number | null>> {
  readonly id: string;
  readonly account: string;
  readonly is_open: 0 | 1;
}

/** What the tables must hold. @param log every event of the project, in the order in which it was appended. */
function tablesOf(log: Iterable<LogEntry>): Tables {
  const ledgers = new Map<string, Ledger>();
  const submissions = new Map<string, Submission>();
  const charges = new Map<string, ChargeRow>();
  for (const { film, run, event } of log) {
    const ledger = ledgers.get(film) ?? new Ledger();
    ledgers.set(film, ledger);
    if ('nonce' in event && event.nonce !== undefined && event.type !== 'submit_intended' && !ledger.get(event.nonce))
      handOver(event.nonce, ledgers.values(), ledger);
    const changed = ledger.apply(run, event);
    const before = event.type === 'submission_forgotten' ? submissions.get(event.nonce) : undefined;
    if (changed) {
      const { nonce, account = '' } = changed;
      submissions.set(nonce, { ...changed, at: submissions.get(nonce)?.at ?? changed.at });
      const charge = chargeOf(changed);
      if (charge) {
        const { isOpen, ...amounts } = charge;
        charges.set(nonce, { id: nonce, account, is_open: isOpen ? 1 : 0, ...amounts });
      } else charges.delete(nonce);
    } else if (before) submissions.set(before.nonce, { ...before, end: 'forgotten' });
    else if (event.type === 'billed')
      for (const [nonce, row] of charges) {
        const isHere = event.account === undefined || isAt(row, { account: event.account });
        if (isHere && submissions.get(nonce)?.id === event.generation_id)
          charges.set(nonce, { ...row, usd: event.cost });
      }
  }
  return {
    submission: [...submissions.values()].map(submissionRow).toSorted(by(({ nonce }) => nonce)),
    charge: [...charges.values()].toSorted(by(({ id }) => id)),
  };
}

/** A film has taken over a submission of another one: see `takeOver` of admission. */
function handOver(nonce: string, ledgers: Iterable<Ledger>, to: Ledger): void {
  for (const ledger of ledgers) {
    const open = ledger.get(nonce);
    if (!open) continue;
    ledger.leave(nonce);
    to.adopt({ ...open, idle: false });
  }
}

const submissionRow = ({ nonce, fingerprint, account = '', model, state, end, id, at }: Submission): SubmissionRow => ({
  ...{ nonce, fingerprint, account, model, at },
  state: state === 'intended' ? 'unknown' : state,
  ...{ ending: end ?? null, generation_id: id ?? null },
});

const by =
  <R>(name: (row: R) => string) =>
  (a: R, b: R): number =>
    name(a) < name(b) ? -1 : 1;

/**
 * What a film owns by the log of its project. A journal answers by queries, because a rerun asks ten thousand times.
 * @param now Unix milliseconds
 */
function ownedIn(film: string, log: Iterable<LogEntry>, now: number): OwnedView {
  const made = new Map<string, ResultRow>();
  const used = new Map<string, ResultRow>();
  const ends = new Map<InstanceKey, LogEntry[]>();
  const bills = new Map<string, Extract<RecordedEvent, { readonly type: 'billed' }>>();
  const billed = new Set<string>();
  const finished = new Set<RunId>();
  const results: ResultRow[] = [];
  for (const entry of log) {
    const { event, run } = entry;
    if (event.type === 'run_finished') finished.add(run);
    if (event.type === 'billed') {
      bills.set(event.fingerprint, event);
      billed.add(`${event.fingerprint} ${event.generation_id}`);
    }
    if (isResult(entry)) (event.type === 'succeeded' ? made : used).set(entry.event.fingerprint, entry);
    if (entry.film !== film) continue;
    if (isResult(entry)) results.push(entry);
    if (event.type === 'succeeded' || event.type === 'reused' || event.type === 'failed')
      ends.set(event.key, [...(ends.get(event.key) ?? []), entry]);
  }
  const view: OwnedView = {
    rowOf: fingerprint => made.get(fingerprint) ?? used.get(fingerprint),
    has: fingerprint => view.rowOf(fingerprint) !== undefined,
    find(fingerprint) {
      const row = view.rowOf(fingerprint);
      if (!row) return undefined;
      const { asked: _, ...success } = { asked: undefined, ...row.event };
      return withBill(success, bills.get(fingerprint));
    },
    resultsOf: key => (ends.get(key) ?? []).filter(isResult).reverse().slice(0, MOST_RESULTS),
    lastFailure(key) {
      const last = ends.get(key)?.at(-1)?.event;
      return last?.type === 'failed' ? last : undefined;
    },
    everFailed: () =>
      new Set([...ends].flatMap(([key, all]) => (all.some(({ event }) => event.type === 'failed') ? [key] : []))),
    unbilled: () =>
      new Set(
        results.flatMap(({ run, event: { type, at, fingerprint, result } }) => {
          if (type !== 'succeeded' || result.is !== 'media' || result.generation_id === null) return [];
          const { since, untold } = unbilledSince(now);
          const isAsked = at > since && ((at > untold && result.cost === null) || !finished.has(run));
          return isAsked && !billed.has(`${fingerprint} ${result.generation_id}`) ? [result.generation_id] : [];
        }),
      ),
  };
  return view;
}

const isResult = (entry: LogEntry): entry is ResultRow =>
  entry.event.type === 'succeeded' || entry.event.type === 'reused';
