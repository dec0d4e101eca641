/** Result files. Their ids cannot be guessed and say all that is needed, like a signed URL: no bearer credential. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { rangeOf } from '../../../machine/files/byte-range.ts';
import { FIRST_FRAME } from '../../animatic/index.ts';
import { routeNotFound } from '../../shared/http-refusal.ts';
import type { Also, ApiRoute, Handler } from '../route.ts';

const TYPES: { readonly [extension: string]: string } = {
  '.mp4': 'video/mp4',
  '.mov': 'video/quicktime',
  '.webm': 'video/webm',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
};

export const typeOf = (name: string): string => TYPES[extname(name)] ?? 'application/octet-stream';

/** Milliseconds a reader may stand still before it is cut off. */
const LONGEST_STALL = 120_000;

const serve: Handler = async (call, { table, results }) => {
  const id = call.param('id');
  const name = call.param('name');
  const generation = table.get(id);
  const isEarly = name === FIRST_FRAME && generation?.status === 'processing';
  const path = isEarly ? results.shownEarly(id, FIRST_FRAME) : results.path(id, name);
  // The name is compared, never joined into a path on trust.
  const file = isEarly || generation?.file === name ? await stat(path).catch(() => undefined) : undefined;
  if (!file) throw routeNotFound(`/results/${id}/${name}`);
  return { stream: response => write(call.request, response, { id, path, name, size: file.size }) };
};

const UNCHANGED: Also = { description: 'The file is the one that `If-None-Match` names.', headers: ['ETag'] };

const PATH = '/results/{id}/{name}';

export const resultRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: PATH,
    open: true,
    answer: serve,
    id: 'getResult',
    tag: 'Studio',
    summary: 'A result file, or the first picture of what is being drawn; ranges are served',
    gives: { content: { 'video/*': {}, 'image/*': {} } },
    also: {
      206: { description: 'The bytes that `Range` asks for.', isPart: true, headers: ['Content-Range', 'ETag'] },
      304: UNCHANGED,
      416: { description: '`Range` begins past the end of the file.', headers: ['Content-Range'] },
    },
    errors: [404],
  },
  {
    method: 'HEAD',
    path: PATH,
    open: true,
    answer: serve,
    id: 'headResult',
    tag: 'Studio',
    summary: 'Length and type of a result file',
    gives: { content: {} },
    also: { 304: UNCHANGED },
    errors: [404],
  },
];

interface ResultFile {
  readonly id: string;
  readonly path: string;
  readonly name: string;
  readonly size: number;
}

async function write(request: IncomingMessage, response: ServerResponse, file: ResultFile): Promise<void> {
  // A result never changes once it has its id.
  const etag = `"${file.id}-${file.size}"`;
  response.setHeader('etag', etag);
  response.setHeader('accept-ranges', 'bytes');
  response.setHeader('cache-control', 'private, max-age=31536000, immutable');
  if (isKnown(request.headers['if-none-match'], etag)) return void response.writeHead(304).end();
  const range = rangeOf(request, file.size, etag);
  if (range === 'unsatisfiable') {
    return void response.writeHead(416, { 'content-range': `bytes */${file.size}`, 'content-length': 0 }).end();
  }
  const { start, end } = range ?? { start: 0, end: file.size - 1 };
  response.writeHead(range ? 206 : 200, {
    'content-type': typeOf(file.name),
    'content-length': end - start + 1,
    'content-disposition': `inline; filename="${file.name}"`,
    ...(range ? { 'content-range': `bytes ${start}-${end}/${file.size}` } : {}),
  });
  if (request.method === 'HEAD') return void response.end();
  response.setTimeout(LONGEST_STALL, () => response.destroy());
  // A reader that goes away is its own affair.
  await pipeline(createReadStream(file.path, { start, end }), response).catch(() => response.destroy());
}

const isKnown = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some(tag => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*');
