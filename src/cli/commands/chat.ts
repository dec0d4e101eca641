/** `shotlist chat MODEL`: a conversation in the terminal, or one answer to a prompt that is given or piped in. */

import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { CatalogModel } from '../../api/catalog.ts';
import type { ChatMessage } from '../../api/chat-completions.ts';
import { modelLibrary } from '../../api/model-library.ts';
import { validateRequest } from '../../api/validate-request.ts';
import { modelFromCatalog } from '../../app/service/model-from-catalog.ts';
import { imageOf, imagesField } from '../../model/media/chat-images.ts';
import type { Model } from '../../model/model.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import { cellWidth, wrapWords } from '../../model/text/cells.ts';
import { asTyped, safeLines } from '../../model/text/clean.ts';
import type { JsonObject } from '../../model/text/json.ts';
import { isUrl } from '../../plan/media/media-index.ts';
import { nothingSent, UsageError } from '../arguments.ts';
import {
  ask,
  type Chat,
  chatRequest,
  converse,
  finishReasonText,
  type LineInput,
  notAnsweredText,
  systemMessages,
  type Turn,
  usageLine,
} from '../chat/conversation.ts';
import { type ChatModel, chatStep, journaledChat, withoutEarlierTurns } from '../chat/journaled-chat.ts';
import { command } from '../command-line/read-arguments.ts';
import { CommandError } from '../errors/command-error.ts';
import type { ExitCode } from '../errors/exit-codes.ts';
import { parseFieldValues, type SingleStep, unknownModel } from '../generate/single-step.ts';
import { markDelivered, openWorkspace, undeliveredResult, type Workspace } from '../generate/workspace.ts';
import { jsonText, print, say } from '../outlets.ts';
import { forgetSubmissions } from '../service/end-at-service.ts';
import { type Connection, valueOrThrow, withService } from '../service/with-service.ts';
import { INTERRUPTED } from '../terminal/signals.ts';

export const main = command('chat', async ({ values, positionals }, args) => {
  const [name, ...words] = positionals;
  if (name === undefined) throw new UsageError('which model? shotlist chat MODEL [PROMPT] [field=value …]');
  const fields = words.filter(isField);
  const prompt = words
    .filter(word => !isField(word))
    .join(' ')
    .trim();
  const piped = prompt === '' && !process.stdin.isTTY ? (await text(process.stdin)).trim() : '';
  const question = prompt || piped;
  if (question === '' && !process.stdin.isTTY) throw new UsageError('nothing was asked: give a prompt, or pipe one in');
  if (question === '' && values.image.length > 0)
    throw new UsageError('--image goes with a prompt: say what is to be seen in it');
  if (question === '' && values.json) throw new UsageError('--json is for one answer: give a prompt, or pipe one in');
  const { 'on-unknown': onUnknown } = values;
  const again = ['shotlist', 'chat', ...args].map(asTyped).join(' ');
  return withService(values, async connection => {
    const { choice } = connection;
    const { model, found } = await findModel(name, connection);
    const pricing = found?.pricing;
    const chat: Omit<Chat, 'service'> = {
      ...{ name, model, pricing, bills: choice.hosted },
      fields: { ...streamFields(question, connection), ...parseFieldValues(model, fields) },
      system: values.system,
      write: values.json ? () => {} : answerWriter(),
      notice: line => say(wrapWords(safeLines(line), columnsOf(process.stderr)).join('\n')),
    };
    const asks = withImages(question, values.image, model);
    checkFields(chat, asks);
    const localMedia = await localImages(values.image);
    const chatModel = { name, model, pricing, choice, localMedia };
    if (question === '') return terminalChat({ chat, chatModel, again }, connection);
    const asked = { question: asks, json: values.json, again, onUnknown: onUnknown ?? choice.onUnknown };
    return singleAnswer({ chat, chatModel, ...asked }, connection);
  });
});

/** `temperature=0.2`; a prompt that begins so can be piped in. */
const isField = (word: string): boolean => /^[A-Za-z_]\w*=/.test(word);

/**
 * A single answer into a pipe comes whole, with its usage. The studio sends the usage at the end of a stream, too, when it is asked; the
 * interface document does not promise that of another service.
 */
function streamFields(question: string, { choice }: Connection): JsonObject {
  if (question !== '' && !process.stdout.isTTY) return { stream: false };
  return choice.hosted ? {} : { stream_options: { include_usage: true } };
}

/** Breaks lines between words at a terminal. A pipe gets the same cleaned text: it may be shown at a terminal later. */
function answerWriter(): (piece: string) => void {
  const { stdout } = process;
  if (!stdout.isTTY) return print;
  const wrap = wordWrap(() => columnsOf(stdout));
  return piece => print(wrap(safeLines(piece)));
}

const columnsOf = (stream: { readonly columns?: number }): number => stream.columns ?? Number.POSITIVE_INFINITY;

async function findModel(
  name: string,
  { service, signal }: Connection,
): Promise<{ readonly model: Model; readonly found: CatalogModel | undefined }> {
  const answer = await service.model(name, signal);
  const known = modelLibrary.get(name);
  // The catalog has the price; a model of the interface document answers without one.
  const found = answer.is === 'ok' ? answer.value : undefined;
  const model = known ?? (found && modelFromCatalog(found));
  if (model?.produces === 'text') return { model, found };
  if (model) throw new UsageError(`${name} makes ${model.produces}: shotlist generate ${name} field=value …`);
  if (answer.is !== 'absent') valueOrThrow(answer, signal);
  throw unknownModel(service.name, name, 'chat model');
}

/** The prompt with its images. */
function withImages(question: string, images: readonly string[], model: Model): ChatMessage['content'] {
  if (images.length === 0) return question;
  if (imageOf(model) === undefined) {
    const seeing = modelLibrary.labels.filter(label => imagesField(modelLibrary.get(label)!) !== undefined);
    throw new UsageError(`${model.label} reads words alone and cannot be shown an image; ${seeing.join(' and ')} can`);
  }
  return [{ type: 'text', text: question }, ...images.map(url => ({ type: 'image_url', image_url: { url } }))];
}

async function localImages(images: readonly string[]): Promise<ChatModel['localMedia']> {
  const paths = images.filter(image => !isUrl(image));
  if (paths.length === 0) return undefined;
  const { LocalFiles } = await import('../../app/local-files.ts');
  const files = new LocalFiles(process.cwd());
  for (const path of paths) files.get(path);
  await files.load();
  return path => files.get(path);
}

/** @throws UsageError with everything that is wrong with the fields. */
function checkFields(chat: Omit<Chat, 'service'>, question: ChatMessage['content']): void {
  const messages = [...systemMessages(chat), { role: 'user', content: question }];
  const reasons = validateRequest(chat.model, { ...chat.fields, messages });
  if (reasons.length > 0) throw nothingSent(reasons.map(({ message }) => message));
}

interface SingleAnswerOptions {
  readonly chat: Omit<Chat, 'service'>;
  readonly chatModel: ChatModel;
  /** The prompt, perhaps with images. */
  readonly question: ChatMessage['content'];
  readonly json: boolean;
  readonly onUnknown: 'fail' | 'resubmit';
  /** The command, as a person would type it to go on. */
  readonly again: string;
}

/** The exit code. @throws CommandError where there is no answer, UsageError where the question cannot be asked. */
async function singleAnswer(options: SingleAnswerOptions, connection: Connection): Promise<ExitCode> {
  const { chatModel, question, onUnknown, again } = options;
  const messages = [...systemMessages(options.chat), { role: 'user', content: question } as const];
  const step = chatStep(chatModel, chatRequest(options.chat, messages));
  if (!step.plan) throw nothingSent(step.diagnostics.map(({ message }) => message));
  await using workspace = await openWorkspace(connection, step.film, step.key);
  const service = journaledChat({ chatModel, workspace, onUnknown, again });
  const chat: Chat = { ...options.chat, service };
  const turn = undeliveredAnswer(chat, workspace, step) ?? (await ask(chat, messages, connection.signal));
  if (turn.is === 'not') throw notAnswered(turn, connection);
  const { is: _, ...reply } = turn;
  if (options.json) print(jsonText({ model: chat.name, ...reply }));
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

interface TerminalChatOptions {
  readonly chat: Omit<Chat, 'service'>;
  readonly chatModel: ChatModel;
  /** The command, as a person would type it to go on. */
  readonly again: string;
}

/** The exit code. A question with a lost answer is reported, and never asked again by itself. */
async function terminalChat(
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
    // A lost answer of this conversation was reported when it was lost.
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

/**
 * The returned function takes a piece and gives what can be shown now. It holds a word until the word is whole, and the blanks before it
 * until it is known whether the word fits on the same line. A line end releases both. `columns` is asked anew, because windows are
 * resized.
 */
export function wordWrap(columns: () => number): (piece: string) => string {
  let column = 0;
  let gap = '';
  let word = '';
  const place = (): string => {
    const width = cellWidth(word);
    const breaks = column > 0 && column + gap.length + width > columns();
    const placed = (breaks ? '\n' : gap) + word;
    column = (breaks ? 0 : column + gap.length) + width;
    gap = '';
    word = '';
    return placed;
  };
  return piece => {
    let shown = '';
    for (const character of piece) {
      if (character === '\n') {
        shown += `${place()}\n`;
        column = 0;
      } else if (character === ' ') {
        if (word !== '') shown += place();
        gap += ' ';
      } else {
        // Chinese and Japanese may be broken between any two characters.
        if (word !== '' && ALONE.test(character)) shown += place();
        word += character;
        if (ALONE.test(character)) shown += place();
      }
    }
    return shown;
  };
}

const ALONE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303f\uff00-\uff60]/u;
