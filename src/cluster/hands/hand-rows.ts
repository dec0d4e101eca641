/** Heavy work as the team's tables have it: given out by a lead, taken by a worker, done, and taken up by the lead. */

import { isObject, recordIn } from '../../domain/json.ts';
import type { InstanceKey } from '../../domain/key.ts';
import { DatabaseRefused } from '../../host/database-error.ts';
import type { CommandOutcome, CutOutcome } from '../../run/ports/hands.ts';
import type { Queries, TeamDatabase } from '../database/team-database.ts';
import type { TeamQueue } from '../queue/team-queue.ts';
import { digestOfWork, type HandWork } from './hand-work.ts';

/** A lead of a run: what it gives out is its own until somebody else leads. */
export interface HandLead {
  readonly run: string;
  readonly film: string;
  readonly epoch: number;
}

export interface HandToGive {
  readonly id: string;
  readonly work: HandWork;
  /** Seconds of the longest path that begins with it. */
  readonly priority: number;
}

/** How it ended, as it stands in its row. */
export type HandResult =
  | CommandOutcome
  | CutOutcome
  /** It acts outside, its worker began it, and was never heard of again. */
  | { readonly is: 'lost' }
  /** So many workers took it, and none came to its end. */
  | { readonly is: 'given up' };

export interface HandRow {
  readonly id: string;
  readonly state: 'queued' | 'doing' | 'done';
  readonly worker: string | null;
  readonly turns: number;
  /** Of a cut: how much of it is rendered, 0 to 1. */
  readonly progress: number | null;
  /** Why it does not go on at the moment. */
  readonly trouble: string | null;
  readonly result: HandResult | undefined;
}

/**
 * Rows and jobs in one transaction, as long as this lead still leads. What was kept already, and not said to be, is kept once.
 * False: somebody else leads.
 */
export function giveOut(
  team: TeamDatabase,
  queue: TeamQueue,
  { run, film, epoch }: HandLead,
  given: readonly HandToGive[],
): Promise<boolean> {
  return team.transaction(async within => {
    const rows = given.map(({ id, work }) => ({
      ...{ id, key: work.work.key, kind: work.is, digest: digestOfWork(work), work: JSON.stringify(work) },
      acts: work.is === 'command' && work.work.effect,
    }));
    const kept = await within.query<{ id: string; leads: boolean }>(
      `WITH lead AS (SELECT still_leads($1, $3) AS leads),
       kept AS (INSERT INTO hand (id, run, film, epoch, key, kind, digest, work, acts)
         SELECT h.id, $2, $1, $3, h.key, h.kind, h.digest, h.work, h.acts
         FROM unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::boolean[])
           WITH ORDINALITY AS h (id, key, kind, digest, work, acts, n), lead
         WHERE lead.leads ORDER BY n ON CONFLICT (id) DO NOTHING RETURNING id)
       SELECT kept.id, lead.leads FROM lead LEFT JOIN kept ON true`,
      [
        ...[film, run, epoch],
        ...(['id', 'key', 'kind', 'digest', 'work', 'acts'] as const).map(column => rows.map(row => row[column])),
      ],
    );
    if (!kept[0]?.leads) return false;
    const isNew = new Set(kept.map(({ id }) => id));
    await queue.hands(
      given.filter(({ id }) => isNew.has(id)),
      within,
    );
    return true;
  });
}

/** What goes on and what has ended of a run's work, without what is known already. */
export async function handRows(
  { query }: Queries,
  { run, epoch }: Pick<HandLead, 'run' | 'epoch'>,
  known: readonly string[],
): Promise<readonly HandRow[]> {
  const rows = await query<Stored>(
    `SELECT id, state, worker, turns, progress, trouble, result FROM hand
     WHERE run = $1 AND state IN ('doing', 'done') AND epoch = $2 AND id <> ALL($3)`,
    [run, epoch, known],
  );
  return rows.map(rowOf);
}

/** What earlier leads of this run gave out, and nobody has taken up: digest of the work → names, oldest first. */
export async function leftByEarlierLeads(
  { query }: Queries,
  { run, epoch }: Pick<HandLead, 'run' | 'epoch'>,
): Promise<Map<string, string[]>> {
  const rows = await query<{ id: string; digest: string }>(
    "SELECT id, digest FROM hand WHERE run = $1 AND state <> 'taken' AND is_wanted AND epoch < $2 ORDER BY at, id",
    [run, epoch],
  );
  const left = new Map<string, string[]>();
  for (const { id, digest } of rows) left.set(digest, [...(left.get(digest) ?? []), id]);
  return left;
}

/** The work of an earlier lead is this one's now. False: it is stopped, or somebody else has it. */
export async function takeOverHand({ query }: Queries, { epoch }: Pick<HandLead, 'epoch'>, id: string) {
  const rows = await query(
    `UPDATE hand SET epoch = $2 WHERE id = $1 AND epoch < $2 AND is_wanted AND state <> 'taken'
     AND coalesce(result, '') <> '{"is":"stopped"}' RETURNING id`,
    [id, epoch],
  );
  return rows.length > 0;
}

/**
 * Of these, what is open though nobody has said for so long that he is at it, nor given it out: whoever asks gives it out once more.
 * @param ms milliseconds.
 */
export async function silentHands({ query }: Queries, ids: readonly string[], ms: number): Promise<readonly string[]> {
  const rows = await query<{ id: string }>(
    `UPDATE hand SET seen = clock_timestamp() WHERE id = ANY($1) AND state IN ('queued', 'doing') AND NOT has_acted
     AND coalesce(seen, at) < clock_timestamp() - $2 * interval '1 millisecond' RETURNING id`,
    [ids, ms],
  );
  return rows.map(({ id }) => id);
}

/** Its results are known elsewhere by now. */
export async function handsTaken({ query }: Queries, ids: readonly string[]): Promise<void> {
  await query("UPDATE hand SET state = 'taken', work = NULL WHERE id = ANY($1)", [ids]);
}

/**
 * Nobody needs these any more: what nobody has begun is done with, and whoever is at the others hears of it. What acts outside is brought
 * to its end. @param ids absent: all of the run that is this lead's, or an earlier one's.
 */
export async function unwanted(
  { query }: Queries,
  { run, epoch }: Pick<HandLead, 'run' | 'epoch'>,
  ids?: readonly string[],
): Promise<void> {
  await query(
    `WITH gone AS (UPDATE hand SET is_wanted = false,
       result = CASE WHEN worker IS NULL THEN '{"is":"stopped"}' ELSE result END,
       work = CASE WHEN worker IS NULL THEN NULL ELSE work END,
       state = CASE WHEN worker IS NULL THEN 'done' ELSE state END
       WHERE run = $1 AND epoch <= $2 AND state IN ('queued', 'doing') AND NOT acts AND ($3::text[] IS NULL OR id = ANY($3))
       RETURNING id)
     SELECT pg_notify('shotlist', 'hand:' || id) FROM gone`,
    [run, epoch, ids ?? null],
  );
}

export type TakenHand =
  | { readonly is: 'taken'; readonly run: string; readonly key: InstanceKey; readonly work: HandWork }
  /** Another worker began it, it acts outside, and it may be at it still. */
  | { readonly is: 'held' }
  /** There is nothing to do any more. */
  | { readonly is: 'over' };

/** Workers that take one piece of work and come to no end, before it is given up: each may have died of it. */
export const MOST_TURNS = 10;

export async function takeHand({ query }: Queries, id: string, worker: string): Promise<TakenHand> {
  const [row] = await query<{ taken: { is: 'taken' | 'held'; run: string; key: InstanceKey; work: string } | null }>(
    'SELECT take_hand($1, $2, $3) AS taken',
    [id, worker, MOST_TURNS],
  );
  const taken = row?.taken;
  if (!taken) return { is: 'over' };
  return taken.is === 'held' ? { is: 'held' } : { ...taken, is: 'taken', work: rowIn<HandWork>(taken.work) };
}

/** A cut begins when its worker has room for it. */
export async function handBegins({ query }: Queries, id: string): Promise<void> {
  await query(
    `WITH one AS (UPDATE hand SET state = 'doing', seen = clock_timestamp() WHERE id = $1 AND state = 'queued' RETURNING run)
     SELECT pg_notify('shotlist', 'hands:' || run) FROM one`,
    [id],
  );
}

/** What acts outside begins, once. False: somebody has begun it before, or it is over. */
export async function actBegins({ query }: Queries, id: string, worker: string): Promise<boolean> {
  const rows = await query(
    `UPDATE hand SET has_acted = true, seen = clock_timestamp()
     WHERE id = $1 AND state IN ('queued', 'doing') AND NOT has_acted AND worker = $2 RETURNING id`,
    [id, worker],
  );
  return rows.length > 0;
}

export async function handGoesOn(
  { query }: Queries,
  id: string,
  { progress = null, trouble }: { readonly progress?: number | null; readonly trouble?: string | undefined },
): Promise<void> {
  await query(
    `WITH one AS (UPDATE hand SET progress = coalesce($2, progress), trouble = $3
       WHERE id = $1 AND state IN ('queued', 'doing') RETURNING run)
     SELECT pg_notify('shotlist', 'hands:' || run) FROM one`,
    [id, progress, trouble ?? null],
  );
}

/** Says that a worker is at these. Gives those that nobody wants any more. */
export async function handsAreDone({ query }: Queries, ids: readonly string[]): Promise<readonly string[]> {
  const rows = await query<{ id: string; wanted: boolean }>(
    `UPDATE hand SET seen = clock_timestamp() WHERE id = ANY($1) AND state IN ('queued', 'doing')
     RETURNING id, is_wanted OR has_acted AS wanted`,
    [ids],
  );
  return rows.filter(({ wanted }) => !wanted).map(({ id }) => id);
}

/** It has ended. False: it was known before. @param log digest of what its command wrote. */
export async function settleHand(
  { query }: Queries,
  id: string,
  result: HandResult,
  log: string | undefined,
): Promise<boolean> {
  const [row] = await query<{ settled: boolean }>('SELECT settle_hand($1, $2, $3) AS settled', [
    ...[id, JSON.stringify(result), log ?? null],
  ]);
  return row?.settled === true;
}

export interface HandLog {
  readonly key: InstanceKey;
  readonly worker: string;
  /** Of the text, which is in the team's store. */
  readonly sha256: string;
  /** Unix milliseconds of when it was given out. */
  readonly at: number;
}

/** What the commands of a run wrote, oldest first. @param key of one instance; absent: of all. */
export async function handLogs({ query }: Queries, run: string, key?: InstanceKey): Promise<readonly HandLog[]> {
  const rows = await query<{ key: InstanceKey; worker: string; log: string; at: number }>(
    `SELECT key, worker, log, (extract(epoch FROM at) * 1000)::bigint AS at FROM hand
     WHERE run = $1 AND log IS NOT NULL AND ($2::text IS NULL OR key = $2) ORDER BY hand.at, id`,
    [run, key ?? null],
  );
  return rows.map(({ log, ...row }) => ({ ...row, sha256: log }));
}

/** Who is at work on an instance at this moment, as he said last. */
export async function workerAt({ query }: Queries, run: string, key: InstanceKey): Promise<string | undefined> {
  const [row] = await query<{ worker: string }>(
    "SELECT worker FROM hand WHERE run = $1 AND key = $2 AND state = 'doing' AND worker IS NOT NULL ORDER BY hand.at DESC LIMIT 1",
    [run, key],
  );
  return row?.worker;
}

interface Stored extends Omit<HandRow, 'result'> {
  readonly result: string | null;
}

const rowOf = ({ result, ...row }: Stored): HandRow => ({
  ...row,
  result: result === null ? undefined : rowIn<HandResult>(result),
});

/** @throws DatabaseRefused where the row is damaged. */
function rowIn<T extends { readonly is: string }>(text: string): T {
  const row = recordIn(text);
  if (isObject(row) && typeof row.is === 'string') return row as unknown as T;
  throw new DatabaseRefused(
    "a command or cut in the team's tables cannot be read (its row is damaged); cancel its run",
  );
}
