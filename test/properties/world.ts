/**
 * A machine and a service in memory with a time of their own: the real core runs a film there in milliseconds, and is killed wherever a
 * test wants. Work takes as long as `content.ts` says, everything else takes no time.
 */
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChatRequest } from '../../src/api/chat-completions.ts';
import { modelLibrary } from '../../src/api/model-library.ts';
import type { EnqueueRequest, GenerationRecord, HistoryRow } from '../../src/api/queue.ts';
import type { Answer, ChatAnswer, Enqueued, Service, StreamListener } from '../../src/api/service.ts';
import { compile } from '../../src/language/compile.ts';
import type { ProjectFiles } from '../../src/language/used-files.ts';
import { formatDiagnostics } from '../../src/language/yaml/excerpt.ts';
import type { CommandOutcome, CommandRunner } from '../../src/machine/process/command-runner.ts';
import { sourcesIn } from '../../src/model/media/cut.ts';
import type { Pipeline } from '../../src/model/pipeline.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { RecordedEvent } from '../../src/model/run/event.ts';
import { contentPath, contentUrl } from '../../src/model/run/result.ts';
import { NO_SELECTION, type Selection } from '../../src/model/selector.ts';
import type { Json, JsonObject } from '../../src/model/text/json.ts';
import { plan } from '../../src/plan/plan.ts';
import { JOURNAL } from '../../src/records/journal/journal-tables.ts';
import type { Limits } from '../../src/run/engine/limits.ts';
import type { Outcome } from '../../src/run/engine/run.ts';
import type { LocalExecutor } from '../../src/run/local/local-executor.ts';
import type { Decider } from '../../src/run/ports/decider.ts';
import { presetDecider } from '../../src/run/ports/decider.ts';
import type { CutOutcome, CutWork } from '../../src/run/ports/executor.ts';
import { STUDIO_PROOF } from '../../src/run/requests/proof-of-absence.ts';
import { Dice } from '../simulate/dice.ts';
import { Disk, Life } from '../simulate/machine.ts';
import { openProject, type ProjectPlace, startRunOfLife } from '../simulate/run-of-life.ts';
import { Time } from '../simulate/time.ts';
import {
  answered,
  DATA_FILE,
  DATA_ROWS,
  digestOf,
  filmed,
  isApproved,
  joined,
  judged,
  msOfChat,
  msOfCommand,
  msOfCut,
  msOfRequest,
  said,
} from './content.ts';

/** The rows that films read, and whatever else there is: texts by their paths. */
const filesWith = (more: Readonly<Record<string, string>> = {}): ProjectFiles => {
  const all = new Map(Object.entries({ [DATA_FILE]: JSON.stringify(DATA_ROWS), ...more }));
  const files: ProjectFiles = {
    read: path => {
      const text = all.get(path.replace(/^\.\//, ''));
      return text === undefined ? { problem: 'is not there' } : { path, text, sha256: digestOf(text) };
    },
    list: () => ({ paths: [] }),
    relativeTo: () => files,
  };
  return files;
};
export const FILES = filesWith();

/** @param used texts of files that the film uses, by their paths. */
export function compiled(text: string, used: Readonly<Record<string, string>> = {}): Pipeline {
  const { pipeline, diagnostics } = compile({ path: 'film.yaml', text }, modelLibrary, { files: filesWith(used) });
  if (!pipeline) throw new Error(formatDiagnostics(diagnostics));
  return pipeline;
}

export interface Ran {
  readonly plan: Plan;
  readonly events: readonly RecordedEvent[];
  /** Undefined where it was killed. */
  readonly outcome: Outcome | undefined;
  /** Steps it lived through. */
  readonly steps: number;
}

export interface Way {
  readonly limits?: Partial<Limits>;
  /** It is killed after so many steps: calls, commits, and everything else that comes from outside. */
  readonly diesAfter?: number;
  /** It is interrupted when it has told so many events. */
  readonly stopsAfter?: number;
  /** Nobody is there to choose and to approve. */
  readonly isAlone?: boolean;
  /** Which part of the film is made. */
  readonly selection?: Partial<Selection>;
}

const UNLIMITED: Limits = {
  ...{ in_flight: 1_000, per_model: 1_000, submits_per_second: 1_000 },
  ...{ attempts: 3, commands: 1_000, downloads: 1_000 },
};
const WORK = join(tmpdir(), `shotlist-properties-${process.pid}`);
mkdirSync(WORK, { recursive: true });
/** Things that happen in a run of forty instances, many times over. */
const ENDLESS = 50_000;

export class World {
  readonly time = new Time();
  readonly service = new PaperProvider(this.time);
  readonly #disk = new Disk(JOURNAL.migrations as readonly string[]);
  #lives = 0;
  #ids = 0;

  /** The lock file as it is. */
  get lock(): string | undefined {
    return this.#disk.locks.get('film');
  }

  /** What this machine plans at this moment. */
  plan(pipeline: Pipeline) {
    const life = new Life('planner', Number.POSITIVE_INFINITY);
    return plan(pipeline, openProject(this.#place(life), 'film', pipeline).planContext);
  }

  /** @throws what the core throws: a bug. */
  async run(film: Pipeline, { limits, diesAfter, stopsAfter, selection, isAlone }: Way = {}): Promise<Ran> {
    // Outputs are placed on a real disk, whose time is none of ours.
    const pipeline = { ...film, outputs: [] };
    const life = new Life(`run${++this.#lives}`, diesAfter ?? Number.POSITIVE_INFINITY);
    const events: RecordedEvent[] = [];
    const run = startRunOfLife(this.#place(life), 'film', pipeline, {
      ...(selection && { plan: { selection: { ...NO_SELECTION, ...selection } } }),
      service: new PaperService(this.service, this.time, life),
      executor: {
        commands: this.#commands(life),
        probe: async () => ({ kind: 'video', duration: 5 }),
        fetchResult: url => this.#fetch(url, life),
      },
      makeCut: ({ cut }, { started }) => this.#makeCut(cut, started, life),
      // A process that is dead is not answered, and its choices are kept nowhere.
      decider: {
        ...presetDecider([]),
        ...(!isAlone && { decide: (...asked) => (life.dead ? new Promise(() => {}) : person(...asked)) }),
      },
      budgets: film.budget ? [{ of: 'film', budget: film.budget.limits }] : [],
      settings: { limits: { ...UNLIMITED, ...limits }, pace: { slow: 30_000, least: 500 }, proof: STUDIO_PROOF },
      ...{ newId: () => `id-${++this.#ids}`, random: () => 0.5, work: WORK },
      report: event => {
        events.push(event);
        if (events.length === stopsAfter) run.detach();
      },
    });
    const how = await this.time.pass(() => life.dead, ENDLESS);
    if (run.bug !== undefined) throw run.bug;
    if (how !== 'over') throw new Error(`the run does not end: ${how}\n${events.map(lineOf).join('\n')}`);
    return { plan: run.plan, events, outcome: run.outcome, steps: life.steps };
  }

  #place(life: Life): ProjectPlace {
    return { disk: this.#disk, life, time: this.time, dice: new Dice(1), tally: new Map() };
  }

  /** Cuts are made here, and nothing is drawn. */
  #makeCut(cut: CutWork['cut'], started: () => void, life: Life): Promise<CutOutcome> {
    return new Promise(resolve => {
      started();
      if (!life.step('a cut')) return;
      const clips = cut.shots.flatMap(({ picture }) => sourcesIn(picture).map(({ sha256 }) => sha256));
      const sha256 = joined(clips);
      const result_url = contentUrl(contentPath({ sha256, extension: '.mp4' }));
      const made = { is: 'media', result_url, sha256, extension: '.mp4', bytes: 1_000, generation_id: null } as const;
      const result = { ...made, cost: 0, request: {}, media: { kind: 'video', duration: 5 } } as const;
      const end = () => {
        this.#disk.store.set(sha256, 'a cut');
        resolve({ is: 'ok', result });
      };
      this.time.after(msOfCut(clips), 'a cut is made', end, life);
    });
  }

  #fetch(url: string, life: Life): ReturnType<ConstructorParameters<typeof LocalExecutor>[0]['fetchResult']> {
    return new Promise(resolve => {
      if (!life.step('a download')) return;
      const sha256 = this.service.contentAt(url);
      if (sha256 === undefined) return resolve({ is: 'gone', message: `nothing is at ${url}` });
      this.#disk.store.set(sha256, url);
      this.time.after(0, 'a download is there', () => resolve({ is: 'ok', sha256, bytes: 1_000 }), life);
    });
  }

  /** Programs that print what `content.ts` says. */
  #commands(life: Life): CommandRunner {
    const run = ({ argv = [] }: { readonly argv?: readonly string[] }): Promise<CommandOutcome> =>
      new Promise(resolve => {
        if (!life.step('a command')) return;
        const stdout = JSON.stringify(said(argv));
        const outcome = { ended: 'by itself', exit: 0, signal: null, stdout, stderr: '', truncated: false } as const;
        this.time.after(msOfCommand(argv), 'a command ends', () => resolve(outcome), life);
      });
    return { run, close: async () => {} } as unknown as CommandRunner;
  }
}

/** Waits until all is there, and takes the last; says yes or no as `content.ts` has it. */
const person: NonNullable<Decider['decide']> = async (question, signal) => {
  while (question.awaited.length > 0 && !signal.aborted)
    await new Promise<void>(resolve => {
      question.onChange(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  if (signal.aborted) return undefined;
  const all = question.options.map(({ id }) => id);
  // A person knows a scene by its name, whichever file brings it in.
  const approved = isApproved(question.key.replace(/^.*\//, '')) ? all : [];
  return { chosen: question.is === 'pick' ? all.slice(-question.count) : approved, by: 'person', who: 'Ada' };
};

interface Made extends GenerationRecord {
  readonly request: EnqueueRequest;
  readonly sha256: string;
}

/** The service from inside. It outlives every run. */
class PaperProvider {
  /** Everything that was taken, and so paid. */
  readonly taken: Made[] = [];
  /** The prompts of all chats that were answered. */
  readonly asked: string[] = [];
  /** The same of judges. */
  readonly judges: string[] = [];
  readonly listeners = new Set<StreamListener>();
  /** How many generations of a film fail before one succeeds, by the film's digest. */
  failuresOf: (sha256: string) => number = () => 0;
  readonly #time: Time;

  constructor(time: Time) {
    this.#time = time;
  }

  take(request: EnqueueRequest): string {
    const { model, ...rest } = request;
    const asked = this.#byContent(rest as JsonObject);
    const id = `gen-${this.taken.length + 1}`;
    const sha256 = filmed(model, asked);
    const at = this.taken.length;
    const fails = this.taken.filter(other => other.sha256 === sha256).length < this.failuresOf(sha256);
    const enqueued_at = Math.floor(this.#time.now / 1000);
    const record: Made = { generation_id: id, status: 'processing', model_name: model, enqueued_at, request, sha256 };
    this.taken.push(record);
    this.#time.after(msOfRequest(model, asked), 'a film is made', () => {
      this.taken[at] = fails
        ? { ...record, status: 'failed', error_message: 'out of memory' }
        : { ...record, status: 'succeeded', result_url: `https://house.test/${id}.mp4` };
      for (const listener of this.listeners) listener.completed(id);
    });
    return id;
  }

  contentAt(url: string): string | undefined {
    return this.taken.find(({ result_url }) => result_url === url)?.sha256;
  }

  #byContent(request: JsonObject): JsonObject {
    const told = (value: Json): Json => (typeof value === 'string' ? this.contentAt(value) : undefined) ?? value;
    return Object.fromEntries(Object.entries(request).map(([name, value]) => [name, told(value)]));
  }
}

const NOT_OFFERED: Answer<never> = { is: 'absent', message: 'not offered' };

/** The service as one run meets it. */
class PaperService implements Service {
  readonly name = 'house';
  readonly account = 'https://house.test 0';
  readonly #provider: PaperProvider;
  readonly #time: Time;
  readonly #life: Life;

  constructor(provider: PaperProvider, time: Time, life: Life) {
    this.#provider = provider;
    this.#time = time;
    this.#life = life;
  }

  modelId(label: string): string {
    return label;
  }

  enqueue(request: EnqueueRequest): Promise<Enqueued> {
    return this.#exchange(() => ({ is: 'accepted', id: this.#provider.take(request) }));
  }

  generation(id: string): Promise<Answer<GenerationRecord>> {
    return this.#exchange(() => {
      const value = this.#provider.taken.find(({ generation_id }) => generation_id === id);
      return value ? { is: 'ok', value } : { is: 'absent', message: `no generation ${id}` };
    });
  }

  history(): Promise<Answer<readonly HistoryRow[]>> {
    return this.#exchange(() => ({
      is: 'ok',
      value: this.#provider.taken.map(({ request, ...record }): HistoryRow => ({ ...request, ...record })).reverse(),
    }));
  }

  listen(listener: StreamListener): () => void {
    const heard: StreamListener = {
      ...listener,
      completed: id => void this.#time.after(0, 'an event', () => listener.completed(id), this.#life),
    };
    this.#provider.listeners.add(heard);
    this.#time.after(0, 'the stream is up', () => listener.up(), this.#life);
    return () => void this.#provider.listeners.delete(heard);
  }

  /** What is sent arrives at once; a life may end before it hears the answer. */
  #exchange<T>(answer: () => T): Promise<T> {
    return new Promise(resolve => {
      if (!this.#life.step('a call')) return;
      const value = answer();
      this.#time.after(0, 'an answer', () => resolve(value), this.#life);
    });
  }

  cancel = async () => NOT_OFFERED;
  models = async () => NOT_OFFERED;
  searchModels = async () => NOT_OFFERED;
  model = async () => NOT_OFFERED;
  activate = async () => NOT_OFFERED;
  deactivate = async () => NOT_OFFERED;
  tokenize = async () => NOT_OFFERED;
  fineTune = async () => NOT_OFFERED;
  generateNow = async () => ({ is: 'refused', status: 404, message: 'not offered' }) as const;

  /** The prompt is paid for when it arrives, and answered when its time is over. */
  chat(request: ChatRequest): Promise<ChatAnswer> {
    return new Promise(resolve => {
      if (!this.#life.step('a chat')) return;
      const prompt = request.messages.map(({ content }) => String(content)).join('\n');
      const scores = scoresAsked(request);
      (scores ? this.#provider.judges : this.#provider.asked).push(prompt);
      const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
      const text = JSON.stringify(scores ?? answered(prompt));
      const answer = { is: 'answered', text, finish_reason: 'stop', usage } as const;
      this.#time.after(msOfChat(prompt), 'a chat is answered', () => resolve(answer), this.#life);
    });
  }

  close = async () => {};
}

/** What a judge writes, where it is one that is asked. */
function scoresAsked({ response_format: asked }: ChatRequest): JsonObject | undefined {
  const format = asked as { readonly json_schema?: { readonly schema?: JsonObject } } | undefined;
  const { properties } = format?.json_schema?.schema ?? {};
  const { scores } = (properties ?? {}) as { readonly scores?: { readonly minItems: number } };
  if (!scores) return undefined;
  const candidates = Array.from({ length: scores.minItems }, (_, at) => at + 1);
  return { scores: candidates.map(candidate => ({ candidate, score: judged(candidate), words: 'so' })) };
}

/** `31.4 s shot[take=1] succeeded` */
const lineOf = (event: RecordedEvent): string =>
  `${((event.at - Date.UTC(2026, 10, 20, 12)) / 1000).toFixed(1)} s ${'key' in event ? event.key : ''} ${event.type}`;
