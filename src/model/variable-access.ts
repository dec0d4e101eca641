/** Which variables of the environment a film may read: what a film reads can leak through its prompts and its commands. */

/** What every command gets of the environment. */
export const BASE_VARIABLES: readonly string[] = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR', 'TZ'];

export interface VariableAccess {
  /** Variables that hold secrets of Shotlist's own, each with the setting that names it. No film reads them. */
  readonly secrets: ReadonlyMap<string, string>;
  /** The variables that a worker lists, with those that every command gets; absent: all others may be read. */
  readonly exposed?: ReadonlySet<string>;
}

type Withheld = { readonly is: 'secret'; readonly where: string } | { readonly is: 'unexposed' };

/** Why a film may not read this variable; undefined: it may. */
export function whyWithheld(name: string, { secrets, exposed }: VariableAccess): Withheld | undefined {
  const where = secrets.get(name);
  if (where !== undefined) return { is: 'secret', where };
  return exposed && !exposed.has(name) ? { is: 'unexposed' } : undefined;
}

/** The part of an environment that a film may read. */
export const readableVariables = (
  environment: Readonly<Record<string, string | undefined>>,
  access: VariableAccess,
): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => whyWithheld(name, access) === undefined));

// Which texts can be kept out of other texts: a short or plain one occurs in every other line, and cannot be hidden there.

/** Characters. */
const LEAST = 4;
const PLAIN = /^(true|false|null|none|auto|\d{1,5})$/i;

export const canBeHidden = (value: string): boolean => value.length >= LEAST && !PLAIN.test(value);

/** Characters of a text that an author calls a secret: shorter ones are words, and would be taken out of what a model writes. */
export const MIN_SECRET_LENGTH = 8;

/** What is shown in the place of what a param or a variable holds. */
export const secretMark = (name: string): string => `$${name}`;
