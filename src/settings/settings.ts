/**
 * What a person has set, from the strongest place to the weakest: flag, environment, project file (in git), user file.
 * Pure: texts and variables are given, nothing is read here. Every mistake is collected as a sentence that ends with what to do;
 * a key shows in none of them.
 */
import { join } from 'node:path';
import { Secret } from '../machine/redactor.ts';
import type { Budget } from '../model/budget.ts';
import { isRemote } from '../model/loopback.ts';
import type { ServiceRates } from '../model/request-rates.ts';
import { variableOf } from './environment-variables.ts';
import type { HookSettings, ProvenanceSettings } from './hook-settings.ts';
import type { PublishSettings, StoreSettings } from './publish-settings.ts';
import { type DeclaredService, type FileSettings, readSettingsFile, SHOWN } from './settings-file.ts';
import {
  type CHOICES,
  type Choice,
  didYouMean,
  type Environment,
  given,
  LIMITS,
  type LimitName,
  list,
  readChoice,
  readLimit,
} from './settings-values.ts';
import { chooseTeam, type TeamSettings } from './team-settings.ts';

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

interface SettingsSources {
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

type ServiceSettings = StudioService | HostedService;

/** The built-in one, started by the runner itself. */
interface StudioService {
  readonly kind: 'studio';
}

interface HostedService {
  readonly kind: 'hosted';
  /** Part of every fingerprint: the name under `services`, or the host of a bare address. */
  readonly name: string;
  /** As it was written; `client/` judges it. */
  readonly url: string;
  /** Null where none is set: the request then carries none. */
  readonly key: Secret | null;
  /** The variable or setting that holds the key: `HOUSE_KEY`. */
  readonly keyFrom: string;
  /** It cannot read files of this machine. */
  readonly remote: boolean;
  /** Label of the interface document → id at this service. */
  readonly models: Readonly<Record<string, string>>;
  /** What it allows; absent where none are set. */
  readonly rates?: ServiceRates;
  /** It makes one generation of all requests that are sent under one `Idempotency-Key`. */
  readonly idempotent?: true;
}

interface ServiceSources {
  readonly flag: string | undefined;
  /** Nothing is asked of the service from here: it needs no key. */
  readonly keyless?: true | undefined;
  readonly env: Environment;
  readonly project: FileSettings;
  readonly user: FileSettings;
}

const STUDIO: StudioService = { kind: 'studio' };

/** The studio is the default: a draft is free, and a hosted service never bills by surprise. */
function chooseService(sources: ServiceSources, problems: string[]): ServiceSettings {
  const { flag, env, project, user } = sources;
  if (flag !== undefined) return named(flag, '--service', sources, problems);
  if (env.SHOTLIST_BASE_URL) return addressed(env.SHOTLIST_BASE_URL, sources, problems);
  if (project.service !== undefined) return named(project.service, `service in ${SHOWN.project}`, sources, problems);
  if (user.service !== undefined) return named(user.service, `service in ${SHOWN.user}`, sources, problems);
  return STUDIO;
}

function named(name: string, where: string, sources: ServiceSources, problems: string[]): ServiceSettings {
  if (name === 'studio') return STUDIO;
  if (name.includes('://')) return addressed(name, sources, problems);
  const declared = merged(name, sources);
  if (declared?.url !== undefined) return hosted(name, declared.url, declared, sources, problems);
  if (declared !== undefined)
    problems.push(`service \`${name}\` has no address; add \`url: https://…\` under services.${name}`);
  else {
    const known = ['studio', ...names(sources)];
    problems.push(
      `${where}: there is no service \`${name}\`${didYouMean(name, known) || `; known: ${list(known, 'and')}`}`,
    );
  }
  return STUDIO;
}

/** A bare address. It means the declared service at the same place, if there is one: that service's name keeps the lock file valid. */
function addressed(url: string, sources: ServiceSources, problems: string[]): HostedService {
  for (const name of names(sources)) {
    const declared = merged(name, sources);
    if (declared?.url !== undefined && sameOrigin(declared.url, url))
      return hosted(name, url, declared, sources, problems);
  }
  const name = URL.canParse(url) ? new URL(url).host : url;
  return hosted(name, url, { models: {} }, sources, problems);
}

function hosted(
  name: string,
  url: string,
  declared: DeclaredService,
  { env, keyless }: ServiceSources,
  problems: string[],
): HostedService {
  const own = env[declared.keyEnv ?? ''];
  const declaredKey = (own ? new Secret(own) : null) ?? declared.key ?? null;
  const bare = env.SHOTLIST_API_KEY ? new Secret(env.SHOTLIST_API_KEY) : null;
  // The bare variable belongs to the address in the other variable; where there is none, to a service that names no key of its own.
  const key = env.SHOTLIST_BASE_URL
    ? ((sameOrigin(env.SHOTLIST_BASE_URL, url) ? bare : null) ?? declaredKey)
    : declared.keyEnv === undefined
      ? (declaredKey ?? bare)
      : declaredKey;
  if (key === null && declared.keyEnv !== undefined && !keyless) {
    problems.push(`service \`${name}\` takes its key from the variable ${declared.keyEnv}, which is not set; set it`);
  }
  const isBare = key === bare && (key !== null || declared.keyEnv === undefined);
  const keyFrom = isBare ? 'SHOTLIST_API_KEY' : (declared.keyEnv ?? `\`key\` of services.${name}`);
  const remote = declared.remote ?? isRemote(url);
  const { models, rates, idempotent } = declared;
  return {
    ...{ kind: 'hosted', name, url, key, keyFrom, remote, models },
    ...(rates && { rates }),
    ...(idempotent && { idempotent }),
  };
}

/**
 * Both files' settings of a service. A key belongs to the address it was written beside: when the project's file sends the
 * service elsewhere, the user's key stays at home.
 */
function merged(name: string, { project, user }: ServiceSources): DeclaredService | undefined {
  const theirs = project.services.get(name);
  const mine = user.services.get(name);
  if (theirs === undefined || mine === undefined) return theirs ?? mine;
  const moved = theirs.url !== undefined && !(mine.url !== undefined && sameOrigin(theirs.url, mine.url));
  const models = { ...mine.models, ...theirs.models };
  return moved ? { ...theirs, models } : { ...mine, ...theirs, models };
}

const names = ({ project, user }: ServiceSources): string[] => [
  ...new Set([...project.services.keys(), ...user.services.keys()]),
];

function sameOrigin(a: string, b: string): boolean {
  return URL.canParse(a) && URL.canParse(b) && new URL(a).origin === new URL(b).origin;
}
