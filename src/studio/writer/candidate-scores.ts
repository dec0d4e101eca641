/**
 * What each of several candidates is worth, as a judge is asked it. Candidates of words are judged by their words. Of pictures the writer
 * knows measures and colours, which make none better than another: their scores are drawn by the words of the request, so that one wins
 * clearly, another one for another request, and the same one each time the same is asked.
 */
import { Random } from '../shared/random.ts';
import type { Brief } from './brief.ts';
import { judge } from './prompts.ts';
import { coloursOf } from './seen-image.ts';
import { capitalised, shuffled } from './story.ts';

export interface Candidate {
  /** 0 to 1; no two of a request have the same. */
  readonly grade: number;
  /** One sentence. */
  readonly words: string;
}

/** As many as are asked for, in their order. */
export function candidatesFor(brief: Brief, count: number): readonly Candidate[] {
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
