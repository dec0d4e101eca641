/** The files of a command: each name stands for one file, or for a list of them. */
import type { CommandFile, CommandFiles, ListedFile } from './result.ts';

export const isFileList = (made: CommandFile | readonly ListedFile[]): made is readonly ListedFile[] =>
  Array.isArray(made);

/** All of them, those of a list in its order. */
export const everyFile = (files: CommandFiles): readonly CommandFile[] =>
  Object.values(files).flatMap((made): readonly CommandFile[] => (isFileList(made) ? made : [made]));

/** Each file changed into something else, in its place: a list stays a list. */
export function mapFiles<T>(
  files: CommandFiles,
  change: (file: CommandFile | ListedFile) => T,
): { readonly [name: string]: T | readonly T[] } {
  return Object.fromEntries(
    Object.entries(files).map(([name, made]) => [name, isFileList(made) ? made.map(change) : change(made)]),
  );
}
