/** The script and the style sheet of a page: as they were built, or, in the source, bundled now by the same function. */
import { readFile } from 'node:fs/promises';

export interface PageBundle {
  readonly script: string;
  readonly style: string;
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
  const read = (ending: string) => readFile(new URL(`./pages/${name}.${ending}`, import.meta.url), 'utf8');
  const [script, style] = await Promise.all([read('js'), read('css')]);
  return { script, style };
}

/** The bundler is no part of the package: its module is named at run time, so that no bundle looks for it. */
async function fromSource(name: string): Promise<PageBundle> {
  const { bundlePage } = await import(new URL('../../build/bundle-page.ts', import.meta.url).href);
  return await bundlePage(name);
}
