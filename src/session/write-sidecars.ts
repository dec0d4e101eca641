/** Sidecars beside the outputs of a run, where the settings ask for them. A file that is not one of ours is never replaced. */
import { join } from 'node:path';
import { safeJson } from '../domain/clean.ts';
import type { RunReport } from '../domain/run-report.ts';
import { readIfThere, rewriteAtomically } from '../host/files.ts';
import { outputFiles } from '../telling/provenance/ancestry.ts';
import { SIDECAR_VERSION, sidecar, sidecarPath } from '../telling/provenance/sidecar.ts';
import { messages } from './provenance-messages.ts';

/** @param root absolute: outputs are relative to it. @throws Error that says which could not be written; the others are. */
export async function writeSidecars(report: RunReport, root: string): Promise<void> {
  const problems: string[] = [];
  for (const file of outputFiles(report)) {
    const path = sidecarPath(file.path);
    const place = join(root, path);
    try {
      const before = await readIfThere(place);
      const isOurs = before === null || before.includes(`"${SIDECAR_VERSION}"`);
      const text = `${safeJson(sidecar(report, file), 2)}\n`;
      if (isOurs && before === text) continue;
      if (!isOurs || !(await rewriteAtomically(place, text, before))) problems.push(messages.sidecarInTheWay(path));
    } catch (error) {
      problems.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (problems.length > 0) throw new Error(problems.slice(0, 5).join('; '));
}
