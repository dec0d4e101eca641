/** Runs as the team's tables have them: handed in, led, waiting, ended. */
import { randomBytes } from 'node:crypto';
import type { Budget } from '../../model/budget.ts';
import type { RunOutcome } from '../../model/run/event.ts';
import type { RunId } from '../../model/run/key.ts';
import type { RunMoney } from '../../model/run/run-money.ts';
import type { JsonObject } from '../../model/text/json.ts';
import type { Queries, TeamDatabase } from '../database/team-database.ts';
import type { TeamQueue } from '../queue/team-queue.ts';

export type RunStatus = 'queued' | 'led' | 'waiting' | 'done' | 'failed' | 'cancelled';

/** Where a file of the project lies, relative to its root → its content in the team's store. */
export type Manifest = {
  readonly [path: string]: {
    readonly sha256: string;
    readonly bytes: number;
    /** It may be run, as git keeps it: nothing else is kept of its rights. */
    readonly executable?: true;
  };
};

/** What a film is handed in with. */
export interface HandedIn {
  /** Separates this project from others of the team. */
  readonly project: string;
  /** Of the pipeline file, relative to the project's root. */
  readonly path: string;
  readonly profile: string | null;
  /** As the journal calls the film on a machine. */
  readonly film: string;
  /** The service by the name that the workers' settings know. */
  readonly service: string;
  readonly source: string;
  readonly params: JsonObject;
  readonly options: RunChoices;
  readonly manifest: Manifest;
  /** US dollars that it may come to; null: unknown. */
  readonly price: number | null;
  readonly priority: number;
  readonly shotlist: string;
}

/** Options of the command line that hold on every worker. */
interface RunChoices {
  readonly data?: { readonly [name: string]: string };
  readonly selection?: JsonObject;
  readonly maxUsd?: number;
  readonly onUnknown?: 'fail' | 'resubmit' | 'done';
  readonly failFast?: true;
  /** What was picked in another profile, as `Promotion` of the domain has it. */
  readonly promotion?: JsonObject;
  /** Generations at the service already, by instance: given when it was resumed, and kept until they are attached, or refused. */
  readonly attach?: Attached;
  /** Options of the last resume, which hold until the next. */
  readonly resumed?: Pick<RunChoices, 'onUnknown'>;
  /** Of the project's settings, where it was handed in: what all of its films may come to together. */
  readonly budget?: Budget;
}

export interface Attached {
  readonly [key: string]: {
    readonly generation: string;
    /** `different`: also where its request is unknown. */
    readonly accept: 'same' | 'different';
  };
}

export interface RunEnd extends RunMoney {
  readonly is: RunOutcome;
  readonly reason?: string;
  /** No event of a run has the reason: its last turn did not come so far. */
  readonly untold?: true;
}

export interface RunRow extends HandedIn {
  readonly id: string;
  /** As the team's tables call the film. */
  readonly filmId: string;
  readonly status: RunStatus;
  readonly stop: 'detach' | 'cancel' | null;
  readonly outcome: RunEnd | null;
  readonly failures: number;
  /** Leads in a row that vanished early, without an end. */
  readonly cutOff: number;
  /** Why the worker that was offered it last could not lead it; null once one does. */
  readonly refused: string | null;
  readonly leader: string | null;
  /** The job of the queue by which it is led. */
  readonly leadJob: string | null;
  readonly askedBy: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly changedAt: number;
}

/** A film of the team: one project may have the same path as another. */
export const filmIdOf = ({ project, film }: Pick<HandedIn, 'project' | 'film'>): string => `${project}:${film}`;

/** The outcome of a submit: a new run, or the run that makes the same already. */
type HandedInAs = { readonly is: 'handed_in'; readonly run: string } | { readonly is: 'same'; readonly run: RunRow };

/**
 * Records a run, and queues its turn: both, or neither. Equal submits at the same time make one run, which all of them get: the film's row is
 * locked from here to the end of the transaction. Another selection, budget or parameter makes another run, which starts after the first.
 * @param lock path of the film's lock within the project.
 */
export async function submitRun(
  team: TeamDatabase,
  queue: TeamQueue,
  given: HandedIn,
  lock: string,
): Promise<HandedInAs> {
  const id = idFor(given.film);
  const film = filmIdOf(given);
  return team.transaction(async within => {
    const { query } = within;
    await query(
      'INSERT INTO film (id, project, path, profile) VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO UPDATE SET path = excluded.path',
      [film, given.project, given.path, given.profile],
    );
    const same = await sameRun(within, given, lock);
    if (same) return { is: 'same', run: same };
    await query(
      `INSERT INTO run (id, film, service, source, params, options, manifest, price, priority, shotlist)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        ...[id, film, given.service, given.source],
        ...[given.params, given.options, given.manifest].map(json => JSON.stringify(json)),
        ...[given.price, given.priority, given.shotlist],
      ],
    );
    await queue.lead(id, { priority: given.priority, within });
    await query("SELECT pg_notify('shotlist', $1)", [`run:${id}`]);
    return { is: 'handed_in', run: id };
  });
}

/**
 * The run that makes the same at the moment, or is about to: the same text, params, options and files. Not compared: the lock, which runs
 * write, and the options that a `team resume` added.
 */
export async function sameRun({ query }: Queries, given: HandedIn, lock: string): Promise<RunRow | undefined> {
  const { service, source, params, options, manifest } = given;
  const [row] = await query<Stored>(
    `${RUNS} WHERE run.film = $1 AND run.status IN ('queued', 'led', 'waiting') AND run.stop IS NULL AND run.service = $2 AND run.source = $3
       AND run.params = $4 AND run.options - ARRAY['attach', 'resumed'] = $5 AND run.manifest - $7::text = $6::jsonb - $7::text
     ORDER BY run.created_at LIMIT 1`,
    [...[filmIdOf(given), service, source], ...[params, options, manifest].map(json => JSON.stringify(json)), lock],
  );
  return row && rowOf(row);
}

export async function runRow({ query }: Queries, id: string): Promise<RunRow | undefined> {
  const [row] = await query<Stored>(`${RUNS} WHERE run.id = $1`, [id]);
  return row && rowOf(row);
}

/** How the journal calls each turn of this run that has left a trace, oldest first. */
export async function turnsOf({ query }: Queries, id: string): Promise<readonly RunId[]> {
  const rows = await query<{ run: RunId }>(
    "SELECT run FROM event WHERE submitted = $1 AND type = 'run_started' ORDER BY id",
    [id],
  );
  return rows.map(({ run }) => run);
}

/** Differs whenever something was kept of this run, or decided of its film. */
export async function signOfRun({ query }: Queries, { id, filmId }: Pick<RunRow, 'id' | 'filmId'>): Promise<string> {
  const [row] = await query<{ sign: string }>(
    `SELECT concat_ws(' ', status, stop, leader, (SELECT max(event.id) FROM event WHERE film = $2),
       (SELECT max(choice.id) FROM choice WHERE film = $2), (SELECT md5(string_agg(value, '' ORDER BY name)) FROM note WHERE film = $2)) AS sign
     FROM run WHERE id = $1`,
    [id, filmId],
  );
  return row?.sign ?? '';
}

/** A run without what is large in it: its text, and the list of its files. */
export type ListedRun = Omit<RunRow, 'source' | 'manifest'>;

/** Newest first. `open`: what is not at its end. `film`: runs of that one alone. */
export async function runRows(
  { query }: Queries,
  { most, open = false, film = null }: { most: number; open?: boolean; film?: string | null },
): Promise<readonly ListedRun[]> {
  const rows = await query<Stored>(
    `${LISTED} WHERE ($2::text IS NULL OR run.film = $2) ${open ? "AND run.status IN ('queued', 'led', 'waiting')" : ''}
     ORDER BY run.created_at DESC LIMIT $1`,
    [most, film],
  );
  return rows.map(listedOf);
}

/** An order about a run, for its lead. Undefined: it is at its end already, or there is none. */
export async function stopRun(
  team: TeamDatabase,
  queue: TeamQueue,
  id: string,
  stop: 'detach' | 'cancel',
): Promise<RunStatus | undefined> {
  return team.transaction(async within => {
    const [row] = await within.query<{ status: RunStatus }>(
      `UPDATE run SET stop = $2, changed_at = now() WHERE id = $1 AND status IN ('queued', 'led', 'waiting', 'failed') RETURNING status`,
      [id, stop],
    );
    if (!row) return undefined;
    // A worker has to carry it out, also without a lead.
    if (row.status !== 'led') {
      await within.query("UPDATE run SET status = 'queued' WHERE id = $1", [id]);
      await queue.lead(id, { within });
    }
    await within.query("SELECT pg_notify('shotlist', $1)", [`run:${id}`]);
    return row.status;
  });
}

/** A run goes on: one that waits, that failed, or that was stopped. Undefined: there is none, or it needs nothing. */
export async function goOn(
  team: TeamDatabase,
  queue: TeamQueue,
  id: string,
  changes: Pick<RunChoices, 'onUnknown' | 'attach'> = {},
): Promise<RunStatus | undefined> {
  const { attach, ...resumed } = changes;
  const isChanged = Object.keys(resumed).length > 0;
  return team.transaction(async within => {
    const [row] = await within.query<{ status: RunStatus }>(
      `UPDATE run SET status = 'queued', stop = NULL, failures = 0, changed_at = now(), options = (options - 'resumed') || $2::jsonb ||
         CASE WHEN $3::jsonb IS NULL THEN '{}' ELSE jsonb_build_object('attach', coalesce(options -> 'attach', '{}') || $3::jsonb) END
       FROM (SELECT id, status FROM run WHERE id = $1 FOR UPDATE) before
       WHERE run.id = before.id AND before.status IN ('waiting', 'failed', 'cancelled') RETURNING before.status`,
      [id, JSON.stringify(isChanged ? { resumed } : {}), attach ? JSON.stringify(attach) : null],
    );
    if (!row) return undefined;
    await queue.lead(id, { within });
    await within.query("SELECT pg_notify('shotlist', $1)", [`run:${id}`]);
    return row.status;
  });
}

/** The attached generation is refused: from now on it counts as never given. */
export async function dropAttached(
  { query }: Queries,
  id: string,
  key: string,
  refused: Attached[string],
): Promise<void> {
  // A newer order may have come meanwhile.
  await query(
    "UPDATE run SET options = options #- ARRAY['attach', $2::text] WHERE id = $1 AND options -> 'attach' -> $2::text = $3::jsonb",
    [id, key, JSON.stringify(refused)],
  );
}

/** A choice about this film was made: its waiters go on. Returns the runs that waited. */
export async function wake(team: TeamDatabase, queue: TeamQueue, film: string): Promise<readonly string[]> {
  return team.transaction(async within => {
    // Its lead may be about to write that it waits: that is written before a waiter is woken.
    await within.query('SELECT 1 FROM film WHERE id = $1 FOR SHARE', [film]);
    const woken = await within.query<{ id: string }>(
      "UPDATE run SET status = 'queued', changed_at = now() WHERE film = $1 AND status = 'waiting' RETURNING id",
      [film],
    );
    for (const { id } of woken) await queue.lead(id, { within });
    await within.query("SELECT pg_notify('shotlist', $1)", [`choice:${film}`]);
    return woken.map(({ id }) => id);
  });
}

/** Requeues each run without a turn, for whatever reason. Returns those runs. */
export async function requeueOrphanedRuns(team: TeamDatabase, queue: TeamQueue): Promise<readonly string[]> {
  const { query } = team;
  const unwoken = await requeueUnwokenRuns(team, queue);
  const rows = await query<{ id: string; priority: number; status: RunStatus; lead_job: string | null }>(
    `SELECT id, priority, status, lead_job FROM run WHERE status IN ('queued', 'led') AND changed_at < now() - interval '1 minute'
       AND NOT EXISTS (SELECT 1 FROM film JOIN run AS other ON other.id = film.led_by
         WHERE film.id = run.film AND other.id <> run.id AND other.status IN ('queued', 'led')) ORDER BY created_at`,
  );
  const live = await queue.live(rows.flatMap(({ lead_job: job }) => job ?? []));
  const awaited = await queue.awaited(rows.map(({ id }) => id));
  const orphaned = rows.filter(({ id, lead_job: job }) => !awaited.has(id) && !(job !== null && live.has(job)));
  for (const { id, priority } of orphaned) await queue.lead(id, { priority });
  return [...unwoken, ...orphaned.map(({ id }) => id)];
}

/**
 * Re-sends wake-ups that were lost between the commit of a choice and its NOTIFY. A choice that a lead had seen before it began to wait is no
 * reason to wake it, so that each choice does so once.
 */
async function requeueUnwokenRuns(team: TeamDatabase, queue: TeamQueue): Promise<readonly string[]> {
  return team.transaction(async within => {
    const woken = await within.query<{ id: string; priority: number }>(
      `UPDATE run SET status = 'queued', changed_at = now() WHERE status = 'waiting' AND EXISTS (SELECT 1 FROM choice
         WHERE choice.film = run.film AND choice.id > run.seen_choice AND choice.at < now() - interval '1 minute') RETURNING id, priority`,
    );
    for (const { id, priority } of woken) {
      await queue.lead(id, { priority, within });
      await within.query("SELECT pg_notify('shotlist', $1)", [`run:${id}`]);
    }
    return woken.map(({ id }) => id);
  });
}

/** `fox-7k3m9q`: short enough to be typed, and unique. */
function idFor(film: string): string {
  const name =
    film
      .split('~')
      .at(-1)
      ?.replace(/\/@/, '-')
      .replace(/[^\w-]+/g, '-') ?? 'film';
  const random = [...randomBytes(6)].map(byte => ALPHABET[byte % ALPHABET.length]).join('');
  return `${name}-${random}`;
}

/** Without what looks like another. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';

interface Stored {
  readonly [column: string]: unknown;
}

const LISTED_COLUMNS = `run.id, run.film, service, params, options, price, priority, status, stop, outcome, failures, cut_off, refused, leader, lead_job,
  asked_by, shotlist, film.project, film.path, film.profile,
  (extract(epoch FROM run.created_at) * 1000)::bigint AS created_ms, (extract(epoch FROM run.changed_at) * 1000)::bigint AS changed_ms`;
const FROM = 'FROM run JOIN film ON film.id = run.film';
const LISTED = `SELECT ${LISTED_COLUMNS} ${FROM}`;
const RUNS = `SELECT ${LISTED_COLUMNS}, source, manifest ${FROM}`;

const rowOf = (row: Stored): RunRow => ({
  ...listedOf(row),
  source: String(row.source),
  manifest: row.manifest as Manifest,
});

function listedOf(row: Stored): ListedRun {
  const filmId = String(row.film);
  const project = String(row.project);
  return {
    ...{ id: String(row.id), filmId, project, path: String(row.path), profile: row.profile as string | null },
    ...{ film: filmId.slice(project.length + 1), service: String(row.service) },
    ...{ params: row.params as JsonObject, options: row.options as RunChoices },
    ...{ price: row.price as number | null, priority: Number(row.priority), shotlist: String(row.shotlist) },
    ...{ status: row.status as RunStatus, stop: row.stop as RunRow['stop'], outcome: row.outcome as RunRow['outcome'] },
    ...{
      failures: Number(row.failures),
      cutOff: Number(row.cut_off),
      refused: row.refused as string | null,
      leader: row.leader as string | null,
      leadJob: row.lead_job as string | null,
      askedBy: String(row.asked_by),
    },
    ...{ createdAt: Number(row.created_ms), changedAt: Number(row.changed_ms) },
  };
}
