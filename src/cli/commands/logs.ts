/** `shotlist logs FILE KEY`: a command's whole output, a chat's text, or what the service reported of a generation; `-f` follows it. */
import { resolve } from 'node:path';
import { findLog, readAgain } from '../../app/reports/instance-log.ts';
import { lookAt } from '../../app/reports/make-run-report.ts';
import { findProject } from '../../machine/files/project.ts';
import { systemClock } from '../../machine/time/clock.ts';
import { nothingBehind, UsageError } from '../arguments.ts';
import { command } from '../command-line/read-arguments.ts';
import { jsonText, print } from '../outlets.ts';
import { LogPrinter, logJson, logMessages as messages } from '../report/print-log.ts';
import { neverRun } from '../report/show-report.ts';
import { INTERRUPTED, untilInterrupted } from '../terminal/signals.ts';

/** Milliseconds between two looks. */
const BEAT = 300;

export const main = command('logs', async ({ values, positionals }) => {
  const [file, text, ...more] = positionals;
  if (file === undefined || text === undefined) throw new UsageError(messages.which());
  nothingBehind(more, 'logs', 'a file and one instance');
  if (values.follow && values.json) throw new UsageError(messages.followsNoJson());
  if (values.on !== undefined) return (await import('../team/log-of-run.ts')).logOfRun([file, text], values);
  const project = await findProject(file, resolve());
  await using after = new AsyncDisposableStack();
  const journal = lookAt(project, values.profile);
  if (!journal) throw neverRun(file);
  after.defer(() => journal.close());
  const found = findLog(journal, { project, profile: values.profile, text });
  if (found.is === 'unknown' && found.known.length === 0) throw neverRun(file);
  if (found.is === 'unknown') throw new UsageError(messages.unknown(text, found.known));
  if (found.is === 'several') throw new UsageError(messages.several(text, found.keys));
  if (found.is === 'not_begun') throw new UsageError(messages.notBegun(found.key));
  if (values.json) {
    print(jsonText(logJson(found.log)));
    return 0;
  }
  using stop = untilInterrupted();
  const printer = new LogPrinter(found.log);
  for (let log = found.log; ; log = readAgain(journal, log, project)) {
    printer.print(log);
    if (!values.follow || !log.isOpen || stop.signal.aborted) break;
    await systemClock.sleep(BEAT, stop.signal);
  }
  return stop.signal.aborted ? INTERRUPTED : 0;
});
