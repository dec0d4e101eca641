/** Words that went and words that came, between two versions of a text. */

export type Piece = { readonly is: 'same' | 'gone' | 'new'; readonly text: string };

/** Words of either text beyond which no common run is looked for: the table of both grows with their product. */
const MOST_WORDS = 1200;

/** In reading order; what went stands before what came in its place. */
export function wordDifference(was: string, now: string): readonly Piece[] {
  const [before, after] = [was, now].map(text => text.split(/(\s+)/).filter(word => word !== '')) as [
    string[],
    string[],
  ];
  if (before.length > MOST_WORDS || after.length > MOST_WORDS)
    return [
      { is: 'gone', text: was },
      { is: 'new', text: now },
    ];
  return merged(alongLongestRun(before, after));
}

function* alongLongestRun(before: readonly string[], after: readonly string[]): Generator<Piece> {
  const lengths = runLengths(before, after);
  const length = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [old, fresh] = [before[i], after[j]];
    if (old !== undefined && old === fresh) {
      yield { is: 'same', text: old };
      i += 1;
      j += 1;
    } else if (old !== undefined && (fresh === undefined || length(i + 1, j) >= length(i, j + 1))) {
      yield { is: 'gone', text: old };
      i += 1;
    } else {
      yield { is: 'new', text: fresh ?? '' };
      j += 1;
    }
  }
}

/** Of the longest common run of what follows each pair of places. */
function runLengths(before: readonly string[], after: readonly string[]): readonly Uint16Array[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      lengths[i]![j] =
        before[i] === after[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  return lengths;
}

/** Words of one kind beside each other are one piece. */
function merged(pieces: Iterable<Piece>): readonly Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (last?.is === piece.is) all[all.length - 1] = { is: piece.is, text: last.text + piece.text };
    else all.push(piece);
  }
  return all;
}
