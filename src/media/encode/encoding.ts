/**
 * One media job, carried out: pictures drawn in JavaScript and files read by the graph go through a libav filtergraph into an MP4.
 *
 *     frames ──[raw]────┐               ┌──[v]────── video encoder ──▶ out
 *     overlay ─[overlay]─┤               │
 *                       ├─ filtergraph ─┼──[clean]── video encoder ──▶ cleanPlate
 *     sound ──[pcm]─────┘  (movie=…)    └──[a]────── audio encoder ──▶ out
 *     copyAudio ──────────────────────────────────── packets as is ──▶ out
 *
 * All that libav allocates is given back when the job ends, also when it ends badly.
 */
import { rm } from 'node:fs/promises';
import { framePool } from '../decode/frame-pool.ts';
import { writeComment } from '../decode/open-input.ts';
import { beginFile, copyTrack, encoderTrack, newFile, type Track } from '../decode/tracks.ts';
import {
  check,
  type FilterContext,
  type FormatContext,
  type Frame,
  filterGraph,
  type Libav,
  libav,
  soundFrame,
} from '../libav.ts';
import type { EarlyPicture } from './early-picture.ts';
import {
  type AudioSettings,
  type DrawnPictures,
  exactRate,
  SAMPLE_RATE,
  type StereoSound,
  THREADS,
  type VideoSettings,
} from './encoder-settings.ts';

export interface EncodeJob {
  /** They enter the graph at `[raw]`. */
  readonly frames?: DrawnPictures;
  /** A second row of pictures, a layer for instance, transparent where nothing is drawn; it enters the graph at `[overlay]`. */
  readonly overlay?: DrawnPictures;
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
  /** A second MP4 of the same pass: the pictures at `[clean]`, without sound. */
  readonly cleanPlate?: { readonly out: string; readonly video: VideoSettings };
  /** A note kept inside the files (at most 60,000 characters; see `readComment`). */
  readonly comment?: string;
  /** One of the pictures at `[v]` as a JPEG, as soon as it is there and before it is encoded. */
  readonly early?: EarlyPicture;
  /** Called with the number of pictures encoded so far. */
  readonly onFrame?: (n: number) => void;
}

/** @throws an Error naming the step that failed; {@link NoEngine} where the engine is missing. */
export async function encodeHere(job: EncodeJob): Promise<{ frames: number }> {
  const av = await libav();
  try {
    return await run(av, job);
  } catch (error) {
    for (const { out } of outputs(job)) await rm(out, { force: true });
    throw error;
  }
}

function outputs({ out, cleanPlate }: EncodeJob): readonly { out: string; sink: string; video?: VideoSettings }[] {
  const result = { out, sink: 'buffersink@v' };
  return cleanPlate ? [result, { ...cleanPlate, sink: 'buffersink@clean' }] : [result];
}

async function run(av: Libav, job: EncodeJob): Promise<{ frames: number }> {
  await using release = new AsyncDisposableStack();
  // A film that is drawn has the other core for the drawing: more threads here would hold more pictures and gain nothing. Nor does
  // any other film get one for each core: readers hold a picture for each thread, and a job is meant to take two cores.
  const threads = job.frames ? 1 : THREADS;
  const { graph, end } = await filterGraph(av, release, graphText(job), threads);

  const files: FormatContext[] = [];
  const tracks: Track[] = [];
  let encoded = 0;
  for (const { out, sink, video = job.video } of outputs(job)) {
    const file = newFile(av, release, 'mp4', out);
    if (job.comment !== undefined) writeComment(av, file, job.comment);
    const isResult = files.length === 0;
    const onFrame = isResult ? () => job.onFrame?.(++encoded) : () => {};
    files.push(file);
    if (!video) continue;
    const settings = { ...video, threads };
    tracks.push(
      await encoderTrack(av, release, file, {
        ...{ kind: 'video', sink: end(sink), settings, onFrame },
        ...(isResult && job.early ? { early: job.early } : {}),
      }),
    );
  }
  const [result] = files;
  if (result && job.audio) {
    const sink = end('abuffersink@a');
    tracks.push(await encoderTrack(av, release, result, { kind: 'audio', sink, settings: job.audio }));
  }
  if (result && job.copyAudio !== undefined) tracks.push(await copyTrack(av, release, result, job.copyAudio));

  for (const file of files) await beginFile(av, release, file);
  if (job.sound) await feedSound(av, end('abuffer@pcm'), job.sound);
  const sources: FrameSource[] = [];
  for (const [name, pictures] of [
    ['raw', job.frames],
    ['overlay', job.overlay],
  ] as const) {
    if (pictures) sources.push(release.use(frameSource(av, pictures, end(`buffer@${name}`))));
  }

  for (let track = behind(tracks); track !== undefined; track = behind(tracks)) {
    const step = track.pull();
    for (const source of sources) source.prefetch();
    if ((await step) !== 'empty') continue;
    const waiting = sources.filter(source => !source.ended);
    for (const source of waiting) await source.sendNext();
    // The graph holds nothing for this track yet; let it work towards whichever end is furthest behind.
    if (waiting.length === 0) await graph.requestOldest();
  }
  for (const file of files) check(av, await file.writeTrailer(), 'finishing the file');
  return { frames: tracks[0]?.frames ?? 0 };
}

/** The job's graph between its sources and sinks. Sound reaches the encoder in the AAC frame's own size. */
function graphText({ frames, overlay, sound, graph, video, audio, cleanPlate }: EncodeJob): string {
  const parts: string[] = [];
  for (const [name, pictures] of [
    ['raw', frames],
    ['overlay', overlay],
  ] as const) {
    if (!pictures) continue;
    const { num, den } = exactRate(pictures.fps);
    const colours = pictures.format ? `${pictures.format}:colorspace=bt709:range=tv` : 'rgba';
    const size = `video_size=${pictures.width}x${pictures.height}:pix_fmt=${colours}:pixel_aspect=1/1`;
    parts.push(`buffer@${name}=${size}:time_base=${den}/${num}:frame_rate=${num}/${den}[${name}]`);
  }
  if (sound) {
    const layout = 'sample_fmt=fltp:channel_layout=stereo';
    parts.push(`abuffer@pcm=sample_rate=${SAMPLE_RATE}:${layout}:time_base=1/${SAMPLE_RATE}[pcm]`);
  }
  if (graph !== '') parts.push(graph);
  if (video) parts.push(`[v]format=${video.pixelFormat},buffersink@v`);
  if (cleanPlate) parts.push(`[clean]format=${cleanPlate.video.pixelFormat},buffersink@clean`);
  if (audio) {
    const shape = `aformat=sample_fmts=fltp:sample_rates=${audio.sampleRate}:channel_layouts=stereo`;
    parts.push(`[a]${shape},asetnsamples=n=1024:p=0,abuffersink@a`);
  }
  return parts.join(';');
}

/** The unfinished track that has come least far: so packets arrive interleaved. */
function behind(tracks: readonly Track[]): Track | undefined {
  let last: Track | undefined;
  for (const track of tracks) if (!track.ended && (last === undefined || track.time < last.time)) last = track;
  return last;
}

// What JavaScript makes on its way into the filtergraph: drawn pictures, one ahead of the graph, and computed sound.

/** Where a graph takes frames in. */
type Source = Pick<FilterContext, 'buffersrcAddFrame'>;

interface FrameSource extends AsyncDisposable {
  readonly ended: boolean;
  /** Draws the next picture now, while libav is busy. */
  prefetch(): void;
  /** Gives the next picture to the graph, or ends it when there are no more. */
  sendNext(): Promise<void>;
}

/** Takes at most one picture ahead of the graph. */
function frameSource(av: Libav, frames: DrawnPictures, source: Source): FrameSource {
  const pixels =
    Symbol.asyncIterator in frames.pixels ? frames.pixels[Symbol.asyncIterator]() : frames.pixels[Symbol.iterator]();
  const pool = framePool(av, frames);
  let next: Promise<Frame | null> | undefined;
  let drawn = 0n;
  let ended = false;

  const draw = async () => {
    const picture = await pixels.next();
    if (picture.done) return null;
    const frame = await pool.fill(picture.value);
    frame.pts = drawn++;
    return frame;
  };
  return {
    get ended() {
      return ended;
    },
    prefetch() {
      if (ended || next) return;
      next = draw();
      // A failed drawing is reported by `sendNext`, not by the process.
      next.catch(() => {});
    },
    async sendNext() {
      const frame = await (next ?? draw());
      next = undefined;
      if (frame === null) ended = true;
      const added = source.buffersrcAddFrame(frame, av.c.AV_BUFFERSRC_FLAG_KEEP_REF);
      this.prefetch();
      check(av, await added, 'giving a picture to the filtergraph');
      if (frame) pool.release(frame);
    },
    async [Symbol.asyncDispose]() {
      await next?.catch(() => {});
      if (!ended) await pixels.return?.();
      pool[Symbol.dispose]();
    },
  };
}

const SOUND_FRAME = 4096;

async function feedSound(av: Libav, source: Source, { left, right }: StereoSound): Promise<void> {
  for (let at = 0; at < left.length; at += SOUND_FRAME) {
    const samples = Math.min(SOUND_FRAME, left.length - at);
    const planes = new Float32Array(samples * 2);
    planes.set(left.subarray(at, at + samples), 0);
    planes.set(right.subarray(at, at + samples), samples);
    using borrowed = soundFrame(av, planes, BigInt(at), 'planar');
    check(av, await source.buffersrcAddFrame(borrowed), 'giving sound to the filtergraph');
  }
  check(av, await source.buffersrcAddFrame(null), 'ending the sound');
}
