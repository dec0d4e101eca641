/** The digest of the code that draws, over exactly what the renderer's programs reach in the bundle. */
import type { Metafile } from 'esbuild';
import { DRAWING_PROGRAMS, digestOfCode, filesIn, PROPS } from '../src/studio/animatic/cache/drawing-code.ts';

export function drawingCodeIn(metafile: Metafile): string {
  // Our own `package.json` is bundled with its version, which draws nothing.
  const sources = sourcesReached(metafile, DRAWING_PROGRAMS).filter(path => path !== 'package.json');
  return digestOfCode('.', [...sources, ...filesIn(PROPS)], ['optionalDependencies']);
}

/** The files that these programs are bundled of, wherever the bundle put them, packages included. */
export function sourcesReached({ outputs }: Metafile, programs: readonly string[]): readonly string[] {
  const reached = new Set(Object.keys(outputs).filter(path => programs.includes(outputs[path]?.entryPoint ?? '')));
  // What is added while the loop runs is looked at as well.
  for (const path of reached) {
    for (const { path: next, external } of outputs[path]?.imports ?? []) if (!external) reached.add(next);
  }
  return [...new Set([...reached].flatMap(path => Object.keys(outputs[path]?.inputs ?? {})))];
}
