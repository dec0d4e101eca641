/**
 * The service as one runner meets it: over a network that is slow, loses what it carries, and is cut now and then. What was asked
 * reaches the service or does not, whatever becomes of the answer, and of whoever asked.
 */

import type { CatalogModel } from '../../src/api/catalog.ts';
import type { ChatRequest } from '../../src/api/chat-completions.ts';
import type { EnqueueRequest, GenerationRecord, HistoryRow } from '../../src/api/queue.ts';
import type {
  Answer,
  Changed,
  ChatAnswer,
  Enqueued,
  GeneratedNow,
  HistoryQuery,
  NotTaken,
  Service,
  StreamListener,
} from '../../src/api/service.ts';
import { isObject, type Json, type JsonObject } from '../../src/model/text/json.ts';
import type { Dice } from './dice.ts';
import type { Asked, Generation, Provider } from './provider.ts';
import type { Mortal, Time } from './time.ts';
import { count, type Tally } from './vices.ts';

export interface Network {
  /** Nothing gets through. */
  isCut: boolean;
}

interface ServiceOverNetworkOptions {
  readonly provider: Provider;
  readonly time: Time;
  readonly dice: Dice;
  readonly life: Mortal;
  readonly network: Network;
  readonly tally: Tally;
  /** Generations whose ids a runner knows to be its own: an id answered twice is one of these. */
  readonly known: () => readonly string[];
  /** Every request that was taken, at that moment. */
  readonly taken: (made: Generation) => void;
  /** Every POST that goes out. */
  readonly posted: (nonce: string) => void;
  /** It answers 429 for what it takes all the same. */
  readonly refusesWhatItTook: boolean;
}

const CUT: Answer<never> = { is: 'unavailable', message: 'the connection was cut' };

export class ServiceOverNetwork implements Service {
  readonly name = 'house';
  readonly account = 'https://house.test 0';
  readonly #given: ServiceOverNetworkOptions;

  constructor(options: ServiceOverNetworkOptions) {
    this.#given = options;
  }

  modelId(label: string): string {
    return this.#given.provider.modelId(label);
  }

  enqueue({ model, ...request }: EnqueueRequest, _signal: AbortSignal, nonce = ''): Promise<Enqueued> {
    return this.#post({ model, request, nonce, via: 'queue' }, made => {
      const { provider, known, dice } = this.#given;
      const others = known().filter(id => id !== made.id);
      const [first, ...rest] = others;
      const id = first !== undefined && provider.manners.shows('ids-repeat') ? dice.pick([first, ...rest]) : made.id;
      return { is: 'accepted', id };
    });
  }

  generateNow(
    _: string,
    { model, ...request }: EnqueueRequest,
    signal: AbortSignal,
    nonce = '',
  ): Promise<GeneratedNow> {
    const { provider } = this.#given;
    return this.#post(
      { model, request, nonce, via: 'sync' },
      made => ({ is: 'made', urls: [provider.addressOf(made)] }),
      signal,
    );
  }

  chat(
    { model, ...request }: ChatRequest,
    signal: AbortSignal,
    written?: (text: string) => void,
    nonce = '',
  ): Promise<ChatAnswer> {
    const { stream, stream_options, ...asked } = request as JsonObject;
    const answered = this.#post<ChatAnswer>(
      { model, request: asked, nonce, via: 'chat' },
      made => {
        const text = writtenFor(asked, made.content);
        const usage = { prompt_tokens: 10, completion_tokens: text.length, total_tokens: 10 + text.length };
        return { is: 'answered', text, finish_reason: 'stop', usage };
      },
      signal,
    );
    return answered.then(answer => {
      if (answer.is === 'answered') written?.(answer.text);
      return answer;
    });
  }

  generation(id: string, signal: AbortSignal): Promise<Answer<GenerationRecord>> {
    return this.#get(signal, () => {
      const { provider, time, dice } = this.#given;
      const { manners } = provider;
      const made = provider.get(id);
      if (!made) return { is: 'absent', message: `no generation ${id}` };
      if (provider.isForgotten(made)) return { is: 'absent', message: `generation ${id} is not known` };
      const stale = manners.shows('status-goes-back') ? dice.between(1, 60_000) : 0;
      const status = provider.statusOf(made, time.now - stale);
      const isOver = status !== 'queued' && status !== 'processing';
      const withoutUrl = made.spoilt?.how === 'without-url' && time.now < made.spoilt.until;
      const value: GenerationRecord = {
        generation_id: id,
        status: !isOver && manners.shows('status-unknown') ? 'warming_up' : status,
        result_url: status === 'succeeded' && !withoutUrl ? provider.addressOf(made) : null,
        error_message: status === 'failed' ? this.#said(made.fails ?? '') : null,
      };
      return { is: 'ok', value };
    });
  }

  history(signal: AbortSignal, how: HistoryQuery = {}): Promise<Answer<readonly HistoryRow[]>> {
    return this.#get(signal, () => {
      const { provider } = this.#given;
      const { manners } = provider;
      if (!provider.lists) return { is: 'absent', message: 'not offered' };
      if (manners.shows('history-fails-a-page')) return { is: 'unavailable', message: 'page 2 of 3 answers 500' };
      const rows = provider.rows() as unknown as HistoryRow[];
      how.page?.(1, manners.is('history-without-totals') ? undefined : 1);
      return { is: 'ok', value: rows };
    });
  }

  cancel(id: string, signal: AbortSignal): Promise<Answer<null>> {
    return this.#get(signal, () => {
      const { provider } = this.#given;
      const made = provider.get(id);
      if (!provider.cancels || !made || provider.isForgotten(made)) return { is: 'absent', message: 'not offered' };
      provider.cancel(made);
      return { is: 'ok', value: null };
    });
  }

  listen(listener: StreamListener): () => void {
    const { provider, time, dice, life, network } = this.#given;
    const { manners } = provider;
    let open = true;
    const tell = (act: () => void) => void time.after(dice.between(1, 200), 'an event', () => open && act(), life);
    tell(() => (network.isCut ? listener.down('cut') : listener.up()));
    const close = provider.listen(id => {
      if (network.isCut || manners.shows('events-silent')) return;
      if (manners.shows('events-for-others')) tell(() => listener.completed(`other-${dice.between(1, 9)}`));
      if (manners.shows('events-garbage')) tell(() => listener.completed('\u0000{"generation_id":'));
      if (dice.chance(0.05)) tell(() => listener.down('the stream broke off'));
      tell(() => listener.completed(id));
    });
    return () => {
      open = false;
      close();
    };
  }

  /** One POST that moves money. Whether it was taken is the service's business; what is heard of it, the network's. */
  #post<T>(asked: Omit<Asked, 'label'>, tell: (made: Generation) => T, signal?: AbortSignal): Promise<T | NotTaken> {
    const { provider, time, dice, network, tally } = this.#given;
    const { manners, isStudio } = provider;
    const own: Asked = { ...asked, model: provider.modelId(asked.model), label: asked.model };
    return this.#exchange<T | NotTaken>(signal, { is: 'unknown', message: 'stopped' }, answer => {
      this.#given.posted(own.nonce);
      this.#given.provider.asked.push({ at: this.#given.time.now, label: own.label });
      if (network.isCut) {
        count(tally, 'unreached');
        return answer({ is: 'unreached', message: 'the service cannot be reached' }, 50);
      }
      time.after(dice.between(5, 300), 'a POST arrives', () => {
        const gateway = manners.shows('answers-502') || manners.shows('answers-504') || manners.shows('answers-408');
        if (gateway) {
          this.#perhapsTake(own, isStudio ? 0 : 280_000);
          return answer({ is: 'unknown', message: 'a gateway answered 504', gateway: true }, 100);
        }
        if (manners.shows('loses-requests'))
          return answer(
            { is: 'unknown', message: 'the connection was cut before it was taken' },
            dice.between(10, 60_000),
          );
        if (manners.shows('drops-answers')) {
          this.#perhapsTake(own, isStudio ? 0 : 280_000);
          return answer(
            { is: 'unknown', message: 'the connection was cut before the answer' },
            dice.between(10, 60_000),
          );
        }
        const refusal = this.#refusal();
        if (refusal) {
          // A gateway that counts for itself refuses what the service behind it has taken. Whoever lists all that it has at once can be asked.
          if (
            refusal.status === 429 &&
            provider.deployments.serves(own.model) &&
            own.via === 'queue' &&
            this.#given.refusesWhatItTook
          ) {
            this.#take(own);
            count(tally, 'refused what it took');
          }
          return answer(refusal, 50);
        }
        if (manners.shows('redirects')) return answer({ is: 'unknown', message: 'it redirects elsewhere' }, 50);
        if (!provider.deployments.serves(own.model))
          return answer({ is: 'refused', status: 409, message: 'its deployment is not active' }, 50);
        const made = this.#take(own);
        const done = own.via === 'queue' ? 0 : made.ends - time.now;
        const late = manners.shows('answers-late') ? dice.between(20_000, 200_000) : dice.between(5, 300);
        time.after(done, 'a call is done', () => {
          if (network.isCut) answer({ is: 'unknown', message: 'the connection was cut' }, 10);
          else answer(tell(made), late);
        });
      });
    });
  }

  #take(asked: Asked): Generation {
    const { provider, taken } = this.#given;
    const before = provider.generations.length;
    const made = provider.accept(asked);
    if (provider.generations.length > before) taken(made);
    return made;
  }

  /** At once, a while later, or never. */
  #perhapsTake(asked: Asked, latest: number): void {
    const { time, dice } = this.#given;
    const kind = dice.pick(['now', 'later', 'never']);
    if (kind === 'never') return;
    time.after(
      kind === 'now' ? 0 : dice.between(0, latest),
      'a POST is carried out late',
      () => void (this.#given.provider.deployments.serves(asked.model) && this.#take(asked)),
    );
  }

  #refusal(): (NotTaken & { readonly is: 'refused' }) | undefined {
    const { manners } = this.#given.provider;
    const message = this.#said('too many requests');
    if (manners.shows('key-refused'))
      return { is: 'refused', status: 401, message: this.#said('the key is not valid') };
    if (manners.shows('busy')) return { is: 'refused', status: 429, message, retryAfter: 3_000 };
    if (manners.shows('busy-without-retry-after')) return { is: 'refused', status: 429, message };
    if (manners.shows('busy-retry-after-zero')) return { is: 'refused', status: 429, message, retryAfter: 0 };
    return undefined;
  }

  /** As the client passes words on: without the key, however the service came by it. */
  #said(words: string): string {
    return this.#given.provider.manners.shows('echoes-the-key') ? `${words} (Bearer «secret»)` : words;
  }

  /** Carried out, and the answer may be lost on its way back. */
  #turn(id: string, to: 'up' | 'down', signal: AbortSignal): Promise<Changed<CatalogModel>> {
    const { deployments, manners } = this.#given.provider;
    return this.#get<CatalogModel>(signal, () => {
      const changed = deployments.change(id, to);
      count(this.#given.tally, `deployment ${to}`);
      return manners.shows('drops-answers') ? CUT : (changed as Answer<CatalogModel>);
    });
  }

  #get<T>(signal: AbortSignal, look: () => Answer<T>): Promise<Answer<T>> {
    const { provider, time, dice, network, tally } = this.#given;
    const { manners } = provider;
    return this.#exchange<Answer<T>>(signal, { is: 'unavailable', message: 'stopped' }, answer => {
      if (network.isCut) {
        count(tally, 'cut');
        return answer(CUT, 100);
      }
      time.after(dice.between(5, 200), 'a GET arrives', () => {
        if (manners.shows('key-refused'))
          return answer({ is: 'unauthenticated', message: this.#said('the key is not valid') }, 50);
        if (manners.shows('busy'))
          return answer({ is: 'unavailable', message: 'busy', busy: true, retryAfter: 2_000 }, 50);
        if (manners.shows('busy-retry-after-zero'))
          return answer({ is: 'unavailable', message: 'busy', busy: true, retryAfter: 0 }, 50);
        if (manners.shows('busy-without-retry-after'))
          return answer({ is: 'unavailable', message: 'busy', busy: true }, 50);
        const found = look();
        answer(found, dice.between(5, 200));
      });
    });
  }

  /** What is answered comes to a life that goes on, or to nobody. An abort is heard at once; what was sent goes on. */
  #exchange<T>(
    signal: AbortSignal | undefined,
    stopped: T,
    begin: (answer: (value: T, ms: number) => void) => void,
  ): Promise<T> {
    const { time, life } = this.#given;
    return new Promise<T>(resolve => {
      if (!life.step('a call')) return;
      if (signal?.aborted) return resolve(stopped);
      signal?.addEventListener('abort', () => resolve(stopped), { once: true });
      begin((value, ms) => void time.after(ms, 'an answer', () => resolve(value), life));
    });
  }

  async models(): Promise<Answer<never>> {
    return NOT_OFFERED;
  }
  async searchModels(): Promise<Answer<never>> {
    return NOT_OFFERED;
  }
  model(id: string, signal: AbortSignal): Promise<Answer<CatalogModel>> {
    return this.#get(signal, () => this.#given.provider.deployments.look(id));
  }
  activate(id: string, signal: AbortSignal): Promise<Changed<CatalogModel>> {
    return this.#turn(id, 'up', signal);
  }
  deactivate(id: string, signal: AbortSignal): Promise<Changed<CatalogModel>> {
    return this.#turn(id, 'down', signal);
  }
  async fineTune(): Promise<Answer<never>> {
    return { is: 'absent', message: 'not offered' };
  }
  async tokenize(): Promise<Answer<never>> {
    return NOT_OFFERED;
  }
  async close(): Promise<void> {}
}

const NOT_OFFERED: Answer<never> = { is: 'absent', message: 'not offered' };

/** What the simulated chat model writes: the same for the same words, and now and then something that does not fit at first. */
function writtenFor(request: JsonObject, content: string): string {
  if (request.response_format === undefined) return `a text ${content.slice(0, 16)}`;
  const { messages } = request;
  const isMended =
    Array.isArray(messages) &&
    messages.some(said => isObject(said as Json) && (said as JsonObject).role === 'assistant');
  // Decided by the words alone, so that any way through the film meets the same.
  if (!isMended && Number.parseInt(content.slice(0, 2), 16) < 40) return 'no JSON at all';
  return JSON.stringify({ beats: [1, 2].map(n => `beat ${n} of ${content.slice(0, 12)}`) });
}
