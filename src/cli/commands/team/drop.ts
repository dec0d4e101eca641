/** `shotlist team drop 17`: deletes an unreadable choice from a team's database. */
import { dropUnreadable } from '../../../team/runs/upkeep.ts';
import { nothingBehind, UsageError } from '../../arguments.ts';
import { command } from '../../command-line/read-arguments.ts';
import { jsonText, print, sayLine } from '../../outlets.ts';
import { withTeam } from '../../team/on-team.ts';

export const main = command('team drop', async ({ values, positionals }) => {
  const [id, ...more] = positionals;
  if (id === undefined || !/^\d{1,15}$/.test(id))
    throw new UsageError('which choice? shotlist team drop 17, with the number that a warning names');
  nothingBehind(more, 'team drop', 'one choice');
  return withTeam(values, async team => {
    const film = await dropUnreadable(team.database, Number(id));
    if (values.json) print(jsonText({ version: 1, choice: Number(id), film: film ?? null }));
    else if (film === undefined) sayLine(`there is no choice ${id} that cannot be read; nothing is deleted`);
    else sayLine(`choice ${id} of ${film} could not be read, and is deleted`);
    return film === undefined ? 1 : 0;
  });
});
