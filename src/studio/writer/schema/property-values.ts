/** What a property of that name is likely to mean in a film: `camera` is a camera, `duration` is seconds, `prompt` can be rendered. */
import type { Unit } from '../brief.ts';
import type { Candidate, Material } from '../material.ts';
import { onScale, rewrite } from '../prompts.ts';
import { coloursOf, describe, ratioOf, type SeenImage } from '../seen-image.ts';
import { type Beat, capitalised, GROUNDS } from '../story.ts';

/** Where in an answer a value stands. */
export interface Spot {
  /** Of the nearest property that has one: `shot_size`. */
  readonly name: string;
  /** The names beside it. */
  readonly among: readonly string[];
  /** Place in the nearest list, from 0; 0 outside any. */
  readonly index: number;
  /** How many that list has; 0 outside any. */
  readonly of: number;
  /** What the item of the nearest list is about. */
  readonly beat: Beat | undefined;
}

/** The values of an image by itself; the nth of a list is about the nth image, or its nth colour. */
const OF_IMAGES: readonly (readonly [
  name: RegExp,
  value: (images: readonly SeenImage[], n: number) => string | undefined,
])[] = [
  [/palette|colou?rs?|tint/, ([image], n) => image && (coloursOf(image)[n] ?? coloursOf(image)[0])],
  [/(^|_)(aspect|ratio)/, (images, n) => ratioOf(images[n] ?? images[0]!)],
  [/format|file_type/, (images, n) => (images[n] ?? images[0]!).format],
];

/** The first row that fits the name, its words joined by `_`. */
const TEXTS: readonly (readonly [name: RegExp, value: (material: Material, beat: Beat, spot: Spot) => string])[] = [
  [/negative/, () => 'blurry, distorted, extra limbs, text, watermark'],
  [/(^|_)(aspect|ratio)/, () => '16:9'],
  [/resolution|quality/, () => '720p'],
  [/(^|_)(duration|length|seconds|timing|start|end)|time_?(code|stamp)/, (_, beat) => `${beat.seconds}s`],
  [/(shot|frame|framing)_?(size|type)|^framing$|^size$|^shot$|_size$/, (_, beat) => beat.size],
  [/camera|movement|(^|_)moves?$|^motion$/, (_, beat) => beat.camera],
  [/lens|focal/, (_, beat) => (/close/.test(beat.size) ? '85mm' : /wide/.test(beat.size) ? '24mm' : '50mm')],
  [
    /time_of_day|^time$|^hour$/,
    ({ story }) => ({ golden: 'golden hour', neon: 'night' })[story.time as string] ?? story.time,
  ],
  [/light|palette|colou?rs?|weather|atmosphere/, (_, beat) => beat.light],
  [/mood|tone|emotion|feeling|genre/, ({ story }) => story.mood],
  [/style|look|aesthetic/, ({ brief }) => brief.style.join(', ') || 'natural light, 35mm film'],
  [/location|place|setting|environment|background|where/, ({ story }) => story.ground],
  [/(^|_)(sound|audio|music|sfx|ambience)/, (_, beat) => beat.sound],
  [
    /dialogue|voice|narration|spoken|(^|_)lines?$|caption|subtitle|tagline|slogan/,
    ({ lines }, _, { index }) => lines(index + 1)[index] ?? '',
  ],
  [
    /reason|rationale|explanation|comment|feedback|justif|critique|analysis|why|notes?$/,
    ({ verdict }) => `${capitalised(verdict.reason)}.`,
  ],
  [/character|subject|protagonist|hero|^who|actor|(^|_)cast$/, ({ story }) => `the ${story.who}`],
  [/action|happens|event|activity/, (_, beat) => capitalised(beat.action)],
  [/detail|(^|_)props?$|texture/, (_, beat) => beat.detail],
  [/transition/, () => 'cut'],
  [/language|locale/, () => 'en'],
  [
    /^(id|key|slug|file|file_?name|ref)$|_(id|slug|key)$/,
    ({ titles }, beat, spot) => slug(spot.beat ? `${beat.n}-${beat.title}` : (titles(1)[0] ?? '')),
  ],
  [/model/, () => 'V-T2V-A'],
  [
    /logline|premise|synopsis|summary|pitch|overview|idea|concept|theme|story/,
    ({ loglines }, _, { index }) => loglines(index + 1)[index] ?? '',
  ],
  [/tags?$|keywords?$|hashtag/, ({ story }, _, { index }) => keywords(story)[index % 6] ?? ''],
  [
    /title|heading|headline|name|label/,
    ({ titles }, _, { beat, index }) => beat?.title ?? titles(index + 1)[index] ?? '',
  ],
  [/verdict|decision|rating|grade/, ({ verdict }) => (verdict.grade >= 0.6 ? 'ready to shoot' : 'needs more detail')],
  [/answer|response|result|reply|message|output/, material => material.text()],
];

const keywords = ({ who, ground, time, mood, place }: Material['story']): readonly string[] =>
  [who, ground, time, mood, place, GROUNDS[place].far].map(word => word.replace(/^(?:the|an?) /, ''));

/** Alone in an item these say what is seen; beside a prompt they say how, or where. */
const MAY_BE_SEEN = /^(?:looks?|style|aesthetic|setting|place|location|environment|detail)$/;
const IS_SEEN =
  /prompt|descri|visual|image|picture|scene|shot|action|happens|event|activity|content|text|summary|idea|concept|what/;

export const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
export const snakeCase = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[\s-]+/g, '_')
    .toLowerCase();

const beatOf = (material: Material, spot: Spot): Beat => spot.beat ?? material.beats(1)[0]!;

/** A text for a property; whatever it is called, something that can be filmed. */
export function textFor(material: Material, spot: Spot): string {
  const { task, images } = material.brief;
  const { index } = spot;
  const name = snakeCase(spot.name);
  const beat = beatOf(material, spot);
  const hasBeside = (pattern: RegExp) =>
    spot.among.some(other => other !== spot.name && pattern.test(snakeCase(other)));
  if (task === 'none' && images.length === 0 && material.brief.source === '') return material.text();
  if (
    (task === 'rewrite' || task === 'shorten') &&
    /prompt|text|description|rewrit|result|output|answer|version/.test(name)
  )
    return rewrite(material.brief);
  // Beside a prompt, a shot is its size.
  if (name === 'shot' && hasBeside(/prompt|description|action|visual/)) return beat.size;
  if (/words/.test(name) || REASON.test(name)) {
    const candidate = hasBeside(SCORE) && candidateAt(material, spot);
    if (candidate) return candidate.words;
  }
  if (spot.beat && MAY_BE_SEEN.test(name) && !hasBeside(IS_SEEN)) return beat.prompt;
  if (images.length > 0) {
    const seen = OF_IMAGES.find(([pattern]) => pattern.test(name))?.[1](images, index);
    if (seen !== undefined) return seen;
    if (
      task === 'look' &&
      /descri|image|picture|photo|see|content|answer|text|caption|summary|notes?|comment|reason|what/.test(name)
    )
      return describe(images[index] ?? images[0]!, index + 1);
  }
  // A list of plain names holds what the list is called.
  const value = /^(?:beats?|shots?|scenes?|prompts?|visuals?)$/.test(name)
    ? undefined
    : TEXTS.find(([pattern]) => pattern.test(name))?.[1];
  if (value) return value(material, beat, spot);
  return unitNamed(name) === 'prompt' && !spot.beat ? (material.prompts(index + 1)[index] ?? '') : beat.prompt;
}

type Scale = readonly [from: number, to: number];
type NumberRow = readonly [
  name: RegExp,
  value: (material: Material, beat: Beat, spot: Spot, scale: Scale | undefined) => number,
];

const SCORE = /score|rating|grade|points?$|marks?$|stars/;
const REASON = /reason|rationale|explanation|comment|feedback|justif|critique|analysis|why|notes?$/;
const countOf = (material: Material): number => material.count('beat') ?? 3;
const NUMBERS: readonly NumberRow[] = [
  [SCORE, (material, _, spot, scale) => scoreFor(material, spot, scale)],
  [/percent/, ({ verdict }) => Math.round(verdict.grade * 100)],
  [
    /confidence|probability|likelihood|(^|_)ratio|weight|strength/,
    ({ verdict }) => Math.round(verdict.grade * 100) / 100,
  ],
  [
    /(total|overall).*(second|duration|length|time)/,
    material => material.beats(countOf(material)).reduce((sum, { seconds }) => sum + seconds, 0),
  ],
  [/^(start|from|begin|in)(_|$)|_(start|from)$/, (_, { seconds }, { index }) => seconds * index],
  [/^(end|to|until|out)(_|$)|_(end|to)$/, (_, { seconds }, { index }) => seconds * (index + 1)],
  [/second|duration|length/, (_, { seconds }) => seconds],
  [/fps|frame_?rate/, () => 24],
  [/width/, ({ brief: { images } }, _, { index }) => (images[index] ?? images[0])?.width ?? 1280],
  [/height/, ({ brief: { images } }, _, { index }) => (images[index] ?? images[0])?.height ?? 720],
  [/seed/, (_, __, { index }) => 11 + index],
  [/year/, () => 2026],
  [/count|total|number_of|num_|beats|shots|scenes/, countOf],
];

/** @param scale what the schema lets a number be, where it says both ends */
export function numberFor(material: Material, spot: Spot, scale?: Scale): number {
  const name = snakeCase(spot.name);
  const value = NUMBERS.find(([pattern]) => pattern.test(name))?.[1];
  return value ? value(material, beatOf(material, spot), spot, scale) : spot.index + 1;
}

/** Several are told apart to a tenth. */
function scoreFor(material: Material, spot: Spot, scale: Scale = material.brief.scale): number {
  const candidate = candidateAt(material, spot);
  if (!candidate) return onScale(material.verdict.grade, scale);
  const [from, to] = scale;
  const steps = to - from >= 4 ? 10 : 100;
  return Math.round((from + candidate.grade * (to - from)) * steps) / steps;
}

/** Where each of a list is scored, it is about several candidates. */
const candidateAt = (material: Material, { index, of }: Spot): Candidate | undefined =>
  of > 1 ? material.candidates(of)[index] : undefined;

export const yesOrNo = (material: Material, { name }: Spot): boolean =>
  /^(?:is_|has_)?(?:keep|pass|passed|approved?|ok|good|ready|accept(?:ed)?|valid)/.test(snakeCase(name))
    ? material.verdict.grade >= 0.6
    : !/night|indoor|interior|loop/.test(snakeCase(name));

/** `beats` and `storyboard` hold beats. */
export const unitNamed = (name: string): Unit | undefined =>
  UNIT_NAMES.find(([pattern]) => pattern.test(snakeCase(name)))?.[1];

const UNIT_NAMES: readonly (readonly [RegExp, Unit])[] = [
  [/beat|storyboard|moment|outline/, 'beat'],
  [/shot|clip|frame|panel/, 'shot'],
  [/scene|part|chapter|sequence/, 'scene'],
  [/prompt|description|variation|version|take/, 'prompt'],
  [/title|headline/, 'title'],
  [/logline|idea|concept|premise|pitch/, 'logline'],
  [/(^|_)lines?$|caption|narration|voice|dialogue/, 'line'],
];
