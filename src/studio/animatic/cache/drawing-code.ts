/**
 * The digest of the code that draws, taken over the sources of the renderer's program and the packages that it loads. The build writes
 * it beside the bundle, over exactly what the program reaches. From source it is taken over the folders that the program lies in, which
 * is more than that: a result that could have been used is drawn again, and never the other way round.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { canonical } from '../../../model/text/json.ts';

/** In `dist/`. */
export const DRAWING_CODE_FILE = 'drawing-code.txt';

/** The programs of the renderer, from the root of the project. */
export const DRAWING_PROGRAMS = ['src/studio/animatic/process/render-program.ts', 'src/media/encode/encoder-thread.ts'];
/** Pictures that the program reads while it draws. */
export const PROPS = 'src/studio/animatic/scene/props';
/** What the programs reach of the sources lies in these folders. */
export const DRAWING_FOLDERS = ['src/model', 'src/machine', 'src/media', 'src/studio/animatic', 'src/studio/shared'];

export async function drawingCode(): Promise<string> {
  const { url } = import.meta;
  if (!url.endsWith('.ts')) return (await readFile(new URL(`./${DRAWING_CODE_FILE}`, url), 'utf8')).trim();
  const root = fileURLToPath(new URL('../../../../', url));
  const files = DRAWING_FOLDERS.flatMap(folder => filesIn(join(root, folder)));
  return digestOfCode(root, files, ['optionalDependencies', 'devDependencies']);
}

/** Of these files by their content and their names below `root`, and of the packages that the project lists there. */
export function digestOfCode(root: string, paths: readonly string[], lists: readonly string[]): string {
  const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // Not the project's own version: it does not change what is drawn.
  const hash = createHash('sha256').update(canonical(lists.map(list => project[list])));
  for (const path of [...paths].sort()) {
    const bytes = readFileSync(path);
    hash.update(`\n${relative(root, path).split(sep).join('/')} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

export const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
