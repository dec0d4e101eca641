/** `shotlist team list --on TEAM`: the team's runs, newest first. */

import { amountOf, billedBy, isFree, moneyOf, type RunMoney, unsettledText } from '../../../model/run/run-money.ts';
import { asTyped, cleanText } from '../../../model/text/clean.ts';
import { formatUsd } from '../../../model/text/format.ts';
import { type ListedRun, runRows } from '../../../team/runs/run-rows.ts';
import { nothingBehind } from '../../arguments.ts';
import { command } from '../../command-line/read-arguments.ts';
import { jsonText, print } from '../../outlets.ts';
import { tableText, timeText } from '../../report/show-report.ts';
import { withTeam } from '../../team/on-team.ts';

const FEW = 20;
const MANY = 200;

export const main = command('team list', async ({ values, positionals }) => {
  nothingBehind(positionals, 'team list', 'no file');
  return withTeam(values, async team => {
    const runs = await runRows(team.database, { most: values.all ? MANY : FEW });
    print(values.json ? jsonText({ version: 1, runs: runs.map(runsJson) }) : runsText(runs, team.name));
    return 0;
  });
});

export function runsText(runs: readonly ListedRun[], team: string): string {
  if (runs.length === 0)
    return `nothing was handed in to ${team} yet: shotlist team submit FILE --on ${asTyped(team)}\n`;
  return tableText(runs.map(cellsOf));
}

function cellsOf(run: ListedRun): readonly string[] {
  const { id, path, profile, askedBy, createdAt, price, outcome, service } = run;
  const usd = isFree(run) ? 'free' : costText(moneyOf(outcome ?? { usd: 0 }), price ?? 0);
  return [
    ...[id, statusText(run), `${path}${profile === null ? '' : ` in ${profile}`}`],
    ...[askedBy, timeText(createdAt), service, usd],
  ].map(cleanText);
}

/** What it came to; before anything is spent or sent, what it was planned to come to. */
function costText(money: RunMoney, planned: number): string {
  const unsettled = unsettledText(money);
  if (money.usd > 0 || unsettled !== '') return `${formatUsd(money.usd)}${unsettled}`;
  return planned > 0 ? `about ${formatUsd(planned)}` : '';
}

function statusText({ status, leader, stop, outcome, priority }: ListedRun): string {
  if (status === 'queued') return priority === 0 ? 'queued' : `queued, priority ${priority}`;
  if (status === 'led') return `${stop === null ? 'led by' : 'being ended by'} ${cleanText(leader ?? '?')}`;
  if (status === 'failed' && outcome && outcome.is !== 'failed') return `failed: ${outcome.is}`;
  return status;
}

export const runsJson = ({ outcome, ...run }: ListedRun) => ({
  ...{ run: run.id, status: run.status, pipeline: run.path, profile: run.profile, project: run.project },
  ...{ service: run.service, asked_by: run.askedBy, priority: run.priority, usd_planned: run.price },
  ...{ outcome: outcome?.is ?? null, ...(outcome ? billedBy(run, amountOf(outcome)) : { usd: null }) },
  ...{ in_flight: outcome?.in_flight ?? null, perhaps: outcome?.perhaps ?? null, reason: outcome?.reason ?? null },
  ...{ leader: run.leader, handed_in_at: new Date(run.createdAt).toISOString() },
  changed_at: new Date(run.changedAt).toISOString(),
});
