/** How things stand with a team's run, asked from any machine. Only looks. */
import { moneyOf } from '../../domain/run-money.ts';
import { type FilmStatus, filmStatus } from '../../telling/status/film-status.ts';
import { openAtService } from '../status.ts';
import { commandFor, type RunInTeam, type RunToReport, reportOfTeamRun } from './run-in-team.ts';

export async function statusOfTeamRun(opened: RunInTeam, asked: RunToReport): Promise<FilmStatus> {
  const { run, journal } = opened;
  const report = await reportOfTeamRun(opened, asked);
  const command = commandFor(run, asked.team);
  const team = { name: asked.team.name, status: run.status, leader: run.leader, asked_by: run.askedBy };
  if (report) {
    const open = journal.runs.openOf(run.filmId).map(openAtService);
    return { ...filmStatus(report, open, command), command, team };
  }
  const { usd: spent, ...unsettled } = moneyOf(run.outcome ?? { usd: 0 });
  const isOver = run.status !== 'queued' && run.status !== 'led';
  return {
    ...{ file: run.path, profile: run.profile, service: run.service, run: run.id },
    ...{ outcome: run.status, began: run.createdAt, ended: isOver ? run.changedAt : null },
    ...{ counts: {}, at_work: [], waiting: [], questions: [], failed: [], open: [] },
    money: { ...unsettled, spent, budget: null, free: run.service.startsWith('studio') },
    ...{ command, team },
  };
}
