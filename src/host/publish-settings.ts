/** `publish`: how a service on another machine comes to read files of this one. */
import { isLoopback } from '../domain/loopback.ts';
import { type Fields, fields, reportUnknown, textOf } from './settings-values.ts';

export type PublishSettings = PublishToBucket | PublishByCommand;

/** An S3-compatible bucket, which files are read from at presigned addresses. */
export interface PublishToBucket extends BucketSettings {
  readonly is: 's3';
  /** Where it is written: `publish.s3 in shotlist.config.yaml`. */
  readonly where: string;
  /** Milliseconds that an address is good for. */
  readonly expires: number;
}

/** Where a bucket is, and who may use it. */
export interface BucketSettings extends BucketAccess {
  readonly bucket: string;
  /** Folders within the bucket, without slashes at its ends; empty for none. */
  readonly prefix: string;
}

export interface BucketAccess {
  /** Absent: Amazon's own. */
  readonly endpoint?: string;
  readonly region?: string;
  /** Environment variables that hold the key and its id; absent: the standard ones, or a profile. */
  readonly keyEnv?: string;
  readonly keyIdEnv?: string;
  /** Of `~/.aws/credentials`. */
  readonly profile?: string;
  /** `https://host/bucket/key`; absent: as the endpoint is usually addressed. */
  readonly pathStyle?: boolean;
}

/** A command that is handed a file and prints its address. */
interface PublishByCommand {
  readonly is: 'command';
  /** Where it is written: `publish in shotlist.config.yaml`. */
  readonly where: string;
  readonly command: readonly [string, ...string[]];
  /** Names of the variables that it is given beside the few that every command gets. */
  readonly env: readonly string[];
  /** Milliseconds that an address is good for. */
  readonly expires: number;
}

/** What is said of a bucket wherever one is named. */
export const BUCKET_ACCESS = ['endpoint', 'region', 'key_id_env', 'key_env', 'profile', 'path_style'];
const BUCKET_SETTINGS = ['bucket', 'prefix', 'expires', ...BUCKET_ACCESS];

const DAY = 24 * 3_600_000;
/** The longest that a presigned address can be good for (SigV4). */
const LONGEST = 7 * DAY;
/** Less would be over before a queue has moved. */
const SHORTEST = 10 * 60_000;

/** Undefined, and a problem, where it cannot be used. */
export function readPublish(value: unknown, file: string, problems: string[]): PublishSettings | undefined {
  const where = `publish in ${file}`;
  const declared = fields(value, where, problems);
  reportUnknown('setting', declared, ['s3', 'command', 'env', 'expires'], where, problems);
  const before = problems.length;
  if (declared.has('s3') === declared.has('command')) {
    problems.push(`${where} names ${declared.has('s3') ? 'both ways; keep' : 'no way; write'} \`s3\` or \`command\``);
    return undefined;
  }
  const read = declared.has('s3')
    ? bucketOf(declared, `publish.s3 in ${file}`, problems)
    : commandOf(declared, where, problems);
  return problems.length === before ? read : undefined;
}

function bucketOf(declared: Fields, where: string, problems: string[]): PublishToBucket {
  for (const name of ['env', 'expires'].filter(name => declared.has(name)))
    problems.push(`${name} of ${where} is for a command${name === 'expires' ? '; write it under `s3`' : ''}`);
  const s3 = fields(declared.get('s3'), where, problems);
  if (holdsNoKey(s3, where, problems)) reportUnknown('setting', s3, BUCKET_SETTINGS, where, problems);
  const text = (name: string, wanted: string) => textOf(s3.get(name), `${name} of ${where}`, wanted, problems);
  const bucket = text('bucket', 'the name of the bucket') ?? '';
  if (!s3.has('bucket')) problems.push(`${where} names no bucket; add \`bucket: NAME\``);
  else if (bucket !== '' && !isBucketName(bucket))
    problems.push(`bucket of ${where} is \`${bucket}\`; write its name alone, and folders as \`prefix\``);
  return {
    ...{ is: 's3', where, bucket, prefix: prefixOf(text('prefix', 'folders in the bucket') ?? '', where, problems) },
    ...bucketAccess(s3, where, problems),
    expires: expiresOf(s3, where, LONGEST, problems),
  };
}

/** A key belongs into no settings file: that one is there is a problem. */
export function holdsNoKey(s3: Fields, where: string, problems: string[]): boolean {
  if (!s3.has('key') && !s3.has('secret_key') && !s3.has('secret_access_key')) return true;
  problems.push(
    `${where} holds a key; take it out, and name the variables that hold it: \`key_id_env\` and \`key_env\``,
  );
  return false;
}

export const isBucketName = (name: string): boolean => /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/i.test(name);

export function bucketAccess(s3: Fields, where: string, problems: string[]): BucketAccess {
  const text = (name: string, wanted: string) => textOf(s3.get(name), `${name} of ${where}`, wanted, problems);
  const endpoint = text('endpoint', 'its address, https://host');
  const wrongEndpoint = endpoint === undefined ? undefined : whyNoEndpoint(endpoint);
  if (wrongEndpoint !== undefined) problems.push(`endpoint of ${where} ${wrongEndpoint}`);
  const optional = {
    endpoint,
    region: text('region', "the region's name"),
    keyEnv: text('key_env', 'the name of an environment variable'),
    keyIdEnv: text('key_id_env', 'the name of an environment variable'),
    profile: text('profile', 'the name of a profile'),
    pathStyle: yesOrNo(s3, 'path_style', where, problems),
  };
  if ((optional.keyEnv === undefined) !== (optional.keyIdEnv === undefined))
    problems.push(`${where} names one variable of two; write both \`key_id_env\` and \`key_env\``);
  if (optional.keyEnv !== undefined && optional.profile !== undefined)
    problems.push(`${where} names variables and a profile; keep one of them`);
  return Object.fromEntries(Object.entries(optional).filter(([, given]) => given !== undefined)) as BucketAccess;
}

function whyNoEndpoint(endpoint: string): string | undefined {
  const url = URL.parse(endpoint);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (!url || !isSafe) return 'is no https:// address; write one, like `https://s3.example.com`';
  if (url.username !== '' || url.password !== '') return 'holds a key; take it out';
  if (url.pathname !== '/' || url.search !== '') return 'goes on after the host; write `bucket` and `prefix` instead';
  return undefined;
}

export function prefixOf(prefix: string, where: string, problems: string[]): string {
  const folders = prefix.split('/').filter(folder => folder !== '');
  if (folders.some(folder => !/^[\w.=-]+$/.test(folder) || /^\.+$/.test(folder)))
    problems.push(`prefix of ${where} is \`${prefix}\`; write letters, digits, \`.\`, \`_\`, \`-\` and \`/\` alone`);
  return folders.join('/');
}

function commandOf(declared: Fields, where: string, problems: string[]): PublishByCommand {
  const words = textsOf(declared.get('command'));
  const [program, ...rest] = words ?? [];
  if (program === undefined)
    problems.push(`command of ${where} is no list of words; write it like \`[./publish.sh]\`, without a shell`);
  const env = declared.has('env') ? textsOf(declared.get('env')) : [];
  if (env === undefined || env.some(name => !/^[a-z_]\w*$/i.test(name)))
    problems.push(`env of ${where} is no list of variables; write their names, like \`[RCLONE_CONFIG]\``);
  const expires = expiresOf(declared, where, Number.POSITIVE_INFINITY, problems);
  return { is: 'command', where, command: [program ?? '', ...rest], env: env ?? [], expires };
}

function textsOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.every(word => typeof word === 'string' && word !== '') ? value : undefined;
}

export function yesOrNo(declared: Fields, name: string, where: string, problems: string[]): boolean | undefined {
  const value = declared.get(name);
  if (value === undefined || typeof value === 'boolean') return value;
  problems.push(`${name} of ${where} is no yes or no; write \`${name}: true\` or \`false\``);
  return undefined;
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: DAY };

function expiresOf(declared: Fields, where: string, longest: number, problems: string[]): number {
  const value = declared.get('expires') ?? '24h';
  const [, number, unit = ''] = (typeof value === 'string' && /^(\d+(?:\.\d+)?)(m|h|d)$/.exec(value)) || [];
  const ms = Math.round(Number(number) * (UNITS[unit] ?? 0));
  if (ms >= SHORTEST && ms <= longest) return ms;
  const most = longest === LONGEST ? ', at most `7d`, which is the longest an address can be signed for' : '';
  problems.push(`expires of ${where} must be a time like \`24h\`, at least \`10m\`${most}`);
  return DAY;
}
