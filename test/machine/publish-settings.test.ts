/** `publish` of the settings, and where a bucket's key is found. */
import { describe, expect, test } from 'vitest';
import { type CredentialPlaces, findCredentials } from '../../src/settings/aws-credentials.ts';
import type { PublishToBucket } from '../../src/settings/publish-settings.ts';
import { resolveSettings } from '../../src/settings/settings.ts';

const resolve = (projectText: string, userText: string | null = null) =>
  resolveSettings({ flags: {}, env: {}, projectText, userText });
const HOUR = 3_600_000;

test('a bucket, with what is usual where nothing is said', () => {
  expect(resolve('publish: { s3: { bucket: films } }').settings.publish).toEqual({
    ...{ is: 's3', where: 'publish.s3 in shotlist.config.yaml', bucket: 'films', prefix: '', expires: 24 * HOUR },
  });
  expect(resolve('publish: { s3: { bucket: films, prefix: /a/b/, expires: 90m } }').settings.publish).toMatchObject({
    ...{ prefix: 'a/b', expires: 1.5 * HOUR },
  });
});

test('a command; the project has the word before the user', () => {
  const mine = 'publish: { s3: { bucket: mine } }';
  expect(resolve('publish: { command: [./publish.sh, -q], env: [TOKEN] }', mine).settings.publish).toEqual({
    ...{
      is: 'command',
      where: 'publish in shotlist.config.yaml',
      command: ['./publish.sh', '-q'],
      env: ['TOKEN'],
      expires: 24 * HOUR,
    },
  });
  expect(resolve('', mine).settings.publish).toMatchObject({ bucket: 'mine' });
});

test.each([
  ['{}', 'publish in shotlist.config.yaml names no way; write `s3` or `command`'],
  [
    '{ s3: { bucket: s3://films } }',
    'bucket of publish.s3 in shotlist.config.yaml is `s3://films`; write its name alone, and folders as `prefix`',
  ],
  [
    '{ s3: { bucket: films, endpoint: "http://minio.lan:9000" } }',
    'endpoint of publish.s3 in shotlist.config.yaml is no https:// address; write one, like `https://s3.example.com`',
  ],
  [
    '{ s3: { bucket: films, endpoint: "https://x.example/films" } }',
    'endpoint of publish.s3 in shotlist.config.yaml goes on after the host; write `bucket` and `prefix` instead',
  ],
  [
    '{ s3: { bucket: films, prefix: ../other } }',
    'prefix of publish.s3 in shotlist.config.yaml is `../other`; write letters, digits, `.`, `_`, `-` and `/` alone',
  ],
  [
    '{ s3: { bucket: films, expires: 30d } }',
    'expires of publish.s3 in shotlist.config.yaml must be a time like `24h`, at least `10m`, at most `7d`, which is the longest an address can be signed for',
  ],
  [
    '{ s3: { bucket: films, secret_key: AKIA-hush } }',
    'publish.s3 in shotlist.config.yaml holds a key; take it out, and name the variables that hold it: `key_id_env` and `key_env`',
  ],
  [
    '{ command: rclone copy }',
    'command of publish in shotlist.config.yaml is no list of words; write it like `[./publish.sh]`, without a shell',
  ],
])('a mistake says what to write: %s', (written, problem) => {
  const { problems, settings } = resolve(`publish: ${written}`);
  expect(problems).toEqual([problem]);
  expect(settings.publish).toBeUndefined();
});

describe('the key of a bucket', () => {
  const bucket: PublishToBucket = {
    is: 's3',
    where: 'publish.s3 in a.yaml',
    bucket: 'films',
    prefix: '',
    expires: HOUR,
  };
  const files: Readonly<Record<string, string>> = {
    '/me/.aws/credentials':
      '# mine\n[default]\naws_access_key_id = D-ID\naws_secret_access_key=D-KEY\n\n[films]\r\naws_access_key_id=F-ID\r\naws_secret_access_key = F-KEY==\r\naws_session_token = F-TOKEN\r\n',
    '/me/.aws/config': '[profile films]\nregion = eu-west-3\n[profile sso]\nsso_start_url = https://x\n',
  };
  const find = async (settings: Partial<PublishToBucket>, env: CredentialPlaces['env'] = {}, there = files) => {
    const read = async (path: string) => there[path] ?? null;
    const found = await findCredentials({ ...bucket, ...settings }, { env, home: '/me', read });
    if (found.is === 'none') return found.message;
    const { keyId, key, session } = found.credentials;
    return [keyId, key.reveal(), session?.reveal(), found.region].join(' ').trim();
  };
  const STANDARD = { AWS_ACCESS_KEY_ID: 'E-ID', AWS_SECRET_ACCESS_KEY: 'E-KEY' };

  test('comes from the variables that the settings name, the standard ones, or a profile', async () => {
    const named = { keyIdEnv: 'R2_ID', keyEnv: 'R2_KEY' };
    expect(await find(named, { ...STANDARD, R2_ID: 'N-ID', R2_KEY: 'N-KEY' })).toBe('N-ID N-KEY');
    expect(await find({}, { ...STANDARD, AWS_REGION: 'eu-north-1' })).toBe('E-ID E-KEY  eu-north-1');
    expect(await find({}, { ...STANDARD, AWS_SESSION_TOKEN: 'E-TOKEN' })).toBe('E-ID E-KEY E-TOKEN');
    expect(await find({})).toBe('D-ID D-KEY');
    expect(await find({ profile: 'films' }, STANDARD)).toBe('F-ID F-KEY== F-TOKEN eu-west-3');
    expect(await find({}, { AWS_PROFILE: 'films' })).toBe('F-ID F-KEY== F-TOKEN eu-west-3');
  });

  test('is told where it is missing', async () => {
    expect(await find({ keyIdEnv: 'R2_ID', keyEnv: 'R2_KEY' }, { ...STANDARD, R2_ID: 'x' })).toBe(
      "the bucket's key is taken from R2_KEY, which is not set; set it",
    );
    expect(await find({}, {}, {})).toBe(
      'there is no key for the bucket; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (for a session: `aws configure export-credentials --format env`), or name other variables with `key_id_env` and `key_env`',
    );
    expect(await find({ profile: 'sso' })).toContain('the profile `sso` holds no key');
  });

  test('shows nowhere', async () => {
    const found = await findCredentials(bucket, { env: STANDARD, home: '/me', read: async () => null });
    expect(`${JSON.stringify(found)} ${String(found)}`).not.toContain('E-KEY');
  });
});
