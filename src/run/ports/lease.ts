/**
 * "One runner of this film." A port: `local/film-lease.ts` holds a lock of the operating system; a database that many machines share is
 * to be another form. Locks can be lost without their holder knowing (a lock file that is deleted, a machine that sleeps), so each
 * holder has a token as well, and the journal refuses what an earlier holder still wants to write.
 */
export interface Lease {
  readonly film: string;
  /** One more than that of the holder before. */
  readonly token: number;
  release(): void;
}
