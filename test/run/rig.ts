/**
 * A film set for tests: a real journal, store and lock in a folder of the test's own, and a service whose strings the test
 * holds. After every event the state is rebuilt from the plan and the journalled events and must be the same.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Pricing } from '../../src/api/catalog.ts';
import type { ChatRequest } from '../../src/api/chat-completions.ts';
import type { FineTune } from '../../src/api/fine-tunes.ts';
import { modelLibrary } from '../../src/api/model-library.ts';
import type { EnqueueRequest, GenerationRecord, HistoryRow } from '../../src/api/queue.ts';
import type { MediaEndpoint } from '../../src/api/routes.ts';
import type {
  Answer,
  Changed,
  ChatAnswer,
  Enqueued,
  GeneratedNow,
  NotTaken,
  Service,
  StreamListener,
} from '../../src/api/service.ts';
import { LocalStore } from '../../src/artifacts/local-store.ts';
import type { Store } from '../../src/artifacts/store.ts';
import type { Event, RecordedEvent, Reporter } from '../../src/domain/event.ts';
import type { InstanceKey } from '../../src/domain/key.ts';
import type { Plan } from '../../src/domain/plan.ts';
import type { Clock } from '../../src/host/clock.ts';
import { CommandRunner } from '../../src/host/command-runner.ts';
import { compile } from '../../src/language/compile.ts';
import { formatDiagnostics } from '../../src/language/excerpt.ts';
import { type PlanContext, plan } from '../../src/plan/plan.ts';
import { DEFAULT_LIMITS } from '../../src/run/generation-slots.ts';
import { isRunning, openJournal } from '../../src/run/local/journal-file.ts';
import { LocalAdmission } from '../../src/run/local/local-admission.ts';
import { type FetchResult, LocalHands } from '../../src/run/local/local-hands.ts';
import type { LocalJournal } from '../../src/run/local/local-journal.ts';
import { presetDecider } from '../../src/run/local/preset-decider.ts';
import { LockFile } from '../../src/run/lock/lock-file.ts';
import { LockKeeper } from '../../src/run/lock/lock-keeper.ts';
import { ownedBy } from '../../src/run/owned.ts';
import { isJournalled } from '../../src/run/ports/journal.ts';
import { Watcher } from '../../src/run/requests/watcher.ts';
import { type Outcome, type Run, start } from '../../src/run/run.ts';
import type { RunEnvironment } from '../../src/run/run-environment.ts';
import type { RunSettings } from '../../src/run/run-settings.ts';
import { RunState } from '../../src/run/state.ts';
import { FakeClock } from '../support/fake-clock.ts';

/**
 * What a POST meets instead of being taken and answered: `take` tells whether the service keeps it all the same, or how many
 * milliseconds later it does.
 */
export interface Trouble {
  readonly answer: Enqueued | 'never' | Promise<Enqueued>;
  readonly take: boolean | number;
}

/** A service in memory. Generations finish when the test says so. */
export class FakeService implements Service {
  readonly name = 'house';
  account = 'https://house.test 0';
  modelId = (label: string): string => label;
  readonly records = new Map<string, GenerationRecord & { readonly request: EnqueueRequest }>();
  /** Every POST that arrived, taken or not. */
  readonly posts: EnqueueRequest[] = [];
  reads = 0;
  /** Reads of the history. */
  looks = 0;
  readonly trouble: Trouble[] = [];
  listsHistory = true;
  /** What its history makes of the rows that an honest one would show, oldest first. */
  lists: (rows: readonly HistoryRow[]) => readonly HistoryRow[] = rows => rows;
  /** What the next reads of its history meet, and those of a record. */
  readonly historyTrouble: Answer<never>[] = [];
  readonly readTrouble: Answer<never>[] = [];
  /** Generations that it says it has never heard of. */
  readonly denied = new Set<string>();
  /** Whatever it takes is made within a second. */
  isQuick = false;
  /** Every call that arrived, and what the next ones are answered; `never` keeps the caller waiting. */
  readonly calls: { readonly model: string }[] = [];
  readonly chatAnswers: (ChatAnswer | 'never')[] = [];
  readonly madeNow: (GeneratedNow | 'never')[] = [];
  readonly tokenized: Changed<FineTune>[] = [];
  #listener: StreamListener | undefined;
  readonly #arrivals: { readonly want: number; readonly tell: () => void }[] = [];
  readonly #clock: FakeClock;

  constructor(clock: FakeClock) {
    this.#clock = clock;
  }

  async enqueue(request: EnqueueRequest): Promise<Enqueued> {
    this.posts.push(request);
    const trouble = this.trouble.shift();
    const take = trouble?.take ?? true;
    const taken = take === true ? this.#take(request) : '';
    if (typeof take === 'number') void this.#clock.sleep(take).then(() => this.#take(request));
    for (const { want, tell } of this.#arrivals) if (this.posts.length >= want) tell();
    if (trouble?.answer === 'never') return new Promise(() => {});
    return trouble?.answer ?? { is: 'accepted', id: taken };
  }

  #take(request: EnqueueRequest): string {
    const id = `gen-${this.records.size + 1}`;
    const enqueued_at = Math.floor(this.#clock.now() / 1000);
    const model_name = this.modelId(request.model);
    this.records.set(id, { generation_id: id, status: 'processing', model_name, enqueued_at, request });
    if (this.isQuick) void this.#make(id);
    return id;
  }

  /** Its answer is heard before it is made. */
  async #make(id: string): Promise<void> {
    await this.#clock.sleep(500);
    await this.#clock.sleep(500);
    this.finish(id);
  }

  async generation(id: string): Promise<Answer<GenerationRecord>> {
    this.reads += 1;
    const trouble = this.readTrouble.shift();
    if (trouble) return trouble;
    const record = this.denied.has(id) ? undefined : this.records.get(id);
    return record ? { is: 'ok', value: record } : { is: 'absent', message: `no generation ${id}` };
  }

  async history(): Promise<Answer<readonly HistoryRow[]>> {
    this.looks += 1;
    const trouble = this.historyTrouble.shift();
    if (trouble) return trouble;
    if (!this.listsHistory) return { is: 'absent', message: 'not offered' };
    const rows = [...this.records.values()].map(({ request, ...record }): HistoryRow => ({ ...request, ...record }));
    return { is: 'ok', value: this.lists(rows) };
  }

  async cancel(): Promise<Answer<null>> {
    return { is: 'absent', message: 'not offered' };
  }
  async models(): Promise<Answer<never>> {
    return { is: 'absent', message: 'not offered' };
  }
  async model(): Promise<Answer<never>> {
    return { is: 'absent', message: 'not offered' };
  }
  async searchModels(): Promise<Answer<never>> {
    return { is: 'absent', message: 'not offered' };
  }
  async activate(): Promise<Answer<never>> {
    return { is: 'absent', message: 'not offered' };
  }
  async deactivate(): Promise<Answer<never>> {
    return { is: 'absent', message: 'not offered' };
  }
  async tokenize(): Promise<Changed<FineTune>> {
    return this.tokenized.shift() ?? { is: 'absent', message: 'not offered' };
  }
  async generateNow(_endpoint: MediaEndpoint, request: EnqueueRequest, signal: AbortSignal): Promise<GeneratedNow> {
    this.calls.push(request);
    return waitOr(this.madeNow.shift(), signal);
  }

  async chat(request: ChatRequest, signal: AbortSignal, written?: (text: string) => void): Promise<ChatAnswer> {
    this.calls.push(request);
    const answer = await waitOr(this.chatAnswers.shift(), signal);
    if (answer.is === 'answered') written?.(answer.text);
    return answer;
  }

  listen(listener: StreamListener): () => void {
    this.#listener = listener;
    listener.up();
    return () => {
      this.#listener = undefined;
    };
  }

  async close(): Promise<void> {}

  /** Resolves when this many POSTs have arrived. */
  arrived(want: number): Promise<void> {
    return new Promise(resolve => {
      if (this.posts.length >= want) resolve();
      else this.#arrivals.push({ want, tell: resolve });
    });
  }

  /** The service finishes one; `silently` when the stream does not tell. */
  finish(id: string, options: { readonly silently?: boolean } = {}): void {
    this.#settle(id, { status: 'succeeded', result_url: `https://house.test/${id}.mp4` }, options);
  }
  fail(id: string, message: string, options: { readonly silently?: boolean } = {}): void {
    this.#settle(id, { status: 'failed', error_message: message }, options);
  }
  /** Its stream says that it is done, whatever its record says. */
  tell(id: string): void {
    this.#listener?.completed(id);
  }
  /** The address of a result changes. */
  signAnew(id: string): void {
    const record = this.records.get(id);
    if (!record) throw new Error(`the service has no ${id}`);
    this.records.set(id, { ...record, result_url: `${record.result_url}?signed=anew` });
  }
  hangUp(): void {
    this.#listener?.down('the test hung up');
  }
  comeBack(): void {
    this.#listener?.up();
  }

  #settle(id: string, end: Partial<GenerationRecord>, { silently = false }): void {
    const record = this.records.get(id);
    if (!record) throw new Error(`the service has no ${id}`);
    this.records.set(id, { ...record, ...end });
    this.#clock.tick();
    if (!silently) this.#listener?.completed(id);
  }
}

/** An answer, or none until the caller hangs up. */
async function waitOr<T>(answer: T | 'never' | undefined, signal: AbortSignal): Promise<T | NotTaken> {
  if (answer !== 'never') return answer ?? { is: 'refused', status: 404, message: 'not offered' };
  if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve));
  return { is: 'unknown', message: 'house: stopped' };
}

export interface Film {
  readonly plan: Plan;
  readonly run: Run;
  readonly events: readonly RecordedEvent[];
  /** Resolves when an event of this type has happened (to this instance). */
  happened(type: Event['type'], key?: string): Promise<RecordedEvent>;
  readonly done: Promise<Outcome>;
}

const PRICES: ReadonlyMap<string, Pricing> = new Map([
  ['C-D', { method: 'token', input_cost_per_token: 0.001, output_cost_per_token: 0.002 }],
]);

export class FilmSet {
  readonly clock: FakeClock;
  readonly service: FakeService;
  readonly folder: string;
  settings: Partial<RunSettings> = {};
  /** What is done with a POST whose outcome nobody can tell. */
  onUnknown: 'fail' | 'resubmit' = 'fail';
  /** What the next downloads meet instead of the file. */
  readonly fetches: (Awaited<ReturnType<FetchResult>> | 'never')[] = [];
  lockText: string | undefined;
  frozen = false;
  pricing: PlanContext['pricing'] = PRICES;
  /** Which film of the project is shot. */
  film = 'film';
  /** Nothing can be written to the journal while it is full. */
  readonly disk = { isFull: false, refusals: 0 };
  /** Time that moves by itself, and results that really are brought here: for a service that is real, too. */
  live: { readonly clock: Clock; readonly fetchResults: (store: Store) => FetchResult } | undefined;
  /** Who listens besides the set itself, before it. */
  readonly reporters: Reporter[] = [];
  #ids = 0;
  readonly #idOf: (n: number) => string;
  #journal: LocalJournal | undefined;
  /** Ends with the process that runs the film. */
  #life = new AbortController();

  /** @param beside another set: the same project at the same service and time, in a process of its own. */
  constructor(beside?: FilmSet) {
    this.clock = beside?.clock ?? new FakeClock();
    this.service = beside?.service ?? new FakeService(this.clock);
    this.folder = beside?.folder ?? mkdtempSync(join(tmpdir(), 'shotlist-set-'));
    this.#idOf = beside ? n => `beside-${n}` : n => `id-${n}`;
    mkdirSync(join(this.folder, 'work'), { recursive: true });
  }

  /** Starts a run of this text. The one before must have ended, or have been killed. */
  async shoot(text: string, params: Readonly<Record<string, string>> = {}, serviceName = 'house'): Promise<Film> {
    await this.die();
    this.#life = new AbortController();
    const { signal } = this.#life;
    const clock = mortalClock(this.live?.clock ?? this.clock, signal);
    const journal = openJournal({
      folder: this.folder,
      film: this.film,
      clock,
      to: 'run',
      later: setImmediate,
      committing: () => {
        if (!this.disk.isFull) return;
        this.disk.refusals += 1;
        throw Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });
      },
    });
    this.#journal = journal;
    this.service.account = `https://${serviceName}.test 0`;
    const store = await LocalStore.open(join(this.folder, 'store'));
    const lock = LockFile.open(this.lockText, serviceName, 'film.lock.yaml', false);
    const { pipeline, diagnostics } = compile({ path: 'film.yaml', text }, modelLibrary);
    if (!pipeline) throw new Error(formatDiagnostics(diagnostics));
    const planContext: PlanContext = {
      params,
      library: modelLibrary,
      pricing: this.pricing,
      service: serviceName,
      env: {},
      run: { id: 'run', name: pipeline.name },
      owned: ownedBy(journal, lock, store),
      localMedia: () => undefined,
    };
    const planned = plan(pipeline, planContext);
    if (!planned.plan) throw new Error(formatDiagnostics(planned.diagnostics));
    const telling = new Telling(planned.plan);
    const commands = new CommandRunner({ environment: {} });
    const note = (digest: string) => void journal.setNote('lock', digest);
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
      ...{ clock, service: serviceName, path: 'film.lock.yaml', found: this.lockText, isOurs: false },
      written: note,
      stale: () => note(''),
    });
    const settings: RunSettings = {
      limits: DEFAULT_LIMITS,
      pace: { slow: 30_000, least: 500 },
      patience: 60_000,
      proof: { settled: 2_000, settledBehindGateway: 5_000, apart: 500, trusted: true },
      settleActivation: 2_000,
      root: this.folder,
      resume: 'shotlist run film.yaml',
      cancel: 'shotlist cancel film.yaml',
      localStudio: false,
      ...this.settings,
    };
    const service = mortal(this.service, signal);
    const world: RunEnvironment = {
      lock: keeper,
      service,
      journal,
      admission: new LocalAdmission({
        journal,
        clock,
        account: this.service.account,
        limits: this.settings.limits ?? DEFAULT_LIMITS,
        owned: fingerprint => planContext.owned.find(fingerprint),
        isRunning: film => isRunning(this.folder, film),
        frozen: this.frozen,
      }),
      store,
      clock,
      newId: () => this.#idOf(++this.#ids),
      watcher: new Watcher(service, clock, settings.pace),
      hands: new LocalHands({
        ...{ store, commands, limits: settings.limits, root: this.folder, scratch: join(this.folder, 'work/commands') },
        newId: () => this.#idOf(++this.#ids),
        probe: async () => ({ kind: 'video', duration: 5 }),
        fetchResult:
          this.live?.fetchResults(store) ??
          (async (url, id) => {
            const trouble = this.fetches.shift();
            if (trouble === 'never') return new Promise(() => {});
            if (trouble) return trouble;
            const path = join(this.folder, 'work', `${id}-${this.#idOf(++this.#ids)}.part`);
            writeFileSync(path, `the film at ${url}`);
            return { is: 'ok', ...(await whileAlive(store.adopt(path, '.mp4'), signal)) };
          }),
      }),
      decider: presetDecider(
        this.onUnknown === 'resubmit' ? [{ option: 'resubmit', by: '--on-unknown resubmit' }] : [],
      ),
      reporters: [...this.reporters, telling],
      planContext,
      settings,
    };
    const run = start(planned.plan, world);
    const done = whileAlive(run.done, signal).then(async outcome => {
      await whileAlive(commands.close(), signal);
      const instances = [...(planned.plan as Plan).instances].map(({ key }) => key);
      await keeper.close(outcome.is === 'done' ? { instances } : undefined);
      return outcome;
    });
    return { plan: planned.plan, run, events: telling.events, happened: (type, key) => telling.wait(type, key), done };
  }

  /** Lets the film run to its end: time passes whenever somebody waits for it. */
  async toTheEnd(film: Film): Promise<Outcome> {
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

  /** The journal as the disk has it. */
  get journal(): LocalJournal {
    if (!this.#journal) throw new Error('nothing was shot yet');
    return this.#journal;
  }

  /** What is not in git is gone: the journal and the store. The lock file stays. */
  async cloneAfresh(): Promise<void> {
    await this.die();
    rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(join(this.folder, 'work'), { recursive: true });
  }

  /** The process that runs the film ends, from one moment to the next. What waited to be written is. */
  async die(): Promise<void> {
    this.#life.abort();
    await this.#journal?.close();
  }

  /** The set is taken down, with everything in its folder. */
  async strike(): Promise<void> {
    this.disk.isFull = false;
    await this.die();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Whoever is dead never wakes. */
const mortalClock = (clock: Clock, life: AbortSignal): Clock => ({
  now: () => clock.now(),
  sleep: async (ms, signal, where) => {
    await clock.sleep(ms, signal ? AbortSignal.any([signal, life]) : life, where);
    if (life.aborted) await new Promise(() => {});
  },
});

async function whileAlive<T>(work: Promise<T>, life: AbortSignal): Promise<T> {
  try {
    return await work;
  } finally {
    if (life.aborted) await new Promise(() => {});
  }
}

/** Whoever is dead hears no answer. */
const mortal = (service: Service, life: AbortSignal): Service =>
  new Proxy(service, {
    get: (target, name) => {
      const port = Reflect.get(target, name);
      if (typeof port !== 'function') return port;
      return (...given: unknown[]) => {
        const answer = port.apply(target, given);
        if (!(answer instanceof Promise)) return answer;
        return whileAlive(answer, life);
      };
    },
  });

/** Listens to a run, and rebuilds its state from what a journal would hold after every event. */
class Telling {
  readonly events: RecordedEvent[] = [];
  readonly #plan: Plan;
  readonly #live: RunState;
  readonly #waiting: {
    readonly type: string;
    readonly key: string | undefined;
    readonly tell: (event: RecordedEvent) => void;
  }[] = [];

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#live = new RunState(plan);
  }

  report(event: RecordedEvent): void {
    this.events.push(event);
    this.#live.apply(event);
    this.#rebuild();
    for (const { type, key, tell } of this.#waiting) if (matches(event, type, key)) tell(event);
  }

  wait(type: string, key: string | undefined): Promise<RecordedEvent> {
    return new Promise(resolve => {
      const past = this.events.find(event => matches(event, type, key));
      if (past) resolve(past);
      else this.#waiting.push({ type, key, tell: resolve });
    });
  }

  async close(): Promise<void> {}

  #rebuild(): void {
    const rebuilt = new RunState(this.#plan);
    for (const event of this.events) {
      const known = event.type === 'reused' && this.#plan.instances.get(event.key)?.decision.is === 'hit';
      if (known || isJournalled(event)) rebuilt.apply(JSON.parse(JSON.stringify(event)));
    }
    expect(rebuilt.snapshot()).toEqual(this.#live.snapshot());
  }
}

const matches = (event: RecordedEvent, type: string, key: string | undefined): boolean =>
  event.type === type && (key === undefined || ('key' in event && event.key === (key as InstanceKey)));

/** The story of a run in one line for each event: what a person would call what happened. */
export function story(events: readonly RecordedEvent[]): string[] {
  return events
    .filter(event => event.type !== 'run_started' && event.type !== 'progress' && event.type !== 'download_started')
    .map(event => ('key' in event ? `${event.key} ${event.type}` : event.type));
}
