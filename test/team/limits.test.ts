/** What a team lets its key do holds at the service's own count: many leads in many processes, also while some of them are killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TeamDatabase } from '../../src/team/database/team-database.ts';
import { databaseForTests } from './team-world.ts';

const database = databaseForTests();
const SCHEMA = 'limits';
const PROCESS = fileURLToPath(new URL('lead-process.ts', import.meta.url));
const LIMITS = { inFlight: 6, perSecond: 20, ofOne: 4 };
const [FILMS, REQUESTS, PROCESSES] = [8, 6, 4];

/** A service that takes its time, and counts. */
class CountingService {
  readonly posts: { readonly name: string; readonly at: number }[] = [];
  mostAtOnce = 0;
  mostOfOne = 0;
  #underWay = new Map<string, { readonly model: string; readonly done: Promise<void> }>();
  readonly #ids = new Map<string, string>();
  #server: Server | undefined;

  async open(): Promise<string> {
    const server = createServer(async (request, response) => {
      const path = request.url ?? '';
      if (path.startsWith('/by-nonce/'))
        return response.end(JSON.stringify({ id: this.#ids.get(path.slice(10)) ?? null }));
      if (path.startsWith('/done/')) {
        await this.#underWay.get(path.slice(6))?.done;
        return response.end('{}');
      }
      let body = '';
      for await (const piece of request) body += piece;
      const { name, model, nonce } = JSON.parse(body) as { name: string; model: string; nonce: string };
      this.posts.push({ name, at: performance.now() });
      const id = `gen-${this.posts.length}`;
      const done = new Promise<void>(resolve => setTimeout(resolve, 100 + Math.random() * 250)).then(() => {
        this.#underWay.delete(id);
      });
      this.#underWay.set(id, { model, done });
      this.#ids.set(nonce, id);
      const all = [...this.#underWay.values()];
      this.mostAtOnce = Math.max(this.mostAtOnce, all.length);
      this.mostOfOne = Math.max(this.mostOfOne, all.filter(one => one.model === 'm0').length);
      setTimeout(() => response.end(JSON.stringify({ id })), Math.random() * 100);
    });
    this.#server = server;
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    return `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
  }

  /** The most POSTs in any second. */
  get mostInSecond(): number {
    return Math.max(
      ...this.posts.map(({ at }) => this.posts.filter(one => one.at >= at && one.at < at + 1_000).length),
    );
  }

  close(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }
}

let team: TeamDatabase;
let service: CountingService;
let address: string;
const processes = new Set<ChildProcess>();
beforeEach(async () => {
  team = new TeamDatabase({ url: database().url, schema: SCHEMA });
  await team.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE`);
  await team.migrate();
  await team.query(
    "INSERT INTO service_limit (account, name, in_flight, per_second) VALUES ('house', 'house', $1, $2)",
    [...[LIMITS.inFlight, LIMITS.perSecond]],
  );
  await team.query("INSERT INTO model_limit VALUES ('house', 'm0', $1)", [LIMITS.ofOne]);
  for (const film of films()) {
    await team.query("INSERT INTO film (id, project, path) VALUES ($1, 'project', $1)", [film]);
    await team.query("INSERT INTO run (id, film, service, source, shotlist) VALUES ($1, $2, 'house', '', '1')", [
      `run of ${film}`,
      film,
    ]);
  }
  service = new CountingService();
  address = await service.open();
});
afterEach(async () => {
  for (const one of processes) one.kill('SIGKILL');
  service.close();
  await team.close();
});
const films = () => [...Array(FILMS).keys()].map(n => `film-${n}`);

/** Leads these films until all are done. `kills`: how often its process is killed before, each after so many milliseconds. */
async function lead(these: readonly string[], kills: readonly number[]): Promise<void> {
  for (const after of [...kills, undefined]) {
    const child = spawn(process.execPath, [PROCESS, database().url, SCHEMA, address, String(REQUESTS), '2', ...these], {
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
  const names = service.posts.map(({ name }) => name);
  expect(new Set(names).size).toBe(FILMS * REQUESTS);
  // Nothing was sent twice.
  expect(names).toHaveLength(FILMS * REQUESTS);
  expect(service.mostAtOnce).toBeLessThanOrEqual(LIMITS.inFlight);
  expect(service.mostOfOne).toBeLessThanOrEqual(LIMITS.ofOne);
  expect(service.mostInSecond).toBeLessThanOrEqual(LIMITS.perSecond);
  // They are used, too.
  expect(service.mostAtOnce).toBeGreaterThanOrEqual(LIMITS.inFlight - 1);
});
