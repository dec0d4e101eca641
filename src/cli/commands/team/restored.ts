/** `shotlist team restored SERVICE`: a backup of the database was restored, and what was sent since is looked for. */
import type { Service } from '../../../api/service.ts';
import { systemClock } from '../../../machine/time/clock.ts';
import { asTyped } from '../../../model/text/clean.ts';
import { counted } from '../../../model/text/format.ts';
import type { Team } from '../../../team/client/open-team.ts';
import { restored, restoredIsOver, unknownAmong } from '../../../team/runs/upkeep.ts';
import { workersOfLate } from '../../../team/runs/worker-rows.ts';
import { storeMark } from '../../../team/worker/store-mark.ts';
import { nothingBehind, UsageError } from '../../arguments.ts';
import { command } from '../../command-line/read-arguments.ts';
import { CommandError } from '../../errors/command-error.ts';
import type { ExitCode } from '../../errors/exit-codes.ts';
import { jsonText, print, sayLine } from '../../outlets.ts';
import { commandMessages as messages } from '../../team/command-messages.ts';
import { withTeam } from '../../team/on-team.ts';
import { serviceWithKey } from '../../team/service-named.ts';

export const main = command('team restored', async ({ values, positionals }) => {
  const [time, ...late] = positionals.filter(isTime);
  const [name, ...more] = positionals.filter(word => !isTime(word));
  nothingBehind([...more, ...late], 'team restored', 'a service and a time');
  const { json, force, forget } = values;
  const since = timeIn(time);
  if (forget && (since !== null || force))
    throw new UsageError('TIME and --force are for what begins the looking, and --forget ends it');
  return withTeam(values, async (team, project) => {
    const service = name === undefined ? undefined : await serviceWithKey(name, project);
    try {
      if (!forget) return await lookedFor({ team, service, name, since, force, json });
      await restoredIsOver(team.database, service?.account);
      if (json) print(jsonText({ version: 1, over: true }));
      else sayLine(messages.restoredIsOver(name));
      return 0;
    } finally {
      await service?.close();
    }
  });
});

interface Looking {
  readonly team: Team;
  readonly service: Service | undefined;
  readonly name: string | undefined;
  /** Unix milliseconds; null: the newest that the database knows of. */
  readonly since: number | null;
  readonly force: boolean;
  readonly json: boolean;
}

async function lookedFor({ team, service, name, since, force, json }: Looking): Promise<ExitCode> {
  const there = force ? [] : await workersOfLate(team.database);
  if (there.length > 0) throw new CommandError(2, messages.workersAreThere(there, team.name));
  await using mark = await storeMark(team);
  const remembered = await mark?.remembered();
  const generation = typeof remembered === 'object' ? remembered.generation : 0;
  const { films, held, newest } = await restored(team.database, since, generation);
  await mark?.compare();
  const found = service && (await sentSince(service, newest ?? 0, team));
  if (json) print(jsonText({ version: 1, films, held, newest, unknown: found ?? null }));
  else {
    sayLine(`earlier leads of ${counted(films, 'film')} write nothing more`);
    if (newest !== null) sayLine(messages.restoredSince(newest));
    for (const { id, model, at } of found ?? [])
      sayLine(
        `sent since then, and not known here: ${id} (${model ?? 'model unknown'}${at === null ? '' : `, ${at}`})`,
      );
    if (found?.length === 0) sayLine(`${name} lists nothing since then that is not known here`);
    sayLine(messages.restoredIsLookedFor(team.name));
    if (found === undefined) sayLine(messages.restoredWithoutService(team.name));
    for (const run of held)
      sayLine(`held: ${run}; to let it go on: shotlist team resume ${run} --on ${asTyped(team.name)}`);
  }
  return found !== undefined && found.length > 0 ? 1 : 0;
}

/** No service is called so. */
const isTime = (word: string): boolean => /^\d{4}-\d/.test(word);

/** Unix milliseconds; null: no time was given. */
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
    service.account,
  );
  return rows
    .filter(({ generation_id: id }) => unknown.has(id))
    .map(({ generation_id: id, model_name: model = null, enqueued_at: at }) => {
      return { id, model, at: at === undefined ? null : new Date(at * 1000).toISOString() };
    });
}
