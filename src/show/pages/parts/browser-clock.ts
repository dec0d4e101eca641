/** The browser's clock: the one place in which a page reads it. */

/** Unix milliseconds. */
export const now = (): number => Date.now();

/** Milliseconds since the page came up, whatever is done to the date meanwhile. */
export const elapsed = (): number => performance.now();
