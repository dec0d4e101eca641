/** `shotlist explain [WORD]`: one key, function, model, setting, event or exit code in full, as the reference tells it. */
import { modelLibrary } from '../../api/model-library.ts';
import { foreignFunction } from '../../language/expression/foreign-functions.ts';
import { messages } from '../../language/messages/index.ts';
import { UsageError } from '../arguments.ts';
import { withExitCode } from '../errors/exit-code.ts';
import { modelIn, studioCatalog } from '../models/model-catalog.ts';
import { print, printPainted } from '../outlets.ts';
import { type Reference, reference } from '../reference/contents.ts';
import { decisionSection, isDecisionPage } from '../reference/decision-section.ts';
import type { Entry } from '../reference/entry.ts';
import { entryJson, referenceJson } from '../reference/entry-json.ts';
import { type Found, find } from '../reference/find.ts';
import { asked, contentsPage, entryPage, type Look, pageWidth } from '../reference/page.ts';
import { indentedJson } from '../terminal/indented-json.ts';

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
  const look = { width: pageWidth(process.stdout.columns), color: isPainted() };
  if (words.length === 0) {
    if (isJson) print(`${indentedJson({ ...referenceJson(whole), models: labels })}\n`);
    else printPainted(`${contentsPage(whole, labels, look)}\n`);
    return 0;
  }
  const found = find(words, whole, labels);
  if (isJson) print(`${indentedJson(await asData(found, words))}\n`);
  else printPainted(`${await asText(found, words, whole, look)}\n`);
  return 0;
});

const isPainted = (): boolean => process.stdout.isTTY === true && !process.env.NO_COLOR;

async function asText(found: Found, words: readonly string[], whole: Reference, look: Look): Promise<string> {
  switch (found.is) {
    case 'entry':
      return entriesText(found, whole, look);
    case 'model':
      return [await modelText(found.label, look), ...alsoLines(found.also)].join('\n');
    case 'unknown':
      throw unknown(words, found.near);
  }
}

/** What goes by the very same name, such as a key that two kinds of steps have, is told at once. */
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

async function asData(found: Found, words: readonly string[]): Promise<unknown> {
  switch (found.is) {
    case 'entry':
      return { ...entryJson(found.entry), ...(found.also.length > 0 && { also: found.also.map(asked) }) };
    case 'model':
      return { topic: 'model', ...modelLibrary.get(found.label) };
    case 'unknown':
      throw unknown(words, found.near);
  }
}

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
