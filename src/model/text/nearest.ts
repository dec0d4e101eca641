/**
 * The candidate an author most likely meant: optimal string alignment distance (a swap of neighbours counts as one slip),
 * letter case counting next to nothing. Undefined when nothing is near enough to be worth saying.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = fold(word);
  // One letter is near to every other letter.
  const limit = wanted.length < 2 ? 0 : Math.min(3, Math.max(1, Math.floor(wanted.length / 3)));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    const other = fold(candidate);
    if (Math.abs(other.length - wanted.length) > bestDistance) continue;
    const distance = slips(wanted, other);
    if (distance > limit || distance > bestDistance) continue;
    // When two are equally near, the one that goes on where the author stopped wins: `of` means `off`, not `on`.
    if (distance === bestDistance && !(other.startsWith(wanted) && !fold(best ?? '').startsWith(wanted))) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

/** The other step, never the own: a step reads no result of itself. */
export const nearestOther = (word: string, own: string, candidates: Iterable<string>): string | undefined =>
  nearest(
    word,
    [...candidates].filter(name => name !== own),
  );

/** Long words are cut: a slip in a word of two hundred letters is unlikely, and the table grows with the square. */
const fold = (word: string): string => word.slice(0, 80).toLowerCase().replaceAll('-', '_');

function slips(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, beforeLast[j - 2]! + 1);
      row.push(least);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}

let collator: Intl.Collator | undefined;

/** Names in the order in which a person counts them: `part_2` before `part_10`, the same on every machine, whatever its language. */
export function naturally(a: string, b: string): number {
  // Made with the first pair: it takes 3 ms.
  collator ??= new Intl.Collator('en', { numeric: true });
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}
