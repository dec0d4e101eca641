/** `shotlist check FILE…`: every mistake in the files, at once, before anything runs. */

import { type Diagnostic, isError } from '../../domain/diagnostic.ts';
import type { Pipeline } from '../../domain/pipeline.ts';
import { findProject } from '../../host/project.ts';
import { compile } from '../../language/compile.ts';
import { studioLibrary } from '../../session/available-models.ts';
import { diskProjectFiles } from '../../session/disk-project-files.ts';
import { parse, UsageError } from '../arguments.ts';
import { withExitCode } from '../errors/exit-code.ts';
import { print } from '../outlets.ts';
import { remoteServiceOf } from '../service/remote-service.ts';
import { besidePipeline, givenData, PARAM_OPTIONS } from '../session/param-options.ts';
import { printDiagnostics, readSource } from '../session/pipeline-file.ts';

export const main = withExitCode(async args => {
  const { values, positionals } = parse(args, { service: { type: 'string' }, data: PARAM_OPTIONS.data });
  if (positionals.length === 0) throw new UsageError('which file? shotlist check FILE…');
  let wrong = false;
  for (const path of positionals) {
    const { root } = await findProject(path, process.cwd());
    const compiled = compile(readSource(path), studioLibrary, {
      files: diskProjectFiles(path, root),
      data: besidePipeline(givenData(values), path),
    });
    const { pipeline } = compiled;
    const service = pipeline && (await remoteServiceOf(path, values.service));
    const local = pipeline && service !== undefined ? await localFilesFor(pipeline, service) : [];
    const diagnostics = [...compiled.diagnostics, ...local];
    printDiagnostics(diagnostics);
    if (!pipeline || diagnostics.some(isError)) wrong = true;
    else print(`${path}: ${pipeline.steps.length} ${pipeline.steps.length === 1 ? 'step' : 'steps'}, no mistakes\n`);
  }
  return wrong ? 2 : 0;
});

/** Planning is loaded for a service on another machine alone: most files are checked without. */
async function localFilesFor(pipeline: Pipeline, service: string): Promise<readonly Diagnostic[]> {
  const { localFilesInPipeline } = await import('../../plan/local-file-check.ts');
  return localFilesInPipeline(pipeline, studioLibrary, service);
}
