/** `shotlist explain [WORD]`: one key, function, model, setting, event or exit code in full, as the reference tells it. */
import { modelLibrary } from '../../api/model-library.ts';
import { foreignFunction } from '../../language/expression/foreign-functions.ts';
import { messages } from '../../language/messages/index.ts';
import { parse, UsageError } from '../arguments.ts';
import { withExitCode } from '../errors/exit-code.ts';
import { modelIn, studioCatalog } from '../models/model-catalog.ts';
import { print, printPainted } from '../outlets.ts';
import { type Reference, reference } from '../reference/contents.ts';
import type { Entry } from '../reference/entry.ts';
import { entryJson, referenceJson } from '../reference/entry-json.ts';
import { type Found, find } from '../reference/find.ts';
import { asked, contentsPage, entryPage, type Look } from '../reference/page.ts';
import { indentedJson } from '../terminal/indented-json.ts';

const WIDTH_OF_A_PAGE = 80;
const WIDEST = 100;

export const main = withExitCode(async args => {
  const { values, positionals } = parse(args, { json: { type: 'boolean', default: false } });
  const whole = reference();
  const labels = modelLibrary.labels;
  const look = { width: Math.min(process.stdout.columns ?? WIDTH_OF_A_PAGE, WIDEST), color: isPainted() };
  if (positionals.length === 0) {
    if (values.json) print(`${indentedJson({ ...referenceJson(whole), models: labels })}\n`);
    else printPainted(`${contentsPage(whole, labels, look)}\n`);
    return 0;
  }
  const found = find(positionals, whole, labels);
  if (values.json) print(`${indentedJson(await asData(found, positionals))}\n`);
  else printPainted(`${await asText(found, positionals, whole, look)}\n`);
  return 0;
});

const isPainted = (): boolean => process.stdout.isTTY === true && !process.env.NO_COLOR;

async function asText(found: Found, words: readonly string[], whole: Reference, look: Look): Promise<string> {
  switch (found.is) {
    case 'entry':
      return entryPage(found.entry, found.also, whole, look);
    case 'model':
      return [await modelText(found.label, look), ...alsoLines(found.also)].join('\n');
    case 'unknown':
      throw unknown(words, found.near);
  }
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
