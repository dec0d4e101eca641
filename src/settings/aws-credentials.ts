/**
 * The key of a bucket, from where people keep it: the variables that the settings name, the standard ones, or a profile of
 * `~/.aws/credentials`. A session of another kind (SSO, a role) is exported into the standard variables by Amazon's own command.
 */
import { join } from 'node:path';
import { Secret } from '../machine/redactor.ts';
import type { BucketAccess } from './publish-settings.ts';
import type { Environment } from './settings-values.ts';

export interface AwsCredentials {
  readonly keyId: string;
  readonly key: Secret;
  /** Of a key that is good for some hours only. */
  readonly session?: Secret;
}

export type FoundCredentials =
  | { readonly is: 'found'; readonly credentials: AwsCredentials; readonly region?: string }
  /** A sentence that names what to set. */
  | { readonly is: 'none'; readonly message: string };

export interface CredentialPlaces {
  readonly env: Environment;
  /** The user's own folder. */
  readonly home: string;
  /** Null for a file that is not there. */
  readonly read: (path: string) => Promise<string | null>;
}

export async function findCredentials(settings: BucketAccess, places: CredentialPlaces): Promise<FoundCredentials> {
  const { env, home, read } = places;
  const profile = settings.profile ?? (env.AWS_PROFILE || 'default');
  const profiles = async (variable: string, name: string) =>
    sectionsIn((await read(env[variable] || join(home, '.aws', name))) ?? '');
  const config = await profiles('AWS_CONFIG_FILE', 'config');
  const ofConfig = config.get(`profile ${profile}`) ?? config.get(profile);
  const kept = (await profiles('AWS_SHARED_CREDENTIALS_FILE', 'credentials')).get(profile);
  const where = env.AWS_REGION || env.AWS_DEFAULT_REGION || kept?.get('region') || ofConfig?.get('region');
  const region = where ? { region: where } : {};

  if (settings.keyIdEnv !== undefined && settings.keyEnv !== undefined) {
    const named = fromVariables(env, settings.keyIdEnv, settings.keyEnv);
    if (named) return { is: 'found', credentials: named, ...region };
    const missing = [settings.keyIdEnv, settings.keyEnv].filter(name => !env[name]);
    const unset = missing.length > 1 ? 'which are not set; set them' : 'which is not set; set it';
    return { is: 'none', message: `the bucket's key is taken from ${missing.join(' and ')}, ${unset}` };
  }
  const standard = settings.profile === undefined && fromVariables(env, 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY');
  if (standard) {
    const session = env.AWS_SESSION_TOKEN ? { session: new Secret(env.AWS_SESSION_TOKEN) } : {};
    return { is: 'found', credentials: { ...standard, ...session }, ...region };
  }
  const keyId = (kept ?? ofConfig)?.get('aws_access_key_id');
  const key = (kept ?? ofConfig)?.get('aws_secret_access_key');
  if (keyId && key) {
    const token = (kept ?? ofConfig)?.get('aws_session_token');
    const credentials = { keyId, key: new Secret(key), ...(token ? { session: new Secret(token) } : {}) };
    return { is: 'found', credentials, ...region };
  }
  const asked = settings.profile ?? env.AWS_PROFILE;
  const from = asked ? `the profile \`${asked}\` holds no key` : 'there is no key for the bucket';
  return {
    is: 'none',
    message: `${from}; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (for a session: \`aws configure export-credentials --format env\`), or name other variables with \`key_id_env\` and \`key_env\``,
  };
}

function fromVariables(env: Environment, idName: string, keyName: string): AwsCredentials | undefined {
  const [keyId, key] = [env[idName], env[keyName]];
  return keyId && key ? { keyId, key: new Secret(key) } : undefined;
}

/** `[name]`, then `key = value` lines. */
function sectionsIn(text: string): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const sections = new Map<string, Map<string, string>>();
  let section: Map<string, string> | undefined;
  for (const line of text.split(/\r?\n/)) {
    const name = /^\s*\[\s*([^\]]+?)\s*\]/.exec(line)?.[1];
    if (name !== undefined) {
      section = new Map();
      sections.set(name, section);
      continue;
    }
    const [, key, value] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (section && key !== undefined && value !== undefined) section.set(key.toLowerCase(), value);
  }
  return sections;
}
