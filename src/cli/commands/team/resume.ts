/** `shotlist team resume RUN --on TEAM`: a run that failed, waits or was cancelled has its turn again. */

import { type Attached, goOn } from '../../../cluster/runs/run-rows.ts';
import { asTyped } from '../../../domain/as-typed.ts';
import { UsageError } from '../../arguments.ts';
import { readArguments } from '../../command-line/read-arguments.ts';
import { withExitCode } from '../../errors/exit-code.ts';
import type { ExitCode } from '../../errors/exit-codes.ts';
import { print, sayLine } from '../../outlets.ts';
import { oneRun, projectHere, runNamed, withTeam } from '../../team/on-team.ts';
import { indentedJson } from '../../terminal/indented-json.ts';

export const main = withExitCode(async args => {
  const { values, positionals } = readArguments('team resume', args);
  const id = oneRun(positionals, 'team resume');
  const { 'on-unknown': onUnknown } = values;
  const attach = attachedIn(values.attach, values.force ? 'different' : 'same');
  if (values.force && !attach) throw new UsageError('--force is for --attach KEY=GENERATION');
  const said = {
    ...(onUnknown && { onUnknown }),
    ...(attach && { attach }),
  };
  return withTeam(await projectHere(), { on: values.on }, async (team): Promise<ExitCode> => {
    const run = await runNamed(team, id, 'team resume');
    await team.queue.start();
    const before = await goOn(team.database, team.queue, id, said);
    if (values.json)
      print(`${indentedJson({ version: 1, run: id, was: run.status, goes_on: before !== undefined })}\n`);
    else if (before !== undefined)
      sayLine(`${id} goes on; to see it: shotlist team watch ${id} --on ${asTyped(team.name)}`);
    else
      sayLine(
        run.status === 'done' ? `${id} is done: there is nothing to go on with` : `${id} is ${run.status} already`,
      );
    return run.status === 'done' ? 1 : 0;
  });
});

/** `shot[beat=3]=gen_123`: the last sign is the one between the two. */
function attachedIn(all: readonly string[], accept: 'same' | 'different'): Attached | undefined {
  if (all.length === 0) return undefined;
  return Object.fromEntries(
    all.map(text => {
      const [, key, id] = /^(.+)=([^=]+)$/s.exec(text) ?? [];
      if (key === undefined || id === undefined)
        throw new UsageError(`--attach is \`${text}\`; write KEY=GENERATION, like 'shot[beat=3]=gen_123'`);
      return [key, { generation: id, accept }];
    }),
  );
}
