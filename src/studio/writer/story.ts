/**
 * A logline as a film: its subject, place and time, and from them beats, titles, loglines and spoken lines. Every prompt holds the whole
 * logline, so that shots made apart show the same film; what it leaves open (place, time) is chosen once, by its own words.
 */
import { Random } from '../shared/random.ts';
import {
  first,
  firstMatch,
  MOODS,
  PLACES,
  type Place,
  placeIn,
  SAID,
  SUBJECTS,
  TIMES,
  type TimeOfDay,
} from '../shared/vocabulary.ts';
import places from './data/places.json' with { type: 'json' };
import rows from './data/story.json' with { type: 'json' };

/** What the writer knows of a place. */
interface Ground {
  readonly name: string;
  /** `on` the river, `in` the forest. */
  readonly on: string;
  /** A place one can reach there. */
  readonly far: string;
  /** Small things that a camera finds. */
  readonly details: readonly string[];
  readonly frozen?: readonly string[];
  readonly trouble: readonly string[];
  readonly frozenTrouble?: readonly string[];
  readonly sound: string;
}

/** The words are those that the studio's renderer reads (`vocabulary.ts`); a test holds each phrase to its row. */
export const GROUNDS: Readonly<Record<Place, Ground>> = places.grounds;
export const LIGHTS: Readonly<Record<TimeOfDay, readonly string[]>> = places.lights;
const HOMES: Readonly<Record<string, readonly string[]>> = rows.homes;

export interface Story {
  /** `a fox crosses a frozen river`: without a full stop. */
  readonly idea: string;
  /** `red fox` */
  readonly who: string;
  readonly place: Place;
  /** `the frozen river` */
  readonly ground: string;
  /** `in the forest`, where the idea names no place that the renderer knows; otherwise empty. */
  readonly where: string;
  readonly time: TimeOfDay;
  readonly mood: string;
  readonly details: readonly string[];
  readonly trouble: string;
}

export function readStory(text: string, variation: string): Story {
  const idea = text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(LEAD, '')
    .replace(/^([^,;:]{2,60}?) (?:who|that|which) /i, '$1 ')
    .replace(/[.!\s]+$/, '');
  const random = new Random(`story|${idea.toLowerCase()}|${variation}`);
  const named = placeIn(idea);
  const setting = named ? undefined : settingIn(idea);
  const homes = HOMES[first(SUBJECTS, idea) ?? ''] ?? HOMES.other;
  const place = named ?? setting?.place ?? (pick(homes, random) as Place);
  const { name, on, details, frozen, trouble, frozenTrouble } = GROUNDS[place];
  const isFrozen = SAID.winter.test(idea);
  return {
    idea,
    who: subjectIn(idea),
    place,
    ground: setting?.ground ?? (named && groundIn(idea, named)) ?? name,
    where: named ? '' : (setting?.place ?? `${on} ${name}`),
    time: first(TIMES, idea) ?? random.pick(['dawn', 'golden', 'dusk', 'overcast', 'day']),
    mood: first(MOODS, idea) ?? 'calm',
    details: (isFrozen && frozen) || details,
    trouble: pick((isFrozen && frozenTrouble) || trouble, random),
  };
}

const pick = (list: readonly string[] = [], random: Random): string => list[random.whole(0, list.length - 1)] ?? '';

const LEAD =
  /^(?:(?:an?|the|my|our)? ?(?:[\w-]+ ){0,3}(?:stor(?:y|ies)|film|movie|video|clip|teaser|trailer|promo|commercial|ad|advert|advertisement|spot|panels?|shots?|frames?|pictures?) (?:of|for|about|with|in which) )+/i;

/** `a young red fox` → `young red fox`. Without a known word: the words before the first verb or preposition. */
function subjectIn(idea: string): string {
  const known = firstMatch(SUBJECTS, idea)?.as;
  if (known !== undefined && !/^(?:she|he|her|him|it)$/i.test(known)) return nounPhrase(idea, known);
  const words = idea.replace(/^(?:an?|the|my|his|her|their|our) /i, '').split(' ');
  const end = words.findIndex((word, n) => n > 0 && (STOPS.test(word) || VERB.test(word)));
  return words.slice(0, Math.min(4, end < 0 ? 4 : end)).join(' ');
}

function groundIn(idea: string, place: Place): string | undefined {
  const row = PLACES.filter(([word]) => word === place);
  const name = firstMatch(row, idea)?.as.replace(/^(?:on )?(?:the|a) /i, '');
  return name && `the ${nounPhrase(idea, name)}`.replace(/^the (?:outer )?space$/, 'deep space');
}

/** The noun with up to two words before it: back to its article, a verb or the end of a clause. */
function nounPhrase(idea: string, noun: string): string {
  const before = idea
    .slice(0, Math.max(0, idea.toLowerCase().indexOf(noun.toLowerCase())))
    .trim()
    .split(' ');
  const stop = before.findLastIndex(word => word === '' || STOPS.test(word) || VERB.test(word) || /[,;:]$/.test(word));
  return [...before.slice(Math.max(stop + 1, before.length - 2)), noun].join(' ');
}

const VERB = /(?:[^s]s|ing)$/i;
const STOPS =
  /^(?:an?|the|its|his|her|their|my|our|this|that|some|in|on|at|by|of|to|into|over|under|across|through|along|near|from|with|and|towards?|between|behind|beyond|above|below|around|past|for|against|who|which|before|after|up|down)$/i;

/** A place that the renderer has no word for, by what it is like. */
function settingIn(idea: string): { readonly place: Place; readonly ground: string } | undefined {
  for (const [place, nouns] of Object.entries(rows.settings)) {
    const [, name] =
      new RegExp(`\\b(?:an?|the|his|her|their|its) ((?:[\\w-]+ ){0,2}(?:${nouns}))\\b`, 'i').exec(idea) ?? [];
    if (name) return { place: place as Place, ground: `the ${name}` };
  }
  return undefined;
}

export interface Beat {
  /** From 1. */
  readonly n: number;
  readonly title: string;
  /** `wide shot` */
  readonly size: string;
  /** `slow pan right` */
  readonly camera: string;
  /** `a fox crosses a frozen river, small against it all` */
  readonly action: string;
  readonly light: string;
  readonly detail: string;
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
  readonly seconds?: number | undefined;
  /** Most words of one prompt. */
  readonly words?: number | undefined;
}

/** A film of `count` beats keeps the most important turns, in their order; a long one repeats those between its first and its last two. */
function turnsFor(count: number): typeof rows.turns {
  const chosen = rows.turns.filter(({ weight }) => weight <= count);
  const again = rows.turns.slice(1, -2);
  const more = Array.from({ length: count - chosen.length }, (_, n) => again[n % again.length]!);
  return [...chosen.slice(0, -2), ...more, ...chosen.slice(-2)];
}

export function beatsOf(story: Story, { count, style, variation, seconds, words }: BeatOptions): readonly Beat[] {
  const random = new Random(`beats|${story.idea.toLowerCase()}|${count}|${variation}`);
  const details = shuffled(story.details, random);
  const lights = shuffled(LIGHTS[story.time], random);
  const idea = [story.idea, story.where].filter(Boolean).join(', ');
  return turnsFor(count).map(({ title, size, cameras, manners }, index) => {
    const camera = variation === '' && index < rows.turns.length ? (cameras[0] ?? '') : pick(cameras, random);
    const action = filled(pick(manners, random), { idea, trouble: story.trouble, far: GROUNDS[story.place].far });
    const light = lights[index % lights.length] ?? '';
    // At its own pace, so that the same light falls on another detail the next time.
    const detail = details[(index + Math.floor(index / 4)) % details.length] ?? '';
    return {
      ...{ n: index + 1, title: count > rows.turns.length ? `${title} (${index + 1})` : title },
      ...{ size, camera, action, light, detail, seconds: secondsOf(index, count, seconds) },
      prompt: withinWords(`${capitalised(size)}, ${camera}: ${action}`, [light, detail, ...style], style, words),
    };
  });
}

/** With all that fits: of what does not, the detail and the light go first, then the look. */
function withinWords(
  start: string,
  all: readonly string[],
  style: readonly string[],
  words = Number.POSITIVE_INFINITY,
) {
  const texts = [all, [all[0] ?? '', ...style], style, []].map(parts => [start, ...parts].join(', '));
  return texts.find(text => countWords(text) <= words) ?? trimmed(start, words);
}

/** A film of a given length is shared out to the second; otherwise four seconds a beat, and five for the first and the last. */
function secondsOf(index: number, count: number, seconds: number | undefined): number {
  if (seconds === undefined) return index === 0 || index === count - 1 ? 5 : 4;
  const base = Math.max(1, Math.floor(seconds / count));
  return base + (index < seconds - base * count ? 1 : 0);
}

/** `count` titles, loglines or spoken lines; numbered once they come again. */
export function textsOf(
  story: Story,
  kind: 'titles' | 'loglines' | 'lines',
  count: number,
  variation: string,
): readonly string[] {
  const { far } = GROUNDS[story.place];
  const { idea, trouble, ground, who } = story;
  const names =
    kind === 'titles'
      ? { who: titleCase(who), ground: titleCase(ground.replace(/^the /, '')), hour: rows.hours[story.time] }
      : { idea, trouble, ground, far };
  const all = rows[kind].map(pattern => capitalised(filled(pattern, names)));
  const from = variation === '' ? 0 : new Random(`${kind}|${idea.toLowerCase()}|${variation}`).whole(1, all.length - 1);
  return Array.from(
    { length: count },
    (_, n) => (all[(from + n) % all.length] ?? '') + (n < all.length ? '' : ` (${Math.floor(n / all.length) + 1})`),
  );
}

const filled = (pattern: string, names: Readonly<Record<string, string>>): string =>
  pattern.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? '');

const titleCase = (text: string): string =>
  text
    .split(' ')
    .map((word, n) => (n > 0 && STOPS.test(word) ? word : capitalised(word)))
    .join(' ');

export const countWords = (text: string): number => text.split(/\s+/).filter(Boolean).length;
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** At most so many words; not ended by one that leads on to another. */
export function trimmed(text: string, words: number): string {
  const kept = text.split(/\s+/).slice(0, words);
  while (kept.length > 1 && STOPS.test(kept.at(-1) ?? '')) kept.pop();
  return kept.join(' ').replace(/[,;:]$/, '');
}

export function shuffled<T>(list: readonly T[], random: Random): readonly T[] {
  const order = [...list];
  for (let at = order.length - 1; at > 0; at--) {
    const other = random.whole(0, at);
    [order[at], order[other]] = [order[other] as T, order[at] as T];
  }
  return order;
}
