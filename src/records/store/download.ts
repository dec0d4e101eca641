/**
 * Brings a result from the service's storage into ours. It is streamed to a part file of its own, resumed where it broke off,
 * checked against every announced length and for being what it should be, and only then taken into the store. The key never
 * comes here.
 */
import type { FileHandle } from 'node:fs/promises';
import { type Disk, systemDisk } from '../../machine/files/disk.ts';
import { diskErrorFrom } from '../../machine/files/disk-error.ts';
import type { UrlGuard } from '../../machine/net/url-guard.ts';
import { backoff } from '../../machine/time/backoff.ts';
import type { Clock } from '../../machine/time/clock.ts';
import type { Misfit } from '../../media/decode/verify.ts';
import type { MediaFacts } from '../../model/media/media.ts';
import { type CheckedResponse, checkedGet, DownloadRefused } from './checked-get.ts';
import { extensionOf } from './media-types.ts';
import { PartialDownload, type PartialState, type Source } from './partial-download.ts';
import type { SingleFlight } from './single-flight.ts';
import type { Store } from './store.ts';

export interface DownloadOptions {
  readonly store: Pick<Store, 'adopt' | 'partials'>;
  readonly disk?: Disk;
  /** The downloads that are under way. A second request for one of them shares it; without this, each is made by itself. */
  readonly underWay?: DownloadsUnderWay;
  /** The generation's id. It names the part, so that a later run finds it again, whatever its URL is by then. */
  readonly id: string;
  readonly expected?: { readonly bytes?: number };
  readonly allow: UrlGuard;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onProgress?: ((bytesSoFar: number, total: number | null) => void) | undefined;
  /** A try failed; the next one starts in `again` milliseconds. Not called for a caller that shares another one's download. */
  readonly onTrouble?: ((message: string, again: number) => void) | undefined;
  /** Looks at the whole file before it gets a place in the store; throws when that is unknown. */
  readonly check?: ((path: string, signal: AbortSignal) => Promise<MediaFacts | Misfit>) | undefined;
}

export type Downloaded =
  | {
      readonly is: 'ok';
      readonly sha256: string;
      readonly bytes: number;
      readonly file: string;
      readonly contentType: string | null;
      readonly media?: MediaFacts | undefined;
    }
  /** The URL has expired, or never was: read the generation again for a fresh one. */
  | { readonly is: 'gone'; readonly status: number; readonly message: string }
  /** Something came, and it is not the result: it was thrown away. A fresh URL may lead elsewhere. */
  | { readonly is: 'misfit'; readonly message: string }
  /** Given up, or called off. The bytes that came stay, and the next attempt goes on from there. */
  | { readonly is: 'failed'; readonly message: string };

export type DownloadsUnderWay = SingleFlight<Downloaded, [bytesSoFar: number, total: number | null]>;

/** Tries in a row that bring not one byte, and all tries together. */
const MAX_FRUITLESS_TRIES = 6;
const MAX_TRIES = 60;
/** Milliseconds: the first wait, the longest, and how long nothing may come. */
const FIRST_DELAY = 1000;
const MAX_DELAY = 30_000;
const MAX_SILENCE = 60_000;
/** Bytes: no result is so long; and how much may have to come again after a crash. */
const MAX_BYTES = 64 * 1024 ** 3;
const SYNC_EVERY = 8 * 1024 * 1024;
/** Bytes: a whole part of this length is fetched again rather than noted on the disk, which takes longer. */
const SMALL = 256 * 1024;

const CALLED_OFF = { is: 'failed', message: 'the download was called off; run again to go on with it' } as const;

/**
 * Never throws for anything the network, the service or the disk does. A second caller for an id that is under way shares that
 * download, if it is checked as well as the caller's own would be.
 */
export function download(url: string, options: DownloadOptions): Promise<Downloaded> {
  const { underWay, id, signal, onProgress } = options;
  if (underWay === undefined) return begin(url, options);
  const name = `${options.check === undefined ? '' : 'checked '}${id}`;
  const waiter = { signal, onNews: onProgress, left: CALLED_OFF };
  return underWay.join(name, waiter, (signal, onProgress) => begin(url, { ...options, signal, onProgress }));
}

async function begin(url: string, options: DownloadOptions): Promise<Downloaded> {
  const { store, disk = systemDisk } = options;
  const folder = store.partials;
  try {
    await using partial = await PartialDownload.claim({ disk, folder }, options.id);
    return await tried(url, partial, options);
  } catch (error) {
    const trouble = diskErrorFrom(error, folder);
    if (trouble === undefined) throw error;
    return { is: 'failed', message: trouble.message };
  }
}

async function tried(url: string, partial: PartialDownload, options: DownloadOptions): Promise<Downloaded> {
  const { clock, signal } = options;
  let fruitless = 0;
  for (let attempt = 1; ; attempt++) {
    const outcome = await once(url, partial, options);
    if (outcome.is !== 'broken') return outcome;
    fruitless = outcome.gained > 0 ? 0 : fruitless + 1;
    if (signal.aborted) return CALLED_OFF;
    if (fruitless === MAX_FRUITLESS_TRIES || attempt === MAX_TRIES) {
      return { is: 'failed', message: `${outcome.message}; run again to go on with it` };
    }
    const retryAfter = Math.min(outcome.retryAfter ?? 0, 10 * MAX_DELAY);
    const pause = backoff(fruitless, { first: FIRST_DELAY, longest: MAX_DELAY, retryAfter });
    options.onTrouble?.(outcome.message, pause);
    await clock.sleep(pause, signal);
  }
}

type Attempt = Downloaded | Broken;
interface Broken {
  readonly is: 'broken';
  readonly gained: number;
  readonly message: string;
  readonly retryAfter?: number | undefined;
}

async function once(url: string, partial: PartialDownload, options: DownloadOptions): Promise<Attempt> {
  try {
    const kept = await partial.kept();
    if (kept !== undefined && kept.bytes === kept.source.total) return await settle(partial, kept, url, options);
    await using fetched = await checkedGet(url, kept ? rangeOf(kept) : {}, { ...options, silence: MAX_SILENCE });
    const refusal = refusalOf(fetched);
    const start = startOf(fetched, kept);
    // The part does not fit what is there now: without its note, the next attempt begins at the beginning.
    if (fetched.status === 416 || (refusal ?? start) === undefined) await partial.forget();
    if (refusal !== undefined) return refusal;
    if (start === undefined) return { is: 'broken', gained: 0, message: 'another range came than was asked for' };
    return await receive(fetched, start, partial, url, options);
  } catch (error) {
    // These bytes will not get better: the next attempt begins at the beginning.
    if (error instanceof WrongBytes) await partial.forget();
    if (error instanceof DownloadRefused) return { is: 'failed', message: error.message };
    const trouble = diskErrorFrom(error, partial.path);
    if (trouble !== undefined) return { is: 'failed', message: trouble.message };
    return { is: 'broken', gained: 0, message: error instanceof Error ? error.message : String(error) };
  }
}

const rangeOf = ({ bytes, source }: PartialState): Record<string, string> => ({
  range: `bytes=${bytes}-`,
  'if-range': source.validator ?? '',
});

/** Answers that are no content: expired, busy, or not for us. */
function refusalOf({ status, header }: CheckedResponse): Exclude<Attempt, { is: 'ok' }> | undefined {
  if (status === 200 || status === 206) {
    const encoding = header('content-encoding') ?? 'identity';
    if (encoding === 'identity') return undefined;
    return { is: 'failed', message: `the result comes ${encoding}-compressed, though it was asked for as it is` };
  }
  const message = `the result's URL answers ${status}`;
  if (status >= 500 || [408, 416, 425, 429].includes(status)) {
    const seconds = whole(header('retry-after'));
    return { is: 'broken', gained: 0, message, retryAfter: seconds === null ? 0 : seconds * 1000 };
  }
  if (status >= 400) return { is: 'gone', status, message: `${message}: it has expired, or was taken away` };
  return { is: 'failed', message: `${message}, which is no result` };
}

/** Where a body begins, and what it is a piece of. */
interface Start {
  readonly at: number;
  readonly source: Source;
}

/** Undefined when it is not the piece that was asked for. */
function startOf({ status, header }: CheckedResponse, kept: PartialState | undefined): Start | undefined {
  const length = whole(header('content-length'));
  // A 200 to a range means that the file has changed, or that ranges are not offered. Either way it comes from its beginning.
  if (status === 200) {
    return {
      at: 0,
      source: { validator: validatorIn(header), total: length, contentType: header('content-type') ?? null },
    };
  }
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(header('content-range') ?? '');
  if (range === null || kept === undefined) return undefined;
  const [first, last, total] = [Number(range[1]), Number(range[2]), Number(range[3])];
  const fits =
    first === kept.bytes &&
    last === total - 1 &&
    (kept.source.total === null || kept.source.total === total) &&
    (length === null || length === total - first);
  return fits ? { at: first, source: { ...kept.source, total } } : undefined;
}

/** A weak ETag means "means the same", not "has the same bytes": with `If-Range` only a strong one counts (RFC 9110, 13.1.5). */
function validatorIn(header: CheckedResponse['header']): string | null {
  const etag = header('etag');
  return etag?.startsWith('"') ? etag : (header('last-modified') ?? null);
}

/** Body → part. The bytes that came are kept, whatever ends it. */
async function receive(
  { body }: CheckedResponse,
  { at, source }: Start,
  partial: PartialDownload,
  url: string,
  options: DownloadOptions,
): Promise<Attempt> {
  checkLength(source.total, options);
  const limit = source.total ?? MAX_BYTES;
  let bytes = at;
  let counted = at;
  const file = await partial.open(at);
  try {
    options.onProgress?.(bytes, source.total);
    for await (const chunk of body) {
      if (bytes + chunk.length > limit) throw new WrongBytes('the result is longer than it was said to be');
      await writeWhole(file, chunk, bytes);
      bytes += chunk.length;
      options.onProgress?.(bytes, source.total);
      if (bytes - counted < SYNC_EVERY) continue;
      await partial.saveProgress(file, source, bytes);
      counted = bytes;
    }
    if (bytes !== (source.total ?? bytes)) throw new Error(`${bytes} bytes came of ${source.total}`);
    // The check and the store may fail, or this process may end there. A large part that is whole is not fetched again.
    if (bytes > SMALL) await partial.saveProgress(file, { ...source, total: bytes }, bytes);
  } catch (error) {
    if (error instanceof DownloadRefused || diskErrorFrom(error, partial.path) !== undefined) throw error;
    await partial.saveProgress(file, source, bytes);
    // A part without a validator has to begin anew, so it gained nothing.
    const gained = source.validator === null ? 0 : bytes - at;
    return { is: 'broken', gained, message: error instanceof Error ? error.message : String(error) };
  } finally {
    await file.close();
  }
  return settle(partial, { source, bytes }, url, options);
}

/** A whole part is taken into the store, if it is what it should be. */
async function settle(
  partial: PartialDownload,
  { source: { contentType }, bytes }: PartialState,
  url: string,
  options: DownloadOptions,
): Promise<Downloaded> {
  checkLength(bytes, options);
  let media: MediaFacts | undefined;
  try {
    const found = await options.check?.(partial.path, options.signal);
    if (found !== undefined && 'misfit' in found) {
      await partial.forget();
      return { is: 'misfit', message: `the result's URL gave ${found.misfit}; run again to ask for a fresh one` };
    }
    media = found;
  } catch (error) {
    if (options.signal.aborted) return CALLED_OFF;
    const why = error instanceof Error ? error.message : String(error);
    return { is: 'failed', message: `the result came, and could not be looked at: ${why}` };
  }
  const stored = await options.store.adopt(partial.path, extensionOf(contentType, url, media?.format));
  await partial.moved();
  return { is: 'ok', ...stored, contentType, media };
}

/** The bytes that came are not those that were announced. */
class WrongBytes extends DownloadRefused {}

/** Throws when the caller knows better how long the result is. */
function checkLength(bytes: number | null, { expected }: DownloadOptions): void {
  if (bytes === null || expected?.bytes === undefined || bytes === expected.bytes) return;
  throw new WrongBytes(`the result has ${bytes} bytes where ${expected.bytes} were expected`);
}

async function writeWhole(file: FileHandle, chunk: Buffer, position: number): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    done += (await file.write(chunk, done, chunk.length - done, position + done)).bytesWritten;
  }
}

const whole = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
