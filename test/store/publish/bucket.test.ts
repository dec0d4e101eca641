/** Files brought into a bucket: against a real server, and against what a server, a network and a clock can do. */
import { createHash, randomBytes } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { Secret } from '../../../src/machine/redactor.ts';
import { type Clock, systemClock } from '../../../src/machine/time/clock.ts';
import { type BucketPlace, objectUrl } from '../../../src/records/store/publish/bucket-place.ts';
import { type FileToPublish, Publishing } from '../../../src/records/store/publish/publishing.ts';
import type { AwsCredentials } from '../../../src/settings/aws-credentials.ts';
import { BUCKET, type BucketServer, bucketAt, bucketServer, fileOf, once, quickClock } from './bucket-server.ts';

const HOUR = 3_600_000;
let server: BucketServer;
beforeEach(async () => {
  server = await bucketServer();
});

interface Setting {
  readonly place?: Partial<BucketPlace>;
  readonly credentials?: AwsCredentials;
  readonly expires?: number;
  readonly clock?: Clock;
}

const publishing = (setting: Setting = {}): Publishing =>
  new Publishing(bucketAt(server, setting), setting.clock ?? quickClock());
const file = (content: Buffer | string = 'a fox', extension = '.png') => fileOf(content, extension);

const quiet = () => {};
const going = new AbortController().signal;
const outcomeOf = async (setting: Setting, given?: FileToPublish) =>
  publishing(setting).publish(given ?? (await file()), quiet, going);
async function messageOf(setting: Setting = {}): Promise<string> {
  const outcome = await outcomeOf(setting);
  return outcome.is === 'failed' ? outcome.message : outcome.is;
}

describe('a file in a bucket', () => {
  test('is there under its digest, and is read by whoever has its address', async () => {
    const fox = await file();
    const outcome = await outcomeOf({}, fox);
    if (outcome.is !== 'ok') throw new Error(JSON.stringify(outcome));
    const url = new URL(outcome.url);
    expect(url.pathname).toBe(`/${BUCKET}/in/shots/${fox.sha256}.png`);
    expect(url.searchParams.get('X-Amz-Expires')).toBe('3600');
    const read = await fetch(url);
    expect([read.status, read.headers.get('content-type'), await read.text()]).toEqual([200, 'image/png', 'a fox']);
  });

  test('is not sent again, by this process, another one, or ten at once', async () => {
    const fox = await file();
    const one = publishing();
    await Promise.all(Array.from({ length: 10 }, () => one.publish(fox, quiet, going)));
    await one.publish(fox, quiet, going);
    const told: number[] = [];
    await publishing().publish(fox, sent => void told.push(sent), going);
    expect(server.uploads()).toHaveLength(1);
    expect(told).toEqual([]);
  });

  test('is the same file when two processes bring it at the same moment', async () => {
    const film = await file(randomBytes(3_000_000), '.mp4');
    const outcomes = await Promise.all([outcomeOf({}, film), outcomeOf({}, film)]);
    for (const outcome of outcomes) {
      const read = await fetch(outcome.is === 'ok' ? outcome.url : '');
      expect(
        createHash('sha256')
          .update(Buffer.from(await read.arrayBuffer()))
          .digest('hex'),
      ).toBe(film.sha256);
    }
  });

  test('tells how much of it is sent', async () => {
    const told: number[] = [];
    const film = await file(randomBytes(1_000_000), '.mp4');
    await publishing().publish(film, sent => void told.push(sent), going);
    expect([told[0], told.at(-1)]).toEqual([0, 1_000_000]);
    expect(told).toEqual([...told].sort((a, b) => a - b));
    expect(told.length).toBeGreaterThan(3);
  });

  test('may be empty, and may have no extension', async () => {
    const outcome = await outcomeOf({ place: { prefix: '' } }, await file('', ''));
    expect(outcome.is === 'ok' && (await (await fetch(outcome.url)).text())).toBe('');
  });

  test('is replaced where something else lies in its place', async () => {
    const fox = await file();
    const other = await outcomeOf({}, { ...(await file('a dog')), sha256: fox.sha256 });
    expect(other).toEqual({ is: 'failed', message: expect.stringContaining('has changed since this run was planned') });
    // Half of an upload of another program.
    const at = objectUrl({ bucket: BUCKET, prefix: '', endpoint: server.url }, `in/shots/${fox.sha256}.png`);
    await fetch(at, { method: 'PUT', body: 'a f' });
    const outcome = await outcomeOf({}, fox);
    expect(outcome.is === 'ok' && (await (await fetch(outcome.url)).text())).toBe('a fox');
  });

  test('that changes while it is sent never arrives', async () => {
    const film = await file(randomBytes(2_000_000), '.mp4');
    let told = 0;
    const outcome = await publishing().publish(film, () => void (told++ === 1 && appendFile(film.path, 'more')), going);
    const changed = await publishing().publish({ ...film, sha256: 'a'.repeat(64) }, quiet, going);
    expect(changed).toMatchObject({ is: 'failed' });
    expect(['ok', 'failed']).toContain(outcome.is);
    // Some servers keep what came before the connection was cut; it is never taken for the file.
    const at = objectUrl({ bucket: BUCKET, prefix: '', endpoint: server.url }, `in/shots/${'a'.repeat(64)}.mp4`);
    const there = await fetch(at);
    expect(there.status === 200 && Number(there.headers.get('content-length')) === film.bytes).toBe(false);
  });

  test('that is gone is told', async () => {
    const fox = await file();
    expect(await outcomeOf({}, { ...fox, path: `${fox.path}.gone` })).toEqual({
      is: 'failed',
      message: 's3://films/in/shots: the file cannot be read (ENOENT)',
    });
  });

  test('is looked for again after a while: buckets have rules that delete', async () => {
    let ahead = 0;
    const clock = { ...quickClock(), now: () => systemClock.now() + ahead };
    const long = publishing({ clock, expires: 24 * HOUR });
    const fox = await file();
    await long.publish(fox, quiet, going);
    const looked = server.seen.length;
    await long.publish(fox, quiet, going);
    expect(server.seen).toHaveLength(looked);
    ahead = 40 * 60_000;
    server.misbehaves.push(once(403, 'RequestTimeTooSkewed'));
    await long.publish(fox, quiet, going);
    expect(server.seen.length).toBeGreaterThan(looked);
  });

  test('has an address that ends when it should', async () => {
    const fox = await file();
    const minute = 60_000;
    await outcomeOf({}, fox);
    const old = await outcomeOf({ clock: quickClock(-10 * minute), expires: 5 * minute }, fox);
    if (old.is !== 'ok') throw new Error(JSON.stringify(old));
    const read = await fetch(old.url);
    expect([read.status, await read.text()]).toEqual([403, expect.stringContaining('Request has expired')]);
    const fresh = await outcomeOf({ expires: 10 * minute }, fox);
    expect((await fetch(fresh.is === 'ok' ? fresh.url : '')).status).toBe(200);
  });

  test('cannot be read at an address that somebody changed', async () => {
    const outcome = await outcomeOf({});
    if (outcome.is !== 'ok') throw new Error(outcome.is);
    const read = await fetch(outcome.url.replace('X-Amz-Expires=3600', 'X-Amz-Expires=604800'));
    expect(read.status).toBe(403);
  });
});

describe('what a bucket says is told in words', () => {
  const wrong = (keyId: string, key: string): AwsCredentials => ({ keyId, key: new Secret(key) });

  test('a key that it does not know, a key that is another, a bucket that is not there', async () => {
    expect(await messageOf({ credentials: wrong('NOBODY', 'x') })).toBe(
      "s3://films/in/shots: the id of the key is not known there; look at the key, and at the bucket's `endpoint`",
    );
    expect(await messageOf({ credentials: wrong('S3RVER', 'another') })).toBe(
      's3://films/in/shots: the key is not the one that belongs to its id; set it anew',
    );
    expect(await messageOf({ place: { bucket: 'flims' } })).toBe(
      's3://flims/in/shots: there is no bucket `flims` there; look at `bucket`, `endpoint` and `region` of `publish`',
    );
    expect(server.uploads().filter(path => path.startsWith(`/${BUCKET}/`))).toEqual([]);
  });

  test('a clock that is wrong by more than the bucket bears', async () => {
    expect(await messageOf({ clock: quickClock(20 * 60_000) })).toMatch(
      /this machine's clock is (20m 0\ds|19m 59s) ahead of the bucket's; set it$/,
    );
    expect(await messageOf({ clock: quickClock(-HOUR) })).toMatch(/is (1h 00m|59m 59s) behind the bucket's; set it$/);
  });

  test.each([
    [301, 'PermanentRedirect', { 'x-amz-bucket-region': 'eu-west-1' }, 'write `region: eu-west-1`'],
    [307, 'TemporaryRedirect', {}, 'it is elsewhere'],
    [403, 'ExpiredToken', {}, "the key's session is over"],
    [501, 'NotImplemented', {}, 'it answers 501 NotImplemented (Words of NotImplemented.), 5 times; try again later'],
  ])('%i %s', async (status, code, headers, words) => {
    server.misbehaves.push(once(status, code, { headers, times: 99 }));
    expect(await messageOf()).toContain(words);
  });

  test('a region that its signature names wrongly', async () => {
    const more = '<Region>ap-south-1</Region>';
    server.misbehaves.push(once(400, 'AuthorizationHeaderMalformed', { more, times: 9 }));
    expect(await messageOf()).toContain('`films` is in the region ap-south-1; write `region: ap-south-1`');
  });

  test('a key that may not write', async () => {
    server.misbehaves.push(once(403, 'AccessDenied', { times: 9 }));
    expect(await messageOf()).toBe(
      's3://films/in/shots: the key may not do this (Words of AccessDenied.); it needs `s3:PutObject` and `s3:GetObject` on `films`',
    );
  });

  test('a key that may write and not read: no service could read it either', async () => {
    server.misbehaves.push(once(403, 'AccessDenied', { methods: ['HEAD', 'GET'], times: 9 }));
    expect(await messageOf()).toContain('the file was taken, and the key may not read it');
  });

  test('nobody there', async () => {
    expect(await messageOf({ place: { endpoint: 'http://127.0.0.1:9' } })).toBe(
      's3://films/in/shots: it cannot be reached (nothing answers there (connection refused)), 5 times; try again later',
    );
  });

  test('no key and no signature in any of it', async () => {
    server.misbehaves.push(once(500, 'InternalError', { times: 99 }));
    const message = await messageOf();
    expect(message).not.toMatch(/S3RVER|Signature|X-Amz/);
  });
});

describe('what passes is waited for', () => {
  test.each([
    ['slow down', 503, 'SlowDown'],
    ['an error of its own', 500, 'InternalError'],
    ['a gateway', 502, ''],
    ['too many requests', 429, 'TooManyRequests'],
  ])('%s', async (_, status, code) => {
    server.misbehaves.push(once(status, code, { times: 2, headers: { 'retry-after': '1' } }));
    expect((await outcomeOf({})).is).toBe('ok');
  });

  test('an error that is over when its words are asked for', async () => {
    const fox = await file();
    await outcomeOf({}, fox);
    server.misbehaves.push(once(500, 'InternalError', { methods: ['HEAD'] }));
    expect((await outcomeOf({}, fox)).is).toBe('ok');
    expect(server.uploads()).toHaveLength(1);
  });

  test('a key that may not list: what is missing is forbidden', async () => {
    server.misbehaves.push(
      once(403, 'AccessDenied', { methods: ['HEAD'] }),
      once(403, 'AccessDenied', { methods: ['GET'] }),
    );
    expect((await outcomeOf({})).is).toBe('ok');
    expect(server.uploads()).toHaveLength(1);
  });

  test('an upload that the server took and lost', async () => {
    let lost = 0;
    server.misbehaves.push((request, response) => {
      if (request.method !== 'PUT' || lost > 0) return false;
      lost++;
      request.resume().on('end', () => response.writeHead(200).end());
      return true;
    });
    const outcome = await outcomeOf({});
    expect(outcome.is === 'ok' && (await (await fetch(outcome.url)).text())).toBe('a fox');
    expect(server.uploads()).toHaveLength(2);
  });

  test('a server that loses every one', async () => {
    server.misbehaves.push((request, response) => {
      if (request.method !== 'PUT') return false;
      request.resume().on('end', () => response.writeHead(200).end());
      return true;
    });
    expect(await messageOf()).toBe(
      's3://films/in/shots: the file was taken, and is not there, 5 times; try again later',
    );
  });

  test('a connection that is cut in the middle', async () => {
    let cuts = 0;
    server.misbehaves.push(request => {
      if (request.method !== 'PUT' || cuts > 1) return false;
      cuts++;
      request.once('data', () => request.destroy());
      return true;
    });
    expect(await outcomeOf({}, await file(randomBytes(2_000_000), '.mp4'))).toMatchObject({ is: 'ok' });
  });
});

describe('before anything is brought there', () => {
  const problem = (setting: Setting = {}) => bucketAt(server, setting).problem(going);

  test('a bucket that can be used is no problem, and nothing is sent', async () => {
    expect(await problem()).toBeUndefined();
    expect(server.uploads()).toEqual([]);
  });

  test('what does not pass by itself is told: the name, the region, the key, the clock', async () => {
    expect(await problem({ place: { bucket: 'flims' } })).toContain('there is no bucket `flims` there');
    expect(await problem({ credentials: { keyId: 'S3RVER', key: new Secret('x') } })).toContain('set it anew');
    expect(await problem({ clock: quickClock(HOUR) })).toContain("ahead of the bucket's; set it");
    server.misbehaves.push(once(301, 'PermanentRedirect', { headers: { 'x-amz-bucket-region': 'eu-west-1' } }));
    expect(await problem()).toContain('write `region: eu-west-1`');
  });

  test('what may pass is left to the run: a silent network, a busy bucket, a key that may not list', async () => {
    expect(await problem({ place: { endpoint: 'http://127.0.0.1:9' } })).toBeUndefined();
    server.misbehaves.push(once(503, 'SlowDown'), once(403, 'AccessDenied'));
    expect([await problem(), await problem()]).toEqual([undefined, undefined]);
  });
});

test('a run that stops ends the upload', async () => {
  const stop = new AbortController();
  server.misbehaves.push(request => {
    if (request.method !== 'PUT') return false;
    stop.abort();
    return true;
  });
  expect(await publishing().publish(await file(randomBytes(2_000_000)), quiet, stop.signal)).toEqual({ is: 'stopped' });
});

test('four files are sent at once, and more wait', async () => {
  let open = 0;
  let most = 0;
  server.misbehaves.push((request, response) => {
    if (request.method !== 'PUT') return false;
    most = Math.max(most, ++open);
    response.once('close', () => open--);
    return false;
  });
  const publishes = publishing();
  const files = await Promise.all(Array.from({ length: 12 }, (_, n) => file(randomBytes(200_000 + n))));
  const outcomes = await Promise.all(files.map(one => publishes.publish(one, quiet, going)));
  expect(outcomes.every(({ is }) => is === 'ok')).toBe(true);
  expect(most).toBeLessThanOrEqual(4);
});

test('where a bucket is', () => {
  const at = (place: Partial<BucketPlace>) => objectUrl({ bucket: 'films', prefix: '', ...place }, 'a.png').href;
  expect(at({})).toBe('https://films.s3.us-east-1.amazonaws.com/a.png');
  expect(at({ region: 'eu-central-1' })).toBe('https://films.s3.eu-central-1.amazonaws.com/a.png');
  expect(at({ bucket: 'my.films' })).toBe('https://s3.us-east-1.amazonaws.com/my.films/a.png');
  expect(at({ region: 'cn-north-1' })).toBe('https://films.s3.cn-north-1.amazonaws.com.cn/a.png');
  expect(at({ endpoint: 'https://x.r2.cloudflarestorage.com' })).toBe('https://x.r2.cloudflarestorage.com/films/a.png');
  expect(at({ endpoint: 'https://oss.example', pathStyle: false })).toBe('https://films.oss.example/a.png');
});
