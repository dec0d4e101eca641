/** Settings of the files, from `schema/settings.schema.json`, each with its variable and its flag; and variables that stand alone. */
import settingsSchema from '../../../schema/settings.schema.json' with { type: 'json' };
import { VARIABLES, variableOf } from '../../host/environment-variables.ts';
import { CHOICES, LIMITS } from '../../host/settings-values.ts';
import { type Entry, lastName } from './entry.ts';
import { entriesOf } from './schema-entries.ts';
import type { SchemaFile } from './schema-words.ts';

export const settingsAbout = settingsSchema.description;

/** Flags of `run` that say the same as a setting. */
const FLAGS: Readonly<Record<string, string>> = {
  service: '--service',
  profile: '--profile',
  on_unknown: '--on-unknown',
  on_interrupt: '--on-interrupt',
  ui: '--ui',
};

export const settingEntries = (): readonly Entry[] =>
  entriesOf(settingsSchema as SchemaFile, 'setting').map(withOtherPlaces);

function withOtherPlaces(entry: Entry): Entry {
  const name = lastName(entry.name);
  const flag = FLAGS[entry.name];
  const facts = [
    ...(entry.facts ?? []),
    ...(hasVariable(entry.name) ? [['variable', `\`${variableOf(name)}\``] as const] : []),
    ...(flag === undefined ? [] : [['flag', `\`${flag}\``] as const]),
  ];
  return { ...entry, ...(facts.length > 0 ? { facts } : {}), parts: (entry.parts ?? []).map(withOtherPlaces) };
}

/** Of a path: a rate of a service may be called as a limit is. */
const hasVariable = (path: string): boolean =>
  path === 'profile' || path in CHOICES || LIMITS.some(limit => path === `limits.${limit}`);

/** Those beside the variables of settings. */
export const variableEntries = (): readonly Entry[] =>
  VARIABLES.map(({ name, about, example }) => ({ topic: 'variable', name, about, examples: [`${name}=${example}`] }));
