/** `shotlist explain [WORD]`: one key, function, model, setting, event or exit code in full, from the reference. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { modelLibrary } from '../../api/model-library.ts';
import { foreignFunction } from '../../language/expression/functions/foreign-functions.ts';
import { messages } from '../../language/messages/index.ts';
import { DECISION_PAGES, type DecisionPage } from '../../model/run/decision-page.ts';
import { wrapWords } from '../../model/text/cells.ts';
import { nearest } from '../../model/text/nearest.ts';
import { UsageError } from '../arguments.ts';
import { withExitCode } from '../errors/command-error.ts';
import { modelIn, studioCatalog } from '../models/model-catalog.ts';
import { jsonText, print, printPainted, stdoutLook } from '../outlets.ts';
import { entryJson, type Reference, reference, referenceJson } from '../reference/contents.ts';
import { asked, contentsPage, entryPage, type Look, pageWidth } from '../reference/page.ts';
import { type Entry, lastName, type Topic, withParts } from '../reference/reference-entry.ts';

export const main = withExitCode(async args => {
  // `--ui` is a word to be explained like any other.
  const words = args.filter(word => word !== '--json').flatMap(word => word.split(' ').filter(part => part !== ''));
  const isJson = args.includes('--json');
  const whole = reference();
  const labels = modelLibrary.labels;
  const page = words.join('-');
  if (isDecisionPage(page) && !isJson) {
    print(`${decisionSection(page, pageWidth(process.stdout.columns))}\n`);
    return 0;
  }
  const look = { width: pageWidth(process.stdout.columns), color: stdoutLook().color };
  if (words.length === 0) {
    if (isJson) print(jsonText({ ...referenceJson(whole), models: labels }));
    else printPainted(`${contentsPage(whole, labels, look)}\n`);
    return 0;
  }
  const found = find(words, whole, labels);
  if (found.is === 'unknown') throw unknown(words, found.near);
  if (isJson) print(jsonText(asData(found)));
  else printPainted(`${await asText(found, whole, look)}\n`);
  return 0;
});

async function asText(found: Known, whole: Reference, look: Look): Promise<string> {
  if (found.is === 'entry') return entriesText(found, whole, look);
  return [await modelText(found.label, look), ...alsoLines(found.also)].join('\n');
}

/** All entries of one name, such as a key that two kinds of steps have, are shown together. */
function entriesText({ entry, also }: Extract<Found, { is: 'entry' }>, whole: Reference, look: Look): string {
  const isSame = (other: Entry): boolean => other.topic === entry.topic && other.name === entry.name;
  const others = also.filter(other => !isSame(other));
  const pages = [entry, ...also.filter(isSame)];
  return pages.map((page, at) => entryPage(page, at === pages.length - 1 ? others : [], whole, look)).join('\n\n');
}

const alsoLines = (also: readonly Entry[]): readonly string[] =>
  also.length === 0 ? [] : ['', `see also ${also.map(asked).join(', ')}`];

async function modelText(label: string, { width }: Look): Promise<string> {
  const { modelPage } = await import('../models/model-page.ts');
  return modelPage(await modelIn(await studioCatalog(), label, { live: false }), width);
}

const asData = (found: Known): object =>
  found.is === 'entry'
    ? { ...entryJson(found.entry), ...(found.also.length > 0 && { also: found.also.map(asked) }) }
    : { topic: 'model', ...modelLibrary.get(found.label) };

function unknown(words: readonly string[], near: readonly string[]): UsageError {
  const [word = ''] = words.slice(-1);
  const name = word.replace(/\(\)$/, '');
  const foreign = foreignFunction(name);
  if (foreign) return new UsageError(messages.foreignFunction(name, foreign).message);
  const instead =
    near.length === 0
      ? 'shotlist explain alone lists what it knows'
      : `did you mean ${near.map(other => `\`${other}\``).join(' or ')}?`;
  return new UsageError(`nothing is called \`${words.join(' ')}\`; ${instead}`);
}

type Known = Exclude<Found, { is: 'unknown' }>;

type Found =
  | { readonly is: 'entry'; readonly entry: Entry; readonly also: readonly Entry[] }
  /** A model's label: its page is `shotlist models`. */
  | { readonly is: 'model'; readonly label: string; readonly also: readonly Entry[] }
  | { readonly is: 'unknown'; readonly near: readonly string[] };

/** What may precede a word that means two things: `explain function size`. */
const TOPICS: Readonly<Record<Topic, readonly Topic[]>> = {
  ...{ word: ['word'], key: ['key'], function: ['function'], expression: ['expression'], event: ['event'] },
  ...{ setting: ['setting', 'variable'], variable: ['variable', 'setting'], failure: ['failure'], exit: ['exit'] },
};

export function find(words: readonly string[], reference: Reference, labels: readonly string[]): Found {
  const [first = '', ...rest] = words;
  const all = everything(reference);
  // `exit code 3`, as its page is headed.
  const word = rest.filter(part => part !== 'code').join(' ');
  if (word === '') return findIn(first, all, labels);
  if (first === 'model') return findIn(word, [], labels);
  const topics = Object.hasOwn(TOPICS, first) ? TOPICS[first as Topic] : undefined;
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
    // The fields of an event belong to its own entry.
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

const isDecisionPage = (word: string): word is DecisionPage => DECISION_PAGES.some(page => page === word);

/** The section as text, wrapped into `width` cells; commands are set apart and stay whole. */
export function decisionSection(page: DecisionPage, width: number): string {
  const path = fileURLToPath(guideFile(import.meta.url));
  return terminalText(sectionOf(readFileSync(path, 'utf8'), page), width);
}

const guideFile = (from: string): URL =>
  new URL(from.endsWith('.ts') ? '../../../pipelines/guide/recovering.md' : '../pipelines/guide/recovering.md', from);

/** From its heading to the next. @throws where the guide has no such heading: a test holds the two together. */
function sectionOf(markdown: string, page: DecisionPage): string {
  const [, after] = markdown.split(`\n## ${page}\n`);
  if (after === undefined) throw new Error(`the guide has no section ${page}`);
  return after.split('\n## ')[0]?.trim() ?? '';
}

/** Paragraphs are wrapped, blocks of commands indented, links reduced to their words. */
function terminalText(markdown: string, width: number): string {
  const blocks = markdown.split(/\n\n+/).map(block => {
    const code = /^```\w*\n([\s\S]*?)\n```$/.exec(block)?.[1];
    if (code !== undefined) return code.split('\n').map(line => `    ${line}`);
    const plain = block.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('**', '');
    if (!plain.startsWith('> ')) return wrapWords(plain.replaceAll('\n', ' '), width);
    return wrapWords(plain.slice(2).replaceAll('\n> ', ' '), width - 2).map(line => `  ${line}`);
  });
  return blocks.map(lines => lines.join('\n')).join('\n\n');
}
