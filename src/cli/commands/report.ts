/** `shotlist report FILE [RUN]`: what a run did, why, and what it cost, as a page or as JSON, from the journal, at any later time. Nothing is planned or sent. */
import { relative, resolve } from 'node:path';
import { openFile } from '../../host/open-file.ts';
import { findProject } from '../../host/project.ts';
import type { Written } from '../../pages/report/write-report.ts';
import { findReport, runsOf } from '../../session/run-report.ts';
import type { ReportToWrite } from '../../session/write-run-report.ts';
import { UsageError } from '../arguments.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import { CommandError } from '../errors/command-error.ts';
import { withExitCode } from '../errors/exit-code.ts';
import { print, say } from '../outlets.ts';
import { messages } from '../report/report-messages.ts';
import { runLines } from '../report/run-list.ts';
import { indentedJson } from '../terminal/indented-json.ts';
import { INTERRUPTED, onInterrupt } from '../terminal/signals.ts';

export const main = withExitCode(async args => {
  const { values, positionals } = readArguments('report', args);
  const [file, run, ...more] = positionals;
  if (file === undefined) throw new UsageError(messages.whichFile());
  if (more.length > 0) throw new UsageError(messages.tooMuch(more));
  if (values.single && values.proxies) throw new UsageError(messages.singleHasNoProxies());
  const asked = { project: await findProject(file, resolve()), file, profile: values.profile };
  if (values.list) {
    const runs = runsOf(asked);
    print(values.json ? `${indentedJson({ version: 1, runs })}\n` : runLines(runs, file));
    return 0;
  }
  const found = findReport(asked, run);
  if (found.is === 'none') throw new UsageError(messages.neverRun(file));
  if (found.is === 'unknown') throw new UsageError(messages.unknownRun(run ?? '', found.runs));
  if (found.is === 'several') throw new UsageError(messages.severalRuns(run ?? '', found.runs));
  if (values.json) {
    print(`${indentedJson(found.report)}\n`);
    return 0;
  }
  const as = values.single ? 'single' : values.proxies ? 'with_proxies' : 'folder';
  const { page, missing } = await drawn({ project: asked.project, report: found.report, as, to: values.out });
  if (missing > 0) say(values.single ? messages.notInFile(missing) : messages.notHere(missing, file));
  print(`${relative(resolve(), page) || page}\n`);
  const problem = values.open ? await openFile(page, process.env) : undefined;
  if (problem !== undefined) say(problem);
  return 0;
});

/** Ctrl-C stops it, and leaves what was there as it was. A minute of drawing is not silent. */
async function drawn(asked: Omit<ReportToWrite, 'signal' | 'onStill'>): Promise<Written> {
  const { writeRunReport } = await import('../../session/write-run-report.ts');
  const stopping = new AbortController();
  const stopListening = onInterrupt(() => stopping.abort(new CommandError(INTERRUPTED, messages.stopped())));
  try {
    const onStill = (done: number, of: number) => {
      if (done % STILLS_BETWEEN === 0 || (done === of && of > STILLS_BETWEEN)) say(messages.stills(done, of));
    };
    return await writeRunReport({ ...asked, signal: stopping.signal, onStill });
  } finally {
    stopListening();
  }
}

/** Stills that are drawn between two lines about it. */
const STILLS_BETWEEN = 50;
