/** What runs were planned to do, as the journal's table `run_plan` keeps it: packed, because instances of one step read much alike. */
import type { StatementSync } from 'node:sqlite';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { isObject, recordIn } from '../../domain/json.ts';
import { joined, type KeptPart, type KeptPlan } from '../../domain/kept-plan.ts';
import type { RunId } from '../../domain/key.ts';

/** Of zlib, 1 to 9: higher levels take longer and save little. */
const LEVEL = 3;
/** Bytes: no part of ours is larger, and a damaged one may say that it is. */
const LARGEST = 512 * 1024 ** 2;

export class PlanRows {
  readonly #sql: (text: string) => StatementSync;

  constructor(sql: (text: string) => StatementSync) {
    this.#sql = sql;
  }

  /** Returns the bytes written. Within a transaction of the journal. @param token of the lease that the run holds. */
  add(run: RunId, part: KeptPart, token: number | undefined): number {
    const body = deflateRawSync(JSON.stringify(part), { level: LEVEL });
    this.#sql('INSERT INTO run_plan (run, token, body) VALUES (?, ?, ?)').run(run, token ?? null, body);
    return body.length;
  }

  /** A part that cannot be read is left out: it stands for no money. */
  of(run: RunId): KeptPlan | undefined {
    const rows = this.#sql('SELECT body FROM run_plan WHERE run = ? ORDER BY id').all(run);
    const parts = rows.flatMap(({ body }) => partIn(body) ?? []);
    return rows.length > 0 && parts.length === 0 ? joined([{}], false) : joined(parts, parts.length === rows.length);
  }
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
