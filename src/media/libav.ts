/**
 * The door to libav: `node-av`, FFmpeg 8.1 as a native module. It is loaded on first use, because it costs 0.3 s and is an
 * optional dependency (there is no build for musl, for one); whoever only imports these rooms pays nothing.
 */
import { arch, platform } from 'node:os';

export type Libav = typeof import('node-av/lib') & { readonly c: typeof import('node-av/constants') };
export type { CodecContext, CodecParameters, FilterContext, FormatContext, Frame, Packet, Stream } from 'node-av/lib';

/** This machine has no media engine: nothing can be rendered or decoded here. The message says what to do. */
export class NoEngine extends Error {
  override readonly name = 'NoEngine';
}

let loading: Promise<Libav> | undefined;

/** @throws {NoEngine} */
export function libav(): Promise<Libav> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Libav> {
  try {
    const [lib, c] = await Promise.all([import('node-av/lib'), import('node-av/constants')]);
    // libav's own log is not shown: errors come back as codes.
    lib.Log.setLevel(c.AV_LOG_FATAL);
    return { ...lib, c };
  } catch (error) {
    const why = (error instanceof Error ? error.message : String(error)).split('\n')[0];
    throw new NoEngine(
      `the media engine (npm package node-av) cannot be loaded on ${platform()}-${arch()}: ${why}. ` +
        'it has builds for Linux with glibc, macOS and Windows, on x64 and arm64: install there with `npm install --include=optional`',
      { cause: error },
    );
  }
}

/** libav said "no". Its `number` is the system's own (negated errno) where the system said it first. */
export class LibavError extends Error {
  readonly number: number;

  constructor(message: string, number: number) {
    super(message);
    this.number = number;
  }
}

/** libav says "no" with a negative number; here it becomes an error that says what was being done. @throws {LibavError} */
export function check(av: Libav, code: number, doing: string): number {
  if (code < 0) throw new LibavError(`${doing}: ${av.FFmpegError.strerror(code)} (${code})`, code);
  return code;
}
