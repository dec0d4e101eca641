/** Texts that say nearly the same: what all of them say, and what each says beside that. */

export interface FoldedWords {
  /** With `…` where they differ; empty where they have too little in common. */
  readonly common: string;
  /** Of each text what is not in `common`; empty where that is nothing. */
  readonly own: readonly string[];
}

/** Words in a row that all texts share: fewer are chance. */
const MIN_RUN = 3;
/** Words of one text beyond which nothing is folded: the search grows with their square. */
const MAX_WORDS = 600;

type Piece = { readonly run: Words } | { readonly differing: readonly Words[] };
type Words = readonly string[];

export function foldWords(texts: readonly string[]): FoldedWords {
  const [first = ''] = texts;
  if (texts.every(text => text === first)) return { common: first, own: texts.map(() => '') };
  const split = texts.map(text => text.split(/\s+/).filter(word => word !== ''));
  const pieces = split.every(({ length }) => length <= MAX_WORDS) ? piecesOf(split) : [];
  if (!pieces.some(piece => 'run' in piece)) return { common: '', own: texts };
  return {
    common: pieces.map(piece => ('run' in piece ? piece.run.join(' ') : '…')).join(' '),
    own: texts.map((_, at) =>
      pieces
        .flatMap(piece => ('run' in piece ? [] : [piece.differing[at]?.join(' ').replace(/[,;]$/, '') ?? '']))
        .filter(words => words !== '')
        .join(' … '),
    ),
  };
}

/** Around the longest run that all share, on both sides of it. */
function piecesOf(texts: readonly Words[]): readonly Piece[] {
  if (texts.every(words => words.length === 0)) return [];
  const run = longestRun(texts);
  if (run.length < MIN_RUN) return [{ differing: texts }];
  const places = texts.map(words => placeOf(run, words));
  const before = texts.map((words, at) => words.slice(0, places[at]));
  const after = texts.map((words, at) => words.slice((places[at] ?? 0) + run.length));
  return [...piecesOf(before), { run }, ...piecesOf(after)];
}

function longestRun([first = [], ...others]: readonly Words[]): Words {
  let longest: Words = [];
  for (let at = 0; at + longest.length < first.length; at++)
    for (;;) {
      const longer = first.slice(at, at + longest.length + 1);
      if (longer.length <= longest.length || others.some(words => placeOf(longer, words) < 0)) break;
      longest = longer;
    }
  return longest;
}

/** Below zero: nowhere. */
const placeOf = (run: Words, words: Words): number =>
  words.findIndex((_, at) => run.every((word, nth) => words[at + nth] === word));
