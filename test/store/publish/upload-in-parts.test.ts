/** Large files on their way into a bucket: in parts, against a real server, and against what comes between. */
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { appendFile, open } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../../src/machine/time/clock.ts';
import { PART_SIZES, partsOf } from '../../../src/records/store/publish/checked-upload.ts';
import { type FileToPublish, Publishing, type PublishOutcome } from '../../../src/records/store/publish/publishing.ts';
import {
  BUCKET,
  type BucketServer,
  bucketAt,
  bucketServer,
  fileOf,
  type Misbehaviour,
  once,
  quickClock,
} from './bucket-server.ts';

const KIB = 1024;
/** Five parts, of which the last is short. */
const SIZE = 256 * KIB;
const FILM = 4 * SIZE + 100 * KIB;
const quiet = () => {};
const going = new AbortController().signal;

let server: BucketServer;
beforeEach(async () => {
  server = await bucketServer();
});

const publishing = (size = SIZE, clock = quickClock()): Publishing =>
  new Publishing(bucketAt(server, { clock, sizes: { above: size, size } }), clock);
const film = (bytes = FILM): Promise<FileToPublish> => fileOf(randomBytes(bytes), '.mp4');

const publish = (file: FileToPublish): Promise<PublishOutcome> => publishing().publish(file, quiet, going);
const messageOf = (outcome: PublishOutcome): string => (outcome.is === 'failed' ? outcome.message : outcome.is);

async function expectThere(outcome: PublishOutcome, { sha256 }: FileToPublish): Promise<void> {
  if (outcome.is !== 'ok') throw new Error(messageOf(outcome));
  const read = await fetch(outcome.url);
  const bytes = Buffer.from(await read.arrayBuffer());
  expect([read.status, read.headers.get('content-type'), createHash('sha256').update(bytes).digest('hex')]).toEqual([
    ...[200, 'video/mp4'],
    sha256,
  ]);
}

const queryOf = ({ url }: IncomingMessage) => new URL(url ?? '', 'http://bucket').searchParams;
const part = (number: number) => (request: IncomingMessage) =>
  request.method === 'PUT' && queryOf(request).get('partNumber') === String(number);
const isCompletion = (request: IncomingMessage) => request.method === 'POST' && queryOf(request).has('uploadId');

/** Misbehaves so for these requests alone, so many times. */
function only(which: (request: IncomingMessage) => boolean, how: Misbehaviour, times = 1): Misbehaviour {
  let left = times;
  return (request, response) => left > 0 && which(request) && how(request, response) && left-- > 0;
}
const says = (status: number, code: string) => once(status, code, { times: 99 });

describe('a large file', () => {
  test('is sent part by part, is one object there, and leaves nothing open', async () => {
    const given = await film();
    const told: number[] = [];
    await expectThere(await publishing().publish(given, sent => void told.push(sent), going), given);
    expect(server.parts()).toEqual([1, 2, 3, 4, 5]);
    expect(server.open()).toEqual([]);
    expect([told[0], told.at(-1)]).toEqual([0, FILM]);
    expect(told).toEqual([...told].sort((a, b) => a - b));
    await publish(given);
    expect(server.parts()).toHaveLength(5);
  });

  test('of exactly a part, and of a byte more', async () => {
    const [one, more] = [await film(SIZE), await film(SIZE + 1)];
    await expectThere(await publish(one), one);
    expect(server.parts()).toEqual([]);
    await expectThere(await publish(more), more);
    expect(server.parts()).toEqual([1, 2]);
  });

  test('that changed since it was planned is not completed, and its parts are ended', async () => {
    const given = await film();
    const told = 's3://films/in/shots: the file has changed since this run was planned; give the same command again';
    expect(messageOf(await publish({ ...given, sha256: 'a'.repeat(64) }))).toBe(told);
    expect([server.parts(), server.open()]).toEqual([[1, 2, 3, 4, 5], []]);
  });

  test('whose later part changes while the first is sent is not completed', async () => {
    const given = await film();
    server.misbehaves.push(
      only(part(1), () => {
        void open(given.path, 'r+').then(async file => {
          await file.write(Buffer.from('other'), 0, 5, 4 * SIZE + 10);
          await file.close();
        });
        return false;
      }),
    );
    expect(messageOf(await publish(given))).toContain('the file has changed');
    expect(server.open()).toEqual([]);
  });

  test('that another program appends to is sent as it was planned', async () => {
    const given = await film();
    const outcome = await publishing().publish(
      given,
      sent => void (sent === SIZE && appendFile(given.path, 'more')),
      going,
    );
    await expectThere(outcome, given);
  });
});

describe('what comes between', () => {
  const cut: Misbehaviour = request => {
    request.once('data', () => request.destroy());
    return true;
  };
  const answerLost: Misbehaviour = (_, response) => {
    response.writeHead = () => response;
    response.end = () => response.destroy() as never;
    return false;
  };
  const isBeginning = (request: IncomingMessage) => queryOf(request).has('uploads');
  const [ONCE, ALL] = [[1, 2, 3, 4, 5], [1, 2, 3, 4, 5].flatMap(number => Array<number>(5).fill(number))];

  test.each([
    [
      'a part is refused for a while: only that is sent again',
      [only(part(3), says(503, 'SlowDown'), 2)],
      [1, 2, 3, 3, 3, 4, 5],
    ],
    [
      'a part arrives damaged: only that is sent again',
      [only(part(2), says(400, 'BadDigest'), 2)],
      [1, 2, 2, 2, 3, 4, 5],
    ],
    ['the beginning is refused for a while', [only(isBeginning, says(500, ''), 2)], ONCE],
    ['the completion is refused for a while', [only(isCompletion, says(503, 'SlowDown'), 2)], ONCE],
    ['the connection is cut in part 3: that part is sent again', [only(part(3), cut)], [1, 2, 3, 3, 4, 5]],
    [
      'every part is interrupted four times: what gets on is not given up',
      ONCE.map(number => only(part(number), says(503, 'SlowDown'), 4)),
      ALL,
    ],
    ['the completion is answered 200 with an error in it', [only(isCompletion, says(200, 'InternalError'))], ONCE],
    ['the completion is taken, and its answer is lost', [only(isCompletion, answerLost)], ONCE],
    [
      'somebody ends the upload in the middle: all of it is sent in another',
      [only(part(4), says(404, 'NoSuchUpload'))],
      [1, 2, 3, 4, ...ONCE],
    ],
  ])('%s', async (_, misbehaves, parts) => {
    const given = await film();
    server.misbehaves.push(...misbehaves);
    await expectThere(await publish(given), given);
    expect(server.parts().toSorted((a, b) => a - b)).toEqual(parts.toSorted((a, b) => a - b));
    expect(server.open()).toEqual([]);
  });

  test('the completion is answered 200 with an error for ever: it is told, and nothing is left', async () => {
    server.misbehaves.push(only(isCompletion, says(200, 'InternalError'), 99));
    expect(messageOf(await publish(await film()))).toBe(
      's3://films/in/shots: it answers 200 InternalError (Words of InternalError.), 5 times; try again later',
    );
    expect([server.parts(), server.open()]).toEqual([[1, 2, 3, 4, 5], []]);
  });

  test('a bucket that never puts the parts together is not sent them for ever', async () => {
    server.misbehaves.push(only(isCompletion, says(400, 'InvalidPart'), 99));
    expect(messageOf(await publish(await film()))).toBe(
      's3://films/in/shots: it took the parts of the file, and does not put them together (InvalidPart)',
    );
    expect(server.parts()).toHaveLength(15);
    expect(server.open()).toEqual([]);
  });

  test('the key may not send part 2: nothing is left', async () => {
    server.misbehaves.push(only(part(2), says(403, 'AccessDenied')));
    expect(messageOf(await publish(await film()))).toContain('it needs `s3:PutObject` and `s3:GetObject` on `films`');
    expect(server.open()).toEqual([]);
  });

  test('the key may not end it either: what is left is told, and the next time takes it up', async () => {
    const given = await film();
    server.misbehaves.push(
      only(part(3), says(403, 'AccessDenied')),
      only(({ method }) => method === 'DELETE', says(403, 'AccessDenied'), 3),
    );
    const [left] = [messageOf(await publish(given)), ...server.open()];
    expect(left).toContain(`parts of it are left there, unseen and perhaps billed (upload ${server.open()[0]})`);
    await expectThere(await publish(given), given);
    expect(server.parts()).toEqual([1, 2, 3, 3, 4, 5]);
    expect(server.open()).toEqual([]);
  });

  test('ending it fails for a while', async () => {
    server.misbehaves.push(
      only(part(3), says(403, 'AccessDenied')),
      only(({ method }) => method === 'DELETE', says(503, 'SlowDown'), 2),
    );
    await publish(await film());
    expect(server.open()).toEqual([]);
  });

  test('a key that may not list, and a bucket that cannot: all goes well', async () => {
    for (const [status, code] of [
      [403, 'AccessDenied'],
      [501, 'NotImplemented'],
    ] as const) {
      const given = await film();
      const isList = ({ method, url = '' }: IncomingMessage) => method === 'GET' && /uploads|uploadId/.test(url);
      server.misbehaves.push(only(isList, says(status, code), 2));
      await expectThere(await publish(given), given);
    }
    expect(server.open()).toEqual([]);
  });

  test('a run that stops ends the upload', async () => {
    const stop = new AbortController();
    server.misbehaves.push(
      only(part(3), () => {
        stop.abort();
        return true;
      }),
    );
    expect(await publishing().publish(await film(), quiet, stop.signal)).toEqual({ is: 'stopped' });
    expect(server.open()).toEqual([]);
  });
});

describe('two processes', () => {
  test('that bring the same file at once: it is there, and nothing is open', async () => {
    const given = await film();
    // The server needs a moment to put parts together, and answers 500 meanwhile.
    const clock: Clock = {
      ...quickClock(),
      sleep: (ms, signal) => systemClock.sleep(ms < 10_000 ? ms / 5 : ms, signal),
    };
    const bring = () => publishing(SIZE, clock).publish(given, quiet, going);
    const outcomes = await Promise.all([bring(), bring(), bring()]);
    for (const outcome of outcomes) await expectThere(outcome, given);
    expect(server.open()).toEqual([]);
  });

  test('one killed in part 3: the next sends the rest alone', async () => {
    const given = await film();
    const dead = Promise.withResolvers<void>();
    const program = fileURLToPath(new URL('publish-child.ts', import.meta.url));
    const child = spawn(process.execPath, [program, server.url, BUCKET, given.path, given.sha256, String(SIZE)]);
    child.once('exit', () => dead.resolve());
    server.misbehaves.push(
      only(part(3), request => {
        request.once('data', () => child.kill('SIGKILL'));
        return true;
      }),
    );
    await dead.promise;
    expect([server.parts(), server.open().length]).toEqual([[1, 2, 3], 1]);
    await expectThere(await publish(given), given);
    expect([server.parts(), server.open()]).toEqual([[1, 2, 3, 3, 4, 5], []]);
  });

  test('one killed with parts of another size: they are not taken for ours', async () => {
    const given = await film();
    const stays = only(({ method }) => method === 'DELETE', says(503, ''), 99);
    server.misbehaves.push(only(part(4), says(403, 'AccessDenied')), stays);
    await publishing(128 * KIB).publish(given, quiet, going);
    expect(server.open()).toHaveLength(1);
    server.misbehaves.length = 0;
    await expectThere(await publish(given), given);
    expect(server.parts()).toEqual([1, 2, 3, 4, 1, 2, 3, 4, 5]);
  });
});

test('parts are as many as a bucket takes, whatever the file', () => {
  const at = (bytes: number) => {
    const parts = partsOf(bytes, PART_SIZES);
    return [parts.length, parts.reduce((sum, part) => sum + part.bytes, 0) === bytes];
  };
  const GIB = 1024 ** 3;
  expect(at(65 * 1024 * KIB)).toEqual([5, true]);
  expect(at(5 * GIB)).toEqual([320, true]);
  const [count, isWhole] = at(5 * 1024 * GIB + 7);
  expect([(count as number) <= 10_000, isWhole]).toEqual([true, true]);
});
