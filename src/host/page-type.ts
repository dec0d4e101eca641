/**
 * The type of our pages as a style sheet. The fonts are npm packages that are installed beside us where anything is drawn; without them a
 * page has the system's own.
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

/** By the name at which the studio serves each. */
const FACES: Readonly<Record<string, Face>> = {
  'display.woff2': {
    ...{ family: 'Shotlist Display', weight: 600 },
    ...{ pack: 'space-grotesk', file: 'space-grotesk-latin-600-normal.woff2' },
  },
  'sans.woff2': { family: 'Shotlist Sans', weight: 400, pack: 'inter', file: 'inter-latin-400-normal.woff2' },
  'sans-bold.woff2': { family: 'Shotlist Sans', weight: 600, pack: 'inter', file: 'inter-latin-600-normal.woff2' },
  'mono.woff2': {
    ...{ family: 'Shotlist Mono', weight: 400 },
    ...{ pack: 'jetbrains-mono', file: 'jetbrains-mono-latin-400-normal.woff2' },
  },
};

/** Undefined where there is none of that name, or its package is not installed. */
export async function pageFont(name: string): Promise<Buffer | undefined> {
  const face = Object.hasOwn(FACES, name) ? FACES[name] : undefined;
  if (!face) return undefined;
  try {
    return await readFile(join(dirname(require.resolve(`@fontsource/${face.pack}/package.json`)), 'files', face.file));
  } catch {
    return undefined;
  }
}

/** With the fonts as files below this address. */
export const servedTypeSheet = (folder: string): string =>
  Object.entries(FACES)
    .map(([name, face]) => rule(face, `${folder}${name}`))
    .join('\n');

let sheet: Promise<string> | undefined;

/** With the fonts inside: a browser refuses font files beside a page that is opened from a disk. Read once. */
export function typeSheet(): Promise<string> {
  sheet ??= Promise.all(
    Object.entries(FACES).map(async ([name, face]) => {
      const font = await pageFont(name);
      return font ? rule(face, `data:font/woff2;base64,${font.toString('base64')}`) : '';
    }),
  ).then(rules => rules.join('\n'));
  return sheet;
}

const rule = ({ family, weight }: Face, source: string): string =>
  `@font-face{font-family:"${family}";font-weight:${weight};font-display:swap;src:url(${source})}`;

const require = createRequire(import.meta.url);
