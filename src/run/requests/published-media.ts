/**
 * Files of this machine in requests to a service on another. Right before a place at the service is held they are published, and stand
 * in the request by their place there, without a signature: that is what the journal keeps, and what a history is compared with. Each
 * POST is sent with addresses that are signed for it (`signed`): one that waited for a day in our queue names none that is over.
 */
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Service } from '../../api/service.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import type { Content } from '../../model/run/result.ts';
import { formatBytes } from '../../model/text/format.ts';
import type { Json, JsonObject } from '../../model/text/json.ts';
import { mapTexts, textsIn } from '../../model/text/json.ts';
import { isLocalMedia } from '../../plan/media/local-file-check.ts';
import type { MediaIndex } from '../../plan/media/media-index.ts';
import { reportWhileWaiting } from '../engine/report-waits.ts';
import type { RunCore } from '../engine/run-core.ts';
import type { ContentToPublish, Publisher } from '../ports/publisher.ts';

type Needs = Pick<RunCore, 'store' | 'stopping' | 'recorder' | 'clock' | 'state'>;

type Placed<T> =
  | { readonly is: 'ok'; readonly value: T }
  | { readonly is: 'failed'; readonly message: string }
  | { readonly is: 'stopped' };

interface Known {
  readonly content: ContentToPublish;
  readonly url: string;
}

export class PublishedMedia {
  readonly #publisher: Publisher;
  readonly #run: Needs;
  /** By the place that requests hold. */
  readonly #known = new Map<string, Known>();

  constructor(publisher: Publisher, run: Needs) {
    this.#publisher = publisher;
    this.#run = run;
  }

  /** Whether something of this machine is named in it. */
  isNeededBy = (request: JsonObject): boolean => [...textsIn(request)].some(isLocalMedia);

  /** The request with places in the place of all that can be published; what is no content that we know stays as it is. */
  async place(request: JsonObject, known: MediaIndex, key: InstanceKey): Promise<Placed<JsonObject>> {
    const named = [...new Set(textsIn(request))];
    const found = await Promise.all(named.map(async text => [text, await this.#contentOf(text, known)] as const));
    const places = new Map<string, string>();
    for (const [text, content] of found) {
      if (!content) continue;
      const placed = await this.publish(content, key);
      if (placed.is !== 'ok') return placed;
      places.set(text, placed.value);
    }
    if (places.size === 0) return { is: 'ok', value: request };
    return { is: 'ok', value: mapTexts(request, text => places.get(text) ?? text) as JsonObject };
  }

  /** Returns the place. `key`: the instance that is shown to be publishing; none where it is made of a result that was to be there already. */
  async publish(content: ContentToPublish, key?: InstanceKey): Promise<Placed<string>> {
    const { stopping } = this.#run;
    const { to } = this.#publisher;
    let emitted = -1;
    const progress = (sent: number, of: number) => {
      const fraction = of === 0 ? 1 : sent / of;
      if (key === undefined || (fraction - emitted < STEP && fraction < 1)) return;
      emitted = fraction;
      const status = `publishing ${formatBytes(of)} to ${to}`;
      this.#run.recorder.emit({ type: 'progress', key, status, position: null, fraction });
    };
    const sending = () => this.#publisher.publish(content, progress, stopping.signal);
    const reason = () => `${to} has not taken all of it yet`;
    const outcome = await reportWhileWaiting({ key, what: 'upload', reason }, this.#run, sending);
    if (outcome.is !== 'ok') return outcome;
    const place = placeOf(outcome.url, content);
    this.#known.set(place, { content, url: outcome.url });
    return { is: 'ok', value: place };
  }

  async owned(sha256: string): Promise<ContentToPublish | undefined> {
    const { store } = this.#run;
    if (!store.has(sha256)) return undefined;
    const path = await store.pathOf(sha256);
    return { sha256, extension: extensionOf(path), path };
  }

  /** The request as it is sent: an address that cannot be had anew stays the last one. */
  async signed<T extends object>(request: T): Promise<T> {
    const json = request as unknown as Json;
    const named = [...new Set(textsIn(json))].filter(text => this.#known.has(text));
    if (named.length === 0) return request;
    const urls = new Map(await Promise.all(named.map(async place => [place, await this.#signedNow(place)] as const)));
    return mapTexts(json, text => urls.get(text) ?? text) as unknown as T;
  }

  /** The text with places in the place of addresses that were signed for this run: services quote what they could not fetch. */
  unsigned(text: string): string {
    let clean = text;
    for (const [place, { url }] of this.#known) clean = clean.replaceAll(url, place);
    return clean;
  }

  async #signedNow(place: string): Promise<string> {
    const known = this.#known.get(place);
    if (!known) return place;
    const { content } = known;
    const outcome = await this.#publisher.publish(content, () => {}, this.#run.stopping.signal);
    if (outcome.is !== 'ok') return known.url;
    this.#known.set(place, { content, url: outcome.url });
    return outcome.url;
  }

  async #contentOf(text: string, known: MediaIndex): Promise<ContentToPublish | undefined> {
    const named = contentNamed(text);
    if (named) return this.owned(named);
    if (!/^file:\/\//i.test(text)) return undefined;
    const media = known.get(text);
    if (!media || media.part || !URL.canParse(text)) return undefined;
    const path = fileURLToPath(text);
    return { sha256: media.sha256, extension: extensionOf(path), path };
  }
}

/** The digest in a text that is nothing but the name of content: `file:///content/9f86….png`, `sha256:9f86…`. */
const contentNamed = (text: string): Content['sha256'] | undefined =>
  /^(?:(?:file:\/\/)?\/content\/([0-9a-f]{64})(?:\.[a-z0-9]{1,16})?|sha256:([0-9a-f]{64}))$/i
    .exec(text)
    ?.slice(1)
    .find(digest => digest !== undefined);

const extensionOf = (path: string): string => {
  const extension = extname(path).toLowerCase();
  return /^\.[a-z0-9]{1,16}$/.test(extension) ? extension : '';
};

/** The address without its query, which holds the signature, or whatever else makes it good for a while. */
function placeOf(address: string, { sha256 }: ContentToPublish): string {
  const { origin, pathname, search, href } = new URL(address);
  if (search === '') return href;
  // A command's addresses may differ in nothing but the query.
  return `${origin}${pathname}${pathname.includes(sha256) ? '' : `#${sha256.slice(0, 16)}`}`;
}

/** Least part of a file between two events. */
const STEP = 0.02;

/** The same service; what a request names by its place is signed at the moment of the POST. */
export function withSignedMedia(service: Service, published: PublishedMedia): Service {
  const unsigned = <A extends object>(answer: A): A =>
    'message' in answer && typeof answer.message === 'string'
      ? { ...answer, message: published.unsigned(answer.message) }
      : answer;
  const own: Pick<Service, 'enqueue' | 'generateNow' | 'chat'> = {
    enqueue: async (request, ...rest) => unsigned(await service.enqueue(await published.signed(request), ...rest)),
    generateNow: async (endpoint, request, ...rest) =>
      unsigned(await service.generateNow(endpoint, await published.signed(request), ...rest)),
    chat: async (request, ...rest) => unsigned(await service.chat(await published.signed(request), ...rest)),
  };
  // A service may be an object of a class, and a copy would lose its methods.
  return new Proxy(service, {
    get: (target, name) => {
      if (name in own) return own[name as keyof typeof own];
      const port: unknown = Reflect.get(target, name);
      return typeof port === 'function' ? port.bind(target) : port;
    },
  });
}
