/**
 * A real S3 server (it checks signatures and when addresses expire) on this machine, which can be told to misbehave in front of it. What it
 * lacks of uploads in parts is in `open-uploads.ts`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Secret } from '../../../src/machine/secret.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { OpenUploads } from './open-uploads.ts';

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
