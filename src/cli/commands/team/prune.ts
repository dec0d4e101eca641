/** `shotlist team prune 2026-01-31`: what old runs told is deleted; results, what they cost and choices stay. */
import { prune } from '../../../cluster/runs/upkeep.ts';
import { nothingBehind, UsageError } from '../../arguments.ts';
import { readArguments } from '../../command-line/read-arguments.ts';
import { withExitCode } from '../../errors/exit-code.ts';
import type { ExitCode } from '../../errors/exit-codes.ts';
import { print, sayLine } from '../../outlets.ts';
import { projectHere, withTeam } from '../../team/on-team.ts';
import { indentedJson } from '../../terminal/indented-json.ts';

export const main = withExitCode(async args => {
  const { values, positionals } = readArguments('team prune', args);
  const [day, ...more] = positionals;
  if (day === undefined) throw new UsageError('runs before which day? shotlist team prune 2026-01-31');
  nothingBehind(more, 'team prune', 'one day');
  const before = new Date(`${day}T00:00:00Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(before.getTime()))
    throw new UsageError(`\`${day}\` is no day; write one like 2026-01-31`);
  return withTeam(await projectHere(), { on: values.on }, async (team): Promise<ExitCode> => {
    const { runs, events, told } = await prune(team.database, before);
    const counted = `${runs} ${runs === 1 ? 'run' : 'runs'} before ${day}`;
    if (values.json) print(`${indentedJson({ version: 1, runs, events, told })}\n`);
    else
      sayLine(
        `${counted}: ${events} events and ${told} told lines are deleted; results, what they cost and choices stay`,
      );
    return 0;
  });
});
