/** Compiles a pipeline file, and prints what is wrong with it. */
import { isError, type Source } from '../../domain/diagnostic.ts';
import type { ModelLibrary } from '../../domain/model.ts';
import type { Pipeline } from '../../domain/pipeline.ts';
import { type CompileOptions, compile } from '../../language/compile.ts';
import { CommandError } from '../errors/command-error.ts';
import { printDiagnostics } from './print-diagnostics.ts';

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
