/** `shotlist provenance FILE [RUN] --out DIR`: a run as a folder to hand on, with the origin of each film. Nothing is planned or sent. */
import { relative, resolve } from 'node:path';
import { writeCrate } from '../../app/reports/write-crate.ts';
import { findProject } from '../../machine/files/project.ts';
import { CommandRunner } from '../../machine/process/command-runner.ts';
import { nothingBehind, UsageError } from '../arguments.ts';
import { command } from '../command-line/read-arguments.ts';
import { CommandError } from '../errors/command-error.ts';
import { jsonText, print, say } from '../outlets.ts';
import { reportFound } from '../report/show-report.ts';
import { settingsOf } from '../service/settings-of.ts';
import { INTERRUPTED, untilInterrupted } from '../terminal/signals.ts';

export const main = command('provenance', async ({ values, positionals }) => {
  const [file, run, ...more] = positionals;
  if (file === undefined) throw new UsageError('which file? shotlist provenance FILE --out DIR');
  nothingBehind(more, 'provenance', 'a file and a run');
  if (values.out === undefined) throw new UsageError('where to? shotlist provenance FILE --out DIR');
  if (values.license !== undefined && !URL.canParse(values.license))
    throw new UsageError('--license is an address, like https://creativecommons.org/licenses/by/4.0/');
  const project = await findProject(file, resolve());
  const report = reportFound({ project, file, profile: values.profile }, run);
  const { provenance } = await settingsOf(file);
  const commands = new CommandRunner({ environment: process.env });
  await using after = new AsyncDisposableStack();
  after.defer(() => commands.close());
  using stopping = untilInterrupted(() => new CommandError(INTERRUPTED, 'stopped; nothing is written'));
  const written = await writeCrate({
    ...{ project, report, to: values.out, license: values.license ?? null, signal: stopping.signal },
    ...(provenance?.c2pa && { sign: { command: provenance.c2pa, commands } }),
  });
  if (report.run.isEdited) say(`${file} was edited since this run: the crate holds it as it is now`);
  for (const problem of written.unsigned) say(problem);
  if (written.missing > 0)
    say(`${written.missing} of its films are not on this machine: \`shotlist run\` fetches them`);
  const metadata = relative(resolve(), written.metadata);
  const { unsigned, missing } = written;
  print(values.json ? jsonText({ version: 1, metadata, unsigned, missing }) : `${metadata}\n`);
  return written.unsigned.length > 0 ? 1 : 0;
});
