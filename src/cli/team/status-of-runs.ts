/** `shotlist status [RUN] --on TEAM`: what a team has under way, or one run of it. */
import { runRows } from '../../cluster/runs/run-rows.ts';
import { systemClock } from '../../host/clock.ts';
import type { Team } from '../../session/team/open-team.ts';
import { openRun } from '../../session/team/run-in-team.ts';
import { statusOfTeamRun } from '../../session/team/team-run-status.ts';
import type { FilmStatus } from '../../telling/status/film-status.ts';
import { statusText } from '../../telling/status/status-text.ts';
import { UsageError } from '../arguments.ts';
import type { Read } from '../command-line/read-arguments.ts';
import type { ExitCode } from '../errors/exit-codes.ts';
import { print } from '../outlets.ts';
import { indentedJson } from '../terminal/indented-json.ts';
import { commandMessages as messages } from './command-messages.ts';
import { withTeam } from './on-team.ts';
import { mistakenRun, projectHere } from './run-of-team.ts';

/** Runs that are told in full: of each, all that it did is read. */
const MOST = 20;

export async function statusOfRuns(
  id: string | undefined,
  values: Read<'status'>['values'],
  width: number,
): Promise<ExitCode> {
  if (values.profile !== undefined) throw new UsageError(messages.notOfTeam('status', ['profile']));
  const project = await projectHere();
  return withTeam(project, { on: values.on }, async team => {
    const open = id === undefined ? await runRows(team.database, { most: 1_000, open: true }) : [];
    const wanted = id === undefined ? open.slice(0, MOST).map(run => run.id) : [id];
    const films: FilmStatus[] = [];
    for (const one of wanted) {
      const opened = await openRun(team, one);
      // It may have been deleted a moment ago; one that was asked for is missed.
      if (!opened && id !== undefined) return await mistakenRun(team, id, 'status');
      if (!opened) continue;
      await using run = opened;
      films.push(await statusOfTeamRun(run, { team, project }));
    }
    if (values.json) print(`${indentedJson({ version: 1, films, more: open.length - films.length })}\n`);
    else print(textOf(films, { team, more: open.length - wanted.length, width }));
    return 0;
  });
}

interface Told {
  readonly team: Team;
  readonly more: number;
  readonly width: number;
}

function textOf(films: readonly FilmStatus[], { team, more, width }: Told): string {
  if (films.length === 0) return `${messages.nothingUnderWay(team.name)}\n`;
  const told = statusText(films, systemClock.now(), width);
  return more > 0 ? `${told}\n${messages.moreUnderWay(more, team.name)}\n` : told;
}
