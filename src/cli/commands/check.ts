/** `shotlist check FILE…`: every mistake in the files, at once, before anything runs. */

import { isError } from '../../domain/diagnostic.ts';
import { compile } from '../../language/compile.ts';
import { localFilesInPipeline } from '../../plan/local-file-check.ts';
import { parse, UsageError } from '../arguments.ts';
import { withExitCode } from '../errors/exit-code.ts';
import { studioLibrary } from '../models/available-models.ts';
import { print } from '../outlets.ts';
import { remoteServiceOf } from '../service/remote-service.ts';
import { printDiagnostics, readSource } from '../session/pipeline-file.ts';

export const main = withExitCode(async args => {
  const { values, positionals } = parse(args, { service: { type: 'string' } });
  if (positionals.length === 0) throw new UsageError('which file? shotlist check FILE…');
  let wrong = false;
  for (const path of positionals) {
    const compiled = compile(readSource(path), studioLibrary);
    const { pipeline } = compiled;
    const service = pipeline && (await remoteServiceOf(path, values.service));
    const reach = pipeline && service !== undefined ? localFilesInPipeline(pipeline, studioLibrary, service) : [];
    const diagnostics = [...compiled.diagnostics, ...reach];
    printDiagnostics(diagnostics);
    if (!pipeline || diagnostics.some(isError)) wrong = true;
    else print(`${path}: ${pipeline.steps.length} ${pipeline.steps.length === 1 ? 'step' : 'steps'}, no mistakes\n`);
  }
  return wrong ? 2 : 0;
});
