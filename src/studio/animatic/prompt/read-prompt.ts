/**
 * Reads a prompt as a first assistant reads a page: which shots, from when to when, how big, which camera, where, when, what weather, who.
 * What a shot does not say it takes from the words before the first shot, then from the shot before it, then from the seed.
 */
import { Random } from '../../shared/random.ts';
import {
  affirmed,
  all,
  CAMERAS,
  type CameraMove,
  COLOURS,
  EXTRAS,
  type Extra,
  first,
  firstMatch,
  GARMENTS,
  type Garment,
  HEADWEAR,
  type Headwear,
  MOODS,
  type Mood,
  PACES,
  type Pace,
  type Place,
  placeIn,
  SAID,
  type ShotSize,
  SIZES,
  SUBJECTS,
  type SubjectKind,
  TIMES,
  type TimeOfDay,
  WEATHERS,
  type WeatherKind,
} from '../../shared/vocabulary.ts';
import { type Glyph, glyphIn, homeOfGlyph } from './glyphs.ts';
import { MAX_READ, splitIntoShots, tidy } from './shot-list.ts';

export interface Shot {
  /** Seconds, on a frame's edge: the first frame shown. */
  readonly start: number;
  /** Seconds, on a frame's edge: the first frame no longer shown. */
  readonly end: number;
  /** The author's words for this shot, without the directions the slate shows as signs. */
  readonly words: string;
  /** What `prompt_extend` added, as the slate shows it. */
  readonly added?: string;
  readonly size: ShotSize;
  readonly camera: CameraMove;
  readonly pace: Pace;
  readonly place: Place;
  readonly time: TimeOfDay;
  readonly weather: readonly WeatherKind[];
  readonly heavy: boolean;
  readonly storm: boolean;
  readonly winter: boolean;
  readonly mood: Mood;
  readonly subject: Subject | null;
  /** What else the words name: a kite, the northern lights, a cup. */
  readonly extras: readonly Extra[];
}

export interface Subject {
  readonly kind: SubjectKind;
  readonly action: 'stands' | 'walks' | 'runs';
  readonly looksBack: boolean;
  readonly lantern: boolean;
  /** Of kind `glyph`: which. */
  readonly glyph?: Glyph;
  readonly person: Person;
}

/** How a person is dressed; read for every subject, used when it is a person. */
export interface Person {
  readonly woman: boolean;
  readonly child: boolean;
  readonly old: boolean;
  readonly beard: boolean;
  readonly headwear: Headwear;
  readonly garment: Garment;
  /** Of the garment (or of the car, the bottle): lightness, chroma, hue; null where the words name none. */
  readonly colour: readonly [number, number, number] | null;
}

interface ReadOptions {
  /** Seconds. */
  readonly duration: number;
  /** Chooses what the prompt leaves open. */
  readonly seed: string;
  /** Frames per second that cuts are rounded to. 24 unless given. */
  readonly fps?: number;
  /** Words of the shot it goes on from: place, light and people are still there. */
  readonly after?: string;
}

/** At least one shot; the first starts at 0, each starts where the one before ends, the last ends at `duration`. */
export function readPrompt(prompt: string, { duration, seed, fps = 24, after }: ReadOptions): Shot[] {
  const before = after ? readPrompt(after, { duration, seed, fps }).at(-1) : undefined;
  const { head, parts } = splitIntoShots(prompt.slice(0, MAX_READ).trim(), duration);
  const frames = Math.round(duration * fps);
  const shots: Shot[] = [];
  const cuts = [...parts.map(part => Math.round(part.start * fps)), frames];
  for (const [i, part] of parts.entries()) {
    const start = i === 0 ? 0 : (cuts[i] ?? 0);
    const end = cuts[i + 1] ?? frames;
    if (end <= start) continue;
    shots.push({
      start: start / fps,
      end: end / fps,
      ...understand(part.text, head, shots.at(-1) ?? before, `${seed}|${i}`),
    });
  }
  return shots;
}

function understand(written: string, top: string, before: Shot | undefined, seed: string): Omit<Shot, 'start' | 'end'> {
  const random = new Random(`read|${seed}`);
  const [text, head] = [affirmed(written), affirmed(top)];
  const whole = `${text} . ${head}`;
  const ownPlace = placeIn(text) ?? placeIn(head);
  const sameSet = before && (ownPlace === undefined || ownPlace === before.place);
  const subject = subjectOf(text, head, before?.subject ?? null);
  const ownWeather = all(WEATHERS, whole);
  const extras = all(EXTRAS, whole);
  const lit = SAID.neon.test(whole) ? ('neon' as const) : first(TIMES, text);
  const winter = SAID.winter.test(whole) || (sameSet === true && before.winter);
  // Words that name nothing one could film are no landscape either.
  const understood = lit !== undefined || winter || ownWeather.length > 0 || first(TIMES, head) !== undefined;
  const place =
    ownPlace ??
    before?.place ??
    homeOf(subject, winter, whole) ??
    (subject
      ? random.pick(['mountain', 'field', 'coast', 'city'])
      : understood
        ? random.pick(['mountain', 'field', 'ocean', 'abstract'])
        : 'abstract');
  const storm = SAID.storm.test(whole) || (sameSet === true && before.storm);
  const size =
    first(SIZES, text) ??
    first(SIZES, head) ??
    (SAID.portrait.test(whole) ? ('medium' as const) : usualSize(subject, extras));
  return {
    words: caption(written === '' ? top : written),
    size,
    // "No camera movement" is a direction, not a denial.
    camera: first(CAMERAS, written) ?? first(CAMERAS, top) ?? 'drift',
    pace: first(PACES, text) ?? 'steady',
    place,
    time:
      lit ??
      first(TIMES, head) ??
      (before
        ? before.time
        : storm
          ? 'overcast'
          : (USUAL_TIMES[place] ?? random.pick(['golden', 'day', 'dusk', 'dawn']))),
    weather: (ownWeather.length === 0 && sameSet ? before.weather : ownWeather).slice(0, 3),
    heavy: SAID.heavier.test(text) || storm,
    storm,
    winter,
    mood: first(MOODS, whole) ?? before?.mood ?? 'calm',
    subject,
    extras: extras.length === 0 && sameSet ? before.extras : extras,
  };
}

/** The hour of places that have one of their own. */
const USUAL_TIMES: { readonly [place in Place]?: TimeOfDay } = { club: 'neon', orbit: 'dawn' };

/** How near the camera is to a subject by default. */
function usualSize(subject: Subject | null, extras: readonly Extra[]): ShotSize {
  if (extras.includes('kite')) return 'wide';
  if (subject?.glyph) return subject.glyph.home === 'table' ? 'medium' : 'wide';
  return subject && FILMED_NEAR.has(subject.kind) ? 'medium' : 'wide';
}

const FILMED_NEAR: ReadonlySet<SubjectKind> = new Set(['person', 'couple', 'robot', 'product', 'flower']);

const WARE = /^(?:products?|产品)$/i;
const WARES = /\bproducts?\b|产品/gi;

/** The author's own subject; or, in a later shot, the one of the shot before ("it looks back"). */
function subjectOf(text: string, head: string, before: Subject | null): Subject | null {
  const match = firstMatch(SUBJECTS, text);
  // `product shot of a chair` shows a chair; where it names nothing that is drawn, some bottle.
  const isWare = match !== undefined && WARE.test(match.as);
  const own = isWare
    ? (firstMatch(SUBJECTS, text.replaceAll(WARES, ' ')) ?? (glyphIn(text) ? undefined : match))
    : match;
  const kind =
    own && before && !before.glyph && /^(he|she|faces?|hands|他|她|脸)$/i.test(own.as)
      ? before.kind
      : (own?.word ?? (isWare ? undefined : (before?.kind ?? first(SUBJECTS, head))));
  const thing = kind === undefined || kind === 'glyph' ? (glyphIn(text) ?? before?.glyph ?? glyphIn(head)) : undefined;
  const glyph: Glyph | undefined = thing && isWare ? { ...thing, home: 'table' } : thing;
  const shown = glyph ? 'glyph' : kind;
  if (!shown) return null;
  const kept = before?.kind === shown ? before.person : null;
  const all = `${text} . ${head}`;
  return {
    kind: shown,
    action: SAID.stopped.test(text)
      ? 'stands'
      : SAID.running.test(text)
        ? 'runs'
        : SAID.walking.test(text)
          ? 'walks'
          : 'stands',
    looksBack: SAID.looksBack.test(text),
    lantern: SAID.lantern.test(all),
    ...(glyph ? { glyph } : {}),
    person: {
      woman: kept?.woman || SAID.woman.test(all),
      child: kept?.child || SAID.child.test(all),
      old: kept?.old || SAID.old.test(all),
      beard: kept?.beard || (SAID.beard.test(all) && !SAID.woman.test(all)),
      headwear: first(HEADWEAR, all) ?? kept?.headwear ?? 'none',
      garment: first(GARMENTS, all) ?? kept?.garment ?? 'plain',
      colour:
        (glyph || (isWare && own === match) ? firstColour(glyph, all) : garmentColour(all)) ?? kept?.colour ?? null,
    },
  };
}

export const isPerson = (kind: SubjectKind) =>
  kind === 'person' || kind === 'couple' || kind === 'crowd' || kind === 'robot';

function garmentColour(phrase: string): readonly [number, number, number] | null {
  const worn =
    'raincoat|coat|jacket|dress|gown|suit|cloak|hoodie|sweater|shirt|kimono|scarf|oilskins?|poncho|parka|armou?r|car|taxi|van|truck|convertible|bottle|horse|stallion|mare|pony|cat|kitten|dog|puppy|wolf|rabbit|bunny|bear|butterfly|balloons?|rose|tulips?|flower|kite|bike|motor(?:cycle|bike)|bicycle|cup|mug|shoes?|sneakers?|sail';
  const wornChinese = '雨衣|大衣|外套|裙|衣|和服|西装|毛衣|马|猫|狗|玫瑰|风筝';
  for (const [colour, english, chinese] of COLOURS) {
    if (
      new RegExp(String.raw`\b(?:${english})(?: [a-z]+)? (?:${worn})\b|${chinese}色?的?(?:${wornChinese})`, 'i').test(
        phrase,
      )
    )
      return colour;
  }
  return null;
}

/** The first colour in the text, or the one that the thing has by nature. */
function firstColour(glyph: Glyph | undefined, phrase: string): readonly [number, number, number] | null {
  const found = COLOURS.find(([, english, chinese]) =>
    new RegExp(String.raw`\b(?:${english})\b|${chinese}色`, 'i').test(phrase),
  );
  return (
    (found ??
      COLOURS.find(
        ([, english]) => glyph?.tint !== undefined && new RegExp(`^(?:${english})$`).test(glyph.tint),
      ))?.[0] ?? null
  );
}

/** Where a subject is at home when the words name no place. */
function homeOf(subject: Subject | null, winter: boolean, phrase: string): Place | undefined {
  const kind = subject?.kind;
  if (subject?.glyph) return winter && subject.glyph.home !== 'table' ? 'snowfield' : homeOfGlyph(subject.glyph);
  if (subject?.person.headwear === 'souwester') return 'coast';
  if (kind === 'person' && SAID.indoors.test(phrase)) return 'interior';
  if (kind === 'person' && /\bsurf(er|s|ing)?\b|冲浪/i.test(phrase)) return 'coast';
  if (kind === 'whale' && SAID.surfaces.test(phrase)) return 'ocean';
  if (first(EXTRAS, phrase) === 'kite') return 'field';
  if ((kind === 'bird' || kind === 'house') && /\bdragons?\b(?!fl)|\bcastles?\b|龙|城堡/i.test(phrase))
    return 'mountain';
  if (kind === 'dog' && first([['asleep', /\bsleep(s|ing)?\b|\basleep\b|睡/gi]], phrase)) return 'interior';
  if (winter) return kind === 'product' ? 'interior' : 'snowfield';
  if (kind === 'rocket') return /\b(launch|lift.?off|takes? off|lands?|blast)|发射/i.test(phrase) ? 'field' : 'space';
  // Blossoms fall where there are trees.
  return (kind && HOMES[kind]) ?? (first(WEATHERS, phrase) === 'petals' ? 'field' : undefined);
}

const HOMES: { readonly [kind in SubjectKind]?: Place } = {
  ...{ whale: 'underwater', ship: 'ocean', lighthouse: 'coast', balloon: 'mountain', plane: 'mountain' },
  ...{ car: 'road', bike: 'road', camel: 'desert', product: 'interior', cat: 'interior' },
  ...{ crowd: 'city', robot: 'city', dog: 'city' },
  ...{ train: 'field', horse: 'field', house: 'field', lion: 'field', elephant: 'field', rabbit: 'field' },
  ...{ cow: 'field', butterfly: 'field', flower: 'field' },
  ...{ fox: 'forest', wolf: 'forest', deer: 'forest', bear: 'forest', panda: 'forest', tiger: 'forest' },
  ...{ leopard: 'forest', dinosaur: 'forest' },
};

/** "wide shot, slow pan: a fox" → "A fox": the slate shows size and camera as signs. */
function caption(text: string): string {
  const colon = text.search(/[:：]|(?<=\s)[-–—](?=\s)/);
  const directions =
    colon > 0 &&
    colon < 60 &&
    (first(SIZES, text.slice(0, colon + 2)) ?? first(CAMERAS, text.slice(0, colon + 2))) !== undefined;
  const words = undirected(tidy(directions ? text.slice(colon + 1) : text)) || text;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "static shot, an old man, close-up" → "an old man": clauses at either end that only direct. */
function undirected(text: string): string {
  const clauses = text.split(/(?<=[,，])/);
  while (clauses.length > 1 && isDirection(clauses[0] ?? '')) clauses.shift();
  while (clauses.length > 1 && isDirection(clauses.at(-1) ?? '')) clauses.pop();
  return tidy(clauses.join(''));
}

function isDirection(clause: string): boolean {
  let rest = clause;
  for (const vocabulary of [SIZES, CAMERAS, PACES])
    for (const [, phrase] of vocabulary) rest = rest.replace(phrase, '');
  return (
    rest !== clause && /^[\s\p{P}]*$/u.test(rest.replace(/\b(shot|view|camera|the|a|an|move|motion)\b|镜头/gi, ''))
  );
}
