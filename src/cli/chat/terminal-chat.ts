/** `shotlist chat MODEL` at a terminal: a conversation until `/bye`. Its turns are journalled one by one. */

import { createInterface } from 'node:readline';
import type { InstanceKey } from '../../domain/key.ts';
import type { ExitCode } from '../errors/exit-codes.ts';
import { openWorkspace } from '../generate/workspace.ts';
import { say } from '../outlets.ts';
import { forgetSubmissions } from '../service/forget-submissions.ts';
import type { Connection } from '../service/with-service.ts';
import { INTERRUPTED } from '../terminal/signals.ts';
import { type Chat, converse, type LineInput } from './conversation.ts';
import { type ChatModel, journaledChat, withoutEarlierTurns } from './journaled-chat.ts';

interface TerminalChatOptions {
  readonly chat: Omit<Chat, 'service'>;
  readonly chatModel: ChatModel;
  /** The command, as a person would type it to go on. */
  readonly again: string;
}

/** The exit code. A question whose answer was lost is told of, and never asked again by itself. */
export async function terminalChat(
  { chat, chatModel, again }: TerminalChatOptions,
  connection: Connection,
): Promise<ExitCode> {
  await using workspace = await openWorkspace(connection, 'chat', 'chat' as string as InstanceKey);
  const { journal, secrets } = workspace;
  journal.hiding(value => withoutEarlierTurns(secrets.redactIn(value)));
  const lost = journal.views.ledger.open.length;
  if (lost > 0) {
    const what = lost === 1 ? 'a question' : `${lost} questions`;
    chat.notice(`${what} of an earlier conversation got no answer, and may have been paid for`);
    await forgetSubmissions(journal.views.ledger.open, journal);
  }
  const service = journaledChat({ chatModel, workspace, onUnknown: 'fail', again });
  try {
    return await typedConversation({ ...chat, service }, connection.signal);
  } finally {
    // A lost answer of this conversation was told when it was lost.
    await forgetSubmissions(journal.views.ledger.open, journal);
  }
}

/** The prompt goes to standard error, so that standard output holds the answers alone. */
async function typedConversation(chat: Chat, signal: AbortSignal): Promise<ExitCode> {
  // Readline fails to restore a terminal that was closed. The signal, or the end of the input, ends the conversation.
  process.stdin.on('error', () => {});
  const lines = createInterface({ input: process.stdin, output: process.stderr, prompt: '> ', terminal: true });
  const typed = lines[Symbol.asyncIterator]();
  let answer: AbortController | undefined;
  let pressedBefore = false;
  // In a terminal that is read key by key, Ctrl-C is a key.
  lines.on('SIGINT', () => {
    if (pressedBefore) {
      answer?.abort();
      lines.close();
      return;
    }
    pressedBefore = true;
    if (answer) answer.abort();
    else {
      // What was typed so far is cleared, as a shell does.
      lines.write(null, { ctrl: true, name: 'e' });
      lines.write(null, { ctrl: true, name: 'u' });
      say('\nCtrl-C once more ends; so do /bye and Ctrl-D');
      lines.prompt();
    }
  });
  // Whatever else is typed, the next Ctrl-C is a first one again.
  process.stdin.on('keypress', (_text, key?: { readonly ctrl?: boolean; readonly name?: string }) => {
    if (!(key?.ctrl && key.name === 'c')) pressedBefore = false;
  });
  signal.addEventListener('abort', () => lines.close(), { once: true });
  const input: LineInput = {
    nextLine: async () => {
      answer = undefined;
      lines.prompt();
      const next = await typed.next().catch(() => undefined);
      return next?.done ? undefined : next?.value;
    },
    answerSignal: () => {
      answer = new AbortController();
      return answer.signal;
    },
  };
  try {
    await converse(chat, input, signal);
  } finally {
    lines.close();
  }
  return signal.aborted ? INTERRUPTED : 0;
}
