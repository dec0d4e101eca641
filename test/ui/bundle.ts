/** Node runs no `.tsx`: the replay is bundled before it runs in a process of its own. */
import { createRequire } from 'node:module';
import { build } from 'esbuild';

export async function bundleReplay(outfile: string): Promise<void> {
  await build({
    entryPoints: [createRequire(import.meta.url).resolve('./replay.ts')],
    ...{
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node24',
      jsx: 'automatic',
      minifySyntax: true, logLevel: 'warning',
    },
    ...{
      external: ['react-devtools-core'],
      define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
    },
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
}
