/** The report of a run as a page on this disk: for `shotlist report`, and after a run. What it shows comes from the store. */
import { basename, resolve } from 'node:path';
import type { Project } from '../../machine/files/project.ts';
import { systemClock } from '../../machine/time/clock.ts';
import type { RunReport } from '../../model/run/run-report.ts';
import { LocalStore } from '../../records/store/local-store.ts';
import { type Written, writeReport, writeSingleReport } from '../../show/pages/report/write-report.ts';
import { withMarks } from '../results/output-marks.ts';
import { stateFolders } from '../state-folders.ts';

export interface ReportToWrite {
  readonly project: Project;
  readonly report: RunReport;
  /** `folder`: a page beside its media; `with_proxies`: also with H.264 copies of what many browsers cannot show; `single`: one file of stills. */
  readonly as: 'folder' | 'with_proxies' | 'single';
  /** Absent: named after the film's file, where this process is. */
  readonly to?: string | undefined;
  readonly signal: AbortSignal;
  readonly onStill?: (drawn: number, of: number) => void;
}

/** @throws {Refusal} where the place is not ours, or a disk fails; the signal's reason. */
export async function writeRunReport(asked: ReportToWrite): Promise<Written> {
  const { project, as, signal, onStill } = asked;
  const report = await withMarks(asked.report, project.root);
  const store = await LocalStore.open((await stateFolders(project)).store);
  const terms = { report, store, clock: systemClock, signal, ...(onStill && { onStill }) };
  const to = resolve(asked.to ?? placeFor(project.pipelineFile, as));
  return as === 'single'
    ? writeSingleReport(to, terms)
    : writeReport(to, { withProxies: as === 'with_proxies' }, terms);
}

/** `north-light.yaml` → `north-light-report`: reports of two films never take each other's place. */
function placeFor(file: string, as: ReportToWrite['as']): string {
  const name = `${basename(file).replace(/\.ya?ml$/i, '')}-report`;
  return as === 'single' ? `${name}.html` : name;
}
