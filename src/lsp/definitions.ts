/** What is under a cursor, where it is declared, and where else it is used. */
import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { declarationOf, type Mention, withoutQuotes } from '../language/checks/mentions.ts';
import { nodeAt, placeAt } from '../language/yaml/cursor.ts';
import { child } from '../language/yaml/syntax-tree.ts';
import { readLooseTree } from '../language/yaml/yaml-tree.ts';
import type { Span } from '../model/diagnostic.ts';
import { readLockText } from '../records/lock/lock-file.ts';
import type { Document } from './document.ts';

/** A place in this file, or in another. */
interface Target {
  /** Absolute; absent: in the file itself. */
  readonly file?: string;
  /** Its text, where a span is given. */
  readonly text?: string;
  readonly span: Span;
}

/** `steps.shot`, under the cursor: which of its names, and what it names. */
interface Pointed {
  readonly section: 'steps' | 'params' | 'data';
  readonly name: string;
  readonly at: Span;
}

/** The step, param or data with its name there: where it is declared, or where it is read. */
export function pointedAt(document: Document, offset: number): Pointed | undefined {
  const { survey, source } = document;
  if (!survey) return undefined;
  for (const { root, path } of document.mentions) {
    const [first] = path;
    if (first && isSection(root) && holds(first.at, offset)) return { section: root, name: first.name, at: first.at };
  }
  const place = placeAt(survey.node, offset);
  const [section, name, ...rest] = place?.at ?? [];
  return place?.is === 'key' && isSection(section) && rest.length === 0
    ? { section, name: String(name), at: withoutQuotes(source.text, place.span) }
    : undefined;
}

const isSection = (root: unknown): root is Pointed['section'] => ['steps', 'params', 'data'].includes(String(root));
const holds = ({ start, end }: Span, offset: number): boolean => start <= offset && offset <= end;

/** Every use of this name; with its declaration first, where that is asked for. */
export function referencesTo(document: Document, { section, name }: Omit<Pointed, 'at'>): readonly Span[] {
  return document.mentions
    .filter(({ root, path }) => root === section && path[0]?.name === name)
    .map(({ path }) => path[0]!.at)
    .concat(section === 'params' ? inProfiles(document, name) : []);
}

export function declared(document: Document, { section, name }: Omit<Pointed, 'at'>): Span | undefined {
  const at = document.survey && declarationOf(document.survey.node, section, name);
  return at && withoutQuotes(document.source.text, at);
}

function inProfiles({ survey }: Document, name: string): readonly Span[] {
  const profiles = survey && child(survey.node, 'profiles');
  if (profiles?.is !== 'map') return [];
  return profiles.entries.flatMap(({ name: profile }) => {
    const params = nodeAt(profiles, [profile, 'params']);
    return params?.is === 'map' ? params.entries.filter(entry => entry.name === name).map(({ nameAt }) => nameAt) : [];
  });
}

/** Where one goes from there. */
export function targetsAt(document: Document, offset: number): readonly Target[] {
  const pointed = pointedAt(document, offset);
  const own = pointed && declared(document, pointed);
  if (own) return [{ span: own }];
  const mention = document.mentions.find(({ path }) => path.some(({ at }) => holds(at, offset)));
  return mention ? ofMention(mention, offset, document) : ofPlace(document, offset);
}

/** `matrix.seed` → the axis; `steps.cleaned.outputs.score` → the output of the used file; `env.KEY` → where it is declared. */
function ofMention(mention: Mention, offset: number, document: Document): readonly Target[] {
  const { survey } = document;
  const [first, second, third] = mention.path;
  if (!survey || !first) return [];
  if (mention.root === 'matrix') return axisOf(document, mention.step, first.name, new Set());
  if (mention.root === 'steps' && second?.name === 'outputs' && third && holds(third.at, offset)) {
    const used = usedFile(document, first.name);
    const tree = used && readLooseTree({ path: used.file, text: used.text });
    const span = tree && declarationOf(tree, 'outputs', third.name);
    return used && span ? [{ ...used, span }] : [];
  }
  return [];
}

/** An axis may be inherited from the step that `each` names. */
function axisOf(document: Document, step: string | undefined, axis: string, seen: Set<string>): readonly Target[] {
  const node = document.survey?.node;
  if (step === undefined || !node || seen.has(step)) return [];
  seen.add(step);
  const matrix = nodeAt(node, ['steps', step, 'matrix']);
  const entry = matrix?.is === 'map' ? matrix.entries.find(({ name }) => name === axis) : undefined;
  if (entry) return [{ span: entry.nameAt }];
  const each = nodeAt(node, ['steps', step, 'each']);
  const from = document.mentions.filter(
    ({ root, path }) =>
      root === 'steps' && each && path[0] && each.at.start <= path[0].at.start && path[0].at.end <= each.at.end,
  );
  return from.flatMap(({ path }) => axisOf(document, path[0]?.name, axis, seen));
}

/** A value: the name of a model, the path of a file. */
function ofPlace(document: Document, offset: number): readonly Target[] {
  const { survey, file } = document;
  const place = survey && placeAt(survey.node, offset);
  if (!survey || place?.is !== 'value' || place.node.is !== 'scalar' || typeof place.node.value !== 'string') return [];
  const { value } = place.node;
  const last = place.at.at(-1);
  const section = last === 'model' ? 'models' : last === 'concurrency' ? 'concurrency' : undefined;
  const named = section === undefined ? undefined : declarationOf(survey.node, section, value);
  if (named) return [{ span: named }];
  if (file === undefined || value === '' || value.includes('${{') || value.includes('\n') || /^[a-z]+:/i.test(value))
    return [];
  const path = resolve(dirname(file), value);
  return isFile(path) ? [{ file: path, span: { start: 0, end: 0 } }] : [];
}

const isFile = (path: string): boolean => {
  try {
    return existsSync(path) && statSync(path).isFile();
  } catch {
    return false;
  }
};

function usedFile(document: Document, step: string): { readonly file: string; readonly text: string } | undefined {
  const node = document.survey && nodeAt(document.survey.node, ['steps', step, 'uses']);
  if (node?.is !== 'scalar' || document.file === undefined) return undefined;
  const file = resolve(dirname(document.file), String(node.value));
  const read = document.files.read(String(node.value));
  return 'problem' in read ? undefined : { file, text: read.text };
}

/** Instances of a step that the lock beside the file names, in all its sections. */
export function keysInLock(
  { file }: Document,
  step: string,
): { readonly lock: string; readonly keys: readonly string[] } | undefined {
  if (file === undefined) return undefined;
  const lock = file.replace(/(\.ya?ml)?$/i, '.lock.yaml');
  const text = isFile(lock) ? readLockText(lock, lock) : undefined;
  if (text === undefined) return undefined;
  const keys = [...text.matchAll(/^ {4}["']?([a-z]\w*)((?:\[[^\]\n]*\]|\/[^:\n"']*)?)["']?:/gm)]
    .filter(([, name]) => name === step)
    .map(([, name, rest]) => `${name}${rest}`);
  return { lock, keys: [...new Set(keys)] };
}
