/** Titles, loglines and spoken lines for a story. */
import { Random } from '../random.ts';
import type { TimeOfDay } from '../vocabulary.ts';
import { capitalised } from './beats.ts';
import { GROUNDS } from './place-phrases.ts';
import type { Story } from './story.ts';
import { going } from './verbs.ts';

const HOURS: Readonly<Record<TimeOfDay, string>> = {
  dawn: 'First Light',
  day: 'Broad Day',
  golden: 'The Golden Hour',
  sunset: 'Last Sun',
  dusk: 'Blue Hour',
  night: 'After Dark',
  neon: 'Neon',
  overcast: 'Grey Morning',
};

export function titlesOf(story: Story, count: number, variation: string): readonly string[] {
  const random = new Random(`titles|${story.logline.toLowerCase()}|${variation}`);
  const who = titleCase(headOf(story.short));
  const ground = titleCase(story.ground.replace(/^the /, ''));
  const { on, through, far } = GROUNDS[story.place];
  const doing = story.act === '' ? undefined : going(story.group === 'people' ? '' : story.act);
  const all = [
    `The ${who} and the ${ground}`,
    `${capitalised(through)} the ${ground}`,
    HOURS[story.time],
    doing && titleCase(doing),
    `The Far Side of the ${ground}`,
    `What the ${who} Knew`,
    `${capitalised(on)} the ${ground}`,
    titleCase(far),
    `${HOURS[story.time]}, ${ground}`,
    `One ${who}, One ${ground}`,
    `A Small ${who}`,
    `Before the ${ground}`,
    `The Quiet ${ground}`,
    `The ${who} Looks Back`,
  ].filter(title => title !== undefined && !/\bthe the\b/i.test(title)) as string[];
  const names = [...new Set(all)];
  // The plainest comes first; the rest as the dice fall.
  const rest = names
    .slice(1)
    .map(name => [random.next(), name] as const)
    .sort(([a], [b]) => a - b)
    .map(([, name]) => name);
  const order = variation === '' ? [names[0] ?? '', ...rest] : rest;
  return Array.from({ length: count }, (_, n) => {
    const name = order[n % order.length] ?? '';
    return n < order.length ? name : `${name}, Part ${Math.floor(n / order.length) + 1}`;
  });
}

/** `the old lighthouse keeper` → `keeper`, but a name stays whole. */
function headOf(short: string): string {
  if (!/^the /.test(short)) return short;
  const words = short.split(' ').slice(1);
  return words.slice(words.length > 2 ? -2 : 0).join(' ');
}

const SMALL = /^(?:a|an|the|and|of|in|on|at|to|by|for|from|with|into|over|across|through|along|his|her|its|their)$/i;
const titleCase = (text: string): string =>
  text
    .split(' ')
    .map((word, n) => (n > 0 && SMALL.test(word) ? word : capitalised(word)))
    .join(' ');

export function loglinesOf(story: Story, count: number, variation: string): readonly string[] {
  const random = new Random(`loglines|${story.logline.toLowerCase()}|${variation}`);
  const { far, trouble, frozenTrouble, on } = GROUNDS[story.place];
  const danger = random.pick((story.frozen && frozenTrouble) || trouble);
  const have = story.they === 'they' ? 'have' : 'has';
  const learns = story.group === 'people' ? 'learn' : 'learns';
  const told =
    story.act === ''
      ? `${story.who} ${story.group === 'people' ? 'set' : 'sets'} out ${on} ${story.ground}`
      : `${story.who} ${story.act}`;
  const all = [
    `${told}, until ${danger} and ${story.they} ${have} to choose between going on and turning back.`,
    `${told} to reach ${far} before the light changes, and ${learns} how far that is.`,
    `One ${HOURS[story.time] === 'Neon' ? 'night' : story.time === 'golden' ? 'evening' : story.time}, ${told}; nobody sees it but the camera.`,
    `${told}, and for a moment everything else stops.`,
  ];
  return Array.from(
    { length: count },
    (_, n) => capitalised(all[n % all.length] ?? '') + (n < all.length ? '' : ` (${Math.floor(n / all.length) + 1})`),
  );
}

export function linesOf(story: Story, count: number, variation: string): readonly string[] {
  const random = new Random(`lines|${story.logline.toLowerCase()}|${variation}`);
  const ground = story.ground;
  const { far } = GROUNDS[story.place];
  const all = [
    `Nobody said ${ground} would be kind.`,
    `Some mornings the only way is across.`,
    `Every step on ${ground} is a question.`,
    `${capitalised(far)} was always further than it looked.`,
    'You listen first. Then you go.',
    `What waits at ${far} has waited a long time.`,
    'And then it was quiet.',
    'Go on. Slowly. Go on.',
  ];
  const from = variation === '' ? 0 : random.whole(0, all.length - 1);
  return Array.from(
    { length: count },
    (_, n) => (all[(from + n) % all.length] ?? '') + (n < all.length ? '' : ` (${Math.floor(n / all.length) + 1})`),
  );
}
