/** Puts finished films where the author asked for them. */
import { join } from 'node:path';
import type { Result, TextResult } from '../domain/result.ts';
import { writeAtomically } from '../host/files.ts';
import type { Context } from './context.ts';

/** Outputs of everything that has a result; those of unfinished instances are simply not there yet. */
export async function writeOutputs(context: Context): Promise<void> {
  const { store, settings } = context.world;
  for (const output of context.plan.outputs) {
    const result = context.state.result(output.instance);
    if (!result || result === 'skipped') continue;
    const path = join(settings.root, output.path);
    const artifact = artifactOf(result, output.file);
    if (artifact) await store.materialise(artifact.sha256, path);
    else if (result.is === 'text') await writeAtomically(path, textFor(path, result));
    else continue;
    context.tell({ type: 'output_written', output: output.name, key: output.instance, path: output.path });
  }
}

function artifactOf(result: Result, file: string | undefined): { readonly sha256: string } | undefined {
  if (result.is === 'media') return result;
  return file === undefined || result.is !== 'command' ? undefined : result.files[file];
}

/** As it was written; into a `.json` as other programs would lay it out. */
const textFor = (path: string, { text, json }: TextResult): string =>
  `${/\.json$/i.test(path) && json !== null ? JSON.stringify(json, null, 2) : text.trimEnd()}\n`;
