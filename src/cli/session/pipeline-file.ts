/** Reads a pipeline file, compiles it and prints what is wrong with it. */
import { readFileSync } from 'node:fs';
import { type Diagnostic, isError, type Source } from '../../domain/diagnostic.ts';
import type { ModelLibrary } from '../../domain/model.ts';
import type { Pipeline } from '../../domain/pipeline.ts';
import { type CompileOptions, compile } from '../../language/compile.ts';
import { formatDiagnostics } from '../../language/excerpt.ts';
import { CommandError } from '../errors/command-error.ts';
import { sayPainted } from '../outlets.ts';

export const readSource = (path: string): Source => ({ path, text: readText(path) });

/** @throws CommandError when there is no such file; the system's error where it cannot be read. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const why = NO_FILE[(error as NodeJS.ErrnoException).code ?? ''];
    if (why === undefined) throw error;
    throw new CommandError(2, `${path}: ${why}`);
  }
}

const NO_FILE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder; name a file in it',
};

/** @throws CommandError after printing every mistake in the file, unless all of them are unknown models, which the service may know. */
export function throwUnlessUnknownModels(source: Source, library: ModelLibrary, options: CompileOptions): void {
  const { diagnostics } = compile(source, library, options);
  if (diagnostics.filter(isError).every(({ code }) => code === 'unknown-model')) return;
  printDiagnostics(diagnostics);
  throw new CommandError(2);
}

/** @throws CommandError after printing every mistake in the file. */
export function compileOrThrow(source: Source, library: ModelLibrary, options: CompileOptions): Pipeline {
  const { pipeline, diagnostics } = compile(source, library, options);
  printDiagnostics(diagnostics);
  if (!pipeline) throw new CommandError(2);
  return pipeline;
}

export function printDiagnostics(diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.length === 0) return;
  const color = process.stderr.isTTY === true && !process.env.NO_COLOR;
  sayPainted(formatDiagnostics(diagnostics, { color }));
}
