/** A prompt judged by its words alone, and written again: shorter, changed as the request says, or with what it lacks. */
import { listed } from '../../model/text/format.ts';
import {
  CAMERAS,
  first,
  firstSaid,
  PLACES,
  placeIn,
  SIZES,
  SUBJECTS,
  TIMES,
  type Vocabulary,
  WEATHERS,
} from '../shared/vocabulary.ts';
import type { Brief } from './brief.ts';
import { beatsOf, capitalised, countWords, readStory, trimmed } from './story.ts';

export interface Verdict {
  /** 0 to 1. */
  readonly grade: number;
  /** `it names the shot size and the light, and says nothing of the camera` */
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
  const missing = NEEDED.filter(([, , names]) => !names(text)).map(([name]) => name);
  const words = countWords(text);
  const length = words < 4 ? 0 : words < 10 ? 0.04 : words <= 70 ? 0.08 : 0.02;
  const grade = Math.min(1, named.reduce((sum, [, weight]) => sum + weight, 0) + length);
  if (named.length === 0) return { grade, reason: 'it names nothing a camera could find' };
  const lacks = missing.length > 0 ? `, and says nothing of ${listed(missing.slice(0, 3), 'or')}` : '';
  const long = words > 70 ? '; it is longer than most models follow' : '';
  return { grade, reason: `it names ${listed(named.map(([name]) => name))}${lacks}${long}` };
}

/** A grade on a scale; whole numbers on one of at least four steps. */
export function onScale(grade: number, [from, to]: readonly [from: number, to: number]): number {
  const value = from + grade * (to - from);
  return to - from >= 4 ? Math.round(value) : Math.round(value * 100) / 100;
}

/** Line by line; a list keeps its numbers. */
export function rewrite(brief: Brief): string {
  return brief.source
    .split('\n')
    .map(line => {
      const [mark = ''] = /^\s*(?:\d+[.)]|[-*•])?\s*/.exec(line) ?? [];
      return line.length === mark.length ? line : mark + rewriteLine(line.slice(mark.length).trim(), brief);
    })
    .join('\n');
}

function rewriteLine(text: string, { task, request, words, style, variation }: Brief): string {
  if (task === 'shorten') return shortened(text, words ?? Math.max(4, Math.ceil(countWords(text) / 2)));
  const changed = changedBy(text.replace(/[.\s]+$/, ''), request);
  const full = [changed, ...style.filter(word => !changed.toLowerCase().includes(word.toLowerCase()))].join(', ');
  const complete = full === text.replace(/[.\s]+$/, '') ? completed(full, variation) : full;
  return words === undefined ? complete : shortened(complete, words);
}

/** Whole clauses go from the end; what comes first is what is seen first. */
function shortened(text: string, words: number): string {
  const clauses = text.split(/(?<=[,;.])\s+/);
  for (let count = clauses.length; count > 0; count--) {
    const kept = clauses
      .slice(0, count)
      .join(' ')
      .replace(/[,;.\s]+$/, '');
    if (countWords(kept) <= words) return kept;
  }
  return trimmed(clauses[0] ?? text, words);
}

/** With what a camera needs and the text does not say: size, camera, place, light. */
function completed(text: string, variation: string): string {
  const story = readStory(text, variation);
  const [beat] = beatsOf(story, { count: 1, style: [], variation });
  const lead = [first(SIZES, text) ? '' : beat?.size, first(CAMERAS, text) ? '' : beat?.camera]
    .filter(Boolean)
    .join(', ');
  const more = [text, story.where, beat?.detail, first(TIMES, text) ? '' : beat?.light].filter(Boolean).join(', ');
  return capitalised(lead === '' ? more : `${lead}: ${more}`);
}

/** `make it night` puts night where the text says dawn, or at its end. */
function changedBy(text: string, request: string): string {
  const [, from, to] =
    /\b(?:replace|change|swap)\s+["“]?([^"”]+?)["”]?\s+(?:with|to|for|into)\s+["“]?([^"”.,]+)["”]?/i.exec(request) ??
    [];
  if (from && to && text.includes(from)) return text.replace(from, to.trim());
  const tables: readonly Vocabulary<string>[] = [SIZES, CAMERAS, TIMES, WEATHERS, PLACES];
  return tables.reduce((changed, table) => {
    const wanted = firstSaid(table, request);
    const had = firstSaid(table, changed);
    if (wanted === undefined || wanted.word === had?.word) return changed;
    return had ? changed.replace(had.as, wanted.as) : `${changed}, ${wanted.as}`;
  }, text);
}
