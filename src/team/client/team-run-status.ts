/** How things stand with a team's run, asked from any machine. Only looks. */

import { openAtService } from '../../app/reports/project-status.ts';
import { shownRejection } from '../../model/run/choice.ts';
import { Refusal } from '../../model/run/decision-page.ts';
import { amountOf, isFree, moneyOf, spentAt, unsettledMoney } from '../../model/run/run-money.ts';
import { cleanText } from '../../model/text/clean.ts';
import { type FilmStatus, filmStatus, type TeamStatus } from '../../show/text/status/film-status.ts';
import type { RunTally } from '../../show/text/status/run-tally.ts';
import { choicesOf, openSubmissions, rejectionsOf } from '../journal/film-rows.ts';
import { type RunRow, runRow } from '../runs/run-rows.ts';
import { tallyOf } from '../runs/tally-rows.ts';
import { fileHere, isGoing, openRun, type RunToReport, reportOfTeamRun } from './run-in-team.ts';
import { commandFor, reviewOfRun } from './team-messages.ts';

/** Undefined: there is no such run. Where its film's rows cannot be read, what its own row shows, with the reason. */
export async function statusOfTeamRun(id: string, asked: RunToReport): Promise<FilmStatus | undefined> {
  const run = await runRow(asked.team.database, id);
  if (!run) return undefined;
  try {
    const tally = await tallyOf(asked.team.database, id);
    return tally ? await statusOfTally(run, tally, asked) : await statusOfEvents(run, asked);
  } catch (error) {
    if (error instanceof Refusal) return statusOfRow(run, asked, reasonOf(run) ?? error.message);
    throw error;
  }
}

/** Of a run that an older version leads, or led last: read from all that its film has kept. */
export async function statusOfEvents({ id }: RunRow, asked: RunToReport): Promise<FilmStatus | undefined> {
  const opened = await openRun(asked.team, id);
  if (!opened) return undefined;
  await using one = opened;
  const report = await reportOfTeamRun(one, asked);
  if (!report) return statusOfRow(one.run, asked, reasonOf(one.run));
  const open = one.journal.views.runs.openOf(one.run.filmId).map(openAtService);
  const command = commandFor(one.run, asked.team);
  return {
    ...filmStatus(report, open, command, reviewOfRun(one.run, asked.team)),
    command,
    team: teamStatus(one.run, asked, reasonOf(one.run)),
  };
}

async function statusOfTally(run: RunRow, tally: RunTally, asked: RunToReport): Promise<FilmStatus> {
  const { database } = asked.team;
  const open = (await openSubmissions(database, run.filmId)).map(openAtService);
  const film = { pipeline: fileHere(run, asked), profile: run.profile };
  const decided = tally.questions.length > 0 ? await choicesOf(database, run.filmId) : undefined;
  const questions = tally.questions
    .filter(({ key, options }) => !decided?.get(key)?.called.some(one => options.includes(one)))
    .map(({ key, ask }) => ({ key, ask: cleanText(ask), command: reviewOfRun(run, asked.team) }));
  const rejected = [...(await rejectionsOf(database, run.filmId)).values()].flatMap(one =>
    one.key === undefined ? [] : [{ key: one.key, ...shownRejection(one) }],
  );
  const goesOn = isGoing(run);
  const { waiting = 0, queued = 0, running = 0, fetching = 0, ...over } = tally.counts;
  const left = waiting + queued + running + fetching;
  return {
    ...{ file: film.pipeline, profile: run.profile, service: run.service, run: run.id },
    outcome: goesOn ? 'running' : (tally.outcome ?? 'cut_off'),
    ...{ began: tally.began, ended: goesOn ? null : tally.last },
    counts: goesOn ? tally.counts : { ...over, ...(left > 0 && { not_run: left }) },
    ...{ at_work: goesOn ? tally.at_work : [], waiting: goesOn ? tally.waiting : [], questions },
    ...{ rejected, failed: tally.failed, open },
    money: {
      ...{ ...spentAt(run, tally.spent), ...unsettledMoney(open), budget: tally.budget, free: isFree(run) },
      // Older versions kept none.
      ...(!isFree(run) && tally.estimated > 0 && { estimated: tally.estimated }),
    },
    ...{ command: commandFor(run, asked.team), team: teamStatus(run, asked, reasonOf(run)) },
  };
}

function statusOfRow(run: RunRow, asked: RunToReport, reason: string | null): FilmStatus {
  const money = moneyOf(run.outcome ?? { usd: 0 });
  const { usd: _, list_price_usd: __, ...unsettled } = money;
  const isOver = run.status !== 'queued' && run.status !== 'led';
  return {
    ...{ file: run.path, profile: run.profile, service: run.service, run: run.id },
    ...{ outcome: run.status, began: run.createdAt, ended: isOver ? run.changedAt : null },
    ...{ counts: {}, at_work: [], waiting: [], questions: [], rejected: [], failed: [], open: [] },
    money: { ...unsettled, ...spentAt(run, amountOf(money)), budget: null, free: isFree(run) },
    ...{ command: commandFor(run, asked.team), team: teamStatus(run, asked, reason) },
  };
}

const teamStatus = (run: RunRow, { team }: RunToReport, reason: string | null): TeamStatus => ({
  ...{ name: team.name, status: run.status, leader: run.leader, asked_by: run.askedBy, reason },
});

function reasonOf({ status, stop, refused, outcome }: RunRow): string | null {
  if (stop === 'cancel' && isGoing({ status })) return 'it was cancelled: a worker ends what it has at the service';
  if (status === 'led') return null;
  return (status === 'queued' ? refused : null) ?? outcome?.reason ?? null;
}
