/**
 * A logline, read as a story: who, what they do, where, when, in what weather. Whatever it leaves open is chosen once, by its own words,
 * and then holds for every beat, so that shots made apart fit together.
 */
import { Random } from '../random.ts';
import {
  all,
  first,
  MOODS,
  type Mood,
  PLACES,
  type Place,
  placeIn,
  SAID,
  SUBJECTS,
  type SubjectKind,
  TIMES,
  type TimeOfDay,
  WEATHERS,
  type WeatherKind,
} from '../vocabulary.ts';
import rows from './data/story.json' with { type: 'json' };
import { GROUNDS } from './place-phrases.ts';
import { finite, isBase, isVerb, plural } from './verbs.ts';

export type Group = 'animal' | 'flier' | 'person' | 'people' | 'vehicle' | 'thing';

export interface Story {
  /** As the author wrote it, without a full stop. */
  readonly logline: string;
  /** `a red fox` */
  readonly who: string;
  /** `the red fox` */
  readonly short: string;
  readonly kind: SubjectKind | undefined;
  readonly group: Group;
  /** `its`, `her` */
  readonly whose: string;
  /** `it`, `she` */
  readonly they: string;
  /** `crosses the frozen river`; empty where the logline tells of nothing happening. */
  readonly act: string;
  readonly place: Place;
  /** `the frozen river` */
  readonly ground: string;
  /** What kind of place it is, where the renderer has no word for its name. */
  readonly setting: Place | undefined;
  readonly frozen: boolean;
  readonly time: TimeOfDay;
  readonly weather: WeatherKind | undefined;
  readonly mood: Mood;
}

export function readStory(text: string, variation: string): Story {
  const logline = text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(LEAD, '')
    .replace(/ (?:commercial|advert|ad|spot|film|clip|video) (?:set |shot )?(?=(?:in|on|at) )/i, ' ')
    .replace(/[.!\s]+$/, '');
  const random = new Random(`story|${logline.toLowerCase()}|${variation}`);
  const { who, act: done } = split(logline);
  const kind = first(SUBJECTS, who) ?? first(SUBJECTS, logline);
  const group = groupOf(kind, who);
  const [verb = '', ...object] = done.split(' ');
  const act = group === 'people' ? [plural(verb), ...object].join(' ') : done;
  const said = placeIn(logline);
  const setting = said === undefined ? settingIn(logline) : undefined;
  const place = said ?? setting?.place ?? random.pick(HOMES[kind ?? ''] ?? HOMES[group] ?? ['city']);
  const ground = (said && groundIn(logline, said)) ?? setting?.ground ?? GROUNDS[place].name;
  const frozen = SAID.winter.test(logline);
  return {
    logline,
    who,
    short: shortOf(who),
    kind,
    group,
    ...pronouns(group, who),
    act: withThe(act, ground),
    place,
    ground,
    setting: setting?.place,
    frozen,
    time: first(TIMES, logline) ?? random.pick(['dawn', 'golden', 'dusk', 'overcast', 'day']),
    weather: all(WEATHERS, logline)[0] ?? (frozen ? 'snow' : undefined),
    mood: first(MOODS, logline) ?? 'calm',
  };
}

/** `a fox who crosses …`, `a fox crosses …`, `a fox crossing …`: the one and what they do. */
function split(logline: string): { readonly who: string; readonly act: string } {
  const plain = logline.split(/\s*[,;:]\s+/)[0] ?? logline;
  const words = plain.replace(LEAD, '').split(' ');
  const pair = words.indexOf('and');
  const at = words.findIndex(
    (word, n) =>
      n > 0 &&
      (isRelative(word) || isVerb(word, words[n - 1], words[n + 1]) || (pair > 0 && n > pair + 1 && isBase(word))),
  );
  if (at < 0) {
    const [who = plain] = plain
      .replace(LEAD, '')
      .split(/ (?=(?:in|on|at|by|near|under|over|with|through|along|inside|beneath|above)\b)/);
    return { who: uncapitalised(who), act: '' };
  }
  const rest = words.slice(isRelative(words[at] ?? '') ? at + 1 : at);
  const doing = [finite(rest[0] ?? ''), ...rest.slice(1)].join(' ');
  return { who: uncapitalised(words.slice(0, at).join(' ')), act: doing.replace(WHEN, '').trim() };
}

const LEAD =
  /^(?:(?:(?:an?|the) )?(?:(?:short|little|new) )?(?:story|tale|film|movie|video|clip|portrait|sequence|scene|spot|commercial) (?:of|about|with|in which) |an? \d+[- ](?:second|minute) |how |there is |when |as )/i;
const WHEN =
  /\s+(?:at|in|during|before|after|through|under|by|just before|just after|on)\s+(?:the\s+|a\s+)?(?:\w+\s+)?(?:dawn|sunrise|morning|daybreak|noon|midday|dusk|twilight|evening|sunset|sundown|night|midnight|nightfall|golden hour|blue hour|moonlight|first light)\b/gi;
const isRelative = (word: string): boolean => /^(?:who|that|which|whose)$/i.test(word);
const uncapitalised = (text: string): string =>
  /^(?:A|An|The|One|Two|Three|His|Her|Their|My|Our)\b/.test(text) ? text[0]?.toLowerCase() + text.slice(1) : text;

/** `a young red fox in the reeds` → `the young red fox`; a name stays a name. */
function shortOf(who: string): string {
  const [head = who] = who.split(/ (?:of|with|in|from|on|at|wearing|carrying|named) /);
  return /^(?:a|an|one|some) /i.test(head)
    ? head.replace(/^\w+/, 'the')
    : head.replace(/^(two|three|four|five) /i, 'the $1 ');
}

const ANIMALS = new RegExp(String.raw`\b(?:${rows.animals.join('|')})s?$`, 'i');
const THINGS = new RegExp(String.raw`\b(?:${rows.things.join('|')})$`, 'i');
/** Trades and kin that the renderer has no word for. */
const PEOPLE = new RegExp(String.raw`\b(?:${rows.people.join('|')})$`, 'i');

function groupOf(kind: SubjectKind | undefined, who: string): Group {
  if (/\w and (?:a|an|the|his|her|their|its|\w+'s)?\s?\w/.test(who)) return 'people';
  switch (kind) {
    case 'balloon':
    case 'bird':
    case 'butterfly':
    case 'plane':
    case 'rocket':
    case 'whale':
      return 'flier';
    case 'person':
    case 'robot':
      return 'person';
    case 'couple':
    case 'crowd':
      return 'people';
    case 'car':
    case 'bike':
    case 'train':
    case 'ship':
      return 'vehicle';
    case 'lighthouse':
    case 'house':
    case 'flower':
    case 'product':
      return 'thing';
    case undefined:
      if (ANIMALS.test(who)) return 'animal';
      return /^[A-Z]/.test(who) || (PEOPLE.test(who) && !THINGS.test(who)) ? 'person' : 'thing';
    default:
      return 'animal';
  }
}

function pronouns(group: Group, who: string): { readonly they: string; readonly whose: string } {
  if (group === 'people') return { they: 'they', whose: 'their' };
  if (group !== 'person') return { they: 'it', whose: 'its' };
  if (SAID.woman.test(who)) return { they: 'she', whose: 'her' };
  if (/\b(?:man|men|boy|father|grandfather|king|monk|knight|wizard|fisherman|samurai|he|his)\b/i.test(who))
    return { they: 'he', whose: 'his' };
  return /\b(?:robot|android|mech)\b/i.test(who) ? { they: 'it', whose: 'its' } : { they: 'they', whose: 'their' };
}

/** Where somebody is found whose logline tells no place. */
const HOMES = rows.homes as unknown as Readonly<Record<string, readonly [Place, ...Place[]]>>;

/** Places the renderer has no word for, by what they are like. */
const SETTINGS = (Object.entries(rows.settings) as [Place, readonly string[]][]).map(
  ([place, nouns]) =>
    [
      place,
      new RegExp(String.raw`\b(?:an?|the|his|her|their|its) ((?:[\w-]+ ){0,2}(?:${nouns.join('|')}))\b`, 'i'),
    ] as const,
);

function settingIn(logline: string): { readonly place: Place; readonly ground: string } | undefined {
  for (const [place, said] of SETTINGS) {
    const name = said.exec(logline)?.[1];
    if (name !== undefined) return { place, ground: `the ${name}` };
  }
  return undefined;
}

/** The author's own words for the place, back to its article: `a frozen river` → `the frozen river`. */
function groundIn(logline: string, place: Place): string | undefined {
  const [, said] = PLACES.find(([word]) => word === place) ?? [];
  const match = said && [...logline.matchAll(said)][0];
  if (!match) return undefined;
  const before = logline.slice(0, match.index).trim().split(/\s+/);
  const kept: string[] = [];
  while (before.length > 0 && kept.length < 2) {
    const word = before.pop() ?? '';
    if (STOPS.test(word) || /[,;:]$/.test(word) || isVerb(word, 'x', 'the')) break;
    kept.unshift(word);
  }
  if (/^(?:at sea|aboard|deck of|sail\w*)$/i.test(match[0])) return 'the sea';
  const noun = match[0].replace(/^(?:on )?(?:the|a) /i, '');
  return `the ${[...kept, noun].join(' ')}`.replace(/^the (?:outer )?space$/, 'deep space');
}

const STOPS =
  /^(?:a|an|the|its|his|her|their|my|our|this|that|some|one|two|three|in|on|at|by|of|to|into|over|under|across|through|along|near|from|with|and|towards?|between|behind|beyond|above|below|around|past|for|against|who|which|up|down)$/i;

/** A thing that the opening has shown is called `the` from then on. */
const withThe = (act: string, ground: string): string => {
  const name = ground.replace(/^the /, '');
  const at = act.toLowerCase().indexOf(` ${name.toLowerCase()}`);
  if (at < 0) return act;
  return act.slice(0, at).replace(/\b(?:an?)$/i, 'the') + act.slice(at);
};
