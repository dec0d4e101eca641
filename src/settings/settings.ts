/**
 * What a person has set, from the strongest place to the weakest: flag, environment, project file (in git), user file.
 * Pure: texts and variables are given, nothing is read here. Every mistake is collected as a sentence that ends with what to do;
 * a key shows in none of them.
 */
import { join } from 'node:path';
import { Secret } from '../machine/secret.ts';
import type { Budget } from '../model/budget.ts';
import { variableOf } from './environment-variables.ts';
import type { HookSettings, ProvenanceSettings } from './hook-settings.ts';
import type { PublishSettings, StoreSettings } from './publish-settings.ts';
import { chooseService, type ServiceSettings } from './service-settings.ts';
import { type FileSettings, readSettingsFile } from './settings-file.ts';
import {
  type CHOICES,
  type Choice,
  type Environment,
  given,
  LIMITS,
  type LimitName,
  readChoice,
  readLimit,
} from './settings-values.ts';
import { chooseTeam, type TeamSettings } from './team-settings.ts';

export type { HostedService, ServiceSettings, StudioService } from './service-settings.ts';
export { Secret };

export interface Settings {
  readonly service: ServiceSettings;
  /** Only those that are set. */
  readonly limits: { readonly [limit in LimitName]?: number };
  /** What all films of the project may come to together; the project's file has the word before the user's. */
  readonly budget?: Budget;
  /** How a service on another machine comes to read files of this one; the project's file has the word before the user's. */
  readonly publish?: PublishSettings;
  /** Where a team keeps its results; the project's file has the word before the user's. */
  readonly store?: StoreSettings;
  /** The team that is meant by `--on`; absent: none was asked for. */
  readonly team?: TeamSettings;
  /** Names under `teams`; absent: there are none. */
  readonly teams?: readonly string[];
  /** Commands and webhooks for events of a run: of each event, the project's file has the word before the user's. */
  readonly on?: HookSettings;
  /** What films are handed on with; the project's file has the word before the user's. */
  readonly provenance?: ProvenanceSettings;
  /** In which profile films are made; unset means: as their files stand. */
  readonly profile?: string;
  /** What to do with a POST of unknown outcome; unset means: ask at a terminal, fail elsewhere. */
  readonly onUnknown?: Choice<'on_unknown'>;
  /** What an interrupt does to generations at the service; unset means: detach. */
  readonly onInterrupt?: Choice<'on_interrupt'>;
  /** Whether the service's history is known to be whole, and to show at once what was sent as it was sent; unset means: doubted. */
  readonly history?: Choice<'history'>;
  readonly ui?: Choice<'ui'>;
}

export interface SettingsSources {
  readonly flags: {
    /** A name under `services`, `studio`, or a base URL. */
    readonly service?: string;
    readonly profile?: string;
    readonly ui?: string;
    readonly onUnknown?: string;
    readonly onInterrupt?: string;
    /** A name under `teams`, or the address of a database. */
    readonly on?: string;
    /** Nothing is asked of the service from here, or only what it answers to anybody. */
    readonly keyless?: true;
  };
  readonly env: Environment;
  /** Text of `shotlist.config.yaml`, or null where there is none. */
  readonly projectText: string | null;
  /** Text of the user's own `config.yaml`, or null where there is none. */
  readonly userText: string | null;
}

/** `$XDG_CONFIG_HOME/shotlist/config.yaml`, by default below `~/.config`. `home` is the user's own folder. */
export function userSettingsFile(env: Environment, home: string): string {
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'shotlist', 'config.yaml');
}

export function resolveSettings(sources: SettingsSources): {
  readonly settings: Settings;
  readonly problems: readonly string[];
} {
  const { flags, env } = sources;
  const problems: string[] = [];
  const project = readSettingsFile(sources.projectText, 'project', problems);
  const user = readSettingsFile(sources.userText, 'user', problems);

  const choose = <Name extends keyof typeof CHOICES>(name: Name, flag?: string): Choice<Name> | undefined =>
    readChoice(name, flag, `--${name.replace('_', '-')}`, problems) ??
    readChoice(name, env[variableOf(name)] || undefined, variableOf(name), problems) ??
    project.choices[name] ??
    user.choices[name];
  const teams = [...new Set([...project.teams.keys(), ...user.teams.keys()])];
  const on = { ...user.on, ...project.on };
  const chosen = given({
    ui: choose('ui', flags.ui),
    onUnknown: choose('on_unknown', flags.onUnknown),
    onInterrupt: choose('on_interrupt', flags.onInterrupt),
    history: choose('history'),
    budget: project.budget ?? user.budget,
    publish: project.publish ?? user.publish,
    store: project.store ?? user.store,
    team: flags.on === undefined ? undefined : chooseTeam(flags.on, project.teams, user.teams, problems),
    teams: teams.length === 0 ? undefined : teams,
    provenance: project.provenance ?? user.provenance,
    on: Object.keys(on).length === 0 ? undefined : on,
    profile: flags.profile ?? (env[variableOf('profile')] || undefined) ?? project.profile ?? user.profile,
  });
  const service = chooseService({ flag: flags.service, keyless: flags.keyless, env, project, user }, problems);
  return { settings: { service, limits: limits(env, project, user, problems), ...chosen }, problems };
}

function limits(env: Environment, project: FileSettings, user: FileSettings, problems: string[]): Settings['limits'] {
  const found: { [limit in LimitName]?: number } = {};
  for (const name of LIMITS) {
    const text = env[variableOf(name)];
    const value =
      (text ? readLimit(/^\d+$/.test(text) ? Number(text) : text, variableOf(name), problems) : undefined) ??
      project.limits[name] ??
      user.limits[name];
    if (value !== undefined) found[name] = value;
  }
  return found;
}
