/** `shotlist report RUN --on TEAM`: what a team's run did, over all workers that led it, as a page or as JSON. */
import { join } from 'node:path';
import type { Project } from '../../machine/files/project.ts';
import type { RunReport } from '../../model/run/run-report.ts';
import type { Team } from '../../team/client/open-team.ts';
import { openRun, reportOfTeamRun } from '../../team/client/run-in-team.ts';
import { UsageError } from '../arguments.ts';
import type { Read } from '../command-line/read-arguments.ts';
import { CommandError } from '../errors/command-error.ts';
import type { ExitCode } from '../errors/exit-codes.ts';
import { jsonText, print, sayLine } from '../outlets.ts';
import { showReport } from '../report/show-report.ts';
import { INTERRUPTED, untilInterrupted } from '../terminal/signals.ts';
import { commandMessages as messages } from './command-messages.ts';
import { storeHere } from './film-of-run.ts';
import { mistakenRun, oneRun, withTeam } from './on-team.ts';

export async function reportOfRun(positionals: readonly string[], values: Read<'report'>['values']): Promise<ExitCode> {
  const id = oneRun(positionals, 'report');
  if (values.profile !== undefined) throw new UsageError(messages.notOfTeam('report', ['profile']));
  return withTeam(values, async (team, project) => {
    if (values.all) throw new UsageError(messages.listsRuns(team.name));
    const opened = await openRun(team, id);
    if (!opened) return await mistakenRun(team, id, 'report');
    await using run = opened;
    const report = await reportOfTeamRun(run, { team, project });
    if (!report) throw new CommandError(1, messages.leftNoTrace(id, run.run.status));
    if (values.json) {
      print(jsonText(report));
      return 0;
    }
    await downloadShown(report, project, team);
    // A run of a team is known by its name, and its page as well.
    const asked = { ...project, pipelineFile: join(project.root, `${id}.yaml`) };
    await showReport({ project: asked, report, values, missing: count => messages.notHere(count, nameOf(team)) });
    return 0;
  });
}

const nameOf = ({ name }: Team): string => `the store of ${name}`;

/** Downloads what the page shows before it is drawn; the page reports what cannot be had. */
async function downloadShown(report: RunReport, project: Project, team: Team): Promise<void> {
  await using here = await storeHere(project, team);
  using stop = untilInterrupted();
  const digests = [...shownIn(report)];
  await Promise.all(digests.map(sha256 => here.shared.download(sha256, stop.signal)));
  for (const line of here.shared.takeProblems()) sayLine(line);
  if (stop.signal.aborted) throw new CommandError(INTERRUPTED, 'stopped: nothing was written');
}

function shownIn({ instances, outputs, film }: RunReport): ReadonlySet<string> {
  const all = [
    ...instances.flatMap(({ media, files }) => [media, ...files.map(file => file.media)]),
    ...outputs.map(({ media }) => media),
    film?.media ?? null,
  ];
  return new Set(all.flatMap(media => media?.sha256 ?? []));
}
