/** `shotlist cluster init|status|limit|prune|restored --on TEAM`: a team's database, for whoever runs the machines. */

import { nearest } from '../../domain/nearest.ts';
import { UsageError } from '../arguments.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import { withExitCode } from '../errors/exit-code.ts';
import { type ClusterValues, DEEDS, type Deed } from '../team/cluster-deeds.ts';
import { withTeam } from '../team/on-team.ts';
import { projectHere } from '../team/run-of-team.ts';

export const main = withExitCode(async args => {
  const { values, positionals } = readArguments('cluster', args);
  const [name, ...rest] = positionals;
  const deed = deedCalled(name);
  if (rest.length > (deed === 'limit' || deed === 'restored' ? 1 : 0))
    throw new UsageError(`shotlist cluster ${deed}: ${rest.join(' ')} is too much`);
  stopIfForeign(deed, values);
  const project = await projectHere();
  return withTeam(project, { on: values.on, ...(deed === 'init' && { unchecked: true }) }, team =>
    DEEDS[deed]({ team, project, values, service: rest[0] }),
  );
});

function deedCalled(name: string | undefined): Deed {
  const all = Object.keys(DEEDS) as readonly Deed[];
  const found = all.find(one => one === name);
  if (found) return found;
  const near = name === undefined ? undefined : nearest(name, all);
  const what = name === undefined ? 'do what?' : `there is no \`cluster ${name}\`;`;
  throw new UsageError(`${what} shotlist cluster ${near ?? all.join('|')}`);
}

const ONLY_OF: { readonly [option in keyof ClusterValues]?: Deed } = {
  ...{ 'in-flight': 'limit', 'per-second': 'limit', 'usd-per-day': 'limit', model: 'limit' },
  ...{
    before: 'prune',
    prometheus: 'status',
    over: 'restored',
    since: 'restored',
    force: 'restored',
    'print-sql': 'init',
  },
};

function stopIfForeign(deed: Deed, values: ClusterValues): void {
  for (const [option, of] of Object.entries(ONLY_OF)) {
    const value = values[option as keyof ClusterValues];
    const isGiven = Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
    if (isGiven && of !== deed) throw new UsageError(`--${option} is for \`shotlist cluster ${of}\``);
  }
}
