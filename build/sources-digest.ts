/** The digest of everything that `dist/` is built from. The build writes it beside its output, so that tests build only what has changed. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** In `dist/`. */
export const BUILT_FROM = 'built-from.txt';

const FOLDERS = ['src', 'schema', 'build'];
const FILES = ['build.config.ts', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.types.json'];

export function sourcesDigest(): string {
  const hash = createHash('sha256');
  const inFolders = FOLDERS.flatMap(folder =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name)),
  );
  for (const path of [...inFolders, ...FILES].sort()) {
    const bytes = readFileSync(path);
    hash.update(`${path} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}
