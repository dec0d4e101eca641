/**
 * Outputs with an occupied place: by an input of the same film, or by a file that no run of this project wrote. Reported before anything is paid
 * for.
 */
import { type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import { messages } from '../../plan/plan-messages.ts';
import { digestOf } from '../../records/store/digest.ts';
import type { StoreIndex } from '../../records/store/store.ts';
import { fold } from '../../run/outputs/safe-output-path.ts';

export interface Places {
  /** Absolute path of the project's root: outputs are named from there. */
  readonly root: string;
  /** Absolute paths of the files that the film reads. */
  readonly inputs: readonly string[];
  /** What runs of this project have made; asked for only where a file is in the way. */
  readonly store: () => Promise<StoreIndex | undefined>;
}

/** Bytes that are read only to find out the owner of files: a run keeps what is not its own anyway. */
const MOST_READ = 512 * 1024 ** 2;

export async function takenPlaces(
  { outputs, instances, pipeline }: Plan,
  places: Places,
): Promise<readonly Diagnostic[]> {
  const inputs = new Set(places.inputs.map(fold));
  const budget = { bytes: MOST_READ };
  const found = new Map<string, Diagnostic>();
  for (const output of outputs) {
    const declared = pipeline.outputs.find(({ name }) => name === output.name);
    // A run put there what is owned already, or reports where it has changed.
    const is = instances.get(output.instance)?.decision.is;
    if (!declared || found.has(output.name) || is === 'hit' || is === 'left_out') continue;
    const target = resolve(places.root, output.path);
    const isInput = inputs.has(fold(target));
    if (!isInput && !(await isForeign(target, places, budget))) continue;
    found.set(output.name, {
      severity: isInput ? 'error' : 'warning',
      code: isInput ? 'output-over-input' : 'output-taken',
      message: isInput ? messages.outputOverInput(output.path) : messages.outputTaken(output.path),
      source: pipeline.source,
      span: declared.toAt,
    });
  }
  return [...found.values()];
}

async function isForeign(target: string, { store }: Places, budget: { bytes: number }): Promise<boolean> {
  const there = statIfThere(target);
  if (!there?.isFile() || there.size === 0 || there.size > budget.bytes) return false;
  budget.bytes -= there.size;
  const owned = await store();
  const { sha256 } = await digestOf(target);
  return !owned?.has(sha256) && !owned?.wrote(sha256);
}

/** A place that cannot be read is reported by the run that writes there. */
function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
