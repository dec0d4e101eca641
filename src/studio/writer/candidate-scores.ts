/**
 * What each of several candidates is worth, as a judge is asked it. Candidates of words are judged by their words. Of pictures the writer
 * knows measures and colours, which make none better than another: there the scores are drawn, by the words of the request, so that one
 * wins clearly, another one for another request, and the same one each time the same is asked.
 */
import { Random } from '../random.ts';
import { capitalised } from './beats.ts';
import type { Brief } from './brief.ts';
import { judge } from './prompt-score.ts';
import { coloursOf } from './seen-image.ts';

export interface Candidate {
  /** 0 to 1: no two of a request have the same. */
  readonly grade: number;
  /** One sentence. */
  readonly words: string;
}

/** As many as are asked for, in their order. */
export function candidatesFor(brief: Brief, count: number): readonly Candidate[] {
  const random = new Random(`scores|${brief.said}|${brief.variation}`);
  const told = tellingsOf(brief.said);
  const own = Array.from({ length: count }, (_, at) => told.get(at + 1) ?? '');
  const texts = own.map(text => text.replace(IMAGES, '').trim());
  return texts.every(text => text.split(/\s+/).length > 2)
    ? byTheirWords(texts, random)
    : byLot(count, random).map((grade, at) => ({ grade, words: seen(brief, own[at] ?? '', own) }));
}

/** `Candidate 2: …`, up to the next. */
function tellingsOf(said: string): ReadonlyMap<number, string> {
  const parts = said.matchAll(
    /^[ \t]*(?:candidate|option|take|version) #?(\d{1,4})[:.)]([^\n]*(?:\n(?!\s*\w+ #?\d+[:.)])[^\n]*)*)/gim,
  );
  return new Map([...parts].map(([, number, text = '']) => [Number(number), text.trim()]));
}

const IMAGES = /\bimages? \d+(?: to \d+)?(?: of the candidates)?;?/i;

/** What is as good by its words is told apart, by less than a word more or less counts. */
function byTheirWords(texts: readonly string[], random: Random): readonly Candidate[] {
  const order = shuffled(texts.length, random);
  return texts.map((text, at) => {
    const { grade, reason } = judge(text);
    const apart = (0.05 * (order[at] ?? 0)) / texts.length;
    return { grade: Math.max(0, grade - apart), words: `${capitalised(reason)}.` };
  });
}

/** The best is good and the next clearly less, down to what has little left. */
function byLot(count: number, random: Random): readonly number[] {
  const best = random.between(0.84, 0.97);
  const apart = Math.min(0.1, (0.6 * best) / count);
  const grades: number[] = [];
  for (let n = 0, grade = best; n < count; n++, grade -= apart * random.between(1, 1.6)) grades.push(grade);
  return shuffled(count, random).map(rank => grades[rank] ?? best);
}

function shuffled(count: number, random: Random): readonly number[] {
  const order = Array.from({ length: count }, (_, at) => at);
  for (let at = count - 1; at > 0; at--) {
    const other = random.whole(0, at);
    [order[at], order[other]] = [order[other] ?? 0, order[at] ?? 0];
  }
  return order;
}

function seen({ images }: Brief, telling: string, all: readonly string[]): string {
  const [first] = imagesNamed(telling);
  // What they are held against is shown before theirs, and not numbered with them.
  const before = Math.max(0, images.length - Math.max(0, ...all.flatMap(imagesNamed)));
  const image = first === undefined ? undefined : images[before + first - 1];
  const [one, two] = image ? coloursOf(image) : [];
  const looks = one === undefined ? '' : `Mostly ${one}${two === undefined ? '' : `, then ${two}`}. `;
  return `${looks}The score is drawn by the words of the request: I see nothing of what is shown.`;
}

/** `images 5 to 8`: the first, and the last. */
const imagesNamed = (telling: string): readonly number[] =>
  (/\bimages? (\d+)(?: to (\d+))?/i.exec(telling) ?? []).slice(1).flatMap(number => (number ? [Number(number)] : []));
