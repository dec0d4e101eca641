/**
 * A chat step: one call, answered in place. With a `schema` an answer that does not fit is sent back to be mended, once, or as often as
 * `retry` allows; that is another call, with an intent of its own, and the one before is closed first.
 */
import type { ChatMessage, ChatRequest } from '../../api/chat-completions.ts';
import type { Redactor } from '../../machine/redactor.ts';
import type { Failure } from '../../model/run/failure.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import type { ChatUsage, TextResult } from '../../model/run/result.ts';
import type { Retry } from '../../model/run/retry-policy.ts';
import { type Json, type JsonObject, jsonIn } from '../../model/text/json.ts';
import { contextExcess, costOfTokens } from '../../plan/cost/chat-tokens.ts';
import { priceOf } from '../../plan/cost/request-price.ts';
import type { Via } from '../../plan/values/resolved.ts';
import type { RunCore } from '../engine/run-core.ts';
import type { RequestOutcome } from '../ports/admission.ts';
import { type Answered, type CheckedAnswer, checkAnswer, refusalIn } from './answer-check.ts';
import type { ServiceHealth } from './service-health.ts';
import { type NotSent, type PaidRequest, type SendNeeds, type Sent, send } from './submit.ts';

type Needs = SendNeeds & Pick<RunCore, 'planContext' | 'secrets'>;

interface ChatWork {
  readonly paid: PaidRequest;
  readonly via: Extract<Via, { readonly is: 'chat' }>;
  /** Milliseconds for each call, where the author set any. */
  readonly limit: number | undefined;
  readonly retry?: Retry;
  /** The request holds a secret, which the answer may repeat. */
  readonly repeatsSecrets: boolean;
}

/** The outcome; or the answer is owned already, or another instance is asking for the same. */
type ChatOutcome = RequestOutcome | NotSent;

export async function askChat(work: ChatWork, run: Needs, health: ServiceHealth): Promise<ChatOutcome> {
  const { paid, via } = work;
  const { key, fingerprint, model } = paid;
  const { library, pricing, unpriced } = run.planContext;
  let { request, price, demand } = paid;
  let cost: number | null = 0;
  let usage: ChatUsage | null = NOTHING;
  const rounds = mendsOf(work, run);
  for (let round = 0; ; round++) {
    const turn = round === 0 ? paid : { ...paid, request, price, demand, again: true, goesOn: true };
    const asked = await ask(turn, work, run, health);
    if (asked.is === 'held_back' && round > 0) {
      // The conversation is in this process alone: it waits where it is.
      await run.clock.sleep(Math.max(1_000, run.queue.closedFor(model)), run.stopping.signal);
      round -= 1;
      continue;
    }
    if (asked.is !== 'taken') return asked;
    const { answer, nonce } = asked;
    const callCost = answer.usage && costOfTokens(pricing.get(model), library.get(model)?.chat, answer.usage);
    cost = cost === null || callCost === null ? null : cost + callCost;
    usage = usage && answer.usage && sum(usage, answer.usage);
    const read = refusalIn(answer) ?? (via.schema ? await checkAnswer(via.schema, answer, request) : asItIs(answer));
    if (read.is === 'fit') {
      const { text, json, leftOut } = read;
      if (leftOut.length > 0) run.recorder.emit({ type: 'answer_cleaned', key, left_out: leftOut });
      const { finish_reason } = answer;
      const result: TextResult = { is: 'text', text, json, finish_reason, usage, request: paid.request, cost };
      return { is: 'ok', result };
    }
    const tokens = answer.usage ? { tokens: answer.usage.total_tokens } : {};
    run.recorder.record({
      type: 'answer_unfit',
      key,
      nonce,
      fingerprint,
      reason: read.reason,
      cost: callCost,
      ...tokens,
    });
    if (!(await run.recorder.durable())) return { is: 'stopped' };
    if (read.refused) return { is: 'failed', failure: { code: 'answer_refused', message: read.reason } };
    if (round >= rounds || !read.mendable) return { is: 'failed', failure: invalid(read.reason, round) };
    const next = mended(request, answer.text, read.reason);
    const excess = contextExcess(library.get(model), next);
    if (excess) return { is: 'failed', failure: notSentBack(read.reason, excess.message) };
    request = next;
    // The whole conversation is sent again: it is longer than what was planned.
    ({ usd: price, demand } = priceOf({ pricing: pricing.get(model), model: library.get(model), request, unpriced }));
  }
}

/** How often an answer is sent back: once, unless the author sets the number of attempts; those of a run that was killed count as well. */
function mendsOf({ retry, paid }: ChatWork, { journal }: Needs): number {
  if (!retry?.on.includes('invalid')) return 1;
  return Math.max(0, retry.attempts - 1 - journal.views.work.attempts(paid.fingerprint).unfit);
}

const asItIs = ({ text }: Answered): CheckedAnswer => ({ is: 'fit', text, json: jsonIn(text), leftOut: [] });

const NOTHING: ChatUsage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
const sum = (a: ChatUsage, b: ChatUsage): ChatUsage => ({
  prompt_tokens: a.prompt_tokens + b.prompt_tokens,
  completion_tokens: a.completion_tokens + b.completion_tokens,
  total_tokens: a.total_tokens + b.total_tokens,
});

/** Streamed unless the author sets otherwise, so that the text can be read as it is written. */
async function ask(
  work: PaidRequest,
  { limit, repeatsSecrets }: Pick<ChatWork, 'limit' | 'repeatsSecrets'>,
  run: Needs,
  health: ServiceHealth,
) {
  const { service } = run;
  const asked = { ...work.request, model: work.model } as unknown as ChatRequest;
  const converse = async (request: ChatRequest, again = work.again ?? false) => {
    const page = new TextProgress(work.key, run, repeatsSecrets ? run.secrets : undefined);
    const written = (text: string) => page.write(text);
    const once = (nonce: string, late: AbortSignal) => service.chat(request, late, written, nonce);
    const answered = await send({ ...work, again }, { once, limit }, run, health);
    page.end();
    return answered;
  };
  if (asked.stream !== undefined) return noQueue(await converse(asked));
  const streamed = await converse({ ...asked, stream: true, stream_options: { include_usage: true } });
  return noQueue(isRefusedStream(streamed) ? await converse(asked, true) : streamed);
}

/** The document lists no `stream_options`: a service that refuses them did so before it took anything. */
const isRefusedStream = (answered: { readonly is: string; readonly failure?: Failure }): boolean =>
  answered.failure?.code === 'request_refused' &&
  answered.failure.status === 400 &&
  /stream/i.test(answered.failure.message);

/** Excludes outcomes of the queue: a chat is never found in a history. */
function noQueue<T>(sent: Sent<T>): Exclude<Sent<T>, { readonly is: 'accepted' | 'made' }> {
  if (sent.is === 'accepted' || sent.is === 'made') throw new Error('a chat was looked for in the queue');
  return sent;
}

/** Milliseconds between two events of a growing text: a screen shows no more, and an event for each word helps no reader. */
const FLUSH_INTERVAL = 100;

/** Text that was received and is not emitted yet. Its end is held back for as long as a secret may have begun there. */
class TextProgress {
  readonly #key: InstanceKey;
  readonly #run: Pick<Needs, 'clock' | 'recorder'>;
  readonly #secrets: Redactor | undefined;
  #text = '';
  #emittedAt = 0;

  constructor(key: InstanceKey, run: Pick<Needs, 'clock' | 'recorder'>, secrets: Redactor | undefined) {
    this.#key = key;
    this.#run = run;
    this.#secrets = secrets;
  }

  write(text: string): void {
    this.#text += text;
    if (this.#run.clock.now() - this.#emittedAt >= FLUSH_INTERVAL) this.#emit((this.#secrets?.longest ?? 1) - 1);
  }

  end(): void {
    this.#emit(0);
  }

  #emit(heldBack: number): void {
    const text = this.#secrets?.redact(this.#text) ?? this.#text;
    const end = Math.max(0, text.length - Math.max(0, heldBack));
    this.#text = text.slice(end);
    if (end === 0) return;
    this.#run.recorder.emit({ type: 'text_written', key: this.#key, text: text.slice(0, end) });
    this.#emittedAt = this.#run.clock.now();
  }
}

const invalid = (reason: string, round: number): Failure => ({
  code: 'answer_invalid',
  message: round === 0 ? reason : `${reason} (it was asked ${round === 1 ? 'once' : `${round} times`} to mend it)`,
});

const notSentBack = (reason: string, why: string): Failure => ({
  code: 'answer_invalid',
  message: `${reason} (it was not sent back: ${why})`,
});

/** The whole conversation so far, and what is wrong with the answer. Services refuse a turn without words. */
function mended(request: JsonObject, answer: string, reason: string): JsonObject {
  const turns = request.messages as unknown as readonly ChatMessage[];
  const wrong = `Your answer does not fit the schema: ${reason}. Answer again with JSON alone that fits it.`;
  const before = answer.trim() === '' ? [] : [{ role: 'assistant', content: answer }];
  return { ...request, messages: [...turns, ...before, { role: 'user', content: wrong }] as unknown as Json };
}
