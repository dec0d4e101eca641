/** Texts that say nearly the same: words that went and words that came, and what several of them have in common. */

type Piece = { readonly is: 'same' | 'gone' | 'new'; readonly text: string };

interface FoldedWords {
  /** With `…` where they differ; empty where they have too little in common. */
  readonly common: string;
  /** Of each text what is not in `common`; empty where that is nothing. */
  readonly own: readonly string[];
}

type Words = readonly string[];
/** A run that all texts share, or what each has in its place. */
type Stretch = { readonly run: Words } | { readonly differing: readonly Words[] };

/** Words in a row that several texts share: fewer are chance. */
const MIN_RUN = 3;
/** Words of one text, beside the blanks between them, beyond which no run is looked for: the search grows with their square. */
const MAX_WORDS = 600;

/** In reading order; removed words come before those that replace them. */
export function wordDifference(was: string, now: string): readonly Piece[] {
  const [before, after] = [was, now].map(text => text.split(/(\s+)/).filter(word => word !== ''));
  return stretchesOf([before ?? [], after ?? []], 1)
    .flatMap((stretch): readonly Piece[] =>
      'run' in stretch
        ? [{ is: 'same', text: stretch.run.join('') }]
        : [
            { is: 'gone', text: (stretch.differing[0] ?? []).join('') },
            { is: 'new', text: (stretch.differing[1] ?? []).join('') },
          ],
    )
    .filter(({ text }) => text !== '');
}

export function foldWords(texts: readonly string[]): FoldedWords {
  const [first = ''] = texts;
  if (texts.every(text => text === first)) return { common: first, own: texts.map(() => '') };
  const stretches = stretchesOf(
    texts.map(text => text.split(/\s+/).filter(word => word !== '')),
    MIN_RUN,
  );
  if (!stretches.some(one => 'run' in one)) return { common: '', own: texts };
  return {
    common: stretches.map(one => ('run' in one ? one.run.join(' ') : '…')).join(' '),
    own: texts.map((_, at) =>
      stretches
        .flatMap(one => ('run' in one ? [] : [one.differing[at]?.join(' ').replace(/[,;]$/, '') ?? '']))
        .filter(words => words !== '')
        .join(' … '),
    ),
  };
}

/** Around the longest run that all share, on both sides of it. */
function stretchesOf(texts: readonly Words[], minRun: number): readonly Stretch[] {
  if (texts.every(words => words.length === 0)) return [];
  const run = texts.some(({ length }) => length > 2 * MAX_WORDS) ? [] : longestRun(texts);
  if (run.length < minRun) return [{ differing: texts }];
  const places = texts.map(words => placeOf(run, words));
  const before = texts.map((words, at) => words.slice(0, places[at]));
  const after = texts.map((words, at) => words.slice((places[at] ?? 0) + run.length));
  return [...stretchesOf(before, minRun), { run }, ...stretchesOf(after, minRun)];
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

/** How many words a text has, as its reader would count: a Chinese or Japanese character counts as one. */
export function wordsIn(text: string): number {
  let words = 0;
  let inside = false;
  for (const character of text) {
    const alone = character >= '\u2e80' && /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(character);
    const letter = !alone && /[\p{L}\p{N}'’-]/u.test(character);
    if (alone || (letter && !inside)) words += 1;
    inside = letter;
  }
  return words;
}
