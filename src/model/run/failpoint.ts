/**
 * The named moments of a run at which a crash would cost most. `npm run crash` kills the runner at each of them; in other runs they
 * have no effect.
 *
 *   intent-durable ─▶ post-sent ─▶ post-answered ─▶ id-kept ─▶ id-durable ─▶ generated ─▶ downloading ─▶ download-placed
 *                                                               succeeded-kept ─▶ output-placing ─▶ lock-writing
 */
export const FAILPOINTS = [
  /** The intent is on the disk, and nothing was sent. */
  'intent-durable',
  /** The request's last byte was handed to the system, and no answer has arrived. */
  'post-sent',
  /** The answer has arrived, and its id is recorded nowhere yet. */
  'post-answered',
  /** The id is in the journal's waiting group. */
  'id-kept',
  'id-durable',
  /** The service's final status is in the journal. */
  'generated',
  /** A result is about to be fetched. */
  'downloading',
  /** The result has its name in the store, and no event records it yet. */
  'download-placed',
  /** The success is in the journal's waiting group. */
  'succeeded-kept',
  /** A copy for the author is about to be put in its place. */
  'output-placing',
  'lock-writing',
  /** A group is written, and its transaction is open. */
  'journal-committing',
] as const;

export type Failpoint = (typeof FAILPOINTS)[number];
