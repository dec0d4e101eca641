/** `shotlist team status [RUN]`: who works, what a team has under way, what is sent and spent; or one run of it. */
import { type ClusterStatus, clusterStatus } from '../../../cluster/runs/cluster-status.ts';
import { runRows } from '../../../cluster/runs/run-rows.ts';
import { systemClock } from '../../../host/clock.ts';
import type { Team } from '../../../session/team/open-team.ts';
import { statusOfTeamRun } from '../../../session/team/team-run-status.ts';
import type { FilmStatus } from '../../../telling/status/film-status.ts';
import { statusText } from '../../../telling/status/status-text.ts';
import { nothingBehind, UsageError } from '../../arguments.ts';
import { readArguments } from '../../command-line/read-arguments.ts';
import { withExitCode } from '../../errors/exit-code.ts';
import type { ExitCode } from '../../errors/exit-codes.ts';
import { print } from '../../outlets.ts';
import { prometheusText, statusLines } from '../../team/cluster-text.ts';
import { commandMessages as messages } from '../../team/command-messages.ts';
import { withTeam } from '../../team/on-team.ts';
import { mistakenRun, projectHere } from '../../team/run-of-team.ts';
import { indentedJson } from '../../terminal/indented-json.ts';

/** Runs that are told in full: of each, all that it did is read. */
const MOST = 20;
const WIDTH_OF_A_PAGE = 100;

export const main = withExitCode(async args => {
  const { values, positionals } = readArguments('team status', args);
  const [id, ...more] = positionals;
  nothingBehind(more, 'team status', 'one run');
  const { json, format } = values;
  const isFigures = format === 'prometheus';
  if (isFigures && (json || id !== undefined))
    throw new UsageError(`--format prometheus tells the figures of the team; leave ${json ? '--json' : id} out`);
  const project = await projectHere();
  return withTeam(project, { on: values.on }, async (team): Promise<ExitCode> => {
    const figures = id === undefined ? await figuresOf(team) : undefined;
    if (figures && isFigures) {
      print(prometheusText(figures));
      return 0;
    }
    const open = id === undefined ? await runRows(team.database, { most: 1_000, open: true }) : [];
    const wanted = id === undefined ? open.slice(0, MOST).map(run => run.id) : [id];
    const films: FilmStatus[] = [];
    for (const one of wanted) {
      const film = await statusOfTeamRun(one, { team, project });
      // It may have been deleted a moment ago; one that was asked for is missed.
      if (!film && id !== undefined) return await mistakenRun(team, id, 'team status');
      if (film) films.push(film);
    }
    const left = open.length - wanted.length;
    if (json) print(`${indentedJson({ version: 1, ...figures, films, more: open.length - films.length })}\n`);
    else print([...(figures ? [...statusLines(figures, team.name), ''] : []), filmsText(films, team, left)].join('\n'));
    return 0;
  });
});

async function figuresOf(team: Team): Promise<ClusterStatus> {
  await team.queue.start();
  return clusterStatus(team.database, team.queue);
}

function filmsText(films: readonly FilmStatus[], team: Team, left: number): string {
  if (films.length === 0) return `${messages.nothingUnderWay(team.name)}\n`;
  // A pipe is read by a program, or by somebody who searches: nothing is cut for it.
  const width = process.stdout.isTTY === true ? (process.stdout.columns ?? WIDTH_OF_A_PAGE) : Number.POSITIVE_INFINITY;
  const told = statusText(films, systemClock.now(), width);
  return left > 0 ? `${told}\n${messages.moreUnderWay(left, team.name)}\n` : told;
}
