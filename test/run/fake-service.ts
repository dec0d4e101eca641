/** A service in memory, which a test drives. */
import type { ChatRequest } from '../../src/api/chat-completions.ts';
import type { FineTune } from '../../src/api/fine-tunes.ts';
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
import type { FakeClock } from '../support/fake-clock.ts';

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
  /** What its history says that each generation cost, by id. */
  costs: Readonly<Record<string, string | null>> = {};
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

  get underWay(): readonly GenerationRecord[] {
    return [...this.records.values()].filter(({ status }) => status === 'processing');
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
    if (!this.listsHistory) return ABSENT;
    const rows = [...this.records.values()].map(({ request, ...record }): HistoryRow => {
      const cost = this.costs[record.generation_id];
      return { ...request, ...record, ...(cost !== undefined && { cost }) };
    });
    return { is: 'ok', value: this.lists(rows) };
  }

  cancel: Service['cancel'] = notOffered;
  models: Service['models'] = notOffered;
  model: Service['model'] = notOffered;
  searchModels: Service['searchModels'] = notOffered;
  activate: Service['activate'] = notOffered;
  deactivate: Service['deactivate'] = notOffered;

  async tokenize(): Promise<Changed<FineTune>> {
    this.tokenizations += 1;
    return this.tokenized.shift() ?? ABSENT;
  }
  async fineTune(): Promise<Answer<FineTune>> {
    return this.tuning() ?? ABSENT;
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

const ABSENT = { is: 'absent', message: 'not offered' } as const;
const notOffered = async () => ABSENT;

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
