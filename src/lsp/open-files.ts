/** Files as the editor has them: what is not saved counts, everything else is read from the disk. */
import { createHash } from 'node:crypto';
import { dirname, relative, resolve } from 'node:path';
import type { ProjectFiles } from '../language/used-files.ts';

/** The text of a file that is open, by its absolute path. */
type OpenTexts = (file: string) => string | undefined;

/** @param folder of the file that names the others: absolute. @param read hears each path that is asked for, also of what is not there. */
export const withOpenTexts = (
  disk: ProjectFiles,
  folder: string,
  texts: OpenTexts,
  read: (file: string) => void,
): ProjectFiles => ({
  read: path => {
    const file = resolve(folder, path);
    read(file);
    const found = disk.read(path);
    const text = texts(file);
    // What lies outside of the project is refused, open or not.
    if (text === undefined || ('problem' in found && !found.problem.includes('does not exist'))) return found;
    return { path: relative('', file), text, sha256: createHash('sha256').update(text).digest('hex') };
  },
  list: pattern => disk.list(pattern),
  beside: path => withOpenTexts(disk.beside(path), dirname(resolve(folder, path)), texts, read),
});
