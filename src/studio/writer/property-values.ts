/** What a property of that name is likely to mean in a film: `camera` is a camera, `duration` is seconds, `prompt` can be rendered. */

import type { Beat } from './beats.ts';
import { capitalised } from './beats.ts';
import type { Candidate } from './candidate-scores.ts';
import type { Material } from './material.ts';
import { GROUNDS } from './place-phrases.ts';
import { onFineScale, onScale } from './prompt-score.ts';
import { coloursOf, describe, ratioOf, type SeenImage } from './seen-image.ts';
import type { Unit } from './split-instruction.ts';
import { textAnswer } from './text-answer.ts';

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

type Words = readonly (readonly [name: RegExp, say: (material: Material, spot: Spot) => string])[];

const beatOf = (material: Material, { beat }: Spot): Beat => beat ?? material.beats(1)[0] ?? nothing();
const nothing = (): never => {
  throw new Error('a story has no beat');
};

/** What an image tells by itself; the nth of a list is about the nth image, or its nth colour. */
const OF_IMAGES: readonly (readonly [name: RegExp, say: (images: readonly SeenImage[], index: number) => string])[] = [
  [/palette|colou?rs?|tint/, ([image], n) => (image && (coloursOf(image)[n] ?? coloursOf(image)[0])) ?? 'unknown'],
  [/(^|_)(aspect|ratio)/, (images, n) => ratioOf(images[n] ?? images[0]!)],
  [/format|file_type/, (images, n) => (images[n] ?? images[0]!).format],
];

/** The first that fits tells. Names come with `_` between their words. */
const TEXTS: Words = [
  [/negative/, () => 'blurry, distorted, extra limbs, text, watermark'],
  [/(^|_)(aspect|ratio)/, () => '16:9'],
  [/resolution|quality/, () => '720p'],
  [/(^|_)(duration|length|seconds|timing)/, (m, s) => `${beatOf(m, s).seconds}s`],
  [/time_?code|timestamp|(^|_)start|(^|_)end(_time)?$/, (m, s) => `${beatOf(m, s).seconds}s`],
  [/(shot|frame|framing)_?(size|type)|^framing$|^size$|^shot$|^type_of_shot$|_size$/, (m, s) => beatOf(m, s).size],
  [/camera|movement|(^|_)move(s|ment)?$|^motion$/, (m, s) => beatOf(m, s).camera],
  [
    /lens|focal/,
    (m, s) => (/close/.test(beatOf(m, s).size) ? '85mm' : /wide/.test(beatOf(m, s).size) ? '24mm' : '50mm'),
  ],
  [
    /time_of_day|^time$|^hour$/,
    m => ({ golden: 'golden hour', neon: 'night' })[m.story.time as string] ?? m.story.time,
  ],
  [/light/, (m, s) => beatOf(m, s).light],
  [/weather|atmosphere/, (m, s) => beatOf(m, s).weather ?? 'clear air'],
  [/mood|tone|emotion|feeling/, m => m.story.mood],
  [
    /genre/,
    m => ({ tense: 'thriller', sad: 'drama', joyful: 'comedy', epic: 'adventure', calm: 'drama' })[m.story.mood],
  ],
  [/palette|colou?rs?/, m => PALETTES[m.story.time] ?? 'slate grey'],
  [/style|look|aesthetic/, m => m.brief.style.join(', ') || 'natural light, 35mm film'],
  [/location|place|setting|environment|background|where/, m => m.story.ground],
  [/(^|_)(sound|audio|music|sfx|score_music|ambience)/, (m, s) => beatOf(m, s).sound],
  [
    /dialogue|voice|narration|spoken|(^|_)lines?$|caption|subtitle|tagline|slogan/,
    (m, s) => m.lines(s.index + 1).at(-1) ?? '',
  ],
  [
    /reason|rationale|explanation|comment|feedback|justif|critique|analysis|why|notes?$/,
    m => `${capitalised(m.verdict.reason)}.`,
  ],
  [/character|subject|protagonist|hero|^who|actor|(^|_)cast$/, m => m.story.who],
  [/action|happens|event|activity/, (m, s) => capitalised(beatOf(m, s).action)],
  [/detail|(^|_)props?$|texture/, (m, s) => beatOf(m, s).detail],
  [/transition/, () => 'cut'],
  [/language|locale/, () => 'en'],
  [
    /^(id|key|slug|file|file_?name|ref)$|_(id|slug|key)$/,
    (m, s) => slug(s.beat ? `${s.beat.n}-${s.beat.title}` : (m.titles(1)[0] ?? '')),
  ],
  [/model/, () => 'V-T2V-A'],
  [
    /logline|premise|synopsis|summary|pitch|overview|idea|concept|theme|story/,
    (m, s) => m.loglines(s.index + 1).at(-1) ?? '',
  ],
  [/tags?$|keywords?$|hashtag/, (m, s) => KEYWORDS(m)[s.index % KEYWORDS(m).length] ?? ''],
  [/title|heading|headline|name|label/, (m, s) => s.beat?.title ?? m.titles(s.index + 1).at(-1) ?? ''],
  [/verdict|decision|rating|grade/, m => (m.verdict.grade >= 0.6 ? 'ready to shoot' : 'needs more detail')],
  [/answer|response|result|reply|message|output/, m => textAnswer(m)],
];

/** Alone in an item these say what is seen; beside a prompt they say how, or where. */
const MAY_BE_SEEN = /^(?:looks?|style|aesthetic|setting|place|location|environment|detail)$/;
const IS_SEEN =
  /prompt|descri|visual|image|picture|scene|shot|action|happens|event|activity|content|text|summary|idea|concept|what/;

const PALETTES: Readonly<Record<string, string>> = {
  dawn: 'pale blue and rose',
  day: 'clear blue and white',
  golden: 'amber and umber',
  sunset: 'red and violet',
  dusk: 'deep blue and ink',
  night: 'black and silver',
  neon: 'magenta and cyan',
  overcast: 'grey and slate',
};
const KEYWORDS = ({ story }: Material): readonly string[] => [
  story.short.replace(/^the /, ''),
  story.ground.replace(/^the /, ''),
  story.time,
  story.mood,
  story.weather ?? 'still air',
  GROUNDS[story.place].far.replace(/^(?:the|a) /, ''),
];

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
export const snakeCase = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[\s-]+/g, '_')
    .toLowerCase();

/** A text for a property; whatever it is called, something that can be filmed. */
export function textFor(material: Material, spot: Spot): string {
  const { brief } = material;
  const name = snakeCase(spot.name);
  if (brief.task.is === 'translate' || brief.task.is === 'foreign' || brief.task.is === 'introduce')
    return textAnswer(material);
  if (brief.task.is === 'rewrite' && /prompt|text|description|rewrit|result|output|answer|version/.test(name))
    return material.rewritten;
  // Beside a prompt, a shot is its size.
  if (/^shot$/.test(name) && spot.among.some(other => /prompt|description|action|visual/.test(snakeCase(other))))
    return beatOf(material, spot).size;
  if (WORDS_OF_SCORE.test(name) && spot.among.some(other => SCORE.test(snakeCase(other)))) {
    const candidate = candidateAt(material, spot);
    if (candidate) return candidate.words;
  }
  if (
    spot.beat &&
    MAY_BE_SEEN.test(name) &&
    !spot.among.some(other => other !== spot.name && IS_SEEN.test(snakeCase(other)))
  )
    return spot.beat.prompt;
  const { images } = brief;
  if (images.length > 0) {
    const seen = OF_IMAGES.find(([pattern]) => pattern.test(name));
    if (seen) return seen[1](images, spot.index);
    if (
      brief.task.is === 'look' &&
      /descri|image|picture|photo|see|content|answer|text|caption|summary|notes?|comment|reason|what/.test(name)
    )
      return describe(images[spot.index] ?? images[0]!, spot.index + 1);
  }
  const found = TEXTS.find(([pattern]) => pattern.test(name));
  // A list of plain names holds what the list is called.
  if (found && !/^(?:beats?|shots?|scenes?|prompts?|visuals?)$/.test(name)) return found[1](material, spot);
  if (unitNamed(name) === 'prompt' && spot.beat === undefined) return material.prompts(spot.index + 1).at(-1) ?? '';
  return beatOf(material, spot).prompt;
}

/** @param scale what the schema lets a number be, where it says both ends */
export function numberFor(material: Material, spot: Spot, scale?: readonly [from: number, to: number]): number {
  const name = snakeCase(spot.name);
  const beat = beatOf(material, spot);
  if (SCORE.test(name)) return scoreFor(material, spot, scale);
  if (/confidence|probability|likelihood|(^|_)ratio|weight|strength|percent/.test(name))
    return /percent/.test(name)
      ? Math.round(material.verdict.grade * 100)
      : Math.round(material.verdict.grade * 100) / 100;
  if (/total|overall/.test(name) && /second|duration|length|time/.test(name))
    return material
      .beats(material.count('beat') ?? material.count('shot') ?? 3)
      .reduce((sum, { seconds }) => sum + seconds, 0);
  if (/^(start|from|begin|in)(_|$)|_(start|from)$/.test(name)) return beat.seconds * spot.index;
  if (/^(end|to|until|out)(_|$)|_(end|to)$/.test(name)) return beat.seconds * (spot.index + 1);
  if (/second|duration|length/.test(name)) return beat.seconds;
  if (/fps|frame_?rate/.test(name)) return 24;
  const image = material.brief.images[spot.index] ?? material.brief.images[0];
  if (/width/.test(name)) return image?.width ?? 1280;
  if (/height/.test(name)) return image?.height ?? 720;
  if (/seed/.test(name)) return 11 + spot.index;
  if (/year/.test(name)) return 2026;
  if (/count|total|number_of|num_|beats|shots|scenes/.test(name))
    return material.count('beat') ?? material.count('shot') ?? 3;
  return spot.index + 1;
}

const SCORE = /score|rating|grade|points?$|marks?$|stars/;
const WORDS_OF_SCORE = /words|reason|rationale|explanation|comment|feedback|justif|critique|analysis|why|notes?$/;

function scoreFor(material: Material, spot: Spot, scale: readonly [from: number, to: number] | undefined): number {
  const candidate = candidateAt(material, spot);
  if (candidate) return onFineScale(candidate.grade, ...(scale ?? material.scale));
  return scale ? onScale(material.verdict.grade, ...scale) : material.score;
}

/** Where each of a list is scored, it is about several candidates. */
const candidateAt = (material: Material, { index, of }: Spot): Candidate | undefined =>
  of > 1 ? material.candidates(of)[index] : undefined;

export const yesOrNo = (material: Material, spot: Spot): boolean =>
  /^(?:is_|has_)?(?:keep|pass|passed|approved?|ok|good|ready|accept(?:ed)?|valid)/.test(snakeCase(spot.name))
    ? material.verdict.grade >= 0.6
    : !/night|indoor|interior|loop/.test(snakeCase(spot.name));

/** `beats` and `storyboard` hold beats. */
export function unitNamed(name: string): Unit | undefined {
  const plain = snakeCase(name);
  return UNIT_NAMES.find(([pattern]) => pattern.test(plain))?.[1];
}

const UNIT_NAMES: readonly (readonly [RegExp, Unit])[] = [
  [/beat|storyboard|moment|outline/, 'beat'],
  [/shot|clip|frame|panel/, 'shot'],
  [/scene|part|chapter|sequence/, 'scene'],
  [/prompt|description|variation|version|take/, 'prompt'],
  [/title|headline/, 'title'],
  [/logline|idea|concept|premise|pitch/, 'logline'],
  [/(^|_)lines?$|caption|narration|voice|dialogue/, 'line'],
];
