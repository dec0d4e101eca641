/** Keys and values that the schema does not allow, and params that can take no value. */
import { nameFrom } from './foreign/flow-text.ts';
import type { ForeignValue } from './foreign/foreign-keys.ts';
import { durationMeant } from './foreign/meant-values.ts';
import type { ForeignKey } from './foreign/translate.ts';
import {
  and,
  code,
  error,
  or,
  own,
  place,
  quoted,
  TYPE_NAMES,
  unique,
  unquote,
  withSuggestion,
} from './foreign/wording.ts';

export const shapeMessages = {
  isToCome: (key: string) => own(TO_COME, key) !== undefined,
  notYet,
  /** @param needs keys that are missing: nothing else is said of them. */
  unknownKey: (
    key: string,
    path: readonly string[],
    near: string | undefined,
    known: readonly string[],
    needs: readonly string[] = [],
  ) => {
    if (own(TO_COME, key) !== undefined) return notYet(key);
    const others = known.filter(name => !needs.includes(name));
    const all =
      needs.length === 0
        ? `it can have ${and(known)}`
        : `it needs ${and(needs)}${others.length === 0 ? '' : `, and can have ${and(others)}`}`;
    const message = `unknown-key: ${place(path)} has no key \`${key}\`; ${near ? `did you mean \`${near}\`?` : all}`;
    return withSuggestion(message, key, near);
  },
  foreignFile: (called: string) =>
    `foreign-file: this is ${called}; start a film with \`shotlist: 1\`, a \`name\` and \`steps\``,
  foreignKey: (key: string, path: readonly string[], { advice, readAs, value }: ForeignKey) =>
    withSuggestion(`unknown-key: ${place(path)} has no key \`${key}\`; ${advice}`, key, value ? undefined : readAs),
  fieldOnStep: (key: string, path: readonly string[], value: string) =>
    `unknown-key: ${place(path)} has no key \`${key}\`: the model's own fields stand under \`with\`; write \`with: { ${key}: ${value} }\``,
  withInWith: () => 'unknown-key: `with` is inside `with`; take one of them out',
  commaInNumber: (written: string) => {
    const decimal = written.replace(',', '.');
    // A thousand, or one and no thousandths: only the author knows.
    if (/^-?[1-9]\d{0,2},\d{3}$/.test(written))
      return `comma-in-number: \`${written}\` are two numbers; write \`${written.replace(',', '')}\`, or \`${decimal}\` where the comma is a decimal one`;
    return withSuggestion(`comma-in-number: \`${written}\` are two numbers; write \`${decimal}\``, written, decimal);
  },
  commaInText: (key: string) =>
    `comma-in-text: inside { } a comma ends the text, so \`${key}\` is read as a key; put "…" around the whole text`,
  /** A key that steps of other kinds have. */
  keyOfOtherKind: (key: string, path: readonly string[], kind: KindNames, owners: readonly KindNames[]) => {
    const other = owners.find(owner => owner.key === key);
    if (other)
      return `two-kinds: ${place(path)} has \`${key}\` and \`${kind.key}\`; a step is ${other.does} or ${kind.does}, so keep one`;
    const instead = own(kind.insteadOf ?? {}, key);
    return `unknown-key: ${place(path)} is ${kind.called} and takes no \`${key}\`${instead ? `; ${instead}` : `, which is for ${or(owners.map(owner => code(owner.key)))}; take it out`}`;
  },
  missingKind: (path: readonly string[], kinds: readonly KindNames[]) =>
    `missing-key: ${place(path)} does nothing; give it ${or(kinds.map(({ key, does }) => `\`${key}\` (${does})`))}`,
  missingKey: (key: string, path: readonly string[], snippet?: string) =>
    key === 'shotlist'
      ? 'missing-key: the file does not say which version of the language it is in; start it with `shotlist: 1`'
      : `missing-key: ${place(path)} needs \`${key}\`; ${snippet === undefined ? 'add it' : `write ${snippet}`}`,
  wrongVersion: (given: string) =>
    `wrong-version: this build knows version 1 of the language, not ${given}; write \`shotlist: 1\``,
  shapeInQuotes: (label: string, types: readonly string[], given: string) =>
    unquote(`wrong-type: \`${label}\` is \`"${given}"\`, and must be ${shapeName(types)}`, given),
  wrongShape: (label: string, types: readonly string[], given: string, snippet?: string, number?: number) => {
    const wanted = SECTIONS.has(label) ? `a mapping of names to ${label}` : shapeName(types);
    const message = `wrong-type: \`${label}\` is ${given === 'nothing' ? 'empty' : given}${snippet === undefined ? `; it must be ${wanted}` : `, and must be ${wanted}; write ${snippet}`}`;
    return withSuggestion(message, given.replaceAll('"', ''), number);
  },
  notOneOf: (
    label: string,
    allowed: readonly (string | number | boolean)[],
    given: string,
    { near, foreign }: { readonly near: string | undefined; readonly foreign?: ForeignValue | undefined },
  ) =>
    withSuggestion(
      `not-one-of: \`${label}\` is ${given}; ${foreign ? foreign.advice : near ? `did you mean \`${near}\`?` : `it must be ${or(allowed.map(code))}`}`,
      given.replaceAll('"', ''),
      foreign ? foreign.by : near,
    ),
  tooSmall: (label: string, minimum: number, given: number) =>
    `out-of-range: \`${label}\` is ${given}; it must be at least ${minimum}`,
  tooLong: (label: string, limit: number, given: number) =>
    `too-long: \`${label}\` has ${given} characters; at most ${limit} are allowed`,
  emptyText: (label: string) => `empty: \`${label}\` is empty; give it a text`,
  emptyCollection: (label: string, snippet?: string) =>
    `empty: \`${label}\` is empty; ${snippet === undefined ? 'put something in' : `write ${snippet}`}`,
  badName: (name: string, pattern: string, path: readonly string[]) =>
    error(
      'bad-name',
      pattern.includes('A-Z')
        ? `\`${name}\` cannot name a variable; use letters, digits and underscores, no digit first${suggestVariable(name)}`
        : path[0] === 'profiles' && path[2] === 'models' && /^[A-Z]+-/.test(name)
          ? `\`${name}\` is a label, and a profile gives other models to names of \`models:\`; write \`models: { film: ${name} }\` at the top of the file, \`model: film\` in the step and \`film\` here`
          : `\`${name}\` cannot be a name in ${place(path)}; use small letters, digits and underscores, a letter first${suggestName(name)}`,
    ),
  notADuration: (text: string) => {
    const meant = durationMeant(text);
    const advice = meant ? `\`${meant}\`` : 'a number and its unit, like `90s`, `5m` or `1.5h`';
    return withSuggestion(`not-a-duration: ${quoted(text)} is not a duration; write ${advice}`, text, meant);
  },
  noTime: (text: string) =>
    `no-time: ${quoted(text)} is over before anything has begun; give it some time, like \`10m\``,
  tooMuchTime: (text: string, hours: number) =>
    `too-much-time: ${quoted(text)} is longer than a year (${hours}h); give less, or take it out to wait for as long as it takes`,

  // ---- params
  paramBounds: (name: string, low: string, high: string) =>
    `param-bounds: \`${name}\` can take no value: ${low} is above ${high}`,
  paramDefaultExpression: (name: string) =>
    `param-default: the default of \`${name}\` must be a plain value; expressions go where the param is used`,
  paramKeyMisfit: (key: string, type: string) =>
    `param-key: \`${key}\` says nothing about a param of type \`${type}\`; take it out`,
  paramEnumMisfit: (name: string, type: string, value: string | number) =>
    `param-enum: ${quoted(value)} is not ${TYPE_NAMES[type] ?? type}, so \`${name}\` can never be it; take it out`,
};

/** What the messages say of a kind of step (`kinds/kind.ts`). */
export interface KindNames {
  readonly key: string;
  readonly does: string;
  readonly called: string;
  readonly insteadOf?: { readonly [key: string]: string };
}

/** Keys of the language that a later version brings. Never silently ignored. */
const TO_COME: Readonly<Record<string, string>> = {
  publish: '`publish` is',
  pin: '`pin` is',
};

function notYet(key: string): string {
  return `not-yet: ${own(TO_COME, key) ?? `\`${key}\` is`} not in this version yet; take it out`;
}

const SECTIONS = new Set(['params', 'models', 'steps', 'outputs']);

function shapeName(types: readonly string[]): string {
  if (['string', 'number', 'boolean'].every(type => types.includes(type)) && !types.includes('object'))
    return 'one plain value';
  return or(unique(types.map(type => TYPE_NAMES[type] ?? type)));
}

function suggestVariable(name: string): string {
  const [, better = ''] = /^\$?\{?([A-Za-z_]\w*)(?:[=}:].*)?$/.exec(name) ?? [];
  return better === '' ? '' : `, like \`${better}\``;
}

function suggestName(name: string): string {
  const better = nameFrom(name, '');
  return better !== '' && better !== name ? `, like \`${better}\`` : '';
}
