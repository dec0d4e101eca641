/**
 * Runs for tests: a real journal, store and lock in a temporary folder, and a service in memory that the test drives. After every
 * event the state is rebuilt from the plan and the journalled events, and must be the same.
 */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { Pricing } from '../../src/api/catalog.ts';
import { modelLibrary } from '../../src/api/model-library.ts';
import type { Service } from '../../src/api/service.ts';
import { budgetsOf, type SharedBudgets } from '../../src/app/film-budgets.ts';
import { derivedIndexOf, onUnknown } from '../../src/app/local-environment.ts';
import { compile } from '../../src/language/compile.ts';
import { formatDiagnostics } from '../../src/language/yaml/excerpt.ts';
import { type Disk, systemDisk } from '../../src/machine/files/disk.ts';
import { CommandRunner } from '../../src/machine/process/command-runner.ts';
import type { Redactor } from '../../src/machine/redactor.ts';
import type { Clock } from '../../src/machine/time/clock.ts';
import type { MediaFacts } from '../../src/model/media/media.ts';
import type { Pipeline } from '../../src/model/pipeline.ts';
import type { Plan } from '../../src/model/plan.ts';
import { filmIn } from '../../src/model/profile.ts';
import type { Event, RecordedEvent, Reporter } from '../../src/model/run/event.ts';
import type { InstanceKey } from '../../src/model/run/key.ts';
import type { Promotion } from '../../src/model/run/promotion.ts';
import { isFree } from '../../src/model/run/run-money.ts';
import { NO_SELECTION, type Selection } from '../../src/model/selector.ts';
import { type LocalMedia, type PlanContext, plan } from '../../src/plan/plan.ts';
import { unpricedIn } from '../../src/plan/plan-context.ts';
import type { FilmJournal } from '../../src/records/journal/film-journal.ts';
import { isRunning } from '../../src/records/journal/film-lease.ts';
import { openJournal } from '../../src/records/journal/journal-file.ts';
import { LocalChoices } from '../../src/records/journal/local-choices.ts';
import { LocalJournal } from '../../src/records/journal/local-journal.ts';
import { LockFile, lockSection } from '../../src/records/lock/lock-file.ts';
import { LockKeeper } from '../../src/records/lock/lock-keeper.ts';
import { LocalStore } from '../../src/records/store/local-store.ts';
import type { Store } from '../../src/records/store/store.ts';
import { reduce } from '../../src/records/views/reduce.ts';
import { emptyRunView } from '../../src/records/views/run-view.ts';
import { JournalAdmission } from '../../src/run/admission/journal-admission.ts';
import { type PresetAnswer, PresetChoices } from '../../src/run/choices/preset-choices.ts';
import { setAsideDamaged } from '../../src/run/damaged-results.ts';
import { DEFAULT_LIMITS } from '../../src/run/engine/limits.ts';
import { type Outcome, type Run, start } from '../../src/run/engine/run.ts';
import type { RunEnvironment } from '../../src/run/engine/run-core.ts';
import type { RunSettings } from '../../src/run/engine/run-settings.ts';
import { ownedBy } from '../../src/run/find-owned.ts';
import { hiddenInJournal } from '../../src/run/hide-secrets.ts';
import { CommandLogs } from '../../src/run/local/command-logs.ts';
import { DerivedFiles, type TakePart } from '../../src/run/local/derived-files.ts';
import { type FetchResult, LocalExecutor } from '../../src/run/local/local-executor.ts';
import type { RenderCut } from '../../src/run/local/make-cut.ts';
import type { AuthorFiles } from '../../src/run/ports/author-files.ts';
import type { Decider } from '../../src/run/ports/decider.ts';
import type { Executor } from '../../src/run/ports/executor.ts';
import type { Publisher } from '../../src/run/ports/publisher.ts';
import { liveRejections, rejections } from '../../src/run/rejections.ts';
import { Watcher } from '../../src/run/requests/watcher.ts';
import { summaryLines } from '../../src/show/text/run-summary.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { expectTablesInFile } from '../support/tables-of-log.ts';
import { FakeService } from './fake-service.ts';
import { RecordingReporter } from './recording-reporter.ts';

/** The rig of the test that runs: `withRig` makes it. */
export let rig: RunRig;

/** Every test of the file has a rig of its own, which `prepare` sets up. */
export function withRig(prepare: () => void = () => {}): void {
  beforeEach(() => {
    rig = new RunRig();
    prepare();
  });
  afterEach(async () => {
    for (const other of others.splice(0)) await other.kill();
    await rig.dispose();
  });
}

const others: RunRig[] = [];
/** Another process in the project of the rig; it ends with the test. */
export function beside(what: Pick<RunRig, 'film'> & Partial<RunRig>): RunRig {
  const other = Object.assign(new RunRig(rig), what);
  others.push(other);
  return other;
}

/** The same, and its service finishes by itself what it takes. */
export function withQuickRig(prepare: () => void = () => {}): void {
  withRig(() => {
    rig.service.isQuick = true;
    prepare();
  });
}

/** Runs this film to its end. */
export async function ran(
  text: string | Pipeline,
  params: Readonly<Record<string, string>> = {},
  service?: string,
): Promise<{ readonly film: StartedRun; readonly outcome: Outcome }> {
  const film = await rig.start(text, params, service);
  return { film, outcome: await rig.runToEnd(film) };
}

export interface StartedRun {
  readonly plan: Plan;
  readonly context: PlanContext;
  readonly run: Run;
  readonly events: readonly RecordedEvent[];
  /** Resolves when an event of this type has happened (to this instance). */
  happened(type: Event['type'], key?: string): Promise<RecordedEvent>;
  readonly done: Promise<Outcome>;
}

const PRICES: ReadonlyMap<string, Pricing> = new Map([
  ['C-D', { method: 'token', input_cost_per_token: 0.001, output_cost_per_token: 0.002 }],
]);

export class RunRig {
  readonly clock: FakeClock;
  readonly service: FakeService;
  readonly folder: string;
  settings: Partial<RunSettings> = {};
  /** Other hands than those of this machine. */
  executor: Executor | undefined;
  /** How files reach a service on another machine. */
  publisher: Publisher | undefined;
  /** Who is there to decide. */
  decider: Decider | undefined;
  /** What is chosen and approved beforehand. */
  said: readonly PresetAnswer[] = [];
  /** What is done with a POST whose outcome nobody can tell. */
  onUnknown: 'fail' | 'resubmit' | 'done' = 'fail';
  /** What the next downloads meet instead of the file. */
  readonly fetches: (Awaited<ReturnType<FetchResult>> | 'never')[] = [];
  lockText: string | undefined;
  frozen = false;
  /** Beside the film's own. */
  budgets: SharedBudgets = {};
  /** Nothing acts outside. */
  isDraft = false;
  /** Which part of the film is made. */
  selection: Partial<Selection> | undefined;
  /** Who renders films; the file holds what it is made of. */
  renderCut: RenderCut = quickCut;
  /** What every result and every file that a command makes is. */
  facts: MediaFacts = { kind: 'video', duration: 5 };
  /** What was taken out of videos, in order: `last_frame`. */
  readonly taken: string[] = [];
  /** Takes them: a file that says what it is. */
  take: TakePart = async (path, what, out) => {
    this.taken.push(what.is);
    const isSound = what.is === 'sound';
    writeFileSync(out, `${JSON.stringify(what)} of ${readFileSync(path, 'utf8')}`);
    const facts: MediaFacts = isSound
      ? { kind: 'audio', format: 'wav', duration: 5 }
      : { kind: 'image', format: 'png' };
    return { is: 'ok', facts };
  };
  /** The same of one file. */
  factsOf: (path: string) => MediaFacts | undefined = () => undefined;
  /** Writes what the service keeps at an address. */
  fileAt = (url: string, path: string): void => writeFileSync(path, `the film at ${url}`);
  /** The author's own files, by the path that a pipeline names. */
  files: { readonly [path: string]: LocalMedia } = {};
  /** The disk that they lie on, while a run goes on. */
  authorFiles: AuthorFiles | undefined;
  /** What is neither shown nor kept. */
  secrets: Redactor | undefined;
  pricing: PlanContext['pricing'] = PRICES;
  /** Which film of the project is run. */
  film = 'film';
  /** In which of its profiles; undefined: the real film. */
  profile: string | undefined;
  /** What was picked in another one. */
  promotion: Promotion | undefined;
  /** While it is full nothing can be written to the journal. `errcode`: the number of SQLite's error. */
  readonly disk = { isFull: false, errcode: 13, refusals: 0 };
  /** The results of a team, by digest: what the others of it have made. Undefined: there is no team. A promise: the store answers later, or never. */
  teamStore: Map<string, string | Promise<string>> | undefined;
  /** The folder of the store of this machine. */
  storeFolder = 'store';
  /** Where the store keeps its files. */
  storeDisk: Disk = systemDisk;
  /** A real clock and real downloads, for a real service. */
  live: { readonly clock: Clock; readonly fetchResults: (store: Store) => FetchResult } | undefined;
  /** Reporters besides the recording one, told before it. */
  readonly reporters: Reporter[] = [];
  /** The beginning of the ids that it makes. */
  ids = 'id';
  #ids = 0;
  readonly #idOf: (n: number) => string;
  #journal: FilmJournal | undefined;
  /** Another journal than that of this machine, for the next runs. */
  journalOf: ((film: string, clock: Clock) => Promise<FilmJournal>) | undefined;
  /** Aborted when the process of the run ends. */
  #life = new AbortController();

  /** @param beside another rig: the same project at the same service and time, in a process of its own. */
  constructor(beside?: RunRig) {
    this.clock = beside?.clock ?? new FakeClock();
    this.service = beside?.service ?? new FakeService(this.clock);
    this.folder = beside?.folder ?? mkdtempSync(join(tmpdir(), 'shotlist-run-'));
    this.#idOf = beside ? n => `beside-${n}` : n => `${this.ids}-${n}`;
    mkdirSync(join(this.folder, 'work'), { recursive: true });
  }

  /** Starts a run of this pipeline, a text or what is compiled already. The run before must have ended, or have been killed. */
  async start(
    given: string | Pipeline,
    params: Readonly<Record<string, string>> = {},
    serviceName = 'house',
  ): Promise<StartedRun> {
    await this.kill();
    this.#life = new AbortController();
    const { signal } = this.#life;
    const clock = clockUntilKilled(this.live?.clock ?? this.clock, signal);
    const filmName = filmIn(this.film, this.profile);
    const journal = this.journalOf ? await this.journalOf(filmName, clock) : this.#open(filmName, clock);
    this.#journal = journal;
    const isRunningElsewhere = (film: string) =>
      journal instanceof LocalJournal ? isRunning(this.folder, film) : (journal.team?.isRunning(film) ?? false);
    const { secrets } = this;
    if (secrets) journal.hiding(value => hiddenInJournal(value, secrets));
    this.service.account = isFree({ service: serviceName }) ? `studio ${this.folder}` : `https://${serviceName}.test 0`;
    const store = await LocalStore.open(join(this.folder, this.storeFolder), this.storeDisk);
    const { teamStore } = this;
    const to = 'the team';
    const lock = LockFile.open(this.lockText, lockSection(serviceName, this.profile), 'film.lock.yaml', false);
    const pipeline = typeof given === 'string' ? compiled(given, this.profile) : given;
    const names = new Set(pipeline.steps.map(({ name }) => name));
    const { promotion } = this;
    const kept = new LocalChoices({ journal, locked: lock.choices(), hasStep: name => names.has(name), promotion });
    const said =
      this.said.length > 0 ? new PresetChoices(kept, { all: this.said, who: 'Ada', at: clock.now() }) : undefined;
    const choices = said ?? kept;
    const planContext: PlanContext = {
      params,
      choices,
      rejections: liveRejections(journal, lock.rejections()),
      library: modelLibrary,
      pricing: this.pricing,
      unpriced: unpricedIn(pipeline),
      service: serviceName,
      isDraft: this.isDraft,
      env: {},
      run: { id: 'run', name: pipeline.name },
      owned: ownedBy(
        ...([journal, lock, store] as const),
        {
          account: this.service.account,
          attempts: (this.settings.limits ?? DEFAULT_LIMITS).attempts,
          isRunning: film => film !== journal.views.film && isRunningElsewhere(film),
        },
        teamStore && { to, status: sha256 => (teamStore.has(sha256) ? 'there' : 'missing') },
      ),
      localMedia: path => this.files[path],
      selection: this.selection && { ...NO_SELECTION, ...this.selection },
    };
    let planned = plan(pipeline, planContext);
    while (planned.plan && (await setAsideDamaged(planned.plan, store, this.folder)))
      planned = plan(pipeline, planContext);
    if (planned.unselectable) throw new Error(planned.unselectable.join('\n'));
    if (!planned.plan) throw new Error(formatDiagnostics(planned.diagnostics));
    const keptNow = (await said?.keepAll()) ?? [];
    const recording = new RecordingReporter(planned.plan);
    const commands = new CommandRunner({ environment: {} });
    const note = (digest: string) => void journal.notes.set('lock', digest).catch(() => {});
    const keeper = new LockKeeper({
      disk: {
        read: async () => this.lockText ?? null,
        write: async (text, over) => {
          if ((this.lockText ?? null) !== over) return false;
          this.lockText = text;
          return true;
        },
        writeAside: async () => 'film.lock.new.yaml',
      },
      ...{ clock, service: lock.section, path: 'film.lock.yaml', found: this.lockText, isOurs: false },
      rejections: () => rejections(journal),
      written: note,
      stale: () => note(''),
    });
    for (const choice of keptNow) keeper.decided(choice);
    const settings: RunSettings = {
      limits: DEFAULT_LIMITS,
      pace: { slow: 30_000, least: 500 },
      patience: 60_000,
      proof: { settled: 2_000, settledBehindGateway: 5_000, apart: 500, witnessAfter: 0, trusted: true },
      settleActivation: 2_000,
      root: this.folder,
      resume: 'shotlist run film.yaml',
      cancel: 'shotlist cancel film.yaml',
      localStudio: false,
      ...this.settings,
    };
    const service = serviceUntilKilled(this.service, signal);
    const world: RunEnvironment = {
      lock: keeper,
      ...(secrets && { secrets }),
      service,
      journal,
      admission: new JournalAdmission({
        journal,
        clock,
        account: this.service.account,
        limits: this.settings.limits ?? DEFAULT_LIMITS,
        owned: fingerprint => planContext.owned.find(fingerprint),
        madeElsewhere: fingerprint => planContext.owned.atService(fingerprint)?.sha256,
        actDone: fingerprint => planContext.owned.done?.(fingerprint),
        isRunning: isRunningElsewhere,
        frozen: this.frozen,
        rates: this.settings.rates,
        budgets: budgetsOf({ journal, lock, pipeline }, this.service.account, this.budgets),
      }),
      store,
      sharing: teamStore && {
        to,
        download: async sha256 => {
          const bytes = await teamStore.get(sha256);
          if (bytes === undefined) return { is: 'missing' };
          const path = join(this.folder, 'work', `${sha256}.part`);
          writeFileSync(path, bytes);
          await store.adopt(path, '.txt');
          return { is: 'ok' };
        },
        share: () => {},
      },
      publisher: this.publisher,
      clock,
      newId: () => this.#idOf(++this.#ids),
      random: () => 0.5,
      watcher: new Watcher(service, clock, settings.pace),
      executor: new LocalExecutor({
        ...{
          store,
          commands,
          root: this.folder,
          scratch: join(this.folder, 'work/commands', this.film),
        },
        newId: () => this.#idOf(++this.#ids),
        logs: new CommandLogs({ folder: join(this.folder, 'work/logs'), root: this.folder, clock }),
        derived: new DerivedFiles({
          store,
          index: derivedIndexOf(store),
          take: (...asked) => unlessKilled(this.take(...asked), signal),
          newId: () => this.#idOf(++this.#ids),
        }),
        probe: async path => this.factsOf(path) ?? this.facts,
        renderCut: async order => unlessKilled(this.renderCut(order), signal),
        fetchResult:
          this.live?.fetchResults(store) ??
          (async (url, id) => {
            const trouble = this.fetches.shift();
            if (trouble === 'never') return new Promise(() => {});
            if (trouble) return trouble;
            const path = join(this.folder, 'work', `${id}-${this.#idOf(++this.#ids)}.part`);
            this.fileAt(url, path);
            return { is: 'ok', ...(await unlessKilled(store.adopt(path, '.mp4'), signal)) };
          }),
      }),
      ...(this.executor && { executor: this.executor }),
      choices,
      decider: this.decider ?? onUnknown(this.onUnknown),
      reporters: [...this.reporters, recording],
      planContext,
      authorFiles: this.authorFiles,
      settings,
    };
    const made = planned.plan;
    const run = start(made, world);
    const done = unlessKilled(run.done, signal).then(async outcome => {
      await unlessKilled(commands.close(), signal);
      const instances = [...made.instances].map(({ key }) => key);
      await keeper.close(outcome.is === 'done' ? { instances } : undefined);
      return outcome;
    });
    return {
      plan: made,
      context: planContext,
      run,
      events: recording.events,
      happened: (type, key) => recording.wait(type, key),
      done,
    };
  }

  #open(film: string, clock: Clock): LocalJournal {
    return openJournal({
      ...{ folder: this.folder, film, clock, to: 'run', later: setImmediate },
      committing: () => {
        if (!this.disk.isFull) return;
        this.disk.refusals += 1;
        const { errcode } = this.disk;
        const message = errcode === 13 ? 'database or disk is full' : `SQLite error ${errcode}`;
        throw Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode });
      },
    });
  }

  /** Drives the clock until the run has ended: time passes whenever the run waits for it. */
  async runToEnd(film: StartedRun): Promise<Outcome> {
    let isOver = false;
    const over = film.done.finally(() => {
      isOver = true;
    });
    // Who waits for the end hears of it below.
    over.catch(() => {});
    while (!isOver) {
      await Promise.race([this.clock.asleep(), over]);
      await this.clock.advance(this.clock.sleeping[0] ?? 0);
    }
    return over;
  }

  /** Drives the clock until an event of this type has happened (to this instance). */
  async runUntil(film: StartedRun, type: Event['type'], key?: string): Promise<RecordedEvent> {
    let event: RecordedEvent | undefined;
    const happened = film.happened(type, key).then(found => {
      event = found;
    });
    while (!event) {
      await Promise.race([this.clock.asleep(), happened]);
      if (!event) await this.clock.advance(this.clock.sleeping[0] ?? 0);
    }
    return event;
  }

  /** The journal as the disk has it. */
  get journal(): LocalJournal {
    if (!(this.#journal instanceof LocalJournal)) throw new Error('nothing was started on this machine yet');
    return this.#journal;
  }

  /** Removes what is not in git, the journal and the store. The lock file stays. */
  async cloneAfresh(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(join(this.folder, 'work'), { recursive: true });
  }

  /** Removes all of the film: from here, from git and from the service. */
  async removeAll(): Promise<void> {
    await this.cloneAfresh();
    this.lockText = undefined;
    this.service.records.clear();
  }

  /** Ends the process of the run at once. What waited to be written is written. */
  async kill(): Promise<void> {
    this.#life.abort();
    await this.#journal?.close();
  }

  /** Kills what runs, compares the journal's tables with its log, and removes the folder. @throws if a row is not what the log gives. */
  async dispose(): Promise<void> {
    this.disk.isFull = false;
    await this.kill();
    expectTablesInFile(join(this.folder, 'journal.db'));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A text without a head is the film `film`. */
function compiled(steps: string, profile: string | undefined): Pipeline {
  const text = /^\s*shotlist:/m.test(steps) ? steps : `shotlist: 1\nname: film\n${steps.trimStart()}`;
  const { pipeline, diagnostics } = compile({ path: 'film.yaml', text }, modelLibrary, { profile });
  if (!pipeline) throw new Error(formatDiagnostics(diagnostics));
  return pipeline;
}

/** A film that is its own list of shots: the same cut is the same bytes. */
export const quickCut: RenderCut = async ({ cut, to, fileOf, onProgress }) => {
  onProgress(cut.frames / 2);
  for (const { source } of cut.sounds) readFileSync(fileOf(source.sha256));
  writeFileSync(to, JSON.stringify({ ...cut, shots: cut.shots.map(({ at, frames, name }) => [at, frames, name]) }));
  onProgress(cut.frames);
  return { is: 'ok' };
};

/** A sleeper of a killed process never wakes. */
const clockUntilKilled = (clock: Clock, life: AbortSignal): Clock => ({
  now: () => clock.now(),
  sleep: async (ms, signal, where) => {
    await clock.sleep(ms, signal ? AbortSignal.any([signal, life]) : life, where);
    if (life.aborted) await new Promise(() => {});
  },
});

async function unlessKilled<T>(work: Promise<T>, life: AbortSignal): Promise<T> {
  try {
    return await work;
  } finally {
    if (life.aborted) await new Promise(() => {});
  }
}

/** A killed process receives no answer. */
const serviceUntilKilled = (service: Service, life: AbortSignal): Service =>
  new Proxy(service, {
    get: (target, name) => {
      const port = Reflect.get(target, name);
      if (typeof port !== 'function') return port;
      return (...given: unknown[]) => {
        const answer = port.apply(target, given);
        if (!(answer instanceof Promise)) return answer;
        return unlessKilled(answer, life);
      };
    },
  });

/** The events of one type. */
export const ofType = <T extends Event['type']>({ events }: StartedRun, type: T) =>
  events.filter((event): event is Extract<RecordedEvent, { readonly type: T }> => event.type === type);

/** The first failure. */
export const failureOf = (film: StartedRun) => ofType(film, 'failed')[0]?.failure;

/** How many POSTs the service has seen. */
export const posts = (): number => rig.service.posts.length;

/** Each failure as `key: message`. */
export const failures = (film: StartedRun) =>
  ofType(film, 'failed').map(({ key, failure }) => `${key}: ${failure.message}`);

/** Each failure as `key: code: message`. */
export const failuresWithCode = (film: StartedRun) =>
  ofType(film, 'failed').map(({ key, failure }) => `${key}: ${failure.code}: ${failure.message}`);

export const skipped = (film: StartedRun) => ofType(film, 'skipped').map(({ key, why }) => `${key}: ${why}`);
export const leftOut = (film: StartedRun) => ofType(film, 'left_out').map(({ key, why }) => `${key}: ${why}`);
export const blocked = (film: StartedRun) => ofType(film, 'blocked').map(({ key, by }) => `${key} by ${by}`);

/** How the plan decided of each instance. */
export const decisions = ({ plan }: StartedRun) => [...plan.instances].map(({ decision }) => decision.is);

/** What a command printed, without the blanks around it. */
export function stdoutOf({ results }: Outcome, key: string): string | undefined {
  const result = results.get(key as InstanceKey)?.result;
  return result?.is === 'command' ? result.stdout.trim() : undefined;
}

/** The words at the end of a run, without its duration. */
export const ending = ({ events }: StartedRun): readonly string[] =>
  summaryLines(events.reduce(reduce, emptyRunView())).map(({ text }) => text.replace(/[\d.]+s:/, '…s:'));

/** One line for each event, `key type`, without progress and the like. */
export function eventLines(events: readonly RecordedEvent[]): string[] {
  return events
    .filter(event => event.type !== 'run_started' && event.type !== 'progress' && event.type !== 'download_started')
    .map(event => ('key' in event ? `${event.key} ${event.type}` : event.type));
}
