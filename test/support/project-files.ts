/** A project in memory: the files beside a pipeline, as the language is handed them, and pipelines that use others. */
import { posix } from 'node:path';
import { modelLibrary } from '../../src/api/model-library.ts';
import { type Compiled, compile } from '../../src/language/compile.ts';
import type { ProjectFiles } from '../../src/language/used-files.ts';
import { formatDiagnostics } from '../../src/language/yaml/excerpt.ts';
import type { Pipeline } from '../../src/model/pipeline.ts';

/** Texts by path, as seen from the folder of the pipeline. */
export interface Texts {
  readonly [path: string]: string;
}

export function filesOf(texts: Texts, folder = ''): ProjectFiles {
  const at = (path: string) => posix.join(folder, path);
  return {
    read(path) {
      const text = texts[at(path)];
      return text === undefined ? { problem: 'does not exist' } : { path: at(path), text, sha256: '' };
    },
    list(pattern) {
      const paths = Object.keys(texts).filter(path => posix.matchesGlob(path, at(pattern)));
      return { paths: paths.map(path => posix.relative(folder, path)) };
    },
    relativeTo: path => filesOf(texts, posix.dirname(at(path))),
  };
}

/** `film.yaml` of these texts. */
export const compileProject = (texts: Texts, profile?: string): Compiled =>
  compile({ path: 'film.yaml', text: texts['film.yaml'] ?? '' }, modelLibrary, { files: filesOf(texts), profile });

/** The same, where nothing is wrong with it. */
export function compiledProject(texts: Texts, profile?: string): Pipeline {
  const { pipeline, diagnostics } = compileProject(texts, profile);
  if (!pipeline || diagnostics.length > 0) throw new Error(formatDiagnostics(diagnostics));
  return pipeline;
}
