/** Names in the order in which a person counts them: `part_2` before `part_10`, the same on every machine. */
export const naturally = (a: string, b: string): number => COLLATOR.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);

/** Which language a machine speaks must not change the order of a list. */
const COLLATOR = new Intl.Collator('en', { numeric: true });
