/**
 * Addresses of results expire, and the built-in studio moves to another port with every run. Before a request that names
 * an earlier run's result is paid for, the address is read again from the generation that made it.
 */
import { pathToFileURL } from 'node:url';
import type { Json, JsonObject } from '../domain/json.ts';
import type { MediaResult, Result } from '../domain/result.ts';
import type { Context } from './context.ts';

export class Addresses {
  readonly #context: Context;
  /** Earlier results by the address they had then. */
  readonly #stale = new Map<string, MediaResult>();
  readonly #fresh = new Map<string, Promise<string | undefined>>();

  constructor(context: Context) {
    this.#context = context;
  }

  /** An earlier run's result is read by this one. */
  remember(result: Result): void {
    if (result.is === 'media') this.#stale.set(result.result_url, result);
  }

  /** The request with addresses that answer, or the sentence that says why there is none. */
  async refresh(
    request: JsonObject,
  ): Promise<{ readonly is: 'ok'; readonly request: JsonObject } | { readonly is: 'gone'; readonly message: string }> {
    const renewed = new Map<string, string>();
    for (const url of texts(request)) {
      const result = this.#stale.get(url);
      if (!result) continue;
      const address = await this.#addressOf(result);
      if (!address) {
        const message = `its input ${url} is no longer kept by the service; the file itself is ${result.file}`;
        return { is: 'gone', message };
      }
      renewed.set(url, address);
    }
    return { is: 'ok', request: renewed.size === 0 ? request : (replace(request, renewed) as JsonObject) };
  }

  #addressOf(result: MediaResult): Promise<string | undefined> {
    const known = this.#fresh.get(result.sha256);
    if (known) return known;
    const asked = this.#ask(result);
    this.#fresh.set(result.sha256, asked);
    return asked;
  }

  async #ask(result: MediaResult): Promise<string | undefined> {
    const { service, settings } = this.#context.world;
    if (result.generation_id !== null) {
      const answer = await service.generation(result.generation_id, this.#context.signal);
      if (answer.is === 'ok' && answer.value.result_url) return answer.value.result_url;
    }
    if (settings.localStudio) return pathToFileURL(result.file).href;
    // What a call made has no record to ask: its address is all there is, and may still answer.
    return result.generation_id === null && /^https?:/.test(result.result_url) ? result.result_url : undefined;
  }
}

function* texts(value: Json): Iterable<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) yield* texts(part);
}

function replace(value: Json, renewed: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string') return renewed.get(value) ?? value;
  if (Array.isArray(value)) return value.map(part => replace(part, renewed));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, replace(part, renewed)]));
}
