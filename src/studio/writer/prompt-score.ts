/**
 * How ready a prompt is to be shot, judged by its words alone: what a video model needs to be told, and whether it is. The same words
 * always get the same score.
 */
import { listed } from '../../domain/listed.ts';
import { CAMERAS, first, placeIn, SIZES, SUBJECTS, TIMES, WEATHERS } from '../vocabulary.ts';
import { countWords } from './beats.ts';

export interface Verdict {
  /** 0 to 1. */
  readonly grade: number;
  /** `it names the shot size and the light, and says nothing of the camera` */
  readonly reason: string;
}

const ASKED = [
  ['the subject', 0.22, (text: string) => first(SUBJECTS, text) !== undefined || /\b(?:a|an|the) [a-z]+/i.test(text)],
  ['the place', 0.18, (text: string) => placeIn(text) !== undefined],
  ['the light', 0.16, (text: string) => first(TIMES, text) !== undefined || /\blight\b/i.test(text)],
  ['the shot size', 0.16, (text: string) => first(SIZES, text) !== undefined],
  ['the camera', 0.14, (text: string) => first(CAMERAS, text) !== undefined],
  ['the air', 0.06, (text: string) => first(WEATHERS, text) !== undefined],
] as const;

export function judge(text: string): Verdict {
  const named = ASKED.filter(([, , says]) => says(text));
  const missing = ASKED.filter(([, , says]) => !says(text));
  const words = countWords(text);
  const length = words < 4 ? 0 : words < 10 ? 0.04 : words <= 70 ? 0.08 : 0.02;
  const grade = Math.min(1, named.reduce((sum, [, weight]) => sum + weight, 0) + length);
  const says =
    named.length > 0 ? `it names ${listed(named.map(([name]) => name))}` : 'it names nothing a camera could find';
  const lacks =
    missing.length > 0 && named.length > 0
      ? `, and says nothing of ${listed(
          missing.slice(0, 3).map(([name]) => name),
          'or',
        )}`
      : '';
  const long = words > 70 ? '; it is longer than most models follow' : '';
  return { grade, reason: says + lacks + long };
}

/** On a scale, to a tenth on one of at least four steps: several are told apart. */
export function onFineScale(grade: number, from: number, to: number): number {
  const steps = to - from >= 4 ? 10 : 100;
  return Math.round((from + grade * (to - from)) * steps) / steps;
}

/** On a scale; whole numbers on one of at least four steps. */
export function onScale(grade: number, from: number, to: number): number {
  const value = from + grade * (to - from);
  return to - from >= 4 ? Math.round(value) : Math.round(value * 100) / 100;
}
