/**
 * The house's type as a style sheet with the fonts inside: a browser refuses font files beside a page that is opened from a disk. The
 * fonts are npm packages that are installed beside us where anything is drawn; without them the page has the system's own.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

interface Face {
  readonly family: string;
  readonly weight: number;
  readonly pack: string;
  readonly file: string;
}

const FACES: readonly Face[] = [
  { family: 'Shotlist Display', weight: 600, pack: 'space-grotesk', file: 'space-grotesk-latin-600-normal.woff2' },
  { family: 'Shotlist Sans', weight: 400, pack: 'inter', file: 'inter-latin-400-normal.woff2' },
  { family: 'Shotlist Sans', weight: 600, pack: 'inter', file: 'inter-latin-600-normal.woff2' },
  { family: 'Shotlist Mono', weight: 400, pack: 'jetbrains-mono', file: 'jetbrains-mono-latin-400-normal.woff2' },
];

let sheet: Promise<string> | undefined;

/** Read once. */
export function typeSheet(): Promise<string> {
  sheet ??= Promise.all(FACES.map(rule)).then(rules => rules.join('\n'));
  return sheet;
}

async function rule({ family, weight, pack, file }: Face): Promise<string> {
  const font = await fontOf(pack, file);
  if (!font) return '';
  const source = `url(data:font/woff2;base64,${font.toString('base64')})`;
  return `@font-face{font-family:"${family}";font-weight:${weight};font-display:swap;src:${source}}`;
}

async function fontOf(pack: string, file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(join(dirname(require.resolve(`@fontsource/${pack}/package.json`)), 'files', file));
  } catch {
    return undefined;
  }
}

const require = createRequire(import.meta.url);
