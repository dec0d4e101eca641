/**
 * A lock file's text, taken apart no further than it must be: each entry is a block of lines that is carried over as it is, so that other writers'
 * entries are never touched, and an entry costs something only when it is read.
 *
 *     shotlist: 1
 *     services:
 *       studio:            ← sections, sorted
 *         shot[seed=22]:   ← blocks, sorted
 *           fingerprint: …
 *           is: media      ← the rest is its kind's
 *
 * What is laid out otherwise (a formatter was here, a person) is read all the same, and laid out anew with the next write.
 */
import { stringify } from 'yaml';
import { isObject, type Json, type JsonObject } from '../../model/text/json.ts';
import { layoutOf, type Piece, quickMap } from './lock-lines.ts';
import { quickPrint } from './lock-print.ts';
import { LockRefused, MEND, properValue, shown, unreadable } from './lock-yaml.ts';

const VERSION = 1;
const HEAD =
  '# Written by shotlist; commit it. It says what every instance of the film gave, so that nothing is paid for twice.\n';

export interface Block {
  /** Its key and all of its lines as we write them, each with its line break. */
  text(): string;
  /** Its value; undefined where its lines are no YAML. @throws LockRefused, with the first place that cannot be read. */
  value(): Json | undefined;
  /** Found without reading the rest, wherever that is possible. */
  fingerprint(): string | undefined;
}

type Section = ReadonlyMap<string, Block>;
type Sections = ReadonlyMap<string, Section>;

export class LockText {
  /** The lock that was read last: opening a film and writing its lock read the same text. */
  static #last: WeakRef<LockText> | undefined;
  readonly #sections: Sections;
  #text: string | undefined;
  readonly #path: string;

  private constructor(sections: Sections, text: string | undefined, path: string) {
    this.#sections = sections;
    this.#text = text;
    this.#path = path;
  }

  /** @throws LockRefused when the text is not a lock file of a version we know. */
  static read(text: string | null | undefined, path: string): LockText {
    if (text === null || text === undefined || text.trim() === '') return new LockText(new Map(), '', path);
    const last = LockText.#last?.deref();
    if (last && last.#path === path && last.#text === text) return last;
    const plain = text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
    const lock = new LockText(quickSections(plain, path) ?? properSections(plain, path), text, path);
    LockText.#last = new WeakRef(lock);
    return lock;
  }

  get services(): readonly string[] {
    return [...this.#sections.keys()];
  }

  section(service: string): Section {
    return this.#sections.get(service) ?? new Map();
  }

  /**
   * What all entries of a section say. @param read gives what is wrong with one as a text. @param called how a message names an entry.
   * @throws LockRefused, naming what is wrong with the first entries that are none.
   */
  read<T extends object>(
    service: string,
    read: (key: string, value: Json) => T | string,
    called: (key: string) => string = key => `\`${shown(key)}\``,
  ): readonly T[] {
    const all = [...this.section(service)].map(([key, block]) => ({ key, is: read(key, block.value() ?? null) }));
    const wrong = all.flatMap(({ key, is }) => (typeof is === 'string' ? [`${called(key)} ${is}`] : []));
    if (wrong.length === 0) return all.map(({ is }) => is as T);
    const more = wrong.length > MOST_TOLD ? `; and ${wrong.length - MOST_TOLD} more` : '';
    const listed = wrong.slice(0, MOST_TOLD).join('; ');
    throw new LockRefused(`${this.#path} is not as shotlist wrote it: ${listed}${more}; ${MEND}`);
  }

  /** The very text that was read where nothing is different. */
  get text(): string {
    this.#text ??= printed(this.#sections);
    return this.#text;
  }

  /** This lock with some entries of one service put in, and some taken out. All else stays as it is. */
  with(service: string, put: ReadonlyMap<string, string>, gone: (key: string) => boolean = () => false): LockText {
    const before = this.section(service);
    const after = new Map([...before].filter(([key]) => put.has(key) || !gone(key)));
    let isChanged = after.size < before.size;
    for (const [key, text] of put) {
      if (before.get(key)?.text() === text) continue;
      after.set(key, { ...NOTHING, text: () => text });
      isChanged = true;
    }
    return isChanged ? new LockText(new Map([...this.#sections, [service, after]]), undefined, this.#path) : this;
  }
}

/** What is wrong with one entry is rarely wrong with one alone. */
const MOST_TOLD = 5;

/** What is put in is printed, and asked nothing else. */
const NOTHING = { value: () => undefined, fingerprint: () => undefined };

/** An entry as it will stand in the file. */
export const blockOf = (key: string, entry: object): string =>
  quickPrint({ [key]: entry }, 4) ??
  stringify({ [key]: entry }, { lineWidth: 0, aliasDuplicateObjects: false })
    .split('\n')
    .map(line => (line === '' ? '' : `    ${line}`))
    .join('\n');

function printed(sections: Sections): string {
  const parts = [`${HEAD}shotlist: ${VERSION}\nservices:${sections.size === 0 ? ' {}' : ''}\n`];
  for (const [service, section] of sorted(sections)) {
    const name = stringify({ [service]: null }, { lineWidth: 0 }).replace(/ null\n$/, '');
    parts.push(`  ${name}${section.size === 0 ? ' {}' : ''}\n`);
    for (const [, block] of sorted(section)) parts.push(block.text());
  }
  return parts.join('');
}

const sorted = <T>(map: ReadonlyMap<string, T>): [string, T][] => [...map].sort(([a], [b]) => (a < b ? -1 : 1));

function quickSections(text: string, path: string): Sections | undefined {
  const layout = layoutOf(text, VERSION);
  if (!layout) return undefined;
  const section = (pieces: ReadonlyMap<string, Piece>) =>
    new Map([...pieces].map(([key, piece]) => [key, blockAt(piece, layout.isOurs, path)]));
  return new Map([...layout.sections].map(([service, pieces]) => [service, section(pieces)]));
}

/** As we write it, its lines are carried over; in another indentation it is laid out anew where the file is written. */
function blockAt(piece: Piece, isOurs: boolean, path: string): Block {
  const value = () => valueIn(piece, path);
  return {
    text: () => (isOurs ? piece.text : blockOf(piece.key, value() as object)),
    value,
    fingerprint: () => fingerprintLine(piece) ?? fingerprintIn(isOurs ? quickValue(piece) : value()),
  };
}

/** The lines as deep as the entry's first field, which need no reading. */
function fingerprintLine({ text }: Piece): string | undefined {
  const margin = /\n(?: {4}: | +)/.exec(text)?.[0];
  const field = `${margin}fingerprint: `;
  const at = text.indexOf(field);
  if (margin === undefined || at < 0) return undefined;
  const from = at + field.length;
  const [, quoted, plain] = /^(?:"([^"\\]*)"|([\w-]+))$/.exec(text.slice(from, text.indexOf('\n', from))) ?? [];
  return quoted ?? plain;
}

function valueIn(piece: Piece, path: string): Json | undefined {
  const quick = quickValue(piece);
  if (quick) return quick;
  const whole = properValue(piece.text, piece.line - 1, path);
  return whole && Object.values(whole)[0];
}

/** Undefined: read it properly. */
function quickValue({ text }: Piece): JsonObject | undefined {
  const fields = text.slice(text.indexOf('\n') + 1);
  const isExplicit = text.startsWith('    ? ');
  // What is no map is on the line of its key.
  return fields === '' ? undefined : quickMap(isExplicit ? fields.replace(/^ {4}: /, '      ') : fields);
}

function fingerprintIn(value: Json | undefined): string | undefined {
  const fingerprint = value !== undefined && isObject(value) ? value.fingerprint : undefined;
  return typeof fingerprint === 'string' ? fingerprint : undefined;
}

/** Any YAML with the same meaning; a person may have written it. */
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
    const blocks = Object.entries(entries).map(([key, value]) => [key, ofValue(key, value)] as const);
    return [service, new Map(blocks)] as const;
  });
  return new Map(sections);
}

const ofValue = (key: string, value: Json): Block => ({
  text: () => blockOf(key, value as object),
  value: () => value,
  fingerprint: () => fingerprintIn(value),
});
