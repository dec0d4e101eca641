/** `shotlist report FILE [RUN]`: what a run did, why, and what it cost, as a page or as JSON, from the journal, at any later time. Nothing is planned or sent. */
import { resolve } from 'node:path';
import { runsOf } from '../../app/reports/make-run-report.ts';
import { withMarks } from '../../app/results/output-marks.ts';
import { findProject } from '../../machine/files/project.ts';
import { nothingBehind, UsageError } from '../arguments.ts';
import { command } from '../command-line/read-arguments.ts';
import { jsonText, print } from '../outlets.ts';
import { isOneFile, messages, reportFound, runLines, showReport } from '../report/show-report.ts';

export const main = command('report', async ({ values, positionals }) => {
  if (isOneFile(values.out) && values.proxies) throw new UsageError(messages.singleHasNoProxies());
  if (values.on !== undefined) return (await import('../team/report-of-run.ts')).reportOfRun(positionals, values);
  const [file, run, ...more] = positionals;
  if (file === undefined) throw new UsageError(messages.whichFile());
  nothingBehind(more, 'report', 'a file and a run');
  const asked = { project: await findProject(file, resolve()), file, profile: values.profile };
  if (values.all) {
    const runs = runsOf(asked);
    print(values.json ? jsonText({ version: 1, runs }) : runLines(runs, file));
    return 0;
  }
  const report = reportFound(asked, run);
  if (values.json) {
    print(jsonText(await withMarks(report, asked.project.root)));
    return 0;
  }
  const missing = (count: number) => messages.notHere(count, file);
  await showReport({ project: asked.project, report, values, missing });
  return 0;
});
