/** The fields of a model's request in words: what each takes, and within which limits. */

import type { FieldSchema, MediaLimit, Model } from '../../model/model.ts';
import { cellWidth, padEnd, wrapWords } from '../../model/text/cells.ts';
import { cleanText } from '../../model/text/clean.ts';
import type { Json } from '../../model/text/json.ts';

type Field = Partial<FieldSchema>;
interface Row {
  readonly name: string;
  readonly takes: string;
  readonly about: string;
}

/** One field a row, its description wrapped at `width` cells. */
export function fieldLines(
  request: {
    readonly required: readonly string[];
    readonly properties: { readonly [name: string]: Field };
    readonly patternProperties?: Model['request']['patternProperties'];
  },
  width: number,
): readonly string[] {
  const rows = [
    ...Object.entries(request.properties).map(([name, field]) =>
      rowOf(request.required.includes(name) ? `${name}*` : name, field),
    ),
    ...Object.entries(request.patternProperties ?? {}).map(([pattern, field]) => rowOf(nameOf(pattern), field)),
  ];
  const names = Math.max(0, ...rows.map(({ name }) => cellWidth(name)));
  const kinds = Math.max(0, ...rows.map(({ takes }) => cellWidth(takes)));
  const indent = names + kinds + 6;
  return rows.flatMap(({ name, takes, about }) => {
    const [first = '', ...more] = wrapWords(about, Math.max(30, width - indent));
    const head = `  ${padEnd(name, names)}  ${padEnd(takes, kinds)}  ${first}`.trimEnd();
    return [head, ...more.map(line => ' '.repeat(indent) + line)];
  });
}

function rowOf(name: string, field: Field): Row {
  return { name: cleanText(name), takes: takesOf(field), about: cleanText(aboutField(field)) };
}

const aboutField = (field: Field): string => sentences(limitsOf(field).join(', '), field.description);

/** What it takes, its limits, and what it is for: `whole number, 2 to 15, default 5. Seconds.` */
export const fieldSentence = (field: Field): string =>
  sentences([takesOf(field), ...limitsOf(field)].join(', '), field.description);

const sentences = (...parts: readonly (string | undefined)[]): string => parts.filter(part => !!part).join('. ');

/** `^[a-z][a-z0-9_]*_search$` → `…_search`. */
const nameOf = (pattern: string): string => `…${/_[a-z]+\$$/.exec(pattern)?.[0].slice(0, -1) ?? pattern}`;

function takesOf({ type, items, media, format }: Field): string {
  if (type === 'array') return items ? `list of ${MANY[items.media?.kind ?? items.type] ?? 'values'}` : 'list';
  if (media) return `${media.kind} URL`;
  if (format === 'uri') return 'URL';
  return ONE[type ?? ''] ?? 'value';
}

const ONE: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'mapping',
};
const MANY: Readonly<Record<string, string>> = {
  video: 'video URLs',
  image: 'image URLs',
  audio: 'audio URLs',
  string: 'texts',
  integer: 'whole numbers',
  number: 'numbers',
  object: 'mappings',
};

function limitsOf(field: Field): readonly string[] {
  const { minimum, maximum, maxLength, maxItems, atLeast, atMost, examples } = field;
  const preset = field.default;
  const choices = field.enum?.map(choice => (choice === preset ? `${choice} (default)` : String(choice)));
  return [
    ...(choices ? [spans(field.enum ?? []) ?? choices.join(', ')] : []),
    ...range(minimum, maximum, ''),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(maxItems === undefined ? [] : [`up to ${maxItems}`]),
    ...range(atLeast, atMost?.join(' or '), ''),
    ...mediaLimits(field.media ?? field.items?.media),
    ...(preset === undefined || choices ? [] : [`default ${shown(preset)}`]),
    ...(examples ? [`for example ${examples.map(shown).join(', ')}`] : []),
  ];
}

function mediaLimits(limit: MediaLimit | undefined): readonly string[] {
  if (!limit) return [];
  const { formats, minSeconds, maxSeconds, maxBytes, maxSide } = limit;
  return [
    ...(formats ? [formats.join(' or ').toUpperCase().replace(' OR ', ' or ')] : []),
    ...range(minSeconds, maxSeconds, ' s'),
    ...(maxBytes === undefined ? [] : [`at most ${maxBytes / 1024 / 1024} MB`]),
    ...(maxSide === undefined ? [] : [`longer side at most ${maxSide} pixels`]),
  ];
}

function range(least: number | string | undefined, most: number | string | undefined, unit: string): readonly string[] {
  if (least !== undefined && most !== undefined) return [`${least} to ${most}${unit}`];
  if (least !== undefined) return [`at least ${least}${unit}`];
  return most === undefined ? [] : [`at most ${most}${unit}`];
}

/** `-1, 4, 5, …, 15` → `-1 or 4 to 15`; undefined for anything but one odd number before a row of them. */
function spans(choices: readonly (string | number)[]): string | undefined {
  const [odd, ...row] = choices;
  const steady = row.length > 2 && row.every((value, at) => typeof value === 'number' && value === Number(row[0]) + at);
  return steady ? `${odd} or ${row[0]} to ${row.at(-1)}` : undefined;
}

const shown = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
