/** A page of ours as it was built, in bytes for whoever writes or serves it; in the source, bundled now by the same function. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readIfThere } from './files.ts';

export interface PageBundle {
  readonly script: string;
  readonly style: string;
  /** The document that names them, of a page that is served; null where the document is made with its data, and holds them. */
  readonly document: string | null;
}

const bundles = new Map<string, Promise<PageBundle>>();

/** @param name a folder of `pages/`: `report`. Read once. */
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
  const { bundlePage } = await import(new URL('../../build/bundle-page.ts', import.meta.url).href);
  return await bundlePage(name);
}
