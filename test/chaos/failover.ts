/**
 * `npm run failover -- [--steps 1000] [--runs 10] [--workers 3] [--behind 5] [--lag 0] [--seed 1]`: the primary of a team's database dies while so
 * many steps are paid for in all. A worker dies with it, an asynchronous standby that is `--behind` seconds behind is promoted, and a worker
 * joins that never saw the lost seconds. `--lag`: seconds after which the service lists what it was given; above 0 its list is not trusted, and
 * others use the key too. Counted is what the service saw at its door. It runs `dist/`, made afresh.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Started } from '../e2e/stage.ts';
import { TeamStage } from '../e2e/team-world.ts';
import { type CuttingProxy, cuttingProxy } from '../support/cutting-proxy.ts';
import { onServer, type PostgresServer, startPostgres, startStandby } from '../support/postgres.ts';
import { createDatabase, urlOf } from '../team/test-database.ts';
import { CHAOS_KEY, ChaosService } from './chaos-service.ts';
import { faultsOfRuns, isOpen, type RunSeen } from './team-audit.ts';
import { paidFilm } from './team-film.ts';

interface FailoverOptions {
  readonly runs: number;
  /** Paid steps of each run. */
  readonly steps: number;
  readonly workers: number;
  /** Seconds that the standby is behind when the primary dies. */
  readonly behind: number;
  /** Seconds after which what is not done is stuck. */
  readonly most: number;
}

interface FailoverResult {
  /** Requests that were paid for, and whose rows the standby had not. */
  readonly lost: number;
  /** How often the database counted as restored. */
  readonly restored: number;
  readonly seconds: number;
  readonly faults: readonly string[];
}

interface World {
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
  readonly stream: CuttingProxy;
  readonly address: CuttingProxy;
  readonly service: ChaosService;
  readonly stage: TeamStage;
}

class Failover {
  readonly #options: FailoverOptions;
  readonly #world: World;
  readonly #began = performance.now();
  readonly #workers = new Map<string, Started>();
  readonly #standbyUrl: string;

  constructor(options: FailoverOptions, world: World) {
    this.#options = options;
    this.#world = world;
    this.#standbyUrl = urlOf(world.standby.url, new URL(world.address.url).pathname.slice(1));
  }

  async toEnd(): Promise<FailoverResult> {
    const { runs, steps, workers, behind, most } = this.#options;
    const { primary, standby, stream, address, service, stage } = this.#world;
    for (let n = 0; n < workers; n++) await this.#join();
    for (let film = 1; film <= runs; film++) {
      stage.write(`film-${film}.yaml`, paidFilm(film, steps / 2));
      await stage.submit(`film-${film}.yaml`);
    }
    await this.#until(() => service.submits >= (runs * steps) / 4);
    stream.shut();
    this.#tell(`the standby hears nothing more; ${service.submits} paid for`);
    await sleep(behind * 1_000);
    const [led] = await this.#rows<{ leader: string; n: number }>(
      "SELECT leader, count(*)::int AS n FROM run WHERE status = 'led' GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
    );
    this.#workers.get(led?.leader ?? '')?.child.kill('SIGKILL');
    await primary.kill();
    // What was on its way arrives.
    await sleep(1_000);
    const paid = service.submits;
    const promoted = await onServer(standby.url, async client => {
      await client.query('SELECT pg_promote()');
    }).then(() =>
      this.#rows<{ n: number }>('SELECT count(*)::int AS n FROM submission WHERE generation_id IS NOT NULL'),
    );
    const lost = paid - (promoted[0]?.n ?? 0);
    address.moveTo(this.#standbyUrl);
    this.#tell(
      `the primary and a worker that leads ${led?.n ?? 0} runs are dead, the standby is promoted; ${paid} paid for, ${lost} of them lost`,
    );
    await this.#join();
    await this.#ended(most);
    const [restored] = await this.#rows<{ n: number }>('SELECT count(*)::int AS n FROM shotlist.restored');
    const ended = await this.#runs();
    const faults = [...service.doubles.map(double => `double: ${double}`), ...faultsOfRuns(ended)];
    const reasons = await this.#rows<{ reason: string }>(
      "SELECT DISTINCT body::jsonb -> 'failure' ->> 'message' AS reason FROM event WHERE type = 'failed' LIMIT 5",
    );
    for (const { reason } of reasons) faults.push(`failed: ${reason}`);
    const missing = runs * steps - service.submits;
    if (missing !== 0) faults.push(`lost: ${missing} of ${runs * steps} were never taken`);
    const seconds = (performance.now() - this.#began) / 1_000;
    return { lost, restored: restored?.n ?? 0, seconds, faults };
  }

  async #join(): Promise<void> {
    const name = `worker-${this.#workers.size + 1}`;
    const { stage } = this.#world;
    const process = stage.start(
      ...['team', 'worker', '--on', 'house', '--folder', join(stage.folder, name), '--name', name],
      ...['--hands', '2'],
    );
    await process.line(/^ready: /m);
    this.#workers.set(name, process);
  }

  async #ended(most: number): Promise<void> {
    const { service } = this.#world;
    let told = performance.now();
    await this.#until(async () => {
      const open = (await this.#runs().catch(() => [])).filter(isOpen);
      if (performance.now() - told > 20_000) {
        told = performance.now();
        this.#tell(`${open.length} open, ${service.submits} paid for, ${service.doubles.length} doubled`);
      }
      return open.length === 0 || performance.now() - this.#began > most * 1_000;
    });
  }

  #runs(): Promise<readonly RunSeen[]> {
    return this.#rows<RunSeen>("SELECT id, status, leader, outcome ->> 'reason' AS reason FROM shotlist.run");
  }

  #rows<Row>(sql: string): Promise<readonly Row[]> {
    return onServer(
      this.#standbyUrl,
      async client => (await client.query(`SET search_path = shotlist; ${sql}`)) as unknown,
    ).then(results => (results as readonly { readonly rows: readonly Row[] }[]).at(-1)?.rows ?? []);
  }

  async #until(holds: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await holds())) await sleep(100);
  }

  #tell(line: string): void {
    console.log(`${((performance.now() - this.#began) / 1_000).toFixed(1).padStart(6)} s  ${line}`);
  }
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '10' },
    steps: { type: 'string', default: '1000' },
    workers: { type: 'string', default: '3' },
    behind: { type: 'string', default: '5' },
    lag: { type: 'string', default: '0' },
    'at-most': { type: 'string', default: '1800' },
  },
});
const [runs, lag] = [Number(values.runs), Number(values.lag)];

await using after = new AsyncDisposableStack();
const primary = await startPostgres('durable');
after.defer(() => primary.stop());
const stream = await cuttingProxy(primary.url);
after.defer(() => stream.close());
const standby = await startStandby(primary, stream.url);
after.defer(() => standby.stop());
const { url, programs } = await createDatabase(primary);
const address = await cuttingProxy(url);
after.defer(() => address.close());
const service = await ChaosService.open(Number(values.seed));
after.defer(() => service.close());
service.lag = lag * 1_000;
const services = `services: { house: { url: "${service.url}", key_env: CHAOS_KEY } }\nservice: house\n`;
const stage = TeamStage.at({ url: address.url, programs }, `${services}${lag > 0 ? '' : 'history: trusted\n'}`);
stage.env = { CHAOS_KEY };
stage.films = 'drawn anew';
after.defer(() => stage.killAll());
const options = {
  ...{ runs, steps: Number(values.steps) / runs, workers: Number(values.workers) },
  ...{ behind: Number(values.behind), most: Number(values['at-most']) },
};
const { lost, restored, seconds, faults } = await new Failover(options, {
  ...{ primary, standby, stream, address, service, stage },
}).toEnd();
const rows: readonly (readonly [name: string, value: string])[] = [
  ['paid for', `${service.submits} of ${Number(values.steps)}`],
  ['paid for twice', String(service.doubles.length)],
  ['rows lost', `${lost} requests; counted as restored ${restored} times`],
  ['duration', `${Math.round(seconds)} s; seed ${values.seed}, the service lists after ${lag} s`],
];
for (const [name, value] of rows) console.log(`${name.padEnd(24)}${value}`);
for (const fault of faults) console.log(`FAULT ${fault}`);
if (faults.length === 0) stage.dispose();
else console.log(`kept: ${stage.folder}`);
process.exitCode = faults.length > 0 ? 1 : 0;
