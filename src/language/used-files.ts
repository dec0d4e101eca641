/**
 * Other Shotlist files that a pipeline uses. Each is read and checked once, however often it is used, and as if it stood alone; its
 * mistakes are reported with its own places. A file that would use itself, however far around, is refused.
 */
import { posix } from 'node:path';
import type { Diagnostic, Source, Span } from '../model/diagnostic.ts';
import type { Offer } from './checks/file-offer.ts';
import type { Findings } from './checks/findings.ts';
import { messages } from './messages/index.ts';
import { INSTANCE_LIMITS } from './steps/instance-counts.ts';
import type { Node } from './yaml/syntax-tree.ts';

/** So many files may use one another in a row. */
const DEEPEST_USE = 8;

/** One file using another. */
interface Use {
  readonly source: Source;
  /** The place of `uses`. */
  readonly at: Span;
  /** The file that it uses. */
  readonly path: string;
}

/** A file as it is read, and how it came to be read. */
export interface FilePlace {
  readonly source: Source;
  readonly files: ProjectFiles;
  /** From the pipeline's folder: `parts`; empty where it is the same. */
  readonly folder: string;
  /** From the pipeline to this file; empty for the pipeline itself. */
  readonly way: readonly Use[];
}

/** What is read of a file. There is an offer exactly when no diagnostic is an error. */
export interface ReadFile {
  readonly offer?: Offer;
  readonly diagnostics: readonly Diagnostic[];
}

export class UsedFiles {
  readonly #pipeline: Source;
  readonly #read: (place: FilePlace, used: UsedFiles) => ReadFile;
  readonly #known = new Map<string, Offer | undefined>();
  readonly #diagnostics: Diagnostic[] = [];

  constructor(pipeline: Source, read: (place: FilePlace, used: UsedFiles) => ReadFile) {
    this.#pipeline = pipeline;
    this.#read = read;
  }

  /** All that is wrong with the files that were used. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics;
  }

  /** What the file that a `uses` names offers; undefined where something is wrong with it, which is reported. */
  find(node: Node | undefined, { source, files, folder, way }: FilePlace, findings: Findings): Offer | undefined {
    if (node?.is !== 'scalar' || typeof node.value !== 'string') return undefined;
    const { value: path, at } = node;
    if (path.includes('${{')) return void findings.add(messages.computedUse(), at);
    const file = files.read(path);
    if ('problem' in file) return void findings.add(messages.usedFile(path, file.problem), at);
    const onwards = [...way, { source, at, path: file.path }];
    const uses = onwards.map(use => `${use.source.path} uses ${use.path}`);
    if (this.#isPipeline(file) || way.some(use => use.path === file.path)) {
      findings.add(messages.usesItself(path, uses), at, way.map(noteOf));
      return undefined;
    }
    if (onwards.length > DEEPEST_USE) return void findings.add(messages.usedTooDeep(path, DEEPEST_USE), at);
    const offer = this.#known.has(file.path)
      ? this.#known.get(file.path)
      : this.#readOnce({
          source: { path: file.path, text: file.text },
          files: files.relativeTo(path),
          folder: folderOf(folder, path),
          way: onwards,
        });
    if (!offer || way.length + offer.depth <= DEEPEST_USE) return offer;
    return void findings.add(messages.usedTooDeep(path, DEEPEST_USE), at);
  }

  #readOnce(place: FilePlace): Offer | undefined {
    const { offer, diagnostics } = this.#read(place, this);
    this.#known.set(place.source.path, offer);
    this.#diagnostics.push(...diagnostics);
    return offer;
  }

  /** The pipeline's own path is as it was typed: the same text under the same name is the same file. */
  #isPipeline({ path, text }: Source): boolean {
    return text === this.#pipeline.text && posix.basename(path) === posix.basename(this.#pipeline.path);
  }
}

/** What one file uses: `find` is asked once for each `uses`. */
export function usesOfFile(place: FilePlace, used: UsedFiles, findings: Findings) {
  const uses = {
    /** Nothing is wrong with the files that it uses. */
    isWhole: true,
    find(node: Node | undefined): Offer | undefined {
      const offer = used.find(node, place, findings);
      steps += offer?.steps.length ?? 0;
      if (offer && steps <= INSTANCE_LIMITS.film) return offer;
      uses.isWhole = false;
      if (offer && node?.is === 'scalar')
        findings.add(messages.tooManyUsed(String(node.value), steps, INSTANCE_LIMITS.film), node.at);
      return undefined;
    },
  };
  // Ten files that each use ten others, eight deep, would be more steps than any machine can hold.
  let steps = 0;
  return uses;
}

const noteOf = ({ source, at, path }: Use) => ({ message: messages.useNote(path), span: at, source });

const folderOf = (folder: string, path: string): string => {
  const joined = posix.join(folder, posix.dirname(path));
  return joined === '.' ? '' : joined;
};

/**
 * Files beside the pipeline that the language itself reads: data, schemas, other Shotlist files. The language is pure, so its caller
 * hands them in. Nothing here throws.
 */
export interface ProjectFiles {
  /** A text. `path` is relative to the pipeline's folder, with forward slashes. */
  read(path: string): ProjectFile | FileProblem;
  /** Paths of the files that a glob matches (`in/*.jpg`), relative to the pipeline's folder, in natural order: 2 before 10. */
  list(pattern: string): { readonly paths: readonly string[] } | FileProblem;
  /** The same project as another of its files sees it: paths are relative to that file's folder. */
  relativeTo(path: string): ProjectFiles;
}

export interface ProjectFile {
  /** From the author's folder, for messages; one and the same for all ways to name the file. */
  readonly path: string;
  readonly text: string;
  /** Of the bytes, lower-case hex. */
  readonly sha256: string;
}

export interface FileProblem {
  /** Reads on after the file's name: `is a folder; name a file in it`. */
  readonly problem: string;
}

/** A pipeline without files, as one from a program's text. */
export const NO_FILES: ProjectFiles = {
  read: () => ({ problem: 'cannot be read here: the pipeline is no file of a project' }),
  list: () => ({ problem: 'cannot be read here: the pipeline is no file of a project' }),
  relativeTo: () => NO_FILES,
};
