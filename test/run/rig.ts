/**
 * Runs for tests: a real journal, store and lock in a temporary folder, and a service in memory that the test drives. After every
 * event the state is rebuilt from the plan and the journalled events, and must be the same.
 */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
import type { Instance, Plan } from '../../src/model/plan.ts';
import { Instances } from '../../src/model/plan.ts';
import { filmIn } from '../../src/model/profile.ts';
import type { Event, RecordedEvent, Reporter } from '../../src/model/run/event.ts';
import type { InstanceKey, StepName } from '../../src/model/run/key.ts';
import type { Promotion } from '../../src/model/run/promotion.ts';
import { isFree } from '../../src/model/run/run-money.ts';
import { NO_SELECTION, type Selection } from '../../src/model/selector.ts';
import { type LocalMedia, type PlanContext, plan } from '../../src/plan/plan.ts';
import { unpricedIn } from '../../src/plan/plan-context.ts';
import type { FilmJournal } from '../../src/records/journal/film-journal.ts';
import { isRunning } from '../../src/records/journal/film-lease.ts';
import { isJournalled } from '../../src/records/journal/journal.ts';
import { openJournal } from '../../src/records/journal/journal-file.ts';
import { LocalChoices } from '../../src/records/journal/local-choices.ts';
import { LocalJournal } from '../../src/records/journal/local-journal.ts';
import { LockFile, lockSection } from '../../src/records/lock/lock-file.ts';
import { LockKeeper } from '../../src/records/lock/lock-keeper.ts';
import { LocalStore } from '../../src/records/store/local-store.ts';
import type { Store } from '../../src/records/store/store.ts';
import { AllTurns } from '../../src/records/views/all-turns.ts';
import { isOfInstance, isOver } from '../../src/records/views/instance-state.ts';
import { InstanceStory } from '../../src/records/views/instance-story.ts';
import { applyProgress, type Progress } from '../../src/records/views/progress.ts';
import { reduce } from '../../src/records/views/reduce.ts';
import { emptyRunView, type RunView, spentIn } from '../../src/records/views/run-view.ts';
import { JournalAdmission } from '../../src/run/admission/journal-admission.ts';
import { PresetChoices, type Said } from '../../src/run/choices/said-choices.ts';
import { setAsideDamaged } from '../../src/run/damaged-results.ts';
import { DEFAULT_LIMITS } from '../../src/run/engine/limits.ts';
import { type Outcome, type Run, start } from '../../src/run/engine/run.ts';
import type { RunEnvironment } from '../../src/run/engine/run-environment.ts';
import type { RunSettings } from '../../src/run/engine/run-settings.ts';
import { RunState } from '../../src/run/engine/state.ts';
import { hiddenInJournal } from '../../src/run/hide-secrets.ts';
import { CommandLogs } from '../../src/run/local/command-logs.ts';
import { DerivedFiles, type TakePart } from '../../src/run/local/derived-files.ts';
import { type FetchResult, LocalHands } from '../../src/run/local/local-hands.ts';
import type { RenderCut } from '../../src/run/local/make-cut.ts';
import { ownedBy } from '../../src/run/owned.ts';
import type { AuthorFiles } from '../../src/run/ports/author-files.ts';
import type { Decider } from '../../src/run/ports/decider.ts';
import type { Hands } from '../../src/run/ports/hands.ts';
import type { Publisher } from '../../src/run/ports/publisher.ts';
import { liveRejections, rejections } from '../../src/run/rejections.ts';
import { Watcher } from '../../src/run/requests/watcher.ts';
import { shown } from '../../src/show/text/report/states.ts';
import { type RunTally, runTally } from '../../src/show/text/status/run-tally.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { expectTablesInFile } from '../support/tables-of-log.ts';

/**
 * What a POST meets instead of being taken and answered: `take` tells whether the service keeps it all the same, or how many
 * milliseconds later it does.
 */
export interface Trouble {
  readonly answer: Enqueued | 'never' | Promise<Enqueued>;
  readonly take: boolean | number;
}

/** The answer of a POST that may have been taken or not. */
export const LOST_ANSWER = { is: 'unknown', message: 'the connection was reset' } as const;

/** A service in memory. Generations finish when the test says so. */
export class FakeService implements Service {
  readonly name = 'house';
  account = 'https://house.test 0';
  /** The beginning of the ids that it gives. */
  calledIds = 'gen';
  modelId = (label: string): string => label;
  readonly records = new Map<string, GenerationRecord & { readonly request: EnqueueRequest }>();
  /** Every POST that arrived, taken or not. */
  readonly posts: EnqueueRequest[] = [];
  /** The `Idempotency-Key` of each POST and each call. */
  readonly keys: string[] = [];
  /** It makes one generation of all that comes under one key. */
  honoursKeys = false;
  readonly #byKey = new Map<string, string>();
  reads = 0;
  /** How often the history was read. */
  historyReads = 0;
  readonly trouble: Trouble[] = [];
  listsHistory = true;
  /** Changes the rows of its history, oldest first, into those it answers. */
  lists: (rows: readonly HistoryRow[]) => readonly HistoryRow[] = rows => rows;
  /** Answers to the next reads of its history, and of a record. */
  readonly historyTrouble: Answer<never>[] = [];
  readonly readTrouble: Answer<never>[] = [];
  /** Generations that it answers 404 for. */
  readonly denied = new Set<string>();
  /** Every accepted generation finishes within a second, or in so many milliseconds. */
  isQuick = false;
  takes = 1_000;
  /** Every call that arrived, and what the next ones are answered; `never` keeps the caller waiting. */
  readonly calls: { readonly model: string }[] = [];
  readonly chatAnswers: (ChatAnswer | 'never')[] = [];
  /** Characters of a chat's answer that arrive at once, 200 ms apart. */
  chatPiece = Number.POSITIVE_INFINITY;
  readonly madeNow: (GeneratedNow | 'never')[] = [];
  readonly tokenized: Changed<FineTune>[] = [];
  /** How often a tokenization was asked for. */
  tokenizations = 0;
  /** What reading a fine-tune gives, each time; it cannot be read where this gives nothing. */
  tuning: () => Answer<FineTune> | undefined = () => undefined;
  #listener: StreamListener | undefined;
  readonly #arrivals: { readonly want: number; readonly tell: () => void }[] = [];
  readonly #clock: FakeClock;

  constructor(clock: FakeClock) {
    this.#clock = clock;
  }

  async enqueue(request: EnqueueRequest, _signal?: AbortSignal, key = ''): Promise<Enqueued> {
    this.posts.push(request);
    this.keys.push(key);
    const trouble = this.trouble.shift();
    const take = trouble?.take ?? true;
    const taken = take === true ? this.#takeOnce(request, key) : '';
    if (typeof take === 'number') void this.#clock.sleep(take).then(() => this.#takeOnce(request, key));
    for (const { want, tell } of this.#arrivals) if (this.posts.length >= want) tell();
    if (trouble?.answer === 'never') return new Promise(() => {});
    return trouble?.answer ?? { is: 'accepted', id: taken };
  }

  #takeOnce(request: EnqueueRequest, key: string): string {
    const known = this.honoursKeys ? this.#byKey.get(key) : undefined;
    const id = known ?? this.#take(request);
    this.#byKey.set(key, id);
    return id;
  }

  #take(request: EnqueueRequest): string {
    const id = `${this.calledIds}-${this.records.size + 1}`;
    const enqueued_at = Math.floor(this.#clock.now() / 1000);
    const model_name = this.modelId(request.model);
    this.records.set(id, { generation_id: id, status: 'processing', model_name, enqueued_at, request });
    if (this.isQuick) void this.#make(id);
    return id;
  }

  /** The answer to the POST arrives before the generation finishes. */
  async #make(id: string): Promise<void> {
    await this.#clock.sleep(this.takes / 2);
    await this.#clock.sleep(this.takes / 2);
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
    this.historyReads += 1;
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
    this.tokenizations += 1;
    return this.tokenized.shift() ?? { is: 'absent', message: 'not offered' };
  }
  async fineTune(): Promise<Answer<FineTune>> {
    return this.tuning() ?? { is: 'absent', message: 'not offered' };
  }
  async generateNow(
    _endpoint: MediaEndpoint,
    request: EnqueueRequest,
    signal: AbortSignal,
    key = '',
  ): Promise<GeneratedNow> {
    this.calls.push(request);
    this.keys.push(key);
    return waitOr(this.madeNow.shift(), signal);
  }

  async chat(
    request: ChatRequest,
    signal: AbortSignal,
    written?: (text: string) => void,
    key = '',
  ): Promise<ChatAnswer> {
    this.calls.push(request);
    this.keys.push(key);
    const answer = await waitOr(this.chatAnswers.shift(), signal);
    if (answer.is !== 'answered') return answer;
    for (let at = 0; at < answer.text.length; at += this.chatPiece) {
      written?.(answer.text.slice(at, at + this.chatPiece));
      if (this.chatPiece < answer.text.length) this.#clock.tick(200);
    }
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

  /** The service finishes one; `silently` when the stream does not tell, `withoutUrl` when it does not say where the result is. */
  finish(id: string, options: { readonly silently?: boolean; readonly withoutUrl?: boolean } = {}): void {
    const result_url = options.withoutUrl ? null : `https://house.test/${id}.mp4`;
    this.#settle(id, { status: 'succeeded', result_url }, options);
  }
  /** The service calls its state by another word. */
  says(id: string, status: string): void {
    this.#settle(id, { status }, { silently: true });
  }
  fail(id: string, message: string, options: { readonly silently?: boolean } = {}): void {
    this.#settle(id, { status: 'failed', error_message: message }, options);
  }
  /** The stream says that it is done, whatever its record says. */
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

/** What a chat model says: 10 tokens in, 5 out. */
export const chatAnswer = (text: string, finish_reason = 'stop'): ChatAnswer => ({
  is: 'answered',
  text,
  finish_reason,
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
});

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
  hands: Hands | undefined;
  /** How files reach a service on another machine. */
  publisher: Publisher | undefined;
  /** What is done with a POST whose outcome nobody can tell. */
  /** Who is there to decide. */
  decider: Decider | undefined;
  /** What is chosen and approved beforehand. */
  said: readonly Said[] = [];
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
      hands: new LocalHands({
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
      ...(this.hands && { hands: this.hands }),
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

function compiled(text: string, profile: string | undefined): Pipeline {
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

/**
 * Records the events of a run, and rebuilds its state and its instances' stories from what a journal would hold after every event: over the
 * plan as it began, which grows by each `expanded`, and over the plan as it has grown so far. At the end of a run, what a screen and a progress
 * file hold is rebuilt from all that was shown.
 */
class RecordingReporter {
  readonly events: RecordedEvent[] = [];
  readonly #plan: Plan;
  /** The instances before anything was expanded. */
  readonly #began: readonly (readonly [StepName, readonly Instance[] | null])[];
  /** The plan as far as the reported events tell of it: the run is ahead of them. */
  readonly #shown: Plan;
  readonly #live: RunState;
  readonly #stories: Stories = new Map();
  readonly #view = emptyRunView();
  readonly #turns = new AllTurns();
  readonly #progress = new Map<InstanceKey, Progress>();
  readonly #waiting: {
    readonly type: string;
    readonly key: string | undefined;
    readonly tell: (event: RecordedEvent) => void;
  }[] = [];

  constructor(plan: Plan) {
    const { instances } = plan;
    this.#plan = plan;
    this.#began = [...instances.steps].map(step => [step, instances.isOpen(step) ? null : instances.of(step)]);
    this.#shown = this.#asItBegan();
    this.#live = new RunState(this.#shown);
  }

  report(event: RecordedEvent): void {
    this.events.push(event);
    this.#growBy(event, this.#shown);
    this.#live.apply(event);
    tell(this.#stories, event);
    reduce(this.#view, event);
    applyProgress(this.#progress, event);
    this.#turns.apply(event);
    expectTallyOf(this.#view, runTally(this.#turns));
    const stories: Stories = new Map();
    this.#rebuild(new RunState(this.#shown), past => tell(stories, past));
    expect(survives(stories)).toEqual(survives(this.#stories));
    expect(paidFor(this.#stories, this.#plan)).toBeCloseTo(this.#live.usd, 9);
    const plan = this.#asItBegan();
    this.#rebuild(new RunState(plan), past => this.#growBy(past, plan));
    if (event.type === 'run_finished') this.#rebuildShown();
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

  #asItBegan(): Plan {
    return { ...this.#plan, instances: new Instances(this.#began) };
  }

  #growBy(event: RecordedEvent, { instances }: Plan): void {
    if (event.type === 'expanded') instances.add(event.step, this.#plan.instances.of(event.step));
  }

  #rebuildShown(): void {
    const [view, progress] = [emptyRunView(), new Map<InstanceKey, Progress>()];
    for (const event of JSON.parse(JSON.stringify(this.events)) as readonly RecordedEvent[]) {
      reduce(view, event);
      applyProgress(progress, event);
    }
    expect(view).toEqual(this.#view);
    expect(progress).toEqual(this.#progress);
  }

  #rebuild(rebuilt: RunState, before: (event: RecordedEvent) => void): void {
    for (const event of this.events) {
      const known = 'key' in event && isKnown(event, this.#plan);
      if (!known && !isJournalled(event)) continue;
      before(event);
      rebuilt.apply(JSON.parse(JSON.stringify(event)));
    }
    expect(rebuilt.snapshot()).toEqual(this.#live.snapshot());
    expect(rebuilt.counts()).toEqual(this.#live.counts());
  }
}

/** What `status` of a team's run reads is what the screen of that run shows. */
function expectTallyOf(view: RunView, { counts, failed, questions, spent, outcome }: RunTally): void {
  const all = [...view.instances.values()];
  const states = all.map(({ state, choice }) => (choice && !isOver(state) ? 'made' : shown(state, true)));
  expect(counts).toEqual(
    Object.fromEntries([...Map.groupBy(states, state => state)].map(([is, some]) => [is, some.length])),
  );
  const keysOf = (is: string) => all.filter(({ state }) => state.is === is).map(({ key }) => key);
  expect(failed.map(({ key }) => key).sort()).toEqual(keysOf('failed').sort());
  expect(questions.map(({ key }) => key).sort()).toEqual(keysOf('asking').sort());
  expect(spent).toBeCloseTo(spentIn(view).usd, 9);
  if (view.finished) expect(outcome).toBe(view.finished.outcome);
}

type Stories = Map<InstanceKey, InstanceStory>;

function tell(stories: Stories, event: RecordedEvent): void {
  if (!isOfInstance(event)) return;
  const story = stories.get(event.key) ?? new InstanceStory(null);
  stories.set(event.key, story);
  story.apply(event);
}

/** What a report made from the journal says, and so what a screen has to say as well. */
const survives = (stories: Stories) =>
  Object.fromEntries(
    [...stories].flatMap(([key, story]) => {
      const { state, paidUsd, isUnpriced, result, choice, failure, fingerprint, sentTo, attempts } = story;
      const tries = attempts.map(({ queued, ended, is, cost, generation }) => [queued, ended, is, cost, generation]);
      const told = { stage: state.stage, paidUsd, isUnpriced, result, choice, failure, fingerprint, sentTo, tries };
      return state.stage === 'waiting' && attempts.length === 0 ? [] : [[key, told]];
    }),
  );

const paidFor = (stories: Stories, { instances }: Plan): number =>
  [...stories].reduce((sum, [key, { paidUsd }]) => (instances.has(key) ? sum + paidUsd : sum), 0);

/** Planning again finds it again. */
function isKnown({ type, key }: RecordedEvent & { readonly key: InstanceKey }, { instances, open }: Plan): boolean {
  const is = instances.get(key)?.decision.is;
  if (type === 'left_out')
    return is === 'left_out' || open.some(one => one.step === (key as string) && one.leftOut !== undefined);
  return type === 'reused' && is === 'hit';
}

const matches = (event: RecordedEvent, type: string, key: string | undefined): boolean =>
  event.type === type && (key === undefined || ('key' in event && event.key === (key as InstanceKey)));

/** One line for each event, `key type`, without progress and the like. */
export function eventLines(events: readonly RecordedEvent[]): string[] {
  return events
    .filter(event => event.type !== 'run_started' && event.type !== 'progress' && event.type !== 'download_started')
    .map(event => ('key' in event ? `${event.key} ${event.type}` : event.type));
}
