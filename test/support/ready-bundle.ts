/**
 * The bundle once more, whose built-in studio gives ready clips (`ready-renderer.ts`) instead of drawing. All else is what a user runs: every
 * file but the renderer's is the same file.
 */
import { cpSync, linkSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import project from '../../package.json' with { type: 'json' };

const FOLDER = resolve('node_modules/.cache/shotlist-ready');
/** The folder of the bundle that draws nothing. */
export const READY_BUNDLE = join(FOLDER, 'dist');

export function makeReadyBundle(): void {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(READY_BUNDLE, { recursive: true });
  cpSync('package.json', join(FOLDER, 'package.json'));
  // What lies beside the bundle in the package.
  for (const name of project.files.filter(name => /^[a-z]+$/.test(name) && name !== 'dist'))
    symlinkSync(resolve(name), join(FOLDER, name));
  for (const entry of readdirSync('dist', { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice('dist/'.length);
    if (!entry.isFile() || path === RENDERER) continue;
    mkdirSync(dirname(join(READY_BUNDLE, path)), { recursive: true });
    linkSync(join('dist', path), join(READY_BUNDLE, path));
  }
  buildSync({
    entryPoints: ['test/support/ready-render-program.ts'],
    outfile: join(READY_BUNDLE, RENDERER),
    ...{ bundle: true, platform: 'node', format: 'esm', target: 'node24', packages: 'external' },
  });
}

const RENDERER = 'render-worker.js';
