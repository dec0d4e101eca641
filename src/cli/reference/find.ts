/** What a person asked for by a word or two: `steps.matrix`, `matrix`, `exit 4`, `SHOTLIST_UI`. */
import { nearest } from '../../domain/nearest.ts';
import type { Reference } from './contents.ts';
import { type Entry, lastName, type Topic, withParts } from './entry.ts';

export type Found =
  | { readonly is: 'entry'; readonly entry: Entry; readonly also: readonly Entry[] }
  /** A model's label: its page is `shotlist models`. */
  | { readonly is: 'model'; readonly label: string; readonly also: readonly Entry[] }
  | { readonly is: 'unknown'; readonly near: readonly string[] };

/** What stands before a word that means two things: `explain function size`. */
const TOPICS: Readonly<Record<string, readonly Topic[]>> = {
  word: ['word'],
  key: ['key'],
  function: ['function'],
  expression: ['expression'],
  setting: ['setting', 'variable'],
  variable: ['variable', 'setting'],
  event: ['event'],
  failure: ['failure'],
  exit: ['exit'],
};

export function find(words: readonly string[], reference: Reference, labels: readonly string[]): Found {
  const [first = '', ...rest] = words;
  const all = everything(reference);
  // `exit code 3`, as its page is headed.
  const word = rest.filter(part => part !== 'code').join(' ');
  if (word === '') return findIn(first, all, labels);
  if (first === 'model') return findIn(word, [], labels);
  const topics = Object.hasOwn(TOPICS, first) ? TOPICS[first] : undefined;
  if (!topics) return findIn(words.join(' '), all, labels);
  const ofTopic = all.filter(({ topic }) => topics.includes(topic));
  return findIn(word, ofTopic, []);
}

function findIn(word: string, entries: readonly Entry[], labels: readonly string[]): Found {
  const matching = matches(word, entries);
  const label = labels.find(known => known.toLowerCase() === word.toLowerCase());
  if (label !== undefined) return { is: 'model', label, also: matching };
  const [entry, ...also] = matching;
  return entry ? { is: 'entry', entry, also } : { is: 'unknown', near: nearestNames(word, entries, labels) };
}

/** The best first: the whole name, then the end of one; a part of a key's path that an author chose is left out. */
function matches(asked: string, entries: readonly Entry[]): readonly Entry[] {
  const word = asked.replace(/\(\)$/, '');
  const exact = entries.filter(({ name }) => name === word);
  const found = [
    // `matrix` is the key of a step to most who ask, and only then what an expression reads.
    ...exact.filter(({ topic }) => topic !== 'expression'),
    ...entries.filter(entry => otherNamesOf(entry).includes(word)),
    ...entries.filter(({ name }) => name.endsWith(`.${word}`)),
    ...exact,
    ...entries.filter(({ topic, name }) => (topic === 'key' || topic === 'setting') && isWithin(name, word)),
  ];
  return [...new Set(found)];
}

/** The variable and the flag of a setting, the flag without its dashes as well; how a word is shortened. */
const otherNamesOf = ({ topic, facts = [] }: Entry): readonly string[] =>
  topic === 'setting' || topic === 'word'
    ? facts.map(([, text]) => text.replaceAll('`', '')).flatMap(name => [name, name.replace('--', '')])
    : [];

/** `steps.shot.matrix` for `steps.matrix`: the same names in the same order, from the first to the last. */
function isWithin(name: string, word: string): boolean {
  const [names, asked] = [name.split('.'), word.split('.')];
  if (asked.length <= names.length || asked[0] !== names[0] || asked.at(-1) !== names.at(-1)) return false;
  let at = 0;
  for (const part of asked) if (part === names[at]) at += 1;
  return at === names.length;
}

const everything = ({ words, keys, functions, roots, settings, variables, events, failures, exitCodes }: Reference) =>
  [words, keys, functions, roots, settings, variables, events, failures, exitCodes].flatMap(({ entries }) =>
    // The fields of an event are told with it.
    entries.flatMap(entry => (entry.topic === 'key' || entry.topic === 'setting' ? withParts(entry) : [entry])),
  );

/** At most three, of whatever topic. */
function nearestNames(word: string, entries: readonly Entry[], labels: readonly string[]): readonly string[] {
  const names = [...entries.map(({ name }) => name), ...labels];
  const whole = nearest(word, names);
  const end = nearest(lastName(word), names.map(lastName));
  const byEnd = end === undefined ? [] : names.filter(name => lastName(name) === end);
  return [...new Set([...(whole === undefined ? [] : [whole]), ...byEnd])].slice(0, 3);
}
