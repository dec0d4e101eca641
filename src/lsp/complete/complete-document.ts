/** What can be written at the cursor: expressions, keys, fields, values, models, steps, paths. */

import { readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { survey as surveyOf } from '../../language/compile.ts';
import { kindOfPath, type Type } from '../../language/types/types.ts';
import { type Cursor, cursorAt, nodeAt, type Way } from '../../language/yaml/cursor.ts';
import { child, type MapNode } from '../../language/yaml/syntax-tree.ts';
import { isInside } from '../../machine/files/project.ts';
import type { Document } from '../document.ts';
import { keyText, modelText, type SharedWords } from '../hover-texts.ts';
import { expressionOffers, stepNamed } from './complete-expression.ts';
import type { Offered } from './completion-offer.ts';
import { type Film, type Taken, takenAt } from './expected.ts';
import { scopeAt } from './expression-types.ts';

export function completionsAt(document: Document, offset: number, words: SharedWords): readonly Offered[] {
  const standing = cursorAt(document.source, offset);
  if (!standing) return [];
  const { cursor, source } = standing;
  const survey = surveyOf(source, document.library, { files: document.files });
  if (!survey) return cursor.is === 'key' ? keyOffers(cursor, { type: 'object' }, NO_FILM(document), words) : [];
  const film = { survey, library: document.library };
  switch (cursor.is) {
    case 'expression':
      return expressionOffers(cursor.before, cursor.after, offset, scopeAt(cursor.at, survey));
    case 'key':
      return keyOffers(cursor, nodeAt(survey.node, cursor.at), film, words);
    case 'value':
      return valueOffers(cursor, film, document, words);
  }
}

/** Of an empty file. */
const NO_FILM = ({ library }: Document): Film => ({
  survey: {
    node: { is: 'map', entries: [], at: { start: 0, end: 0 } },
    scopeOf: () => NOTHING_TO_SEE,
    models: () => undefined,
    offers: new Map(),
  },
  library,
});
const NOTHING_TO_SEE = {
  ...{ params: new Map(), data: new Map(), env: new Set<string>(), steps: new Map(), step: '' },
  ...{ matrix: undefined, each: undefined, coordinates: [] },
};

type KeyCursor = Extract<Cursor, { is: 'key' }>;

function keyOffers(cursor: KeyCursor, map: unknown, film: Film, words: SharedWords): readonly Offered[] {
  const taken = takenAt(cursor.at, film);
  const there = new Set((map as MapNode | undefined)?.entries?.map(({ name }) => name));
  const properties = new Map<string, Taken[]>();
  for (const schema of taken)
    for (const [name, property] of Object.entries(schema.properties ?? {}))
      properties.set(name, [...(properties.get(name) ?? []), property]);
  const named = namesUnder(cursor.at, film).map(label => ({
    label,
    what: 'key' as const,
    text: `${label}: `,
    at: cursor.word,
  }));
  const keys = [...properties]
    .filter(([name]) => !there.has(name))
    .map(([label, property]): Offered => {
      const fields = takenAt([...cursor.at, label], film);
      const isFirst =
        fields.some(({ isRequired }) => isRequired) || taken.some(({ required }) => required?.includes(label));
      return {
        label,
        what: property[0]?.model ? 'field' : 'key',
        about: keyText(label, fields, words),
        ...(property[0]?.model && { detail: property[0].model.label }),
        text: cursor.hasColon ? label : `${label}:${isMapping(fields, cursor) ? '' : ' '}`,
        at: cursor.word,
        ...(isFirst && { isFirst }),
      };
    });
  return [...keys, ...named.filter(({ label }) => !there.has(label))];
}

const isMapping = (taken: readonly Taken[], { isFlow }: KeyCursor): boolean =>
  !isFlow && taken.length > 0 && taken.every(({ type, properties }) => type === 'object' || properties !== undefined);

/** Names that the file declares elsewhere and that are keys here. */
function namesUnder(way: Way, { survey: { node } }: Film): readonly string[] {
  if (way[0] === 'profiles' && way.length === 3 && (way[2] === 'params' || way[2] === 'models'))
    return namesIn(node, way[2]);
  return [];
}

function namesIn(file: MapNode, section: string): readonly string[] {
  const names = child(file, section);
  return names?.is === 'map' ? names.entries.map(({ name }) => name) : [];
}

type ValueCursor = Extract<Cursor, { is: 'value' }>;

function valueOffers(cursor: ValueCursor, film: Film, document: Document, words: SharedWords): readonly Offered[] {
  const { at, word } = cursor;
  const taken = takenAt(at, film);
  const isPath = document.source.text.slice(word.start, word.end).includes('/');
  const inItems = taken.flatMap(({ items }) => (items ? [items] : []));
  const one = (offer: Omit<Offered, 'at'>): Offered => ({
    ...offer,
    at: word,
    ...(cursor.quote === '' ? {} : { text: offer.text ?? offer.label }),
  });
  return [
    ...modelOffers(at, film, words).map(one),
    ...nameOffers(at, film).map(one),
    ...literals([...taken, ...inItems], cursor).map(one),
    ...(isPath ? [] : mediaOffers(at, [...taken, ...inItems], film, cursor).map(one)),
    ...pathOffers(at, taken, cursor, document),
    // In a mapping that is not there yet.
    ...keysInstead(cursor, taken, film, words),
  ];
}

/** `- ` and a blank line below a key may begin a mapping. */
function keysInstead(cursor: ValueCursor, taken: readonly Taken[], film: Film, words: SharedWords): readonly Offered[] {
  const isItem = typeof cursor.at.at(-1) === 'number';
  if (!isItem || !taken.some(({ properties }) => properties)) return [];
  return keyOffers(
    { is: 'key', at: cursor.at, word: cursor.word, hasColon: false, isFlow: false },
    undefined,
    film,
    words,
  );
}

type Named = Omit<Offered, 'at'>;

function modelOffers(way: Way, { survey: { node }, library }: Film, words: SharedWords): readonly Named[] {
  const last = way.at(-1);
  const isModel = last === 'model' && way[0] === 'steps';
  const isName = way[0] === 'models' && (way.length === 2 || last === 'id');
  const isOfProfile = way[0] === 'profiles' && way[2] === 'models' && way.length === 4;
  const isAxis = way[0] === 'steps' && way[2] === 'matrix' && typeof last === 'number' && isModelAxis(way, node);
  if (!isModel && !isName && !isOfProfile && !isAxis) return [];
  const isJudge = way[2] === 'judge';
  const own =
    isModel || isAxis
      ? namesIn(node, 'models').map(label => ({
          label,
          what: 'model' as const,
          detail: 'a name of this file',
          isFirst: true,
        }))
      : [];
  const labels = library.labels
    .flatMap(label => library.get(label) ?? [])
    .filter(({ kind, forTests }) => !forTests && (!isJudge || kind === 'chat'));
  return [
    ...own,
    ...labels.map(model => ({
      label: model.label,
      what: 'model' as const,
      detail: model.summary,
      about: modelText(model, words),
    })),
  ];
}

function isModelAxis(way: Way, node: MapNode): boolean {
  const model = nodeAt(node, ['steps', way[1]!, 'model']);
  return model?.is === 'scalar' && String(model.value).includes(`matrix.${way[3]}`);
}

/** Steps under `needs`, groups under `concurrency`. */
function nameOffers(way: Way, { survey: { node, scopeOf } }: Film): readonly Named[] {
  if (way[0] !== 'steps') return [];
  if (way[2] === 'needs') {
    const needs = nodeAt(node, way.slice(0, 3));
    const there = needs?.is === 'list' ? needs.items.map(item => (item.is === 'scalar' ? item.value : '')) : [];
    return [...scopeOf(String(way[1])).steps]
      .filter(([name]) => name !== way[1] && !there.includes(name))
      .map(([name, step]) => stepNamed(name, step));
  }
  if (way[2] === 'concurrency' && way.length === 3)
    return namesIn(node, 'concurrency').map(label => ({ label, what: 'value' }));
  return [];
}

function literals(taken: readonly Taken[], { quote }: ValueCursor): readonly Named[] {
  const values = taken.flatMap(({ enum: choices, const: only, type, default: preset }) => [
    ...(choices ?? (only === undefined ? [] : [only])),
    ...(type === 'boolean' ? [true, false] : []),
    ...(choices === undefined && (typeof preset === 'number' || typeof preset === 'string') ? [preset] : []),
  ]);
  const preset = taken.find(schema => schema.default !== undefined)?.default;
  return [...new Set(values)].map(value => ({
    label: String(value),
    what: 'value',
    ...(value === preset && { detail: 'default', isFirst: true }),
    text: typeof value === 'string' && quote === '' && needsQuotes(value) ? `"${value}"` : String(value),
  }));
}

/** YAML would read it as something else than text. */
const needsQuotes = (text: string): boolean =>
  /^(?:[-+]?[\d.]+(?:e[-+]?\d+)?|true|false|null|~|)$/i.test(text) || /^[[{&*!|>'"%@`#]/.test(text);

/** Results that are of the kind that a media field takes. */
function mediaOffers(way: Way, taken: readonly Taken[], { survey }: Film, cursor: ValueCursor): readonly Named[] {
  const kind = taken.find(({ media }) => media)?.media?.kind;
  if (kind === undefined || way[0] !== 'steps') return [];
  const scope = survey.scopeOf(String(way[1]));
  const fits = (type: Type): boolean => type.is === 'record' && (type.leadsTo === kind || type.leadsTo === 'media');
  const each = scope.each && fits(scope.each) ? ['each.result_url'] : [];
  const steps = [...scope.steps]
    .filter(([name, step]) => name !== way[1] && step.coordinates.length === 0 && fits(step.result))
    .map(([name]) => `steps.${name}.result_url`);
  return [...each, ...steps].map(path => ({
    label: `\${{ ${path} }}`,
    what: 'step',
    detail: `a ${kind}`,
    text: cursor.quote === '' ? `"\${{ ${path} }}"` : `\${{ ${path} }}`,
    isFirst: true,
  }));
}

/** Paths of files, where the language takes one: from the folder of the file, never above the project. */
type Wanted = (name: string) => boolean;

function pathOffers(
  way: Way,
  taken: readonly Taken[],
  { word, quote }: Extract<Cursor, { is: 'value' }>,
  { file, root, source }: Document,
): readonly Offered[] {
  const wanted = file === undefined ? undefined : wantedAt(way, taken);
  if (wanted === undefined || file === undefined) return [];
  const written = source.text.slice(word.start, word.end);
  const behind = written.lastIndexOf('/') + 1;
  const folder = resolve(dirname(file), written.slice(0, behind));
  if (folder !== root && !isInside(folder, root)) return [];
  const lead = written.slice(0, behind);
  return entriesOf(folder)
    .filter(({ name, isFolder }) => !name.startsWith('.') && name !== 'node_modules' && (isFolder || wanted(name)))
    .filter(({ name }) => join(folder, name) !== file && !name.endsWith('.lock.yaml'))
    .map(({ name, isFolder }) => {
      const path = `${lead}${name}${isFolder ? '/' : ''}`;
      const text = quote === '' && /[^\w./~-]/.test(path) ? JSON.stringify(path) : path;
      return { label: path, what: isFolder ? 'folder' : 'file', text, at: word };
    });
}

function wantedAt(way: Way, taken: readonly Taken[]): Wanted | undefined {
  const [section, , key, ...rest] = way;
  const kind = taken.flatMap(({ media, items }) => media ?? items?.media ?? [])[0]?.kind;
  if (kind !== undefined) return name => kindOfPath(name) === kind;
  if (section === 'data' && way.length === 2) return () => true;
  if (section !== 'steps') return undefined;
  if (key === 'uses') return name => /\.ya?ml$/i.test(name);
  if (key === 'schema' && rest.length === 0) return name => /\.(json|ya?ml)$/i.test(name);
  if (key === 'files' && rest.length === 1) return () => true;
  if (key === 'cut' && ['from', 'voice', 'music'].includes(String(way.at(-1))))
    return name => kindOfPath(name) !== undefined;
  return undefined;
}

/** Of a folder that cannot be read, none. */
function entriesOf(folder: string): readonly { readonly name: string; readonly isFolder: boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .map(entry => ({ name: entry.name, isFolder: entry.isDirectory() }))
      .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
  } catch {
    return [];
  }
}
