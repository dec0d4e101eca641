/** The view of whole runs, in SQLite, with the table `run_plan`: plans are packed, because instances of one step read much alike. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { profilesOf, realFilm } from '../../model/profile.ts';
import type { RecordedEvent } from '../../model/run/event.ts';
import { joined, type KeptPart } from '../../model/run/kept-plan.ts';
import type { InstanceKey, RunId } from '../../model/run/key.ts';
import { moneyOf } from '../../model/run/run-money.ts';
import { isObject, recordIn } from '../../model/text/json.ts';
import type { PastRun, PastRunsView } from '../views/journal-views.ts';
import type { Submission } from '../views/ledger.ts';
import { type Rows, readableIn, withAsked } from './journal-row.ts';

/** Of zlib, 1 to 9: higher levels take longer and save little. */
const LEVEL = 3;
/** Bytes: no part of ours is larger, and a damaged one may say that it is. */
const LARGEST = 512 * 1024 ** 2;

export function pastRuns({ sql, path }: Pick<Rows, 'sql' | 'path'>): PastRunsView {
  return {
    of(film, profile) {
      const { from, to } = profilesOf(film);
      const rows = sql(
        `SELECT run, film, body, EXISTS (SELECT 1 FROM run_plan p JOIN lease l ON l.film = s.film WHERE p.run = s.run AND p.token <> l.token) AS superseded FROM event s
         WHERE type = 'run_started' AND (film = ?1 OR film BETWEEN ?2 AND ?3) ORDER BY id DESC`,
      ).all(...(profile === 'all' ? [realFilm(film), from, to] : [film, '', '']));
      const seen = new Set<string>();
      return rows.flatMap(row => {
        const started = readableIn<PastRun['started']>(row, path, 'run_started');
        const isNewest = !seen.has(String(row.film));
        seen.add(String(row.film));
        if (!started) return [];
        const run = String(row.run) as RunId;
        const isSuperseded = row.superseded === 1;
        const end = endOf(run, { sql, path });
        const last = end.finished?.at ?? lastOf(run, sql);
        return { run, film: String(row.film), started, isNewest, isSuperseded, ...end, last };
      });
    },
    films: () =>
      sql("SELECT DISTINCT film FROM event INDEXED BY run_of_film WHERE type = 'run_started' ORDER BY film")
        .all()
        .map(({ film }) => String(film)),
    openOf: film =>
      sql("SELECT body FROM submission WHERE film = ? AND state <> 'closed' ORDER BY rowid")
        .all(film)
        .flatMap(row => readableIn<Submission>(row, path) ?? []),
    keysOf: run =>
      sql('SELECT key FROM event WHERE run = ? AND key IS NOT NULL GROUP BY key ORDER BY min(id)')
        .all(run)
        .map(({ key }) => String(key) as InstanceKey),
    askedBefore(run, film) {
      // Looked for once: ten thousand ask.
      const first = Number(sql('SELECT min(id) AS id FROM event WHERE run = ?').get(run)?.id ?? 0);
      return key => {
        const row = sql(
          `SELECT body, asked FROM event WHERE film = ? AND key = ? AND type = 'succeeded' AND asked IS NOT NULL
           AND id < ? ORDER BY id DESC LIMIT 1`,
        ).get(film, key, first);
        const event = row && readableIn<RecordedEvent & { readonly type: 'succeeded' }>(row, path, 'succeeded');
        return event && row && withAsked(event, row).asked;
      };
    },
    // An unreadable part is left out: it means no money.
    planOf(run) {
      const rows = sql('SELECT body FROM run_plan WHERE run = ? ORDER BY id').all(run);
      const parts = rows.flatMap(({ body }) => partIn(body) ?? []);
      return rows.length > 0 && parts.length === 0 ? joined([{}], false) : joined(parts, parts.length === rows.length);
    },
    serviceOf(run) {
      const row = sql("SELECT body ->> '$.service' AS service FROM event WHERE run = ? AND type = 'run_started'").get(
        run,
      );
      return row && String(row.service);
    },
  };
}

function endOf(run: RunId, { sql, path }: Pick<Rows, 'sql' | 'path'>): Pick<PastRun, 'finished' | 'isDetached'> {
  const rows = sql(
    "SELECT type, body FROM event WHERE run = ? AND key IS NULL AND type IN ('run_finished', 'run_detached') ORDER BY id",
  ).all(run);
  const last = rows.findLast(({ type }) => type === 'run_finished');
  const finished = last && readableIn<RecordedEvent & { readonly type: 'run_finished' }>(last, path, 'run_finished');
  return {
    finished: finished && { at: finished.at, outcome: finished.outcome, ...moneyOf(finished) },
    isDetached: rows.some(({ type }) => type === 'run_detached'),
  };
}

const lastOf = (run: RunId, sql: Rows['sql']): number =>
  Number(sql('SELECT at FROM event WHERE id = (SELECT max(id) FROM event WHERE run = ?)').get(run)?.at ?? 0);

/** Returns the bytes written. Within a transaction of the journal. @param token of the lease that the run holds. */
export function addPlan({ sql }: Pick<Rows, 'sql'>, run: RunId, part: KeptPart, token: number | undefined): number {
  const body = deflateRawSync(JSON.stringify(part), { level: LEVEL });
  sql('INSERT INTO run_plan (run, token, body) VALUES (?, ?, ?)').run(run, token ?? null, body);
  return body.length;
}

function partIn(body: unknown): KeptPart | undefined {
  if (!(body instanceof Uint8Array)) return undefined;
  try {
    const json = recordIn(inflateRawSync(body, { maxOutputLength: LARGEST }).toString('utf8'));
    return isObject(json) && isPart(json as KeptPart) ? (json as KeptPart) : undefined;
  } catch {
    return undefined;
  }
}

/** A bit that a failing disk has turned is found where it is unpacked; this is for a part that another version wrote otherwise. */
const isPart = ({ steps = [], outputs = [], instances = [] }: KeptPart): boolean =>
  [steps, outputs, instances].every(Array.isArray) &&
  instances.every(({ key, step, why }) => [key, step, why].every(text => typeof text === 'string'));
