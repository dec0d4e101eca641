/** The images that a chat is shown, looked at on this machine; or made readable for another service that the chat is passed on to. */
import { readFile } from 'node:fs/promises';
import { NotMedia } from '../../../media/decode/not-media.ts';
import { isLoopback } from '../../../model/loopback.ts';
import { imagesShown } from '../../../model/media/chat-images.ts';
import { type Model, mapMedia } from '../../../model/model.ts';
import type { Json, JsonObject } from '../../../model/text/json.ts';
import { type LocalInput, type Renderer, RenderRefusal } from '../../animatic/index.ts';
import { invalid } from '../../shared/http-refusal.ts';
import type { SeenImage } from '../../writer/index.ts';
import type { ResultStore } from '../records/result-store.ts';
import type { InputFiles } from './input-files.ts';

interface ChatImagesParts {
  readonly inputs: InputFiles;
  readonly results: ResultStore;
  readonly colours: Renderer['colours'];
}

export class ChatImages {
  readonly #parts: ChatImagesParts;
  #chats = 0;

  constructor(parts: ChatImagesParts) {
    this.#parts = parts;
  }

  /** What is seen in each, in their order. @throws {HttpRefusal} 400 for one that is unavailable, or is no image. */
  seen(model: Model, request: JsonObject, signal: AbortSignal): Promise<readonly SeenImage[]> {
    return this.#gathered(model, request, signal, async images => {
      const seen: SeenImage[] = [];
      // One at a time: side by side, each would start a render process of its own.
      for (const { path, facts } of images)
        seen.push({
          format: facts.format ?? '',
          width: facts.width ?? 0,
          height: facts.height ?? 0,
          colours: await this.#parts.colours(path, signal),
        });
      return seen;
    });
  }

  /** The request as a service elsewhere can read it: media of this machine are inside it. @throws {HttpRefusal} likewise. */
  async readableElsewhere(model: Model, request: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const here = imagesShown(request).filter(address => typeof address === 'string' && isHere(address));
    if (here.length === 0) return request;
    const use = async (images: readonly LocalInput[]) => {
      const inline = new Map<Json, string>();
      for (const [index, { path, facts }] of images.entries()) {
        const type = facts.format === 'jpg' ? 'jpeg' : facts.format;
        inline.set(here[index]!, `data:image/${type};base64,${await readFile(path, 'base64')}`);
      }
      const { messages } = model.request.properties;
      const see = (address: Json) => inline.get(address) ?? address;
      return messages
        ? { ...request, messages: mapMedia(messages, request.messages ?? [], ['messages'], see) }
        : request;
    };
    return this.#gathered(model, request, signal, use, isHere);
  }

  async #gathered<T>(
    model: Model,
    request: JsonObject,
    signal: AbortSignal,
    use: (images: readonly LocalInput[]) => Promise<T>,
    wanted?: (address: string) => boolean,
  ): Promise<T> {
    const { inputs, results } = this.#parts;
    if (imagesShown(request).length === 0) return use([]);
    const scratch = `chat-${++this.#chats}`;
    try {
      const folder = (await results.clear(scratch)).inputs;
      const { messages = [] } = await inputs.gather(model, request, folder, signal, wanted);
      return await use(messages);
    } catch (error) {
      if (error instanceof RenderRefusal || error instanceof NotMedia)
        throw invalid([{ path: /^messages[^ :]*/.exec(error.message)?.[0] ?? 'messages', message: error.message }]);
      throw error;
    } finally {
      await results.discard(scratch);
    }
  }
}

/** Files of this machine, and results that this studio made: no other service can fetch either. */
function isHere(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && (url.protocol === 'file:' || (/^https?:$/.test(url.protocol) && isLoopback(url.hostname)));
}
