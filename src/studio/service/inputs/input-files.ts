/**
 * Turns the URLs of a request's media fields into files on this disk, and holds them to the document's limits.
 * A file that cannot be used fails the generation with a sentence that names the field.
 */
import { realpath, stat, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../../machine/time/clock.ts';
import { NotMedia } from '../../../media/decode/not-media.ts';
import { isLoopback } from '../../../model/loopback.ts';
import type { MediaFacts } from '../../../model/media/media.ts';
import { type FieldSchema, type MediaLimit, type Model, mapMedia, pathText } from '../../../model/model.ts';
import type { Json, JsonObject } from '../../../model/text/json.ts';
import { type LocalInput, RenderRefusal } from '../../animatic/index.ts';
import type { Generation } from '../records/generations.ts';
import type { ResultStore } from '../records/result-store.ts';
import { fetchSource, LARGEST_SOURCE, type Network } from './fetch-source.ts';

interface InputFilesParts {
  readonly results: ResultStore;
  readonly find: (id: string) => Generation | undefined;
  readonly network: Network;
  readonly clock: Clock;
  /** Folders with files that a request may name. */
  readonly localFiles: readonly string[];
  /** Out of this process: see `Renderer.probe`. */
  readonly probe: (path: string, signal: AbortSignal) => Promise<MediaFacts>;
}

/** The document shows no bound for the lists of V-REF: this is the studio's, so that one request cannot fill the disk. */
const MOST_FILES = 50;
/** Bytes, of all files of a request. */
const MOST_ALTOGETHER = 1024 * 1024 * 1024;

type Gathered = { readonly [field: string]: readonly LocalInput[] };

export class InputFiles {
  readonly #parts: InputFilesParts;

  constructor(parts: InputFilesParts) {
    this.#parts = parts;
  }

  /** @param wanted leaves out addresses. @throws {RenderRefusal} */
  async gather(
    model: Model,
    request: JsonObject,
    folder: string,
    signal: AbortSignal,
    wanted: (address: string) => boolean = () => true,
  ): Promise<Gathered> {
    const gathered: { [field: string]: LocalInput[] } = {};
    let count = 0;
    let altogether = 0;
    for (const [field, schema] of Object.entries(model.request.properties)) {
      const named = mediaNamed(schema, request[field], field).filter(({ address }) => wanted(address));
      if (named.length > 0) gathered[field] = [];
      for (const [index, { name, address, limit }] of named.entries()) {
        if (++count > MOST_FILES)
          throw new RenderRefusal(
            `${name} is one file too many; the studio takes at most ${MOST_FILES} in one request`,
          );
        const found = await this.#find(name, address, join(folder, `${field}-${index}`), limit, signal);
        checkLimit(name, model.label, limit, found);
        gathered[field]?.push(found.input);
        altogether += found.bytes;
        if (altogether > MOST_ALTOGETHER) {
          throw new RenderRefusal(
            `with ${name} the files of this request are larger than ${MOST_ALTOGETHER / 2 ** 20} MB: send fewer or smaller ones`,
          );
        }
      }
    }
    checkSection(model, request, gathered);
    return gathered;
  }

  async #find(name: string, address: string, to: string, limit: MediaLimit, signal: AbortSignal): Promise<Found> {
    const url = URL.parse(address);
    if (url === null) throw new RenderRefusal(`${name} is not an address: ${address.slice(0, LONGEST_SHOWN)}`);
    const own = ownResult(url);
    if (own) return this.#own(name, own.id, own.file);
    if (url.protocol === 'data:' && limit.inline)
      return this.#measure(name, await written(name, url, to), limit, signal);
    if (url.protocol === 'file:') return this.#measure(name, await this.#local(name, url), limit, signal);
    const most = Math.min(limit.maxBytes ?? LARGEST_SOURCE, LARGEST_SOURCE);
    const { network, clock } = this.#parts;
    await fetchSource(name, url, to, { network, clock, most, signal });
    return this.#measure(name, to, limit, signal);
  }

  /** A result made here, whatever port it was made on, straight from disk and with its clean plate. */
  async #own(name: string, id: string, file: string): Promise<Found> {
    const { find, results } = this.#parts;
    const generation = find(id);
    if (!generation || generation.file !== file || generation.facts === null) {
      throw new RenderRefusal(`${name} names a result that this studio does not have: ${id}/${file}`);
    }
    const path = results.path(id, file);
    const { size } = await stat(path).catch(() => {
      throw new RenderRefusal(`${name} names a result whose file is gone: ${id}/${file}`);
    });
    const { clean_plate: plate, facts } = generation;
    return { bytes: size, input: { path, facts, ...(plate === null ? {} : { cleanPlate: results.path(id, plate) }) } };
  }

  /** Only inside the folders the studio was given, wherever links lead. */
  async #local(name: string, url: URL): Promise<string> {
    const path = await real(url);
    for (const folder of this.#parts.localFiles) {
      const root = await realpath(folder).catch(() => undefined);
      if (path !== undefined && root !== undefined && path.startsWith(root.endsWith(sep) ? root : root + sep))
        return path;
    }
    // One answer for "not there" and "not yours": a request must not learn which files this machine has.
    throw new RenderRefusal(`${name}: no such file in a folder this studio may read: ${url.href}`);
  }

  async #measure(name: string, path: string, limit: MediaLimit, signal: AbortSignal): Promise<Found> {
    const file = await stat(path);
    if (!file.isFile()) throw new RenderRefusal(`${name} is not a file: name one ${limit.kind}`);
    try {
      return { bytes: file.size, input: { path, facts: await this.#parts.probe(path, signal) } };
    } catch (error) {
      if (error instanceof NotMedia) throw new RenderRefusal(`${name} cannot be used: ${error.message}`);
      throw error;
    }
  }
}

/** Characters of an address that is none. */
const LONGEST_SHOWN = 500;

interface NamedMedia {
  readonly name: string;
  readonly address: string;
  readonly limit: MediaLimit;
}

/** Every piece of media in a field, however deep: `input_image[2]`, `messages[0].content[1].image_url.url`. */
function mediaNamed(schema: FieldSchema, value: Json | undefined, field: string): readonly NamedMedia[] {
  const named: NamedMedia[] = [];
  if (value === undefined) return named;
  mapMedia(schema, value, [field], (address, path, limit) => {
    named.push({ name: pathText(path), address: String(address), limit });
    return address;
  });
  return named;
}

/** `data:image/png;base64,…`: bytes inside the request itself. Bytes that make no sense are refused when they are looked at. */
async function written(name: string, { href }: URL, to: string): Promise<string> {
  const [, type, text] = /^data:([^,]*),(.*)$/s.exec(href) ?? [];
  if (text === undefined) throw new RenderRefusal(`${name} is no whole \`data:\` address: encode the image again`);
  const isBase64 = type?.toLowerCase().endsWith(';base64');
  const plain = () =>
    text.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  await writeFile(to, isBase64 ? Buffer.from(text, 'base64') : Buffer.from(plain(), 'latin1'));
  return to;
}

interface Found {
  readonly input: LocalInput;
  readonly bytes: number;
}

/** `http://127.0.0.1:4000/results/<id>/<file>` on any port: an address from before a restart still names its result. */
function ownResult(url: URL): { id: string; file: string } | undefined {
  if (!url.protocol.startsWith('http') || !isLoopback(url.hostname)) return undefined;
  const [, id, file] = /^\/results\/([\w-]+)\/([\w.-]+)$/.exec(url.pathname) ?? [];
  return id === undefined || file === undefined ? undefined : { id, file };
}

async function real(url: URL): Promise<string | undefined> {
  try {
    return await realpath(fileURLToPath(url));
  } catch {
    return undefined;
  }
}

/** What the document allows a model to be given (section "Limits"), in one sentence where it is broken. */

/** Seconds: encoders pad, and an MP3's length is an estimate. */
const TOLERANCE = 0.1;

/** Beyond the document: what this machine can hold in memory and draw in good time. 8K is 33 megapixels. */
const MOST_PIXELS = { image: 100e6, video: 36e6 } as const;
/** Seconds. */
const LONGEST = 30 * 60;

export function checkLimit(
  name: string,
  label: string,
  limit: MediaLimit,
  { input: { facts }, bytes }: { readonly input: LocalInput; readonly bytes: number },
): void {
  const { kind, formats, minSeconds, maxSeconds, maxBytes, maxSide } = limit;
  const refuse = (is: string, takes: string) => {
    throw new RenderRefusal(`${name} is ${is}; ${label} takes ${takes}`);
  };
  if (facts.kind !== kind) refuse(`${article(facts.kind)} ${facts.kind}`, `${article(kind)} ${kind} there`);
  if (formats && facts.format !== undefined && !formats.includes(facts.format)) {
    refuse(`in the format ${facts.format}`, formats.join(' or '));
  }
  if (maxBytes !== undefined && bytes > maxBytes)
    refuse(`${megabytes(bytes)} MB large`, `at most ${megabytes(maxBytes)} MB`);
  const side = Math.max(facts.width ?? 0, facts.height ?? 0);
  if (maxSide !== undefined && side > maxSide) refuse(`${side} pixels on its longer side`, `at most ${maxSide}`);
  const { duration } = facts;
  if (duration !== undefined && maxSeconds !== undefined && duration > maxSeconds + TOLERANCE) {
    refuse(`${seconds(duration)} long`, `at most ${maxSeconds} s`);
  }
  if (duration !== undefined && minSeconds !== undefined && duration < minSeconds - TOLERANCE) {
    refuse(`${seconds(duration)} long`, `at least ${minSeconds} s`);
  }
  checkSize(name, facts);
}

function checkSize(name: string, { kind, width = 0, height = 0, duration = 0 }: MediaFacts): void {
  const most = kind === 'audio' ? Number.POSITIVE_INFINITY : MOST_PIXELS[kind];
  if (width * height > most) {
    throw new RenderRefusal(
      `${name} is ${width}×${height} pixels large; the studio takes at most ${most / 1e6} megapixels: send a smaller copy`,
    );
  }
  if (duration > LONGEST) {
    throw new RenderRefusal(
      `${name} is ${Math.round(duration / 60)} minutes long; the studio takes at most ${LONGEST / 60}: send the part you need`,
    );
  }
}

/** A retake's section must lie within its clip. */
function checkSection(
  model: Model,
  request: JsonObject,
  inputs: { readonly [field: string]: readonly LocalInput[] },
): void {
  const length = inputs.input_video?.[0]?.facts.duration;
  if (model.kind !== 'retake' || length === undefined) return;
  const start = typeof request.retake_start_time === 'number' ? request.retake_start_time : 0;
  const duration = typeof request.retake_duration === 'number' ? request.retake_duration : 0;
  const isWithin = start >= 0 && duration >= 0 && start < length && start + duration <= length + TOLERANCE;
  if (isWithin) return;
  throw new RenderRefusal(
    `the section to retake is ${seconds(start)} to ${seconds(start + duration)}, but input_video is ${seconds(length)} long: choose a section that lies within it`,
  );
}

const seconds = (value: number): string => `${value.toFixed(1)} s`;
const megabytes = (bytes: number): string => (bytes / (1024 * 1024)).toFixed(1).replace(/\.0$/, '');
const article = (kind: string): string => (/^[aeiou]/.test(kind) ? 'an' : 'a');
