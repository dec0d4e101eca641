/**
 * libav frames for drawn pictures of one size. The graph shares a frame while it looks at it; one that it has let go of is filled
 * again. A new one for each picture would be gigabytes a film, through an allocator that keeps half a gigabyte of what it gets back.
 */

import { type DrawnPictures, exactRate, type PixelFormat } from '../encode/encoder-settings.ts';
import { EXACT, KERNEL } from '../filtergraph.ts';
import { check, type Frame, type Libav, newFrame } from '../libav.ts';

interface FramePool extends Disposable {
  /** A frame that holds this picture. It is not given out again before `handedOver`. The bytes are read until this settles. */
  fill(pixels: Uint8Array): Promise<Frame>;
  /** The graph has its own hold on the frame now. */
  release(frame: Frame): void;
}

/** Those with alpha as well, for what is laid over a picture. */
export type PoolFormat = PixelFormat | 'yuva420p' | 'yuva420p10le' | 'yuva422p10le';

/** Frames in a `format` are in colours of HD video; absent: RGBA. */
type Shape = Pick<DrawnPictures, 'width' | 'height' | 'fps'> & { readonly format?: PoolFormat };

export function framePool(av: Libav, { width, height, fps, format }: Shape): FramePool {
  const { c } = av;
  const { num, den } = exactRate(fps);
  const release = new DisposableStack();
  const frames: Frame[] = [];
  const givenOut = new Set<Frame>();
  /** Held on to while libav reads it: the collector does not know that it does. */
  const held = new Set<Uint8Array>();

  const blank = (pixelFormat: Frame['format']): Frame => {
    const frame = newFrame(av, release);
    frame.width = width;
    frame.height = height;
    frame.format = pixelFormat;
    frame.timeBase = new av.Rational(den, num);
    return frame;
  };
  /** Looks at bytes that are not its own. */
  const drawn = blank(c.AV_PIX_FMT_RGBA);
  drawn.colorSpace = c.AVCOL_SPC_RGB;
  drawn.colorRange = c.AVCOL_RANGE_JPEG;
  const scaler = exactScaler(av, release);

  const another = (): Frame => {
    const frame = blank(format ? av.avGetPixFmtFromName(format) : c.AV_PIX_FMT_RGBA);
    check(av, frame.getBuffer(), 'making room for a picture');
    if (format) {
      frame.colorSpace = c.AVCOL_SPC_BT709;
      frame.colorRange = c.AVCOL_RANGE_MPEG;
    }
    frames.push(frame);
    return frame;
  };
  return {
    async fill(pixels) {
      const size = width * height * 4;
      if (pixels.byteLength !== size)
        throw new Error(`a drawn picture has ${pixels.byteLength} bytes, but ${width}x${height} RGBA has ${size}`);
      const frame = frames.find(it => !givenOut.has(it) && it.isWritable) ?? another();
      givenOut.add(frame);
      held.add(pixels);
      const bytes = Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength);
      // With node-av 6.1.1 a frame without memory of its own looks straight at these bytes: nothing is copied.
      check(av, drawn.fromBuffer(bytes), 'reading a picture');
      if (format) check(av, await scaler.scaleFrame(frame, drawn), 'converting a picture');
      else check(av, frame.copy(drawn), 'copying a picture');
      held.delete(pixels);
      return frame;
    },
    release(frame) {
      givenOut.delete(frame);
    },
    [Symbol.dispose]() {
      release.dispose();
    },
  };
}

function exactScaler(av: Libav, release: DisposableStack): InstanceType<Libav['SoftwareScaleContext']> {
  const scaler = release.adopt(new av.SoftwareScaleContext(), it => it.freeContext());
  scaler.allocContext();
  check(av, scaler.setOption('sws_flags', `${KERNEL}+${EXACT}`), 'setting up the conversion of pictures');
  return scaler;
}
