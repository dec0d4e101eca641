/** `shotlist team watch RUN --on TEAM`: a team's run as it goes on, or as it went in its last turn. */

import { systemClock } from '../../../machine/time/clock.ts';
import type { Reporter } from '../../../model/run/event.ts';
import { asTyped } from '../../../model/text/clean.ts';
import type { Team } from '../../../team/client/open-team.ts';
import { submitCommand } from '../../../team/client/run-in-team.ts';
import { reviewOfRun } from '../../../team/client/team-messages.ts';
import { TeamNews } from '../../../team/client/team-news.ts';
import { watchRun } from '../../../team/client/watch-team-run.ts';
import type { RunRow } from '../../../team/runs/run-rows.ts';
import { UsageError, uiAsked } from '../../arguments.ts';
import { command } from '../../command-line/read-arguments.ts';
import { EXIT_OF_OUTCOME, type ExitCode } from '../../errors/exit-codes.ts';
import { sayLine } from '../../outlets.ts';
import { mistakenRun, oneRun, withTeam } from '../../team/on-team.ts';
import { chooseReporters, type Ui } from '../../terminal/choose-reporters.ts';
import { INTERRUPTED, onInterruptOrClosedOutput } from '../../terminal/signals.ts';

export const main = command('team watch', async ({ values, positionals }) => {
  const run = oneRun(positionals, 'team watch');
  if (/\.ya?ml$/i.test(run))
    throw new UsageError(
      `\`${run}\` is a file, and watch takes a team's run; a file is watched while it is drawn with \`shotlist run --watch ${run}\``,
    );
  const ui = uiAsked(values);
  return withTeam(values, team => watchHere(run, { team, ui }));
});

interface WatchedHere {
  readonly team: Team;
  readonly ui: Ui | undefined;
}

/** With the run's own exit code. */
export async function watchHere(id: string, { team, ui }: WatchedHere): Promise<ExitCode> {
  const on = `--on ${asTyped(team.name)}`;
  const stop = new AbortController();
  const stopListening = onInterruptOrClosedOutput(() => stop.abort());
  let reporters: readonly Reporter[] | undefined;
  const end = async () => {
    for (const reporter of reporters ?? []) await reporter.close();
  };
  await using news = new TeamNews({ team: team.database, clock: systemClock });
  try {
    const run = await watchRun(id, {
      ...{ team: team.database, news, signal: stop.signal },
      turn: async () => {
        await end();
        if (reporters && ui !== 'json' && ui !== 'quiet') sayLine(`${id} goes on at another worker`);
        const command = `shotlist team resume ${id} ${on}`;
        const chosen = await chooseReporters(ui, {
          ...{
            command,
            film: on,
            reviewCommand: reviewOfRun({ id }, team),
            fileOf: () => undefined,
            who: async () => '',
            elsewhere: true,
          },
        });
        reporters = chosen.reporters;
      },
      event: event => {
        for (const reporter of reporters ?? []) reporter.report(event);
      },
      clock: systemClock,
      trouble: message =>
        sayLine(
          message === undefined ? "the team's database answers again" : `waits for the team's database: ${message}`,
        ),
      queued: () => {
        if (ui !== 'json') sayLine(`${id} waits for a worker that is free (\`shotlist team status ${on}\` lists them)`);
      },
    });
    await end();
    if (!run) return await mistakenRun(team, id, 'team watch');
    if (stop.signal.aborted && (run.status === 'queued' || run.status === 'led')) {
      sayLine(`${id} goes on without you; to see it again: shotlist team watch ${id} ${on}`);
      return INTERRUPTED;
    }
    if (ui !== 'json') for (const line of endLines(run, reporters !== undefined, team)) sayLine(line);
    return exitOf(run);
  } finally {
    stopListening();
  }
}

function endLines(run: RunRow, wasShown: boolean, team: Team): readonly string[] {
  const { id, status, outcome } = run;
  const on = `--on ${asTyped(team.name)}`;
  const reason = outcome?.reason !== undefined && (!wasShown || outcome.untold) ? [outcome.reason] : [];
  switch (status) {
    case 'done':
      return [`to have it here: shotlist team fetch ${id} ${on}`];
    case 'waiting':
      return [
        ...reason,
        `${id} waits for a person, and goes on when it is decided: \`pick\` or \`approve\` with ${on}`,
      ];
    case 'failed':
    case 'cancelled':
      return [
        ...reason,
        `${id} ${status === 'failed' ? 'has failed' : 'was cancelled'}; to go on with what was handed in: shotlist team resume ${id} ${on}`,
        `once the film is mended: ${submitCommand(run, team)}`,
      ];
    default:
      return reason;
  }
}

/** As `run` ends with the same outcome. */
export function exitOf({ status, outcome }: Pick<RunRow, 'status' | 'outcome'>): ExitCode {
  if (status === 'done') return 0;
  if (status === 'waiting') return 5;
  if (status === 'cancelled') return INTERRUPTED;
  return EXIT_OF_OUTCOME[outcome?.is ?? 'failed'];
}
