/**
 * Single pictures of a video, exactly those that a player shows: in the order of presentation, without what an edit list hides. A
 * picture is found by decoding from the key frame before it. Where a container has no index to be trusted, or decoding begins on
 * something else than a key frame, all of the video is decoded. Where a film of ours carries its clean plate, that is what is read.
 *
 * Dropped: to seek by time alone, as `ffmpeg -sseof` does. It misses the last picture where sound goes on after it, where pictures are far
 * apart, and where the last group is hidden by an edit.
 */

import { NotMedia } from '../decode/not-media.ts';
import { type OpenedPictures, openPictures } from '../encode/clean-plate.ts';
import { type FormatContext, type Frame, type Libav, newFrame, newPacket, openDecoder, type Stream } from '../libav.ts';

/** Containers with an index of key frames. */
const INDEXED = /^(mov|matroska)/;

/** Seconds that a clock of milliseconds may tell too early: a picture that begins so soon after counts as shown. */
const TICK = 0.001;
/** Seconds past the end that count as its end: probers differ by that much. */
const SLACK = 0.1;

export class ShownFrames {
  readonly #av: Libav;
  readonly #path: string;
  readonly #file: FormatContext;
  /** The track of its pictures. */
  readonly stream: Stream;

  private constructor(av: Libav, path: string, { file, stream }: OpenedPictures) {
    this.#av = av;
    this.#path = path;
    this.#file = file;
    this.stream = stream;
  }

  /** @throws {NotMedia} */
  static async open(av: Libav, path: string): Promise<ShownFrames> {
    return new ShownFrames(av, path, await opened(av, path));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#file.closeInput();
  }

  get #isIndexed(): boolean {
    return INDEXED.test(this.#file.iformat?.name ?? '');
  }

  /** @throws {NotMedia} where no picture can be decoded. */
  async first(): Promise<Frame> {
    await using pictures = await this.#from(undefined);
    for await (const frame of pictures.all) return kept(frame);
    throw new NotMedia('none of its pictures can be decoded');
  }

  /** @throws {NotMedia} where no picture can be decoded. */
  async last(): Promise<Frame> {
    let before = this.#wellPastEnd;
    for (let tries = 0; this.#isIndexed && tries < MAX_TRIES; tries++) {
      await using pictures = await this.#from(before);
      const found = await lastOf(pictures.all);
      const { start } = pictures;
      if (found && pictures.isWhole) return found;
      found?.free();
      // All of that group is hidden or broken: the one before has the last picture.
      if (start === undefined || !pictures.isWhole || start >= before) break;
      before = start - 1n;
    }
    await using all = await this.#from(undefined);
    const found = await lastOf(all.all);
    if (!found) throw new NotMedia('none of its pictures can be decoded');
    return found;
  }

  /** `at`: seconds from the first picture, or, below zero, from the end. @throws {NotMedia} where none is shown then. */
  async at(at: number): Promise<Frame> {
    using first = disposable(await this.first());
    const start = this.#secondsOf(first.value);
    if (at >= 0) return await this.#shownAt(start, at);
    using last = disposable(await this.last());
    const end = this.#endOf(last.value) - start;
    if (end + at < -SLACK) throw new NotMedia(`it is ${length(end)} long and has no frame at ${at}s`);
    return await this.#shownAt(start, Math.max(0, end + at));
  }

  async #shownAt(start: number, at: number): Promise<Frame> {
    const wanted = start + at + TICK;
    const { num, den } = this.stream.timeBase;
    const found = await this.#lastUntil(wanted, BigInt(Math.floor((wanted * den) / num)));
    if (!found) throw new NotMedia('none of its pictures can be decoded');
    // Nothing follows it: it may be shown no longer than to the end.
    const end = this.#endOf(found.frame) - start;
    if (!found.isFollowed && at > end + SLACK) {
      found.frame.free();
      throw new NotMedia(`it is ${length(end)} long and has no frame at ${at}s`);
    }
    return found.frame;
  }

  async #lastUntil(seconds: number, near: bigint): Promise<Until | undefined> {
    if (this.#isIndexed) {
      await using pictures = await this.#from(near);
      const found = await this.#until(pictures.all, seconds);
      if (found && pictures.isWhole) return found;
      found?.frame.free();
    }
    await using all = await this.#from(undefined);
    return await this.#until(all.all, seconds);
  }

  async #until(pictures: AsyncIterable<Frame>, seconds: number): Promise<Until | undefined> {
    let found: Frame | undefined;
    let isFirst = true;
    for await (const frame of pictures) {
      if (this.#secondsOf(frame) > seconds) {
        // The key frame that was found comes too late: the picture before it is asked for.
        if (isFirst) return undefined;
        return found && { frame: found, isFollowed: true };
      }
      isFirst = false;
      found?.free();
      found = kept(frame);
    }
    return found && { frame: found, isFollowed: false };
  }

  #secondsOf(frame: Frame): number {
    const { num, den } = this.stream.timeBase;
    return (Number(frame.bestEffortTimestamp) * num) / den;
  }

  #endOf(frame: Frame): number {
    const { timeBase, avgFrameRate } = this.stream;
    const own = (Number(frame.duration) * timeBase.num) / timeBase.den;
    const beat = avgFrameRate.num > 0 ? avgFrameRate.den / avgFrameRate.num : 0;
    return this.#secondsOf(frame) + (own > 0 ? own : beat);
  }

  get #wellPastEnd(): bigint {
    const { timeBase, duration, startTime } = this.stream;
    const none = this.#av.c.AV_NOPTS_VALUE;
    if (duration === none || duration <= 0n) return BigInt(Math.floor((LONGEST * timeBase.den) / timeBase.num));
    return (startTime === none ? 0n : startTime) + 2n * duration;
  }

  /** Decodes from the last key frame before this time of the track; from its beginning where `before` is undefined. */
  #from(before: bigint | undefined): Promise<Pictures> {
    return Pictures.open(this.#av, this.#path, before);
  }
}

/** @throws {NotMedia} */
async function opened(av: Libav, path: string): Promise<OpenedPictures> {
  const pictures = await openPictures(av, path).catch(() => {
    throw new NotMedia('it cannot be opened as a video');
  });
  if (!pictures) throw new NotMedia('it has no pictures');
  return pictures;
}

/** Groups that may be hidden at the end, before all is decoded. */
const MAX_TRIES = 8;
/** Seconds: longer than any video here. */
const LONGEST = 1e6;

interface Until {
  readonly frame: Frame;
  readonly isFollowed: boolean;
}

/** What is decoded in one go. */
class Pictures {
  readonly all: AsyncIterable<Frame>;
  /** Where it began; undefined before that, and where nothing is left. */
  start: bigint | undefined;
  /** It began on a key frame, so that no picture is missing what it is made from. */
  isWhole = false;
  readonly #release: AsyncDisposableStack;

  private constructor(release: AsyncDisposableStack, all: (self: Pictures) => AsyncIterable<Frame>) {
    this.#release = release;
    this.all = all(this);
  }

  static async open(av: Libav, path: string, before: bigint | undefined): Promise<Pictures> {
    await using release = new AsyncDisposableStack();
    const { file, stream } = await opened(av, path);
    release.use(file);
    const decoder = (await openDecoder(av, release, stream, THREADS)) ?? noDecoder(av, stream);
    const packet = newPacket(av, release);
    const frame = newFrame(av, release);
    const isFound =
      before === undefined || (await file.seekFrame(stream.index, before, av.c.AVSEEK_FLAG_BACKWARD)) >= 0;
    async function* decode(self: Pictures): AsyncGenerator<Frame> {
      if (!isFound) return;
      for (;;) {
        const isOver = (await file.readFrame(packet)) < 0;
        if (!isOver && packet.streamIndex !== stream.index) {
          packet.unref();
          continue;
        }
        if (!isOver && self.start === undefined) {
          self.start = packet.dts === av.c.AV_NOPTS_VALUE ? packet.pts : packet.dts;
          self.isWhole = before === undefined || packet.isKeyframe;
          if (!self.isWhole) return;
        }
        // A packet that cannot be decoded is passed over, as players do.
        await decoder.sendPacket(isOver ? null : packet);
        packet.unref();
        while ((await decoder.receiveFrame(frame)) >= 0) {
          if (frame.width > 0 && frame.bestEffortTimestamp !== av.c.AV_NOPTS_VALUE) yield frame;
          frame.unref();
        }
        if (isOver) return;
      }
    }
    return new Pictures(release.move(), decode);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#release.disposeAsync();
  }
}

function noDecoder(av: Libav, stream: Stream): never {
  throw new NotMedia(`no decoder here for ${av.avGetCodecName(stream.codecpar.codecId) ?? 'its codec'}`);
}

/** One group of pictures is soon decoded, and others work beside it. */
const THREADS = 2;

async function lastOf(pictures: AsyncIterable<Frame>): Promise<Frame | undefined> {
  let found: Frame | undefined;
  for await (const frame of pictures) {
    if (found && frame.bestEffortTimestamp < found.bestEffortTimestamp) continue;
    found?.free();
    found = kept(frame);
  }
  return found;
}

/** The decoder goes on with its own. */
function kept(frame: Frame): Frame {
  const own = frame.clone();
  if (!own) throw new Error('no memory for a picture');
  return own;
}

const disposable = (value: Frame): { readonly value: Frame } & Disposable => ({
  value,
  [Symbol.dispose]: () => value.free(),
});

const length = (seconds: number): string => `${Math.round(seconds * 1000) / 1000}s`;
