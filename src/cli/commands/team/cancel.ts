/** `shotlist team cancel RUN`: a team's run is ended, with all that it has at the service. */
import { stopRun } from '../../../cluster/runs/run-rows.ts';
import { UsageError } from '../../arguments.ts';
import { readArguments } from '../../command-line/read-arguments.ts';
import { withExitCode } from '../../errors/exit-code.ts';
import type { ExitCode } from '../../errors/exit-codes.ts';
import { print, sayLine } from '../../outlets.ts';
import { commandMessages as messages } from '../../team/command-messages.ts';
import { oneRun, projectHere, runNamed, withTeam } from '../../team/on-team.ts';
import { indentedJson } from '../../terminal/indented-json.ts';

export const main = withExitCode(async args => {
  const { values, positionals } = readArguments('team cancel', args);
  const id = oneRun(positionals, 'team cancel');
  if (/\.ya?ml$/i.test(id)) throw new UsageError(messages.cancelTakesRun(id));
  return withTeam(await projectHere(), { on: values.on }, async (team): Promise<ExitCode> => {
    const run = await runNamed(team, id, 'team cancel');
    await team.queue.start();
    const before = await stopRun(team.database, team.queue, id, 'cancel');
    if (values.json)
      print(`${indentedJson({ version: 1, run: id, was: run.status, is_ended: before !== undefined })}\n`);
    else
      sayLine(
        before === undefined
          ? `${id} is ${run.status} already: there is nothing to end`
          : messages.isEnded(id, run.status, team.name),
      );
    return 0;
  });
});
