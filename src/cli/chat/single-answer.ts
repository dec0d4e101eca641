/** `shotlist chat MODEL PROMPT`: one question, answered once. What the same command left unanswered or undelivered is taken up. */

import type { ChatMessage } from '../../api/chat-completions.ts';
import { safeLines } from '../../domain/clean.ts';
import { CommandError } from '../errors/command-error.ts';
import type { ExitCode } from '../errors/exit-codes.ts';
import type { SingleStep } from '../generate/single-step.ts';
import { markDelivered, openWorkspace, undeliveredResult, type Workspace } from '../generate/workspace.ts';
import { print } from '../outlets.ts';
import type { Connection } from '../service/with-service.ts';
import { indentedJson } from '../terminal/indented-json.ts';
import { INTERRUPTED } from '../terminal/signals.ts';
import {
  ask,
  type Chat,
  chatRequest,
  finishReasonText,
  notAnsweredText,
  systemMessages,
  type Turn,
  usageLine,
} from './conversation.ts';
import { type ChatModel, chatStep, journaledChat } from './journaled-chat.ts';
import { nothingSent } from './nothing-sent.ts';

interface SingleAnswerOptions {
  readonly chat: Omit<Chat, 'service'>;
  readonly chatModel: ChatModel;
  /** What is said, perhaps with images. */
  readonly question: ChatMessage['content'];
  readonly json: boolean;
  readonly onUnknown: 'fail' | 'resubmit';
  /** The command, as a person would type it to go on. */
  readonly again: string;
}

/** The exit code. @throws CommandError where there is no answer, UsageError where the question cannot be asked. */
export async function singleAnswer(options: SingleAnswerOptions, connection: Connection): Promise<ExitCode> {
  const { chatModel, question, onUnknown, again } = options;
  const messages = [...systemMessages(options.chat), { role: 'user', content: question } as const];
  const step = chatStep(chatModel, chatRequest(options.chat, messages));
  if (!step.plan) throw nothingSent(step.diagnostics);
  await using workspace = await openWorkspace(connection, step.film, step.key);
  const service = journaledChat({ chatModel, workspace, onUnknown, again });
  const chat: Chat = { ...options.chat, service };
  const turn = undeliveredAnswer(chat, workspace, step) ?? (await ask(chat, messages, connection.signal));
  if (turn.is === 'not') throw notAnswered(turn, connection);
  const { is: _, ...reply } = turn;
  if (options.json) print(`${indentedJson({ model: chat.name, ...reply })}\n`);
  const end = finishReasonText(reply.finish_reason);
  if (end !== undefined) chat.notice(end);
  chat.notice(usageLine(chat, reply));
  await markDelivered(workspace.journal, step.key);
  return 0;
}

/** What an earlier one of the very same command was answered, where it ended before it could say so. */
function undeliveredAnswer(chat: Chat, { journal }: Workspace, { key }: SingleStep): Turn | undefined {
  const kept = undeliveredResult(journal, key);
  if (kept?.is !== 'text') return undefined;
  const { text, finish_reason, usage, cost } = kept;
  chat.notice(`${chat.name}: answered before, and not handed over then: nothing is sent`);
  chat.write(text.endsWith('\n') ? text : `${text}\n`);
  return { is: 'answered', text, finish_reason, usage, cost };
}

function notAnswered({ outcome }: Extract<Turn, { readonly is: 'not' }>, { signal }: Connection): CommandError {
  const isKey = outcome.is === 'refused' && (outcome.status === 401 || outcome.status === 403);
  const exitCode = signal.aborted ? INTERRUPTED : isKey || outcome.is === 'unreached' ? 6 : 1;
  return new CommandError(exitCode, safeLines(notAnsweredText(outcome)));
}
