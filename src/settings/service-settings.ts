/** Which service the film is sent to, and with which key. */

import { Secret } from '../machine/secret.ts';
import { isRemote } from '../model/loopback.ts';
import type { ServiceRates } from '../model/request-rates.ts';
import { type DeclaredService, type FileSettings, SHOWN } from './settings-file.ts';
import { didYouMean, type Environment, list } from './settings-values.ts';

export type ServiceSettings = StudioService | HostedService;

/** The built-in one, started by the runner itself. */
export interface StudioService {
  readonly kind: 'studio';
}

export interface HostedService {
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
export function chooseService(sources: ServiceSources, problems: string[]): ServiceSettings {
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
