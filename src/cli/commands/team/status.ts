/** `shotlist team status [RUN]`: who works, what a team has under way, what is sent and spent; or one run of it. */

import { systemClock } from '../../../machine/time/clock.ts';
import { asTyped, cleanText } from '../../../model/text/clean.ts';
import { counted, formatSeconds, formatUsd } from '../../../model/text/format.ts';
import type { FilmStatus } from '../../../show/text/status/film-status.ts';
import { statusText } from '../../../show/text/status/status-text.ts';
import type { Team } from '../../../team/client/open-team.ts';
import { statusOfTeamRun } from '../../../team/client/team-run-status.ts';
import { type AccountStatus, ALIVE, type ClusterStatus, clusterStatus } from '../../../team/runs/cluster-status.ts';
import { runRows } from '../../../team/runs/run-rows.ts';
import { nothingBehind, UsageError } from '../../arguments.ts';
import { command } from '../../command-line/read-arguments.ts';
import { cutWidth, jsonText, print } from '../../outlets.ts';
import { commandMessages as messages } from '../../team/command-messages.ts';
import { mistakenRun, withTeam } from '../../team/on-team.ts';

/** Runs that are shown in full: all events of each are read. */
const MOST = 20;
export const main = command('team status', async ({ values, positionals }) => {
  const [id, ...more] = positionals;
  nothingBehind(more, 'team status', 'one run');
  const { json, format } = values;
  const isFigures = format === 'prometheus';
  if (isFigures && (json || id !== undefined))
    throw new UsageError(`--format prometheus prints the figures of the team; leave ${json ? '--json' : id} out`);
  return withTeam(values, async (team, project) => {
    const figures = id === undefined ? await figuresOf(team) : undefined;
    if (figures && isFigures) {
      print(prometheusText(figures));
      return 0;
    }
    const open = id === undefined ? await runRows(team.database, { most: 1_000, open: true }) : [];
    const wanted = id === undefined ? open.slice(0, MOST).map(run => run.id) : [id];
    const films: FilmStatus[] = [];
    for (const one of wanted) {
      const film = await statusOfTeamRun(one, { team, project });
      // It may have been deleted a moment ago; one that was asked for is missed.
      if (!film && id !== undefined) return await mistakenRun(team, id, 'team status');
      if (film) films.push(film);
    }
    const left = open.length - wanted.length;
    if (json) print(jsonText({ version: 1, ...figures, films, more: open.length - films.length }));
    else print([...(figures ? [...statusLines(figures, team.name), ''] : []), filmsText(films, team, left)].join('\n'));
    return 0;
  });
});

async function figuresOf(team: Team): Promise<ClusterStatus> {
  await team.queue.start();
  return clusterStatus(team.database, team.queue);
}

function filmsText(films: readonly FilmStatus[], team: Team, left: number): string {
  if (films.length === 0) return `${messages.nothingUnderWay(team.name)}\n`;
  const text = statusText(films, systemClock.now(), cutWidth());
  return left > 0 ? `${text}\n${messages.moreUnderWay(left, team.name)}\n` : text;
}

type Figure = readonly [
  /** Of the metric, behind `shotlist_`. */
  name: string,
  about: string,
  values: (status: ClusterStatus) => readonly Value[],
  /** Lines for a person; absent: another row's words have it. */
  words?: (status: ClusterStatus, team: string) => readonly string[],
];

interface Value {
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
/** A line with the count, or none for 0. */
const unlessNone = (count: number, single: string, many: string): readonly string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? single : many}`];

const FIGURES: readonly Figure[] = [
  [
    'workers',
    'Workers heard of in the last minute.',
    ({ workers }) => one(workers.filter(({ silent }) => silent < ALIVE).length),
    ({ workers }, team) =>
      workers.length === 0 ? [`no worker: shotlist team worker --on ${team}`] : workers.map(workerText),
  ],
  [
    'runs',
    'Runs by status.',
    ({ runs }) => Object.entries(runs).map(([status, value]) => ({ labels: { status }, value })),
    ({ runs, oldest_queued: oldest }) => {
      const counts = Object.entries(runs).flatMap(([status, n]) => (n === 0 ? [] : [`${n} ${status}`]));
      const waits = oldest === null ? '' : `; the oldest that waits for its turn has waited ${formatSeconds(oldest)}`;
      return [`runs: ${counts.length === 0 ? 'none' : counts.join(', ')}${waits}`];
    },
  ],
  [
    'oldest_queued_seconds',
    'How long the oldest run has waited for its turn.',
    ({ oldest_queued: oldest }) => one(oldest ?? 0),
  ],
  [
    'in_flight',
    'Generations under way.',
    ofAccounts(({ models }) => models.map(({ model, in_flight: value }) => ({ labels: { model }, value }))),
    ({ accounts }) => accounts.map(accountText),
  ],
  [
    'in_flight_limit',
    'Generations that may be under way.',
    ofAccounts(({ models, limit }) => [
      ...(limit === null ? [] : [{ labels: { model: '' }, value: limit }]),
      ...models.flatMap(({ model, limit: most }) => (most === null ? [] : [{ labels: { model }, value: most }])),
    ]),
  ],
  [
    'submits_per_second',
    'Requests a second, of the last ten.',
    ofAccounts(({ submits_per_second: value }) => one(value)),
  ],
  ['usd_day', 'US dollars of the last 24 hours.', ofAccounts(({ usd_today: value }) => one(value))],
  [
    'debts',
    'Requests of unknown outcome.',
    ({ debts }) => one(debts),
    ({ debts, debt_runs: runs }, team) => [
      ...unlessNone(debts, 'request has an unknown outcome', 'requests have an unknown outcome'),
      ...runs.map(
        run => `  what is open, and the command that goes on: shotlist team status ${run} --on ${asTyped(team)}`,
      ),
    ],
  ],
  [
    'jobs_retried',
    'Jobs that wait to be tried again.',
    ({ retried }) => one(retried),
    ({ retried }) => unlessNone(retried, 'job waits to be tried again', 'jobs wait to be tried again'),
  ],
  [
    'jobs_given_up',
    'Jobs that were given up.',
    ({ given_up: value }) => one(value),
    ({ given_up: value }) => unlessNone(value, 'job was given up', 'jobs were given up'),
  ],
  [
    'connections',
    'Connections to the database.',
    ({ connections }) => one(connections),
    ({ connections, most_connections: most }) => [`connections: ${connections} of ${most}`],
  ],
  ['connections_limit', 'Connections that the database allows.', ({ most_connections: most }) => one(most)],
];

function workerText({ name, shotlist, does, leads, hands, silent }: ClusterStatus['workers'][number]): string {
  const duties = [
    ...(does.includes('lead') ? [`leads ${counted(leads, 'run')}`] : []),
    ...(does.includes('hand') ? [`does up to ${hands} commands`] : []),
  ];
  const silence = silent < ALIVE ? '' : `; not heard of for ${formatSeconds(silent)}`;
  return `worker ${cleanText(name)} (${cleanText(shotlist)}): ${duties.join(', ')}${silence}`;
}

function accountText(account: AccountStatus): string {
  const of = (used: number, limit: number | null) => (limit === null ? `${used}` : `${used} of ${limit}`);
  const models = account.models.filter(({ in_flight: n, limit }) => n > 0 || limit !== null);
  const perSecond = account.per_second_limit === null ? '' : ` of ${account.per_second_limit}`;
  const perDay = account.usd_per_day_limit === null ? '' : ` of ${formatUsd(account.usd_per_day_limit)}`;
  const parts = [
    `${of(account.in_flight, account.limit)} in flight`,
    ...models.map(({ model, in_flight: n, limit }) => `${of(n, limit)} of them ${cleanText(model)}`),
    `${account.submits_per_second}${perSecond} sent a second`,
    `${formatUsd(account.usd_today)}${perDay} in 24 hours`,
  ];
  return `${cleanText(account.name ?? account.account)}: ${parts.join(', ')}`;
}

export const statusLines = (status: ClusterStatus, team: string): readonly string[] =>
  FIGURES.flatMap(([, , , words]) => words?.(status, team) ?? []);

/** In its text format. */
export const prometheusText = (status: ClusterStatus): string =>
  FIGURES.map(([name, about, values]) => ({ name, about, values: values(status) }))
    .filter(({ values }) => values.length > 0)
    .map(({ name, about, values }) =>
      [
        `# HELP shotlist_${name} ${about}`,
        `# TYPE shotlist_${name} gauge`,
        ...values.map(one => `shotlist_${name}${labelsText(one)} ${one.value}`),
        '',
      ].join('\n'),
    )
    .join('');

function labelsText({ labels = {} }: Value): string {
  const texts = Object.entries(labels).map(([name, text]) => `${name}=${quoted(text)}`);
  return texts.length === 0 ? '' : `{${texts.join(',')}}`;
}

const quoted = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
