/**
 * The part of a worker that carries out commands and cuts of the runs that it leads, and jobs of any run. What they read is brought from the team's store,
 * each works in a folder of its own, and what it made is in the team's store before the task counts as done. When the worker leaves, it lets go
 * of them; what acts outside, and has begun, is brought to its end.
 *
 * The queue may give one job to two workers, and takes it from a worker that no longer beats. Either is harmless: what is made is content,
 * the current attempt counts, and what acts outside begins once only.
 */
import { chmod, readdir, rm, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import PQueue from 'p-queue';
import { inspectorLater, probeMade } from '../../app/results/fetch-results.ts';
import type { Stores } from '../../app/results/team-store.ts';
import { codeOf } from '../../machine/error-code.ts';
import { CommandRunner } from '../../machine/process/command-runner.ts';
import { Redactor } from '../../machine/redactor.ts';
import type { Clock } from '../../machine/time/clock.ts';
import { contentsOf } from '../../model/run/result.ts';
import type { JsonObject } from '../../model/text/json.ts';
import type { SharedResults } from '../../records/store/shared/shared-results.ts';
import type { SharedContent } from '../../records/store/shared/shared-sending.ts';
import type { Store } from '../../records/store/store.ts';
import { CommandLogs } from '../../run/local/command-logs.ts';
import type { Probe } from '../../run/local/created-files.ts';
import { LocalExecutor } from '../../run/local/local-executor.ts';
import type { RenderCut } from '../../run/local/make-cut.ts';
import { putFiles, shortOf } from '../client/team-project.ts';
import type { TeamDatabase } from '../database/team-database.ts';
import { whileReachable } from '../database/while-reachable.ts';
import { TaskJobs, type TaskNews } from '../queue/task-jobs.ts';
import type { TaskAttempt, TaskLead, TeamQueue } from '../queue/team-queue.ts';
import { type RunRow, runRow } from '../runs/run-rows.ts';
import { commandHere, inputsOf, type RemoteTask, type TaskResult, workIn } from '../tasks/remote-task.ts';
import { keepLog } from '../tasks/task-logs.ts';
import { downloadHere, type OnTrouble, type OwnTasks, unlessLost, type WorkTurn } from '../tasks/team-executor.ts';

interface TaskWorkerOptions {
  readonly team: TeamDatabase;
  readonly queue: TeamQueue;
  readonly worker: string;
  readonly atOnce: number;
  /** Absolute, and this worker's alone: projects are put down in it, and commands work in it. */
  readonly folder: string;
  /** Of this process; a command inherits the few variables that every command does. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly newId: () => string;
  /** The store of this worker for a project, with the team's behind it. */
  readonly storesFor: (run: RunRow) => Promise<Stores>;
  /** The root of another project to use instead. Absent: the manifest of the run is unpacked. */
  readonly projectOf?: (run: RunRow) => string;
  /** Absent: as this machine looks at files, and renders cuts. */
  readonly probe?: Probe;
  readonly renderCut?: RenderCut;
}

/** Milliseconds between two words of how far a cut is. */
const PROGRESS_PACE = 500;
/** Runs with remembered places and stores. */
const MOST_RUNS = 64;

interface RunHere {
  readonly row: RunRow;
  readonly store: Store;
  readonly shared: SharedResults;
}

export class TaskWorker implements OwnTasks {
  readonly atOnce: number;
  readonly #options: TaskWorkerOptions;
  readonly #jobs: TaskJobs;
  readonly #projects: UnpackedProjects;
  readonly #commands: CommandRunner;
  readonly #probe: Probe;
  /** One at a time: a film that is rendered uses all that the machine has. */
  readonly #cuts = new PQueue({ concurrency: 1 });
  readonly #leaving = new AbortController();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #runs = new Map<string, Promise<RunHere>>();

  constructor(options: TaskWorkerOptions) {
    const { team, queue, folder, environment, atOnce, clock, probe } = options;
    this.atOnce = atOnce;
    this.#options = options;
    this.#jobs = new TaskJobs(team, queue, { clock, signal: this.#leaving.signal, trouble: () => {} });
    this.#projects = new UnpackedProjects(join(folder, 'projects'));
    this.#commands = new CommandRunner({ environment, atOnce, clock });
    this.#probe = probe ?? probeMade(inspectorLater());
  }

  get busy(): number {
    return this.#underWay.size;
  }

  occupy(what: RemoteTask['is']): (() => void) | undefined {
    if (what === 'cut' && this.#cuts.pending > 0) return undefined;
    return this.#options.queue.occupySlot();
  }

  /** Lets go of what is under way. Resolves when none of it is at work here any more. */
  async leave(): Promise<void> {
    this.#leaving.abort();
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
    await this.#commands.close();
    await this.#projects.close();
  }

  /** One job of the queue. Rejects where another worker is to have it. */
  async do(job: TaskAttempt): Promise<void> {
    const { worker, clock } = this.#options;
    const jobs = this.#jobs;
    const report = (news: TaskNews) => jobs.report(job, { worker, ...news }).catch(unlessLost);
    await using pace = new Pace(PROGRESS_PACE, clock, (progress: number) => report({ progress }));
    const work = workIn(job.data.work);
    const turn: WorkTurn = {
      priority: 0,
      started: () => void report({ begun: true }),
      // Durable before it begins: no other worker does it a second time.
      ...(work.is === 'command' && work.work.effect && { begin: () => jobs.begins(job) }),
      progress: fraction => pace.report(fraction),
    };
    const trouble = (message: string | undefined) => void report({ trouble: message ?? null });
    const result = await this.carryOut(job.data, work, turn, trouble, job.signal);
    if (result.is === 'stopped' && this.#leaving.signal.aborted) throw new Error('this worker leaves');
    await jobs.settle(job, result);
  }

  carryOut(
    lead: TaskLead,
    work: RemoteTask,
    turn: WorkTurn,
    trouble: OnTrouble,
    given: AbortSignal,
  ): Promise<TaskResult> {
    const signal = AbortSignal.any([given, this.#leaving.signal]);
    const done = this.#carryOut(lead, work, turn, trouble, signal);
    this.#underWay.add(done);
    const over = () => void this.#underWay.delete(done);
    done.then(over, over);
    return done;
  }

  async #carryOut(
    lead: TaskLead,
    work: RemoteTask,
    turn: WorkTurn,
    trouble: OnTrouble,
    signal: AbortSignal,
  ): Promise<TaskResult> {
    const { team, worker, clock } = this.#options;
    const here = await this.#runHere(lead.run);
    const { shared } = here;
    // What is nowhere is missed by the command, or the cut, that reads it.
    const inputs = [...inputsOf(work)].map(sha256 => downloadHere(sha256, shared, clock, trouble, signal));
    if ((await Promise.all(inputs)).includes('stopped') || signal.aborted) return { is: 'stopped' };
    const { result, log } = await this.#made(work, turn, here, signal);
    // What has acted outside is sent for as long as that takes: it is not done again.
    const until = work.is === 'command' && work.work.effect && result.is !== 'stopped' ? NEVER : signal;
    const contents = [...(result.is === 'ok' ? contentsOf(result.result) : []), ...(log ? [log] : [])];
    const sent = await Promise.all(contents.map(content => shared.sent(content, until, trouble)));
    if (!sent.every(Boolean)) return { is: 'stopped' };
    const kept = log && { key: work.work.key, worker, sha256: log.sha256 };
    if (kept) await whileReachable(() => keepLog(team, lead, kept), { clock, signal: until, trouble });
    return result;
  }

  async #made(work: RemoteTask, turn: WorkTurn, { row, store }: RunHere, signal: AbortSignal): Promise<Made> {
    const { folder, newId, environment, clock, projectOf, renderCut = rendering(clock) } = this.#options;
    const own = join(folder, 'work', newId());
    const common = { store, probe: this.#probe, newId, fetchResult: FETCHES_NOTHING, scratch: join(own, 'scratch') };
    try {
      if (work.is === 'cut') {
        const executor = new LocalExecutor({ ...common, commands: this.#commands, root: folder, renderCut });
        const cut = { ...work.work, authorPaths: new Map() };
        return { result: await this.#cuts.add(() => executor.makeCut(cut, { progress: () => {}, ...turn }, signal)) };
      }
      const secrets = work.hides.length === 0 ? undefined : new Redactor(work.hides);
      const commands = secrets ? new CommandRunner({ environment, secrets }) : this.#commands;
      const log = new CommandLogs({ folder: join(own, 'logs'), root: own, clock }).begin(work.work.key);
      let path: string | undefined;
      const close = () => {
        path = log.close();
        return path;
      };
      const inProject = async (root: string): Promise<TaskResult> => {
        const logs = { begin: () => ({ line: (text: string) => log.line(text), close }) };
        const executor = new LocalExecutor({ ...common, commands, root, logs });
        return withoutPlaces(await executor.runCommand(commandHere(work, root), turn, signal));
      };
      const other = projectOf?.(row);
      const result = await (other === undefined ? this.#projects.use(row, store, inProject) : inProject(other));
      if (secrets) await commands.close();
      if (path === undefined) return { result };
      const extension = extname(path);
      return { result, log: { ...(await store.adopt(join(own, path), extension)), extension } };
    } finally {
      await rm(own, { recursive: true, force: true });
    }
  }

  /** What is here of a run: its row, its store, the team's. */
  #runHere(id: string): Promise<RunHere> {
    const known = this.#runs.get(id);
    if (known) return known;
    const opened = this.#open(id);
    this.#runs.set(id, opened);
    opened.catch(() => this.#runs.delete(id));
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > MOST_RUNS && oldest !== undefined) this.#runs.delete(oldest);
    return opened;
  }

  async #open(id: string): Promise<RunHere> {
    const row = await runRow(this.#options.team, id);
    if (!row) throw new Error(`there is no run ${id} in the team's tables any more`);
    const { store, shared } = await this.#options.storesFor(row);
    if (!shared) throw new Error('the team has no store for its results: name one under `teams` of the settings');
    return { row, store, shared };
  }
}

interface Made {
  readonly result: TaskResult;
  readonly log?: SharedContent;
}

const NEVER = new AbortController().signal;

const rendering =
  (clock: Clock): RenderCut =>
  async order =>
    (await import('../../media/cut/index.ts')).renderCut({ ...order, clock });

/** A path of this machine does not help a reader of the failure: the log is in the team's store. */
function withoutPlaces(result: TaskResult): TaskResult {
  if (result.is !== 'failed' || !('log' in result.failure)) return result;
  const { log: _, ...failure } = result.failure as JsonObject & typeof result.failure;
  return { ...result, failure } as TaskResult;
}

/** What a command reads by an address is fetched by the lead, which knows where it may be fetched from. */
const FETCHES_NOTHING = async () =>
  ({ is: 'failed', message: 'a worker fetches nothing by an address: its lead does' }) as const;

/** Sends the newest of many values, so often at most. A failed one is sent with the next. */
class Pace<T> implements AsyncDisposable {
  readonly #ms: number;
  readonly #clock: Clock;
  readonly #report: (value: T) => Promise<void>;
  #next: { readonly value: T } | undefined;
  #telling: Promise<void> | undefined;
  readonly #over = new AbortController();

  constructor(ms: number, clock: Clock, report: (value: T) => Promise<void>) {
    this.#ms = ms;
    this.#clock = clock;
    this.#report = report;
  }

  report(value: T): void {
    if (this.#over.signal.aborted) return;
    this.#next = { value };
    this.#telling ??= this.#loop();
  }

  /** Sends nothing more; resolves when nothing is being sent. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#next = undefined;
    this.#over.abort();
    await this.#telling;
  }

  async #loop(): Promise<void> {
    for (let next = this.#next; next !== undefined; next = this.#next) {
      this.#next = undefined;
      await this.#report(next.value);
      await this.#clock.sleep(this.#ms, this.#over.signal, 'in the background');
    }
    this.#telling = undefined;
  }
}

interface PutDown {
  readonly root: string;
  readonly ready: Promise<void>;
  users: number;
}

/** Idle projects that are kept for the next command of their run. */
const MOST_IDLE = 8;

/**
 * Projects of runs as commands on this worker see them: the manifest alone, and it is read-only, so that a command that leaves
 * something behind for the next one fails here as it would on another worker. A script keeps its right to be run.
 */
class UnpackedProjects {
  readonly #folder: string;
  /** The one that was used last is the last. */
  readonly #projects = new Map<string, PutDown>();

  /** @param folder absolute, and this worker's alone. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The project's root, for as long as it is used. Rejects with the error of the store or the disk. */
  async use<T>(
    run: Pick<RunRow, 'id' | 'manifest'>,
    store: Pick<Store, 'materialise'>,
    work: (root: string) => Promise<T>,
  ): Promise<T> {
    const project = this.#projects.get(run.id) ?? this.#begin(run, store);
    this.#projects.delete(run.id);
    this.#projects.set(run.id, project);
    project.users++;
    try {
      await project.ready;
      return await work(project.root);
    } finally {
      project.users--;
      await this.#tidy();
    }
  }

  async close(): Promise<void> {
    await removeReadOnly(this.#folder);
  }

  #begin(run: Pick<RunRow, 'id' | 'manifest'>, store: Pick<Store, 'materialise'>): PutDown {
    const root = join(this.#folder, shortOf(run.id));
    const ready = (async () => {
      // What a worker before this one has left may be half of it.
      await removeReadOnly(root);
      await putFiles(root, run, store);
      await setRights(root, 'read alone');
    })();
    ready.catch(() => this.#projects.delete(run.id));
    return { root, ready, users: 0 };
  }

  async #tidy(): Promise<void> {
    const idle = [...this.#projects].filter(([, { users }]) => users === 0);
    for (const [id, { root }] of idle.slice(0, Math.max(0, idle.length - MOST_IDLE))) {
      this.#projects.delete(id);
      await removeReadOnly(root);
    }
  }
}

async function removeReadOnly(folder: string): Promise<void> {
  try {
    await setRights(folder, 'written to');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  await rm(folder, { recursive: true, force: true });
}

/** Of the folder and all that is in it; what may be run may be run on. */
async function setRights(folder: string, is: 'read alone' | 'written to'): Promise<void> {
  // One may look into a folder only while one has the right to.
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await setRights(path, is);
    else if (is === 'read alone') await chmod(path, (await stat(path)).mode & 0o100 ? 0o555 : 0o444);
  }
  if (is === 'read alone') await chmod(folder, 0o555);
}
