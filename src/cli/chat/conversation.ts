/** A conversation with a chat model, turn by turn. The caller gives the input and the output: a terminal, a pipe, a test. */
import type { Pricing } from '../../api/catalog.ts';
import type { ChatMessage, ChatRequest } from '../../api/chat-completions.ts';
import type { NotTaken, Service } from '../../api/service.ts';
import type { Model } from '../../model/model.ts';
import type { ChatUsage, FinishReason } from '../../model/run/result.ts';
import { freeText } from '../../model/run/run-money.ts';
import { formatUsd } from '../../model/text/format.ts';
import type { JsonObject } from '../../model/text/json.ts';
import { costOfTokens } from '../../plan/cost/chat-tokens.ts';
import { retryWhenBusy } from '../service/with-service.ts';

export interface Chat {
  readonly service: Pick<Service, 'name' | 'chat'>;
  /** As the service knows it. */
  readonly name: string;
  readonly model: Model;
  /** Undefined where no price is known. */
  readonly pricing: Pricing | undefined;
  /** False for the built-in studio: its prices are examples. */
  readonly bills: boolean;
  /** Fields of the request beside its messages. */
  readonly fields: JsonObject;
  readonly system: string | undefined;
  /** Shows the answer, as it comes. */
  write(text: string): void;
  /** Shows everything else, a line each. */
  notice(line: string): void;
}

interface Reply {
  readonly text: string;
  readonly finish_reason: FinishReason;
  readonly usage: ChatUsage | null;
  /** US dollars; null where the cost is not known. */
  readonly cost: number | null;
}

export type Turn =
  | ({ readonly is: 'answered' } & Reply)
  | { readonly is: 'not'; readonly outcome: NotTaken; readonly text: string };

/** Asks, and writes the answer as it comes. */
export async function ask(chat: Chat, messages: readonly ChatMessage[], signal: AbortSignal): Promise<Turn> {
  const { service, model, pricing } = chat;
  const request = chatRequest(chat, messages);
  let text = '';
  const written = (piece: string) => {
    text += piece;
    chat.write(piece);
  };
  const outcome = await retryWhenBusy(signal, chat.notice, () => service.chat(request, signal, written));
  if (text !== '' && !text.endsWith('\n')) chat.write('\n');
  if (outcome.is !== 'answered') return { is: 'not', outcome, text };
  const { usage } = outcome;
  return { ...outcome, cost: usage && costOfTokens(pricing, model.chat, usage) };
}

export const chatRequest = ({ name, fields }: Pick<Chat, 'name' | 'fields'>, messages: readonly ChatMessage[]) =>
  ({ stream: true, ...fields, model: name, messages }) as ChatRequest;

/** The system message, which comes before the first question. */
export const systemMessages = ({ system }: Pick<Chat, 'system'>): readonly ChatMessage[] =>
  system === undefined ? [] : [{ role: 'system', content: system }];

/** The lines that a person types. */
export interface LineInput {
  /** Undefined at the end. */
  nextLine(): Promise<string | undefined>;
  /** A new signal, which aborts when the answer that is asked for now is to stop. */
  answerSignal(): AbortSignal;
}

/** Until `/bye`, or the end of what is typed. An answer that fails or is stopped ends itself, not the conversation. */
export async function converse(chat: Chat, input: LineInput, ended: AbortSignal): Promise<void> {
  const messages = [...systemMessages(chat)];
  const replies: Reply[] = [];
  chat.notice(`${chat.name} at ${chat.service.name}; /bye or Ctrl-D ends`);
  for (;;) {
    const line = ended.aborted ? undefined : await input.nextLine();
    const typed = line?.trim();
    if (typed === undefined || typed === '/bye') break;
    if (typed === '') continue;
    if (typed.startsWith('/')) {
      chat.notice(`there is no ${typed.split(' ')[0]}; /bye ends`);
      continue;
    }
    const question: ChatMessage = { role: 'user', content: typed };
    const answer = await ask(chat, [...messages, question], AbortSignal.any([ended, input.answerSignal()]));
    if (answer.is === 'answered') {
      const end = finishReasonText(answer.finish_reason);
      if (end !== undefined) chat.notice(end);
      replies.push(answer);
    } else chat.notice(notAnsweredText(answer.outcome));
    // An answer that was seen, even in part, stays in the conversation; a question without any answer does not.
    if (answer.text !== '') messages.push(question, { role: 'assistant', content: answer.text });
  }
  const total = totalOf(replies);
  if (total !== undefined) chat.notice(usageLine(chat, total));
}

/** Why there is no answer, and whether it was paid for. */
export function notAnsweredText(outcome: NotTaken): string {
  switch (outcome.is) {
    case 'refused':
      return `${outcome.message} (${outcome.status}): nothing was paid`;
    case 'unreached':
      return `${outcome.message}: nothing was sent`;
    case 'unknown':
      return `${outcome.message}; it may have been billed as far as it went`;
  }
}

/** How an answer ended, where a reader should know; undefined for a whole one. */
export function finishReasonText(finish_reason: FinishReason): string | undefined {
  switch (finish_reason) {
    case 'stop':
      return undefined;
    case 'length':
    case 'max_tokens':
    case 'max_output_tokens':
      return 'cut off: the answer is as long as max_tokens allows';
    case 'content_filter':
    case 'refusal':
      return 'the model declined to answer, or to go on';
    default:
      return `ended with ${finish_reason}`;
  }
}

function totalOf(replies: readonly Reply[]): Pick<Reply, 'usage' | 'cost'> | undefined {
  const usages = replies.flatMap(({ usage }) => usage ?? []);
  if (usages.length === 0) return undefined;
  const sum = (of: (usage: ChatUsage) => number) => usages.reduce((all, usage) => all + of(usage), 0);
  const usage: ChatUsage = {
    prompt_tokens: sum(one => one.prompt_tokens),
    completion_tokens: sum(one => one.completion_tokens),
    total_tokens: sum(one => one.total_tokens),
  };
  const isKnown = replies.every(({ cost }) => cost !== null);
  return { usage, cost: isKnown ? replies.reduce((all, { cost }) => all + (cost ?? 0), 0) : null };
}

/** `C-D: 29 + 141 tokens, $0.0000593`. */
export function usageLine(
  { name, bills }: Pick<Chat, 'name' | 'bills'>,
  { usage, cost }: Pick<Reply, 'usage' | 'cost'>,
): string {
  if (usage === null) return `${name}: the service did not tell what it used`;
  const [asked, written] = [usage.prompt_tokens, usage.completion_tokens].map(count => count.toLocaleString('en'));
  const price = cost === null ? '' : bills ? `, ${formatUsd(cost)}` : `, ${freeText(cost)}`;
  return `${name}: ${asked} + ${written} tokens${price}`;
}
