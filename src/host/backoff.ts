/** How long to wait before something is tried again. */

interface Backoff {
  /** Milliseconds before the first repeat; 250 unless told. */
  readonly first?: number;
  /** Milliseconds that doubling leads to at most; 10,000 unless told. */
  readonly longest?: number;
  /** Milliseconds that the other side asked for; they are waited for even where they are more than `longest`. */
  readonly retryAfter?: number | undefined;
}

/**
 * Milliseconds to wait before repeat number `attempt` (0 is the first): doubled with each, and never less than was asked for. A service
 * that says "at once" again and again is still not asked fifty times a second.
 */
export const backoff = (attempt: number, { first = 250, longest = 10_000, retryAfter = 0 }: Backoff = {}): number =>
  Math.max(retryAfter, Math.min(longest, first * 2 ** attempt));
