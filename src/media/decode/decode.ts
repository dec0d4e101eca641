/** Decoding, for what looks at media in JavaScript: the sound that a retake mixes into, the pictures that tests compare. */
import type { StereoSound } from '../encode/encoder-settings.ts';
import { reader } from '../filtergraph.ts';
import { check, type FilterContext, type Frame, filterGraph, type Libav, libav, newFrame } from '../libav.ts';

export interface DecodedFrame {
  /** From 0. */
  readonly index: number;
  /** Seconds. */
  readonly time: number;
  readonly width: number;
  readonly height: number;
  /** Unpadded, in the asked pixel format. */
  readonly pixels: Uint8Array;
}

interface FrameOptions {
  /** `rgba` and `rgb24` are packed; `gray` is luma alone; `yuv420p` is three planes. */
  readonly pixelFormat?: 'rgba' | 'rgb24' | 'gray' | 'yuv420p';
  /** Graph text that brings the pictures in, where `movie=` alone does not: `Footage.picture`. */
  readonly picture?: string;
  /** Filters between the file and the frames: `scale=320:-2`, `trim=start_frame=3:end_frame=4`. */
  readonly through?: string;
}

/** The pictures of a file in order. Ending the loop early is fine: everything is released. */
export async function* readFrames(path: string, options: FrameOptions = {}): AsyncGenerator<DecodedFrame> {
  const { pixelFormat = 'rgba', picture = reader('movie', path), through } = options;
  const av = await libav();
  using release = new DisposableStack();
  const steps = [picture, ...(through === undefined ? [] : [through]), `format=${pixelFormat}`];
  const { end } = await filterGraph(av, release, `${steps.join(',')},buffersink@out`);
  const sink = end('buffersink@out');
  const frame = newFrame(av, release);
  const { num, den } = sink.buffersinkGetTimeBase();
  for (let index = 0; await pull(av, sink, frame, path); index++) {
    const { width, height } = frame;
    const pixels = new Uint8Array(frame.toBuffer());
    const time = (Number(frame.pts) * num) / den;
    frame.unref();
    yield { index, time, width, height, pixels };
  }
}

/** A file's sound as 48 kHz stereo (mono on both sides); `seconds` limits how much is read. */
export async function readAudio(path: string, { seconds }: { seconds?: number } = {}): Promise<StereoSound> {
  const av = await libav();
  using release = new DisposableStack();
  const cut = seconds === undefined ? '' : `,atrim=end=${seconds}`;
  const shape = 'aformat=sample_fmts=fltp:sample_rates=48000:channel_layouts=stereo';
  const { end } = await filterGraph(av, release, `${reader('amovie', path)},${shape}${cut},abuffersink@out`);
  const sink = end('abuffersink@out');
  const frame = newFrame(av, release);
  const left: Float32Array[] = [];
  const right: Float32Array[] = [];
  while (await pull(av, sink, frame, path)) {
    const planes = frame.toBuffer();
    const samples = new Float32Array(planes.buffer.slice(planes.byteOffset, planes.byteOffset + planes.byteLength));
    const n = frame.nbSamples;
    left.push(samples.subarray(0, n));
    right.push(samples.subarray(n, 2 * n));
    frame.unref();
  }
  return { left: joined(left), right: joined(right) };
}

async function pull(av: Libav, sink: FilterContext, frame: Frame, path: string): Promise<boolean> {
  const code = await sink.buffersinkGetFrame(frame);
  if (code === av.c.AVERROR_EOF) return false;
  check(av, code, `decoding ${path}`);
  return true;
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
