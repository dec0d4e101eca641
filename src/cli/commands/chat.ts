/** `shotlist chat MODEL`: a conversation in the terminal, or one answer to a prompt that is given or piped in. */
import { text } from 'node:stream/consumers';
import type { CatalogModel } from '../../api/catalog.ts';
import type { ChatMessage } from '../../api/chat-completions.ts';
import { modelLibrary } from '../../api/model-library.ts';
import { validateRequest } from '../../api/validate-request.ts';
import { asTyped } from '../../domain/as-typed.ts';
import { wrapWords } from '../../domain/cells.ts';
import { imageOf, imagesField } from '../../domain/chat-images.ts';
import { safeLines } from '../../domain/clean.ts';
import type { JsonObject } from '../../domain/json.ts';
import { type Model, nearestModel } from '../../domain/model.ts';
import { isUrl } from '../../plan/media-address.ts';
import { modelFromCatalog } from '../../session/model-from-catalog.ts';
import { UsageError } from '../arguments.ts';
import { type Chat, systemMessages } from '../chat/conversation.ts';
import type { ChatModel } from '../chat/journaled-chat.ts';
import { nothingSent } from '../chat/nothing-sent.ts';
import { singleAnswer } from '../chat/single-answer.ts';
import { terminalChat } from '../chat/terminal-chat.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import { withExitCode } from '../errors/exit-code.ts';
import { parseFieldValues } from '../generate/field-values.ts';
import { print, say } from '../outlets.ts';
import { type Connection, valueOrThrow, withService } from '../service/with-service.ts';
import { wordWrap } from '../terminal/word-wrap.ts';

export const main = withExitCode(async args => {
  const { values, positionals } = readArguments('chat', args);
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
 * A single answer that nobody watches comes whole, and so tells what it used. The studio tells that at the end of a stream, too, when it
 * is asked; the document does not say that another service knows the question.
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
  // The catalog tells the price; a model of the document can be talked to without one.
  const found = answer.is === 'ok' ? answer.value : undefined;
  const model = known ?? (found && modelFromCatalog(found));
  if (model?.produces === 'text') return { model, found };
  if (model) throw new UsageError(`${name} makes ${model.produces}: shotlist generate ${name} field=value …`);
  if (answer.is !== 'absent') valueOrThrow(answer, signal);
  const near = nearestModel(name, {
    get: modelLibrary.get,
    labels: modelLibrary.labels.filter(label => modelLibrary.get(label)?.produces === 'text'),
  });
  const instead = near ? `did you mean \`${near}\`?` : '`shotlist models` lists what it has';
  throw new UsageError(`${service.name} has no chat model \`${name}\`; ${instead}`);
}

/** What is said, with what is shown. */
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
  const { LocalFiles } = await import('../../session/local-files.ts');
  const files = new LocalFiles(process.cwd());
  for (const path of paths) files.get(path);
  await files.load();
  return path => files.get(path);
}

/** @throws UsageError with everything that is wrong with the fields. */
function checkFields(chat: Omit<Chat, 'service'>, question: ChatMessage['content']): void {
  const messages = [...systemMessages(chat), { role: 'user', content: question }];
  const reasons = validateRequest(chat.model, { ...chat.fields, messages });
  if (reasons.length > 0) throw nothingSent(reasons);
}
