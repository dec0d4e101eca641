/**
 * Milliseconds that a test, a hook or a poll may take: the one bound of the suite. It only ends what hangs, so it is far beyond what a busy
 * machine needs; no test has a bound of its own.
 */
export const PATIENCE = 10 * 60_000;

/** Milliseconds for what a test itself waits for: a little less, so that the failure names it. */
export const POLL_PATIENCE = PATIENCE - 10_000;
