/** `shotlist team drop 17`: deletes an unreadable choice from a team's database. */
import { dropUnreadable } from '../../../cluster/runs/upkeep.ts';
import { nothingBehind, UsageError } from '../../arguments.ts';
import { readArguments } from '../../command-line/read-arguments.ts';
import { withExitCode } from '../../errors/exit-code.ts';
import type { ExitCode } from '../../errors/exit-codes.ts';
import { print, sayLine } from '../../outlets.ts';
import { projectHere, withTeam } from '../../team/on-team.ts';
import { indentedJson } from '../../terminal/indented-json.ts';

export const main = withExitCode(async args => {
  const { values, positionals } = readArguments('team drop', args);
  const [id, ...more] = positionals;
  if (id === undefined || !/^\d{1,15}$/.test(id))
    throw new UsageError('which choice? shotlist team drop 17, with the number that a warning names');
  nothingBehind(more, 'team drop', 'one choice');
  return withTeam(await projectHere(), { on: values.on }, async (team): Promise<ExitCode> => {
    const film = await dropUnreadable(team.database, Number(id));
    if (values.json) print(`${indentedJson({ version: 1, choice: Number(id), film: film ?? null })}\n`);
    else if (film === undefined) sayLine(`there is no choice ${id} that cannot be read; nothing is deleted`);
    else sayLine(`choice ${id} of ${film} could not be read, and is deleted`);
    return film === undefined ? 1 : 0;
  });
});
