/**
 * A lock file's text, taken apart no further than it must be: each entry is a block of lines that is carried over as it stands,
 * so that what others wrote is never touched, and an entry costs something only when somebody asks for it.
 *
 *     shotlist: 1
 *     services:
 *       studio:            ← sections, sorted
 *         shot[seed=22]:   ← blocks, sorted
 *           fingerprint: …
 *
 * What is laid out otherwise (a formatter was here, a person) is read by the YAML reader, and laid out anew with the next write.
 */
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, stringify } from 'yaml';
import { cleanText } from '../../domain/clean.ts';
import { isObject, type Json, type JsonObject } from '../../domain/json.ts';
import { Refusal } from '../../domain/refusal.ts';
import { quickMap, quickName } from './lock-lines.ts';

const VERSION = 1;
const HEAD =
  '# Written by shotlist; commit it. It says what every instance of the film gave, so that nothing is paid for twice.\n';

/** The lock file is not ours to read; the message says why. */
export class LockRefused extends Refusal {}

/** One entry as it stands in the file: its key and all of its lines, each with its line break. */
export interface Block {
  readonly text: string;
  /** Its place in the file, counted from 1. */
  readonly line: number;
}

type Section = ReadonlyMap<string, Block>;
type Sections = ReadonlyMap<string, Section>;

export class LockText {
  readonly #sections: Sections;
  readonly #text: string;
  readonly #path: string;

  private constructor(sections: Sections, text: string, path: string) {
    this.#sections = sections;
    this.#text = text;
    this.#path = path;
  }

  /** @throws LockRefused when the text is not a lock file of a version we know. */
  static read(text: string | null | undefined, path: string): LockText {
    if (text === null || text === undefined || text.trim() === '') return new LockText(new Map(), '', path);
    const plain = text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
    return new LockText(quickSections(plain) ?? properSections(plain, path), text, path);
  }

  section(service: string): Section {
    return this.#sections.get(service) ?? new Map();
  }

  /** What an entry says; undefined where its lines are no YAML. */
  value({ text, line }: Block): Json | undefined {
    const [first = '', ...lines] = text.slice(0, -1).split('\n');
    // A key too long for one line is written as `? key`, and its value as `: value`.
    if (first.startsWith(EXPLICIT)) lines[0] = lines[0]!.replace(/^ {4}: /, '      ');
    // What is no map stands on the line of its key.
    const quick = lines.length > 0 ? quickMap(lines, 6) : undefined;
    if (quick) return quick;
    const whole = properValue(text, line - 1, this.#path);
    return whole && Object.values(whole)[0];
  }

  /**
   * This text with some entries of one service put in, and some taken out; the very same text where nothing is different.
   * All else stays as it is.
   */
  with(service: string, put: ReadonlyMap<string, string>, gone: (key: string) => boolean): string {
    const before = this.section(service);
    const after = new Map([...before].filter(([key]) => put.has(key) || !gone(key)));
    let isChanged = after.size < before.size;
    for (const [key, text] of put) {
      if (before.get(key)?.text === text) continue;
      after.set(key, { text, line: 0 });
      isChanged = true;
    }
    return isChanged ? printed(new Map([...this.#sections, [service, after]])) : this.#text;
  }
}

/** An entry as it will stand in the file. */
export const blockOf = (key: string, entry: object): string =>
  stringify({ [key]: entry }, { lineWidth: 0, aliasDuplicateObjects: false })
    .split('\n')
    .map(line => (line === '' ? '' : `    ${line}`))
    .join('\n');

/** Without reading the entry: one of its lines says it. */
export const fingerprintIn = ({ text }: Block): string | undefined =>
  /\n {4}(?: {2}|: )fingerprint: (?:"([^"\\\n]*)"|([\w-]+))\n/.exec(text)?.slice(1).find(Boolean);

const EXPLICIT = '    ? ';

function printed(sections: Sections): string {
  const parts = [`${HEAD}shotlist: ${VERSION}\nservices:${sections.size === 0 ? ' {}' : ''}\n`];
  for (const [service, section] of sorted(sections)) {
    const name = stringify({ [service]: null }, { lineWidth: 0 }).replace(/ null\n$/, '');
    parts.push(`  ${name}${section.size === 0 ? ' {}' : ''}\n`);
    for (const [, { text }] of sorted(section)) parts.push(text);
  }
  return parts.join('');
}

const sorted = <T>(map: ReadonlyMap<string, T>): [string, T][] => [...map].sort(([a], [b]) => (a < b ? -1 : 1));

/** The file as we lay it out; undefined where anything is otherwise. */
function quickSections(text: string): Sections | undefined {
  // To YAML it ends a line, wherever it stands.
  if (text.includes('\r')) return undefined;
  const lines = text.replace(/\n$/, '').split('\n');
  const start = lines.findIndex(line => !line.startsWith('#'));
  if (lines[start] !== `shotlist: ${VERSION}`) return undefined;
  const sections = new Map<string, Map<string, Block>>();
  if (lines[start + 1] === 'services: {}' && lines.length === start + 2) return sections;
  if (lines[start + 1] !== 'services:') return undefined;
  let section: Map<string, Block> | undefined;
  for (let at = start + 2; at < lines.length; ) {
    const line = lines[at]!;
    if (!line.startsWith('    ')) {
      const [, token, empty] = /^ {2}(\S.*?):( \{\})?$/.exec(line) ?? [];
      const name = token && keyIn(token);
      if (!name || sections.has(name)) return undefined;
      section = new Map();
      sections.set(name, section);
      at++;
      // A name with nothing below it is somebody else's doing.
      if ((empty === undefined) !== (lines[at]?.startsWith('    ') ?? false)) return undefined;
      continue;
    }
    const isExplicit = line.startsWith(EXPLICIT);
    const token = isExplicit ? line.slice(EXPLICIT.length) : /^ {4}(\S.*):$/.exec(line)?.[1];
    const key = token && keyIn(token);
    if (!section || !key || section.has(key)) return undefined;
    let end = at + 1;
    if (isExplicit && !lines[end++]?.startsWith('    : ')) return undefined;
    while (end < lines.length && (lines[end] === '' || lines[end]!.startsWith('      '))) end++;
    if (end === at + 1) return undefined;
    section.set(key, { text: `${lines.slice(at, end).join('\n')}\n`, line: at + 1 });
    at = end;
  }
  return sections;
}

/** A key that nobody could take for anything else. */
function keyIn(token: string): string | undefined {
  if (!/^["'a-z]/i.test(token)) return undefined;
  const name = quickName(token);
  return name === '__proto__' ? undefined : name;
}

/** Any YAML that says the same; a person or a formatter may have written it. */
function properSections(text: string, path: string): Sections {
  // What git leaves of a merge may still read as YAML.
  const marker = text.split('\n').findIndex(line => /^(?:<{7}|={7}|>{7})(?: |$)/.test(line));
  if (marker >= 0) throw unreadable(path, `line ${marker + 1}`);
  const content = properValue(text, 0, path) ?? {};
  if (content.shotlist !== VERSION) {
    const { shotlist } = content;
    const found = shotlist === undefined ? 'no version' : `version ${shown(JSON.stringify(shotlist))}`;
    const what = shotlist === undefined ? MEND : 'use the shotlist that wrote it';
    throw new LockRefused(`${path} has ${found}; this shotlist reads lock files of version ${VERSION}: ${what}`);
  }
  const services = content.services ?? {};
  if (!isObject(services) || !Object.values(services).every(isObject)) {
    throw new LockRefused(
      `${path} is not as shotlist wrote it: \`services\` must hold a map for each service; ${MEND}`,
    );
  }
  const sections = Object.entries(services as Record<string, JsonObject>).map(([service, entries]) => {
    const blocks = Object.entries(entries).map(([key, value]): [string, Block] => [
      key,
      { text: blockOf(key, value as object), line: 1 },
    ]);
    return [service, new Map(blocks)] as const;
  });
  return new Map(sections);
}

export const MEND = 'mend it, or delete it: what is owned is still in the journal';

/** A name or value out of the file, for a message. */
export const shown = (text: string): string => {
  const clean = cleanText(text);
  return clean.length > 80 ? `${clean.slice(0, 79)}…` : clean;
};

/** @throws LockRefused when it cannot be read, with the first place where it cannot. */
function properValue(text: string, linesBefore: number, path: string): JsonObject | undefined {
  const lineCounter = new LineCounter();
  const place = (offset: number) => `line ${linesBefore + lineCounter.linePos(offset).line}`;
  const document = parsed(text, lineCounter, path);
  const error = document.errors[0];
  if (error) throw unreadable(path, place(error.pos[0]));
  const value = plainly(document.contents, 0, (offset, wrong) => {
    throw new LockRefused(`${path} is not as shotlist wrote it: ${place(offset)} ${wrong}; ${MEND}`);
  });
  return isObject(value) ? value : undefined;
}

const unreadable = (path: string, place: string): LockRefused =>
  new LockRefused(`${path} is not readable YAML (${place}), perhaps after a merge; ${MEND}`);

function parsed(text: string, lineCounter: LineCounter, path: string) {
  try {
    // Its own look for double keys is quadratic: 10,000 of them take 4 s. Ours is below.
    return parseDocument(text, { uniqueKeys: false, merge: false, version: '1.2', lineCounter, prettyErrors: false });
  } catch {
    // Nested so deep that the reader itself gave up.
    throw new LockRefused(`${path} is not readable YAML; ${MEND}`);
  }
}

/** Deeper than anything a lock or a service's record holds. */
const MAX_DEPTH = 40;

/** We never write an alias, and a few lines of them can stand for more than a machine holds: none is followed. */
function plainly(node: Node | null, depth: number, refuse: (offset: number, wrong: string) => never): Json {
  const at = node?.range?.[0] ?? 0;
  if (node === null) return null;
  if (depth > MAX_DEPTH) return refuse(at, `is nested deeper than ${MAX_DEPTH} levels`);
  if (isAlias(node)) return refuse(at, 'holds an alias');
  if (isScalar(node)) {
    const { value } = node;
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
  }
  if (isSeq(node)) return node.items.map(item => plainly(item as Node | null, depth + 1, refuse));
  if (!isMap(node)) return null;
  const map: Record<string, Json> = {};
  for (const { key, value } of node.items) {
    const keyAt = (key as Node | null)?.range?.[0] ?? at;
    const name = isScalar(key) ? String(key.value) : refuse(keyAt, 'holds a key that is no text');
    if (name === '__proto__') refuse(keyAt, 'has a key `__proto__`, which is no name');
    if (Object.hasOwn(map, name)) refuse(keyAt, `has \`${shown(name)}\` for the second time`);
    map[name] = plainly(value as Node | null, depth + 1, refuse);
  }
  return map;
}
