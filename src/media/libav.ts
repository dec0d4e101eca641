/**
 * The door to libav: `node-av`, FFmpeg 8.1 as a native module. It is loaded on first use, because it costs 0.3 s and is an
 * optional dependency (there is no build for musl, for one); importing these rooms alone costs nothing.
 */
import { arch, platform } from 'node:os';
import type { CodecContext, FilterContext, Frame, Packet, Stream } from 'node-av/lib';

export type Libav = typeof import('node-av/lib') & { readonly c: typeof import('node-av/constants') };
export type { CodecContext, CodecParameters, FilterContext, FormatContext, Frame, Packet, Stream } from 'node-av/lib';

/** This machine has no media engine: nothing can be rendered or decoded here. The message names the remedy. */
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

/** A call of libav failed. `number` is libav's code, or a negated errno where the system failed first. */
export class LibavError extends Error {
  readonly number: number;

  constructor(message: string, number: number) {
    super(message);
    this.number = number;
  }
}

/** Turns a negative return code of libav into an error that names what was being done. @throws {LibavError} */
export function check(av: Libav, code: number, doing: string): number {
  if (code < 0) throw new LibavError(`${doing}: ${av.FFmpegError.strerror(code)} (${code})`, code);
  return code;
}

/** Gives native memory back at the end of its scope: a disposable stack, of either kind. */
export interface Release {
  adopt<T>(value: T, onDispose: (value: T) => void): T;
}

export function newFrame(av: Libav, release: Release): Frame {
  const frame = release.adopt(new av.Frame(), it => it.free());
  frame.alloc();
  return frame;
}

export function newPacket(av: Libav, release: Release): Packet {
  const packet = release.adopt(new av.Packet(), it => it.free());
  packet.alloc();
  return packet;
}

/** Sets up a filtergraph from its text. @param threads absent: as many as libav chooses. @throws {LibavError} */
export async function filterGraph(av: Libav, release: Release, text: string, threads?: number) {
  const graph = release.adopt(new av.FilterGraph(), it => it.free());
  graph.alloc();
  if (threads !== undefined) graph.nbThreads = threads;
  check(av, graph.parsePtr(text), `reading the filtergraph "${text}"`);
  check(av, await graph.config(), `setting up the filtergraph "${text}"`);
  return {
    graph,
    end(name: string): FilterContext {
      const found = graph.getFilter(name);
      if (found === null) throw new Error(`the filtergraph "${text}" has no ${name}`);
      return found;
    },
  };
}

/** Starts a decoder for a track. Undefined where libav has none for its codec. @throws {LibavError} */
export async function openDecoder(
  av: Libav,
  release: Release,
  stream: Stream,
  threads: number,
): Promise<CodecContext | undefined> {
  const codec = av.Codec.findDecoder(stream.codecpar.codecId);
  if (codec === null) return undefined;
  const decoder = release.adopt(new av.CodecContext(), it => it.freeContext());
  decoder.allocContext3(codec);
  check(av, decoder.parametersToContext(stream.codecpar), 'describing a decoder');
  decoder.pktTimebase = stream.timeBase;
  decoder.threadCount = threads;
  check(av, await decoder.open2(codec, null), 'starting a decoder');
  return decoder;
}

/** 48 kHz stereo as a frame. `interleaved`: left and right by turns; `planar`: all of the left, then all of the right. */
export function soundFrame(av: Libav, samples: Float32Array, pts: bigint, order: 'interleaved' | 'planar'): Frame {
  return av.Frame.fromAudioBuffer(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength), {
    nbSamples: samples.length / 2,
    format: order === 'planar' ? av.c.AV_SAMPLE_FMT_FLTP : av.c.AV_SAMPLE_FMT_FLT,
    sampleRate: 48_000,
    channelLayout: { nbChannels: 2, order: av.c.AV_CHANNEL_ORDER_NATIVE, mask: 3n },
    timeBase: { num: 1, den: 48_000 },
    pts,
  });
}
