/** Pipeline files as their authors wrote them, and what is wrong with them. */
import { readFileSync } from 'node:fs';
import { type Diagnostic, isError, type Source } from '../../domain/diagnostic.ts';
import type { ModelLibrary } from '../../domain/model.ts';
import type { Pipeline } from '../../domain/pipeline.ts';
import { compile } from '../../language/compile.ts';
import { formatDiagnostics } from '../../language/excerpt.ts';
import { Stop } from '../errors/command-error.ts';
import { sayPainted } from '../outlets.ts';

export const readSource = (path: string): Source => ({ path, text: readText(path) });

/** @throws Stop when there is no such file; what the machine says where it cannot be read. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const why = NO_FILE[(error as NodeJS.ErrnoException).code ?? ''];
    if (why === undefined) throw error;
    throw new Stop(2, `${path}: ${why}`);
  }
}

const NO_FILE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder; name a file in it',
};

/** @throws Stop after telling every mistake in the file, unless all of them are names of models that only the service may know. */
export function stopUnlessNames(source: Source, library: ModelLibrary): void {
  const { diagnostics } = compile(source, library);
  if (diagnostics.filter(isError).every(({ code }) => code === 'unknown-model')) return;
  tell(diagnostics);
  throw new Stop(2);
}

/** @throws Stop after telling every mistake in the file. */
export function compileOrStop(source: Source, library: ModelLibrary): Pipeline {
  const { pipeline, diagnostics } = compile(source, library);
  tell(diagnostics);
  if (!pipeline) throw new Stop(2);
  return pipeline;
}

export function tell(diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.length === 0) return;
  const color = process.stderr.isTTY === true && !process.env.NO_COLOR;
  sayPainted(formatDiagnostics(diagnostics, { color }));
}
