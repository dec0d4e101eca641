/** `shotlist cancel RUN --on TEAM`: a team's run is ended, with all that it has at the service. */
import { stopRun } from '../../cluster/runs/run-rows.ts';
import { UsageError } from '../arguments.ts';
import type { Read } from '../command-line/read-arguments.ts';
import type { ExitCode } from '../errors/exit-codes.ts';
import { print, say } from '../outlets.ts';
import { indentedJson } from '../terminal/indented-json.ts';
import { commandMessages as messages } from './command-messages.ts';
import { withTeam } from './on-team.ts';
import { oneRun, projectHere, runNamed } from './run-of-team.ts';

export async function cancelRun(positionals: readonly string[], values: Read<'cancel'>['values']): Promise<ExitCode> {
  const id = oneRun(positionals, 'cancel');
  if (/\.ya?ml$/i.test(id)) throw new UsageError(messages.cancelTakesRun(id));
  if (values.forget) throw new UsageError('--forget is for a KEY of a film that was run here, and not for --on');
  return withTeam(await projectHere(), { on: values.on }, async team => {
    const run = await runNamed(team, id, 'cancel');
    await team.queue.start();
    const before = await stopRun(team.database, team.queue, id, 'cancel');
    if (values.json)
      print(`${indentedJson({ version: 1, run: id, was: run.status, is_ended: before !== undefined })}\n`);
    else
      say(
        before === undefined
          ? `${id} is ${run.status} already: there is nothing to end`
          : messages.isEnded(id, run.status, team.name),
      );
    return 0;
  });
}
