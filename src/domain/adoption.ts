/** A file of a person's own that stands in for what an instance would make, until it is given up: whatever its request says meanwhile. */
import type { StoredResult } from './result.ts';

export interface Adoption {
  readonly result: StoredResult;
  readonly sha256: string;
  /** Where it was taken from: relative to the project's root, or its name alone where it was elsewhere. */
  readonly file: string;
  /** A person's name. */
  readonly by: string;
  /** As the lock says it: `2026-11-22T11:58:00Z`. */
  readonly at: string;
  /** Its bytes are on this machine. */
  readonly isHere: boolean;
}

/** It owns its result under this name: by content, and not by any request. */
export const adoptedFingerprint = (sha256: string): string => `adopted-${sha256}`;

/** The digest in such a name; undefined for any other. */
export const adoptedDigest = (fingerprint: string): string | undefined =>
  /^adopted-([\da-f]{64})$/.exec(fingerprint)?.[1];
