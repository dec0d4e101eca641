/** `shotlist check FILE…`: every mistake in the files, at once, before anything runs. */

import { isError } from '../../domain/diagnostic.ts';
import { compile } from '../../language/compile.ts';
import { parse, UsageError } from '../arguments.ts';
import { guarded } from '../guarded.ts';
import { studioLibrary } from '../library.ts';
import { print } from '../outlets.ts';
import { readSource, tell } from '../sources.ts';

export const main = guarded(async args => {
  const { positionals } = parse(args, {});
  if (positionals.length === 0) throw new UsageError('which file? shotlist check FILE…');
  let wrong = false;
  for (const path of positionals) {
    const { pipeline, diagnostics } = compile(readSource(path), studioLibrary);
    tell(diagnostics);
    if (!pipeline || diagnostics.some(isError)) wrong = true;
    else print(`${path}: ${pipeline.steps.length} ${pipeline.steps.length === 1 ? 'step' : 'steps'}, no mistakes\n`);
  }
  return wrong ? 2 : 0;
});
