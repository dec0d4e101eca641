/** Programs of the tests that draw a screen: bundled, as the product is, before they run in a process of their own. */
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { inkBundle } from '../../build/ink-bundle.ts';

/** Path of the bundle of `program`, in `folder`. */
export async function bundled(program: string, folder: string): Promise<string> {
  await build({
    entryPoints: [program],
    ...{
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node24',
    },
    ...{ minifySyntax: true, logLevel: 'warning', jsx: 'automatic', plugins: [inkBundle] },
    define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  return join(folder, `${basename(program).replace(/\.tsx?$/, '')}.mjs`);
}

export const bundleReplay = (folder: string): Promise<string> =>
  bundled(join(import.meta.dirname, 'replay.ts'), folder);
