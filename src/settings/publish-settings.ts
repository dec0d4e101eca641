/**
 * `publish`: how a service on another machine comes to read files of this one. `store`: where a team keeps its results, so that what one
 * machine has paid for all have.
 */
import { isSafeAddress } from './hook-settings.ts';
import { given, Section } from './settings-values.ts';

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

/** Settings of every bucket. */
const BUCKET_ACCESS = ['endpoint', 'region', 'key_id_env', 'key_env', 'profile', 'path_style'];
const BUCKET_SETTINGS = ['bucket', 'prefix', 'expires', ...BUCKET_ACCESS];

const DAY = 24 * 3_600_000;
/** The longest that a presigned address can be good for (SigV4). */
const LONGEST = 7 * DAY;
/** Less would be over before a queue has moved. */
const SHORTEST = 10 * 60_000;

/** Undefined, and a problem, where it cannot be used. */
export function readPublish(value: unknown, file: string, problems: string[]): PublishSettings | undefined {
  const where = `publish in ${file}`;
  const declared = new Section(value, where, problems).expects(['s3', 'command', 'env', 'expires']);
  if (declared.has('s3') === declared.has('command')) {
    declared.report(`${where} names ${declared.has('s3') ? 'both ways; keep' : 'no way; write'} \`s3\` or \`command\``);
    return undefined;
  }
  return declared.unlessWrong<PublishSettings>(() =>
    declared.has('s3')
      ? bucketOf(declared, `publish.s3 in ${file}`)
      : {
          ...{ is: 'command', where, command: declared.command('command', './publish.sh') ?? [''] },
          env: declared.variables('env', 'RCLONE_CONFIG'),
          expires: expiresOf(declared, Number.POSITIVE_INFINITY),
        },
  );
}

function bucketOf(declared: Section, where: string): PublishToBucket {
  for (const name of ['env', 'expires'].filter(name => declared.has(name)))
    declared.report(`${name} of ${where} is for a command${name === 'expires' ? '; write it under `s3`' : ''}`);
  const s3 = new Section(declared.get('s3'), where, declared.problems);
  if (holdsNoKey(s3)) s3.expects(BUCKET_SETTINGS);
  const bucket = s3.text('bucket', 'the name of the bucket') ?? '';
  if (!s3.has('bucket')) s3.report(`${where} names no bucket; add \`bucket: NAME\``);
  else if (bucket !== '' && !isBucketName(bucket))
    s3.report(`bucket of ${where} is \`${bucket}\`; write its name alone, and folders as \`prefix\``);
  return {
    ...{ is: 's3', where, bucket, prefix: prefixOf(s3.text('prefix', 'folders in the bucket') ?? '', s3) },
    ...bucketAccess(s3),
    expires: expiresOf(s3, LONGEST),
  };
}

/** A key belongs into no settings file: that one is there is a problem. */
function holdsNoKey(s3: Section): boolean {
  if (!s3.has('key') && !s3.has('secret_key') && !s3.has('secret_access_key')) return true;
  s3.report(
    `${s3.where} holds a key; take it out, and name the variables that hold it: \`key_id_env\` and \`key_env\``,
  );
  return false;
}

const isBucketName = (name: string): boolean => /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/i.test(name);

function bucketAccess(s3: Section): BucketAccess {
  const endpoint = s3.text('endpoint', 'its address, https://host');
  const wrongEndpoint = endpoint === undefined ? undefined : whyNoEndpoint(endpoint);
  if (wrongEndpoint !== undefined) s3.report(`endpoint of ${s3.where} ${wrongEndpoint}`);
  const access = given({
    endpoint,
    region: s3.text('region', "the region's name"),
    keyEnv: s3.text('key_env', 'the name of an environment variable'),
    keyIdEnv: s3.text('key_id_env', 'the name of an environment variable'),
    profile: s3.text('profile', 'the name of a profile'),
    pathStyle: s3.flag('path_style'),
  });
  if ((access.keyEnv === undefined) !== (access.keyIdEnv === undefined))
    s3.report(`${s3.where} names one variable of two; write both \`key_id_env\` and \`key_env\``);
  if (access.keyEnv !== undefined && access.profile !== undefined)
    s3.report(`${s3.where} names variables and a profile; keep one of them`);
  return access;
}

function whyNoEndpoint(endpoint: string): string | undefined {
  const url = URL.parse(endpoint);
  if (!url || !isSafeAddress(url)) return 'is no https:// address; write one, like `https://s3.example.com`';
  if (url.username !== '' || url.password !== '') return 'holds a key; take it out';
  if (url.pathname !== '/' || url.search !== '') return 'goes on after the host; write `bucket` and `prefix` instead';
  return undefined;
}

function prefixOf(prefix: string, { where, problems }: Section): string {
  const folders = prefix.split('/').filter(folder => folder !== '');
  if (folders.some(folder => !/^[\w.=-]+$/.test(folder) || /^\.+$/.test(folder)))
    problems.push(`prefix of ${where} is \`${prefix}\`; write letters, digits, \`.\`, \`_\`, \`-\` and \`/\` alone`);
  return folders.join('/');
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: DAY };

function expiresOf(declared: Section, longest: number): number {
  const value = declared.get('expires') ?? '24h';
  const [, number, unit = ''] = (typeof value === 'string' && /^(\d+(?:\.\d+)?)(m|h|d)$/.exec(value)) || [];
  const ms = Math.round(Number(number) * (UNITS[unit] ?? 0));
  if (ms >= SHORTEST && ms <= longest) return ms;
  const most = longest === LONGEST ? ', at most `7d`, which is the longest an address can be signed for' : '';
  declared.report(`expires of ${declared.where} must be a time like \`24h\`, at least \`10m\`${most}`);
  return DAY;
}

export type StoreSettings = SharedFolderSettings | SharedBucketSettings;

interface StoreUse {
  /** Where it is written: `store in shotlist.config.yaml`. */
  readonly where: string;
  /** False: results are taken from there, and none is brought there. */
  readonly write: boolean;
}

interface SharedFolderSettings extends StoreUse {
  readonly is: 'folder';
  /** As it is written: absolute, relative to the project, or below `~`. */
  readonly path: string;
}

interface SharedBucketSettings extends StoreUse, BucketSettings {
  readonly is: 's3';
}

/** Undefined, and a problem, where it cannot be used. */
export function readStore(value: unknown, file: string, problems: string[]): StoreSettings | undefined {
  const where = `store in ${file}`;
  if (typeof value !== 'string' && !(value instanceof Map)) {
    problems.push(`${where} is no place; write \`s3://BUCKET/FOLDER\`, or a folder that all of the team can reach`);
    return undefined;
  }
  const store = new Section(typeof value === 'string' ? new Map([['at', value]]) : value, where, problems);
  return store.unlessWrong(() => {
    if (holdsNoKey(store)) store.expects(['at', 'write', ...BUCKET_ACCESS]);
    const at = value === '' ? '' : store.text('at', '`s3://BUCKET/FOLDER`, or a folder');
    if (!store.has('at')) store.report(`${where} names no place; add \`at: s3://BUCKET/FOLDER\`, or a folder`);
    return at === undefined ? undefined : storeAt(at, store);
  });
}

function storeAt(at: string, store: Section): StoreSettings | undefined {
  const { where } = store;
  const write = store.flag('write') ?? true;
  const access = bucketAccess(store);
  const [, scheme, rest = ''] = /^([a-z][\w+.-]*):\/\/(.*)$/is.exec(at) ?? [];
  if (scheme === undefined) {
    const foreign = BUCKET_ACCESS.filter(name => store.has(name));
    if (at.trim() === '') store.report(`${where} names no place; write \`s3://BUCKET/FOLDER\`, or a folder`);
    if (foreign.length > 0)
      store.report(`${foreign.join(', ')} of ${where} is for a bucket, and \`${at}\` is a folder`);
    return { is: 'folder', where, write, path: at };
  }
  if (scheme.toLowerCase() !== 's3') {
    store.report(
      `${where} is at ${scheme}://, which is not known; write \`s3://BUCKET/FOLDER\` (of any S3-compatible service, with \`endpoint\`), or a folder`,
    );
    return undefined;
  }
  const [bucket = '', ...folders] = rest.split('/');
  if (!isBucketName(bucket))
    store.report(`${where} names the bucket \`${bucket}\`; write it like \`s3://BUCKET/FOLDER\``);
  return { is: 's3', where, write, bucket, prefix: prefixOf(folders.join('/'), store), ...access };
}
