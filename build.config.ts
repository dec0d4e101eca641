// esbuild has no configuration file of its own; this is it. `npm run build` and npm's `prepare` run it.
// Code splitting gives each command only what it imports: `--help` loads no Ink, no undici, no execa.
import { chmod, rm } from 'node:fs/promises';
import { build } from 'esbuild';

await rm('dist', { recursive: true, force: true });

await build({
  entryPoints: {
    shotlist: 'src/cli/main.ts',
    'render-worker': 'src/studio/render/worker.ts',
  },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  jsx: 'automatic',
  minifySyntax: true,
  define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
  // Native binaries and fonts are found beside us in node_modules at run time.
  external: ['@napi-rs/canvas', 'sharp', 'node-av', 'node-av/*', 'react-devtools-core'],
  // CommonJS packages inside an ESM bundle still ask for `require`.
  banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
  logLevel: 'warning',
});
await chmod('dist/shotlist.js', 0o755);
