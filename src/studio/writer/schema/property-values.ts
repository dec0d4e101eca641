/** What a property of that name is likely to mean in a film: `camera` is a camera, `duration` is seconds, `prompt` can be rendered. */
import type { Unit } from '../brief.ts';
import names from '../data/property-names.json' with { type: 'json' };
import { judgeCandidates, onScale, rewrite, type Verdict } from '../judge.ts';
import type { Material } from '../material.ts';
import { coloursOf, describe, ratioOf, type SeenImage } from '../seen-image.ts';
import { type Beat, capitalised, GROUNDS } from '../story.ts';
import { slug } from './fit.ts';

/** The place of a value in an answer. */
export interface Spot {
  /** Of the nearest property that has one: `shot_size`. */
  readonly name: string;
  /** The names of all properties of its object. */
  readonly among: readonly string[];
  /** Place in the nearest list, from 0; 0 outside any. */
  readonly index: number;
  /** How many that list has; 0 outside any. */
  readonly of: number;
  /** What the item of the nearest list is about. */
  readonly beat: Beat | undefined;
}

/** What a fact is read from. */
interface Sources {
  readonly material: Material;
  readonly beat: Beat;
  readonly spot: Spot;
  /** The image that the item of the nearest list is about. */
  readonly image: SeenImage | undefined;
}

const TEXTS: { readonly [fact in keyof typeof names.texts]: (from: Sources) => string } = {
  negative: () => 'blurry, distorted, extra limbs, text, watermark',
  ratio: ({ image }) => (image ? ratioOf(image) : '16:9'),
  format: ({ image }) => image?.format ?? 'mp4',
  resolution: () => '720p',
  seconds: ({ beat }) => `${beat.seconds}s`,
  size: ({ beat }) => beat.size,
  camera: ({ beat }) => beat.camera,
  lens: ({ beat }) => (/close/.test(beat.size) ? '85mm' : /wide/.test(beat.size) ? '24mm' : '50mm'),
  time: ({ material: { story } }) =>
    story.time === 'golden' ? 'golden hour' : story.time === 'neon' ? 'night' : story.time,
  colour: ({ material: { brief }, beat, spot }) => {
    const colours = brief.images[0] ? coloursOf(brief.images[0]) : [];
    return colours[spot.index] ?? colours[0] ?? beat.light;
  },
  light: ({ beat }) => beat.light,
  mood: ({ material }) => material.story.mood,
  style: ({ material }) => material.brief.style.join(', ') || 'natural light, 35mm film',
  ground: ({ material }) => material.story.ground,
  sound: ({ material }) => GROUNDS[material.story.place].sound,
  line: nth('line'),
  reason: ({ material }) => material.verdict.reason,
  who: ({ material }) => `the ${material.story.who}`,
  action: ({ beat }) => capitalised(beat.action),
  detail: ({ beat }) => beat.detail,
  transition: () => 'cut',
  language: () => 'en',
  slug: from => slug(from.spot.beat ? `${from.beat.n}-${from.beat.title}` : nth('title')(from)),
  model: () => 'V-T2V-A',
  logline: nth('logline'),
  keyword: ({ material: { story }, spot }) => {
    const words = [story.who, story.ground, story.time, story.mood, story.place, GROUNDS[story.place].far];
    return (words[spot.index % words.length] ?? '').replace(/^(?:the|an?) /, '');
  },
  title: from => from.spot.beat?.title ?? nth('title')(from),
  verdict: ({ material }) => (material.verdict.grade >= 0.6 ? 'ready to shoot' : 'needs more detail'),
  answer: ({ material }) => material.text(),
};

function nth(unit: Unit): (from: Sources) => string {
  return ({ material, spot: { index } }) => material.texts(unit, index + 1)[index] ?? '';
}

type Scale = readonly [from: number, to: number];

const NUMBERS: { readonly [fact in keyof typeof names.numbers]: (from: Sources, scale: Scale) => number } = {
  score: ({ material, spot }, scale) => {
    const candidate = candidateAt(material, spot);
    // Several differ by a tenth.
    return candidate
      ? onScale(candidate.grade, scale, scale[1] - scale[0] >= 4 ? 10 : 100)
      : onScale(material.verdict.grade, scale);
  },
  percent: ({ material }) => Math.round(material.verdict.grade * 100),
  share: ({ material }) => Math.round(material.verdict.grade * 100) / 100,
  total: ({ material }) => material.beats(beatsIn(material)).reduce((sum, { seconds }) => sum + seconds, 0),
  start: ({ beat, spot }) => beat.seconds * spot.index,
  end: ({ beat, spot }) => beat.seconds * (spot.index + 1),
  seconds: ({ beat }) => beat.seconds,
  rate: () => 24,
  width: ({ image }) => image?.width ?? 1280,
  height: ({ image }) => image?.height ?? 720,
  seed: ({ spot }) => 11 + spot.index,
  year: () => 2026,
  count: ({ material }) => beatsIn(material),
};

const beatsIn = (material: Material): number => material.count('beat') ?? 3;

/** Where each of a list is scored, it is about several candidates. */
const candidateAt = (material: Material, { index, of }: Spot): Verdict | undefined =>
  of > 1 ? judgeCandidates(material.brief, of)[index] : undefined;

/** Finds the first row that fits a name, its words joined by `_`. */
function finder<Row extends string>(table: { readonly [row in Row]: string }): (name: string) => Row | undefined {
  const rows = Object.entries<string>(table).map(([row, pattern]) => [row as Row, new RegExp(pattern)] as const);
  return name => rows.find(([, pattern]) => pattern.test(snakeCase(name)))?.[0];
}

const textNamed = finder(names.texts);
const numberNamed = finder(names.numbers);
/** `beats` and `storyboard` hold beats. */
export const unitNamed = finder(names.units);

export const snakeCase = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[\s-]+/g, '_')
    .toLowerCase();

const sourcesOf = (material: Material, spot: Spot): Sources => {
  const { images } = material.brief;
  return { material, spot, beat: spot.beat ?? material.beats(1)[0]!, image: images[spot.index] ?? images[0] };
};

/** Alone in an item these describe the picture; next to a prompt they describe its style, or its place. */
const MAY_BE_SEEN = /^(?:looks?|style|aesthetic|setting|place|location|environment|detail)$/;
const IS_SEEN =
  /prompt|descri|visual|image|picture|scene|shot|action|happens|event|activity|content|text|summary|idea|concept|what/;
const IS_REWRITTEN = /prompt|text|description|rewrit|result|output|answer|version/;
const IS_SIGHT = /descri|image|picture|photo|see|content|answer|text|caption|summary|notes?|comment|reason|what/;

/** A text for a property; whatever it is called, something that can be filmed. */
export function textFor(material: Material, spot: Spot): string {
  const { brief } = material;
  const { task, images } = brief;
  const name = snakeCase(spot.name);
  const from = sourcesOf(material, spot);
  const hasNeighbour = (pattern: RegExp) =>
    spot.among.some(other => other !== spot.name && pattern.test(snakeCase(other)));
  if (task === 'none' && images.length === 0 && brief.source === '') return material.text();
  if (task === 'rewrite' && IS_REWRITTEN.test(name)) return rewrite(brief);
  const fact = textNamed(name);
  if (/words/.test(name) || fact === 'reason') {
    const candidate = spot.among.some(other => numberNamed(other) === 'score') && candidateAt(material, spot);
    if (candidate) return candidate.reason;
  }
  // Next to a prompt, a shot is its size.
  if (name === 'shot' && hasNeighbour(/prompt|description|action|visual/)) return from.beat.size;
  if (spot.beat && MAY_BE_SEEN.test(name) && !hasNeighbour(IS_SEEN)) return from.beat.prompt;
  if (task === 'look' && from.image && IS_SIGHT.test(name)) return describe(from.image, spot.index + 1);
  if (fact) return TEXTS[fact](from);
  return unitNamed(name) === 'prompt' && !spot.beat ? nth('prompt')(from).replace(/\.$/, '') : from.beat.prompt;
}

/** @param scale the bounds of the schema, where it has both */
export function numberFor(material: Material, spot: Spot, scale: Scale = material.brief.scale): number {
  const fact = numberNamed(spot.name);
  return fact ? NUMBERS[fact](sourcesOf(material, spot), scale) : spot.index + 1;
}

export const yesOrNo = (material: Material, { name }: Spot): boolean =>
  /^(?:is_|has_)?(?:keep|pass|passed|approved?|ok|good|ready|accept(?:ed)?|valid)/.test(snakeCase(name))
    ? material.verdict.grade >= 0.6
    : !/night|indoor|interior|loop/.test(snakeCase(name));
