/** The marks of a run's outputs, read from the files themselves: a report shows what is there. */
import { extname, join } from 'node:path';
import { ownMarks } from '../../media/marking/mark.ts';
import type { ReportedOutput, RunReport } from '../../model/run/run-report.ts';
import { isSourceType } from '../../model/source-type.ts';

/** @param root absolute: outputs are relative to it. */
export async function withMarks(report: RunReport, root: string): Promise<RunReport> {
  return { ...report, outputs: await Promise.all(report.outputs.map(output => withMark(output, root))) };
}

/** A file that was moved away, or cannot be read, has no mark here. */
async function withMark(output: ReportedOutput, root: string): Promise<ReportedOutput> {
  if (!output.media || output.failed !== null) return output;
  // A frame of a film is a file of its own format.
  const format = extname(output.path).slice(1).replace('jpeg', 'jpg');
  const own = await ownMarks(join(root, output.path), { format }).catch(() => undefined);
  return isSourceType(own?.source_type) ? { ...output, marked: own.source_type } : output;
}
