/** The variables of the environment that hold secrets of Shotlist's own: keys of services, buckets and webhooks, passwords of databases. */
import { BASE_VARIABLES } from '../domain/variable-access.ts';
import type { BucketAccess } from './publish-settings.ts';
import { type FileSettings, SHOWN } from './settings-file.ts';

/** The parts of a settings file, or of a program's options, that name variables with secrets. */
type NamesSecrets = Partial<Pick<FileSettings, 'services' | 'publish' | 'store' | 'teams' | 'on'>>;

/** Returns each variable with the setting that names it. */
export function secretVariables({
  project,
  user = {},
}: {
  readonly project: NamesSecrets;
  readonly user?: NamesSecrets;
}): ReadonlyMap<string, string> {
  const found = new Map<string, string>([
    ['SHOTLIST_API_KEY', 'the key of the service'],
    ['SHOTLIST_CHAT_UPSTREAM_KEY', 'the key of the chat service'],
  ]);
  for (const [name, where] of [...namedIn(project, SHOWN.project), ...namedIn(user, SHOWN.user)])
    if (!found.has(name) && !BASE_VARIABLES.includes(name)) found.set(name, where);
  return found;
}

function* namedIn(settings: NamesSecrets, file: string): Generator<readonly [name: string, where: string]> {
  for (const [name, { keyEnv }] of settings.services ?? [])
    if (keyEnv !== undefined) yield [keyEnv, `\`key_env\` of services.${name} in ${file}`];
  const { publish, store, on = {}, teams = new Map() } = settings;
  if (publish) {
    const names = publish.is === 's3' ? keysOf(publish) : publish.env;
    for (const name of names) yield [name, publish.where];
  }
  for (const one of [store, ...[...teams.values()].map(team => team.store)])
    if (one?.is === 's3') for (const name of keysOf(one)) yield [name, one.where];
  for (const hook of Object.values(on)) {
    if (hook.is === 'webhook_in') yield [hook.variable, `\`url_env\` of ${hook.where}`];
    if (hook.is === 'command') for (const name of hook.env) yield [name, `\`env\` of ${hook.where}`];
  }
  // PostgreSQL clients read it for any database.
  if (teams.size > 0) yield ['PGPASSWORD', `teams in ${file}`];
}

const keysOf = ({ keyEnv, keyIdEnv, profile }: BucketAccess): readonly string[] => {
  if (keyEnv !== undefined) return [keyEnv, ...(keyIdEnv === undefined ? [] : [keyIdEnv])];
  return profile === undefined ? ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'] : [];
};
