/** What tests of commands share. */
import type { CommandFile, CommandFiles, ListedFile } from '../../src/model/run/result.ts';

export const PROMISES_NOTHING = { env: {}, files: {}, creates: {}, lists: [], mostFiles: 1_000, effect: false };

/** A log that nobody keeps. */
export const NO_LOG = { line: () => {}, close: () => undefined };

/** The one file of this name. */
export function oneFile(files: CommandFiles, name: string): CommandFile | undefined {
  const made = files[name];
  if (Array.isArray(made)) throw new Error(`${name} is a list`);
  return made as CommandFile | undefined;
}

/** The files that the star of this name stands for. */
export const listOf = (files: CommandFiles, name: string): readonly ListedFile[] =>
  (files[name] ?? []) as readonly ListedFile[];
