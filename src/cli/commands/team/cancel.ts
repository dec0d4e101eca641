/** `shotlist team cancel RUN`: a team's run is ended, with all that it has at the service. */
import { stopRun } from '../../../team/runs/run-rows.ts';
import { UsageError } from '../../arguments.ts';
import { command } from '../../command-line/read-arguments.ts';
import { jsonText, print, sayLine } from '../../outlets.ts';
import { commandMessages as messages } from '../../team/command-messages.ts';
import { oneRun, runNamed, withTeam } from '../../team/on-team.ts';

export const main = command('team cancel', async ({ values, positionals }) => {
  const id = oneRun(positionals, 'team cancel');
  if (/\.ya?ml$/i.test(id)) throw new UsageError(messages.cancelTakesRun(id));
  return withTeam(values, async team => {
    const run = await runNamed(team, id, 'team cancel');
    await team.queue.start();
    const before = await stopRun(team.database, team.queue, id, 'cancel');
    if (values.json) print(jsonText({ version: 1, run: id, was: run.status, is_ended: before !== undefined }));
    else
      sayLine(
        before === undefined
          ? `${id} is ${run.status} already: there is nothing to end`
          : messages.isEnded(id, run.status, team.name),
      );
    return 0;
  });
});
