/**
 * The moments of a run at which a death would cost most, by name. `npm run crash` kills the runner at each of them; anybody else's
 * run passes them without noticing.
 *
 *   intent-durable ─▶ post-sent ─▶ post-answered ─▶ id-kept ─▶ id-durable ─▶ generated ─▶ downloading ─▶ download-placed
 *                                                               succeeded-kept ─▶ output-placing ─▶ lock-writing
 */
export const FAILPOINTS = [
  /** The intent is on the disk, and nothing was sent. */
  'intent-durable',
  /** The request's last byte is with the system, and no answer is here. */
  'post-sent',
  /** The answer is here, and its id nowhere else. */
  'post-answered',
  /** The id is in the journal's waiting group. */
  'id-kept',
  'id-durable',
  /** The service's last word is in the journal. */
  'generated',
  /** A result is about to be fetched. */
  'downloading',
  /** The result has its name in the store, and no event tells of it. */
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
