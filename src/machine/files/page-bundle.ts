/** A page of ours as it was built, in bytes, to be written or served; in the source, bundled now by the same function. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readIfThere } from './files.ts';

export interface PageBundle {
  readonly script: string;
  readonly style: string;
  /** The document that names them, of a page that is served; null where the document is made with its data, and holds them. */
  readonly document: string | null;
}

const bundles = new Map<string, Promise<PageBundle>>();

/** @param name a folder of `show/pages/`: `report`. Read once. */
export function pageBundle(name: string): Promise<PageBundle> {
  let bundle = bundles.get(name);
  if (!bundle) {
    bundle = import.meta.url.endsWith('.ts') ? fromSource(name) : asBuilt(name);
    bundles.set(name, bundle);
  }
  return bundle;
}

async function asBuilt(name: string): Promise<PageBundle> {
  const place = (ending: string) => new URL(`./pages/${name}.${ending}`, import.meta.url);
  const [script, style, document] = await Promise.all([
    readFile(place('js'), 'utf8'),
    readFile(place('css'), 'utf8'),
    readIfThere(fileURLToPath(place('html'))),
  ]);
  return { script, style, document };
}

/** The bundler is no part of the package: its module is named at run time, so that no bundle looks for it. */
async function fromSource(name: string): Promise<PageBundle> {
  const { bundlePage } = await import(new URL('../../../build/bundle-page.ts', import.meta.url).href);
  return await bundlePage(name);
}

/** A font of our pages, of an npm package that is installed where anything is drawn; without it a page has the system's own. */
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
