/** Titles, loglines and spoken lines for a story. */
import { Random } from '../random.ts';
import type { TimeOfDay } from '../vocabulary.ts';
import { capitalised } from './beats.ts';
import rows from './data/titles.json' with { type: 'json' };
import { GROUNDS } from './place-phrases.ts';
import type { Story } from './story.ts';
import { going } from './verbs.ts';

const HOURS: Readonly<Record<TimeOfDay, string>> = rows.hours;

/** The pattern with its names filled in; undefined where one of them is not known. */
function filled(pattern: string, names: Readonly<Record<string, string | undefined>>): string | undefined {
  let known = true;
  const text = pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
    const word = names[name];
    if (word === undefined) known = false;
    return word ?? '';
  });
  return known ? text : undefined;
}

export function titlesOf(story: Story, count: number, variation: string): readonly string[] {
  const random = new Random(`titles|${story.logline.toLowerCase()}|${variation}`);
  const who = titleCase(headOf(story.short));
  const ground = titleCase(story.ground.replace(/^the /, ''));
  const { on, through, far } = GROUNDS[story.place];
  const doing = story.act === '' ? undefined : going(story.group === 'people' ? '' : story.act);
  const words = {
    ...{ who, ground, far: titleCase(far), hour: HOURS[story.time], doing: doing && titleCase(doing) },
    ...{ Through: capitalised(through), On: capitalised(on) },
  };
  const all = rows.titles
    .map(pattern => filled(pattern, words))
    .filter(title => title !== undefined && !/\bthe the\b/i.test(title)) as string[];
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
  const time = story.time === 'neon' ? 'night' : story.time === 'golden' ? 'evening' : story.time;
  const words = { told, danger, far, have, learns, time, they: story.they };
  const all = rows.loglines.map(pattern => filled(pattern, words) ?? '');
  return Array.from(
    { length: count },
    (_, n) => capitalised(all[n % all.length] ?? '') + (n < all.length ? '' : ` (${Math.floor(n / all.length) + 1})`),
  );
}

export function linesOf(story: Story, count: number, variation: string): readonly string[] {
  const random = new Random(`lines|${story.logline.toLowerCase()}|${variation}`);
  const ground = story.ground;
  const { far } = GROUNDS[story.place];
  const all = rows.lines.map(pattern => filled(pattern, { ground, far, Far: capitalised(far) }) ?? '');
  const from = variation === '' ? 0 : random.whole(0, all.length - 1);
  return Array.from(
    { length: count },
    (_, n) => (all[(from + n) % all.length] ?? '') + (n < all.length ? '' : ` (${Math.floor(n / all.length) + 1})`),
  );
}
