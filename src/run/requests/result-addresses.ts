/**
 * Addresses of results expire, and the built-in studio moves to another port with every run. Before a request that names
 * an earlier run's result is paid for, the address is read again from the generation that made it. What the service keeps no more, and
 * is here, is published where that is set up.
 */

import { pathToFileURL } from 'node:url';
import { backoff } from '../../machine/time/backoff.ts';
import type { MediaResult, Result } from '../../model/run/result.ts';
import { contentIn } from '../../model/run/result.ts';
import type { Json, JsonObject } from '../../model/text/json.ts';
import { mapTexts, textsIn } from '../../model/text/json.ts';
import type { RunCore } from '../engine/run-core.ts';
import { realPathsIn } from '../real-paths.ts';
import type { PublishedMedia } from './published-media.ts';

/** Milliseconds after which an address of a result is read again before it is used: the shortest-lived observed holds an hour. */
const USE_BY = 20 * 60_000;
/** Times that a service which does not answer is asked for an address, before all that depends on it fails. */
const TRIES = 6;

export class ResultAddresses {
  readonly #run: RunCore;
  readonly #published: PublishedMedia | undefined;
  /** Results by the address they were given with, and when it was last known to be good (Unix milliseconds); 0: in an earlier run. */
  readonly #known = new Map<string, { readonly result: MediaResult; readonly at: number }>();
  readonly #fresh = new Map<string, { readonly at: number; readonly address: Promise<string | undefined> }>();

  constructor(run: RunCore, published?: PublishedMedia) {
    this.#run = run;
    this.#published = published;
  }

  /** An earlier run's result is read by this one. */
  remember(result: Result): void {
    if (result.is === 'media') this.#known.set(result.result_url, { result, at: 0 });
  }

  /** A result that this run has just brought home. */
  made(result: Result): void {
    if (result.is === 'media') this.#known.set(result.result_url, { result, at: this.#run.clock.now() });
  }

  /** The request with real paths in the place of those that stand for content. */
  async withRealPaths(request: JsonObject): Promise<JsonObject> {
    const named = [...textsIn(request)].filter(text => contentIn(text).length > 0);
    if (named.length === 0) return request;
    return mapTexts(request, await realPathsIn(named, this.#run.store)) as JsonObject;
  }

  /** The request with addresses that answer, or the sentence that explains why there is none. */
  async refresh(
    request: JsonObject,
  ): Promise<{ readonly is: 'ok'; readonly request: JsonObject } | { readonly is: 'gone'; readonly message: string }> {
    const renewed = new Map<string, string>();
    for (const url of addressesIn(request)) {
      const known = this.#known.get(url);
      if (!known || renewed.has(url) || this.#run.clock.now() - known.at < USE_BY) continue;
      const { result } = known;
      const address = await this.#addressOf(result);
      if (!address) {
        const message = `its input ${url} is no longer kept by the service; the file itself is ${this.#run.store.file(result.sha256) ?? 'not here'}`;
        return { is: 'gone', message };
      }
      renewed.set(url, address);
    }
    return { is: 'ok', request: renewed.size === 0 ? request : (replace(request, renewed) as JsonObject) };
  }

  #addressOf(result: MediaResult): Promise<string | undefined> {
    const now = this.#run.clock.now();
    const known = this.#fresh.get(result.sha256);
    if (known && now - known.at < USE_BY) return known.address;
    const address = this.#ask(result);
    this.#fresh.set(result.sha256, { at: now, address });
    return address;
  }

  async #ask(result: MediaResult): Promise<string | undefined> {
    const { service, settings, clock, store } = this.#run;
    const { signal } = this.#run.stopping;
    for (let attempt = 0; result.generation_id !== null && attempt < TRIES && !signal.aborted; attempt++) {
      const answer = await service.generation(result.generation_id, signal);
      if (answer.is === 'ok' && answer.value.result_url) return answer.value.result_url;
      // Only what passes is worth asking for again.
      if (answer.is !== 'unavailable') break;
      await clock.sleep(backoff(attempt + 1, answer), signal);
    }
    const readsFilesHere = settings.localStudio || settings.elsewhere === false;
    if (readsFilesHere && store.has(result.sha256)) return pathToFileURL(await store.pathOf(result.sha256)).href;
    const here = await this.#published?.owned(result.sha256);
    const placed = here && (await this.#published?.publish(here));
    if (placed?.is === 'ok') return placed.value;
    // What a call made has no record to ask: its address is all there is, and may still answer.
    return result.generation_id === null && /^https?:/.test(result.result_url) ? result.result_url : undefined;
  }
}

/** Whole texts, and what looks like an address within a longer one. */
function* addressesIn(request: JsonObject): Iterable<string> {
  for (const text of textsIn(request)) {
    yield text;
    for (const [found] of text.matchAll(/\b(?:https?|file|generation|sha256):[^\s"'<>`]+/g)) {
      if (found === text) continue;
      yield found;
      yield found.replace(/[).,;:!?\]}]+$/, '');
    }
  }
}

function replace(value: Json, renewed: ReadonlyMap<string, string>): Json {
  return mapTexts(value, text => {
    const whole = renewed.get(text);
    if (whole !== undefined) return whole;
    // Within a longer text, such as a prompt: the longest first, as one address may begin another.
    const inside = [...renewed].filter(([url]) => text.includes(url)).sort(([a], [b]) => b.length - a.length);
    return inside.reduce((changed, [url, address]) => changed.replaceAll(url, address), text);
  });
}
