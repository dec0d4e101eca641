/** What a bucket, a disk on a network and a clock can do to a team's store: told by name, waited for, and never believed. */
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../../src/machine/redactor.ts';
import { systemClock } from '../../../src/machine/time/clock.ts';
import { LocalStore } from '../../../src/records/store/local-store.ts';
import { SharedBucket } from '../../../src/records/store/shared/shared-bucket.ts';
import { SharedFolder } from '../../../src/records/store/shared/shared-folder.ts';
import type { SharedPlace } from '../../../src/records/store/shared/shared-place.ts';
import { SharedResults } from '../../../src/records/store/shared/shared-results.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { BUCKET, type BucketServer, bucketServer, KEY, once } from '../publish/bucket-server.ts';
import { sha } from '../store.cases.ts';

const FOX = sha('a red fox');
const NEVER = new AbortController().signal;
/** Long waits take a moment; the others their time. */
const clock = {
  ...systemClock,
  sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(Math.min(ms, 20), signal),
};
const patient = {
  ...systemClock,
  sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms < 20_000 ? Math.min(ms, 20) : ms, signal),
};

async function machine(place: SharedPlace) {
  const local = await LocalStore.open(join(await temporaryFolder(), 'store'));
  return { local, shared: new SharedResults({ place, store: local, clock: systemClock, write: true }) };
}

describe('a bucket', () => {
  const placeOf = (server: BucketServer, more: Partial<ConstructorParameters<typeof SharedBucket>[0]> = {}) =>
    new SharedBucket({
      place: { bucket: BUCKET, prefix: 'results', endpoint: server.url },
      credentials: KEY,
      clock: patient,
      ...more,
    });

  /** With the fox in it. */
  async function stocked(text = 'a red fox') {
    const server = await bucketServer();
    const { local, shared } = await machine(placeOf(server));
    const { sha256 } = await local.put([Buffer.from(text)], '.mp4');
    shared.share({ sha256, extension: '.mp4' });
    expect((await shared.end({ wait: 'for all' })).sent).toBe(1);
    return { server, sha256, ...(await machine(placeOf(server))) };
  }

  test('a moment of trouble passes', async () => {
    const { server, shared } = await stocked();
    server.misbehaves.push(once(503, 'SlowDown', { times: 2 }));
    expect(await shared.download(FOX, NEVER)).toEqual({ is: 'ok' });
  });

  test('403 is not "missing", and the words say what the key needs', async () => {
    const { server, shared } = await stocked();
    server.misbehaves.push(once(403, 'AccessDenied', { times: 99 }));
    expect(await shared.download(FOX, NEVER)).toMatchObject({
      is: 'failed',
      message: expect.stringContaining('s3:ListBucket'),
    });
    expect(shared.takeProblems()).toHaveLength(1);
  });

  test('a bucket that is not there is not an empty one', async () => {
    const server = await bucketServer();
    const place = { bucket: 'nowhere', prefix: '', endpoint: server.url };
    const { shared } = await machine(new SharedBucket({ place, credentials: KEY, clock: patient }));
    shared.status(FOX);
    expect([await shared.look(), shared.status(FOX)]).toEqual([false, 'not asked']);
    expect(await shared.download(FOX, NEVER)).toMatchObject({
      is: 'failed',
      message: expect.stringContaining('no such bucket'),
    });
  });

  test('what was seen and is gone by then is missing', async () => {
    const { server, shared } = await stocked();
    shared.status(FOX);
    expect([await shared.look(), shared.status(FOX)]).toEqual([false, 'there']);
    server.misbehaves.push(once(404, 'NoSuchKey', { methods: ['GET'], times: 2 }));
    expect(await shared.download(FOX, NEVER)).toEqual({ is: 'missing' });
  });

  test('a download that is cut goes on where it was', async () => {
    const text = 'a red fox '.repeat(50_000);
    const { server, shared, local, sha256 } = await stocked(text);
    let cuts = 0;
    const ranges: (string | undefined)[] = [];
    server.misbehaves.push((request, response) => {
      if (request.method !== 'GET') return false;
      ranges.push(request.headers.range);
      if (cuts++ > 0) return false;
      response.writeHead(200, { 'content-length': text.length, etag: '"x"', 'x-amz-meta-extension': '.mp4' });
      response.write(text.slice(0, 100_000), () => setTimeout(() => response.destroy(), 50));
      return true;
    });
    const downloaded = await shared.download(sha256, NEVER);
    // The tag of the first answer is not the object's: it was another one, and all of it is read anew.
    expect([downloaded, ranges[0], local.has(sha256)]).toEqual([{ is: 'ok' }, undefined, true]);
    expect(ranges.some(range => range !== undefined)).toBe(true);
  });

  test('a body that ends too early and says nothing of it is never used', async () => {
    const { server, shared, local } = await stocked();
    server.misbehaves.push((request, response) => {
      if (request.method !== 'GET') return false;
      response.writeHead(200, { 'content-length': 5 }).end('a red');
      return true;
    });
    expect(await shared.download(FOX, NEVER)).toMatchObject({
      is: 'failed',
      message: expect.stringContaining('other bytes'),
    });
    expect([local.has(FOX), local.has(sha('a red')), await readdir(local.partials)]).toEqual([false, false, []]);
  });

  test('a session that is over in the middle of a run is looked for once more', async () => {
    const { server } = await stocked();
    const over = { ...KEY, session: new Secret('old') };
    let renewed = 0;
    const renew = async () => {
      renewed++;
      return KEY;
    };
    server.misbehaves.push((request, response) => {
      if (request.headers['x-amz-security-token'] !== 'old') return false;
      return once(400, 'ExpiredToken')(request, response);
    });
    const { shared, local } = await machine(placeOf(server, { credentials: over, renew }));
    expect(await shared.download(FOX, NEVER)).toEqual({ is: 'ok' });
    const { sha256 } = await local.put([Buffer.from('a blue fox')], '.mp4');
    shared.share({ sha256, extension: '.mp4' });
    expect([(await shared.end({ wait: 'for all' })).sent, renewed]).toEqual([1, 1]);
  });

  test('a session that nobody renews, and a clock that is wrong, are told in words', async () => {
    const { server, shared } = await stocked();
    server.misbehaves.push(once(400, 'ExpiredToken', { times: 2 }));
    expect(await shared.download(FOX, NEVER)).toMatchObject({ message: expect.stringContaining('session is over') });
    const { shared: other } = await machine(placeOf(server));
    server.misbehaves.push(once(403, 'RequestTimeTooSkewed', { times: 2 }));
    expect(await other.download(FOX, NEVER)).toMatchObject({ is: 'failed', message: expect.stringContaining('clock') });
  });

  test('a slow one holds a plan for three seconds at most, and everything counts as not asked', async () => {
    const { server } = await stocked();
    server.misbehaves.push(request => {
      request.resume();
      return true;
    });
    const local = await LocalStore.open(join(await temporaryFolder(), 'store'));
    const place = placeOf(server, { clock: systemClock });
    const time = new FakeClock();
    const shared = new SharedResults({ place, store: local, clock: time, write: true });
    for (let n = 0; n < 1_000; n++) shared.status(sha(String(n)));
    const looked = shared.look();
    await time.asleep(left => left === 3_000);
    await time.advance(3_000);
    expect(await looked).toBe(false);
    expect(shared.status(sha('7'))).toBe('not asked');
    expect(await shared.look()).toBe(false);
    await shared.end({ wait: 'for nothing' });
  });

  test('writes only where nothing is, and looks again where another was quicker', async () => {
    const server = await bucketServer();
    const conditions: (string | undefined)[] = [];
    server.misbehaves.push(request => {
      if (request.method === 'PUT') conditions.push(request.headers['if-none-match']);
      return false;
    });
    server.misbehaves.push(once(412, 'PreconditionFailed', { methods: ['PUT'] }));
    const { local, shared } = await machine(placeOf(server));
    const { sha256 } = await local.put([Buffer.from('a red fox')], '.mp4');
    shared.share({ sha256, extension: '.mp4' });
    expect(await shared.end({ wait: 'for all' })).toMatchObject({ sent: 1 });
    expect(conditions).toEqual(['*', '*']);
  });

  test('one that knows no conditions is written to without', async () => {
    const server = await bucketServer();
    server.misbehaves.push((request, response) =>
      request.headers['if-none-match'] === undefined ? false : once(501, 'NotImplemented')(request, response),
    );
    const { local, shared } = await machine(placeOf(server));
    for (const text of ['one', 'two']) {
      const { sha256 } = await local.put([Buffer.from(text)], '.mp4');
      shared.share({ sha256, extension: '.mp4' });
    }
    expect(await shared.end({ wait: 'for all' })).toMatchObject({ sent: 2 });
  });

  test('one that is down is not asked a thousand times', async () => {
    const { server, shared } = await stocked();
    server.misbehaves.push(once(500, 'InternalError', { times: 100_000 }));
    const before = server.seen.length;
    await Promise.all(Array.from({ length: 200 }, (_, n) => shared.download(sha(`film ${n}`), NEVER)));
    expect(server.seen.length - before).toBeLessThan(100);
    expect(shared.takeProblems()).toHaveLength(1);
  });
});

describe('a folder', () => {
  const results = async () => {
    const folder = join(await temporaryFolder(), 'team');
    await mkdir(folder);
    return { folder, ...(await machine(new SharedFolder({ folder, clock: systemClock }))) };
  };

  test('one that is unmounted in the middle of a run is not written to, though an empty folder is left', async () => {
    const { folder, local, shared } = await results();
    expect(await shared.download(FOX, NEVER)).toEqual({ is: 'missing' });
    await rename(folder, `${folder}.away`);
    await mkdir(folder);
    const { sha256 } = await local.put([Buffer.from('a red fox')], '.mp4');
    shared.share({ sha256, extension: '.mp4' });
    const { reported: said } = await shared.end({ wait: 'for all' });
    expect([said.at(-1), await readdir(folder)]).toEqual([expect.stringContaining('it was unmounted'), []]);
  });

  test('half a file, under its whole name, is missing, and the whole one takes its place', async () => {
    const { folder, local, shared } = await results();
    await mkdir(join(folder, FOX.slice(0, 2)));
    await writeFile(join(folder, FOX.slice(0, 2), `${FOX}-9.mp4`), 'a re');
    expect(await shared.download(FOX, NEVER)).toEqual({ is: 'missing' });
    await local.put([Buffer.from('a red fox')], '.mp4');
    shared.share({ sha256: FOX, extension: '.mp4' });
    await shared.end({ wait: 'for all' });
    const { shared: other } = await machine(new SharedFolder({ folder, clock: systemClock }));
    expect(await other.download(FOX, NEVER)).toEqual({ is: 'ok' });
  });

  test('the store of another project can be named', async () => {
    const { local: theirs } = await results();
    await theirs.put([Buffer.from('a red fox')], '.mp4');
    const { shared, local } = await machine(new SharedFolder({ folder: theirs.folder, clock: systemClock }));
    expect(await shared.download(FOX, NEVER)).toEqual({ is: 'ok' });
    expect(local.file(FOX)?.endsWith('-9.mp4')).toBe(true);
  });

  test('a disk that never answers is given up on', async () => {
    const { folder } = await results();
    const place = new SharedFolder({ folder, clock: systemClock, patience: 0 });
    expect((await place.look(FOX)).is).toBeTypeOf('string');
  });

  test('a file in its place is told as that', async () => {
    const file = join(await temporaryFolder(), 'team');
    await writeFile(file, '');
    const { shared } = await machine(new SharedFolder({ folder: file, clock }));
    expect(await shared.download(FOX, NEVER)).toMatchObject({
      is: 'failed',
      message: expect.stringContaining('no folder'),
    });
  });
});
