/**
 * "GET /": the studio's page. Its files are open and tell nothing; what was asked for and made is read with the key like all else.
 * The page runs under the strictest policy it can live with: no script, style, picture or address but this server's.
 */
import type { ServerResponse } from 'node:http';
import type { Json } from '../../../domain/json.ts';
import { invalid, routeNotFound } from '../../http-refusal.ts';
import { ok } from '../../reply.ts';
import type { Call } from '../http/call.ts';
import { pageData } from '../page/page-data.ts';
import { type PageFile, pageFile } from '../page/page-files.ts';
import type { Handler, Route } from '../route.ts';

const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    ...['script', 'style', 'img', 'media', 'font', 'connect'].map(kind => `${kind}-src 'self'`),
    ...['base-uri', 'form-action', 'frame-ancestors'].map(kind => `${kind} 'none'`),
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-cache',
} as const;

const serve =
  (name: (call: Call) => string): Handler =>
  async call => {
    const { request } = call;
    const file = await pageFile(name(call));
    if (!file) throw routeNotFound(`/page/${name(call)}`);
    const isKnown = request.headers['if-none-match'] === file.etag;
    return { stream: response => write(response, file, { isKnown, isHead: request.method === 'HEAD' }) };
  };

const front = serve(() => 'index.html');
const part = serve(call => call.param('file'));
const MOST = 2000;

const generations: Handler = ({ query }, studio) => {
  const limit = query.get('limit') ?? '48';
  if (!/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > MOST)
    throw invalid([{ path: 'limit', message: `limit must be a whole number from 1 to ${MOST}` }]);
  return ok(pageData(studio, Number(limit)) as unknown as Json);
};

export const pageRoutes: readonly Route[] = [
  { method: 'GET', path: '/', open: true, answer: front },
  { method: 'HEAD', path: '/', open: true, answer: front },
  { method: 'GET', path: '/page/generations', answer: generations },
  { method: 'GET', path: '/page/{file}', open: true, answer: part },
  { method: 'HEAD', path: '/page/{file}', open: true, answer: part },
];

function write(
  response: ServerResponse,
  { type, bytes, etag }: PageFile,
  { isKnown, isHead }: { readonly isKnown: boolean; readonly isHead: boolean },
): void {
  for (const [name, value] of Object.entries({ ...HEADERS, etag })) response.setHeader(name, value);
  if (isKnown) return void response.writeHead(304).end();
  response.writeHead(200, { 'content-type': type, 'content-length': bytes.length });
  response.end(isHead ? undefined : bytes);
}
