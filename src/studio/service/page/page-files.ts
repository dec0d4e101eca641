/** The files the page is made of: a fixed list, read once. Its type is the slate's own, so that it looks the same on any machine. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

export interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const ASSETS: { readonly [name: string]: string } = {
  'index.html': HTML,
  'page.js': SCRIPT,
  'draw.js': SCRIPT,
  'stream.js': SCRIPT,
  'page.css': 'text/css; charset=utf-8',
  'mark.svg': 'image/svg+xml',
};
const FONTS: { readonly [name: string]: readonly [pack: string, file: string] } = {
  'display.woff2': ['@fontsource/space-grotesk', 'space-grotesk-latin-600-normal.woff2'],
  'sans.woff2': ['@fontsource/inter', 'inter-latin-400-normal.woff2'],
  'sans-bold.woff2': ['@fontsource/inter', 'inter-latin-600-normal.woff2'],
  'mono.woff2': ['@fontsource/jetbrains-mono', 'jetbrains-mono-latin-400-normal.woff2'],
};

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
  if (Object.hasOwn(ASSETS, name)) {
    return load(ASSETS[name] ?? '', await readFile(new URL(`./assets/${name}`, import.meta.url)));
  }
  if (Object.hasOwn(FONTS, name)) {
    const [pack, file] = FONTS[name] ?? ['', ''];
    return load('font/woff2', await readFile(path.join(folderOf(pack), 'files', file)));
  }
  if (name === 'chinese.css') return load('text/css; charset=utf-8', Buffer.from(await chineseSheet()));
  if (!CHINESE_SLICE.test(name) || !(await chineseSheet()).includes(`/page/${name})`)) return undefined;
  return load('font/woff2', await readFile(path.join(folderOf(CHINESE), 'files', name)));
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
