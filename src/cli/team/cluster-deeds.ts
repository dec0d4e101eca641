/** What `shotlist cluster` does, a function each. */

import type { Service } from '../../api/service.ts';
import { grantsSql, makeRolesSql } from '../../cluster/database/roles.ts';
import { TeamQueue } from '../../cluster/queue/team-queue.ts';
import { type LimitsGiven, type LimitsSet, limits, setLimits } from '../../cluster/runs/cluster-limits.ts';
import { clusterStatus } from '../../cluster/runs/cluster-status.ts';
import { prune, restored, restoredIsOver, unknownAmong } from '../../cluster/runs/upkeep.ts';
import { workersOfLate } from '../../cluster/runs/worker-rows.ts';
import { asTyped } from '../../domain/as-typed.ts';
import { formatUsd } from '../../domain/format.ts';
import { systemClock } from '../../host/clock.ts';
import type { Project } from '../../host/project.ts';
import type { Team } from '../../session/team/open-team.ts';
import { UsageError } from '../arguments.ts';
import type { Read } from '../command-line/read-arguments.ts';
import { CommandError } from '../errors/command-error.ts';
import type { ExitCode } from '../errors/exit-codes.ts';
import { print, say } from '../outlets.ts';
import { chooseServiceFor } from '../service/choose-service.ts';
import { indentedJson } from '../terminal/indented-json.ts';
import { prometheusText, statusLines } from './cluster-text.ts';
import { commandMessages as messages } from './command-messages.ts';

export type ClusterValues = Read<'cluster'>['values'];

interface Asked {
  readonly team: Team;
  readonly project: Project;
  readonly values: ClusterValues;
  readonly service: string | undefined;
}

export type Deed = 'init' | 'status' | 'limit' | 'prune' | 'restored';

export const DEEDS: { readonly [deed in Deed]: (asked: Asked) => Promise<ExitCode> } = {
  init,
  status,
  limit,
  prune: pruned,
  restored: ownedUp,
};

async function init({ team, values }: Asked): Promise<ExitCode> {
  if (values['print-sql']) {
    print(`${makeRolesSql()}\n${grantsSql()}`);
    return 0;
  }
  const { from, to } = await team.database.migrate();
  await TeamQueue.setUp({ url: team.url });
  await team.database.check();
  const hasRoles = await team.database.grantRoles();
  if (!hasRoles) say(messages.noRoles(team.name));
  if (values.json) print(`${indentedJson({ version: 1, tables: { from, to }, roles: hasRoles })}\n`);
  else if (from === 0) say(`the tables of team ${team.name} are made (version ${to}), and its queue`);
  else if (from === to) say(`the tables of team ${team.name} are those of this version already (${to})`);
  else say(`the tables of team ${team.name} are brought up from version ${from} to ${to}`);
  if (!values.json && from === 0) say(`next: shotlist worker --on ${asTyped(team.name)}`);
  return 0;
}

async function status({ team, values }: Asked): Promise<ExitCode> {
  await team.queue.start();
  const found = await clusterStatus(team.database, team.queue);
  if (values.prometheus) print(prometheusText(found));
  else if (values.json) print(`${indentedJson({ version: 1, ...found })}\n`);
  else for (const line of statusLines(found, team.name)) print(`${line}\n`);
  return 0;
}

async function limit({ team, project, values, service: name }: Asked): Promise<ExitCode> {
  const given = limitsIn(values);
  const isNothing = Object.keys(given).length === 1 && given.models.size === 0;
  if (name === undefined && !isNothing) throw new UsageError(messages.limitsOfWhat());
  if (name !== undefined) {
    const service = await serviceCalled(name, project);
    try {
      await setLimits(team.database, { account: service.account, name }, given);
    } finally {
      await service.close();
    }
  }
  const all = await limits(team.database);
  if (values.json) print(`${indentedJson({ version: 1, limits: all })}\n`);
  else if (all.length === 0)
    print(`no limits are set on ${team.name}: whatever the services and the settings of its workers allow\n`);
  else for (const one of all) print(`${limitsText(one)}\n`);
  return 0;
}

/** Its limits are those of its key, which is read here and goes nowhere. */
async function serviceCalled(name: string, project: Project): Promise<Service> {
  const choice = await chooseServiceFor(project, { service: name }, project.settingsFile);
  if (!choice.hosted) throw new UsageError(messages.studioHasNoLimits());
  if (choice.key === null || choice.key === undefined) throw new UsageError(messages.limitsNeedKey(name));
  return choice.connect();
}

function limitsIn(values: ClusterValues): LimitsGiven {
  const whole = (option: 'in-flight' | 'per-second') =>
    amountIn(option, values[option], /^[1-9]\d{0,8}$/, 'a whole number, 1 or more, or none');
  const found = {
    in_flight: whole('in-flight'),
    per_second: whole('per-second'),
    usd_per_day: amountIn('usd-per-day', values['usd-per-day'], /^\d+(\.\d+)?$/, 'US dollars, like 500, or none'),
  };
  const models = values.model.map(text => {
    const [, model, most] = /^(.+)=([^=]+)$/s.exec(text) ?? [];
    const amount = amountIn('model', most, /^[1-9]\d{0,8}$/, 'a model and a number, like V-T2V-A=8, or V-T2V-A=none');
    if (model === undefined || amount === undefined)
      throw new UsageError(messages.badNumber('model', text, 'a model and a number, like V-T2V-A=8'));
    return [model, amount] as const;
  });
  const given = Object.fromEntries(Object.entries(found).filter(([, amount]) => amount !== undefined));
  return { ...given, models: new Map(models) };
}

/** Null: taken away; undefined: not spoken of. */
function amountIn(option: string, text: string | undefined, form: RegExp, wanted: string): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === 'none') return null;
  if (form.test(text)) return Number(text);
  throw new UsageError(messages.badNumber(option, text, wanted));
}

function limitsText({
  name,
  account,
  in_flight: inFlight,
  per_second: perSecond,
  usd_per_day: usd,
  models,
}: LimitsSet): string {
  const told = [
    ...(inFlight === null ? [] : [`${inFlight} in flight`]),
    ...Object.entries(models).map(([model, most]) => `${most} of ${model}`),
    ...(perSecond === null ? [] : [`${perSecond} a second`]),
    ...(usd === null ? [] : [`${formatUsd(usd)} a day`]),
  ];
  return `${name} (${account}): ${told.length === 0 ? 'no limits' : told.join(', ')}`;
}

async function pruned({ team, values }: Asked): Promise<ExitCode> {
  const text = values.before;
  if (text === undefined) throw new UsageError('before when? shotlist cluster prune --before 2026-01-31');
  const before = new Date(`${text}T00:00:00Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(before.getTime()))
    throw new UsageError(messages.badNumber('before', text, 'a day, like 2026-01-31'));
  const { runs, events, told } = await prune(team.database, before);
  if (values.json) print(`${indentedJson({ version: 1, runs, events, told })}\n`);
  else
    say(
      `${runs} ${runs === 1 ? 'run' : 'runs'} before ${text}: ${events} events and ${told} told lines are deleted; results, what they cost and choices stay`,
    );
  return 0;
}

async function ownedUp({ team, project, values, service: name }: Asked): Promise<ExitCode> {
  const since = timeIn(values.since);
  if (values.over && (since !== null || values.force))
    throw new UsageError('--since and --force are for what begins the looking, and --over ends it');
  const service = name === undefined ? undefined : await serviceCalled(name, project);
  try {
    if (values.over) {
      await restoredIsOver(team.database, service?.account);
      if (values.json) print(`${indentedJson({ version: 1, over: true })}\n`);
      else say(messages.restoredIsOver(name));
      return 0;
    }
    const there = values.force ? [] : await workersOfLate(team.database);
    if (there.length > 0) throw new CommandError(2, messages.workersAreThere(there, team.name));
    const { films, held, newest } = await restored(team.database, since);
    const found = service && (await sentSince(service, newest ?? 0, team));
    if (values.json) print(`${indentedJson({ version: 1, films, held, newest, unknown: found ?? null })}\n`);
    else {
      say(`whoever led one of ${films} ${films === 1 ? 'film' : 'films'} before writes nothing more of it`);
      if (newest !== null) say(messages.restoredSince(newest));
      for (const { id, model, at } of found ?? [])
        say(`sent since then, and not known here: ${id} (${model ?? 'model not told'}${at === null ? '' : `, ${at}`})`);
      if (found?.length === 0) say(`${name} lists nothing since then that is not known here`);
      say(messages.restoredIsLookedFor(team.name));
      if (found === undefined) say(messages.restoredWithoutService(team.name));
      for (const run of held) say(`held: ${run}; to let it go on: shotlist resume ${run} --on ${asTyped(team.name)}`);
    }
    return found !== undefined && found.length > 0 ? 1 : 0;
  } finally {
    await service?.close();
  }
}

/** Unix milliseconds; null: none was said. */
function timeIn(text: string | undefined): number | null {
  if (text === undefined) return null;
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (Number.isNaN(time) || time > systemClock.now()) throw new UsageError(messages.badTime(text));
  return time;
}

interface SentSince {
  readonly id: string;
  readonly model: string | null;
  readonly at: string | null;
}

/** Generations of the service's history that were enqueued since then, and that no film of the team has. */
async function sentSince(service: Service, newest: number, { database }: Team): Promise<readonly SentSince[]> {
  // A service's clock may be behind ours.
  const since = Math.floor(newest / 1000) - 600;
  const answer = await service.history(AbortSignal.timeout(120_000), { since });
  if (answer.is !== 'ok') throw new CommandError(6, answer.message);
  const rows = answer.value.filter(({ enqueued_at: at }) => at === undefined || at >= since);
  const unknown = await unknownAmong(
    database,
    rows.map(({ generation_id: id }) => id),
  );
  return rows
    .filter(({ generation_id: id }) => unknown.has(id))
    .map(({ generation_id: id, model_name: model = null, enqueued_at: at }) => {
      return { id, model, at: at === undefined ? null : new Date(at * 1000).toISOString() };
    });
}
