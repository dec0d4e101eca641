/** `shotlist team list --on TEAM`: the team's runs, newest first. */
import { runRows } from '../../../cluster/runs/run-rows.ts';
import { nothingBehind } from '../../arguments.ts';
import { readArguments } from '../../command-line/read-arguments.ts';
import { withExitCode } from '../../errors/exit-code.ts';
import type { ExitCode } from '../../errors/exit-codes.ts';
import { print } from '../../outlets.ts';
import { withTeam } from '../../team/on-team.ts';
import { projectHere } from '../../team/run-of-team.ts';
import { runsJson, runsText } from '../../team/team-runs.ts';
import { indentedJson } from '../../terminal/indented-json.ts';

const FEW = 20;
const MANY = 200;

export const main = withExitCode(async args => {
  const { values, positionals } = readArguments('team list', args);
  nothingBehind(positionals, 'team list', 'no file');
  return withTeam(await projectHere(), { on: values.on }, async (team): Promise<ExitCode> => {
    const runs = await runRows(team.database, { most: values.all ? MANY : FEW });
    print(values.json ? `${indentedJson({ version: 1, runs: runs.map(runsJson) })}\n` : runsText(runs, team.name));
    return 0;
  });
});
