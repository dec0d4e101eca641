// esbuild has no configuration file of its own; this is it. `npm run build` and npm's `prepare` run it.
// Code splitting gives each command only what it imports: `check` loads no Ink, no undici, no execa.
import { execFile } from 'node:child_process';
import { chmod, cp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type BuildOptions, build } from 'esbuild';

const common = {
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  target: 'node24',
  minifySyntax: true,
  define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
  logLevel: 'warning',
} as const satisfies BuildOptions;

await rm('dist', { recursive: true, force: true });

await Promise.all([
  build({
    ...common,
    entryPoints: {
      main: 'src/cli/main.ts',
      sdk: 'src/sdk/index.ts',
      'render-worker': 'src/studio/animatic/worker.ts',
      'encoder-thread': 'src/media/encoder-thread.ts',
      'inspector-process': 'src/media/inspector-process.ts',
    },
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    // Native binaries and fonts are found beside us in node_modules at run time; Ink asks for its devtools only in development.
    external: ['@napi-rs/canvas', 'sharp', 'node-av', 'node-av/*', 'react-devtools-core'],
    // CommonJS packages inside an ESM bundle still ask for `require`.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  }),
  build({
    ...common,
    // CommonJS, which Node 24 starts about 10 ms sooner than its module loader; Node 20 understands it, to be told so.
    entryPoints: { shotlist: 'src/cli/entry.ts' },
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    target: 'node18',
    plugins: [
      {
        name: 'the rest stays outside',
        setup: bundler => bundler.onResolve({ filter: /\/main\.ts$/ }, () => ({ path: './main.js', external: true })),
      },
    ],
  }),
]);
// esbuild knows no types: programs that import us are told ours by the compiler.
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
await promisify(execFile)(process.execPath, [compiler, '-p', 'tsconfig.types.json']);
// The studio's page is served as it is; its props are read as they are drawn.
await cp('src/studio/service/page/assets', 'dist/assets', { recursive: true });
await cp('src/studio/animatic/scene/props', 'dist/props', { recursive: true });
await chmod('dist/shotlist.cjs', 0o755);
