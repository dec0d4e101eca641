/**
 * Nouns without a drawing of their own, and the glyph for each: a kangaroo, a trumpet, a cactus. Things, animals, food
 * and plants only; "love" and "time" have no shape. The names are those of Unicode's CLDR, English and Chinese.
 */
import type { Place } from '../../shared/vocabulary.ts';
import tints from './data/glyph-tints.json' with { type: 'json' };
import table from './data/glyphs.json' with { type: 'json' };

export interface Glyph {
  /** As the table calls it: `kangaroo`. */
  readonly noun: string;
  readonly emoji: string;
  /** The text names several of them. */
  readonly many: boolean;
  readonly home: GlyphHome;
  /** The colour it has by nature: `red`. */
  readonly tint?: string;
}

/** Where it is when the words name no place: on a table, in the air, under water, or in a place. */
export type GlyphHome = keyof typeof table;

const HOME_PLACES: { readonly [home in GlyphHome]: Place } = {
  table: 'interior',
  room: 'interior',
  sky: 'mountain',
  water: 'underwater',
  sea: 'ocean',
  space: 'space',
  city: 'city',
  coast: 'coast',
  desert: 'desert',
  field: 'field',
  forest: 'forest',
  road: 'road',
  snowfield: 'snowfield',
};
export const homeOfGlyph = ({ home }: Glyph): Place => HOME_PLACES[home];

/** What follows makes another thing of it: "lemon yellow", "guitar shop", "apple trees". */
const ANOTHER_THING =
  '(?:yellow|green|brown|red|blue|pink|white|black|sky|light|glow|tones?|tower|blossoms?|clouds?|trees?|gardens?|fields?|orchards?|shop|store|stand|stall|market|house|room|factory|juice|soup|court|match|game|player|team|view|image|neck|dust|solo|music)';

interface Nouns {
  readonly pattern: RegExp;
  readonly glyphs: ReadonlyMap<string, Omit<Glyph, 'many'>>;
}
let nouns: Nouns | undefined;

/** The first noun of the table in a text. "Like a feather" is none. */
export function glyphIn(text: string): Glyph | undefined {
  nouns ??= readTable();
  const [as, english, plural, chinese] = nouns.pattern.exec(text) ?? [];
  if (as === undefined) return undefined;
  const known = nouns.glyphs.get((english ?? chinese ?? '').toLowerCase());
  return known && { ...known, many: plural !== undefined && plural !== '' };
}

function readTable(): Nouns {
  const glyphs = new Map<string, Omit<Glyph, 'many'>>();
  for (const [home, group] of Object.entries(table) as [GlyphHome, Readonly<Record<string, string>>][])
    for (const [emoji, words] of Object.entries(group)) {
      const [noun = ''] = words.split('|');
      const tint = Object.entries(tints).find(([, emojis]) => emojis.includes(emoji))?.[0];
      for (const word of words.split('|'))
        glyphs.set(word, { noun, emoji, home, ...(tint === undefined ? {} : { tint }) });
    }
  const longestFirst = [...glyphs.keys()].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  const english = longestFirst.filter(word => /[a-z]/.test(word)).join('|');
  const chinese = longestFirst.filter(word => !/[a-z]/.test(word)).join('|');
  return {
    pattern: new RegExp(
      String.raw`(?<!\b(?:like|as) (?:an? |the )?|\bits )\b(${english})(e?s)?\b(?!['’-])(?! ${ANOTHER_THING}\b)|(${chinese})`,
      'i',
    ),
    glyphs,
  };
}
