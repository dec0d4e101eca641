/**
 * Reads a prompt as a first assistant reads a page: which shots, from when to when, how big, which camera, where, when, what weather, who.
 * Cuts come from timestamps (`[0-2s]`, `0:02–0:04`), from numbered shots, from "cut to", or from "multi-shot"; otherwise it is one shot.
 * What a shot does not say it takes from the words before the first shot, then from the shot before it, then from the seed.
 */
import { Random } from '../../random.ts';
import {
  affirmed,
  all,
  CAMERAS,
  type CameraMove,
  COLOURS,
  EXTRAS,
  type Extra,
  first,
  firstSaid,
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
} from '../../vocabulary.ts';
import { type Glyph, glyphIn, homeOfGlyph } from './glyphs.ts';

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
  /** What is not said is chosen by this. */
  readonly seed: string;
  /** Frames per second that cuts are rounded to. 24 unless given. */
  readonly fps?: number;
  /** Words of the shot it goes on from: place, light and people are still there. */
  readonly after?: string;
}

/** Characters. A page is 2,000; what stands behind the fifth changes no picture, and patterns take longer with every page. */
const MOST_READ = 10_000;

/** At least one shot; the first starts at 0, each starts where the one before ends, the last ends at `duration`. */
export function readPrompt(prompt: string, { duration, seed, fps = 24, after }: ReadOptions): Shot[] {
  const before = after ? readPrompt(after, { duration, seed, fps }).at(-1) : undefined;
  const { head, parts } = split(prompt.slice(0, MOST_READ).trim(), duration);
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

interface Part {
  /** Seconds. */
  readonly start: number;
  readonly text: string;
}
interface Parts {
  /** What stands before the first shot and is true of all of them. */
  readonly head: string;
  readonly parts: readonly Part[];
}

function split(prompt: string, duration: number): Parts {
  const stamped = byTimestamps(prompt, duration);
  if (stamped) return stamped;
  if (SAID.single.test(prompt)) return { head: '', parts: [{ start: 0, text: prompt }] };
  return (
    byNumbers(prompt, duration) ??
    byList(prompt, duration) ??
    byCuts(prompt, duration) ??
    byOrder(prompt, duration) ??
    byCoverage(prompt, duration) ?? { head: '', parts: [{ start: 0, text: prompt }] }
  );
}

// A clock has few digits: without bounds a page of them takes minutes to read.
const CLOCK = String.raw`(?<!\d)(\d{1,4}(?::\d{1,2})?(?:\.\d{1,3})?)\s{0,3}(?:seconds?|secs?|s|秒)?`;
const RANGE = new RegExp(
  String.raw`(?:from\s+)?[[(（【第]?\s*${CLOCK}\s*(?:-|–|—|to|~|至|到)\s*${CLOCK}\s*[\])）】]?\s*[:：,，]?\s*`,
  'gi',
);
const MARK = new RegExp(String.raw`[[(（【]\s*${CLOCK}\s*[\])）】]\s*[:：,，]?\s*`, 'gi');
const LABEL_BEFORE = /(?:\b(?:shot|scene)\s*\d*|镜头\s*\d*|第.{1,2}(?:个)?镜头)\s*[:：]?\s*$/i;

/** `null` where the prompt has no timestamps. "2-3 people" is none: a range needs a unit, a colon or a bracket. */
function byTimestamps(prompt: string, duration: number): Parts | null {
  const marks: { readonly at: number; readonly after: number; readonly start: number }[] = [];
  let last = -1;
  for (const match of prompt.matchAll(RANGE)) {
    const [whole, from = '', to = ''] = match;
    const start = seconds(from);
    const end = seconds(to);
    if (!isRange(whole, start, end) || start < last) continue;
    last = start;
    marks.push({ at: match.index, after: match.index + whole.length, start });
  }
  if (marks.length === 0) {
    const single = [...prompt.matchAll(MARK)];
    if (single.length < 2) return null;
    for (const match of single)
      marks.push({ at: match.index, after: match.index + match[0].length, start: seconds(match[1] ?? '') });
  }
  const head = tidy(prompt.slice(0, marks[0]?.at).replace(LABEL_BEFORE, ''));
  const parts = marks
    .map((mark, i) => ({
      start: mark.start,
      text: tidy(prompt.slice(mark.after, marks[i + 1]?.at).replace(LABEL_BEFORE, '')),
    }))
    .filter(part => part.start < duration);
  return parts.length > 0 ? { head, parts } : null;
}

/** Where a prompt with time ranges ends, in seconds: `[0-2s] … [2-6s] …` is six seconds long. */
export function lastMoment(prompt: string): number | undefined {
  let end: number | undefined;
  for (const [whole, from = '', to = ''] of prompt.slice(0, MOST_READ).matchAll(RANGE))
    if (isRange(whole, seconds(from), seconds(to))) end = Math.max(end ?? 0, seconds(to));
  return end;
}

const isRange = (whole: string, start: number, end: number): boolean =>
  /[[(（【第:：]|\d\s*(?:s\b|sec|秒)/i.test(whole) && end > start && end <= 600;

function seconds(clock: string): number {
  const [minutes, rest] = clock.includes(':') ? clock.split(':') : ['0', clock];
  return Number(minutes) * 60 + Number(rest);
}

const COUNT = String.raw`(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|[一二三四五六七八九十])`;
/** `Shot 2:`, `Scene two —`, `镜头二：`, `第二个镜头，`. */
const NUMBERED = new RegExp(
  String.raw`(?:^|[\s.;,，。；])(?:(?:shot|scene|镜头)\s*${COUNT}|第[一二三四五六七八九\d]个?镜头)\s*[:：.\-–—)，,]\s*`,
  'i',
);

function byNumbers(prompt: string, duration: number): Parts | null {
  const pieces = prompt.split(NUMBERED);
  if (pieces.length < 3) return null;
  const [head = '', ...texts] = pieces.map(tidy);
  return {
    head,
    parts: evenly(
      texts.filter(text => text !== ''),
      duration,
    ),
  };
}

/** `1) … 2) … 3) …` or `1. … 2. …`: counted from one, without a gap. */
function byList(prompt: string, duration: number): Parts | null {
  const marks = [...prompt.matchAll(/(?:^|\s)(\d{1,2})[.)、）]\s+(?=\S)/g)];
  if (marks.length < 2 || marks.some((mark, i) => Number(mark[1]) !== i + 1)) return null;
  const texts = marks.map((mark, i) => tidy(prompt.slice(mark.index + mark[0].length, marks[i + 1]?.index)));
  return { head: tidy(prompt.slice(0, marks[0]?.index)), parts: evenly(texts, duration) };
}

/** "First, a wide shot of … Next, a close-up of …": sentences in an order, when at least two of them say how they are framed. */
function byOrder(prompt: string, duration: number): Parts | null {
  const texts = prompt
    .split(/(?:^|(?<=[.;。；]\s*))(?:first|next|then|after that|finally|lastly|首先|接着|然后|最后)[,，:：]?\s+/i)
    .map(tidy)
    .filter(text => text !== '');
  const framed = texts.filter(text => first(SIZES, text) !== undefined).length;
  return texts.length > 1 && framed > 1 ? { head: '', parts: evenly(texts, duration) } : null;
}

function byCuts(prompt: string, duration: number): Parts | null {
  const texts = prompt
    .split(/[\s,，.。;；]*(?:\b(?:then )?(?:hard |smash |match )?cuts? to\b|切换到|切至|切到)[:：,，]?\s*/i)
    .map(tidy)
    .filter(text => text !== '');
  return texts.length > 1 ? { head: '', parts: evenly(texts, duration) } : null;
}

/** "Multi-shot" without shots: its sentences, or the classic coverage of wide, medium, close. */
function byCoverage(prompt: string, duration: number): Parts | null {
  if (!SAID.several.test(prompt)) return null;
  const rest =
    tidy(
      prompt.replace(
        /[^.。:：,，]*?(?:multi[- ]?shots?|multiple shots|several shots|多镜头)(?: video| film| sequence|视频)?\s*(?:of|[.。:：,，])?\s*/i,
        '',
      ),
    ) || prompt;
  const sentences = (rest.match(/[^.!?。！？]+[.!?。！？]?/g) ?? []).map(tidy).filter(text => text.length > 2);
  const count = Math.max(2, Math.min(4, Math.round(duration / 2.2)));
  if (sentences.length > 1)
    return { head: '', parts: evenly(sentences.slice(0, Math.max(2, Math.floor(duration))), duration) };
  const sizes = ['wide shot', 'medium shot', 'close-up', 'wide shot'].slice(0, count);
  return {
    head: '',
    parts: evenly(
      sizes.map(size => `${size}: ${rest}`),
      duration,
    ),
  };
}

const evenly = (texts: readonly string[], duration: number): Part[] =>
  texts.map((text, i) => ({ start: (duration * i) / texts.length, text }));
const tidy = (text: string) => text.replace(/^[\s,，.。;；:：]+|[\s,，;；]+$/g, '').trim();

function understand(written: string, top: string, before: Shot | undefined, seed: string): Omit<Shot, 'start' | 'end'> {
  const random = new Random(`read|${seed}`);
  const [text, head] = [affirmed(written), affirmed(top)];
  const said = `${text} . ${head}`;
  const ownPlace = placeIn(text) ?? placeIn(head);
  const sameSet = before && (ownPlace === undefined || ownPlace === before.place);
  const subject = subjectOf(text, head, before?.subject ?? null);
  const ownWeather = all(WEATHERS, said);
  const extras = all(EXTRAS, said);
  const lit = SAID.neon.test(said) ? ('neon' as const) : first(TIMES, text);
  const winter = SAID.winter.test(said) || (sameSet === true && before.winter);
  // Words that name nothing one could film are no landscape either.
  const understood = lit !== undefined || winter || ownWeather.length > 0 || first(TIMES, head) !== undefined;
  const place =
    ownPlace ??
    before?.place ??
    homeOf(subject, winter, said) ??
    (subject
      ? random.pick(['mountain', 'field', 'coast', 'city'])
      : understood
        ? random.pick(['mountain', 'field', 'ocean', 'abstract'])
        : 'abstract');
  const storm = SAID.storm.test(said) || (sameSet === true && before.storm);
  const size =
    first(SIZES, text) ??
    first(SIZES, head) ??
    (SAID.portrait.test(said) ? ('medium' as const) : usualSize(subject, extras));
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
    mood: first(MOODS, said) ?? before?.mood ?? 'calm',
    subject,
    extras: extras.length === 0 && sameSet ? before.extras : extras,
  };
}

/** The hour of places that have one of their own. */
const USUAL_TIMES: { readonly [place in Place]?: TimeOfDay } = { club: 'neon', orbit: 'dawn' };

/** How near one stands to what one was asked to film. */
function usualSize(subject: Subject | null, extras: readonly Extra[]): ShotSize {
  if (extras.includes('kite')) return 'wide';
  switch (subject?.kind) {
    case 'person':
    case 'couple':
    case 'robot':
    case 'product':
    case 'flower':
      return 'medium';
    case 'glyph':
      return subject.glyph?.home === 'table' ? 'medium' : 'wide';
    default:
      return 'wide';
  }
}

const WARE = /^(?:products?|产品)$/i;
const WARES = /\bproducts?\b|产品/gi;

/** The author's own subject; or, in a later shot, whoever was there before ("it looks back"). */
function subjectOf(text: string, head: string, before: Subject | null): Subject | null {
  const said = firstSaid(SUBJECTS, text);
  // `product shot of a chair` shows a chair; where it names nothing that is drawn, some bottle.
  const isWare = said !== undefined && WARE.test(said.as);
  const own = isWare ? (firstSaid(SUBJECTS, text.replaceAll(WARES, ' ')) ?? (glyphIn(text) ? undefined : said)) : said;
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
        (glyph || (isWare && own === said) ? firstColour(glyph, all) : garmentColour(all)) ?? kept?.colour ?? null,
    },
  };
}

export const isPerson = (kind: SubjectKind) =>
  kind === 'person' || kind === 'couple' || kind === 'crowd' || kind === 'robot';

function garmentColour(said: string): readonly [number, number, number] | null {
  const worn =
    'raincoat|coat|jacket|dress|gown|suit|cloak|hoodie|sweater|shirt|kimono|scarf|oilskins?|poncho|parka|armou?r|car|taxi|van|truck|convertible|bottle|horse|stallion|mare|pony|cat|kitten|dog|puppy|wolf|rabbit|bunny|bear|butterfly|balloons?|rose|tulips?|flower|kite|bike|motor(?:cycle|bike)|bicycle|cup|mug|shoes?|sneakers?|sail';
  const wornChinese = '雨衣|大衣|外套|裙|衣|和服|西装|毛衣|马|猫|狗|玫瑰|风筝';
  for (const [colour, english, chinese] of COLOURS) {
    if (
      new RegExp(String.raw`\b(?:${english})(?: [a-z]+)? (?:${worn})\b|${chinese}色?的?(?:${wornChinese})`, 'i').test(
        said,
      )
    )
      return colour;
  }
  return null;
}

/** The first colour said, or the one that it has by nature. */
function firstColour(glyph: Glyph | undefined, said: string): readonly [number, number, number] | null {
  const found = COLOURS.find(([, english, chinese]) =>
    new RegExp(String.raw`\b(?:${english})\b|${chinese}色`, 'i').test(said),
  );
  return (
    (found ??
      COLOURS.find(
        ([, english]) => glyph?.tint !== undefined && new RegExp(`^(?:${english})$`).test(glyph.tint),
      ))?.[0] ?? null
  );
}

/** Where a subject is at home when nobody says where it is. */
function homeOf(subject: Subject | null, winter: boolean, said: string): Place | undefined {
  const kind = subject?.kind;
  if (subject?.glyph) return winter && subject.glyph.home !== 'table' ? 'snowfield' : homeOfGlyph(subject.glyph);
  if (subject?.person.headwear === 'souwester') return 'coast';
  if (kind === 'person' && SAID.indoors.test(said)) return 'interior';
  if (kind === 'person' && /\bsurf(er|s|ing)?\b|冲浪/i.test(said)) return 'coast';
  if (kind === 'whale' && SAID.surfaces.test(said)) return 'ocean';
  if (first(EXTRAS, said) === 'kite') return 'field';
  if ((kind === 'bird' || kind === 'house') && /\bdragons?\b(?!fl)|\bcastles?\b|龙|城堡/i.test(said)) return 'mountain';
  if (kind === 'dog' && first([['asleep', /\bsleep(s|ing)?\b|\basleep\b|睡/gi]], said)) return 'interior';
  if (winter) return kind === 'product' ? 'interior' : 'snowfield';
  switch (kind) {
    case 'whale':
      return 'underwater';
    case 'ship':
      return 'ocean';
    case 'lighthouse':
      return 'coast';
    case 'car':
    case 'bike':
      return 'road';
    case 'rocket':
      return /\b(launch|lift.?off|takes? off|lands?|blast)|发射/i.test(said) ? 'field' : 'space';
    case 'balloon':
    case 'plane':
      return 'mountain';
    case 'camel':
      return 'desert';
    case 'train':
    case 'horse':
    case 'house':
    case 'lion':
    case 'elephant':
    case 'rabbit':
    case 'cow':
    case 'butterfly':
    case 'flower':
      return 'field';
    case 'fox':
    case 'wolf':
    case 'deer':
    case 'bear':
    case 'panda':
    case 'tiger':
    case 'leopard':
    case 'dinosaur':
      return 'forest';
    case 'product':
    case 'cat':
      return 'interior';
    case 'crowd':
    case 'robot':
    case 'dog':
      return 'city';
    default:
      // Blossoms fall where trees stand.
      return first(WEATHERS, said) === 'petals' ? 'field' : undefined;
  }
}

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
  for (const vocabulary of [SIZES, CAMERAS, PACES]) for (const [, said] of vocabulary) rest = rest.replace(said, '');
  return (
    rest !== clause && /^[\s\p{P}]*$/u.test(rest.replace(/\b(shot|view|camera|the|a|an|move|motion)\b|镜头/gi, ''))
  );
}
