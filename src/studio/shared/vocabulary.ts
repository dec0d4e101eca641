/**
 * The words of prompts: one table for each thing a shot has, English and Chinese side by side. The rows are in
 * `vocabulary.json`: to add a word, add it there. A word of letters matches between word borders ("sailor" once drew a ship), and
 * may use `?`, `( | )` and `[ ]`; Chinese has no borders; a row with a backslash or a look-around is a regular expression as it is.
 * In every table the word that comes first in the prompt wins, and of two at the same place the longer ("lighthouse keeper" is a
 * person, "lighthouse" is a building).
 */
import names from './place-names.json' with { type: 'json' };
import rows from './vocabulary.json' with { type: 'json' };

export type ShotSize = keyof typeof rows.sizes;
export type CameraMove = keyof typeof rows.cameras | 'drift';
export type Pace = keyof typeof rows.paces | 'steady';
export type TimeOfDay = keyof typeof rows.times;
export type WeatherKind = keyof typeof rows.weathers | 'bubbles';
/** `orbit` is a world from above, `city-above` a city from the air. */
export type Place = keyof typeof rows.places | 'orbit' | 'city-above' | 'club';
export type Animal = keyof typeof rows.animals;
/** `glyph` is whatever only its glyph shows. */
export type SubjectKind = Animal | keyof typeof rows.groups | keyof typeof rows.others | 'glyph';
export type Headwear = keyof typeof rows.headwear | 'none';
export type Garment = keyof typeof rows.garments | 'plain';
/** What else the words name that a painter of places, skies or things can show. */
export type Extra = keyof typeof rows.extras;
export type Mood = keyof typeof rows.moods | 'calm';

export type Vocabulary<Word extends string> = readonly (readonly [word: Word, said: RegExp])[];

export const SIZES = vocabulary(rows.sizes);
export const CAMERAS: Vocabulary<CameraMove> = vocabulary(rows.cameras);
export const PACES: Vocabulary<Pace> = vocabulary(rows.paces);
export const TIMES = vocabulary(rows.times);
export const WEATHERS: Vocabulary<WeatherKind> = vocabulary(rows.weathers);
export const PLACES: Vocabulary<Place> = vocabulary(rows.places);
export const SUBJECTS: Vocabulary<SubjectKind> = [
  ...vocabulary(rows.groups),
  ...vocabulary(rows.animals),
  ...vocabulary(rows.others),
];
export const HEADWEAR: Vocabulary<Headwear> = vocabulary(rows.headwear);
export const GARMENTS: Vocabulary<Garment> = vocabulary(rows.garments);
export const EXTRAS = vocabulary(rows.extras);
export const MOODS: Vocabulary<Mood> = vocabulary(rows.moods);
/** Whether the text mentions it. */
export const SAID = Object.fromEntries(
  Object.entries(rows.said).map(([word, said]) => [word, new RegExp(patternOf(said), 'i')]),
) as { readonly [word in keyof typeof rows.said]: RegExp };

/** A colour before a garment: `a yellow raincoat`. Lightness, chroma, hue. */
export const COLOURS = rows.colours.map(
  ({ lch: [l = 0, c = 0, h = 0], english, chinese }) => [[l, c, h] as const, english, chinese] as const,
);

function vocabulary<Word extends string>(table: { readonly [word in Word]: readonly string[] }): Vocabulary<Word> {
  return (Object.entries(table) as [Word, readonly string[]][]).map(([word, said]) => [
    word,
    new RegExp(patternOf(said), 'gi'),
  ]);
}

function patternOf(said: readonly string[]): string {
  return said.map(word => (isPlain(word) ? String.raw`\b(?:${word})\b` : word)).join('|');
}

function isPlain(word: string): boolean {
  return /^(?!.*(?:\\|\(\?[^:]))[a-z([][\w ()?:|[\]'’é-]*[a-z)?\]]$/i.test(word);
}

const { worlds, cities } = names;
const FROM_ABOVE = String.raw`\b(?:(?:high |far |flying |flies |fly |soaring |soars |hovering |hovers |gliding |glides )?(?:above|over)|(?:aerial|drone|satellite)(?: view| shot| footage)? (?:of|over)|bird'?s[- ]eye view of|seen from above,?|views? of)`;

/** Places named by a name, or by the camera's position; they come before all others. */
const SAID_BY_NAME: Vocabulary<Place> = [
  [
    'orbit',
    either(
      String.raw`${FROM_ABOVE} (?:the )?(?:planet )?(?:${worlds.english})\b(?! ?-| rising)|\bearth (?:seen )?from (?:space|orbit|above)\b|\b(?:in|low)(?: low)?(?: earth)? orbit\b|\borbit(?:s|ing) (?:the )?(?:${worlds.english})\b|\bspace ?station\b|\bsatellites?\b(?! (?:dish|view|image|tv))`,
      `(?:${worlds.chinese})(?:的)?上空|俯瞰(?:${worlds.chinese})|空间站|轨道上`,
    ),
  ],
  [
    'city-above',
    either(
      String.raw`${FROM_ABOVE} (?:the )?(?:streets of |rooftops of |downtown |central |midtown |city of )?(?:${cities.english})\b`,
      `(?:${cities.chinese})(?:市|城)?(?:的)?上空|(?:俯瞰|飞越|航拍|飞过)(?:${cities.chinese})`,
    ),
  ],
  [
    'club',
    /\b(?:night ?|dance |techno |jazz )clubs?\b|\b(?:in|inside|at|into|to) (?:an? |the )(?:(?!golf|country|book|tennis|football|chess|yacht|boxing|health|sports)[a-z]+ )?club\b|\bdisco(?:theque)?\b(?! ball)|\bdance ?floor\b|\braves?\b|夜店|夜总会|迪厅|舞池|迪斯科/gi,
  ],
];
const NAMED: Vocabulary<Place> = [
  ['city', named(cities)],
  ['ocean', named(names.ocean)],
  ['river', named(names.river)],
  ['desert', named(names.desert)],
  ['snowfield', named(names.snowfield)],
  ['forest', named(names.forest)],
  ['mountain', named(names.mountain)],
];

function named({ english, chinese }: { readonly english: string; readonly chinese: string }): RegExp {
  return either(String.raw`\b(?:${english})\b`, chinese);
}
function either(english: string, chinese: string): RegExp {
  return new RegExp(`${english}|${chinese}`, 'gi');
}

/** The place a text names first; "over Manhattan" before "in space". */
export const placeIn = (text: string): Place | undefined =>
  first(SAID_BY_NAME, text) ?? first([...PLACES, ...NAMED], text);

/** The first word: earliest in the text, of two at one place the longer. */
export const first = <Word extends string>(vocabulary: Vocabulary<Word>, text: string): Word | undefined =>
  firstMatch(vocabulary, text)?.word;

/** The same, and its spelling: `person`, `she`. */
export function firstMatch<Word extends string>(
  vocabulary: Vocabulary<Word>,
  text: string,
): { readonly word: Word; readonly as: string } | undefined {
  let found: { readonly word: Word; readonly at: number; readonly as: string } | undefined;
  for (const [word, said] of vocabulary) {
    for (const match of text.matchAll(said)) {
      const [as] = match;
      if (!found || match.index < found.at || (match.index === found.at && as.length > found.as.length))
        found = { word, at: match.index, as };
    }
  }
  return found;
}

/** The text without what is *not* there: "no people", "without rain", "没有人". */
export const affirmed = (text: string): string => text.replace(DENIED, ' ');
const DENIED =
  /\b(?:no|without(?: any)?|zero|free of)\s+(?:(?:visible|other|the|an?)\s+)?[a-z]+(?:(?:,? (?:and|or)|,) no [a-z]+| (?:and|or) [a-z]+)*|没有[^，。、,.\s]{1,3}|(?:空)?无一?人(?!机)/gi;

/** Every word, in the table's order. */
export function all<Word extends string>(vocabulary: Vocabulary<Word>, text: string): Word[] {
  return vocabulary.filter(([, said]) => text.match(said) !== null).map(([word]) => word);
}
