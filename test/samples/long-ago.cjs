/** Preloaded by the maker of samples and all that it starts: the day is 30 days ago, so that a sample is old already when it is first opened. */
const now = Date.now;
Date.now = () => now() - 30 * 24 * 3_600_000;
