/** How a team's work stands, for a person. */

import { type AccountStatus, ALIVE, type ClusterStatus } from '../../cluster/runs/cluster-status.ts';
import { cleanText } from '../../domain/clean.ts';
import { formatSeconds, formatUsd } from '../../domain/format.ts';

export function statusLines(status: ClusterStatus, team: string): readonly string[] {
  const {
    workers,
    runs,
    accounts,
    debts,
    oldest_queued: oldest,
    retried,
    given_up: givenUp,
    connections,
    most_connections: most,
  } = status;
  const counts = Object.entries(runs).flatMap(([name, n]) => (n === 0 ? [] : [`${n} ${name}`]));
  return [
    ...(workers.length === 0 ? [`no worker: shotlist worker --on ${team}`] : workers.map(workerText)),
    `runs: ${counts.length === 0 ? 'none' : counts.join(', ')}${oldest === null ? '' : `; the oldest that waits for its turn has waited ${formatSeconds(oldest)}`}`,
    ...accounts.map(accountText),
    ...(debts === 0
      ? []
      : [
          `${debts} ${debts === 1 ? 'request' : 'requests'} whose fate nobody can tell: \`shotlist doctor\` tells what to do`,
        ]),
    ...(retried === 0 ? [] : [`${retried} ${retried === 1 ? 'job waits' : 'jobs wait'} to be tried again`]),
    ...(givenUp === 0 ? [] : [`${givenUp} ${givenUp === 1 ? 'job was' : 'jobs were'} given up`]),
    `connections: ${connections} of ${most}`,
  ];
}

function workerText({ name, shotlist, does, leads, hands, silent }: ClusterStatus['workers'][number]): string {
  const duties = [
    ...(does.includes('lead') ? [`leads ${leads} ${leads === 1 ? 'run' : 'runs'}`] : []),
    ...(does.includes('hand') ? [`does up to ${hands} commands`] : []),
  ];
  const heard = silent < ALIVE ? '' : `; not heard of for ${formatSeconds(silent)}`;
  return `worker ${cleanText(name)} (${cleanText(shotlist)}): ${duties.join(', ')}${heard}`;
}

function accountText(one: AccountStatus): string {
  const of = (used: number, limit: number | null) => (limit === null ? `${used}` : `${used} of ${limit}`);
  const models = one.models.filter(({ in_flight: n, limit }) => n > 0 || limit !== null);
  const told = [
    `${of(one.in_flight, one.limit)} in flight`,
    ...models.map(({ model, in_flight: n, limit }) => `${of(n, limit)} of them ${cleanText(model)}`),
    `${one.submits_per_second}${one.per_second_limit === null ? '' : ` of ${one.per_second_limit}`} sent a second`,
    `${formatUsd(one.usd_today)}${one.usd_per_day_limit === null ? '' : ` of ${formatUsd(one.usd_per_day_limit)}`} in 24 hours`,
  ];
  return `${cleanText(one.name ?? one.account)}: ${told.join(', ')}`;
}
