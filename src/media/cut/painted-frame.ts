/** What was painted or read in RGB, as a frame in the colours of HD video. */
import type { Canvas } from '@napi-rs/canvas';
import { EXACT, KERNEL } from '../filtergraph.ts';
import { check, type Frame, newFrame } from '../libav.ts';
import { type Kit, WITH_ALPHA } from './kit.ts';

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** RGBA, top-down, unpadded; colours are not multiplied by their alpha. */
  readonly bytes: Uint8Array;
}

/** Without its alpha. The caller frees it. */
export const opaqueFrame = (kit: Kit, pixels: Pixels): Promise<Frame> => converted(kit, pixels, kit.format);

export const frameWithAlpha = (kit: Kit, pixels: Pixels): Promise<Frame> =>
  converted(kit, pixels, WITH_ALPHA[kit.format].format);

export function pixelsOfCanvas(canvas: Canvas): Pixels {
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
  return { width, height, bytes: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
}

async function converted({ av }: Kit, { width, height, bytes }: Pixels, format: string): Promise<Frame> {
  const { c } = av;
  using release = new DisposableStack();
  const blank = (): Frame => {
    const frame = newFrame(av, release);
    frame.width = width;
    frame.height = height;
    return frame;
  };
  /** Looks at bytes that are not its own. */
  const painted = blank();
  painted.format = c.AV_PIX_FMT_RGBA;
  painted.colorSpace = c.AVCOL_SPC_RGB;
  painted.colorRange = c.AVCOL_RANGE_JPEG;
  const looked = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Held on to until the end: the collector does not know that libav reads it.
  release.defer(() => void looked.length);
  check(av, painted.fromBuffer(looked), 'reading a picture');
  const frame = blank();
  frame.format = av.avGetPixFmtFromName(format);
  frame.colorSpace = c.AVCOL_SPC_BT709;
  frame.colorRange = c.AVCOL_RANGE_MPEG;
  check(av, frame.getBuffer(), 'making room for a picture');
  const scaler = release.adopt(new av.SoftwareScaleContext(), it => it.freeContext());
  scaler.allocContext();
  check(av, scaler.setOption('sws_flags', `${KERNEL}+${EXACT}`), 'setting up the conversion of pictures');
  check(av, await scaler.scaleFrame(frame, painted), 'converting a picture');
  const given = frame.clone();
  if (given === null) throw new Error('no memory for a picture');
  return given;
}
