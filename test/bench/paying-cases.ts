/**
 * What a paid step of a team costs: workers as processes, a PostgreSQL server of their own, and a service that makes each picture in 20 ms. Commits
 * and CPU are counted from the first submission to the last result; they mean something on a busy machine as well, steps a second only on a calm one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { TeamDatabase } from '../../src/team/database/team-database.ts';
import { TeamStage } from '../e2e/team-world.ts';
import { processorTimeOf } from '../support/processor-of.ts';
import { pictures } from './films.ts';
import { type Bench, type Case, type Measured, peak, run } from './measure.ts';
import { queueStub } from './queue-stub.ts';

/** Milliseconds that the service takes for a picture. */
const TAKES = 20;
const FILMS_OF_WORKER = 2;

export const payingCases: readonly Case[] = [
  ...[1, 2, 4].map(workers => ({
    name: `paid steps of a team, ${workers} ${workers === 1 ? 'worker' : 'workers'}`,
    measure: (bench: Bench) => paidSteps(bench, workers),
  })),
  { name: 'takeover of a team', measure: takeovers },
  { name: 'a team of many paid steps', measure: looks },
];

/** What was counted up to a moment. */
interface Count {
  readonly at: number;
  readonly steps: number;
  readonly commits: number;
  /** Milliseconds of CPU. */
  readonly workers: number;
  readonly postgres: number;
}

async function paidSteps({ quick }: Bench, workers: number): Promise<readonly Measured[]> {
  const steps = quick ? 400 : 1_600;
  await using team = await Team.open();
  const films = workers * FILMS_OF_WORKER;
  for (let film = 1; film <= films; film++) await team.submit(film, steps / films);
  const started = Array.from({ length: workers }, () =>
    team.stage.worker('--leads', String(FILMS_OF_WORKER), '--hands', '2'),
  );
  const pids = (await Promise.all(started)).map(({ child }) => child.pid ?? 0);
  const begun = performance.now();
  while ((await team.steps()) < 1) await team.pause(begun);
  const counts: Count[] = [await team.count(pids)];
  let connections = 0;
  for (;;) {
    await team.pause(begun);
    connections = Math.max(connections, await team.connections());
    const count = await team.count(pids);
    counts.push(count);
    if (count.steps >= steps) break;
  }
  const name = `paid step of a team, ${workers} ${workers === 1 ? 'worker' : 'workers'}`;
  const all = each(counts[0], counts.at(-1));
  const quarter = (part: number) => counts.findIndex(({ steps: done }) => done >= steps * part);
  const [first, last] = [each(counts[0], counts[quarter(0.25)]), each(counts[quarter(0.75)], counts.at(-1))];
  return [
    { name: `${name}, commits`, ours: [all.commits], unit: 'commits', aim: 3 },
    {
      ...{ name: `${name}, CPU`, ours: [all.workers + all.postgres], unit: 'ms', aim: 9 },
      note: `worker ${tenth(all.workers)}, PostgreSQL ${tenth(all.postgres)}; ${Math.round(all.aSecond)} steps a second (aim 150 with 2 and 4 workers); CPU of a step in the last quarter ${tenth((last.workers + last.postgres) / (first.workers + first.postgres))} × that in the first`,
    },
    { name: `${name}, connections of a worker`, ours: [connections / workers], unit: 'connections', aim: 4 },
  ];
}

/** From the death of a worker, which says nothing, to the first event of its successor. */
async function takeovers({ quick }: Bench): Promise<readonly Measured[]> {
  await using team = await Team.open();
  const workers = new Map<string, Awaited<ReturnType<TeamStage['worker']>>>();
  const join = async () => {
    workers.set(`worker-${workers.size + 1}`, await team.stage.worker('--leads', '1', '--hands', '1'));
  };
  await join();
  await join();
  const ours: number[] = [];
  for (let film = 1; film <= (quick ? 1 : 5); film++) {
    const run = await team.submit(film, 4_000);
    const begun = performance.now();
    while ((await team.newest(run)).events < 50) await team.pause(begun);
    const { epoch, leader } = await team.newest(run);
    workers.get(leader)?.child.kill('SIGKILL');
    const killed = performance.now();
    while ((await team.newest(run)).epoch === epoch) await team.pause(killed);
    ours.push((performance.now() - killed) / 1_000);
    await team.stage.runAsProcess('team', 'cancel', run, '--on', 'house');
    await join();
  }
  return [{ name: 'takeover of a worker that died, until its run goes on', ours, unit: 's', aim: 10 }];
}

/** Of each step between two moments. */
function each(from: Count | undefined, to: Count | undefined) {
  if (!from || !to || to.steps <= from.steps) throw new Error('no step was paid for between two counts');
  const of = (what: 'commits' | 'workers' | 'postgres') => (to[what] - from[what]) / (to.steps - from.steps);
  const seconds = (to.at - from.at) / 1_000;
  return {
    ...{ commits: of('commits'), workers: of('workers'), postgres: of('postgres') },
    aSecond: (to.steps - from.steps) / seconds,
  };
}

const tenth = (n: number): string => n.toFixed(1);

/** A run of many steps that goes on, made of the rows of a short one. */
async function looks(bench: Bench): Promise<readonly Measured[]> {
  const steps = 100_000;
  const short = 100;
  await using team = await Team.open();
  const { child } = await team.stage.worker('--leads', '1', '--hands', '2');
  const id = await team.submit(1, short);
  const begun = performance.now();
  while ((await team.open_runs()) > 0) await team.pause(begun);
  child.kill('SIGTERM');
  const copies = steps / short - 1;
  await team.query(
    `INSERT INTO event (film, submitted, epoch, run, seq, at, type, key, fingerprint, body, asked)
     SELECT film, submitted, epoch, run, seq + copy * 100000, at, type, replace(key, 'seed=', 'seed=' || copy || '000'), fingerprint || copy,
       replace(replace(body, 'seed=', 'seed=' || copy || '000'), coalesce(fingerprint, ''), coalesce(fingerprint || copy, '')), asked
     FROM event, generate_series(1, ${copies}) copy WHERE key IS NOT NULL ORDER BY copy, seq`,
  );
  await team.query(
    `INSERT INTO submission (nonce, film, fingerprint, account, model, state, ending, generation_id, at, body)
     SELECT nonce || copy, film, fingerprint || copy, account, model, state, ending, generation_id || copy, at, body
     FROM submission, generate_series(1, ${copies}) copy`,
  );
  await team.query("UPDATE run SET status = 'led', leader = 'bench', outcome = NULL");
  await team.query(`UPDATE run_tally SET body = jsonb_set(body::jsonb, '{counts,made}', '${steps}')::text`);
  await team.query('ANALYZE');
  const measured: Measured[] = [];
  for (const args of [
    ['team', 'list', '--on', 'house'],
    ['team', 'status', '--on', 'house'],
    ['team', 'status', id, '--on', 'house'],
  ]) {
    const [program, ...given] = team.stage.command(args);
    const asked = { argv: [program, ...given], cwd: team.stage.project, env: { ...team.stage.environment } };
    const ours: number[] = [];
    for (let n = 0; n < (bench.quick ? 1 : 3); n++) ours.push((await run(asked)).ms);
    const name = args
      .filter(word => word !== '--on' && word !== 'house')
      .join(' ')
      .replace(id, 'RUN');
    const note = `${Math.round(await peak(asked))} MB of memory; one run is open, its rows are copies of ${short} steps`;
    measured.push({ name: `\`${name}\` at ${steps} paid steps`, ours, unit: 'ms', aim: 300, note });
  }
  return measured;
}

/** Seconds after which what is not done is stuck. */
const PATIENCE = 900;

class Team implements AsyncDisposable {
  readonly stage: TeamStage;
  readonly #stub: Awaited<ReturnType<typeof queueStub>>;
  readonly #database: TeamDatabase;
  /** Of the connections that count, none: what counts is counted apart. */
  #own = 0;

  private constructor(stage: TeamStage, stub: Awaited<ReturnType<typeof queueStub>>) {
    this.stage = stage;
    this.#stub = stub;
    this.#database = new TeamDatabase({ url: stage.database.url, most: 1, called: 'bench' });
  }

  static async open(): Promise<Team> {
    const stub = await queueStub({ slots: 64, durations: [], takes: TAKES, events: true });
    const settings = `services: { farm: { url: "${stub.url}", key_env: BENCH_KEY } }\nservice: farm\nhistory: trusted\n`;
    const stage = await TeamStage.open('durable', settings);
    stage.env = { BENCH_KEY: 'bench' };
    // The bundle as it is: only the suite makes the other.
    stage.films = 'drawn anew';
    return new Team(stage, stub);
  }

  async submit(film: number, steps: number): Promise<string> {
    this.stage.write(`film-${film}.yaml`, pictures(steps).replace('lighthouse keeper', `keeper of lighthouse ${film}`));
    return this.stage.submit(`film-${film}.yaml`);
  }

  async query<Row>(sql: string): Promise<readonly Row[]> {
    this.#own += 1;
    return this.#database.query<Row>(sql);
  }

  async #number(sql: string): Promise<number> {
    const [row] = await this.query<{ n: number }>(sql);
    return Number(row?.n ?? 0);
  }

  /** The newest lead of a run that has written an event, how many events there are, and which worker leads now. */
  async newest(run: string): Promise<{ readonly epoch: number; readonly events: number; readonly leader: string }> {
    const [row] = await this.query<{ epoch: number; events: number; leader: string }>(
      `SELECT max(e.epoch) AS epoch, count(e.id)::int AS events, max(r.leader) AS leader
       FROM run r LEFT JOIN event e ON e.submitted = r.id WHERE r.id = '${run}'`,
    );
    if (!row) throw new Error(`there is no run ${run}`);
    return row;
  }

  /** Those that have their result. */
  steps = () => this.#number("SELECT count(*) AS n FROM event WHERE type = 'succeeded'");
  open_runs = () => this.#number("SELECT count(*) AS n FROM run WHERE status IN ('queued', 'led', 'waiting')");
  connections = () =>
    this.#number(
      `SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'shotlist%'`,
    );

  async count(pids: readonly number[]): Promise<Count> {
    const steps = await this.steps();
    const commits = await this.#number(
      'SELECT xact_commit AS n FROM pg_stat_database WHERE datname = current_database()',
    );
    return {
      ...{ at: performance.now(), steps, commits: commits - this.#own },
      workers: pids.reduce((sum, pid) => sum + processorTimeOf(pid), 0),
      postgres: processorTimeOf(this.stage.postgres.pid()),
    };
  }

  /** @param begun by `performance.now()`. @throws if that is too long ago. */
  async pause(begun: number): Promise<void> {
    if (performance.now() - begun > PATIENCE * 1_000) throw new Error('the steps were not paid for in time');
    await sleep(100);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stage.killAll();
    await this.#database.close();
    await this.#stub.stop();
    await this.stage.close();
  }
}
