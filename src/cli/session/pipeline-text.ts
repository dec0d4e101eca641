/** The text of a file that a command names. */

import { nearestFile, readOutsideFile } from '../../machine/files/outside-file.ts';
import type { Source } from '../../model/diagnostic.ts';
import { CommandError } from '../errors/command-error.ts';

export const readSource = (path: string): Source => ({ path, text: readText(path) });

/** @throws CommandError when there is no such file; the system's error where it cannot be read. */
export function readText(path: string): string {
  try {
    // The language reports the place of bytes that are not UTF-8.
    return readOutsideFile(path).toString('utf8');
  } catch (error) {
    const why = NO_FILE[(error as NodeJS.ErrnoException).code ?? ''];
    if (why === undefined) throw error;
    const near = nearestFile(path);
    throw new CommandError(2, `${path}: ${why}${near === undefined ? '' : `; did you mean ${near}?`}`);
  }
}

const NO_FILE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
};
