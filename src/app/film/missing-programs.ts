/** Programs of commands that are not on this machine: reported before anything is paid for that such a command would work on. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Pipeline, Step } from '../../model/pipeline.ts';
import { sourceOf } from '../../plan/graph/plan-graph.ts';
import { kindOf } from '../../plan/kinds/index.ts';
import { messages } from '../../plan/plan-messages.ts';

export interface Machine {
  /** Absolute. */
  readonly root: string;
  /** As `PATH` is written. */
  readonly path: string;
}

/** @param severity a warning where the film is only looked at, or another machine may do the work. */
export function missingPrograms(
  steps: Iterable<Step>,
  pipeline: Pipeline,
  machine: Machine,
  severity: 'error' | 'warning',
): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const step of steps) {
    const program = kindOf(step).program?.(step);
    if (!program || isThere(program.name, machine)) continue;
    const message = messages.noProgram(program.name);
    found.push({ severity, code: 'no-program', message, source: sourceOf(pipeline, step), span: program.at });
  }
  return found;
}

/** As the command is started: a name with a slash is a path from the root. */
const isThere = (name: string, { root, path }: Machine): boolean =>
  /[/\\]/.test(name)
    ? isProgram(name.startsWith('/') ? name : join(root, name))
    : path.split(delimiter).some(folder => isProgram(join(folder, name)));

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
