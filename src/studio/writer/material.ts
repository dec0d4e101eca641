/** Everything that the writer can say to one brief: a text and a JSON answer draw on the same beats, titles and scores. */
import { Random } from '../shared/random.ts';
import type { Brief, Unit } from './brief.ts';
import { judge, onScale, rewrite, type Verdict } from './prompts.ts';
import { coloursOf, describe } from './seen-image.ts';
import { type Beat, beatsOf, capitalised, readStory, type Story, shuffled, textsOf, trimmed } from './story.ts';

export interface Material {
  readonly brief: Brief;
  readonly story: Story;
  /** So many beats of the same film. */
  beats(count: number): readonly Beat[];
  /** So many takes on its one decisive moment. */
  prompts(count: number): readonly string[];
  titles(count: number): readonly string[];
  loglines(count: number): readonly string[];
  lines(count: number): readonly string[];
  readonly verdict: Verdict;
  /** So many candidates, where each is to be scored. */
  candidates(count: number): readonly Candidate[];
  /** How many of a unit were asked for. */
  count(unit: Unit | undefined): number | undefined;
  /** The answer as text. */
  text(): string;
}

/** For requests without a logline. */
const IDEAS = [
  'a red fox crosses a frozen river at dawn',
  'an old lighthouse keeper lights the lamp in a storm',
  'a night train crosses a mountain pass in the snow',
  'a girl with a lantern walks through a foggy forest',
  'a robot waters a garden in the desert at sunset',
] as const;

export function materialFor(brief: Brief): Material {
  const { style, words, seconds, variation, units, source } = brief;
  const story = readStory(
    source === '' ? new Random(`idea|${brief.request}|${variation}`).pick(IDEAS) : firstSentence(source),
    variation,
  );
  const options = { style, words, seconds, variation };
  const texts = (kind: 'titles' | 'loglines' | 'lines') => (count: number) => textsOf(story, kind, count, variation);
  const material: Material = {
    brief,
    story,
    beats: count => beatsOf(story, { ...options, count }),
    prompts: count =>
      Array.from({ length: count }, (_, n) => (n === 0 ? variation : `${variation} take ${n}`))
        .flatMap(take => beatsOf(story, { ...options, count: 1, variation: take }))
        .map(({ prompt }) => prompt),
    titles: texts('titles'),
    loglines: texts('loglines'),
    lines: texts('lines'),
    verdict: judge(source),
    candidates: count => candidatesFor(brief, count),
    count: unit => (units.find(one => one.unit === unit) ?? units.find(({ count }) => count > 1))?.count,
    text: () => textAnswer(material),
  };
  return material;
}

/** A logline is one sentence. */
const firstSentence = (text: string): string =>
  trimmed((text.split(/(?<=[.!?])\s+(?=[A-Z])|\n/)[0]?.trim() || text).slice(0, 600), 60);

const UNABLE =
  'I am the small deterministic writer of the built-in studio, not a language model, and this is nothing I can answer. In English, I write beats, shots, prompts, titles and loglines for a logline, change or score a prompt, and fill a JSON schema. Set SHOTLIST_CHAT_UPSTREAM to pass chat on to a model that does more.';
const MEASURED =
  'That is all I can say of it: I measure, and know nothing of what is shown. Set SHOTLIST_CHAT_UPSTREAM to pass chat on to a model that sees.';

function textAnswer(material: Material): string {
  const { brief, verdict } = material;
  switch (brief.task) {
    case 'none':
      return UNABLE;
    case 'look':
      return `${brief.images.map((image, n) => describe(image, n + 1)).join(' ')} ${MEASURED}`;
    case 'rewrite':
    case 'shorten':
      return rewrite(brief);
    case 'score': {
      const score = onScale(verdict.grade, brief.scale);
      const isBare = /\b(?:only|just) (?:the |a |one )?(?:number|score)\b|\bnothing else\b/i.test(brief.request);
      return isBare ? String(score) : `${score}/${brief.scale[1]}: ${verdict.reason}.`;
    }
    case 'write':
      return unitsOf(brief)
        .map(({ unit, count }) => {
          const items = itemsOf(unit, count, material);
          const lines =
            items.length === 1 || brief.list === 'lines'
              ? items
              : items.map((item, n) => `${brief.list === 'bullets' ? '-' : `${n + 1}.`} ${item}`);
          if (unitsOf(brief).length === 1) return lines.join('\n');
          return lines.length === 1
            ? `${capitalised(unit)}: ${lines[0]}`
            : `${capitalised(unit)}s:\n${lines.join('\n')}`;
        })
        .join('\n\n');
  }
}

export const unitsOf = ({ units }: Brief): Brief['units'] =>
  units.length > 0 ? units : [{ unit: 'prompt', count: 1 }];

function itemsOf(unit: Unit, count: number, material: Material): readonly string[] {
  switch (unit) {
    case 'beat':
    case 'scene':
      return material.beats(count).map(({ prompt }) => `${prompt}.`);
    case 'shot':
      return material.beats(count).map(({ prompt, seconds }) => `${prompt}. (${seconds} s)`);
    case 'prompt':
      return material.prompts(count).map(prompt => `${prompt}.`);
    default:
      return material[`${unit}s`](count);
  }
}

/**
 * What each of several candidates is worth, as a judge is asked it. Candidates of words are judged by their words. Of pictures the writer
 * knows measures and colours, which make none better than another: their scores are drawn by the words of the request, so that one wins
 * clearly, another one for another request, and the same one each time the same is asked.
 */
export interface Candidate {
  /** 0 to 1; no two of a request have the same. */
  readonly grade: number;
  /** One sentence. */
  readonly words: string;
}

/** As many as are asked for, in their order. */
function candidatesFor(brief: Brief, count: number): readonly Candidate[] {
  const random = new Random(`scores|${brief.instruction}|${brief.variation}`);
  // `Candidate 2: …`, up to the next.
  const parts = brief.instruction.matchAll(
    /^[ \t]*(?:candidate|option|take|version) #?(\d{1,4})[:.)]([^\n]*(?:\n(?!\s*\w+ #?\d+[:.)])[^\n]*)*)/gim,
  );
  const descriptions = new Map([...parts].map(([, number, text = '']) => [Number(number), text.trim()]));
  const own = Array.from({ length: count }, (_, at) => descriptions.get(at + 1) ?? '');
  const texts = own.map(text => text.replace(/\bimages? \d+(?: to \d+)?(?: of the candidates)?;?/i, '').trim());
  const order = shuffled([...own.keys()], random);
  if (texts.every(text => text.split(/\s+/).length > 2)) {
    return texts.map((text, at) => {
      const { grade, reason } = judge(text);
      // Equal words are told apart by less than a word more or less counts.
      return { grade: Math.max(0, grade - (0.05 * (order[at] ?? 0)) / count), words: `${capitalised(reason)}.` };
    });
  }
  const best = random.between(0.84, 0.97);
  const apart = Math.min(0.16, (0.96 * best) / count);
  return own.map((text, at) => ({ grade: best - apart * (order[at] ?? 0), words: colourWords(brief, text, own) }));
}

function colourWords({ images }: Brief, description: string, all: readonly string[]): string {
  const [at] = imagesNamed(description);
  // Reference images are shown before the candidates' own, and not numbered with them.
  const before = Math.max(0, images.length - Math.max(0, ...all.flatMap(imagesNamed)));
  const image = at === undefined ? undefined : images[before + at - 1];
  const [one, two] = image ? coloursOf(image) : [];
  const looks = one === undefined ? '' : `Mostly ${one}${two === undefined ? '' : `, then ${two}`}. `;
  return `${looks}The score is drawn by the words of the request: I see nothing of what is shown.`;
}

/** `images 5 to 8`: the first, and the last. */
const imagesNamed = (description: string): readonly number[] =>
  (/\bimages? (\d+)(?: to (\d+))?/i.exec(description) ?? [])
    .slice(1)
    .flatMap(number => (number ? [Number(number)] : []));
