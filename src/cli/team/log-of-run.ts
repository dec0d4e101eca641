/** `shotlist logs RUN KEY --on TEAM`: the log of an instance, from whichever worker made it. */

import { systemClock } from '../../machine/time/clock.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import type { Team } from '../../team/client/open-team.ts';
import { openRun, type RunInTeam } from '../../team/client/run-in-team.ts';
import { TeamNews } from '../../team/client/team-news.ts';
import { findTeamLog, type LogPlace, readTeamLog, type TeamLog } from '../../team/client/team-run-log.ts';
import { UsageError } from '../arguments.ts';
import type { Read } from '../command-line/read-arguments.ts';
import { CommandError } from '../errors/command-error.ts';
import type { ExitCode } from '../errors/exit-codes.ts';
import { jsonText, print, sayLine } from '../outlets.ts';
import { LogPrinter, logJson, logMessages } from '../report/print-log.ts';
import { INTERRUPTED, untilInterrupted } from '../terminal/signals.ts';
import { commandMessages as messages } from './command-messages.ts';
import { storeHere } from './film-of-run.ts';
import { mistakenRun, withTeam } from './on-team.ts';

/** Milliseconds between two looks where nothing is heard. */
const LOOK = 2_000;

export async function logOfRun(
  [id, text]: readonly [id: string, text: string],
  values: Read<'logs'>['values'],
): Promise<ExitCode> {
  if (values.profile !== undefined) throw new UsageError(messages.notOfTeam('logs', ['profile']));
  return withTeam(values, async (team, project) => {
    await using here = await storeHere(project, team);
    using stop = untilInterrupted();
    const place = { team, store: here.store, shared: here.shared, signal: stop.signal };
    let key: InstanceKey | undefined;
    const look = async (): Promise<TeamLog> => {
      const opened = await openRun(team, id);
      if (!opened) return mistakenRun(team, id, 'logs');
      await using run = opened;
      key ??= named(run, text);
      return await readTeamLog(run, key, place);
    };
    const first = await look();
    if (values.json) {
      print(jsonText({ ...logJson(first.log), run: id }));
      return 0;
    }
    const printer = new LogPrinter(first.log);
    printer.print(first.log);
    if (values.follow) await followed(first, { look, printer, place });
    else printMissing(first, team);
    return stop.signal.aborted ? INTERRUPTED : 0;
  });
}

/** @throws UsageError where nothing, or more than one, is called so. */
function named(run: RunInTeam, text: string): InstanceKey {
  if (run.turns.length === 0) throw new CommandError(1, messages.leftNoTrace(run.run.id, run.run.status));
  const found = findTeamLog(run, text);
  switch (found.is) {
    case 'unknown':
      throw new UsageError(messages.unknownInRun(text, run.run.id, found.known));
    case 'several':
      throw new UsageError(logMessages.several(text, found.keys));
    case 'not_begun':
      throw new UsageError(logMessages.notBegun(found.key));
    case 'found':
      return found.key;
  }
}

interface Following {
  readonly look: () => Promise<TeamLog>;
  readonly printer: LogPrinter;
  readonly place: LogPlace;
}

async function followed(first: TeamLog, { look, printer, place: { team, signal } }: Following): Promise<void> {
  await using news = new TeamNews({ team: team.database, clock: systemClock });
  let now = first;
  while (now.log.isOpen && !signal.aborted) {
    await news.next(topic => /^(events|told|run|hands):/.test(topic), LOOK, signal);
    if (signal.aborted) break;
    now = await look();
    printer.print(now.log);
  }
  printMissing(now, team);
}

function printMissing({ log, worker, missing }: TeamLog, { name }: Team): void {
  for (const why of missing) sayLine(messages.logGone(log.key, `the store of ${name}`, why));
  if (worker !== undefined && log.isOpen) sayLine(messages.logLater(log.key, worker));
}
