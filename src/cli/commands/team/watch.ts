/** `shotlist team watch RUN --on TEAM`: a team's run as it goes on, or as it went in its last turn. */
import { UsageError } from '../../arguments.ts';
import { readArguments } from '../../command-line/read-arguments.ts';
import { withExitCode } from '../../errors/exit-code.ts';
import { withTeam } from '../../team/on-team.ts';
import { oneRun, projectHere } from '../../team/run-of-team.ts';
import { watchHere } from '../../team/watch-here.ts';

export const main = withExitCode(async args => {
  const { values, positionals } = readArguments('team watch', args);
  const run = oneRun(positionals, 'team watch');
  if (/\.ya?ml$/i.test(run))
    throw new UsageError(
      `\`${run}\` is a file, and watch takes a team's run; a file is watched while it is drawn with \`shotlist run --watch ${run}\``,
    );
  if (values.json && values.ui !== undefined && values.ui !== 'json')
    throw new UsageError(`--json is --ui json, and --ui ${values.ui} says otherwise; leave one out`);
  const ui = values.json ? 'json' : values.ui;
  return withTeam(await projectHere(), { on: values.on }, team => watchHere(run, { team, ui }));
});
