/**
 * "GET /": the studio's page. Its files are open and tell nothing; what was asked for and made is read with the key like all else.
 * The page runs under the strictest policy it can live with: no script, style, picture or address but this server's.
 */
import type { ServerResponse } from 'node:http';
import type { StudioPageData, StudioPageRow } from '../../../api/studio-page.ts';
import type { Json } from '../../../model/text/json.ts';
import { invalid, ok, routeNotFound } from '../../shared/http-refusal.ts';
import type { Call } from '../http/call.ts';
import { type PageFile, pageFile } from '../page/page-files.ts';
import { type Generation, isFinished } from '../records/generations.ts';
import type { Handler, Route, Services } from '../route.ts';

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

/** The queue in its order; what is finished, newest first, among the `limit` newest of all. */
function pageData(studio: Services, limit: number): StudioPageData {
  const place = studio.table.places();
  const { rows, total } = studio.table.page({}, limit, 1);
  const rowOf = (one: Generation) => pageRow(one, studio, place(one));
  return {
    queue: studio.table.queue({}).map(rowOf),
    made: rows.filter(isFinished).map(rowOf),
    total,
    more: total > limit,
  };
}

function pageRow(one: Generation, { library, queue }: Services, place: number | null): StudioPageRow {
  return {
    id: one.id,
    model: one.model,
    kind: library.get(one.model)?.kind ?? null,
    media_type: one.media_type,
    status: one.status,
    place,
    progress: queue.progress(one),
    enqueued_at: one.enqueued_at,
    started_at: one.started_at,
    completed_at: one.completed_at,
    error_message: one.error_message,
    // A path, not an address: the page may have been opened under another name of this machine.
    result: one.file === null ? null : `/results/${one.id}/${one.file}`,
    facts: one.facts,
    request: one.request,
  };
}
