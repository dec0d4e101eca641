/**
 * One media job: pictures drawn in JavaScript and files read by the graph go through a libav filtergraph into an MP4.
 *
 *     frames ──[raw]──┐               ┌──[v]── video encoder ──┐
 *                     ├─ filtergraph ─┤                        ├── file
 *     sound ──[pcm]───┘  (movie=…)    └──[a]── audio encoder ──┤
 *     copyAudio ───────────────────────────── packets as is ───┘
 *
 * Drawing and encoding overlap: the next picture is drawn while libav's threads work on the last one.
 * Whatever libav allocates is given back when the job ends, also when it ends badly.
 */
import { rm } from 'node:fs/promises';
import { check, type FormatContext, type Frame, type Libav, libav } from './libav.ts';
import { type AudioSettings, type Rate, rateOf, THREADS, type VideoSettings } from './settings.ts';
import { copyTrack, encoderTrack, type Track } from './tracks.ts';

export { DRAWN, DRAWN_WITH_SOUND, escapePath, resize, toYuv } from './graph.ts';
export { aac, h264, hevcMain10, rateOf } from './settings.ts';

export interface EncodeJob {
  /** Drawn pictures, RGBA, top-down, unpadded; they enter the graph at `[raw]`. A yielded buffer may be drawn over at once. */
  readonly frames?: {
    readonly width: number;
    readonly height: number;
    readonly fps: number | Rate;
    readonly pixels: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  };
  /** Made sound, 48 kHz, samples −1…1; it enters the graph at `[pcm]`. */
  readonly sound?: StereoSound;
  /** FFmpeg's filtergraph text. Files come in through `movie=` and `amovie=` (see `escapePath`); it ends in `[v]` and/or `[a]`. */
  readonly graph: string;
  /** Present exactly when the graph has `[v]`. */
  readonly video?: VideoSettings;
  /** Present exactly when the graph has `[a]`. */
  readonly audio?: AudioSettings;
  /** Takes the sound track of this file as it is, packet for packet (its codec must be one MP4 carries). */
  readonly copyAudio?: string;
  /** The MP4 to write; its folder exists. Nothing is left there when the job fails. */
  readonly out: string;
  /** Called with the number of pictures encoded so far. */
  readonly onFrame?: (n: number) => void;
}

/** 48 kHz. */
export interface StereoSound {
  readonly left: Float32Array;
  readonly right: Float32Array;
}

export const SAMPLE_RATE = 48_000;

/** @throws an Error naming the step that failed; {@link NoEngine} where the engine is missing. */
export async function encode(job: EncodeJob): Promise<{ frames: number }> {
  const av = await libav();
  try {
    return await run(av, job);
  } catch (error) {
    await rm(job.out, { force: true });
    throw error;
  }
}

async function run(av: Libav, job: EncodeJob): Promise<{ frames: number }> {
  await using release = new AsyncDisposableStack();
  const graph = release.adopt(new av.FilterGraph(), it => it.free());
  graph.alloc();
  const text = graphText(job);
  check(av, graph.parsePtr(text), `reading the filtergraph "${text}"`);
  check(av, await graph.config(), `setting up the filtergraph "${text}"`);

  const file = release.adopt(new av.FormatContext(), it => it.freeContext());
  check(av, file.allocOutputContext2(null, 'mp4', job.out), 'preparing the file');
  file.setFlags(av.c.AVFMT_FLAG_BITEXACT);

  let encoded = 0;
  const tracks: Track[] = [];
  if (job.video) {
    const onFrame = () => job.onFrame?.(++encoded);
    const settings = { ...job.video, threads: THREADS };
    const sink = sinkOf(graph.getFilter('buffersink@v'));
    tracks.push(await encoderTrack(av, release, file, { kind: 'video', sink, settings, onFrame }));
  }
  if (job.audio) {
    const sink = sinkOf(graph.getFilter('abuffersink@a'));
    tracks.push(await encoderTrack(av, release, file, { kind: 'audio', sink, settings: job.audio }));
  }
  if (job.copyAudio !== undefined) tracks.push(await copyTrack(av, release, file, job.copyAudio));

  await begin(av, release, file);
  if (job.sound) await feedSound(av, sinkOf(graph.getFilter('abuffer@pcm')), job.sound);
  const source = job.frames ? sinkOf(graph.getFilter('buffer@raw')) : undefined;
  await using drawn = job.frames && source ? drawing(av, job.frames, source) : undefined;

  for (let track = behind(tracks); track !== undefined; track = behind(tracks)) {
    const step = track.pull();
    drawn?.ahead();
    if ((await step) !== 'empty') continue;
    if (drawn && !drawn.ended) await drawn.feed();
    // The graph holds nothing for this track yet; let it work towards whichever sink is furthest behind.
    else await graph.requestOldest();
  }
  check(av, await file.writeTrailer(), 'finishing the file');
  return { frames: tracks[0]?.frames ?? 0 };
}

/** The job's graph between its sources and sinks. Sound reaches the encoder in the AAC frame's own size. */
function graphText({ frames, sound, graph, video, audio }: EncodeJob): string {
  const parts: string[] = [];
  if (frames) {
    const { num, den } = typeof frames.fps === 'number' ? rateOf(frames.fps) : frames.fps;
    const size = `video_size=${frames.width}x${frames.height}:pix_fmt=rgba:pixel_aspect=1/1`;
    parts.push(`buffer@raw=${size}:time_base=${den}/${num}:frame_rate=${num}/${den}[raw]`);
  }
  if (sound) {
    const layout = 'sample_fmt=fltp:channel_layout=stereo';
    parts.push(`abuffer@pcm=sample_rate=${SAMPLE_RATE}:${layout}:time_base=1/${SAMPLE_RATE}[pcm]`);
  }
  if (graph !== '') parts.push(graph);
  if (video) parts.push(`[v]format=${video.pixelFormat},buffersink@v`);
  if (audio) {
    const shape = `aformat=sample_fmts=fltp:sample_rates=${audio.sampleRate}:channel_layouts=stereo`;
    parts.push(`[a]${shape},asetnsamples=n=1024:p=0,abuffersink@a`);
  }
  return parts.join(';');
}

function sinkOf<Filter>(filter: Filter | null): Filter {
  if (filter === null)
    throw new Error('the filtergraph lost one of its ends: the job names a track its graph does not have');
  return filter;
}

async function begin(av: Libav, release: AsyncDisposableStack, file: FormatContext): Promise<void> {
  check(av, await file.openOutput(), 'opening the file');
  release.defer(() => file.closeOutput());
  using options = av.Dictionary.fromObject({ movflags: '+faststart' });
  check(av, await file.writeHeader(options), 'writing the head of the file');
}

/** The unfinished track that has come least far: so packets arrive interleaved. */
function behind(tracks: readonly Track[]): Track | undefined {
  let last: Track | undefined;
  for (const track of tracks) if (!track.ended && (last === undefined || track.time < last.time)) last = track;
  return last;
}

type Source = { buffersrcAddFrame(frame: Frame | null): Promise<number> };

/** Draws at most one picture ahead of the graph. */
function drawing(av: Libav, frames: NonNullable<EncodeJob['frames']>, source: Source) {
  const { width, height } = frames;
  const { num, den } = typeof frames.fps === 'number' ? rateOf(frames.fps) : frames.fps;
  const pixels =
    Symbol.asyncIterator in frames.pixels ? frames.pixels[Symbol.asyncIterator]() : frames.pixels[Symbol.iterator]();
  let next: Promise<Frame | null> | undefined;
  let drawn = 0n;
  let ended = false;

  const draw = async () => {
    const picture = await pixels.next();
    if (picture.done) return null;
    const frame = ownedPicture(av, picture.value, { width, height, num, den });
    frame.pts = drawn++;
    return frame;
  };
  return {
    get ended() {
      return ended;
    },
    ahead() {
      if (ended || next) return;
      next = draw();
      // A failed drawing is reported by `feed`, not by the process.
      next.catch(() => {});
    },
    async feed() {
      const frame = await (next ?? draw());
      next = undefined;
      if (frame === null) ended = true;
      try {
        const added = source.buffersrcAddFrame(frame);
        this.ahead();
        check(av, await added, 'giving a picture to the filtergraph');
      } finally {
        frame?.free();
      }
    },
    async [Symbol.asyncDispose]() {
      (await next?.catch(() => null))?.free();
      if (!ended) await pixels.return?.();
    },
  };
}

/**
 * `Frame.fromVideoBuffer()` of node-av 6.1.1 says it copies, but keeps pointing into the JavaScript buffer: once that is
 * collected or drawn over, black bars appear. So the picture is copied into memory the frame owns.
 */
function ownedPicture(
  av: Libav,
  pixels: Uint8Array,
  { width, height, num, den }: { width: number; height: number; num: number; den: number },
): Frame {
  if (pixels.byteLength !== width * height * 4) {
    throw new Error(
      `a drawn picture has ${pixels.byteLength} bytes, but ${width}x${height} RGBA has ${width * height * 4}`,
    );
  }
  const buffer = Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength);
  const format = av.c.AV_PIX_FMT_RGBA;
  using borrowed = av.Frame.fromVideoBuffer(buffer, {
    width,
    height,
    format,
    timeBase: { num: den, den: num },
    pts: 0n,
  });
  const frame = new av.Frame();
  frame.alloc();
  frame.width = width;
  frame.height = height;
  frame.format = format;
  check(av, frame.getBuffer(), 'making room for a picture');
  check(av, frame.copy(borrowed), 'copying a picture');
  frame.timeBase = new av.Rational(den, num);
  return frame;
}

const SOUND_FRAME = 4096;

async function feedSound(av: Libav, source: Source, { left, right }: StereoSound): Promise<void> {
  for (let at = 0; at < left.length; at += SOUND_FRAME) {
    const samples = Math.min(SOUND_FRAME, left.length - at);
    const planes = new Float32Array(samples * 2);
    planes.set(left.subarray(at, at + samples), 0);
    planes.set(right.subarray(at, at + samples), samples);
    using borrowed = av.Frame.fromAudioBuffer(Buffer.from(planes.buffer), {
      nbSamples: samples,
      format: av.c.AV_SAMPLE_FMT_FLTP,
      sampleRate: SAMPLE_RATE,
      channelLayout: { nbChannels: 2, order: av.c.AV_CHANNEL_ORDER_NATIVE, mask: 3n },
      timeBase: { num: 1, den: SAMPLE_RATE },
      pts: BigInt(at),
    });
    check(av, await source.buffersrcAddFrame(borrowed), 'giving sound to the filtergraph');
  }
  check(av, await source.buffersrcAddFrame(null), 'ending the sound');
}
