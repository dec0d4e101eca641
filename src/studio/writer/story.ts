/**
 * A logline as a film: its subject, place, time and weather, and from them beats, titles, loglines and spoken lines. Every prompt holds the
 * whole logline, so that shots made apart show the same film; what it leaves open (place, time) is chosen once, by its own words.
 */
import { Random } from '../shared/random.ts';
import {
  first,
  firstSaid,
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

type Phrases = readonly [string, ...string[]];

/** What the writer knows of a place. */
interface Ground {
  readonly name: string;
  /** `on` the river, `in` the forest. */
  readonly on: string;
  /** A place one can reach there. */
  readonly far: string;
  /** Small things a camera finds. */
  readonly details: Phrases;
  readonly frozen?: Phrases;
  readonly trouble: Phrases;
  readonly frozenTrouble?: Phrases;
  readonly sound: string;
}

/** The words are those that the studio's own renderer reads (`vocabulary.ts`); a test holds each phrase to its row. */
export const GROUNDS = places.grounds as unknown as Readonly<Record<Place, Ground>>;
export const LIGHTS = places.lights as unknown as Readonly<Record<TimeOfDay, Phrases>>;

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
  readonly details: Phrases;
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
  const said = placeIn(idea);
  const setting = said === undefined ? settingIn(idea) : undefined;
  const kind = first(SUBJECTS, idea);
  const homes = rows.homes as unknown as Readonly<Record<string, readonly [Place, ...Place[]]>>;
  const place = said ?? setting?.place ?? random.pick(homes[kind ?? ''] ?? homes.other ?? ['field']);
  const { name, on, details, frozen, trouble, frozenTrouble } = GROUNDS[place];
  const isFrozen = SAID.winter.test(idea);
  return {
    idea,
    who: subjectIn(idea),
    place,
    ground: (said && groundIn(idea, said)) ?? setting?.ground ?? name,
    where: said !== undefined ? '' : setting !== undefined ? setting.place : `${on} ${name}`,
    time: first(TIMES, idea) ?? random.pick(['dawn', 'golden', 'dusk', 'overcast', 'day']),
    mood: first(MOODS, idea) ?? 'calm',
    details: (isFrozen && frozen) || details,
    trouble: random.pick((isFrozen && frozenTrouble) || trouble),
  };
}

const LEAD =
  /^(?:(?:an?|the|my|our)? ?(?:[\w-]+ ){0,3}(?:stor(?:y|ies)|film|movie|video|clip|teaser|trailer|promo|commercial|ad|advert|advertisement|spot|panels?|shots?|frames?|pictures?) (?:of|for|about|with|in which) )+/i;

/** `a young red fox` → `young red fox`: back to its article. Without a known word, what stands before the first verb or preposition. */
function subjectIn(idea: string): string {
  const known = firstSaid(SUBJECTS, idea)?.as;
  if (known !== undefined && !/^(?:she|he|her|him|it)$/i.test(known)) return nounPhrase(idea, known);
  const words = idea.replace(/^(?:an?|the|my|his|her|their|our) /i, '').split(' ');
  const end = words.findIndex((word, n) => n > 0 && (STOPS.test(word) || /(?:[^s]s|ing)$/.test(word)));
  return words.slice(0, Math.min(4, end < 0 ? 4 : end)).join(' ');
}

const groundIn = (idea: string, place: Place): string | undefined => {
  const said = firstSaid(
    PLACES.filter(([word]) => word === place),
    idea,
  )?.as;
  return (
    said &&
    `the ${nounPhrase(idea, said.replace(/^(?:on )?(?:the|a) /i, ''))}`.replace(/^the (?:outer )?space$/, 'deep space')
  );
};

function nounPhrase(idea: string, noun: string): string {
  const kept = [noun];
  const before = idea
    .slice(0, Math.max(0, idea.toLowerCase().indexOf(noun.toLowerCase())))
    .trim()
    .split(' ');
  for (let word = before.pop(); word && kept.length < 3 && !STOPS.test(word); word = before.pop()) {
    if (/(?:[^s]s|ing|[,;:])$/i.test(word)) break;
    kept.unshift(word);
  }
  return kept.join(' ');
}

const STOPS =
  /^(?:an?|the|its|his|her|their|my|our|this|that|some|in|on|at|by|of|to|into|over|under|across|through|along|near|from|with|and|towards?|between|behind|beyond|above|below|around|past|for|against|who|which|before|after|up|down)$/i;

/** A place that the renderer has no word for, by what it is like. */
function settingIn(idea: string): { readonly place: Place; readonly ground: string } | undefined {
  for (const [place, nouns] of Object.entries(rows.settings)) {
    const name = new RegExp(
      String.raw`\b(?:an?|the|his|her|their|its) ((?:[\w-]+ ){0,2}(?:${nouns.join('|')}))\b`,
      'i',
    ).exec(idea);
    if (name) return { place: place as Place, ground: `the ${name[1]}` };
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
  readonly sound: string;
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
  /** Seconds of all beats together. */
  readonly seconds?: number | undefined;
  /** Most words of one prompt. */
  readonly words?: number | undefined;
}

type Turn = keyof typeof rows.turns;
const ORDER = Object.keys(rows.turns) as readonly Turn[];
/** The turns that a short film keeps, the most important first. */
const WEIGHT: readonly Turn[] = [
  'act',
  'opening',
  'arrival',
  'trouble',
  'approach',
  'listen',
  'last',
  'detail',
  'effort',
  'turn',
];

/** The turns of a film of so many beats, in their order; a long film repeats those between its first and its last. */
function turnsFor(count: number): readonly Turn[] {
  const chosen = ORDER.filter(turn => WEIGHT.indexOf(turn) < count);
  const again = ORDER.slice(1, -2);
  const more = Array.from({ length: Math.max(0, count - ORDER.length) }, (_, n) => again[n % again.length] ?? 'act');
  return [...chosen.slice(0, -2), ...more, ...chosen.slice(-2)];
}

export function beatsOf(story: Story, options: BeatOptions): readonly Beat[] {
  const { count, style, variation, words } = options;
  const random = new Random(`beats|${story.idea.toLowerCase()}|${count}|${variation}`);
  const details = shuffled(story.details, random);
  const lights = shuffled(LIGHTS[story.time], random);
  const { far, sound } = GROUNDS[story.place];
  const idea = [story.idea, story.where].filter(Boolean).join(', ');
  return turnsFor(count).map((turn, index) => {
    const { title, framings, manners } = rows.turns[turn];
    const isFirst = variation === '' && index < ORDER.length;
    const [size = '', camera = ''] = framings[isFirst ? 0 : random.whole(0, framings.length - 1)] ?? [];
    const manner = manners[random.whole(0, manners.length - 1)] ?? '';
    const action = filled(manner, { idea, trouble: story.trouble, far });
    const light = lights[index % lights.length] ?? '';
    // At its own pace, so that the same light falls on another detail the next time.
    const detail = details[(index + Math.floor(index / 4)) % details.length] ?? '';
    const line = (parts: readonly string[]) => capitalised(`${size}, ${camera}: ${parts.join(', ')}`);
    const lines = [[action, light, detail, ...style], [action, light, ...style], [action, ...style], [action]].map(
      line,
    );
    const prompt = words === undefined ? lines[0] : lines.find(text => countWords(text) <= words);
    return {
      ...{
        n: index + 1,
        title: count > ORDER.length ? `${title} (${index + 1})` : title,
        size,
        camera,
        action,
        light,
        detail,
        sound,
      },
      seconds: secondsOf(index, options),
      prompt: prompt ?? trimmed(capitalised(`${size}: ${story.idea}`), words ?? 0),
    };
  });
}

/** A film of a given length is shared out to the second; otherwise four seconds a beat, and five for the first and the last. */
function secondsOf(index: number, { count, seconds }: BeatOptions): number {
  if (seconds === undefined) return index === 0 || index === count - 1 ? 5 : 4;
  const base = Math.max(1, Math.floor(seconds / count));
  return base + (index < seconds - base * count ? 1 : 0);
}

/** `n` titles, loglines or spoken lines; numbered once they come again. */
export function textsOf(
  story: Story,
  kind: 'titles' | 'loglines' | 'lines',
  count: number,
  variation: string,
): readonly string[] {
  const { far } = GROUNDS[story.place];
  const names =
    kind === 'titles'
      ? {
          who: titleCase(story.who),
          ground: titleCase(story.ground.replace(/^the /, '')),
          far: titleCase(far),
          hour: rows.hours[story.time],
        }
      : { idea: story.idea, trouble: story.trouble, ground: story.ground, far, Far: capitalised(far) };
  const all = [...new Set(rows[kind].map(pattern => capitalised(filled(pattern, names))))].filter(
    text => !/\bthe the\b/i.test(text),
  );
  const from =
    variation === '' ? 0 : new Random(`${kind}|${story.idea.toLowerCase()}|${variation}`).whole(1, all.length - 1);
  return Array.from(
    { length: count },
    (_, n) => (all[(from + n) % all.length] ?? '') + (n < all.length ? '' : ` (${Math.floor(n / all.length) + 1})`),
  );
}

const filled = (pattern: string, names: Readonly<Record<string, string>>): string =>
  pattern.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? '');

const SMALL = /^(?:an?|the|and|of|in|on|at|to|by|for|from|with|into|over|across|through|along|his|her|its|their)$/i;
const titleCase = (text: string): string =>
  text
    .split(' ')
    .map((word, n) => (n > 0 && SMALL.test(word) ? word : capitalised(word)))
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
