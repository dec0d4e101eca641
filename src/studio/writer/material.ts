/** Everything the writer can say to one brief, made once: a text and a JSON answer draw on the same beats, titles and scores. */
import { Random } from '../random.ts';
import { type Beat, beatsOf, trimmed } from './beats.ts';
import type { Brief } from './brief.ts';
import { type Candidate, candidatesFor } from './candidate-scores.ts';
import { judge, onScale, type Verdict } from './prompt-score.ts';
import { rewrite } from './rewrite.ts';
import type { Unit } from './split-instruction.ts';
import { readStory, type Story } from './story.ts';
import { linesOf, loglinesOf, titlesOf } from './titles.ts';

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
  /** On the scale that was asked for. */
  readonly score: number;
  readonly scale: readonly [from: number, to: number];
  /** So many candidates, where each is to be scored. */
  candidates(count: number): readonly Candidate[];
  /** The text that was asked to be said again. */
  readonly rewritten: string;
  /** How many of a unit were asked for, if any. */
  count(unit: Unit): number | undefined;
  /** How many of anything were. */
  readonly anyCount: number | undefined;
}

/** For those who bring no logline. */
const IDEAS = [
  'a red fox crosses a frozen river at dawn',
  'an old lighthouse keeper lights the lamp in a storm',
  'a night train crosses a mountain pass in the snow',
  'a girl with a lantern walks through a foggy forest',
  'a girl with a kite walks along a windy coast at dusk',
  'a robot waters a garden in the desert at sunset',
] as const;

export function materialFor(brief: Brief): Material {
  const { style, words, seconds, variation, task } = brief;
  const idea = new Random(`idea|${brief.request}|${variation}`).pick(IDEAS);
  const story = readStory(brief.sourceText === '' ? idea : firstSentence(brief.sourceText), variation);
  const optionsFor = (count: number) => ({ count, style, words, seconds, variation });
  const verdict = judge(brief.sourceText);
  const scale = task.is === 'score' ? ([task.from, task.to] as const) : ([1, 10] as const);
  return {
    brief,
    story,
    beats: count => beatsOf(story, optionsFor(count)),
    prompts: count =>
      Array.from(
        { length: count },
        (_, n) =>
          beatsOf(story, { ...optionsFor(1), variation: n === 0 ? variation : `${variation} take ${n}` })[0]?.prompt ??
          '',
      ),
    titles: count => titlesOf(story, count, variation),
    loglines: count => (brief.sourceText === '' ? ideas(count, variation) : loglinesOf(story, count, variation)),
    lines: count => linesOf(story, count, variation),
    verdict,
    score: onScale(verdict.grade, ...scale),
    scale,
    candidates: count => candidatesFor(brief, count),
    rewritten: task.is === 'rewrite' ? rewrite(brief) : '',
    anyCount: task.is === 'write' ? task.units.find(({ count }) => count > 1)?.count : undefined,
    count: unit => (task.is === 'write' ? task.units.find(one => one.unit === unit)?.count : undefined),
  };
}

/** A different film each time, for as long as there are any. */
const ideas = (count: number, variation: string): readonly string[] => {
  const from = new Random(`ideas|${variation}`).whole(0, IDEAS.length - 1);
  return Array.from({ length: count }, (_, n) => {
    const idea = IDEAS[(from + n) % IDEAS.length] ?? IDEAS[0];
    return loglinesOf(readStory(idea, variation), Math.floor(n / IDEAS.length) + 1, variation).at(-1) ?? '';
  });
};

/** A logline is one sentence; what comes after it is talk. */
const firstSentence = (text: string): string =>
  trimmed((text.split(/(?<=[.!?])\s+(?=[A-Z])|\n/)[0]?.trim() || text).slice(0, 600), 60);
