/** `shotlist team resume RUN --on TEAM`: a run that failed, waits or was cancelled has its turn again. */

import { asTyped } from '../../../model/text/clean.ts';
import { submitCommand } from '../../../team/client/run-in-team.ts';
import { type Attached, goOn } from '../../../team/runs/run-rows.ts';
import { UsageError } from '../../arguments.ts';
import { command } from '../../command-line/read-arguments.ts';
import { jsonText, print, sayLine } from '../../outlets.ts';
import { commandMessages as messages } from '../../team/command-messages.ts';
import { changedFiles } from '../../team/film-of-run.ts';
import { oneRun, runNamed, withTeam } from '../../team/on-team.ts';

export const main = command('team resume', async ({ values, positionals }) => {
  const id = oneRun(positionals, 'team resume');
  const { 'on-unknown': onUnknown } = values;
  const attach = attachedIn(values.attach, values.force ? 'different' : 'same');
  if (values.force && !attach) throw new UsageError('--force is for --attach KEY=GENERATION');
  const options = {
    ...(onUnknown && { onUnknown }),
    ...(attach && { attach }),
  };
  return withTeam(values, async (team, here) => {
    const run = await runNamed(team, id, 'team resume');
    await team.queue.start();
    const before = await goOn(team.database, team.queue, id, options);
    const changed = before !== undefined && run.project === team.project ? await changedFiles(run, here) : [];
    if (changed.length > 0) sayLine(messages.goesOnUnchanged(changed, id, submitCommand(run, team)));
    if (values.json) print(jsonText({ version: 1, run: id, was: run.status, goes_on: before !== undefined }));
    else if (before !== undefined)
      sayLine(`${id} goes on; to see it: shotlist team watch ${id} --on ${asTyped(team.name)}`);
    else
      sayLine(
        run.status === 'done' ? `${id} is done: there is nothing to go on with` : messages.underWay(run, team.name),
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
