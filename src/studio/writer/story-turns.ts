/** The ten turns of a small film: what happens at each, by what it happens to, and how a camera would see it. */
import type { Random } from '../random.ts';
import { GROUNDS } from './place-phrases.ts';
import type { Group, Story } from './story.ts';

export type Turn = keyof typeof TURNS;
type Framing = readonly [size: string, camera: string];
export interface Part {
  readonly title: string;
  readonly framings: readonly [Framing, ...Framing[]];
  readonly action: (story: Story, random: Random) => string;
}

/** What happens at each turn, by what it happens to. */
const doing =
  (by: Readonly<Record<Group, readonly [string, ...string[]]>>) =>
  (story: Story, random: Random): string =>
    fill(random.pick(by[story.group]), story);

function fill(pattern: string, story: Story): string {
  const { through, edge, far } = GROUNDS[story.place];
  const words: Readonly<Record<string, string>> = {
    who: story.who,
    the: story.short,
    they: story.they,
    whose: story.whose,
    ground: story.ground,
    through,
    edge,
    far,
    on: GROUNDS[story.place].on,
    act: acting(story),
  };
  return pattern
    .replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? name)
    .replace(/\bthey (\w+?)(es|s)\b(?= )/g, (whole, verb: string, end: string) =>
      story.they === 'they'
        ? `they ${end === 'es' && /(?:sh|ch|x|z|o|ss)$/.test(verb) ? verb : verb + end.slice(0, -1)}`
        : whole,
    );
}

/** What the logline tells; where it tells nothing, something such a one would do there. */
function acting(story: Story): string {
  const { through, on } = GROUNDS[story.place];
  const { short, ground, act } = story;
  if (act !== '') return `${short} ${act}${act.includes(ground.replace(/^the /, '')) ? '' : ` ${on} ${ground}`}`;
  switch (story.group) {
    case 'animal':
      return `${short} trots ${through} ${ground}`;
    case 'flier':
      return `${short} glides low ${through} ${ground}`;
    case 'person':
      return `${short} walks ${through} ${ground}`;
    case 'people':
      return `${short} walk ${through} ${ground}`;
    case 'vehicle':
      return `${short} moves ${through} ${ground}`;
    case 'thing':
      return `${short} stands alone ${on} ${ground}, shadows sliding over it`;
  }
}

export const TURNS = {
  opening: {
    title: 'The place',
    framings: [
      ['extreme wide shot', 'slow aerial'],
      ['extreme wide shot', 'static camera'],
      ['wide shot', 'slow pan right'],
    ],
    action: doing({
      animal: [
        '{ground} lies empty until {who} steps into view, small against it all',
        '{who} appears at the far end of {ground}, a moving speck',
      ],
      flier: [
        '{ground} lies still until {who} comes into view, small against it all',
        '{who} appears over {ground}, a moving speck',
      ],
      person: [
        '{ground} lies empty until {who} comes into view, small against it all',
        '{who} stands alone before {ground}, hardly more than an outline',
      ],
      people: [
        '{ground} lies empty until {who} come into view, small against it all',
        '{who} stand together before {ground}, hardly more than outlines',
      ],
      vehicle: [
        '{ground} lies quiet until {who} comes into view, small against it all',
        '{who} appears at the far end of {ground}, one moving point',
      ],
      thing: [
        '{ground} lies empty but for {who}, small against it all',
        '{who} stands out against {ground}, the only thing in sight',
      ],
    }),
  },
  approach: {
    title: 'Coming closer',
    framings: [
      ['wide shot', 'tracking'],
      ['wide shot', 'slow pan left'],
      ['medium shot', 'tracking'],
    ],
    action: doing({
      animal: [
        '{the} comes down to {edge} {ground}, nose low, testing the ground',
        '{the} trots up to {edge} {ground} and slows',
      ],
      flier: ['{the} comes in low towards {edge} {ground}', '{the} turns once and sinks towards {edge} {ground}'],
      person: [
        '{the} walks up to {edge} {ground} and slows, shoulders drawn in',
        '{the} comes to {edge} {ground} and looks at what lies ahead',
      ],
      people: [
        '{the} walk up to {edge} {ground} and slow down, close together',
        '{the} come to {edge} {ground} and look at one another',
      ],
      vehicle: ['{the} comes steadily towards {edge} {ground}', '{the} slows at {edge} {ground} and goes on'],
      thing: [
        'closer now, {the} fills more of the frame, {ground} behind',
        'the view drifts along {edge} {ground} towards {the}',
      ],
    }),
  },
  detail: {
    title: 'A detail',
    framings: [
      ['extreme close-up', 'static camera'],
      ['extreme close-up', 'slow push in'],
    ],
    action: doing({
      animal: ['a paw of {the} sets down on {ground}, slow and exact', 'the eye of {the}, {ground} mirrored in it'],
      flier: ['the edge of a wing of {the}, {ground} blurred below', 'the eye of {the}, {ground} mirrored in it'],
      person: ['a hand of {the} closes, then opens, {ground} blurred behind', 'the eyes of {the}, fixed on {ground}'],
      people: [
        'two hands of {the} find each other, {ground} blurred behind',
        '{the}, heads close together, {ground} blurred behind',
      ],
      vehicle: [
        'the side of {the}, worn metal moving past, {ground} blurred behind',
        'a lamp of {the}, shaking slightly, {ground} behind',
      ],
      thing: [
        'the surface of {the}, every scratch and grain, {ground} blurred behind',
        'one edge of {the}, light sliding along it, {ground} behind',
      ],
    }),
  },
  act: {
    title: 'The attempt',
    framings: [
      ['medium shot', 'tracking'],
      ['wide shot', 'tracking'],
      ['medium shot', 'slow push in'],
    ],
    action: doing({
      animal: ['{act}, step by step', '{act}, head low and steady'],
      flier: ['{act}, unhurried', '{act} in one long line'],
      person: ['{act}, step by step', '{act}, without looking back'],
      people: ['{act}, side by side', '{act}, one after the other'],
      vehicle: ['{act}, without a pause', '{act}, slow and certain'],
      thing: ['{act}', '{act}, and time passes'],
    }),
  },
  trouble: {
    title: 'Trouble',
    framings: [
      ['close-up', 'handheld'],
      ['medium shot', 'handheld'],
    ],
    action: (story, random) => {
      const ground = GROUNDS[story.place];
      const trouble = random.pick((story.frozen && ground.frozenTrouble) || ground.trouble);
      return `on ${story.ground} ${trouble}; ${story.short} ${story.group === 'people' ? 'stop' : 'stops'} short`.replace(
        /^on /,
        `${ground.on} `,
      );
    },
  },
  effort: {
    title: 'Going on',
    framings: [
      ['medium shot', 'handheld'],
      ['medium shot', 'fast tracking'],
    ],
    action: doing({
      animal: [
        '{the} goes on {through} {ground}, faster now, low to the ground',
        '{the} breaks into a run {through} {ground}',
      ],
      flier: [
        '{the} beats on {through} {ground}, against the wind',
        '{the} drops, gathers speed, and goes on {through} {ground}',
      ],
      person: [
        '{the} goes on {through} {ground}, faster now, breath showing',
        '{the} leans into it and goes on {through} {ground}',
      ],
      people: [
        '{the} go on {through} {ground}, faster now, holding on to one another',
        '{the} lean into it and go on {through} {ground}',
      ],
      vehicle: ['{the} picks up speed {through} {ground}', '{the} shudders, holds, and goes on {through} {ground}'],
      thing: ['{the} holds against everything that comes over {ground}', 'everything on {ground} moves but {the}'],
    }),
  },
  listen: {
    title: 'A moment of stillness',
    framings: [
      ['close-up', 'slow push in'],
      ['close-up', 'static camera'],
    ],
    action: doing({
      animal: [
        '{the} stops {on} {ground} and listens, ears forward, breath showing',
        '{the} looks back over {ground}, quite still',
      ],
      flier: ['{the} hangs {on} {ground}, hardly moving', '{the} tilts and looks down at {ground}'],
      person: ['{the} stops {on} {ground} and listens, breath held', '{the} looks back over {ground}, quite still'],
      people: ['{the} stop {on} {ground} and listen, breath held', '{the} look back over {ground}, quite still'],
      vehicle: ['{the} stands still {on} {ground}, engine ticking', 'through the glass of {the}, {ground} waits'],
      thing: ['{the}, quite still, {ground} behind', 'light crosses {the} slowly, {ground} behind'],
    }),
  },
  turn: {
    title: 'The turn',
    framings: [
      ['medium shot', 'orbit'],
      ['close-up', 'slow push in'],
      ['medium shot', 'slow tilt up'],
    ],
    action: doing({
      animal: [
        'from {ground} {the} sees {far} for the first time',
        'beyond {ground} {far} comes into sight, and {the} lifts its head',
      ],
      flier: [
        'from {ground} {the} sees {far} for the first time',
        'beyond {ground} {far} comes into sight, and {the} turns towards it',
      ],
      person: [
        'from {ground} {the} sees {far} for the first time',
        'beyond {ground} {far} comes into sight, and {the} begins to smile',
      ],
      people: [
        'from {ground} {the} see {far} for the first time',
        'beyond {ground} {far} comes into sight, and {the} begin to smile',
      ],
      vehicle: ['from {ground} {far} comes into sight ahead of {the}', 'beyond {ground} {far} opens up before {the}'],
      thing: ['around {the} on {ground} the light changes all at once', 'something on {ground} moves towards {the}'],
    }),
  },
  arrival: {
    title: 'Arrival',
    framings: [
      ['wide shot', 'crane up'],
      ['medium shot', 'static camera'],
      ['wide shot', 'slow push in'],
    ],
    action: doing({
      animal: [
        'past {ground} {the} reaches {far}, shakes itself, and looks back once',
        '{the} leaves {ground} behind and stands at {far}',
      ],
      flier: [
        'past {ground} {the} reaches {far} and circles once',
        '{the} leaves {ground} behind and settles at {far}',
      ],
      person: [
        'past {ground} {the} reaches {far} and looks back once',
        '{the} leaves {ground} behind and stands at {far}',
      ],
      people: ['past {ground} {the} reach {far} and look back once', '{the} leave {ground} behind and stand at {far}'],
      vehicle: [
        'past {ground} {the} reaches {far} and comes to a stop',
        '{the} leaves {ground} behind and slows at {far}',
      ],
      thing: [
        '{ground} grows quiet, and {the} is seen whole for the first time',
        '{the} on {ground}, exactly where it was, and everything else changed',
      ],
    }),
  },
  last: {
    title: 'What remains',
    framings: [
      ['extreme wide shot', 'slow pull back'],
      ['extreme wide shot', 'static camera'],
    ],
    action: doing({
      animal: [
        '{the} is gone from {ground}, a single line of prints leading away',
        '{ground} lies empty again, the tracks of {the} already fading',
      ],
      flier: [
        '{ground} lies empty again, {the} a point on the horizon',
        '{the} dwindles over {ground} until there is nothing but sky',
      ],
      person: [
        '{ground} lies empty again, the footprints of {the} leading out of frame',
        '{the} dwindles on {ground}, one small outline',
      ],
      people: [
        '{ground} lies empty again, the footprints of {the} leading out of frame',
        '{the} dwindle on {ground}, small outlines side by side',
      ],
      vehicle: [
        '{ground} lies quiet again, {the} a point on the horizon',
        '{the} dwindles on {ground} until only its trail is left',
      ],
      thing: [
        '{the} on {ground} grows small as the view draws away',
        '{ground} and {the}, very small, and a great deal of sky',
      ],
    }),
  },
} as const satisfies Record<string, Part>;

export const ORDER = Object.keys(TURNS) as readonly Turn[];
/** What is told first, what is left out last. */
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
/** What may come again in a long film: everything between its first and last pictures. */
const AGAIN: readonly Turn[] = ['approach', 'detail', 'act', 'trouble', 'effort', 'listen', 'turn'];

/** So many turns in the order of the arc. */
export function turnsFor(count: number): readonly Turn[] {
  const told = ORDER.filter(turn => WEIGHT.indexOf(turn) < count);
  if (count <= ORDER.length) return told;
  const more = Array.from({ length: count - ORDER.length }, (_, n) => AGAIN[n % AGAIN.length] as Turn);
  return [...told.slice(0, -2), ...more, ...told.slice(-2)];
}
