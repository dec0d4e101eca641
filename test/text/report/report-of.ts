/** The report of the newest run that a rig has made, as every page and command reads it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportOf } from '../../../src/app/reports/make-run-report.ts';
import type { RunReport } from '../../../src/model/run/run-report.ts';
import type { RunRig } from '../../run/rig.ts';

export function newestReport(rig: RunRig, text?: string, age = 0): RunReport {
  const pipelineFile = join(rig.folder, 'film.yaml');
  if (text !== undefined) writeFileSync(pipelineFile, text);
  const project = { root: rig.folder, pipelineFile, settingsFile: join(rig.folder, 'none'), stateFolder: rig.folder };
  const past = rig.journal.views.runs.of(rig.film, 'all')[age];
  if (!past) throw new Error('no run has left a trace');
  return reportOf(past, rig.journal, { project, file: 'film.yaml' });
}

/** `shot[seed=1] made $0.50`, one line for each instance. */
export const instanceLines = ({ instances }: RunReport): readonly string[] =>
  instances.map(({ key, state, cost }) => `${key} ${state}${cost ? ` $${cost}` : ''}`);

/** Seconds from the run's beginning: `queued 0, running 1, fetching 2, made 3`. */
export function bars({ run, instances }: RunReport, key: string): readonly string[] {
  const { attempts = [] } = instances.find(one => one.key === (key as typeof one.key)) ?? {};
  const since = (at: number | null) => (at === null ? '-' : (at - run.began) / 1000);
  return attempts.map(
    ({ queued, running, fetching, ended, is }) =>
      `queued ${since(queued)}, running ${since(running)}, fetching ${since(fetching)}, ${is} ${since(ended)}`,
  );
}
