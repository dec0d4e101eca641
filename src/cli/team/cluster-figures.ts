/** What is told of a team's work, a row each: as a figure for Prometheus, and in words for a person where it says something. */
import { type AccountStatus, ALIVE, type ClusterStatus } from '../../cluster/runs/cluster-status.ts';
import { asTyped } from '../../domain/as-typed.ts';
import { cleanText } from '../../domain/clean.ts';
import { formatSeconds, formatUsd } from '../../domain/format.ts';

interface Figure {
  /** Of the metric, behind `shotlist_`. */
  readonly name: string;
  readonly about: string;
  readonly values: (status: ClusterStatus) => readonly Value[];
  /** Lines for a person; absent: another row's words have it. */
  readonly words?: (status: ClusterStatus, team: string) => readonly string[];
}

export interface Value {
  readonly labels?: { readonly [label: string]: string };
  readonly value: number;
}

const one = (value: number): readonly Value[] => [{ value }];
const ofAccounts =
  (values: (account: AccountStatus) => readonly Value[]) =>
  ({ accounts }: ClusterStatus): readonly Value[] =>
    accounts.flatMap(account =>
      values(account).map(({ labels, value }) => ({ labels: { account: account.account, ...labels }, value })),
    );
/** A line where there is something to tell. */
const unlessNone = (count: number, single: string, many: string): readonly string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? single : many}`];

export const FIGURES: readonly Figure[] = [
  {
    name: 'workers',
    about: 'Workers heard of in the last minute.',
    values: ({ workers }) => one(workers.filter(({ silent }) => silent < ALIVE).length),
    words: ({ workers }, team) =>
      workers.length === 0 ? [`no worker: shotlist team worker --on ${team}`] : workers.map(workerText),
  },
  {
    name: 'runs',
    about: 'Runs by status.',
    values: ({ runs }) => Object.entries(runs).map(([status, value]) => ({ labels: { status }, value })),
    words: ({ runs, oldest_queued: oldest }) => {
      const counts = Object.entries(runs).flatMap(([status, n]) => (n === 0 ? [] : [`${n} ${status}`]));
      const waits = oldest === null ? '' : `; the oldest that waits for its turn has waited ${formatSeconds(oldest)}`;
      return [`runs: ${counts.length === 0 ? 'none' : counts.join(', ')}${waits}`];
    },
  },
  {
    name: 'oldest_queued_seconds',
    about: 'How long the oldest run has waited for its turn.',
    values: ({ oldest_queued: oldest }) => one(oldest ?? 0),
  },
  {
    name: 'in_flight',
    about: 'Generations under way.',
    values: ofAccounts(({ models }) => models.map(({ model, in_flight: value }) => ({ labels: { model }, value }))),
    words: ({ accounts }) => accounts.map(accountText),
  },
  {
    name: 'in_flight_limit',
    about: 'Generations that may be under way.',
    values: ofAccounts(({ models, limit }) => [
      ...(limit === null ? [] : [{ labels: { model: '' }, value: limit }]),
      ...models.flatMap(({ model, limit: most }) => (most === null ? [] : [{ labels: { model }, value: most }])),
    ]),
  },
  {
    name: 'submits_per_second',
    about: 'Requests a second, of the last ten.',
    values: ofAccounts(({ submits_per_second: value }) => one(value)),
  },
  {
    name: 'usd_day',
    about: 'US dollars of the last 24 hours.',
    values: ofAccounts(({ usd_today: value }) => one(value)),
  },
  {
    name: 'debts',
    about: 'Requests that nobody can tell the fate of.',
    values: ({ debts }) => one(debts),
    words: ({ debts, debt_runs: runs }, team) => [
      ...unlessNone(debts, 'request has an unknown outcome', 'requests have an unknown outcome'),
      ...runs.map(
        run => `  what is open, and the command that goes on: shotlist team status ${run} --on ${asTyped(team)}`,
      ),
    ],
  },
  {
    name: 'jobs_retried',
    about: 'Jobs that wait to be tried again.',
    values: ({ retried }) => one(retried),
    words: ({ retried }) => unlessNone(retried, 'job waits to be tried again', 'jobs wait to be tried again'),
  },
  {
    name: 'jobs_given_up',
    about: 'Jobs that were given up.',
    values: ({ given_up: value }) => one(value),
    words: ({ given_up: value }) => unlessNone(value, 'job was given up', 'jobs were given up'),
  },
  {
    name: 'connections',
    about: 'Connections to the database.',
    values: ({ connections }) => one(connections),
    words: ({ connections, most_connections: most }) => [`connections: ${connections} of ${most}`],
  },
  {
    name: 'connections_limit',
    about: 'Connections that the database allows.',
    values: ({ most_connections: most }) => one(most),
  },
];

function workerText({ name, shotlist, does, leads, hands, silent }: ClusterStatus['workers'][number]): string {
  const duties = [
    ...(does.includes('lead') ? [`leads ${leads} ${leads === 1 ? 'run' : 'runs'}`] : []),
    ...(does.includes('hand') ? [`does up to ${hands} commands`] : []),
  ];
  const heard = silent < ALIVE ? '' : `; not heard of for ${formatSeconds(silent)}`;
  return `worker ${cleanText(name)} (${cleanText(shotlist)}): ${duties.join(', ')}${heard}`;
}

function accountText(account: AccountStatus): string {
  const of = (used: number, limit: number | null) => (limit === null ? `${used}` : `${used} of ${limit}`);
  const models = account.models.filter(({ in_flight: n, limit }) => n > 0 || limit !== null);
  const perSecond = account.per_second_limit === null ? '' : ` of ${account.per_second_limit}`;
  const perDay = account.usd_per_day_limit === null ? '' : ` of ${formatUsd(account.usd_per_day_limit)}`;
  const told = [
    `${of(account.in_flight, account.limit)} in flight`,
    ...models.map(({ model, in_flight: n, limit }) => `${of(n, limit)} of them ${cleanText(model)}`),
    `${account.submits_per_second}${perSecond} sent a second`,
    `${formatUsd(account.usd_today)}${perDay} in 24 hours`,
  ];
  return `${cleanText(account.name ?? account.account)}: ${told.join(', ')}`;
}
