/** The rows of a film: all that a journal of it is opened with, and those that a reader asks for by themselves. */
import { DatabaseRefused } from '../../machine/files/database-error.ts';
import type { Clock } from '../../machine/time/clock.ts';
import { profilesOf, realFilm } from '../../model/profile.ts';
import type { Choice, Rejections } from '../../model/run/choice.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import type { RowsFor } from '../../records/journal/admission-rows.ts';
import { choiceRowIn } from '../../records/journal/choice-rows.ts';
import { REJECTED_NOTE } from '../../records/journal/choices.ts';
import type { FilmTeam } from '../../records/journal/film-journal.ts';
import type { Submission } from '../../records/views/ledger.ts';
import type { FilmsSubmission } from '../../records/views/sent-requests.ts';
import { rejections } from '../../run/rejections.ts';
import { postgresSafeText } from '../database/storable-text.ts';
import type { Queries, TeamDatabase } from '../database/team-database.ts';
import type { Replica, ReplicaRows, Row } from './replica.ts';
import { type RateAsked, submissionIn, type TeamFacts, type TeamRows } from './team-rows.ts';

export const EVENT = 'film, run, seq, at, type, key, fingerprint, body, asked';
export const SUBMISSION = 'nonce, film, fingerprint, account, model, state, ending, generation_id, at, body';

/** What the film has sent and does not own yet, oldest first. @throws DatabaseRefused where a row cannot be read. */
export async function openSubmissions({ query }: Queries, film: string): Promise<readonly Submission[]> {
  const rows = await query<Row>("SELECT body FROM submission WHERE film = $1 AND state <> 'closed' ORDER BY n", [film]);
  return rows.map(submissionIn);
}

/** The newest choice of each instance that has one. Choices that were withdrawn, or cannot be read, are left out. */
export async function choicesOf(team: TeamDatabase, film: string): Promise<ReadonlyMap<InstanceKey, Choice>> {
  const rows = await team.query<Row>('SELECT id, body FROM choice WHERE film = $1 ORDER BY id', [film]);
  const choices = new Map<InstanceKey, Choice>();
  for (const { body } of readable(rows, team)) {
    const row = choiceRowIn(String(body));
    if (row && 'choice' in row) choices.set(row.choice.key, row.choice);
    else if (row) choices.delete(row.withdrawn);
  }
  return choices;
}

export async function rejectionsOf(team: TeamDatabase, film: string): Promise<Rejections> {
  const [row] = await team.query<Row>('SELECT value FROM note WHERE film = $1 AND name = $2', [film, REJECTED_NOTE]);
  return rejections({ notes: { get: () => (row ? String(row.value) : undefined) } });
}

/** Skips choices that cannot be read, and warns of each once: a login may have written them without Shotlist, before the database checked rows. */
export const readable = (choices: readonly Row[], team: Pick<TeamDatabase, 'warnUnreadable'>): readonly Row[] =>
  choices.filter(
    ({ id, body }) =>
      choiceRowIn(String(body)) !== undefined ||
      team.warnUnreadable(`choice ${id}`, `\`shotlist team drop ${id}\` deletes it`),
  );

type Ask = (sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

interface FilmToRead {
  readonly team: TeamDatabase;
  readonly film: string;
  readonly account: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly epoch?: number | undefined;
  readonly of?: string | undefined;
}

export interface FilmRead {
  readonly others: readonly FilmsSubmission[];
  readonly lastChoice: number;
  readonly now: number;
  readonly login: string | undefined;
}

/** Brings what the film's runs have left into the replica; of other films, what this account waits for. See `TeamJournalOptions`. */
export async function readFilm(options: FilmToRead, replica: Replica): Promise<FilmRead> {
  const { team, film, account, epoch, of, clock } = options;
  const rows = <R = Row>(sql: string, values: readonly unknown[] = [film]) => team.query<R>(sql, values);
  const choices = await rows<Row>('SELECT id, film, key, body FROM choice WHERE film = $1 ORDER BY id');
  replica.apply({
    ...(of === undefined ? await rowsOfFilm(rows, epoch === undefined) : await rowsOfRun(rows, film, of)),
    note: await rows('SELECT film, name, value FROM note WHERE film = $1'),
    choice: readable(choices, team),
  });
  const others = await rows(
    "SELECT film, body FROM submission WHERE account = $1 AND film <> $2 AND state <> 'closed' ORDER BY n",
    [account, film],
  );
  const [asked] = await rows<{ now: number; login: string }>('SELECT now_ms() AS now, session_user AS login', []);
  return {
    others: others.flatMap(legible),
    lastChoice: Number(choices.at(-1)?.id ?? 0),
    now: asked?.now ?? clock.now(),
    login: epoch === undefined ? asked?.login : undefined,
  };
}

interface FactsAsked extends Pick<FilmToRead, 'film' | 'account'> {
  readonly epoch?: number | null | undefined;
  readonly rates?: readonly RateAsked[];
  /** Under the lock of the first; otherwise it only looks. */
  readonly waits: boolean;
  readonly lastChoice: number;
}

/** What they share is read with the first of them, under its lock, before the others. */
export function admissionRows(
  all: readonly RowsFor[],
  { query }: Queries,
  { film, account, epoch = null, rates = [], waits, lastChoice }: FactsAsked,
): Promise<readonly { readonly rows: TeamFacts; readonly was_refused: boolean }[]> {
  const asked = all.map((at, n) => ({
    ...{ film, account, epoch, waits, fingerprint: at.fingerprint },
    model: at.model && n === 0 ? postgresSafeText(at.model) : null,
    ...(at.key !== undefined && { key: postgresSafeText(at.key) }),
    is_listed: at.model !== undefined && at.via === undefined,
    ...{ choices: lastChoice, rates, real: realFilm(film), ...profilesOf(film) },
  }));
  // In this order: the second is read under the lock of the first.
  return query(
    `SELECT admission_rows(asked) AS rows, was_refused($2, asked ->> 'fingerprint') AS was_refused FROM jsonb_array_elements($1) AS asked`,
    [JSON.stringify(asked), account],
  );
}

/** @param withPlans who leads asks for that of no earlier run. */
async function rowsOfFilm(rows: Ask, withPlans: boolean): Promise<ReplicaRows> {
  return {
    event: await rows(`SELECT ${EVENT} FROM event WHERE film = $1 ORDER BY id`),
    submission: await rows(`SELECT ${SUBMISSION} FROM submission WHERE film = $1 ORDER BY n`),
    charge: await rows(
      `SELECT id, film, account, is_open::int AS is_open, usd, video_seconds, images, generations, tokens
       FROM charge WHERE film = $1 ORDER BY seq`,
    ),
    run_plan: withPlans ? await rows('SELECT run, body FROM run_plan WHERE film = $1 ORDER BY id') : [],
  };
}

/** What a report of the run reads: its events and plans, what the film owns, and what is open at the service. */
async function rowsOfRun(rows: Ask, film: string, run: string): Promise<ReplicaRows> {
  const turns = "SELECT run FROM event WHERE submitted = $1 AND type = 'run_started'";
  return {
    event: await rows(
      `SELECT ${EVENT} FROM event WHERE id IN (SELECT id FROM event WHERE submitted = $2
         UNION SELECT id FROM event WHERE film = $1 AND type IN ('succeeded', 'reused', 'billed')) ORDER BY id`,
      [film, run],
    ),
    submission: await rows(`SELECT ${SUBMISSION} FROM submission WHERE film = $1 AND state <> 'closed' ORDER BY n`),
    run_plan: await rows(`SELECT run, body FROM run_plan WHERE run IN (${turns}) ORDER BY id`, [run]),
  };
}

/** The submission in a row of another film; none where the row cannot be read. A film that is to send the same request reads that row again. */
function legible(row: Row): readonly { readonly film: string; readonly submission: Submission }[] {
  try {
    return [{ film: String(row.film), submission: submissionIn(row) }];
  } catch (error) {
    if (error instanceof DatabaseRefused) return [];
    throw error;
  }
}

/** Rows of other films that a film needs: results that it owns as well, and submissions that its lock or its ledger names. */
export class OtherFilms {
  readonly #team: Queries;
  readonly #film: string;
  readonly #replica: Replica;
  /** Requests that were looked up in vain, and those that others were asked about. */
  readonly #missing = new Set<string>();
  readonly #asked = new Set<string>();

  constructor(team: Queries, film: string, replica: Replica) {
    this.#team = team;
    this.#film = film;
    this.#replica = replica;
  }

  /** A request was looked up in vain. */
  missed(fingerprint: string): void {
    if (!this.#asked.has(fingerprint)) this.#missing.add(fingerprint);
  }

  readonly pullMissing: FilmTeam['pullMissing'] = async () => {
    const fingerprints = [...this.#missing];
    this.#missing.clear();
    for (const one of fingerprints) this.#asked.add(one);
    if (fingerprints.length === 0) return false;
    const event = await this.#team.query<Row>(
      `SELECT DISTINCT ON (fingerprint, type) ${EVENT} FROM event
       WHERE fingerprint = ANY($1) AND film <> $2 AND type IN ('succeeded', 'reused', 'billed') ORDER BY fingerprint, type, id DESC`,
      [fingerprints, this.#film],
    );
    this.#replica.apply({ event: this.unknown(event) });
    return event.length > 0;
  };

  readonly pullLocked: FilmTeam['pullLocked'] = async locked => {
    if (locked.length === 0) return;
    const submission = await this.#team.query<Row>(
      `SELECT ${SUBMISSION} FROM submission WHERE film <> $3 AND (generation_id = ANY($1) OR generation_id IS NULL AND fingerprint = ANY($2))`,
      [locked.flatMap(({ generation }) => generation ?? []), locked.map(({ fingerprint }) => fingerprint), this.#film],
    );
    this.#replica.apply({ submission });
  };

  /** Another film may have closed what an earlier run of this film left idle: a rare case, and the only one that asks a second question. */
  async pullClosed(fingerprint: string, open: readonly Submission[], { query }: Queries): Promise<void> {
    const idle = open.filter(one => one.idle && one.fingerprint === fingerprint).map(({ nonce }) => nonce);
    if (idle.length === 0) return;
    const submission = await query<Row>(
      `SELECT ${SUBMISSION} FROM submission WHERE nonce = ANY($1) AND film <> $2 AND state = 'closed'`,
      [idle, this.#film],
    );
    this.#replica.apply({ submission });
  }

  unknown(events: readonly Row[]): readonly Row[] {
    const known = this.#replica.database.prepare('SELECT 1 FROM event WHERE run = ? AND seq = ?');
    return events.filter(({ run, seq }) => known.get(run ?? null, seq ?? null) === undefined);
  }
}

/** What admission reads of the other machines of the team. */
export const filmTeam = (
  rows: TeamRows,
  line: FilmTeam['line'],
  others: OtherFilms,
  {
    ask,
    changed,
  }: {
    readonly ask: (sql: string, values: readonly unknown[]) => Promise<unknown>;
    readonly changed: FilmTeam['changed'];
  },
): FilmTeam => ({
  isRunning: film => rows.isRunning(film),
  lostTime: () => rows.lostTime(),
  lostTimeIsOver: async (account, { since, until }) => {
    await ask(
      `INSERT INTO restored_over (restored, account) SELECT id, 'listed:' || $1 FROM restored WHERE since >= $2 AND at <= $3
       ON CONFLICT DO NOTHING`,
      [account, since, until],
    );
  },
  wasRefused: () => rows.wasRefused,
  allowed: () => rows.allowed(),
  get day() {
    return rows.day;
  },
  line,
  changed,
  pullMissing: others.pullMissing,
  pullLocked: others.pullLocked,
});
