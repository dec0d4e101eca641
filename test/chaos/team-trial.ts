/**
 * A team under fire: real workers over a real database, killed, frozen, told to end, and once without the database. What is counted is
 * what the service was given, what the team's tables say, and what `fetch` puts on the disk.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { unreachable } from '../../src/model/run/failure.ts';
import { TeamDatabase } from '../../src/team/database/team-database.ts';
import type { DoorRow } from '../checker/check.ts';
import type { Started } from '../e2e/stage.ts';
import { TeamStage } from '../e2e/team-world.ts';
import { Dice } from '../simulate/dice.ts';
import { CHAOS_KEY, ChaosService } from './chaos-service.ts';
import { Line } from './line.ts';
import {
  faultOfTakeover,
  faultsAtDoor,
  faultsInTables,
  faultsOfOutputs,
  faultsOfRuns,
  isOpen,
  LIMITS,
  type Takeover,
  type TeamLimits,
} from './team-audit.ts';
import { budgetFilm, type FilmExtras, NO_EXTRAS, STEPS_OF_SHOT, teamFilm } from './team-film.ts';
import type { Act, TeamTrialOptions } from './team-shapes.ts';

/** Seconds for which a worker stands still, has no line to a server, or has its clock ahead. */
const FROZEN_FOR = 30;
/** Milliseconds. */
const DAY = 86_400_000;

interface TeamTrialResult {
  readonly submits: number;
  readonly acts: Readonly<Record<Act, number>>;
  readonly takeovers: readonly Takeover[];
  /** What the service saw. */
  readonly door: readonly DoorRow[];
  /** From the first run handed in until the last was done. */
  readonly seconds: number;
  readonly faults: readonly string[];
  /** Left for a person to look at where something is wrong. */
  readonly folder: string;
}

interface Worker {
  readonly name: string;
  readonly process: Started;
  /** Between it and each server. */
  readonly lines: Readonly<Record<'database' | 'service', Line>>;
  /** Its clock is as many milliseconds ahead as this file says. */
  readonly clock: string;
  /** It stands still, or cannot be heard. */
  isFrozen: boolean;
}

/** What is wrong with one worker for a while. `isLost`: another one leads its runs meanwhile, if it lasts. */
const TROUBLE = {
  freeze: {
    isLost: true,
    begin: ({ process }: Worker) => void process.child.kill('SIGSTOP'),
    end: ({ process }: Worker) => void process.child.kill('SIGCONT'),
  },
  'cut database': {
    isLost: true,
    begin: ({ lines }: Worker) => lines.database.cut(),
    end: ({ lines }: Worker) => lines.database.mend(),
  },
  'cut service': {
    isLost: false,
    begin: ({ lines }: Worker) => lines.service.cut(),
    end: ({ lines }: Worker) => lines.service.mend(),
  },
  clock: {
    isLost: false,
    begin: ({ clock }: Worker) => writeFileSync(clock, String(DAY)),
    end: ({ clock }: Worker) => writeFileSync(clock, '0'),
  },
};

const portOf = (url: string): number => Number(new URL(url).port);

interface Lost {
  readonly run: string;
  readonly epoch: number;
  /** Times that its job had been given out again. */
  readonly turns: number;
  readonly after: Takeover['after'];
  at: number;
}

export async function teamTrial(options: TeamTrialOptions): Promise<TeamTrialResult> {
  const trial = await TeamTrial.open(options);
  try {
    return await trial.toEnd();
  } finally {
    await trial.close();
  }
}

class TeamTrial {
  readonly #options: TeamTrialOptions;
  readonly #service: ChaosService;
  readonly #stage: TeamStage;
  readonly #team: TeamDatabase;
  readonly #dice: Dice;
  readonly #workers = new Set<Worker>();
  readonly #faults: string[] = [];
  readonly #takeovers: Takeover[] = [];
  readonly #acts: Record<Act, number> = {
    ...{ kill: 0, 'kill lead': 0, end: 0, upgrade: 0, freeze: 0, database: 0 },
    ...{ 'cut database': 0, 'cut service': 0, clock: 0 },
  };
  readonly #lost = new Map<string, Lost>();
  readonly #aside: Promise<unknown>[] = [];
  /** Run → film. */
  readonly #runs = new Map<string, number>();
  /** The run of the film that does not fit into its budget: it fails. */
  #overBudget: string | undefined;
  #named = 0;
  #began = 0;
  #isDatabaseDown = false;

  private constructor(options: TeamTrialOptions, service: ChaosService, stage: TeamStage) {
    this.#options = options;
    this.#service = service;
    this.#stage = stage;
    this.#team = new TeamDatabase({ url: stage.database.url, most: 2, called: 'chaos' });
    this.#dice = new Dice(options.seed);
  }

  static async open(options: TeamTrialOptions): Promise<TeamTrial> {
    const service = await ChaosService.open(options.seed);
    Object.assign(service, options.service);
    const history = service.lag > 0 ? '' : 'history: trusted\n';
    const settings = `services: { house: { url: "${service.url}", key_env: CHAOS_KEY } }\nservice: house\n${history}`;
    const stage = await TeamStage.open('durable', settings);
    stage.env = { CHAOS_KEY };
    // The bundle as it is: only the suite makes the other.
    stage.films = 'drawn anew';
    return new TeamTrial(options, service, stage);
  }

  async toEnd(): Promise<TeamTrialResult> {
    const { runs, workers } = this.#options;
    const { inFlight, perSecond, model, ofModel } = this.#limits;
    await this.#typed(
      ...['team', 'limit', 'house', '--on', 'house', `in_flight=${inFlight}`],
      ...[`per_second=${perSecond}`, `${model}=${ofModel}`],
    );
    await Promise.all(Array.from({ length: workers }, () => this.#join()));
    this.#began = performance.now();
    await Promise.all(Array.from({ length: runs }, (_, film) => this.#handIn(film + 1)));
    if (this.#options.hasExtras) {
      this.#stage.write('budget.yaml', budgetFilm);
      this.#overBudget = await this.#typed('team', 'submit', 'budget.yaml', '--on', 'house');
    }
    const over = new AbortController();
    const fire = this.#fire(over.signal);
    const found = await this.#watched();
    const seconds = (performance.now() - this.#began) / 1_000;
    over.abort();
    await fire;
    await Promise.all(this.#aside);
    if (found === undefined) await this.#audit();
    else this.#faults.push(found);
    return {
      ...{ submits: this.#service.submits, door: this.#service.door, acts: this.#acts, seconds },
      ...{ takeovers: this.#takeovers, faults: this.#faults, folder: this.#stage.folder },
    };
  }

  async close(): Promise<void> {
    this.#stage.killAll();
    await this.#team.close().catch(() => {});
    await this.#service.close();
    if (this.#faults.length > 0) await this.#stage.postgres.kill().catch(() => {});
    else await this.#stage.close();
  }

  async #typed(...args: readonly string[]): Promise<string> {
    const { exit, stdout, stderr } = await this.#stage.runAsProcess(...args);
    if (exit !== 0) throw new Error(`shotlist ${args.join(' ')}: exit ${exit}\n${stderr}${stdout}`);
    return stdout.trim();
  }

  async #handIn(film: number): Promise<void> {
    const file = `film-${film}.yaml`;
    this.#stage.write(file, teamFilm(film, this.#shots, this.#extras(film)));
    this.#runs.set(await this.#typed('team', 'submit', file, '--on', 'house'), film);
  }

  get #shots(): number {
    return Math.max(1, Math.round(this.#options.steps / STEPS_OF_SHOT));
  }

  get #limits(): TeamLimits {
    return this.#options.limits ?? LIMITS;
  }

  #extras(film: number): FilmExtras {
    const { hasExtras = false, common = 3 } = this.#options;
    return hasExtras ? { hasLook: film === 1, common } : NO_EXTRAS;
  }

  async #join(): Promise<void> {
    const name = `worker-${++this.#named}`;
    const atOnce = Math.ceil(this.#options.runs / Math.max(1, this.#options.workers - 1));
    const ports = { database: portOf(this.#stage.database.url), service: portOf(this.#service.url) };
    const lines = {
      database: await Line.open(ports.database, this.#options.databaseDelay),
      service: await Line.open(ports.service),
    };
    const clock = join(this.#stage.folder, `${name}.clock`);
    const process = this.#stage.startWith(
      {
        NODE_OPTIONS: `--import=${new URL('./detour.ts', import.meta.url)}`,
        CHAOS_DETOUR: JSON.stringify({
          [ports.database]: lines.database.port,
          [ports.service]: lines.service.port,
        }),
        CHAOS_CLOCK: clock,
      },
      ...['team', 'worker', '--on', 'house', '--folder', join(this.#stage.folder, name), '--name', name],
      ...['--leads', String(atOnce), '--hands', '2'],
    );
    await process.line(/^ready: /m);
    const worker = { name, process, lines, clock, isFrozen: false };
    this.#workers.add(worker);
    void process.ended.then(({ exit, signal, stderr }) => {
      this.#workers.delete(worker);
      for (const line of Object.values(lines)) line.close();
      if (signal === null && exit !== 0) this.#faults.push(`${name} ended with ${exit}: ${stderr.slice(-500)}`);
    });
  }

  async #fire(signal: AbortSignal): Promise<void> {
    // However slow the machine is, a worker leads a run when the first act comes.
    while (!signal.aborted && this.#service.submits === 0) await sleep(100);
    for (let n = 0; ; n++) {
      await sleep(this.#options.every * 1_000, undefined, { signal }).catch(() => {});
      const act = this.#options.act(n);
      if (signal.aborted || act === undefined) return;
      const worker = await this.#victim(act);
      this.#acts[act]++;
      this.#tell(`${act}${act === 'database' ? '' : ` ${worker?.name}`}`);
      switch (act) {
        case 'database':
          await this.#withoutDatabase();
          break;
        case 'freeze':
        case 'cut database':
        case 'cut service':
        case 'clock':
          if (worker) this.#aside.push(this.#withTrouble(worker, act, signal));
          break;
        case 'upgrade':
          for (const one of [...this.#workers]) {
            await this.#join();
            await this.#lose(one, 'upgrade');
            one.process.child.kill('SIGTERM');
          }
          break;
        case 'kill':
        case 'kill lead':
        case 'end': {
          const after = act === 'end' ? 'end' : 'kill';
          if (worker) await this.#lose(worker, after);
          if (worker) worker.process.child.kill(after === 'kill' ? 'SIGKILL' : 'SIGTERM');
          await this.#join();
          if (!this.#options.isTimed) await this.#stage.loseHeartbeats();
          break;
        }
        default:
          unreachable(act);
      }
    }
  }

  async #victim(act: Act): Promise<Worker | undefined> {
    const led = await this.#rows().catch(() => []);
    const awake = [...this.#workers].filter(one => !one.isFrozen);
    const leads = awake.filter(({ name }) => led.some(run => run.leader === name));
    const all = leads.length > 0 && act !== 'kill' ? leads : awake;
    return all.length === 0 ? undefined : this.#dice.pick(all);
  }

  async #lose({ name, process }: Worker, after: Takeover['after']): Promise<void> {
    const rows = await this.#rows().catch(() => []);
    const at = performance.now();
    for (const { id, leader, status, epoch, turns } of rows)
      if (status === 'led' && leader === name) this.#lost.set(id, { run: id, epoch, turns, after, at });
    if (after === 'kill')
      for (const worker of [...this.#workers]) if (worker.process === process) this.#workers.delete(worker);
  }

  /** It is well again after a while. */
  async #withTrouble(worker: Worker, act: keyof typeof TROUBLE, signal: AbortSignal): Promise<void> {
    const { isLost, begin, end } = TROUBLE[act];
    worker.isFrozen = isLost;
    if (isLost) await this.#lose(worker, 'freeze');
    begin(worker);
    await sleep(FROZEN_FOR * 1_000, undefined, { signal }).catch(() => {});
    end(worker);
    this.#tell(`no ${act} any more ${worker.name}`);
    worker.isFrozen = false;
  }

  async #withoutDatabase(): Promise<void> {
    const { postgres } = this.#stage;
    this.#isDatabaseDown = true;
    await postgres.kill();
    await sleep(this.#dice.between(3_000, 6_000));
    await postgres.start();
    this.#isDatabaseDown = false;
    // Nobody could have been told meanwhile.
    for (const lost of this.#lost.values()) lost.at = performance.now();
    this.#tell('the database is there again');
  }

  #rows() {
    return this.#team.query<{
      id: string;
      status: string;
      leader: string | null;
      epoch: number;
      turns: number;
      reason: string | null;
    }>(
      `SELECT run.id, run.status, run.leader, film.epoch, run.outcome ->> 'reason' AS reason, coalesce((SELECT job.retry_count
         FROM pgboss.job WHERE job.name = 'lead.v1' AND job.data ->> 'run' = run.id ORDER BY created_on DESC LIMIT 1), 0) AS turns
         FROM run JOIN film ON film.id = run.film`,
    );
  }

  /** Until all runs are at their end, or too much time has passed; or until the fault is there that the trial is for, which it returns. */
  async #watched(): Promise<string | undefined> {
    const { until, most } = this.#options;
    let said = 0;
    for (;;) {
      await sleep(100);
      const found = until && faultsAtDoor(this.#service.door, this.#limits).find(fault => until.test(fault));
      if (found !== undefined) return found;
      const now = performance.now();
      const rows = await this.#rows().catch(error => {
        if (!this.#isDatabaseDown) this.#tell(`the tables cannot be read: ${(error as Error).message}`);
        return undefined;
      });
      for (const row of rows ?? []) this.#see(row, now);
      const open = rows?.filter(isOpen);
      if (open?.length === 0) return undefined;
      if (now - this.#began > most * 1_000) return undefined;
      if (now - said < 10_000) continue;
      said = now;
      this.#tell(`${open?.length ?? '?'} open, ${this.#service.submits} submits, ${this.#workers.size} workers`);
    }
  }

  #see(
    { id: run, epoch, status, turns }: { id: string; epoch: number; status: string; turns: number },
    now: number,
  ): void {
    const lost = this.#lost.get(run);
    if (!lost || (epoch <= lost.epoch && status !== 'done')) return;
    this.#lost.delete(run);
    const seconds = (now - lost.at) / 1_000;
    if (epoch <= lost.epoch) return;
    const takeover = { run, after: lost.after, seconds };
    this.#takeovers.push(takeover);
    const fault = faultOfTakeover(takeover, turns - lost.turns);
    if (fault !== undefined && this.#options.isTimed) this.#faults.push(fault);
  }

  async #audit(): Promise<void> {
    const rows = await this.#rows();
    this.#faults.push(
      ...faultsOfRuns(rows.filter(run => run.id !== this.#overBudget || run.status !== 'failed')),
      ...faultsAtDoor(this.#service.door, this.#limits),
      ...(await faultsInTables(this.#team)),
    );
    for (const [run, film] of this.#runs) {
      if (!rows.some(({ id, status }) => id === run && status === 'done')) continue;
      await this.#typed('team', 'fetch', run, '--on', 'house');
      const { project } = this.#stage;
      this.#faults.push(...(await faultsOfOutputs(project, run, film, this.#shots, this.#extras(film))));
    }
  }

  #tell(line: string): void {
    this.#options.tell?.(`${((performance.now() - this.#began) / 1_000).toFixed(1).padStart(6)} s  ${line}`);
  }
}
