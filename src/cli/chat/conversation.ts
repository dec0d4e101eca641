/** A conversation with a chat model, turn by turn. Who types and who reads is the caller's: a person at a terminal, a pipe, a test. */
import type { Pricing } from '../../api/catalog.ts';
import type { ChatMessage, ChatRequest, ChatUsage, FinishReason } from '../../api/chat-completions.ts';
import type { NotTaken, Service } from '../../api/service.ts';
import { formatUsd } from '../../domain/format.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Model } from '../../domain/model.ts';
import { costOfTokens } from '../../plan/chat-tokens.ts';
import { patiently } from '../service/retry-when-busy.ts';

export interface Talk {
  readonly service: Pick<Service, 'name' | 'chat'>;
  /** As the service knows it. */
  readonly name: string;
  readonly model: Model;
  /** Undefined where no price is known. */
  readonly pricing: Pricing | undefined;
  /** False for the built-in studio, whose prices are examples. */
  readonly bills: boolean;
  /** Fields of the request beside its messages. */
  readonly fields: JsonObject;
  readonly system: string | undefined;
  /** The answer, as it comes. */
  write(text: string): void;
  /** Everything else that is said, a line each. */
  tell(line: string): void;
}

export interface Said {
  readonly text: string;
  readonly finish_reason: FinishReason;
  readonly usage: ChatUsage | null;
  /** US dollars; null where nobody can tell. */
  readonly cost: number | null;
}

export type Turned =
  | ({ readonly is: 'answered' } & Said)
  | { readonly is: 'not'; readonly outcome: NotTaken; readonly text: string };

/** Asks, and writes the answer as it comes. */
export async function ask(talk: Talk, messages: readonly ChatMessage[], signal: AbortSignal): Promise<Turned> {
  const { service, model, pricing } = talk;
  const request = requestFor(talk, messages);
  let text = '';
  const written = (piece: string) => {
    text += piece;
    talk.write(piece);
  };
  const outcome = await patiently(signal, talk.tell, () => service.chat(request, signal, written));
  if (text !== '' && !text.endsWith('\n')) talk.write('\n');
  if (outcome.is !== 'answered') return { is: 'not', outcome, text };
  const { usage } = outcome;
  return { ...outcome, cost: usage && costOfTokens(pricing, model.chat, usage) };
}

export const requestFor = ({ name, fields }: Pick<Talk, 'name' | 'fields'>, messages: readonly ChatMessage[]) =>
  ({ stream: true, ...fields, model: name, messages }) as ChatRequest;

/** What is asked before the first question. */
export const opening = ({ system }: Pick<Talk, 'system'>): readonly ChatMessage[] =>
  system === undefined ? [] : [{ role: 'system', content: system }];

/** What a person types: lines, until there are no more. */
export interface Person {
  /** Undefined at the end. */
  line(): Promise<string | undefined>;
  /** Aborts when this one answer is to stop. */
  patience(): AbortSignal;
}

/** Until `/bye`, or the end of what is typed. An answer that fails or is stopped ends itself, not the conversation. */
export async function converse(talk: Talk, person: Person, over: AbortSignal): Promise<void> {
  const messages = [...opening(talk)];
  const spent: Said[] = [];
  talk.tell(`${talk.name} at ${talk.service.name}; /bye or Ctrl-D ends`);
  for (;;) {
    const line = over.aborted ? undefined : await person.line();
    const said = line?.trim();
    if (said === undefined || said === '/bye') break;
    if (said === '') continue;
    if (said.startsWith('/')) {
      talk.tell(`there is no ${said.split(' ')[0]}; /bye ends`);
      continue;
    }
    const question: ChatMessage = { role: 'user', content: said };
    const answer = await ask(talk, [...messages, question], AbortSignal.any([over, person.patience()]));
    if (answer.is === 'answered') {
      const end = unusual(answer.finish_reason);
      if (end !== undefined) talk.tell(end);
      spent.push(answer);
    } else talk.tell(whyNot(answer.outcome));
    // What was seen stays in the conversation; a question that got nothing does not.
    if (answer.text !== '') messages.push(question, { role: 'assistant', content: answer.text });
  }
  const total = totalOf(spent);
  if (total !== undefined) talk.tell(spentLine(talk, total));
}

/** Why there is no answer, and what to think of it. */
export function whyNot(outcome: NotTaken): string {
  switch (outcome.is) {
    case 'refused':
      return `${outcome.message} (${outcome.status}): nothing was paid`;
    case 'unreached':
      return `${outcome.message}: nothing was sent`;
    case 'unknown':
      return `${outcome.message}; it may have been billed as far as it went`;
  }
}

/** An end that a reader should know of. */
export function unusual(finish_reason: FinishReason): string | undefined {
  switch (finish_reason) {
    case 'stop':
      return undefined;
    case 'length':
      return 'cut off: the answer is as long as max_tokens allows';
    case 'content_filter':
    case 'refusal':
      return 'the model declined to answer, or to go on';
    default:
      return `ended with ${finish_reason}`;
  }
}

function totalOf(spent: readonly Said[]): Pick<Said, 'usage' | 'cost'> | undefined {
  const told = spent.flatMap(({ usage }) => usage ?? []);
  if (told.length === 0) return undefined;
  const sum = (of: (usage: ChatUsage) => number) => told.reduce((all, usage) => all + of(usage), 0);
  const usage: ChatUsage = {
    prompt_tokens: sum(one => one.prompt_tokens),
    completion_tokens: sum(one => one.completion_tokens),
    total_tokens: sum(one => one.total_tokens),
  };
  const isKnown = spent.every(({ cost }) => cost !== null);
  return { usage, cost: isKnown ? spent.reduce((all, { cost }) => all + (cost ?? 0), 0) : null };
}

/** `C-D: 29 + 141 tokens, $0.0000593`. */
export function spentLine(
  { name, bills }: Pick<Talk, 'name' | 'bills'>,
  { usage, cost }: Pick<Said, 'usage' | 'cost'>,
): string {
  if (usage === null) return `${name}: the service did not tell what it used`;
  const [asked, written] = [usage.prompt_tokens, usage.completion_tokens].map(count => count.toLocaleString('en'));
  const price =
    cost === null
      ? ''
      : bills
        ? `, ${formatUsd(cost)}`
        : `, ${formatUsd(cost)} by the catalog's example prices; nothing is charged`;
  return `${name}: ${asked} + ${written} tokens${price}`;
}
