// esbuild has no configuration file of its own; this is it. `npm run build` and npm's `prepare` run it.
// Code splitting gives each command only what it imports: `check` loads no screen, no undici, no execa.
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type BuildOptions, build } from 'esbuild';
import { bundlePage, pageNames } from './build/bundle-page.ts';
import { declaredGlobal } from './build/declared-global.ts';
import { drawingCodeIn } from './build/drawing-code.ts';
import { inkBundle } from './build/ink-bundle.ts';
import { levels } from './build/levels.ts';
import { keepPublicTypes } from './build/public-types.ts';
import { quickStart } from './build/quick-start.ts';
import { shownImport } from './build/shown-import.ts';
import { BUILT_FROM, sourcesDigest } from './build/sources-digest.ts';
import { outsidePackages, thirdPartyLicenses } from './build/third-party.ts';
import { DRAWING_CODE_FILE, PROPS } from './src/studio/animatic/cache/drawing-code.ts';

/** `debug` does without colours; PostgreSQL is spoken to without its C library. */
const DISPENSABLE = ['supports-color', 'pg-native'];

const common = {
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  target: 'node24',
  minifySyntax: true,
  // A tenth of the tarball. Names stay, for whoever reads a stack.
  minifyWhitespace: true,
  define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
  jsx: 'automatic',
  logLevel: 'warning',
  metafile: true,
} as const satisfies BuildOptions;

const modules = {
  ...common,
  entryPoints: {
    main: 'src/cli/main.ts',
    sdk: 'src/sdk/index.ts',
  },
  splitting: true,
  plugins: [shownImport, declaredGlobal, inkBundle, quickStart],
  format: 'esm',
  // Native binaries and fonts are found beside us in node_modules at run time, where they were installed: they are optional.
  external: ['@napi-rs/canvas', 'sharp', 'node-av', 'node-av/*', ...DISPENSABLE],
  // CommonJS packages inside an ESM bundle still ask for `require`.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
} as const satisfies BuildOptions;

/** They run in processes of their own. What they share with the commands is bundled twice: a start of ours has half as many files to link. */
const PROGRAMS = {
  'render-worker': 'src/studio/animatic/process/render-program.ts',
  'encoder-thread': 'src/media/encode/encoder-thread.ts',
  'inspector-program': 'src/media/decode/inspector-program.ts',
  'derive-program': 'src/media/derived/derive-program.ts',
  'cut-program': 'src/media/cut/process/cut-program.ts',
};

await rm('dist', { recursive: true, force: true });

const built = await Promise.all([
  build({ ...modules, plugins: [...modules.plugins, await levels(modules)] }),
  build({ ...modules, entryPoints: PROGRAMS }),
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
const metafiles = built.map(({ metafile }) => metafile);
// A file with one character beyond ASCII takes two bytes for each in memory. The bundler leaves them in regular expressions, where an escape
// says the same; raw strings are left alone.
for (const path of metafiles.flatMap(({ outputs }) => Object.keys(outputs))) {
  const text = await readFile(path, 'utf8');
  const ascii = text.replace(/(?<!\\)[^\0-\x7f]/g, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
  if (ascii !== text && !text.includes('String.raw')) await writeFile(path, ascii);
}
const { optionalDependencies } = JSON.parse(await readFile('package.json', 'utf8'));
const declared = [...Object.keys(optionalDependencies), ...DISPENSABLE];
const undeclared = outsidePackages(metafiles).filter(name => !declared.includes(name));
if (undeclared.length > 0) throw new Error(`imported, not bundled, and no dependency: ${undeclared.join(', ')}`);
await writeFile('dist/THIRD-PARTY-LICENSES.txt', thirdPartyLicenses(metafiles));
// esbuild knows no types: programs that import us are told ours by the compiler.
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
await promisify(execFile)(process.execPath, [compiler, '-p', 'tsconfig.types.json']);
keepPublicTypes('dist/types', 'sdk/index.d.ts');
// Pages are written or served from these; see `src/machine/files/page-bundle.ts`.
await mkdir('dist/pages', { recursive: true });
for (const name of pageNames()) {
  const { script, style, document } = await bundlePage(name);
  await writeFile(`dist/pages/${name}.js`, script);
  await writeFile(`dist/pages/${name}.css`, style);
  if (document !== null) await writeFile(`dist/pages/${name}.html`, document);
}
// The studio's props are read as they are drawn.
await cp(PROPS, 'dist/props', { recursive: true });
// By which the studio knows again what this code has drawn.
await writeFile(`dist/${DRAWING_CODE_FILE}`, `${drawingCodeIn(built[1].metafile)}\n`);
await chmod('dist/shotlist.cjs', 0o755);
// Last: without it the build is not complete.
await writeFile(`dist/${BUILT_FROM}`, `${sourcesDigest()}\n`);
