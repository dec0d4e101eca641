/**
 * A page of ours as a browser takes it: one classic script and one style sheet, from `src/show/pages/NAME/page/main.ts` and `page.css`; and the
 * document beside them, `index.html`, of a page that is served as it is.
 */
import { existsSync, globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { PageBundle } from '../src/machine/files/page-bundle.ts';

/** Every page there is, by the name of its folder. */
export const pageNames = (): readonly string[] =>
  globSync('*/page/main.ts', { cwd: SOURCES }).map(path => path.split(/[\\/]/)[0] ?? '');

export async function bundlePage(name: string): Promise<PageBundle> {
  const folder = `${SOURCES}${name}/page/`;
  const { outputFiles } = await build({
    entryPoints: { script: `${folder}main.ts`, style: `${folder}page.css` },
    outdir: 'unused',
    write: false,
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    target: ['chrome110', 'firefox115', 'safari16.4'],
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  });
  const textOf = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  const own = `${folder}index.html`;
  const document = existsSync(own) ? await readFile(own, 'utf8') : null;
  return { script: textOf('script.js'), style: textOf('style.css'), document };
}

const SOURCES = fileURLToPath(new URL('../src/show/pages/', import.meta.url));
