/** How things stand with a team's run, asked from any machine. Only looks. */
import { type RunRow, runRow } from '../../cluster/runs/run-rows.ts';
import { Refusal } from '../../domain/refusal.ts';
import { moneyOf } from '../../domain/run-money.ts';
import { type FilmStatus, filmStatus, type TeamStatus } from '../../telling/status/film-status.ts';
import { openAtService } from '../status.ts';
import { openRun, type RunToReport, reportOfTeamRun } from './run-in-team.ts';
import { commandFor } from './team-messages.ts';

/** Undefined: there is no such run. Where its film's rows cannot be read, what its own row tells, with the reason. */
export async function statusOfTeamRun(id: string, asked: RunToReport): Promise<FilmStatus | undefined> {
  const run = await runRow(asked.team.database, id);
  if (!run) return undefined;
  try {
    const opened = await openRun(asked.team, id);
    if (!opened) return undefined;
    await using one = opened;
    const report = await reportOfTeamRun(one, asked);
    if (!report) return statusOfRow(one.run, asked, reasonOf(one.run));
    const open = one.journal.views.runs.openOf(one.run.filmId).map(openAtService);
    const command = commandFor(one.run, asked.team);
    return { ...filmStatus(report, open, command), command, team: teamStatus(one.run, asked, reasonOf(one.run)) };
  } catch (error) {
    if (error instanceof Refusal) return statusOfRow(run, asked, reasonOf(run) ?? error.message);
    throw error;
  }
}

function statusOfRow(run: RunRow, asked: RunToReport, reason: string | null): FilmStatus {
  const { usd: spent, ...unsettled } = moneyOf(run.outcome ?? { usd: 0 });
  const isOver = run.status !== 'queued' && run.status !== 'led';
  return {
    ...{ file: run.path, profile: run.profile, service: run.service, run: run.id },
    ...{ outcome: run.status, began: run.createdAt, ended: isOver ? run.changedAt : null },
    ...{ counts: {}, at_work: [], waiting: [], questions: [], failed: [], open: [] },
    money: { ...unsettled, spent, budget: null, free: run.service.startsWith('studio') },
    ...{ command: commandFor(run, asked.team), team: teamStatus(run, asked, reason) },
  };
}

const teamStatus = (run: RunRow, { team }: RunToReport, reason: string | null): TeamStatus => ({
  ...{ name: team.name, status: run.status, leader: run.leader, asked_by: run.askedBy, reason },
});

function reasonOf({ status, refused, outcome }: RunRow): string | null {
  if (status === 'led') return null;
  return (status === 'queued' ? refused : null) ?? outcome?.reason ?? null;
}
