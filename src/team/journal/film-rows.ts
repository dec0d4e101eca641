/** The rows of a film: all that a journal of it is opened with, and those that a reader asks for by themselves. */
import { DatabaseRefused } from '../../machine/files/database-error.ts';
import type { Choice, Rejections } from '../../model/run/choice.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import { choiceRowIn } from '../../records/journal/choice-rows.ts';
import { REJECTED_NOTE } from '../../records/journal/choices.ts';
import type { FilmTeam } from '../../records/journal/film-journal.ts';
import type { Submission } from '../../records/views/ledger.ts';
import { rejections } from '../../run/rejections.ts';
import type { Queries, TeamDatabase } from '../database/team-database.ts';
import type { Brought, Replica, Row } from './replica.ts';
import { submissionIn } from './team-rows.ts';

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

/** Rejections of candidates of a film. */
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

/** @param withPlans who leads asks for that of no earlier run. */
export async function rowsOfFilm(rows: Ask, withPlans: boolean): Promise<Brought> {
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
export async function rowsOfRun(rows: Ask, film: string, run: string): Promise<Brought> {
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
export function legible(row: Row): readonly { readonly film: string; readonly submission: Submission }[] {
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
    this.#replica.bring({ event: this.unknown(event) });
    return event.length > 0;
  };

  readonly pullLocked: FilmTeam['pullLocked'] = async locked => {
    if (locked.length === 0) return;
    const submission = await this.#team.query<Row>(
      `SELECT ${SUBMISSION} FROM submission WHERE film <> $3 AND (generation_id = ANY($1) OR generation_id IS NULL AND fingerprint = ANY($2))`,
      [locked.flatMap(({ generation }) => generation ?? []), locked.map(({ fingerprint }) => fingerprint), this.#film],
    );
    this.#replica.bring({ submission });
  };

  /** Another film may have closed what an earlier run of this film left idle: a rare case, and the only one that asks a second question. */
  async pullClosed(fingerprint: string, open: readonly Submission[], { query }: Queries): Promise<void> {
    const idle = open.filter(one => one.idle && one.fingerprint === fingerprint).map(({ nonce }) => nonce);
    if (idle.length === 0) return;
    const submission = await query<Row>(
      `SELECT ${SUBMISSION} FROM submission WHERE nonce = ANY($1) AND film <> $2 AND state = 'closed'`,
      [idle, this.#film],
    );
    this.#replica.bring({ submission });
  }

  /** Without events that were brought before. */
  unknown(events: readonly Row[]): readonly Row[] {
    const known = this.#replica.database.prepare('SELECT 1 FROM event WHERE run = ? AND seq = ?');
    return events.filter(({ run, seq }) => known.get(run ?? null, seq ?? null) === undefined);
  }
}
