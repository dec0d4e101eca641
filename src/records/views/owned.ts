/** The view of what was made: the newest result of each request and of each instance. */
import type { RecordedEvent } from '../../model/run/event.ts';
import type { GenerationId, InstanceKey } from '../../model/run/key.ts';
import type { LogEntry } from './ledger.ts';

/** A result with what its event does not say: in which film and run it was recorded. */
export interface ResultRow extends LogEntry {
  readonly event: RecordedEvent & { readonly type: 'succeeded' | 'reused' };
}

export interface OwnedView {
  /**
   * The newest success with this fingerprint in any film of the project, with its real cost where the service has reported it; what no run of this
   * journal has made, and one has used, counts too: it came from a lock file, or was fetched again. Without `asked`.
   */
  find(fingerprint: string): ResultRow['event'] | undefined;
  /** Whether `find` has an answer, without reading it. */
  has(fingerprint: string): boolean;
  /** What `find` finds, as it was recorded. */
  rowOf(fingerprint: string): ResultRow | undefined;
  /** The last results of this instance of this film, `MOST_RESULTS` at most, newest first. */
  resultsOf(key: InstanceKey): readonly ResultRow[];
  /** How the last try of this instance failed, where nothing came of it since. */
  lastFailure(key: InstanceKey): (RecordedEvent & { readonly type: 'failed' }) | undefined;
  /** Instances of this film that have failed once or more: the others have no last failure. */
  everFailed(): ReadonlySet<InstanceKey>;
  /**
   * Generations of this film that are made, and have no `billed` event: their run was cut off before it asked for the cost (made within the
   * last day), or the service did not list the cost yet (within the last hour).
   */
  unbilled(): ReadonlySet<GenerationId>;
}

export const MOST_RESULTS = 50;
/** Milliseconds. */
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type Bill = RecordedEvent & { readonly type: 'billed' };

/** Unix milliseconds: generations that were made before are asked for no more; `untold`: where only their cost was not listed. */
export const unbilledSince = (now: number) => ({ since: now - DAY, untold: now - HOUR });

/** A success with the cost that the service reported. */
export function withBill(success: ResultRow['event'], bill: Bill | undefined): ResultRow['event'] {
  const { result } = success;
  if (!bill || result.is !== 'media' || bill.generation_id !== result.generation_id) return success;
  return { ...success, result: { ...result, cost: bill.cost } };
}
