/** `store`: where a team keeps its results, so that what one machine has paid for all have. */
import {
  BUCKET_ACCESS,
  type BucketSettings,
  bucketAccess,
  holdsNoKey,
  isBucketName,
  prefixOf,
  yesOrNo,
} from './publish-settings.ts';
import { type Fields, fields, reportUnknown, textOf } from './settings-values.ts';

export type StoreSettings = SharedFolderSettings | SharedBucketSettings;

interface Common {
  /** Where it is written: `store in shotlist.config.yaml`. */
  readonly where: string;
  /** False: results are taken from there, and none is brought there. */
  readonly write: boolean;
}

interface SharedFolderSettings extends Common {
  readonly is: 'folder';
  /** As it is written: absolute, relative to the project, or below `~`. */
  readonly path: string;
}

interface SharedBucketSettings extends Common, BucketSettings {
  readonly is: 's3';
}

/** Undefined, and a problem, where it cannot be used. */
export function readStore(value: unknown, file: string, problems: string[]): StoreSettings | undefined {
  const where = `store in ${file}`;
  const before = problems.length;
  const read =
    typeof value === 'string' ? storeAt(value, new Map(), where, problems) : declared(value, where, problems);
  return problems.length === before ? read : undefined;
}

function declared(value: unknown, where: string, problems: string[]): StoreSettings | undefined {
  if (!(value instanceof Map)) {
    problems.push(`${where} is no place; write \`s3://BUCKET/FOLDER\`, or a folder that all of the team can reach`);
    return undefined;
  }
  const given = fields(value, where, problems);
  if (holdsNoKey(given, where, problems))
    reportUnknown('setting', given, ['at', 'write', ...BUCKET_ACCESS], where, problems);
  const at = textOf(given.get('at'), `at of ${where}`, '`s3://BUCKET/FOLDER`, or a folder', problems);
  if (!given.has('at')) problems.push(`${where} names no place; add \`at: s3://BUCKET/FOLDER\`, or a folder`);
  return at === undefined ? undefined : storeAt(at, given, where, problems);
}

function storeAt(at: string, given: Fields, where: string, problems: string[]): StoreSettings | undefined {
  const write = yesOrNo(given, 'write', where, problems) ?? true;
  const access = bucketAccess(given, where, problems);
  const [, scheme, rest = ''] = /^([a-z][\w+.-]*):\/\/(.*)$/is.exec(at) ?? [];
  if (scheme === undefined) {
    const foreign = BUCKET_ACCESS.filter(name => given.has(name));
    if (at.trim() === '') problems.push(`${where} names no place; write \`s3://BUCKET/FOLDER\`, or a folder`);
    if (foreign.length > 0)
      problems.push(`${foreign.join(', ')} of ${where} is for a bucket, and \`${at}\` is a folder`);
    return { is: 'folder', where, write, path: at };
  }
  if (scheme.toLowerCase() !== 's3') {
    problems.push(
      `${where} is at ${scheme}://, which is not known; write \`s3://BUCKET/FOLDER\` (of any S3-compatible service, with \`endpoint\`), or a folder`,
    );
    return undefined;
  }
  const [bucket = '', ...folders] = rest.split('/');
  if (!isBucketName(bucket))
    problems.push(`${where} names the bucket \`${bucket}\`; write it like \`s3://BUCKET/FOLDER\``);
  return { is: 's3', where, write, bucket, prefix: prefixOf(folders.join('/'), where, problems), ...access };
}
