/**
 * Files beside the pipeline that the language itself reads: data, schemas, other Shotlist files. The language is pure, so whoever
 * compiles hands them in. Nothing here throws.
 */
export interface ProjectFiles {
  /** A text. `path` is relative to the pipeline's folder, with forward slashes. */
  read(path: string): ProjectFile | FileProblem;
  /** Paths of the files that a glob matches (`in/*.jpg`), relative to the pipeline's folder, in natural order: 2 before 10. */
  list(pattern: string): { readonly paths: readonly string[] } | FileProblem;
  /** The same project as another of its files sees it: paths are relative to that file's folder. */
  beside(path: string): ProjectFiles;
}

export interface ProjectFile {
  /** From where the author stands, for messages; one and the same for all ways to name the file. */
  readonly path: string;
  readonly text: string;
  /** Of the bytes, lower-case hex. */
  readonly sha256: string;
}

export interface FileProblem {
  /** Reads on after the file's name: `is a folder; name a file in it`. */
  readonly problem: string;
}

/** A pipeline that stands alone: one that came from a program's text, say. */
export const NO_FILES: ProjectFiles = {
  read: () => ({ problem: 'cannot be read here: the pipeline is no file of a project' }),
  list: () => ({ problem: 'cannot be read here: the pipeline is no file of a project' }),
  beside: () => NO_FILES,
};
