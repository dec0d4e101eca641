/** What a team lets its key do holds at the service's own count: many leads in many processes, also while some of them are killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TeamDatabase } from '../../src/team/database/team-database.ts';
import { ChaosService } from '../chaos/chaos-service.ts';
import { check, figures } from '../checker/check.ts';
import { databaseForTests } from './team-world.ts';

const database = databaseForTests();
const SCHEMA = 'limits';
const PROCESS = fileURLToPath(new URL('lead-process.ts', import.meta.url));
const LIMITS = { inFlight: 6, perSecond: 20, model: 'I-GEN-A', ofModel: 4 };
const [FILMS, REQUESTS, PROCESSES] = [8, 6, 4];

let team: TeamDatabase;
let service: ChaosService;
const processes = new Set<ChildProcess>();
beforeEach(async () => {
  team = new TeamDatabase({ url: database().url, schema: SCHEMA });
  await team.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE`);
  await team.migrate();
  await team.query(
    "INSERT INTO service_limit (account, name, in_flight, per_second) VALUES ('house', 'house', $1, $2)",
    [...[LIMITS.inFlight, LIMITS.perSecond]],
  );
  await team.query("INSERT INTO model_limit VALUES ('house', $1, $2)", [LIMITS.model, LIMITS.ofModel]);
  for (const film of films()) {
    await team.query("INSERT INTO film (id, project, path) VALUES ($1, 'project', $1)", [film]);
    await team.query("INSERT INTO run (id, film, service, source, shotlist) VALUES ($1, $2, 'house', '', '1')", [
      `run of ${film}`,
      film,
    ]);
  }
  service = await ChaosService.open(1);
  service.making = [100, 350];
});
afterEach(async () => {
  for (const one of processes) one.kill('SIGKILL');
  await service.close();
  await team.close();
});
const films = () => [...Array(FILMS).keys()].map(n => `film-${n}`);

/** Leads these films until all are done. `kills`: how often its process is killed before, each after so many milliseconds. */
async function lead(these: readonly string[], kills: readonly number[]): Promise<void> {
  for (const after of [...kills, undefined]) {
    const child = spawn(process.execPath, [PROCESS, database().url, SCHEMA, service.url, String(REQUESTS), ...these], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    processes.add(child);
    const timer = after === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), after);
    const code = await new Promise<number | null>(resolve => child.once('exit', resolve));
    clearTimeout(timer);
    processes.delete(child);
    if (code === 0) return;
    if (after === undefined) throw new Error(`a process that led films ended with ${code}`);
  }
}

test('eight leads in four processes, two of which are killed twice', async () => {
  const each = FILMS / PROCESSES;
  await Promise.all(
    [...Array(PROCESSES).keys()].map(n => lead(films().slice(n * each, (n + 1) * each), n < 2 ? [1_500, 1_500] : [])),
  );
  expect(service.submits).toBe(FILMS * REQUESTS);
  // Nothing is sent twice, and nothing beyond what the key may have.
  const { inFlight, perSecond, model, ofModel } = LIMITS;
  const rules = { inFlight, inFlightOf: { [model]: ofModel }, rates: [{ within: 1_000, most: perSecond }] };
  expect(check(service.door, rules)).toEqual([]);
  // What it may have is used, too.
  expect(figures(service.door).inFlight).toBeGreaterThanOrEqual(inFlight - 1);
});
