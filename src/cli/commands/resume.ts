/** `shotlist resume RUN --on TEAM`: a run that failed, waits or was cancelled has its turn again. */

import { goOn } from '../../cluster/runs/run-rows.ts';
import { asTyped } from '../../domain/as-typed.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import { withExitCode } from '../errors/exit-code.ts';
import type { ExitCode } from '../errors/exit-codes.ts';
import { print, say } from '../outlets.ts';
import { withTeam } from '../team/on-team.ts';
import { oneRun, projectHere, runNamed } from '../team/run-of-team.ts';
import { indentedJson } from '../terminal/indented-json.ts';

export const main = withExitCode(async args => {
  const { values, positionals } = readArguments('resume', args);
  const id = oneRun(positionals, 'resume');
  return withTeam(await projectHere(), { on: values.on }, async (team): Promise<ExitCode> => {
    const run = await runNamed(team, id, 'resume');
    await team.queue.start();
    const before = await goOn(team.database, team.queue, id);
    if (values.json)
      print(`${indentedJson({ version: 1, run: id, was: run.status, goes_on: before !== undefined })}\n`);
    else if (before !== undefined) say(`${id} goes on; to see it: shotlist watch ${id} --on ${asTyped(team.name)}`);
    else
      say(run.status === 'done' ? `${id} is done: there is nothing to go on with` : `${id} is ${run.status} already`);
    return run.status === 'done' ? 1 : 0;
  });
});
