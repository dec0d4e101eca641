/** `shotlist team init`: a team's tables and its queue are made, or brought up to date. */

import { asTyped } from '../../../model/text/clean.ts';
import { grantsSql, makeRolesSql } from '../../../team/database/roles.ts';
import { TeamQueue } from '../../../team/queue/team-queue.ts';
import { nothingBehind, UsageError } from '../../arguments.ts';
import { command } from '../../command-line/read-arguments.ts';
import { jsonText, print, sayLine } from '../../outlets.ts';
import { commandMessages as messages } from '../../team/command-messages.ts';
import { withTeam } from '../../team/on-team.ts';

export const main = command('team init', async ({ values, positionals }) => {
  nothingBehind(positionals, 'team init', 'no file');
  const { json, format } = values;
  if (json && format !== undefined) throw new UsageError(`--json and --format ${format} ask for different things`);
  return withTeam({ on: values.on, unchecked: true }, async team => {
    if (format === 'sql') {
      print(`${makeRolesSql()}\n${grantsSql()}`);
      return 0;
    }
    // Workers wait for the version of the tables, and need the queue from then on.
    await TeamQueue.setUp({ url: team.url });
    const { from, to } = await team.database.migrate();
    await team.database.check();
    const hasRoles = await team.database.grantRoles();
    if (!hasRoles) sayLine(messages.noRoles(team.name));
    if (json) print(jsonText({ version: 1, tables: { from, to }, roles: hasRoles }));
    else if (from === 0) sayLine(`the tables of team ${team.name} are made (version ${to}), and its queue`);
    else if (from === to) sayLine(`the tables of team ${team.name} are those of this version already (${to})`);
    else sayLine(`the tables of team ${team.name} are brought up from version ${from} to ${to}`);
    if (!json && from === 0) sayLine(`next: shotlist team worker --on ${asTyped(team.name)}`);
    return 0;
  });
});
