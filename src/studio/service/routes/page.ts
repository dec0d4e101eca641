/**
 * "GET /": the studio's page. Its files are open and hold no data; requests and results are read with the key like all else.
 * The page runs under the strictest policy it can live with: no script, style, picture or address but this server's.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { StudioPageData, StudioPageRow } from '../../../api/studio-page.ts';
import { pageBundle, pageFont, servedTypeSheet } from '../../../machine/files/page-bundle.ts';
import type { Json } from '../../../model/text/json.ts';
import { MARK } from '../../../model/text/markup.ts';
import { invalid, ok, routeNotFound } from '../../shared/http-refusal.ts';
import type { Call } from '../http/call.ts';
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

/** One of the files the page is made of: a fixed list, each read once. Its type is the slate's own, so that it looks the same on any machine. */
interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

/** Chinese comes in a hundred slices by Unicode range, of which a browser loads the ones it needs: only where the machine has no font of its own. */
const CHINESE = '@fontsource-variable/noto-sans-sc';
const CHINESE_SLICE = /^noto-sans-sc-[a-z\d-]+\.woff2$/;

const read = new Map<string, Promise<PageFile | undefined>>();

/** Undefined for every name that is not on the list: what is asked for never becomes a path on trust. */
function pageFile(name: string): Promise<PageFile | undefined> {
  let file = read.get(name);
  if (!file) {
    file = find(name);
    // Unknown names are not kept: there may be any number of them.
    void file.then(found => found ?? read.delete(name));
    read.set(name, file);
  }
  return file;
}

async function find(name: string): Promise<PageFile | undefined> {
  const part = await partOf(name);
  if (part) return load(part.type, Buffer.from(part.text));
  const font = await pageFont(name);
  if (font) return load('font/woff2', font);
  if (name === 'chinese.css') return load('text/css; charset=utf-8', Buffer.from(await chineseSheet()));
  if (!CHINESE_SLICE.test(name) || !(await chineseSheet()).includes(`/page/${name})`)) return undefined;
  return load('font/woff2', await readFile(path.join(folderOf(CHINESE), 'files', name)));
}

/** What the page is built as: `show/pages/studio/`, which the studio has as bytes alone. */
async function partOf(name: string): Promise<{ readonly type: string; readonly text: string } | undefined> {
  const { document, script, style } = await pageBundle('studio');
  switch (name) {
    case 'index.html':
      return { type: 'text/html; charset=utf-8', text: document ?? '' };
    case 'page.js':
      return { type: 'text/javascript; charset=utf-8', text: script };
    case 'page.css':
      return { type: 'text/css; charset=utf-8', text: `${servedTypeSheet('/page/')}\n${style}` };
    case 'mark.svg':
      return { type: 'image/svg+xml', text: MARK };
    default:
      return undefined;
  }
}

async function chineseSheet(): Promise<string> {
  const sheet = await readFile(path.join(folderOf(CHINESE), 'index.css'), 'utf8');
  return sheet
    .replaceAll('url(./files/', 'url(/page/')
    .replaceAll(/font-family: [^;]+;/g, "font-family: 'Shotlist Chinese';");
}

function load(type: string, bytes: Buffer): PageFile {
  return { type, bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
}

const require = createRequire(import.meta.url);
const folderOf = (pack: string): string => path.dirname(require.resolve(`${pack}/package.json`));
