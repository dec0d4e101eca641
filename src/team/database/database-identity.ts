/**
 * Recognises which database a team uses, and whether it lost rows that it had confirmed: a promoted standby did, and so did a restored backup.
 * Each process remembers the newest rows that it wrote, and the database remembers the server they were written on. If either does not
 * match, the database counts as restored (`count_as_restored`), before anything is read from or written to it.
 */

import { codeOf } from '../../machine/error-code.ts';
import { Refusal } from '../../model/run/decision-page.ts';

/** The team's database cannot be used as it is: a person has to change something. */
export class TeamRefused extends Refusal {}

/** This server cannot be used. Another one may answer at the same address later: a run waits for that. */
export class TeamUnfit extends TeamRefused {}

/** Its tables are missing, or older than this version reads: `shotlist team init` makes them, and a worker waits for that. */
export class TeamOutdated extends TeamRefused {}

/** What a process or the team's store remembers of a database, to recognise that it lost rows. */
export interface DatabaseMark {
  /** Names the team's tables, wherever they are restored to. */
  readonly team: string;
  /** One more each time that the database counts as restored. */
  readonly generation: number;
  /** The newest rows that are known to be durable, a row of the table `batch`; null: none are known. */
  readonly batch: string | null;
  /** When those rows were written, Unix milliseconds. */
  readonly at: number;
}

type Query = <Row>(sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

interface Kept {
  readonly batch: string;
  readonly at: number;
}

/** Milliseconds between two older rows that are remembered, and how many are. */
const KEPT_APART = 10_000;
const MAX_KEPT = 360;

export class DatabaseIdentity {
  #known: Pick<DatabaseMark, 'team' | 'generation'> | undefined;
  /** Oldest first. */
  #kept: Kept[] = [];

  /** 0: not known yet. */
  get generation(): number {
    return this.#known?.generation ?? 0;
  }

  /** Undefined: no connection was made yet, or the tables are older than this. */
  mark(): DatabaseMark | undefined {
    const newest = this.#kept.at(-1);
    return this.#known && { ...this.#known, batch: newest?.batch ?? null, at: newest?.at ?? 0 };
  }

  addDurable(batch: string, at: number): void {
    const [before, newest] = [this.#kept.at(-2), this.#kept.at(-1)];
    if (before && newest && newest.at - before.at < KEPT_APART) this.#kept.pop();
    this.#kept.push({ batch, at });
    if (this.#kept.length > MAX_KEPT) this.#kept.shift();
  }

  /**
   * Checks the server of a connection, and counts the database as restored if it lost rows. Returns from when on rows may be missing (Unix
   * milliseconds); undefined: it does not count as restored.
   * @param mark to compare with; absent: the mark of this process.
   * @throws TeamUnfit
   */
  async check(query: Query, mark = this.mark()): Promise<number | undefined> {
    const [server] = await query<Server>(SERVER);
    const unfit = server && unfitText(server);
    if (unfit !== undefined) throw new TeamUnfit(unfit);
    if (!server?.can_tell) return undefined;
    const remembered = (team: string) => (mark?.team === team ? mark : { generation: 0, batch: null, at: 0 });
    const found = await knownDatabase(query, mark?.batch ?? null);
    const { generation, batch, at } = remembered(found.team);
    if (found.generation < generation) throw new TeamUnfit(olderText(generation, found.generation));
    const isLost = found.generation === generation && !found.has_batch;
    if (!found.is_moved && !isLost) {
      this.#become(found);
      return undefined;
    }
    const seen = [...this.#kept, ...(batch === null ? [] : [{ batch, at }])];
    const since = await recogniseRestored(query, generation, batch, seen);
    this.#become(since === undefined ? found : await knownDatabase(query, null));
    return since;
  }

  #become({ team, generation }: Pick<DatabaseMark, 'team' | 'generation'>): void {
    if (this.#known?.team === team && this.#known.generation === generation) return;
    this.#known = { team, generation };
    // Rows that an earlier generation had kept may be missing in this one.
    this.#kept = [];
  }
}

interface Server {
  readonly is_standby: boolean;
  readonly fsync: string;
  readonly synchronous_commit: string;
  readonly can_tell: boolean;
}

const SERVER = `SELECT pg_is_in_recovery() AS is_standby, current_setting('fsync') AS fsync,
  current_setting('synchronous_commit') AS synchronous_commit, to_regprocedure('known_database(uuid)') IS NOT NULL AS can_tell`;

/** Refuses servers that may lose a commit without a trace. What a standby lacks is recognised, so `synchronous_commit` may be `local`. */
function unfitText({ is_standby: isStandby, fsync, synchronous_commit: commit }: Server): string | undefined {
  if (isStandby) return 'this server of the team is a standby, which only reads: use the address of the primary';
  if (fsync === 'off') return lossy('fsync');
  return commit === 'off' ? lossy('synchronous_commit') : undefined;
}

const lossy = (setting: string): string =>
  `the team's database has ${setting} off: confirmed rows can be lost, and their requests paid for again; switch it on`;

const olderText = (remembered: number, found: number): string =>
  `this server has an older copy of the team's database (generation ${found}; the newest known is ${remembered}): another server has taken over. ` +
  'Use the address of that server, or run `shotlist team restored` to go on with this copy';

interface Found extends Pick<DatabaseMark, 'team' | 'generation'> {
  readonly is_moved: boolean;
  readonly has_batch: boolean;
}

async function knownDatabase(query: Query, batch: string | null): Promise<Found> {
  const [found] = await query<Found>('SELECT * FROM known_database($1)', [batch]);
  if (!found) throw new Error('known_database returned no row');
  return found;
}

async function recogniseRestored(
  query: Query,
  generation: number,
  batch: string | null,
  seen: readonly Kept[],
): Promise<number | undefined> {
  try {
    const [row] = await query<{ since: number | null }>('SELECT recognise_restored($1, $2, $3) AS since', [
      ...[generation, batch, JSON.stringify(seen)],
    ]);
    return row?.since ?? undefined;
  } catch (error) {
    // A person's login may not do this: the next worker does.
    if (codeOf(error) === INSUFFICIENT_PRIVILEGE) return undefined;
    throw error;
  }
}

const INSUFFICIENT_PRIVILEGE = '42501';

export const IDENTITY_MIGRATION = `
-- The database of the team as it is known to be. \`server\`: its system identifier and its timeline; null: they cannot be read. \`generation\`:
-- one more each time that it counts as restored, so that of two copies the older one is known.
CREATE TABLE database_identity (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one), team uuid NOT NULL DEFAULT gen_random_uuid(), server text,
  generation integer NOT NULL DEFAULT 1
);

-- The timeline of pg_control_checkpoint() is that of the last checkpoint, which may come minutes after a standby was promoted.
CREATE FUNCTION current_server() RETURNS text LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  RETURN (SELECT system_identifier FROM pg_control_system()) || '/' || ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer;
EXCEPTION WHEN insufficient_privilege OR undefined_function OR feature_not_supported THEN RETURN NULL;
END $$;

-- \`is_moved\`: this is another server, or another timeline, than the rows were written on. \`has_batch\`: it has the rows that a process
-- remembers as durable.
CREATE FUNCTION known_database(p_batch uuid, OUT team uuid, OUT generation integer, OUT is_moved boolean, OUT has_batch boolean)
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE v_server text := current_server(); v_known database_identity;
BEGIN
  SELECT * INTO v_known FROM database_identity;
  IF NOT FOUND THEN
    INSERT INTO database_identity (server) VALUES (v_server) ON CONFLICT DO NOTHING;
    SELECT * INTO v_known FROM database_identity;
  END IF;
  team := v_known.team;
  generation := v_known.generation;
  is_moved := coalesce(v_known.server <> v_server, false);
  has_batch := p_batch IS NULL OR EXISTS (SELECT 1 FROM batch WHERE id = p_batch);
END $$;
DO $$ BEGIN
  EXECUTE format('ALTER FUNCTION current_server() SET search_path = %I, pg_temp', current_schema());
  EXECUTE format('ALTER FUNCTION known_database(uuid) SET search_path = %I, pg_temp', current_schema());
END $$;

-- The database is as it was some time ago. A lead of before writes nothing more; what is asked for from now on is looked for at its service
-- before it is sent. \`p_since\`: from when on rows may be missing; null: from the newest on. \`p_margin\`: milliseconds by which the time is
-- widened. \`p_holds\`: a person lets each run go on; false: workers take the runs up. \`p_generation\`: the new one is above this.
CREATE FUNCTION count_as_restored(p_since bigint, p_margin integer, p_holds boolean, p_generation integer,
  OUT films integer, OUT held text[], OUT newest bigint) LANGUAGE plpgsql AS $$
DECLARE v_restored bigint;
BEGIN
  -- What a lead is writing at this moment is waited for.
  UPDATE film SET led_by = NULL;
  INSERT INTO restored (since, at, event)
    SELECT coalesce(least(greatest((SELECT max(e.at) FROM event e), (SELECT max(greatest(s.at, s.answered_at)) FROM submission s)), p_since)
        - p_margin, 0),
      -- This server's clock may be behind that of the one before. A process that has written an event since has looked for nothing before
      -- it sent: \`event\` is the newest all the same.
      greatest(now_ms(), (SELECT max(e.at) FROM event e)), (SELECT coalesce(max(e.id), 0) FROM event e)
    RETURNING id, nullif(since, 0) INTO v_restored, newest;
  -- Above the epoch of any lead in the lost time.
  UPDATE film SET epoch = greatest(epoch, least_epoch()) + 1, restored = v_restored;
  GET DIAGNOSTICS films = ROW_COUNT;
  IF p_holds THEN
    WITH stopped AS (UPDATE run SET status = 'failed', leader = NULL, lead_job = NULL, changed_at = now(), outcome = jsonb_build_object(
        'is', 'unwritable', 'usd', 0, 'untold', true,
        'reason', 'the database was restored from a backup: what was sent since then is not known here')
      WHERE status IN ('queued', 'led', 'waiting') RETURNING id)
      SELECT coalesce(array_agg(id), '{}') INTO held FROM stopped;
  ELSE
    held := '{}';
    UPDATE run SET status = 'queued', leader = NULL, lead_job = NULL, changed_at = now() - interval '1 minute' WHERE status IN ('queued', 'led');
  END IF;
  UPDATE hand SET state = 'taken', work = NULL, is_wanted = false WHERE state IN ('queued', 'doing');
  DELETE FROM want;
  UPDATE database_identity SET server = current_server(), generation = greatest(generation, p_generation) + 1;
END $$;

-- Counts the database as restored where it has moved, or has not the rows that a process remembers of this generation. Null: it does not
-- count as restored, or another connection was quicker. Else Unix milliseconds from when on rows may be missing; 0: no row is there.
-- \`p_seen\`: earlier rows that the process remembers.
CREATE FUNCTION recognise_restored(p_generation integer, p_batch uuid, p_seen jsonb) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE v_known database_identity; v_is_moved boolean; v_since bigint;
BEGIN
  SELECT * INTO v_known FROM database_identity FOR UPDATE;
  v_is_moved := coalesce(v_known.server <> current_server(), false);
  IF NOT v_is_moved THEN
    IF p_batch IS NULL OR v_known.generation <> p_generation OR EXISTS (SELECT 1 FROM batch WHERE id = p_batch) THEN RETURN NULL; END IF;
    SELECT max((seen ->> 'at')::bigint) INTO v_since FROM jsonb_array_elements(p_seen) AS seen JOIN batch ON batch.id = (seen ->> 'batch')::uuid;
  END IF;
  -- Rows have the time of their decision, and are kept up to five seconds later.
  RETURN coalesce((SELECT newest FROM count_as_restored(v_since, 5000, false, p_generation)), 0);
END $$;
`;
