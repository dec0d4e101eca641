let collator: Intl.Collator | undefined;

/** Names in the order in which a person counts them: `part_2` before `part_10`, the same on every machine, whatever its language. */
export function naturally(a: string, b: string): number {
  // Made with the first pair: it takes 3 ms.
  collator ??= new Intl.Collator('en', { numeric: true });
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}
