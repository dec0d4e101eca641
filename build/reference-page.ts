/** `schema/README.md`: the whole reference in Markdown, one table or list an idea. */

import { KIND_NAMES } from '../src/app/service/model-from-catalog.ts';
import type { Reference } from '../src/cli/reference/contents.ts';
import { type Entry, lastName, ownersOf, type Section, takesWithPreset } from '../src/cli/reference/reference-entry.ts';
import type { Model } from '../src/model/model.ts';

export function referencePage(reference: Reference, models: readonly Model[]): string {
  const { words, keys, roots, results, functions, settings, variables, events, eventFields, failures, exitCodes } =
    reference;
  const parts = [
    '# Reference',
    OPENING,
    contents(reference),
    ...section(keys, [keyTable(keys.entries)]),
    ...keys.entries.filter(({ name, parts = [] }) => name !== 'steps' && parts.length > 0).flatMap(partsOf),
    ...steps(keys.entries.find(({ name }) => name === 'steps')),
    ...section(roots, [table(['name', 'what it holds', 'example'], roots.entries.map(rootRow))]),
    ...section(results, results.entries.flatMap(resultTable)),
    ...section(functions, [functionTable(functions.entries)]),
    '## Models',
    'The fields of one, its limits and its price: `shotlist explain V-RT`.',
    modelTable(models),
    ...section(settings, [settingTable(settings.entries)]),
    ...settings.entries.flatMap(settingParts),
    ...section(variables, [table(['variable', 'what it is for', 'example'], variables.entries.map(variableRow))]),
    ...section(events, [
      `Every line has ${eventFields.map(({ name, about }) => `\`${name}\` (${lowered(about)})`).join(', ')}.`,
      'What each field holds, `shotlist explain run_started` tells, and [`events.schema.json`](events.schema.json). A field with a question mark is there where there is something to say.',
      table(['event', 'what has happened', 'fields'], events.entries.map(eventRow)),
    ]),
    ...section(words, [
      table(
        ['word', 'what it means'],
        words.entries.map(({ name, about }) => [code(name), about]),
      ),
    ]),
    ...section(failures, [
      table(
        ['code', 'what has happened'],
        failures.entries.map(({ name, about }) => [code(name), about]),
      ),
    ]),
    ...section(exitCodes, [
      table(
        ['code', 'what it means'],
        exitCodes.entries.map(({ name, about }) => [code(name), about]),
      ),
    ]),
  ];
  return `${parts.filter(part => part !== '').join('\n\n')}\n`;
}

const OPENING = `What may stand in a pipeline file and in the settings, what expressions can do, and what a run tells. Made by \`npm run reference\` of the
schemas in this folder and of the program's own tables. \`shotlist explain steps.matrix\` prints the same at the terminal; an editor shows it
where you type, with \`# yaml-language-server: $schema=…/schema/editor.schema.json\` as a file's first line.`;

const anchor = (title: string): string => title.toLowerCase().replaceAll(' ', '-');

const contents = (reference: Reference): string => {
  const { words, keys, roots, results, functions, settings, variables, events, failures, exitCodes } = reference;
  const titles = [keys.title, 'Steps', roots.title, results.title, functions.title, 'Models'];
  const more = [settings, variables, events, words, failures, exitCodes].map(({ title }) => title);
  return [...titles, ...more].map(title => `[${title}](#${anchor(title)})`).join(' · ');
};

const section = ({ title, about }: Section, body: readonly string[]): readonly string[] => [
  `## ${title}`,
  about,
  ...body,
];

/** A table of what stands in a setting, and one more for each of those that hold something themselves. */
const settingParts = ({ name, parts = [] }: Entry): readonly string[] =>
  parts.length === 0 ? [] : [`### \`${name}\``, settingTable(parts), ...parts.flatMap(settingParts)];

const partsOf = ({ name, parts = [] }: Entry): readonly string[] => [`### \`${name}\``, keyTable(parts)];

/** The keys of each kind of step, then those that several have. */
function steps(entry: Entry | undefined): readonly string[] {
  if (!entry) return [];
  const parts = entry.parts ?? [];
  const kinds = [...new Set(parts.flatMap(({ of = [] }) => (of.length === 1 ? of : [])))];
  const shared = parts.filter(({ of = [] }) => of.length !== 1);
  return [
    '## Steps',
    `${entry.about} What kind of step it is, one key says: ${kinds.map(code).join(', ')}.`,
    ...kinds.flatMap(kind => [
      `### A step with ${code(kind)}`,
      keyTable(parts.filter(({ of = [] }) => of.length === 1 && of[0] === kind)),
    ]),
    '### Any step',
    keyTable(shared.map(part => (part.of ? { ...part, about: `${part.about} Of ${ownersOf(part)}.` } : part))),
  ];
}

/** Keys and what stands in them, and below the table what takes more than a line to show. */
function keyTable(entries: readonly Entry[]): string {
  const shown = entries.flatMap(entry => (entry.name.includes('.') ? [entry, ...below(entry)] : [entry]));
  const from = entries[0]?.name.includes('.') ? `${entries[0].name.split('.')[0]}.`.length : 0;
  const rows = shown.map(entry => [
    `${code(entry.name.slice(from))}${entry.isRequired ? '\\*' : ''}`,
    takesWithPreset(entry),
    entry.about,
    short(entry).map(code).join('<br>'),
  ]);
  const needed = shown.some(({ isRequired }) => isRequired) ? '\\* cannot be left out.' : '';
  const long = entries.flatMap(entry => (entry.examples ?? []).filter(isLong));
  return [table(['key', 'takes', 'what it says', 'example'], rows), needed, ...long.map(yaml)]
    .filter(part => part !== '')
    .join('\n\n');
}

const below = ({ parts = [] }: Entry): readonly Entry[] => parts.flatMap(part => [part, ...below(part)]);
const isLong = (example: string): boolean => example.includes('\n');
const short = ({ examples = [] }: Entry): readonly string[] => examples.filter(example => !isLong(example));
const yaml = (text: string): string => `\`\`\`yaml\n${text}\n\`\`\``;

const rootRow = ({ name, about, examples = [] }: Entry) => [code(name), about, examples.map(code).join('<br>')];

function resultTable({ name, parts = [] }: Entry): readonly string[] {
  const rows = parts.map(part => [code(part.name), part.takes ?? '', part.about]);
  return [`### Of ${name}`, table(['field', 'holds', 'what it is'], rows)];
}

const functionTable = (entries: readonly Entry[]): string =>
  table(
    ['written', 'what it gives', 'example'],
    entries.map(({ facts = [], about, examples = [] }) => [
      facts.map(([, forms]) => forms.replaceAll('`, `', '`<br>`')).join(''),
      about,
      examples.map(code).join('<br>'),
    ]),
  );

const modelTable = (models: readonly Model[]): string =>
  table(
    ['label', 'kind', 'what it does', 'needs'],
    models.map(({ label, kind, summary, request }) => [
      code(label),
      KIND_NAMES[kind],
      summary,
      (kind === 'chat' ? ['prompt'] : request.required).map(code).join(', '),
    ]),
  );

const settingTable = (entries: readonly Entry[]): string =>
  table(
    ['setting', 'takes', 'what it says', 'also', 'example'],
    entries.map(entry => [
      code(lastName(entry.name)),
      takesWithPreset(entry),
      entry.about,
      (entry.facts ?? []).map(([, text]) => text).join(', '),
      short(entry).map(code).join('<br>'),
    ]),
  );

const variableRow = ({ name, about, examples = [] }: Entry) => [code(name), about, examples.map(code).join('<br>')];

const eventRow = ({ name, about, parts = [] }: Entry) => [
  code(name),
  about,
  parts.map(part => code(`${part.name}${part.isRequired ? '' : '?'}`)).join(', '),
];

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const code = (text: string): string => `\`${text}\``;
const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '');
