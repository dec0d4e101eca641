/** The ten turns of a small film: what happens at each, by what it happens to, and how a camera would see it. */
import type { Random } from '../random.ts';
import rows from './data/turns.json' with { type: 'json' };
import { GROUNDS } from './place-phrases.ts';
import type { Group, Story } from './story.ts';

type Turn = keyof typeof rows;
type Framing = readonly [size: string, camera: string];
export interface Part {
  readonly title: string;
  readonly framings: readonly [Framing, ...Framing[]];
  readonly action: (story: Story, random: Random) => string;
}

/** A turn's row: what happens at it, by what it happens to. Trouble is the place's own (`data/places.json`). */
interface Row {
  readonly title: string;
  readonly framings: readonly (readonly string[])[];
  readonly by?: Readonly<Record<Group, readonly string[]>>;
}

export const TURNS = Object.fromEntries(
  Object.entries<Row>(rows).map(([turn, { title, framings, by }]) => [
    turn,
    {
      title,
      framings: framings as unknown as Part['framings'],
      action: by ? (story: Story, random: Random) => fill(random.pick(by[story.group] as Some), story) : trouble,
    },
  ]),
) as { readonly [turn in Turn]: Part };
type Some = readonly [string, ...string[]];

function trouble(story: Story, random: Random): string {
  const { on, trouble, frozenTrouble } = GROUNDS[story.place];
  const happens = random.pick((story.frozen && frozenTrouble) || trouble);
  return `${on} ${story.ground} ${happens}; ${story.short} ${story.group === 'people' ? 'stop' : 'stops'} short`;
}

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
  const chosen = ORDER.filter(turn => WEIGHT.indexOf(turn) < count);
  if (count <= ORDER.length) return chosen;
  const more = Array.from({ length: count - ORDER.length }, (_, n) => AGAIN[n % AGAIN.length] as Turn);
  return [...chosen.slice(0, -2), ...more, ...chosen.slice(-2)];
}
