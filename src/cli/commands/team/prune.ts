/** `shotlist team prune 2026-01-31`: deletes the events of old runs; results, costs and choices stay. */

import { counted } from '../../../model/text/format.ts';
import { prune } from '../../../team/runs/upkeep.ts';
import { nothingBehind, UsageError } from '../../arguments.ts';
import { command } from '../../command-line/read-arguments.ts';
import { jsonText, print, sayLine } from '../../outlets.ts';
import { withTeam } from '../../team/on-team.ts';

export const main = command('team prune', async ({ values, positionals }) => {
  const [day, ...more] = positionals;
  if (day === undefined) throw new UsageError('runs before which day? shotlist team prune 2026-01-31');
  nothingBehind(more, 'team prune', 'one day');
  const before = new Date(`${day}T00:00:00Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(before.getTime()))
    throw new UsageError(`\`${day}\` is no day; write one like 2026-01-31`);
  return withTeam(values, async team => {
    const { runs, events, told } = await prune(team.database, before);
    const runsText = `${counted(runs, 'run')} before ${day}`;
    if (values.json) print(jsonText({ version: 1, runs, events, told }));
    else
      sayLine(
        `${runsText}: ${events} events and ${told} lines of news are deleted; results, what they cost and choices stay`,
      );
    return 0;
  });
});
