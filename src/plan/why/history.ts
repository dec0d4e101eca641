/** What the journal and the lock say of an instance's past: all that `why` knows beside the plan. */
import type { Asked } from '../../domain/asked.ts';
import type { InstanceKey } from '../../domain/key.ts';

export interface History {
  /** The lock's entry for this instance. */
  locked(key: InstanceKey): Locked | undefined;
  /** Instances that the lock has this fingerprint for. */
  lockedAs(fingerprint: string): readonly InstanceKey[];
  /** Who made the newest result with this fingerprint, in any film of the project. */
  owner(fingerprint: string): Made | undefined;
  /** What this instance of this film gave on this service, newest first. */
  madeBy(key: InstanceKey): readonly Made[];
  /** Another service that this instance was made on, where this one has never made it. */
  otherService(key: InstanceKey): string | undefined;
  /** The last time this instance failed, where it has given nothing since. */
  failed(key: InstanceKey): { readonly at: number; readonly message: string } | undefined;
  /** Takes secrets out, as they were taken out of what is kept. */
  hide(asked: Asked): Asked;
}

/** One result, as the journal tells it. */
export interface Made {
  readonly fingerprint: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly run: string;
  readonly key: InstanceKey;
  /** The other film of the project that it was made for. */
  readonly film?: string | undefined;
  /** `used`: a run found it in a lock, or fetched it again. */
  readonly how: 'made' | 'used';
  /** US dollars; null where no price is known. */
  readonly cost: number | null;
  /** Short digests of the media in it; a text is compared as it is. */
  readonly contents: readonly string[];
  /** Undefined in journals from before it was kept. */
  readonly asked?: Asked | undefined;
}

/** One result, as the lock tells it: it knows no time, and no run. */
export interface Locked {
  readonly fingerprint: string;
  readonly generation: string | null;
  readonly cost: number | null;
  readonly contents: readonly string[];
  /** Long texts cut; undefined in locks from before it was kept. */
  readonly asked?: Asked | undefined;
}
