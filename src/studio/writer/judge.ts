/** Prompts and candidates judged by their words alone, and prompts written again: shorter, changed as the request says, or with what they lack. */
import { listed } from '../../model/text/format.ts';
import { Random } from '../shared/random.ts';
import {
  CAMERAS,
  first,
  firstMatch,
  PLACES,
  placeIn,
  SIZES,
  SUBJECTS,
  TIMES,
  type Vocabulary,
  WEATHERS,
} from '../shared/vocabulary.ts';
import type { Brief } from './brief.ts';
import { coloursOf } from './seen-image.ts';
import { beatsOf, capitalised, countWords, readStory, shuffled, trimmed } from './story.ts';

export interface Verdict {
  /** 0 to 1. */
  readonly grade: number;
  /** `It names the shot size and the light, and says nothing of the camera.` */
  readonly reason: string;
}

/** What a video model needs to know, and what it weighs. */
const NEEDED = [
  ['the subject', 0.22, (text: string) => first(SUBJECTS, text) !== undefined || /\b(?:a|an|the) [a-z]+/i.test(text)],
  ['the place', 0.18, (text: string) => placeIn(text) !== undefined],
  ['the light', 0.16, (text: string) => first(TIMES, text) !== undefined || /\blight\b/i.test(text)],
  ['the shot size', 0.16, (text: string) => first(SIZES, text) !== undefined],
  ['the camera', 0.14, (text: string) => first(CAMERAS, text) !== undefined],
  ['the air', 0.06, (text: string) => first(WEATHERS, text) !== undefined],
] as const;

export function judge(text: string): Verdict {
  const named = NEEDED.filter(([, , names]) => names(text));
  const missing = NEEDED.filter(row => !named.includes(row)).map(([name]) => name);
  const words = countWords(text);
  const length = words < 4 ? 0 : words < 10 ? 0.04 : words <= 70 ? 0.08 : 0.02;
  const grade = Math.min(1, named.reduce((sum, [, weight]) => sum + weight, 0) + length);
  if (named.length === 0) return { grade, reason: 'It names nothing a camera could find.' };
  const lacks = missing.length > 0 ? `, and says nothing of ${listed(missing.slice(0, 3), 'or')}` : '';
  const long = words > 70 ? '; it is longer than most models follow' : '';
  return { grade, reason: `It names ${listed(named.map(([name]) => name))}${lacks}${long}.` };
}

/** A grade on a scale, by default in whole numbers on one of at least four steps. */
export function onScale(
  grade: number,
  [from, to]: readonly [from: number, to: number],
  steps = to - from >= 4 ? 1 : 100,
): number {
  return Math.round((from + grade * (to - from)) * steps) / steps;
}

/**
 * What each of several candidates is worth, in their order; no two have the same grade. Candidates of words are judged by their words. Of
 * pictures the writer knows measures and colours, which make none better than another: their grades are drawn by the words of the request,
 * so that one wins clearly, another one for another request, and the same one each time the same is asked.
 */
export function judgeCandidates(brief: Brief, count: number): readonly Verdict[] {
  const random = new Random(`scores|${brief.instruction}|${brief.variation}`);
  // `Candidate 2: …`, up to the next.
  const parts = brief.instruction.matchAll(
    /^[ \t]*(?:candidate|option|take|version) #?(\d{1,4})[:.)]([^\n]*(?:\n(?!\s*\w+ #?\d+[:.)])[^\n]*)*)/gim,
  );
  const texts = new Map([...parts].map(([, number, text = '']) => [Number(number), text.trim()]));
  const candidates = Array.from({ length: count }, (_, at) => {
    const text = texts.get(at + 1) ?? '';
    const [image, from, to] = /\bimages? (\d+)(?: to (\d+))?(?: of the candidates)?;?/i.exec(text) ?? [];
    return { text: text.replace(image ?? '', '').trim(), from: Number(from ?? 0), to: Number(to ?? from ?? 0) };
  });
  const order = shuffled([...candidates.keys()], random);
  if (candidates.every(({ text }) => text.split(/\s+/).length > 2))
    return candidates.map(({ text }, at) => {
      const { grade, reason } = judge(text);
      // Less than a word more or less counts.
      return { grade: Math.max(0, grade - (0.05 * (order[at] ?? 0)) / count), reason };
    });
  const best = random.between(0.84, 0.97);
  const apart = Math.min(0.16, (0.96 * best) / count);
  // Reference images are shown before the candidates' own, and not numbered with them.
  const before = Math.max(0, brief.images.length - Math.max(...candidates.map(({ to }) => to)));
  return candidates.map(({ from }, at) => {
    const image = from > 0 ? brief.images[before + from - 1] : undefined;
    const colours = image ? `Mostly ${coloursOf(image).slice(0, 2).join(', then ')}. ` : '';
    const reason = `${colours}The score is drawn by the words of the request: I see nothing of what is shown.`;
    return { grade: best - apart * (order[at] ?? 0), reason };
  });
}

/** The brief's source written again, line by line; a list keeps its numbers. */
export function rewrite(brief: Brief): string {
  return brief.source
    .split('\n')
    .map(line => {
      const [mark = ''] = /^\s*(?:\d+[.)]|[-*•])?\s*/.exec(line) ?? [];
      return line.length === mark.length ? line : mark + rewriteLine(line.slice(mark.length).trim(), brief);
    })
    .join('\n');
}

function rewriteLine(text: string, { request, words, style, variation }: Brief): string {
  if (/\b(?:shorten|shorter|trim|condense|tighten|fewer words|summari[sz]e)\b/i.test(request))
    return shortened(text, words ?? Math.max(4, Math.ceil(countWords(text) / 2)));
  const plain = text.replace(/[.\s]+$/, '');
  const changed = changedBy(plain, request);
  const full = [changed, ...style.filter(word => !changed.toLowerCase().includes(word.toLowerCase()))].join(', ');
  const complete = full === plain ? completed(full, variation) : full;
  return words === undefined ? complete : shortened(complete, words);
}

/** Whole clauses go from the end: what comes first is what is seen first. */
function shortened(text: string, words: number): string {
  const clauses = text.split(/(?<=[,;.])\s+/);
  while (clauses.length > 1 && countWords(clauses.join(' ')) > words) clauses.pop();
  const kept = clauses.join(' ').replace(/[,;.\s]+$/, '');
  return countWords(kept) <= words ? kept : trimmed(kept, words);
}

/** With what a camera needs and the text does not say: size, camera, place, light. */
function completed(text: string, variation: string): string {
  const story = readStory(text, variation);
  const [beat] = beatsOf(story, { count: 1, style: [], variation });
  const lead = [first(SIZES, text) ? '' : beat?.size, first(CAMERAS, text) ? '' : beat?.camera];
  const more = [text, story.where, beat?.detail, first(TIMES, text) ? '' : beat?.light];
  const [start, rest] = [lead, more].map(parts => parts.filter(Boolean).join(', '));
  return capitalised(start ? `${start}: ${rest}` : (rest ?? ''));
}

/** `make it night` replaces dawn by night, or adds night at the end. */
function changedBy(text: string, request: string): string {
  const [, from, to] =
    /\b(?:replace|change|swap)\s+["“]?([^"”]+?)["”]?\s+(?:with|to|for|into)\s+["“]?([^"”.,]+)["”]?/i.exec(request) ??
    [];
  if (from && to && text.includes(from)) return text.replace(from, to.trim());
  const tables: readonly Vocabulary<string>[] = [SIZES, CAMERAS, TIMES, WEATHERS, PLACES];
  return tables.reduce((changed, table) => {
    const wanted = firstMatch(table, request);
    const had = firstMatch(table, changed);
    if (wanted === undefined || wanted.word === had?.word) return changed;
    return had ? changed.replace(had.as, wanted.as) : `${changed}, ${wanted.as}`;
  }, text);
}
