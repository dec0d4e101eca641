/** The view of what was made: the newest result of each request and of each instance. */
import type { RecordedEvent } from '../../domain/event.ts';
import type { GenerationId, InstanceKey, RunId } from '../../domain/key.ts';

/** A result with what its event does not say: in which film and run it was recorded. */
export interface ResultRow {
  readonly film: string;
  readonly run: RunId;
  readonly event: RecordedEvent & { readonly type: 'succeeded' | 'reused' };
}

export interface OwnedView {
  /**
   * The newest success with this fingerprint in any film of the project, with its real cost where the service has told it; what no run
   * of this journal has made, and one has used, counts too: it came from a lock file, or was fetched again. Without `asked`.
   */
  find(fingerprint: string): ResultRow['event'] | undefined;
  /** Whether `find` has an answer, without reading it. */
  has(fingerprint: string): boolean;
  /** The film of the project whose run made the newest success with this fingerprint, or used it first. */
  filmOf(fingerprint: string): string | undefined;
  /** What `find` finds, as it was recorded. */
  rowOf(fingerprint: string): ResultRow | undefined;
  /** The newest success of this instance in any run of this film. */
  newest(key: InstanceKey): ResultRow | undefined;
  /** The last results of this instance of this film, newest first. */
  resultsOf(key: InstanceKey): readonly ResultRow[];
  /** How the last try of this instance failed, where nothing came of it since. */
  lastFailure(key: InstanceKey): (RecordedEvent & { readonly type: 'failed' }) | undefined;
  /**
   * Generations of this film that are made, and have no `billed` event: their run was cut off before it asked for the cost (made within the
   * last day), or the service did not list the cost yet (within the last hour).
   */
  unbilled(): ReadonlySet<GenerationId>;
}
