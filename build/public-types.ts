/** Leaves of the compiler's declarations only those that a program reaches from the entry, and names them as any compiler finds them. */
import { readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const IMPORT = /(\bfrom\s+|\bimport\s*\(\s*)(['"])(\.[^'"]+)\.tsx?\2/g;

export function keepPublicTypes(folder: string, entry: string): void {
  const reached = new Set<string>();
  const reach = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    const text = readFileSync(file, 'utf8');
    for (const [, , , path] of text.matchAll(IMPORT)) reach(resolve(dirname(file), `${path}.d.ts`));
    // A package's declarations are read without our `allowImportingTsExtensions`.
    writeFileSync(file, text.replace(IMPORT, '$1$2$3.js$2'));
  };
  reach(resolve(folder, entry));
  remove(resolve(folder), reached);
}

function remove(folder: string, kept: ReadonlySet<string>): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) remove(path, kept);
    else if (!kept.has(path)) rmSync(path);
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
