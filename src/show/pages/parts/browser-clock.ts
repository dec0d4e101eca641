/** The browser's clock: the one place in which a page reads it. */

/** Unix milliseconds. */
export const now = (): number => Date.now();
