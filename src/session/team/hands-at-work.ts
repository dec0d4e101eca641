/**
 * The heavy work of a worker: as many jobs at once as it has hands, of any run of the team. It says which of them it is at, hears which of
 * them nobody wants any more, and lets go of all of them when the worker leaves; what acts outside, and has begun, is brought to its end.
 */
import { rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import PQueue from 'p-queue';
import type { Store } from '../../artifacts/store.ts';
import { isConnectionLost, type TeamDatabase } from '../../cluster/database/team-database.ts';
import { messages } from '../../cluster/hands/hand-messages.ts';
import { handsAreDone } from '../../cluster/hands/hand-rows.ts';
import { type RunRow, runRow } from '../../cluster/runs/run-rows.ts';
import type { Clock } from '../../host/clock.ts';
import { CommandRunner } from '../../host/command-runner.ts';
import { type NamedSecret, Redactor } from '../../host/redactor.ts';
import { CommandLogs } from '../../run/local/command-logs.ts';
import type { Probe } from '../../run/local/created-files.ts';
import { LocalHands } from '../../run/local/local-hands.ts';
import type { RenderCut } from '../../run/local/make-cut.ts';
import { inspectorLater, probeMade } from '../fetch-results.ts';
import type { Stores } from '../shared-results.ts';
import { type Doing, doHand, type KeptLog, type RunHere } from './do-hand.ts';
import { HandProjects } from './hand-projects.ts';

export interface HandsOptions {
  readonly team: TeamDatabase;
  /** Of this worker; told to people. */
  readonly worker: string;
  /** Commands and cuts at once. */
  readonly atOnce: number;
  /** Absolute, and this worker's alone: projects are put down in it, and commands work in it. */
  readonly folder: string;
  /** Of this process; a command inherits the few variables that every command does. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly newId: () => string;
  /** The store of this worker for a project, with the team's behind it. */
  readonly storesFor: (run: RunRow) => Promise<Stores>;
  /** Calls back when this was told at the team's: `hand:<id>`. Returns how to stop that. */
  readonly hear: (topic: string, listener: () => void) => () => void;
  /** Where another project stands in for what was handed in: its root. Absent: the manifest of the run is put down. */
  readonly projectOf?: (run: RunRow) => string;
  /** Absent: as this machine looks at files, and renders cuts. */
  readonly probe?: Probe;
  readonly renderCut?: RenderCut;
}

/** Milliseconds between two words of what is being done. */
const BEAT = 4_000;
/** Runs whose place and store are remembered. */
const MOST_RUNS = 64;

export class HandsAtWork {
  readonly #options: HandsOptions;
  readonly #projects: HandProjects;
  readonly #commands: CommandRunner;
  readonly #probe: Probe;
  /** One at a time: a film that is rendered uses all that the machine has. */
  readonly #cuts = new PQueue({ concurrency: 1 });
  readonly #leaving = new AbortController();
  /** By the name of each. */
  readonly #underWay = new Map<string, { readonly unwanted: AbortController; readonly done: Promise<unknown> }>();
  readonly #runs = new Map<string, Promise<RunRow>>();
  readonly #stores = new Map<string, Promise<TeamStores>>();
  #beating: Promise<void> | undefined;
  /** Aborts when nothing is under way any more. */
  #idle = new AbortController();

  constructor(options: HandsOptions) {
    const { folder, environment, atOnce, clock, probe } = options;
    this.#options = options;
    this.#projects = new HandProjects(join(folder, 'projects'));
    this.#commands = new CommandRunner({ environment, atOnce, clock });
    this.#probe = probe ?? probeMade(inspectorLater());
  }

  /** Jobs under way. */
  get busy(): number {
    return this.#underWay.size;
  }

  /**
   * Lets go of what is under way, for other workers: the queue gives it out again. Resolves when none of it is at work here any more;
   * what acts outside, and has begun, comes to its end first.
   */
  async leave(): Promise<void> {
    this.#leaving.abort();
    while (this.#underWay.size > 0) await Promise.all([...this.#underWay.values()].map(({ done }) => done));
    await this.#beating;
    await this.#commands.close();
    await this.#projects.close();
  }

  /** One job of the queue. Rejects where another worker is to have it. @param given aborts when this worker shall not go on with it. */
  do(id: string, given: AbortSignal): Promise<void> {
    const { team, worker, clock, hear } = this.#options;
    if (this.#leaving.signal.aborted) return Promise.reject(new Error('this worker leaves'));
    const unwanted = new AbortController();
    const doing: Doing = {
      ...{ team, worker, clock, unwanted: unwanted.signal },
      withRun: (run, work) => this.#withRun(run, work),
    };
    const deaf = hear(`hand:${id}`, () => void this.#look([id]));
    // The queue may give out a job a second time while the first one of it is under way here.
    const name = this.#underWay.has(id) ? `${id} again` : id;
    const done = doHand(id, AbortSignal.any([given, this.#leaving.signal]), doing).finally(() => {
      deaf();
      this.#underWay.delete(name);
      if (this.#underWay.size === 0) this.#idle.abort();
    });
    this.#underWay.set(name, { unwanted, done: done.catch(() => {}) });
    this.#beating ??= this.#beat();
    return done;
  }

  async #beat(): Promise<void> {
    const { clock } = this.#options;
    while (this.#underWay.size > 0) {
      this.#idle = new AbortController();
      await clock.sleep(BEAT, this.#idle.signal, 'in the background');
      if (this.#underWay.size > 0) await this.#look([...this.#underWay.keys()]);
    }
    this.#beating = undefined;
  }

  /** Says that these are under way, and calls off what nobody wants. */
  async #look(ids: readonly string[]): Promise<void> {
    try {
      for (const id of await handsAreDone(this.#options.team, ids)) this.#underWay.get(id)?.unwanted.abort();
    } catch (error) {
      // The next beat says it.
      if (!isConnectionLost(error)) throw error;
    }
  }

  async #withRun<T>(id: string, work: (here: RunHere) => Promise<T>): Promise<T> {
    const run = await this.#runOf(id);
    const stores = await this.#storesOf(run);
    const at = (root: string) => work(this.#here(root, stores));
    const other = this.#options.projectOf?.(run);
    return other === undefined ? this.#projects.use(run, stores.store, at) : at(other);
  }

  #here(root: string, { store, shared, makeCut }: TeamStores): RunHere {
    const commandHands = (hides: readonly NamedSecret[]) => {
      const { folder, environment, newId, clock } = this.#options;
      const own = join(folder, 'commands', newId());
      const logs = new CommandLogs({ folder: join(own, 'logs'), root: own, clock });
      let log: string | undefined;
      const commands =
        hides.length === 0 ? this.#commands : new CommandRunner({ environment, secrets: new Redactor(hides) });
      const hands = new LocalHands({
        ...{ store, commands, probe: this.#probe, root, newId, fetchResult: FETCHES_NOTHING },
        scratch: join(own, 'scratch'),
        logs: {
          begin: key => {
            const begun = logs.begin(key);
            const close = () => {
              log = begun.close();
              return log;
            };
            return { line: text => begun.line(text), close };
          },
        },
      });
      return {
        hands,
        logged: async () => {
          if (commands !== this.#commands) await commands.close();
          const kept = log === undefined ? undefined : await keptLog(store, join(own, log));
          await rm(own, { recursive: true, force: true });
          return kept;
        },
      };
    };
    return { root, store, shared, makeCut, commandHands };
  }

  #runOf(id: string): Promise<RunRow> {
    const known = this.#runs.get(id);
    if (known) return known;
    const asked = (async () => {
      const row = await runRow(this.#options.team, id);
      if (!row) throw new Error(messages.noSuchRun(id));
      return row;
    })();
    this.#runs.set(id, asked);
    asked.catch(() => this.#runs.delete(id));
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > MOST_RUNS && oldest !== undefined) this.#runs.delete(oldest);
    return asked;
  }

  #storesOf(run: RunRow): Promise<TeamStores> {
    const known = this.#stores.get(run.project);
    if (known) return known;
    const opened = this.#open(run);
    this.#stores.set(run.project, opened);
    opened.catch(() => this.#stores.delete(run.project));
    return opened;
  }

  async #open(run: RunRow): Promise<TeamStores> {
    const { storesFor, folder, newId, renderCut, clock } = this.#options;
    const { store, shared } = await storesFor(run);
    if (!shared) throw new Error(messages.noStore());
    const hands = new LocalHands({
      ...{ store, commands: this.#commands, probe: this.#probe, root: folder, newId, fetchResult: FETCHES_NOTHING },
      scratch: join(folder, 'cuts', newId()),
      renderCut: renderCut ?? (async order => (await import('../../cutting/index.ts')).renderCut({ ...order, clock })),
    });
    return { store, shared, makeCut: (...cut) => this.#cuts.add(() => hands.makeCut(...cut)) };
  }
}

type TeamStores = Pick<RunHere, 'store' | 'shared' | 'makeCut'>;

/** A log, moved into the store: whoever asks for it has it from the team's. */
async function keptLog(store: Pick<Store, 'adopt'>, path: string): Promise<KeptLog | undefined> {
  const extension = extname(path);
  const { sha256 } = await store.adopt(path, extension);
  return { sha256, extension };
}

/** What a command reads by an address is fetched by the lead, which knows where it may be fetched from. */
const FETCHES_NOTHING = async () => ({ is: 'failed', message: messages.fetchesNothing() }) as const;
