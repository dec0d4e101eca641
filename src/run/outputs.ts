/** Puts finished films where the author asked for them. */
import { join } from 'node:path';
import type { Result } from '../domain/result.ts';
import type { Context } from './context.ts';

/** Outputs of everything that has a result; those of unfinished instances are simply not there yet. */
export async function writeOutputs(context: Context): Promise<void> {
  const { store, settings } = context.world;
  for (const output of context.plan.outputs) {
    const result = context.state.result(output.instance);
    if (!result || result === 'skipped') continue;
    const artifact = artifactOf(result, output.file);
    if (!artifact) continue;
    await store.materialise(artifact.sha256, join(settings.root, output.path));
    context.tell({ type: 'output_written', output: output.name, key: output.instance, path: output.path });
  }
}

function artifactOf(result: Result, file: string | undefined): { readonly sha256: string } | undefined {
  if (result.is === 'media') return result;
  return file === undefined ? undefined : result.files[file];
}
