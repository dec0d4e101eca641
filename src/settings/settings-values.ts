/** How settings are read: the names and values that they may have, and the sentence for each that is wrong. */
import type { Measure } from '../model/budget.ts';
import { listed } from '../model/text/format.ts';
import { nearest } from '../model/text/nearest.ts';

/** Variables by name, as a process has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

export const LIMITS = ['in_flight', 'per_model', 'submits_per_second', 'attempts', 'commands', 'downloads'] as const;
export type LimitName = (typeof LIMITS)[number];

export const CHOICES = {
  ui: ['tui', 'plain', 'json', 'quiet'],
  on_unknown: ['ask', 'fail', 'resubmit'],
  on_interrupt: ['detach', 'cancel'],
  marking: ['iptc', 'none'],
  history: ['doubted', 'trusted'],
} as const;
export type Choice<Name extends keyof typeof CHOICES> = (typeof CHOICES)[Name][number];

/** Unknown names that are reported one by one. */
const MAX_UNKNOWN = 10;

/** One map of a settings file. Each mistake in it is added to `problems`, in a sentence that names what to write, and reads as not given. */
export class Section {
  /** How a person finds it: `services.prod in shotlist.config.yaml`. */
  readonly where: string;
  readonly problems: string[];
  /** A Map has no `__proto__` to stumble over. */
  readonly #fields: ReadonlyMap<string, unknown>;

  constructor(value: unknown, where: string, problems: string[]) {
    this.where = where;
    this.problems = problems;
    this.#fields = new Map();
    if (value === undefined || value === null) return;
    if (!(value instanceof Map)) {
      this.report(`${where} is no map; write \`name: value\` lines`);
      return;
    }
    // YAML allows maps and lists as names; no setting has such a name.
    const named = [...value].filter(([name]) => typeof name !== 'object' || name === null);
    if (named.length < value.size) this.report(`${where}: a name is a map or a list; write it as text, in quotes`);
    this.#fields = new Map(named.map(([name, entry]) => [String(name), entry]));
  }

  report(problem: string): void {
    this.problems.push(problem);
  }

  /** Reports names that are none of these. */
  expects(known: readonly string[], what = 'setting'): this {
    const unknown = [...this.#fields.keys()].filter(name => !known.includes(name));
    for (const name of unknown.slice(0, MAX_UNKNOWN)) this.report(unknownName(what, name, this.where, known));
    const more = unknown.length - MAX_UNKNOWN;
    if (more > 0) this.report(`${this.where}: and ${more} more that are unknown`);
    return this;
  }

  has(name: string): boolean {
    return this.#fields.has(name);
  }

  get(name: string): unknown {
    return this.#fields.get(name);
  }

  entries(): Iterable<readonly [name: string, value: unknown]> {
    return this.#fields;
  }

  /** @param wanted what to write instead: `the name of a service`. */
  text(name: string, wanted: string, where = this.#place(name)): string | undefined {
    const value = this.get(name);
    if (value === undefined || (typeof value === 'string' && value !== '')) return value;
    this.report(`${where} is no text; write ${wanted}`);
    return undefined;
  }

  flag(name: string): boolean | undefined {
    const value = this.get(name);
    if (value === undefined || typeof value === 'boolean') return value;
    this.report(`${this.#place(name)} is no yes or no; write \`${name}: true\` or \`false\``);
    return undefined;
  }

  /** The words of a command: at least one. */
  command(name: string, example: string): readonly [string, ...string[]] | undefined {
    const value = this.get(name);
    if (Array.isArray(value) && value.length > 0 && value.every(word => typeof word === 'string' && word !== ''))
      return value as [string, ...string[]];
    this.report(`${this.#place(name)} is no list of words; write it like \`[${example}]\`, without a shell`);
    return undefined;
  }

  /** Names of variables of the environment; none where the setting is absent. */
  variables(name: string, example: string, where = this.#place(name)): readonly string[] {
    const value = this.has(name) ? this.get(name) : [];
    if (Array.isArray(value) && value.every(isVariable)) return value;
    this.report(`${where} is no list of variables; write their names, like \`[${example}]\``);
    return [];
  }

  /** The numbers that are given under these names. */
  numbers<Name extends string>(
    names: readonly Name[],
    read: (value: unknown, where: string, problems: string[], name: Name) => number | undefined,
    placeOf: (name: Name) => string,
  ): { [name in Name]?: number } {
    const found: { [name in Name]?: number } = {};
    for (const name of names) {
      const number = this.has(name) ? read(this.get(name), placeOf(name), this.problems, name) : undefined;
      if (number !== undefined) found[name] = number;
    }
    return found;
  }

  /** What `read` gives; undefined where it has found a problem. */
  unlessWrong<T>(read: () => T): T | undefined {
    const before = this.problems.length;
    const value = read();
    return this.problems.length === before ? value : undefined;
  }

  #place(name: string): string {
    return `${name} of ${this.where}`;
  }
}

/** The name of a variable of the environment. */
export const isVariable = (name: unknown): name is string => typeof name === 'string' && /^[a-z_]\w*$/i.test(name);

type Given<T> = { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The same without the fields that are undefined. */
export const given = <T extends object>(fields: T): Given<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;

/** `where` is how a person finds the setting again: `--ui`, `SHOTLIST_UI`, `ui in shotlist.config.yaml`. */
export function readChoice<Name extends keyof typeof CHOICES>(
  name: Name,
  value: unknown,
  where: string,
  problems: string[],
): Choice<Name> | undefined {
  if (value === undefined) return undefined;
  const known: readonly Choice<Name>[] = CHOICES[name];
  const found = known.find(choice => choice === value);
  if (found === undefined)
    problems.push(`${where} is ${shown(value)}; write ${list(known, 'or')}${didYouMean(value, known)}`);
  return found;
}

export function readLimit(value: unknown, where: string, problems: string[]): number | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value;
  problems.push(`${where} is ${shown(value)}; write a whole number, 1 or more`);
  return undefined;
}

/** A number of a budget: dollars and seconds have fractions, the others are counted. */
export function readAmount(value: unknown, where: string, problems: string[], measure: Measure): number | undefined {
  const hasFractions = measure === 'usd' || measure === 'video_seconds';
  const isOne = typeof value === 'number' && (hasFractions ? Number.isFinite(value) : Number.isSafeInteger(value));
  if (isOne && value >= 0) return value;
  problems.push(`${where} is ${shown(value)}; write a ${hasFractions ? '' : 'whole '}number, 0 or more`);
  return undefined;
}

function unknownName(what: string, name: string, where: string, known: readonly string[]): string {
  const instead = didYouMean(name, known);
  return `${where}: unknown ${what} \`${name}\`${instead === '' ? `; known: ${list(known, 'and')}` : instead}`;
}

/** `; did you mean …?`, or nothing. */
export function didYouMean(word: unknown, known: readonly string[]): string {
  const near = typeof word === 'string' ? nearest(word, known) : undefined;
  return near === undefined ? '' : `; did you mean \`${near}\`?`;
}

export const list = (words: readonly string[], last: 'and' | 'or'): string =>
  listed(
    words.map(word => `\`${word}\``),
    last,
  );

/** Short, and never the inside of a map or list, where a key might stand. */
export function shown(value: unknown): string {
  if (value === null) return 'empty';
  if (typeof value === 'string') return `\`${value.slice(0, 60)}\``;
  if (typeof value === 'number' || typeof value === 'boolean') return `\`${value}\``;
  return Array.isArray(value) ? 'a list' : 'a map';
}
