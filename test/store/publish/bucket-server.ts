/**
 * A real S3 server (it checks signatures and when addresses expire) on this machine, which can be told to misbehave in front of it. What it
 * lacks of uploads in parts is `OpenUploads`.
 */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Secret } from '../../../src/machine/redactor.ts';
import { type Clock, systemClock } from '../../../src/machine/time/clock.ts';
import { Bucket } from '../../../src/records/store/publish/bucket.ts';
import type { BucketPlace } from '../../../src/records/store/publish/bucket-place.ts';
import type { FileToPublish } from '../../../src/records/store/publish/publishing.ts';
import { temporaryFolder } from '../../support/temp.ts';

interface S3 {
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  configureBuckets(): Promise<void>;
}
type S3Options = Readonly<Record<string, unknown>>;

/** The key that the server knows. */
export const KEY = { keyId: 'S3RVER', key: new Secret('S3RVER') };
export const BUCKET = 'films';

export interface Seen {
  readonly method: string;
  readonly path: string;
  /** Signed in its address, not in a header. */
  readonly presigned: boolean;
  /** Of the part that is sent. */
  readonly part?: number;
}

/** Answers instead of the server, where it answers true. */
export type Misbehaviour = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface BucketServer {
  readonly url: string;
  readonly seen: readonly Seen[];
  /** Each is asked about every request until one answers. */
  readonly misbehaves: Misbehaviour[];
  uploads(): readonly string[];
  /** Numbers of the parts that were sent, in their order. */
  parts(): readonly number[];
  /** Uploads that are begun and neither completed nor ended: each is billed. */
  open(): readonly string[];
}

export async function bucketServer(): Promise<BucketServer> {
  const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as new (options: S3Options) => S3;
  const directory = await temporaryFolder();
  const s3 = new S3rver({
    directory,
    silent: true,
    vhostBuckets: false,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  await s3.configureBuckets();
  const handle = s3.callback();
  const uploads = new OpenUploads(join(directory, BUCKET, '._S3rver_uploads'));
  const seen: Seen[] = [];
  const misbehaves: Misbehaviour[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://bucket');
    const { method = '' } = request;
    const part = url.searchParams.get('partNumber');
    const presigned = url.searchParams.has('X-Amz-Signature');
    seen.push({ method, path: url.pathname, presigned, ...(part !== null && { part: Number(part) }) });
    if (misbehaves.some(one => one(request, response)) || uploads.refuses(url, request, response)) return;
    uploads.answers(url, method, response);
    handle(request, response);
  });
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    misbehaves,
    uploads: () => seen.flatMap(({ method, path }) => (method === 'PUT' ? [path] : [])),
    parts: () => seen.flatMap(({ part }) => part ?? []),
    open: () => uploads.all().map(({ id }) => id),
  };
}

/** Waits between tries are over at once; long ones, which are limits, never end. `ahead`: milliseconds. */
export const quickClock = (ahead = 0): Clock => ({
  ...systemClock,
  now: () => systemClock.now() + ahead,
  sleep: (ms, signal, where) => (ms < 10_000 ? Promise.resolve() : systemClock.sleep(ms, signal, where)),
});

export async function fileOf(content: Buffer | string, extension: string): Promise<FileToPublish> {
  const path = join(await temporaryFolder(), `fox${extension}`);
  await writeFile(path, content);
  const bytes = Buffer.from(content);
  return { path, extension, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

type Bucketing = Partial<Omit<ConstructorParameters<typeof Bucket>[0], 'place'>> & {
  readonly place?: Partial<BucketPlace>;
};

/** A way into the bucket of this server, below `in/shots`. */
export function bucketAt({ url }: Pick<BucketServer, 'url'>, { place, ...more }: Bucketing = {}): Bucket {
  const at = { bucket: BUCKET, prefix: 'in/shots', endpoint: url, ...place };
  const bucket = new Bucket({ place: at, credentials: KEY, expires: 3_600_000, clock: quickClock(), ...more });
  onTestFinished(() => bucket.close());
  return bucket;
}

/** Answers once as Amazon words its errors, to requests of these methods. */
export function once(
  status: number,
  code: string,
  { methods = ['HEAD', 'GET', 'PUT', 'POST', 'DELETE'], headers = {}, more = '', times = 1 }: FaultOptions = {},
): Misbehaviour {
  let left = times;
  return (request, response) => {
    if (left === 0 || !methods.includes(request.method ?? '')) return false;
    left--;
    request.resume();
    const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>Words of ${code}.</Message>${more}</Error>`;
    response.writeHead(status, { 'content-type': 'application/xml', ...headers });
    response.end(request.method === 'HEAD' ? undefined : body);
    return true;
  };
}

interface FaultOptions {
  readonly methods?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** More elements of the answer. */
  readonly more?: string;
  readonly times?: number;
}

interface Open {
  readonly id: string;
  readonly key: string;
}

interface Answer {
  readonly status: number;
  readonly xml: string;
}

class OpenUploads {
  readonly #folder: string;
  /** Parts told of in one answer. */
  readonly #page = 3;

  constructor(folder: string) {
    this.#folder = folder;
  }

  all(): readonly Open[] {
    if (!existsSync(this.#folder)) return [];
    const begun = (id: string) => statSync(join(this.#folder, id, 'key')).mtimeMs;
    return readdirSync(this.#folder)
      .filter(id => existsSync(join(this.#folder, id, 'key')))
      .sort((a, b) => begun(a) - begun(b))
      .map(id => ({ id, key: readFileSync(join(this.#folder, id, 'key'), 'utf8') }));
  }

  /** True: the request is for an upload that is not open, and answered. The server would begin it. */
  refuses({ searchParams }: URL, request: IncomingMessage, response: ServerResponse): boolean {
    const id = searchParams.get('uploadId');
    if (id === null || request.method === 'DELETE' || this.all().some(open => open.id === id)) return false;
    request.resume().on('end', () => {
      const { status, xml } = NO_UPLOAD;
      response.writeHead(status, { 'content-type': 'application/xml' }).end(xml);
    });
    return true;
  }

  /** Has what the server would say that it does not do answered. */
  answers(url: URL, method: string, response: ServerResponse): void {
    const answer = this.#answerTo(url, method);
    if (!answer) return;
    const end = response.end.bind(response);
    response.end = ((...said: Parameters<typeof end>) => {
      if (response.statusCode !== 405 && response.statusCode !== 501 && response.statusCode !== 200)
        return end(...said);
      const { status, xml } = answer();
      response.statusCode = status;
      response.removeHeader('content-length');
      response.setHeader('content-type', 'application/xml');
      return end(xml);
    }) as typeof response.end;
  }

  #answerTo({ searchParams }: URL, method: string): (() => Answer) | undefined {
    const id = searchParams.get('uploadId');
    if (method === 'GET' && searchParams.has('uploads')) return () => this.#list(searchParams.get('prefix') ?? '');
    if (id === null || (method !== 'GET' && method !== 'DELETE')) return undefined;
    if (method === 'GET') return () => this.#parts(id, Number(searchParams.get('part-number-marker') ?? 0));
    return () => {
      if (!this.all().some(open => open.id === id)) return NO_UPLOAD;
      rmSync(join(this.#folder, id), { recursive: true });
      return { status: 204, xml: '' };
    };
  }

  #list(prefix: string): Answer {
    const open = this.all().filter(({ key }) => key.startsWith(prefix));
    const rows = open.map(({ id, key }) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`).join('');
    return { status: 200, xml: `<ListMultipartUploadsResult>${rows}</ListMultipartUploadsResult>` };
  }

  #parts(id: string, after: number): Answer {
    const folder = join(this.#folder, id);
    if (!existsSync(folder)) return NO_UPLOAD;
    const numbers = readdirSync(folder)
      .filter(name => /^\d+$/.test(name) && existsSync(join(folder, `${name}.md5`)))
      .map(Number)
      .filter(number => number > after)
      .sort((a, b) => a - b);
    const page = numbers.slice(0, this.#page);
    const rows = page.map(number => {
      const path = join(folder, String(number));
      const etag = readFileSync(`${path}.md5`, 'utf8');
      return `<Part><PartNumber>${number}</PartNumber><ETag>&quot;${etag}&quot;</ETag><Size>${statSync(path).size}</Size></Part>`;
    });
    const more = numbers.length > page.length;
    const next = more ? `<NextPartNumberMarker>${page.at(-1)}</NextPartNumberMarker>` : '';
    return {
      status: 200,
      xml: `<ListPartsResult><IsTruncated>${more}</IsTruncated>${next}${rows.join('')}</ListPartsResult>`,
    };
  }
}

const NO_UPLOAD: Answer = {
  status: 404,
  xml: '<?xml version="1.0"?><Error><Code>NoSuchUpload</Code><Message>The specified upload does not exist.</Message></Error>',
};
