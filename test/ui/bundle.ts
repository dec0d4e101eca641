/** The replay is bundled, as the product is, before it runs in a process of its own. */
import { join } from 'node:path';
import { build } from 'esbuild';

/** Path of the bundle, in `folder`. */
export async function bundleReplay(folder: string): Promise<string> {
  await build({
    entryPoints: { replay: join(import.meta.dirname, 'replay.ts') },
    ...{
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node24',
    },
    ...{ minifySyntax: true, logLevel: 'warning' },
    define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  return join(folder, 'replay.mjs');
}
