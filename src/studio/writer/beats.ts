/**
 * A story in beats. Ten turns make an arc; however many beats are asked for, those are told that matter most, in their order, each as
 * a prompt that stands alone: shot size, camera, who does what where, light, and one small thing to look at.
 */
import { Random } from '../random.ts';
import { GROUNDS, LIGHTS, WEATHER } from './place-phrases.ts';
import type { Story } from './story.ts';
import { ORDER, type Part, TURNS, turnsFor } from './story-turns.ts';

export interface Beat {
  /** From 1. */
  readonly n: number;
  readonly title: string;
  /** `wide shot` */
  readonly size: string;
  /** `slow pan right` */
  readonly camera: string;
  /** `the fox crosses the frozen river`: one clause, in the present. */
  readonly action: string;
  readonly light: string;
  readonly detail: string;
  readonly weather: string | undefined;
  readonly sound: string;
  /** `interior`, where the name of the place does not say so. */
  readonly setting: string | undefined;
  /** Whole seconds. */
  readonly seconds: number;
  /** All of it in one line, for a video model. */
  readonly prompt: string;
}

interface BeatOptions {
  readonly count: number;
  /** Added to each prompt. */
  readonly style: readonly string[];
  /** Differs where another answer is wanted. */
  readonly variation: string;
  /** Seconds of all beats together, where that was said. */
  readonly seconds?: number | undefined;
  /** Words of one prompt, where that was said. */
  readonly words?: number | undefined;
}

export function beatsOf(story: Story, options: BeatOptions): readonly Beat[] {
  const random = new Random(`beats|${story.logline.toLowerCase()}|${options.count}|${options.variation}`);
  const ground = GROUNDS[story.place];
  const details = shuffled((story.frozen && ground.frozen) || ground.details, random);
  const lights = shuffled(LIGHTS[story.time], random);
  const weathers = story.weather ? shuffled(WEATHER[story.weather], random) : [];
  const lengths = lengthsOf(options);
  const seen = new Set<string>();
  return turnsFor(options.count).map((turn, index) => {
    const part: Part = TURNS[turn];
    // Each list at its own pace, so that the same light falls on another detail the next time.
    const nth = (list: readonly string[], more: number): string =>
      list[(index + Math.floor(index / 4) + more) % Math.max(1, list.length)] ?? '';
    const take = (tries: number): Beat => {
      const first = tries === 0 && options.variation === '' && index < ORDER.length;
      const [size, camera] = first ? part.framings[0] : random.pick(part.framings);
      const beat = {
        n: index + 1,
        title: titled(part.title, index, options.count),
        size,
        camera,
        action: part.action(story, random),
        light: lights[index % lights.length] ?? '',
        detail: nth(details, tries),
        weather: weathers.length > 0 ? nth(weathers, 0) : undefined,
        sound: ground.sound,
        setting: story.setting,
        seconds: lengths[index] ?? 4,
      };
      return { ...beat, prompt: promptOf(beat, options) };
    };
    // A beat that comes again is told in other words while there are any, and then at least in another picture.
    let beat = take(0);
    for (let tries = 1; tries < 48 && (seen.has(beat.prompt) || (tries < 12 && seen.has(beat.action))); tries++)
      beat = take(tries);
    seen.add(beat.action).add(beat.prompt);
    return beat;
  });
}

const titled = (title: string, index: number, count: number): string =>
  count > ORDER.length && index > 0 && index < count - 1 ? `${title} (${index + 1})` : title;

/** Where words are counted, the least needed part goes first. */
function promptOf(beat: Omit<Beat, 'prompt'>, { style, words }: Pick<BeatOptions, 'style' | 'words'>): string {
  const { size, camera, action, light, detail, weather, setting } = beat;
  const line = (parts: readonly (string | undefined)[]): string => {
    const given = parts.filter(part => part !== undefined && part !== '');
    return capitalised(`${size}, ${camera}: ${given.join(', ')}`);
  };
  const whole = [action, light, detail, weather, setting, ...style];
  if (words === undefined) return line(whole);
  const shorter = [
    whole,
    [action, light, weather, ...style],
    [action, light, ...style],
    [action, ...style],
    [action, light],
    [action],
  ];
  const found = shorter.map(line).find(text => countWords(text) <= words);
  return found ?? trimmed(capitalised(`${size}: ${action}`), words);
}

export const countWords = (text: string): number => text.split(/\s+/).filter(Boolean).length;

/** Ends with a whole word, and not with one that leads on to another. */
export function trimmed(text: string, words: number): string {
  const kept = text.split(/\s+/).slice(0, words);
  while (
    kept.length > 1 &&
    /^(?:a|an|the|of|on|in|at|to|and|with|into|over|from|by|its|his|her|their)$/i.test(kept.at(-1) ?? '')
  )
    kept.pop();
  return kept.join(' ').replace(/[,;:]$/, '');
}

/** A film of a given length is shared out, a second more to the first and the last picture; otherwise four and five seconds. */
function lengthsOf({ count, seconds }: BeatOptions): readonly number[] {
  if (seconds === undefined) return Array.from({ length: count }, (_, n) => (n === 0 || n === count - 1 ? 5 : 4));
  const base = Math.max(1, Math.floor(seconds / count));
  const left = Math.max(0, seconds - base * count);
  return Array.from({ length: count }, (_, n) => base + (n < left ? 1 : 0));
}

function shuffled(list: readonly string[], random: Random): readonly string[] {
  const order = [...list];
  for (let i = order.length - 1; i > 0; i--) {
    const j = random.whole(0, i);
    [order[i], order[j]] = [order[j] ?? '', order[i] ?? ''];
  }
  return order;
}

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
