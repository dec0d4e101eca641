/** The files the page is made of: a fixed list, read once. Its type is the slate's own, so that it looks the same on any machine. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pageBundle, pageFont, servedTypeSheet } from '../../../machine/files/page-bundle.ts';
import { MARK } from '../../../model/text/markup.ts';

export interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

/** Chinese comes in a hundred slices by Unicode range, of which a browser loads the ones it needs: only where the machine has no font of its own. */
const CHINESE = '@fontsource-variable/noto-sans-sc';
const CHINESE_SLICE = /^noto-sans-sc-[a-z\d-]+\.woff2$/;

const read = new Map<string, Promise<PageFile | undefined>>();

/** Undefined for every name that is not on the list: what is asked for never becomes a path on trust. */
export function pageFile(name: string): Promise<PageFile | undefined> {
  let file = read.get(name);
  if (!file) {
    file = find(name);
    // Names that are not there are not kept: anybody may ask for any number of them.
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
