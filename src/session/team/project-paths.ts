/** Paths of a project, as its manifest names them, and what lies there. */
import { existsSync, statSync } from 'node:fs';
import { relative, sep } from 'node:path';

/** What the program itself keeps is no part of the project. @param path absolute. */
export function kindAt(path: string, root: string): 'file' | 'folder' | undefined {
  if (relative(root, path).startsWith('.shotlist')) return undefined;
  if (!existsSync(path)) return undefined;
  const found = statSync(path);
  if (found.isFile()) return 'file';
  return found.isDirectory() ? 'folder' : undefined;
}

/** `data/beats.csv`, on each system. */
export const slashed = (path: string): string => path.split(sep).join('/');
